//! A playground that demands a password and TLS, and keeps its data from one `up` to the next.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use mworld_mongo::admin::{Access, AdminError, Direct, Document, doc};

use crate::Play;

#[test]
fn the_password_and_the_data_are_the_same_after_a_rest() {
    let play = Play::new();
    play.done("up --mongodb 1x1 --auth --tls");
    let access = access(&play);
    on_router(&play, &access, doc! { "insert": "kept", "documents": [{ "_id": 1 }] }).unwrap();

    assert!(play.done("down --keep").contains("data are kept"));
    assert_eq!(play.member("mongos-1")["state"], "down");
    play.done("up");
    assert_eq!(self::access(&play).user, access.user);
    let counted = on_router(&play, &access, doc! { "count": "kept" }).unwrap();
    assert_eq!(counted.get_i32("n").unwrap(), 1);

    let wrong = Access { user: Some(("mworld".to_owned(), "guessed".to_owned())), ..access };
    assert_eq!(on_router(&play, &wrong, doc! { "count": "kept" }).unwrap_err().code, Some(18));
    play.done("down");
    play.assert_gone();
}

/// What `status` tells whoever wants to get in.
fn access(play: &Play) -> Access {
    let mongodb = play.status()["mongodb"].clone();
    let file = |name: &str| PathBuf::from(mongodb[name].as_str().unwrap());
    let password_file = file("password_file");
    assert_eq!(password_file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let password = std::fs::read_to_string(&password_file).unwrap().trim().to_owned();
    let uri = mongodb["uri"].as_str().unwrap();
    assert!(uri.starts_with("mongodb://mworld@127.0.0.1:") && !uri.contains(&password), "{uri}");
    Access { ca_file: Some(file("ca_file")), user: Some(("mworld".to_owned(), password)) }
}

fn on_router(play: &Play, access: &Access, command: Document) -> Result<Document, AdminError> {
    let address = play.member("mongos-1")["address"].as_str().unwrap().to_owned();
    let port = address.strip_prefix("127.0.0.1:").unwrap().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let direct = Direct::new("127.0.0.1", port, access, Duration::from_secs(30)).unwrap();
        direct.run("guarded", command).await
    })
}
