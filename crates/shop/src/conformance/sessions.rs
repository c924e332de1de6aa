//! The promises of [`crate::ports::Sessions`].

use std::time::Duration;

use uuid::Uuid;

use super::World;
use super::fixture::{Shop, refused};
use crate::error::Refusal;
use crate::ids::{SessionId, UserId};
use crate::session::{NewSession, Session, SessionStatus, TokenDigest};

chapter! { $ conformance_sessions in sessions:
    a_session_is_found_by_its_own_token_only,
    a_touch_slides_the_expiry,
    a_session_ends_when_its_time_is_over,
    expire_deletes_what_is_over_and_nothing_else,
    a_login_swaps_the_token_at_once,
    logins_at_once_have_one_winner,
    a_closed_session_is_over_for_good,
}

fn digest() -> TokenDigest {
    let (a, b) = (Uuid::new_v4(), Uuid::new_v4());
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(a.as_bytes());
    bytes[16..].copy_from_slice(b.as_bytes());
    TokenDigest(bytes)
}

async fn open(shop: &Shop) -> (Session, TokenDigest) {
    let digest = digest();
    let new = NewSession {
        id: SessionId::generate(),
        digest,
        zone: shop.zone(1),
        ip: Some("2001:db8::1".to_owned()),
        user_agent: Some("Браузер/1.0".to_owned()),
    };
    (shop.sessions().open(new).await.expect("a session is opened"), digest)
}

async fn find(shop: &Shop, id: SessionId, digest: &TokenDigest) -> Option<Session> {
    shop.sessions().find(id, digest).await.expect("sessions are readable")
}

async fn a_session_is_found_by_its_own_token_only(world: &World) {
    let shop = world.shop().await;
    let (session, token) = open(&shop).await;
    assert_eq!((session.user, &session.zone, session.status), (None, &shop.zone(1), SessionStatus::Active));
    assert_eq!((session.created_at, session.last_active), (shop.now(), shop.now()));
    assert_eq!(session.ip.as_deref(), Some("2001:db8::1"));
    assert_eq!(session.user_agent.as_deref(), Some("Браузер/1.0"));
    assert_eq!(find(&shop, session.id, &token).await, Some(session.clone()), "what open answers is stored");
    assert_eq!(find(&shop, session.id, &digest()).await, None, "a wrong token finds nothing");
    let (_, other) = open(&shop).await;
    assert_eq!(find(&shop, session.id, &other).await, None, "nor does another session's");
    assert_eq!(find(&shop, SessionId::generate(), &token).await, None, "nor the token with another id");
}

async fn a_touch_slides_the_expiry(world: &World) {
    let shop = world.shop().await;
    let (session, token) = open(&shop).await;
    shop.clock.advance(Duration::from_secs(120));
    shop.sessions().touch(session.id).await.expect("a touch");
    let touched = find(&shop, session.id, &token).await.expect("it is open");
    assert_eq!(touched.last_active, shop.now(), "the use is written down");
    let slid = session.expires_at.map(|end| end.plus(Duration::from_secs(120)));
    assert_eq!(touched.expires_at, slid, "the expiry moves along");
    if let Some(end) = session.expires_at {
        shop.pass(end);
        assert!(
            find(&shop, session.id, &token).await.is_some(),
            "a session in use outlives its first expiry"
        );
    }
}

async fn a_session_ends_when_its_time_is_over(world: &World) {
    let shop = world.shop().await;
    let (session, token) = open(&shop).await;
    let Some(end) = session.expires_at else {
        shop.clock.advance(Duration::from_secs(3650 * 86_400));
        assert!(find(&shop, session.id, &token).await.is_some(), "a session without an end lasts");
        return;
    };
    shop.clock.advance(Duration::from_micros((end.micros() - shop.now().micros() - 1).unsigned_abs()));
    assert!(find(&shop, session.id, &token).await.is_some(), "a moment before its end it is there");
    shop.pass(end);
    assert_eq!(find(&shop, session.id, &token).await, None, "a moment after it is not");
    // Whether this touch is refused or does nothing: it must not revive the session.
    let _ = shop.sessions().touch(session.id).await;
    assert_eq!(find(&shop, session.id, &token).await, None, "a touch does not revive it");
    let login = shop.sessions().login(session.id, &token, digest(), UserId::generate()).await;
    assert_eq!(refused(login, "a login to a session whose time is over"), Refusal::SessionOver);
}

async fn expire_deletes_what_is_over_and_nothing_else(world: &World) {
    let shop = world.shop().await;
    let (old, _) = open(&shop).await;
    let Some(end) = old.expires_at else { return };
    shop.pass(end);
    let (young, token) = open(&shop).await;
    let mut deleted = 0;
    loop {
        let count = shop.sessions().expire(10).await.expect("the sweep runs");
        assert!(count <= 10, "no more than asked");
        deleted += count;
        if count == 0 {
            break;
        }
    }
    assert!(deleted >= 1, "the old session is deleted");
    assert_eq!(find(&shop, young.id, &token).await, Some(young), "the young one is there");
}

async fn a_login_swaps_the_token_at_once(world: &World) {
    let shop = world.shop().await;
    let (session, old) = open(&shop).await;
    let (user, new) = (UserId::generate(), digest());
    let logged_in = shop.sessions().login(session.id, &old, new, user).await.expect("a login");
    assert_eq!((logged_in.id, logged_in.user), (session.id, Some(user)));
    assert_eq!(find(&shop, session.id, &new).await, Some(logged_in), "the new token finds it");
    assert_eq!(find(&shop, session.id, &old).await, None, "the old token is dead");
    let again = shop.sessions().login(session.id, &old, digest(), UserId::generate()).await;
    assert_eq!(refused(again, "a login with a dead token"), Refusal::SessionOver);
    let still = find(&shop, session.id, &new).await.expect("nothing changed");
    assert_eq!(still.user, Some(user));
    let nobody = shop.sessions().login(SessionId::generate(), &new, digest(), user).await;
    assert_eq!(refused(nobody, "a login to no session"), Refusal::SessionOver);
}

async fn logins_at_once_have_one_winner(world: &World) {
    let shop = world.shop().await;
    let (session, old) = open(&shop).await;
    let logins: Vec<(UserId, TokenDigest)> = (0..8).map(|_| (UserId::generate(), digest())).collect();
    let answers = shop
        .at_once(8, |i, shop| {
            let (user, new) = logins[i];
            async move { shop.sessions().login(session.id, &old, new, user).await }
        })
        .await;
    let mut winners = 0;
    for (answer, (user, token)) in answers.into_iter().zip(&logins) {
        let found = find(&shop, session.id, token).await;
        if answer.is_ok() {
            winners += 1;
            assert_eq!(
                found.and_then(|session| session.user),
                Some(*user),
                "the winner's token is the valid one"
            );
        } else {
            assert_eq!(refused(answer, "the old token was swapped"), Refusal::SessionOver);
            assert_eq!(found, None, "a loser's token never works");
        }
    }
    assert_eq!(winners, 1, "a token is swapped once");
}

async fn a_closed_session_is_over_for_good(world: &World) {
    let shop = world.shop().await;
    let (session, token) = open(&shop).await;
    for _ in 0..2 {
        shop.sessions().close(session.id).await.expect("a close, and a repeat of it");
        assert_eq!(find(&shop, session.id, &token).await, None, "its token is dead");
    }
    let _ = shop.sessions().touch(session.id).await;
    assert_eq!(find(&shop, session.id, &token).await, None, "a touch does not revive it");
    let login = shop.sessions().login(session.id, &token, digest(), UserId::generate()).await;
    assert_eq!(refused(login, "a login to a closed session"), Refusal::SessionOver);
}
