//! Whether an operation may read and write as its policy says.

use std::sync::Arc;

use crate::layout::draft::{Draft, PolicyDraft};
use crate::layout::findings::Findings;

/// Operations that run in a transaction or must be exact: they read the primary only.
const PRIMARY_ONLY: [&str; 8] = [
    "catalog.stock",
    "catalog.adjust",
    "cart.merge",
    "order.place",
    "order.advance",
    "order.cancel",
    "session.login",
    "session.close",
];

/// Operations whose writes must survive the loss of a primary.
const MAJORITY_ONLY: [&str; 5] =
    ["catalog.adjust", "order.place", "order.advance", "order.cancel", "account.create"];

/// Checks every operation's policy.
pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    for (operation, policy) in &draft.policy {
        reads(operation, policy, findings);
        writes(operation, policy, findings);
        levels(operation, policy, findings);
    }
}

fn reads(operation: &str, policy: &PolicyDraft, findings: &mut Findings) {
    let Some(read) = &policy.read else { return };
    if PRIMARY_ONLY.contains(&operation) && read.value != "primary" {
        findings.error(
            "not-primary",
            &read.at,
            format!("`{operation}` reads `{}`", read.value),
            "it decides by what it reads, and transactions read from the primary only",
            "write `read = \"primary\"`",
        );
        return;
    }
    match (read.value, &policy.max_age) {
        // A bound that was inherited cannot be taken back, so it is no fault of who chose the primary.
        ("primary", Some(max_age)) if Arc::ptr_eq(&read.at.source, &max_age.at.source) => findings.warn(
            "idle-max-age",
            &max_age.at,
            format!("`max_age` of `{operation}`, which reads the primary"),
            "what the primary says is never old",
            "leave `max_age` out, or write `read = \"secondaryPreferred\"`",
        ),
        ("secondary" | "secondaryPreferred" | "nearest", None) => findings.warn(
            "unbounded-age",
            &read.at,
            format!("`{operation}` reads secondaries of any age"),
            "a secondary may be minutes behind, and nobody would know",
            "add `max_age = \"5s\"`",
        ),
        _ => {}
    }
}

fn writes(operation: &str, policy: &PolicyDraft, findings: &mut Findings) {
    let Some(write) = policy.write.as_ref().filter(|write| write.value != "majority") else { return };
    if MAJORITY_ONLY.contains(&operation) {
        findings.error(
            "weak-write",
            &write.at,
            format!("`{operation}` is written at {}, not at majority", write.value),
            "a new primary may not have it: an order would be lost, or an item sold twice",
            "write `write = \"majority\"`",
        );
    }
}

fn levels(operation: &str, policy: &PolicyDraft, findings: &mut Findings) {
    let Some(level) = &policy.consistency else { return };
    let weak = matches!(level.value, "ONE" | "LOCAL_ONE" | "TWO");
    let why = match operation {
        "order.place" => "a replica that missed the last change of the cart would sell the wrong one",
        "session.login" => "a login must hold at once, everywhere",
        "session.close" => "a token that was logged out must be dead at once, everywhere",
        _ => return,
    };
    if weak {
        findings.error(
            "weak-consistency",
            &level.at,
            format!("`{operation}` at {}", level.value),
            why,
            "write `consistency = \"LOCAL_QUORUM\"` or stronger",
        );
    }
}
