//! What is wrong, said with the value, the limit and the next step; and nothing left behind.

use crate::Play;

/// What is typed, and what the message must contain.
const TYPED: &[(&str, &[&str])] = &[
    ("", &["Usage"]),
    ("up --mongodb 0x1", &["\"0x1\"", "1 to 8 shards of 1 to 5 members", "2x1"]),
    ("up --mongodb 2x", &["\"2x\"", "SHARDSxMEMBERS"]),
    ("up --mongodb 99x9", &["\"99x9\"", "1 to 8 shards of 1 to 5 members"]),
    ("up --mongodb mongodb://x", &["\"mongodb://x\"", "SHARDSxMEMBERS"]),
    ("up --dir taken", &["taken", "not empty", "(precious is there)", "--dir"]),
    ("up --dir taken/precious", &["precious", "no directory", "--dir"]),
    ("status", &["no playground in play", "mworld playground --dir play up"]),
    ("status --dir taken", &["no playground in taken"]),
    ("kill s1-1", &["no playground in play"]),
    ("pause s1-1 --dir taken", &["no playground in taken"]),
    ("revive", &["<MEMBER>"]),
    ("add mongodb", &["'add'"]),
];

#[test]
fn what_is_typed_wrongly_is_refused_with_words() {
    let play = Play::new();
    let taken = play.folder.path().join("taken");
    std::fs::create_dir(&taken).unwrap();
    std::fs::write(taken.join("precious"), "data").unwrap();
    for (typed, fragments) in TYPED {
        let refused = play.run(typed);
        assert_eq!(refused.code, Some(2), "{typed}: {refused:?}");
        assert!(refused.stdout.is_empty(), "{typed}: {refused:?}");
        for fragment in *fragments {
            assert!(
                refused.stderr.contains(fragment),
                "{typed}: {fragment:?} is missing in {}",
                refused.stderr
            );
        }
    }
    play.done("down --dir taken");
    let left: Vec<_> = std::fs::read_dir(&taken).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["precious"]);
    assert!(!play.dir().exists());
}

#[test]
fn where_mongodb_cannot_be_had_it_is_said_what_was_tried_and_what_to_do() {
    let play = Play::new();
    let engines = play.folder.path().join("engines");
    let mut without_npm = play.command("up");
    without_npm.env("PATH", "").env_remove("MONGODB_HOME").env("MWORLD_ENGINES", &engines);
    let failed = without_npm.output().unwrap();
    assert_eq!(failed.status.code(), Some(1));
    let said = String::from_utf8(failed.stderr).unwrap();
    for fragment in
        ["MONGODB_HOME", "PATH", engines.to_str().unwrap(), "npm", "install MongoDB", "--mongodb URI"]
    {
        assert!(said.contains(fragment), "{fragment:?} is missing in {said}");
    }

    let elsewhere = play.command("up").env("MONGODB_HOME", play.folder.path()).output().unwrap();
    assert_eq!(elsewhere.status.code(), Some(2));
    assert!(String::from_utf8(elsewhere.stderr).unwrap().contains("MONGODB_HOME is \""));
    assert!(!play.dir().exists());
}
