//! Accounts, each on the shard of its e-mail: that is what makes an e-mail unique over all of them.

use async_trait::async_trait;
use mongodb::bson::Uuid;
use mworld_placement::Entity;
use mworld_shop::ports::Accounts;
use mworld_shop::session::{Account, Email};
use mworld_shop::{Operation, Refusal, Result, Timestamp, UserId};
use serde::{Deserialize, Serialize};

use crate::ask::Ask;
use crate::bson::{typed, uuid};
use crate::db::Wanted;
use crate::engine::Engine;
use crate::fault::{Answer, corrupt};

/// An account as it is stored.
#[derive(Serialize, Deserialize)]
struct AccountRecord {
    #[serde(rename = "_id")]
    id: Uuid,
    email: String,
    password_hash: String,
    name: Option<String>,
    created_at: Timestamp,
}

impl AccountRecord {
    fn read(self) -> Answer<Account> {
        Ok(Account {
            user_id: UserId::from_uuid(uuid(self.id)),
            email: self.email.parse().map_err(|error| corrupt("e-mail address", error))?,
            password_hash: self.password_hash,
            name: self.name,
            created_at: self.created_at,
        })
    }
}

fn by_email(email: &Email) -> Ask {
    Ask::of(Entity::Accounts).known("email", email.as_str())
}

#[async_trait]
impl Accounts for Engine {
    async fn create(&self, email: Email, password_hash: String, name: Option<String>) -> Result<UserId> {
        self.run(Operation::AccountCreate, |mut db| async move {
            let user = UserId::generate();
            let record = AccountRecord {
                id: typed(user.uuid()),
                email: email.as_str().to_owned(),
                password_hash,
                name,
                created_at: db.core.clock.now(),
            };
            let place = by_email(&email).known("user_id", user.uuid());
            match db.insert(&place, &record).await {
                Ok(()) => Ok(user),
                Err(fault) if fault.is_duplicate() => Err(Refusal::EmailTaken.into()),
                Err(fault) => Err(fault),
            }
        })
        .await
    }

    async fn find(&self, email: &Email) -> Result<Option<Account>> {
        let ask = by_email(email);
        self.run(Operation::SessionLogin, |mut db| async move {
            let found: Option<AccountRecord> = db.one(&ask, Wanted::default()).await?;
            found.map(AccountRecord::read).transpose()
        })
        .await
    }
}
