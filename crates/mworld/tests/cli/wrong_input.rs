//! Command lines that are wrong: exit code 2, nothing on standard output, and a message with value, limit, next step.

use tempfile::tempdir;

use crate::{ended, mworld};

/// What is typed, and what the message must contain.
const TYPED: &[(&str, &[&str])] = &[
    ("serv", &["unrecognized subcommand 'serv'", "'serve'"]),
    ("--nonsense", &["'--nonsense'", "--help"]),
    ("serve --lisen 1", &["'--lisen'", "'--listen'"]),
    ("serve --listen", &["a value is required for '--listen <ADDR>'"]),
    ("serve --listen 8080", &["--listen", "8080", "host:port"]),
    ("serve --listen localhost", &["localhost", "host:port", "127.0.0.1:8080"]),
    ("serve --listen 127.0.0.1:70000", &["127.0.0.1:70000", "0 to 65535"]),
    ("serve --listen http://127.0.0.1:80", &["http://127.0.0.1:80", "host:port"]),
    ("serve --shards 0", &["--shards", "`shards` cannot be 0", "from 1 to 1024"]),
    ("serve --shards 1025", &["cannot be 1025", "from 1 to 1024"]),
    ("serve --shards -1", &["cannot be -1", "from 1 to 1024"]),
    ("serve --shards four", &["cannot be \"four\"", "whole number"]),
    ("serve --shards 0 --listen x", &["cannot be 0", "cannot be \"x\""]),
    ("serve --demo 0", &["'0'", "1..=10000000"]),
    ("serve --demo 10000001", &["10000001", "1..=10000000"]),
    ("serve --demo many", &["'many'"]),
    ("serve --demo 5 6", &["'6'"]),
    (
        "serve --layout category-sprad",
        &["\"category-sprad\"", "did you mean the shipped layout category-spread?"],
    ),
    ("serve --layout ./nowhere.toml", &["nowhere.toml", "mworld layout list"]),
    ("serve --config nowhere.toml", &["nowhere.toml", "--config"]),
    ("serve --mongodb somewhere", &["--mongodb", "mongodb://"]),
    ("layout", &["list", "explain"]),
    ("layout lst", &["'lst'", "'list'"]),
    ("layout show", &["<LAYOUT>"]),
    ("layout show nowhere", &["\"nowhere\"", "mworld layout list"]),
    ("layout check nowhere.toml", &["nowhere.toml", "mworld layout list"]),
    ("layout explain geo_zoned", &["did you mean the shipped layout geo-zoned?"]),
    ("layout explain category --shards 0", &["cannot be 0", "from 1 to 1024"]),
    ("layout explain category --shards 1e3", &["cannot be \"1e3\"", "from 1 to 1024"]),
    (
        "load plan --scenario black-firday",
        &["\"black-firday\"", "did you mean the shipped scenario black-friday?"],
    ),
    ("load plan --scenario nowhere.toml", &["\"nowhere.toml\"", "shipped are calm-day, black-friday"]),
    ("load plan --seed -1", &["'-1'", "--seed", "a whole number from 0"]),
    ("load plan --count many", &["'many'", "--count", "a whole number from 0"]),
    ("load plan --scenario /dev/zero", &["longer than 1048576 bytes"]),
    ("load --rate 0", &["'0'", "more than 0 and at most 1000000"]),
    ("load --rate inf", &["'inf'", "more than 0"]),
    ("load --duration 90", &["'90'", "from 1s to 24h", "60s"]),
    ("load --duration 0s", &["'0s'", "from 1s to 24h"]),
    ("load --scenario calm-dya", &["did you mean the shipped scenario calm-day?"]),
    ("load --rate 5 plan", &["cannot be used with"]),
    ("import", &["<FILE>"]),
    ("import nowhere.ndjson", &["MWORLD_OPERATOR_TOKEN is not set", "mworld serve"]),
    ("export", &["<FILE>"]),
    ("export x --url ftp://x", &["\"ftp://x\"", "http://host:port"]),
    ("export x --url https://x", &["\"https://x\"", "TLS", "http://host:port"]),
    ("export x --url http://x/api", &["\"http://x/api\"", "has a path"]),
    ("export x --url :", &["\":\"", "http://host:port"]),
    ("export nowhere/x", &["nowhere/x.part", "directory"]),
    ("backup", &["<FILE>"]),
    ("backup x --data nowhere", &["there is no store in nowhere", "--data"]),
    ("restore x", &["--data <DIR>"]),
    ("completions tcsh", &["'tcsh'", "bash", "zsh", "fish"]),
    ("doctor --deep", &["'--deep'"]),
];

#[test]
fn what_is_typed_wrongly_is_refused_with_words() {
    for (typed, fragments) in TYPED {
        let dir = tempdir().unwrap();
        let mut command = mworld(dir.path());
        command.args(typed.split(' '));
        let refused = ended(command);
        assert_eq!(refused.code, Some(2), "{typed}: {refused:?}");
        assert!(refused.stdout.is_empty(), "{typed}: {refused:?}");
        for fragment in *fragments {
            assert!(
                refused.stderr.contains(fragment),
                "{typed}: {fragment:?} is missing in {}",
                refused.stderr
            );
        }
        let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
        assert!(left.is_empty(), "{typed}: something was left behind: {left:?}");
    }
}

#[test]
fn what_stands_wrongly_in_the_environment_is_refused_with_words() {
    for (name, value, fragments) in [
        ("MWORLD_SHARDS", "none", &["MWORLD_SHARDS", "\"none\"", "from 1 to 1024"][..]),
        ("MWORLD_SHARD", "4", &["MWORLD_SHARD", "did you mean `MWORLD_SHARDS`?"]),
        ("MWORLD_LISTN", "x", &["did you mean `MWORLD_LISTEN`?"]),
        ("MWORLD_SHOP_CURRENCY", "roubles", &["\"roubles\"", "three capital letters"]),
        ("MWORLD_SHOP_ZONES", "msk,Питер", &["MWORLD_SHOP_ZONES", "a-z"]),
        ("MWORLD_LIMITS_QUEUE", "-1", &["cannot be -1", "from 0 to 1000000"]),
        ("MWORLD_LOG_LEVEL", "loud", &["\"loud\"", "\"warn\""]),
        ("MWORLD_MONGODB", "somewhere", &["MWORLD_MONGODB", "mongodb://"]),
        ("MWORLD_CASSANDRA", "127.0.0.1", &["is not built yet"]),
        ("MWORLD_OPERATOR_TOKEN", "two words", &["1 to 256 visible ASCII"]),
    ] {
        let dir = tempdir().unwrap();
        let mut command = mworld(dir.path());
        command.args(["serve", "--listen", "127.0.0.1:0"]).env(name, value);
        let refused = ended(command);
        assert_eq!(refused.code, Some(2), "{name}={value}: {refused:?}");
        for fragment in fragments {
            assert!(
                refused.stderr.contains(fragment),
                "{name}={value}: {fragment:?} is missing in {}",
                refused.stderr
            );
        }
    }
}

#[test]
fn what_stands_wrongly_in_the_file_is_underlined() {
    let dir = tempdir().unwrap();
    std::fs::write(
        dir.path().join("mworld.toml"),
        "listen = \"127.0.0.1:0\"\n\n[limits]\nqeue = 5\nin_flight = 0\n",
    )
    .unwrap();
    let mut command = mworld(dir.path());
    command.arg("serve");
    let refused = ended(command);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    for fragment in [
        "mworld.toml:4:1",
        "did you mean `queue`?",
        "^^^^",
        "mworld.toml:5:13",
        "from 1 to 65536",
        "2 errors",
    ] {
        assert!(refused.stderr.contains(fragment), "{fragment:?} is missing in\n{}", refused.stderr);
    }
}

#[test]
fn what_the_machine_refuses_is_a_failure_with_words() {
    let dir = tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    for (typed, fragments) in [
        ("serve --listen 203.0.113.1:9", &["cannot listen on 203.0.113.1:9", "--listen"][..]),
        ("serve --listen no-such-host.invalid:80", &["cannot listen on no-such-host.invalid:80", "--listen"]),
        ("serve --listen 127.0.0.1:0 --data file/below", &["file/below", "writable"]),
        (
            "export x --url http://127.0.0.1:1",
            &["http://127.0.0.1:1 cannot be reached", "mworld serve", "--url"],
        ),
        ("restore nowhere --data new", &["nowhere", "there is no such file"]),
    ] {
        let mut command = mworld(dir.path());
        command.args(typed.split(' '));
        let failed = ended(command);
        assert_eq!(failed.code, Some(1), "{typed}: {failed:?}");
        for fragment in fragments {
            assert!(
                failed.stderr.contains(fragment),
                "{typed}: {fragment:?} is missing in {}",
                failed.stderr
            );
        }
    }
}
