//! Every setting: its name, what it means, how it is checked, and how its default is shown.

use std::path::PathBuf;
use std::time::Duration;

use mworld_shop::cart::MergePolicy;
use mworld_shop::{CartLimits, Category, Named, Settings, Zone};

use super::given::{Given, Instead};
use super::{Config, LogFormat, LogLevel};
use crate::units;

/// One setting.
pub(super) struct Key {
    /// `shop.currency`; a dot stands between section and name.
    pub(super) path: &'static str,
    pub(super) about: &'static str,
    /// Puts a value in its place, or says what to write instead.
    pub(super) set: fn(&mut Config, &Given) -> Result<(), Instead>,
    /// The value as it would be written in the file.
    pub(super) show: fn(&Config) -> String,
}

/// Names of settings that the file format has, and this version does not: refused with words of their own.
pub(super) const LATER: [&str; 4] = ["cassandra", "log.otlp_endpoint", "balance", "alerts"];

/// The sections.
pub(super) const SECTIONS: [&str; 3] = ["shop", "limits", "log"];

const MERGE_POLICIES: [(&str, MergePolicy); 4] = [
    ("sum", MergePolicy::Sum),
    ("max", MergePolicy::Max),
    ("guest", MergePolicy::Guest),
    ("user", MergePolicy::User),
];
const FORMATS: [(&str, LogFormat); 2] = [("text", LogFormat::Text), ("json", LogFormat::Json)];
const LEVELS: [(&str, LogLevel); 5] = [
    ("error", LogLevel::Error),
    ("warn", LogLevel::Warn),
    ("info", LogLevel::Info),
    ("debug", LogLevel::Debug),
    ("trace", LogLevel::Trace),
];

/// All of them, in the order in which help shows them.
pub(super) static KEYS: [Key; 20] = [
    Key {
        path: "listen",
        about: "where the API listens, host:port; port 0 takes any free one",
        set: |config, given| put(&mut config.listen, address(given)),
        show: |config| quoted(&config.listen),
    },
    Key {
        path: "data",
        about: "the directory of the embedded engine",
        set: |config, given| put(&mut config.data, given.text("the path of a directory").map(PathBuf::from)),
        show: |config| quoted(&config.data.display().to_string()),
    },
    Key {
        path: "layout",
        about: "a shipped layout (see `mworld layout list`) or a layout file",
        set: |config, given| {
            put(&mut config.layout, given.text("the name of a shipped layout or the path of a layout file"))
        },
        show: |config| quoted(&config.layout),
    },
    Key {
        path: "shards",
        about: "how many shards a new store has",
        set: |config, given| put(&mut config.shards, given.whole(1..=1024)),
        show: |config| config.shards.to_string(),
    },
    Key {
        path: "mongodb",
        about: "the router of a MongoDB cluster, mongodb://host:port/database; without one the store is embedded",
        set: |config, given| put(&mut config.mongodb, cluster(given).map(Some)),
        show: |_| "none".to_owned(),
    },
    Key {
        path: "operator_token_file",
        about: "a file whose text is the operator token; without one a token is made at every start",
        set: |config, given| {
            put(
                &mut config.operator_token_file,
                given.text("the path of a file").map(|path| Some(path.into())),
            )
        },
        show: |_| "none".to_owned(),
    },
    Key {
        path: "shop.currency",
        about: "the one currency of every price, an ISO 4217 code",
        set: |config, given| {
            let code = given.text("three capital letters, such as \"RUB\"")?;
            config.shop.currency =
                code.parse().map_err(|_| "write three capital letters, such as \"RUB\"")?;
            Ok(())
        },
        show: |config| quoted(config.shop.currency.as_str()),
    },
    Key {
        path: "shop.zones",
        about: "regions with a stock of their own, ids or { id, name }; the first is a new session's",
        set: |config, given| {
            let default = Settings::default().zones;
            let name_of = |id: &str| name_of(&default, Zone::as_str, id);
            put(&mut config.shop.zones, given.names(|id| Zone::new(id).ok(), name_of))
        },
        show: |config| ids(&config.shop.zones, Zone::as_str),
    },
    Key {
        path: "shop.categories",
        about: "parts of the catalogue, ids or { id, name }",
        set: |config, given| {
            let default = Settings::default().categories;
            let name_of = |id: &str| name_of(&default, Category::as_str, id);
            put(&mut config.shop.categories, given.names(|id| Category::new(id).ok(), name_of))
        },
        show: |config| ids(&config.shop.categories, Category::as_str),
    },
    Key {
        path: "shop.merge_policy",
        about: "what becomes of quantities when a guest's cart meets a user's: sum, max, guest or user",
        set: |config, given| put(&mut config.shop.merge_policy, given.one_of(&MERGE_POLICIES)),
        show: |config| word(&MERGE_POLICIES, &config.shop.merge_policy),
    },
    Key {
        path: "shop.order_hold",
        about: "how long an unpaid order holds its stock; 0s = for ever",
        set: |config, given| {
            put(&mut config.shop.order_hold, given.duration(Duration::from_secs(365 * 86_400)))
        },
        show: |config| quoted(&units::show_duration(config.shop.order_hold)),
    },
    Key {
        path: "shop.cart_max_lines",
        about: "lines of a cart",
        // The total of the largest cart must fit into an amount: 100 lines of 999 pieces at the highest price do.
        set: |config, given| {
            put(&mut config.shop.cart.max_lines, given.whole(1..=CART_MOST.max_lines as i64))
        },
        show: |config| config.shop.cart.max_lines.to_string(),
    },
    Key {
        path: "shop.cart_max_quantity",
        about: "pieces of one product in a cart",
        set: |config, given| {
            put(&mut config.shop.cart.max_quantity, given.whole(1..=i64::from(CART_MOST.max_quantity)))
        },
        show: |config| config.shop.cart.max_quantity.to_string(),
    },
    Key {
        path: "limits.body_bytes",
        about: "the largest request body",
        set: |config, given| put(&mut config.limits.body_bytes, given.size(1 << 10..=64 << 20)),
        show: |config| quoted(&units::show_size(config.limits.body_bytes as u64)),
    },
    Key {
        path: "limits.in_flight",
        about: "requests worked on at once",
        set: |config, given| put(&mut config.limits.in_flight, given.whole(1..=65_536)),
        show: |config| config.limits.in_flight.to_string(),
    },
    Key {
        path: "limits.queue",
        about: "requests that may wait for a place; one more is answered 503",
        set: |config, given| put(&mut config.limits.queue, given.whole(0..=1_000_000)),
        show: |config| config.limits.queue.to_string(),
    },
    Key {
        path: "limits.per_token_per_second",
        about: "requests a second with one token; 0 = any number",
        set: |config, given| put(&mut config.limits.per_token_per_second, given.whole(0..=1_000_000)),
        show: |config| config.limits.per_token_per_second.to_string(),
    },
    Key {
        path: "limits.login_failures_per_minute",
        about: "failed logins a minute for one e-mail; 0 = any number",
        set: |config, given| put(&mut config.limits.login_failures_per_minute, given.whole(0..=10_000)),
        show: |config| config.limits.login_failures_per_minute.to_string(),
    },
    Key {
        path: "log.format",
        about: "text for people, json for programs; to standard error",
        set: |config, given| put(&mut config.log.format, given.one_of(&FORMATS)),
        show: |config| word(&FORMATS, &config.log.format),
    },
    Key {
        path: "log.level",
        about: "error, warn, info, debug or trace",
        set: |config, given| put(&mut config.log.level, given.one_of(&LEVELS)),
        show: |config| word(&LEVELS, &config.log.level),
    },
];

/// The limits of a cart that a store may narrow and not widen.
const CART_MOST: CartLimits = CartLimits { max_lines: 100, max_quantity: 999 };

/// The setting of that name.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// `host:port`; whether the host exists is seen when it is bound.
fn address(given: &Given) -> Result<String, Instead> {
    const FORM: &str = "host:port with a port from 0 to 65535, such as \"127.0.0.1:8080\"";
    let text = given.text(FORM)?;
    let legal = text.rsplit_once(':').is_some_and(|(host, port)| {
        let bare_v6 = host.contains(':') && !(host.starts_with('[') && host.ends_with(']'));
        !host.is_empty() && !bare_v6 && !host.contains(['/', ' ']) && port.parse::<u16>().is_ok()
    });
    if legal { Ok(text) } else { Err(format!("write {FORM}")) }
}

/// The address of a cluster; whether one answers there is seen when the store is opened.
fn cluster(given: &Given) -> Result<String, Instead> {
    const FORM: &str = "the address of a router, such as \"mongodb://127.0.0.1:27017/mworld\"";
    let text = given.text(FORM)?;
    let legal = text.starts_with("mongodb://") || text.starts_with("mongodb+srv://");
    if legal { Ok(text) } else { Err(format!("write {FORM}")) }
}

/// Puts a value in its place, if there is one.
fn put<T>(place: &mut T, value: Result<T, Instead>) -> Result<(), Instead> {
    *place = value?;
    Ok(())
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn word<T: PartialEq>(words: &[(&str, T)], value: &T) -> String {
    let found = words.iter().find(|(_, candidate)| candidate == value);
    quoted(found.map_or("", |(word, _)| word))
}

fn ids<T>(named: &[Named<T>], as_str: fn(&T) -> &str) -> String {
    let list: Vec<String> = named.iter().map(|item| quoted(as_str(&item.id))).collect();
    format!("[{}]", list.join(", "))
}

/// What people call a default zone or category.
fn name_of<T>(default: &[Named<T>], as_str: fn(&T) -> &str, id: &str) -> Option<String> {
    default.iter().find(|named| as_str(&named.id) == id).map(|named| named.name.clone())
}
