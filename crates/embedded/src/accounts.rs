//! Accounts, each on the shard of its e-mail.

use async_trait::async_trait;
use mworld_placement::Entity;
use mworld_shop::ports::Accounts;
use mworld_shop::session::{Account, Email};
use mworld_shop::{Operation, Refusal, Result, Timestamp, UserId};
use uuid::Uuid;

use crate::engine::Engine;

#[async_trait]
impl Accounts for Engine {
    async fn create(&self, email: Email, password_hash: String, name: Option<String>) -> Result<UserId> {
        self.write(Operation::AccountCreate, move |db, core| {
            let shard = core.router.account(email.as_str());
            db.writes(Entity::Accounts.into(), shard);
            let user = UserId::generate();
            let inserted = db.run(
                "INSERT INTO accounts (shard, email, user_id, password_hash, name, created_at) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
                (
                    shard.0,
                    email.as_str(),
                    user.uuid().into_bytes(),
                    password_hash,
                    name,
                    core.clock.now().micros(),
                ),
            )?;
            if inserted == 0 { Err(Refusal::EmailTaken.into()) } else { Ok(user) }
        })
        .await
    }

    async fn find(&self, email: &Email) -> Result<Option<Account>> {
        self.read(Operation::SessionLogin, |db, core| {
            let shard = core.router.account(email.as_str());
            db.reads(Entity::Accounts.into(), shard);
            db.one(
                "SELECT user_id, password_hash, name, created_at FROM accounts WHERE shard = ?1 AND email = ?2",
                (shard.0, email.as_str()),
                |row| {
                    Ok(Account {
                        user_id: UserId::from_uuid(Uuid::from_bytes(row.get(0)?)),
                        email: email.clone(),
                        password_hash: row.get(1)?,
                        name: row.get(2)?,
                        created_at: Timestamp::from_micros(row.get(3)?),
                    })
                },
            )
        })
    }
}
