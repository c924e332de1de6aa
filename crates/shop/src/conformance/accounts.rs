//! The promises of [`crate::ports::Accounts`].

use uuid::Uuid;

use super::World;
use super::fixture::refused;
use crate::error::Refusal;
use crate::session::Email;

chapter! { $ conformance_accounts in accounts:
    an_account_reads_as_it_was_made,
    an_unknown_email_has_no_account,
    an_email_has_one_account_however_it_is_spelled,
    creations_at_once_make_one_account,
}

fn email(text: &str) -> Email {
    text.parse().expect("cases use legal addresses")
}

fn new_email() -> String {
    format!("Buyer.{}@Example.COM", Uuid::new_v4().simple())
}

async fn an_account_reads_as_it_was_made(world: &World) {
    let shop = world.shop().await;
    for name in [None, Some("Жюль Верн 😀".to_owned())] {
        let (address, hash) = (new_email(), "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA".to_owned());
        let user =
            shop.accounts().create(email(&address), hash.clone(), name.clone()).await.expect("a new one");
        let account = shop.accounts().find(&email(&address)).await.expect("accounts are readable");
        let account = account.expect("an account that was made is found");
        assert_eq!((account.user_id, account.email), (user, email(&address)));
        assert_eq!((account.password_hash, account.name), (hash, name));
        assert_eq!(account.created_at, shop.now());
    }
}

async fn an_unknown_email_has_no_account(world: &World) {
    let shop = world.shop().await;
    let found = shop.accounts().find(&email(&new_email())).await.expect("accounts are readable");
    assert!(found.is_none(), "nobody has this address: {found:?}");
}

async fn an_email_has_one_account_however_it_is_spelled(world: &World) {
    let shop = world.shop().await;
    let address = new_email();
    let first = shop.accounts().create(email(&address), "one".to_owned(), None).await.expect("a new account");
    for spelled in [address.to_uppercase(), address.to_lowercase(), format!(" {address} ")] {
        let second = shop.accounts().create(email(&spelled), "two".to_owned(), None).await;
        assert_eq!(refused(second, "a second account of one address"), Refusal::EmailTaken, "{spelled:?}");
        let found = shop.accounts().find(&email(&spelled)).await.expect("accounts are readable");
        let found = found.expect("any spelling finds the account");
        assert_eq!((found.user_id, found.password_hash.as_str()), (first, "one"), "and it is unchanged");
    }
}

async fn creations_at_once_make_one_account(world: &World) {
    let shop = world.shop().await;
    for _ in 0..4 {
        let address = new_email();
        let answers = shop
            .at_once(8, |i, shop| {
                let spelled = if i % 2 == 0 { address.to_uppercase() } else { address.clone() };
                async move { shop.accounts().create(email(&spelled), format!("hash {i}"), None).await }
            })
            .await;
        let found = shop.accounts().find(&email(&address)).await.expect("accounts are readable");
        let found = found.expect("there is one account");
        let mut made = 0;
        for (i, answer) in answers.into_iter().enumerate() {
            match answer {
                Ok(user) => {
                    made += 1;
                    assert_eq!((found.user_id, &found.password_hash), (user, &format!("hash {i}")));
                }
                refusal => assert_eq!(refused(refusal, "the address is taken"), Refusal::EmailTaken),
            }
        }
        assert_eq!(made, 1, "one of them made it");
    }
}
