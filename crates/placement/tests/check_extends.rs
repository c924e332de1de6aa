//! Layouts that extend others.

use mworld_placement::diagnostic::{Colour, Diagnostic, render};
use mworld_placement::layout::{Loaded, Source, load, load_shipped};
use mworld_placement::{Entity, ShardKey};

/// Reads the first of these files; the others are its siblings.
fn load_files(files: &[(&str, &str)]) -> Result<Loaded, Vec<Diagnostic>> {
    let sibling = |name: &str| {
        let (file, text) = files.iter().find(|(file, _)| *file == name)?;
        Some(Source::new(*file, *text))
    };
    let (file, text) = files[0];
    load(&Source::new(file, text), &sibling)
}

fn sound(files: &[(&str, &str)]) -> Loaded {
    load_files(files).unwrap_or_else(|found| panic!("{}", render(&found, Colour::Plain)))
}

#[test]
fn a_table_is_overridden_key_by_key_and_a_value_whole() {
    let mine = "extends = \"geo-zoned\"\n\
                [carts.cassandra]\nttl = { guest = \"1h\" }\n\
                [cassandra]\nreplication = { dc1 = 5 }\n\
                [policy]\n\"cart.get\" = { consistency = \"QUORUM\" }\n";
    let mine = sound(&[("mine.toml", mine)]).layout;
    let base = load_shipped("geo-zoned").unwrap().layout;

    assert_eq!(mine.name, "mine", "the name is not handed down");
    let (carts, carts_before) = (&mine.entities[&Entity::Carts], &base.entities[&Entity::Carts]);
    assert_eq!(carts.mongodb, carts_before.mongodb);
    let (on, before) = (carts.cassandra.as_ref().unwrap(), carts_before.cassandra.as_ref().unwrap());
    assert_eq!((&on.partition_key, &on.repair), (&before.partition_key, &before.repair));
    assert_eq!((on.ttl.guest.as_secs(), on.ttl.user.as_secs()), (3600, 0));

    assert_eq!(mine.ring.replication.len(), 1, "dc2 of the base is gone");
    assert_eq!(mine.ring.max_hint_window, base.ring.max_hint_window);
    let policy = &mine.policy["cart.get"];
    assert_eq!(policy.consistency.as_deref(), Some("QUORUM"));
    assert_eq!(policy.read_concern.as_deref(), Some("majority"), "the rest of the policy stays");
}

#[test]
fn a_chain_of_files_is_followed_and_faults_are_shown_where_they_stand() {
    let files = [
        ("top.toml", "extends = \"middle.toml\"\n[orders.mongodb]\nindexes = []\n"),
        ("middle.toml", "extends = \"category\"\n[orders.mongodb]\nshard_key = [\"order_id:hashed\"]\n"),
    ];
    let orders = sound(&files).layout.entities[&Entity::Orders].mongodb.clone().unwrap();
    assert_eq!(orders.shard_key, ShardKey::hashed("order_id"));
    assert_eq!(orders.indexes, []);

    let broken = [files[0], ("middle.toml", "extends = \"category\"\n\n[orders]\nengine = \"cassandra\"\n")];
    let found = load_files(&broken).unwrap_err();
    let error = &found[0];
    assert_eq!((error.code, error.file(), error.line_column()), ("not-on-cassandra", "middle.toml", (4, 10)));
}

#[test]
fn a_circle_is_found_and_named() {
    let files = [
        ("a.toml", "extends = \"b.toml\"\n"),
        ("b.toml", "extends = \"c.toml\"\n"),
        ("c.toml", "extends = \"b.toml\"\n"),
    ];
    let found = load_files(&files).unwrap_err();
    let shown: Vec<_> = found.iter().map(|fault| (fault.code, fault.file(), fault.label.as_str())).collect();
    assert_eq!(shown, [("extends-cycle", "c.toml", "b.toml → c.toml → b.toml")]);
}

#[test]
fn a_file_may_have_the_name_of_the_shipped_layout_that_it_extends() {
    let own = sound(&[("layouts/category.toml", "extends = \"category\"\n")]);
    assert_eq!(own.layout.entities, load_shipped("category").unwrap().layout.entities);
}

#[test]
fn too_long_a_chain_is_refused() {
    let endless = |name: &str| {
        let next = name.parse::<u32>().unwrap() + 1;
        Some(Source::new(name, format!("extends = \"{next}\"\n")))
    };
    let found = load(&endless("0").unwrap(), &endless).unwrap_err();
    assert_eq!(found[0].code, "extends-too-deep");
}

#[test]
fn stock_goes_when_a_form_without_it_is_chosen_above() {
    let whole = "extends = \"category-spread+stock-apart\"\n[products]\nform = \"whole\"\n";
    let whole = sound(&[("whole.toml", whole)]).layout;
    assert!(!whole.entities.contains_key(&Entity::Stock));

    let added = "extends = \"category\"\n[stock.mongodb]\nshard_key = [\"product_id:hashed\"]\n";
    let found = load_files(&[("added.toml", added)]).unwrap_err();
    assert_eq!(found[0].code, "stock-without-apart");
}

#[test]
fn a_clustering_key_that_is_left_out_is_the_one_that_works() {
    let mine = "[history.cassandra]\npartition_key = [\"user_id\", \"period\"]\n\
                [carts.cassandra]\npartition_key = [\"owner_key\"]\nttl = \"7d\"\n";
    let layout = sound(&[("mine.toml", mine)]).layout;
    let clustering = |entity| layout.entities[&entity].cassandra.as_ref().unwrap().clustering_key.clone();
    let owned = |fields: &[(&str, bool)]| {
        fields.iter().map(|(field, descending)| ((*field).to_owned(), *descending)).collect::<Vec<_>>()
    };
    assert_eq!(clustering(Entity::History), owned(&[("created_at", true), ("order_id", false)]));
    assert_eq!(clustering(Entity::Carts), owned(&[("product_id", false)]));
}
