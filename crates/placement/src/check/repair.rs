//! Whether hints, read repair and anti-entropy together keep a table's replicas in agreement.

use crate::entity::Entity;
use crate::layout::draft::{CassandraDraft, Draft};
use crate::layout::findings::Findings;
use crate::layout::units::write_duration;

/// Checks the repair strategy of one table.
pub(super) fn check(entity: Entity, on: &CassandraDraft, draft: &Draft, findings: &mut Findings) {
    hints_need_grace(entity, on, findings);
    match on.anti_entropy() {
        Some(_) => often_enough(on, findings),
        None => grace_outlasts_rows(entity, on, draft, findings),
    }
    read_repair_happens(entity, on, draft, findings);
}

fn hints_need_grace(entity: Entity, on: &CassandraDraft, findings: &mut Findings) {
    if let Some(gc_grace) = on.gc_grace.as_ref().filter(|said| said.value.is_zero() && on.hints()) {
        findings.error(
            "gc-grace-disables-hints",
            &gc_grace.at,
            format!("hints for {entity}, and `gc_grace` is 0s"),
            "Cassandra then keeps no hints for the table, without a word",
            "write `gc_grace = \"10d\"`, or `hints = false` under `repair`",
        );
    }
}

/// A deletion must reach every replica before it is forgotten, else what it deleted comes back.
fn often_enough(on: &CassandraDraft, findings: &mut Findings) {
    let (Some(schedule), grace) = (on.anti_entropy(), on.gc_grace()) else { return };
    if schedule.every < grace {
        return;
    }
    let at = on.anti_entropy.as_ref().map(|said| &said.at).or(on.gc_grace.as_ref().map(|said| &said.at));
    let (every, grace) = (write_duration(schedule.every), write_duration(grace));
    findings.error(
        "anti-entropy-too-rare",
        at.unwrap_or(&on.at),
        format!("anti-entropy every {every}, and deletions are forgotten after {grace}"),
        "a replica that missed a deletion brings the row back",
        "repair more often than `gc_grace`, such as every 7d with 10d",
    );
}

fn grace_outlasts_rows(entity: Entity, on: &CassandraDraft, draft: &Draft, findings: &mut Findings) {
    let ttl = on.ttl.said().map(|said| said.value).unwrap_or_default();
    let at = on.gc_grace.as_ref().map(|said| &said.at).or(on.anti_entropy.as_ref().map(|said| &said.at));
    let at = at.unwrap_or(&on.at);
    let grace = write_duration(on.gc_grace());
    if ttl.guest.is_zero() || ttl.user.is_zero() {
        findings.warn(
            "gc-grace-too-short",
            at,
            format!("neither anti-entropy nor a TTL for {entity}"),
            format!("a replica that misses a deletion for {grace} brings the row back"),
            "write `anti_entropy = { every = \"7d\", mode = \"full\" }`, or give the table a `ttl`",
        );
        return;
    }
    let longest = ttl.guest.max(ttl.user);
    let window = draft.ring.max_hint_window;
    if on.gc_grace() < longest + window {
        findings.warn(
            "gc-grace-too-short",
            at,
            format!("without anti-entropy, `gc_grace` {grace} is shorter than TTL and hint window"),
            format!("rows live {} and hints are kept {}", write_duration(longest), write_duration(window)),
            format!(
                "write `gc_grace = \"{}\"` or more, or add `anti_entropy`",
                write_duration(longest + window)
            ),
        );
    }
}

/// The operation that reads a table most, whose level decides whether its reads repair.
const fn reading_operation(entity: Entity) -> &'static str {
    match entity {
        Entity::Carts => "cart.get",
        Entity::History => "order.history",
        Entity::OrderById => "order.status",
        Entity::ProductCards | Entity::Products | Entity::Stock => "catalog.product",
        Entity::Sessions | Entity::Accounts => "session.touch",
        Entity::Orders => "order.status",
    }
}

fn read_repair_happens(entity: Entity, on: &CassandraDraft, draft: &Draft, findings: &mut Findings) {
    let operation = reading_operation(entity);
    let level = draft.policy.get(operation).and_then(|policy| policy.consistency.as_ref());
    let Some(level) = level.filter(|level| matches!(level.value, "ONE" | "LOCAL_ONE")) else { return };
    // Blocking is the default, so only who asked for it is disappointed.
    if let Some(read_repair) = on.read_repair.as_ref().filter(|said| said.value) {
        findings.warn(
            "read-repair-void",
            &read_repair.at,
            format!("read repair of {entity}, which `{operation}` reads at {}", level.value),
            "a read of one replica has nothing to compare, so it repairs nothing",
            format!(
                "read at QUORUM or LOCAL_QUORUM: `\"{operation}\" = {{ consistency = \"LOCAL_QUORUM\" }}`"
            ),
        );
    }
    if !on.hints() && on.anti_entropy().is_none() {
        let at = on.hints.as_ref().map_or(&on.at, |said| &said.at);
        findings.warn(
            "nothing-repairs",
            at,
            format!("nothing brings the replicas of {entity} together again"),
            "no hints, no anti-entropy, and no read that compares them",
            "turn on one of the three under `repair`",
        );
    }
}
