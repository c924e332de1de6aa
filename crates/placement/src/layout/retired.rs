//! Names that people know from the databases or from older versions of them, and what is written here.

/// Why a name is not taken, and what to write instead.
pub(crate) struct Retired {
    pub(crate) code: &'static str,
    pub(crate) why: &'static str,
    pub(crate) help: &'static str,
}

/// What is known about a key that is not ours.
pub(crate) fn retired_key(key: &str) -> Option<Retired> {
    let (code, why, help) = match key {
        "read_repair_chance" | "dclocal_read_repair_chance" => (
            "read-repair-chance",
            "gone since Cassandra 4.0, which answers: Unknown property",
            "write `read_repair = \"blocking\"` or `\"none\"` under `repair`; it happens on reads at QUORUM or \
             stronger, and only among the replicas read",
        ),
        "max_hint_window_in_ms" => (
            "old-hint-name",
            "an old name of Cassandra's",
            "write `max_hint_window = \"3h\"` in the table `[cassandra]`; hints are kept per node, not per table",
        ),
        "hinted_handoff_throttle_in_kb" => (
            "old-hint-name",
            "an old name of Cassandra's",
            "write `hinted_handoff_throttle = \"1024KiB\"` in the table `[cassandra]`; hints are kept per node, not per table",
        ),
        "max_hint_window" | "hinted_handoff_throttle" => (
            "hints-per-node",
            "hints are kept per node, not per table",
            "move it to the table `[cassandra]`; a table only says `hints = true` or `false` under `repair`",
        ),
        "hinted_handoff_enabled" | "hinted_handoff" => (
            "old-name",
            "hints are kept per node",
            "write `hints = true` or `false` under the entity's `repair`",
        ),
        "max_staleness" | "max_staleness_seconds" | "maxStalenessSeconds" | "maxStaleness" => (
            "max-staleness",
            "the driver refuses a bound below 90 seconds, and mongos chooses the member by itself",
            "write `max_age = \"5s\"`: the store enforces it, at any length",
        ),
        "items" | "lines" | "columns" => (
            "frozen-list",
            "`LIST<FROZEN<{…}>>` is no CQL, and one list per cart loses one of two edits made at once",
            "leave it out: lines are rows of their own, by `clustering_key = [\"product_id\"]`",
        ),
        "primary_key" => (
            "old-name",
            "a primary key is said in its two parts here",
            "write `partition_key = [\"user_id\", \"period\"]` and `clustering_key = [\"created_at:desc\", \"order_id\"]`",
        ),
        "gc_grace_seconds" => ("old-name", "durations carry their unit here", "write `gc_grace = \"10d\"`"),
        "default_time_to_live" | "expire_after_seconds" | "expireAfterSeconds" => {
            ("old-name", "durations carry their unit here", "write `ttl = \"24h\"`")
        }
        "key" | "shardKey" => (
            "old-name",
            "the key has another name here",
            "write `shard_key = [\"category\", \"_id:hashed\"]`",
        ),
        "tags" | "tag_ranges" => (
            "old-name",
            "tags are called zones since MongoDB 3.4",
            "write `zones = [{ name, shards, from, to }]`",
        ),
        _ => return None,
    };
    Some(Retired { code, why, help })
}

/// The field that another design calls by this name.
pub(crate) fn other_field_name(field: &str) -> Option<&'static str> {
    Some(match field {
        "id" => "_id",
        "order_date" | "date" | "createdAt" | "placed_at" => "created_at",
        "geozone" | "zone" | "region" | "stock.zone" | "stock.geo_zone" => "geo_zone",
        "customer_id" | "customerId" | "client_id" | "user" => "user_id",
        "category_id" | "categoryId" => "category",
        "session" => "session_id",
        "owner" | "owner_id" => "owner_key",
        "mail" | "e_mail" => "email",
        "month" | "bucket" | "time_bucket" => "period",
        _ => return None,
    })
}
