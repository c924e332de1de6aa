//! Which entity may live on which engine, and which tables belong together.

use crate::entity::Entity;
use crate::layout::draft::{Draft, EntityDraft};
use crate::layout::findings::Findings;
use crate::layout::model::{Engine, Form};
use crate::layout::source::Part;

/// Checks engines, sub-tables and the form of products.
pub(super) fn check(draft: &Draft, form: Form, findings: &mut Findings) {
    for (entity, placed) in &draft.entities {
        if not_refused_on_cassandra(*entity, placed, findings) {
            need_sub_table(*entity, placed, findings);
        }
    }
    let stock = draft.entities.get(&Entity::Stock);
    if matches!(draft.form, Part::Unreadable) {
        return;
    }
    match (form, stock) {
        (Form::Apart, None) => {
            if let Some(said) = draft.form.said() {
                findings.missing(
                    "apart-without-stock",
                    &said.at,
                    "stock lies apart, and there is no table [stock]",
                    "nothing says where the stock lies",
                    "add `[stock.mongodb]` with `shard_key = [\"product_id:hashed\"]`",
                );
            }
        }
        (Form::Whole | Form::PerZone, Some(stock)) => findings.error(
            "stock-without-apart",
            &stock.at,
            "a table [stock], although stock lies inside the products",
            "in this form of products it has no records of its own",
            "write `form = \"apart\"` under [products], or remove [stock]",
        ),
        (Form::Apart, Some(_)) | (Form::Whole | Form::PerZone, None) => {}
    }
}

/// Orders, stock and the searchable catalogue need what Cassandra does not give.
fn not_refused_on_cassandra(entity: Entity, placed: &EntityDraft, findings: &mut Findings) -> bool {
    let (why, help) = match entity {
        Entity::Orders => (
            "a checkout writes order and stock all or nothing, which takes transactions",
            "keep orders on \"mongodb\"; their history and the look-up by id may live on Cassandra: [history], [order_by_id]",
        ),
        Entity::Products => (
            "stock must be exact and search filters freely, and Cassandra gives neither",
            "keep products on \"mongodb\"; product pages may live on Cassandra: [product_cards]",
        ),
        Entity::Stock => (
            "stock must be exact under any concurrency, which takes transactions",
            "keep stock on \"mongodb\"",
        ),
        Entity::Accounts => ("an e-mail must be unique at once, everywhere", "keep accounts on \"mongodb\""),
        _ => return true,
    };
    let named = placed.engine.said().filter(|engine| engine.value == Engine::Cassandra);
    let at = match (named, &placed.cassandra) {
        (Some(engine), _) => &engine.at,
        (None, Some(table)) => &table.at,
        (None, None) => return true,
    };
    findings.error("not-on-cassandra", at, format!("{entity} on Cassandra"), why, help);
    false
}

fn need_sub_table(entity: Entity, placed: &EntityDraft, findings: &mut Findings) {
    if matches!(placed.engine, Part::Unreadable) {
        return;
    }
    let Some(engine) = placed.engine_in_force() else {
        findings.missing(
            "missing-engine",
            &placed.at,
            format!("[{entity}] does not say on which engine it lives"),
            "several are possible",
            "write `engine = \"mongodb\"` or `engine = \"cassandra\"`",
        );
        return;
    };
    let (table, name) = match engine {
        Engine::MongoDb => (placed.mongodb.is_some(), "mongodb"),
        Engine::Cassandra => (placed.cassandra.is_some(), "cassandra"),
    };
    // A read model on MongoDB without a table of its own is answered from what it is a model of.
    let is_read_model = matches!(entity, Entity::History | Entity::OrderById | Entity::ProductCards);
    if table || (is_read_model && engine == Engine::MongoDb) {
        return;
    }
    let at = placed.engine.said().map_or(&placed.at, |engine| &engine.at);
    findings.missing(
        "missing-engine-table",
        at,
        format!("the engine of {entity} is {name}, and there is no table [{entity}.{name}]"),
        "nothing says how its records lie there",
        format!("add [{entity}.{name}] with its key, or name the other engine"),
    );
}
