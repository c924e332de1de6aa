use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mworld_placement::diagnostic::Colour;
use mworld_placement::layout::Source;
use mworld_shop::cart::MergePolicy;

use super::fault::draw;
use super::layers::layered;
use super::*;

fn put_together(file: &str, variables: &[(&str, &str)], flags: &Flags) -> Result<Config, String> {
    let source = Arc::new(Source::new("mworld.toml", file));
    let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let layered = layered(Some(&source), variables, flags);
    layered.map(|(config, _)| config).map_err(|faults| draw(&faults, Colour::Plain))
}

#[test]
fn the_later_layer_wins() {
    let file = "listen = \"0.0.0.0:1\"\ndata = \"from-file\"\nshards = 2\nlayout = \"category\"\n";
    let variables = [("MWORLD_LISTEN", "0.0.0.0:2"), ("MWORLD_DATA", "from-env"), ("MWORLD_SHARDS", "3")];
    let flags = Flags { listen: Some("0.0.0.0:3".to_owned()), ..Flags::default() };
    let config = put_together(file, &variables, &flags).unwrap();
    assert_eq!(config.listen, "0.0.0.0:3");
    assert_eq!(config.data, Path::new("from-env"));
    assert_eq!(config.shards, 3);
    assert_eq!(config.layout, "category");
    assert_eq!(config.limits, Config::default().limits);
}

#[test]
fn every_key_is_read_from_a_file_and_from_the_environment() {
    let file = r#"
operator_token_file = "token"
[shop]
currency = "EUR"
zones = ["msk", { id = "kzn", name = "Казань" }]
categories = ["audio"]
merge_policy = "max"
order_hold = "2h"
cart_max_lines = 10
cart_max_quantity = 5
[limits]
body_bytes = "1MiB"
in_flight = 3
queue = 0
per_token_per_second = 7
login_failures_per_minute = 1
[log]
format = "json"
level = "debug"
"#;
    let from_file = put_together(file, &[], &Flags::default()).unwrap();
    assert_eq!(from_file.shop.currency.as_str(), "EUR");
    let zones: Vec<_> =
        from_file.shop.zones.iter().map(|zone| (zone.id.as_str(), zone.name.as_str())).collect();
    assert_eq!(zones, [("msk", "Москва"), ("kzn", "Казань")]);
    assert_eq!(from_file.shop.merge_policy, MergePolicy::Max);
    assert_eq!(from_file.shop.order_hold, Duration::from_secs(7_200));
    assert_eq!(from_file.limits.body_bytes, 1 << 20);
    let variables = [
        ("MWORLD_OPERATOR_TOKEN_FILE", "token"),
        ("MWORLD_SHOP_CURRENCY", "EUR"),
        ("MWORLD_SHOP_ZONES", "[\"msk\", { id = \"kzn\", name = \"Казань\" }]"),
        ("MWORLD_SHOP_CATEGORIES", "audio"),
        ("MWORLD_SHOP_MERGE_POLICY", "max"),
        ("MWORLD_SHOP_ORDER_HOLD", "120m"),
        ("MWORLD_SHOP_CART_MAX_LINES", "10"),
        ("MWORLD_SHOP_CART_MAX_QUANTITY", "5"),
        ("MWORLD_LIMITS_BODY_BYTES", "1048576"),
        ("MWORLD_LIMITS_IN_FLIGHT", "3"),
        ("MWORLD_LIMITS_QUEUE", "0"),
        ("MWORLD_LIMITS_PER_TOKEN_PER_SECOND", "7"),
        ("MWORLD_LIMITS_LOGIN_FAILURES_PER_MINUTE", "1"),
        ("MWORLD_LOG_FORMAT", "json"),
        ("MWORLD_LOG_LEVEL", "debug"),
    ];
    assert_eq!(put_together("", &variables, &Flags::default()).unwrap(), from_file);
}

#[test]
fn the_help_is_a_file_that_says_what_holds_anyway() {
    let help = help();
    let file: String =
        help.lines().skip_while(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    assert_eq!(put_together(&file, &[], &Flags::default()).unwrap(), Config::default());
    assert!(file.contains("operator_token_file") && file.contains("[limits]"));
}

#[test]
fn all_faults_of_a_file_are_underlined_in_one_run() {
    let file = "lisen = \"x\"\nshards = 0\n\n[shop]\ncurrency = \"rubles\"\nmerge-policy = \"sum\"\nzones = []\n\n[log]\nlevel = 3\n";
    let drawn = put_together(file, &[], &Flags::default()).unwrap_err();
    for fragment in [
        "there is no setting `lisen`",
        "mworld.toml:1:1",
        "did you mean `listen`?",
        "`shards` cannot be 0",
        "mworld.toml:2:10",
        "write a whole number from 1 to 1024",
        "`shop.currency` cannot be \"rubles\"",
        "did you mean `merge_policy`?",
        "mworld.toml:6:1",
        "`shop.zones` cannot be this list of 0",
        "`log.level` cannot be 3",
        "6 errors",
    ] {
        assert!(drawn.contains(fragment), "{fragment:?} is missing in\n{drawn}");
    }
}

#[test]
fn wrong_values_are_refused_with_the_form_that_works() {
    let cases = [
        ("listen = \"8080\"", "write host:port"),
        ("listen = \"::1:80\"", "write host:port"),
        ("listen = \"127.0.0.1:65536\"", "port from 0 to 65535"),
        ("data = \"\"", "write the path of a directory"),
        ("shards = 4.5", "`shards` cannot be 4.5"),
        ("shards = 99999999999999999999", "`shards` cannot be 99999999999999999999"),
        ("shop = 3", "write a table, [shop]"),
        ("[shop]\nzones = [\"msk\", \"msk\"]", "different ids"),
        ("[shop]\nzones = [\"Москва\"]", "1 to 32 of a-z"),
        ("[shop]\nzones = [{ id = \"a\", title = \"b\" }]", "{ id = \"spb\""),
        ("[shop]\norder_hold = 30", "write a duration such as \"90s\""),
        ("[shop]\norder_hold = \"400d\"", "at most 365d"),
        ("[shop]\ncart_max_lines = 101", "from 1 to 100"),
        ("[shop]\nmerge_policy = \"Sum\"", "one of \"sum\", \"max\""),
        ("[limits]\nbody_bytes = \"64KB\"", "write a size such as \"64KiB\", from 1KiB to 64MiB"),
        ("[log]\nformat = \"xml\"", "one of \"text\", \"json\""),
        ("mongodb = \"db:27017\"", "write the address of a router"),
        ("mongodb = \"shop:s3cret@db\"", "a text with a user or a password in it"),
        ("cassandra = \"db\"", "`cassandra` is not built yet"),
        ("[balance]\nwindow = 1", "`balance` is not built yet"),
        ("[log]\notlp_endpoint = \"x\"", "`log.otlp_endpoint` is not built yet"),
        ("replicas = 3", "known here: listen, data"),
        ("shards = ", "this is no TOML"),
        ("shards = 1\nshards = 2", "this is no TOML"),
    ];
    for (file, fragment) in cases {
        let drawn = put_together(file, &[], &Flags::default()).expect_err(file);
        assert!(drawn.contains(fragment), "{file}: {fragment:?} is missing in\n{drawn}");
    }
}

#[test]
fn a_mistyped_variable_is_refused_and_a_foreign_one_is_passed_over() {
    let refused = |name: &str| put_together("", &[(name, "1")], &Flags::default());
    assert!(refused("MWORLD_SHARD").unwrap_err().contains("did you mean `MWORLD_SHARDS`?"));
    assert!(
        refused("MWORLD_LIMITS_NONSENSE")
            .unwrap_err()
            .contains("there is no setting `MWORLD_LIMITS_NONSENSE`")
    );
    assert!(refused("MWORLD_CASSANDRA").unwrap_err().contains("is not built yet"));
    assert!(refused("MWORLD_FAR_FROM_EVERYTHING").is_ok());
    assert!(refused("MWORLD_OPERATOR_TOKEN").is_ok());
    assert!(refused("HOME").is_ok());
}
