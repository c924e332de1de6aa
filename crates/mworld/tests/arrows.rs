//! The arrows between the rooms, read from the resolved dependencies and not from anybody's good intentions.
//!
//! What is sold and where it lies must stay usable without a runtime, a socket or a database: the simulator, the
//! tests and every engine stand on them. And an engine must stay replaceable, so nobody but the binary may know one.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

const RUNTIMES_AND_DRIVERS: [&str; 7] =
    ["axum", "hyper", "mongodb", "reqwest", "rusqlite", "scylla", "tokio"];

#[test]
fn what_is_sold_and_where_it_lies_need_no_runtime_and_no_driver() {
    let arrows = Arrows::read();
    for room in ["mworld-shop", "mworld-placement"] {
        let reached = arrows.closure(room);
        let forbidden: Vec<_> = RUNTIMES_AND_DRIVERS.iter().filter(|name| reached.contains(**name)).collect();
        assert!(forbidden.is_empty(), "{room} reaches {forbidden:?}; move what needs them into an engine");
    }
}

#[test]
fn what_is_sold_and_where_it_lies_depend_on_no_other_room() {
    let arrows = Arrows::read();
    assert_eq!(arrows.rooms_of("mworld-shop"), rooms([]));
    assert_eq!(arrows.rooms_of("mworld-placement"), rooms([]));
}

#[test]
fn the_embedded_engine_depends_on_shop_and_placement_only() {
    assert_eq!(Arrows::read().rooms_of("mworld-embedded"), rooms(["mworld-placement", "mworld-shop"]));
}

#[test]
fn the_server_knows_the_shop_and_no_engine() {
    let arrows = Arrows::read();
    assert_eq!(arrows.rooms_of("mworld-server"), rooms(["mworld-shop"]));
    let reached = arrows.closure("mworld-server");
    for driver in ["mongodb", "rusqlite", "scylla"] {
        assert!(
            !reached.contains(driver),
            "mworld-server reaches {driver}; go through the ports of the shop"
        );
    }
}

#[test]
fn the_driver_knows_a_store_by_http_alone() {
    // Placement lends it its diagnostics: a scenario's faults are told as a layout's are.
    let arrows = Arrows::read();
    assert_eq!(arrows.rooms_of("mworld-workload"), rooms(["mworld-placement", "mworld-shop"]));
    let reached = arrows.closure("mworld-workload");
    for driver in ["mongodb", "rusqlite", "scylla"] {
        assert!(!reached.contains(driver), "mworld-workload reaches {driver}; ask the store over HTTP");
    }
}

#[test]
fn sqlite_is_spoken_in_the_embedded_engine_only() {
    // The benchmarks speak it too: their bare loop is the limit that the engine is measured against.
    let speakers = Arrows::read().users_of("rusqlite");
    let allowed = rooms(["mworld-benches", "mworld-embedded"]);
    assert!(speakers.contains("mworld-embedded"), "the list of dependencies was not understood");
    assert!(speakers.is_subset(&allowed), "{speakers:?} use rusqlite, and only {allowed:?} may");
}

#[test]
fn the_mongodb_engine_depends_on_shop_and_placement_only() {
    assert_eq!(Arrows::read().rooms_of("mworld-mongo"), rooms(["mworld-placement", "mworld-shop"]));
}

#[test]
fn the_mongodb_driver_is_spoken_in_its_engine_only() {
    let speakers = Arrows::read().users_of("mongodb");
    assert_eq!(
        speakers,
        rooms(["mworld-mongo"]),
        "the playground gives its orders through the engine's admin"
    );
}

#[test]
fn the_playground_knows_servers_and_no_shop() {
    assert_eq!(Arrows::read().rooms_of("mworld-playground"), rooms(["mworld-mongo"]));
}

fn rooms<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// Who depends on whom, by name, in builds and not in tests.
struct Arrows(BTreeMap<String, BTreeSet<String>>);

impl Arrows {
    fn read() -> Arrows {
        let metadata = metadata();
        let names: BTreeMap<&str, &str> = list(&metadata["packages"])
            .iter()
            .map(|package| (text(&package["id"]), text(&package["name"])))
            .collect();
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for node in list(&metadata["resolve"]["nodes"]) {
            // Two versions of one crate share a name, and with it their arrows: stricter, never laxer.
            let from = arrows.entry(names[text(&node["id"])].to_owned()).or_default();
            let normal = list(&node["deps"]).iter().filter(|dependency| is_normal(dependency));
            from.extend(normal.map(|to| names[text(&to["pkg"])].to_owned()));
        }
        Arrows(arrows)
    }

    fn direct(&self, name: &str) -> &BTreeSet<String> {
        self.0.get(name).unwrap_or_else(|| panic!("there is no package {name}"))
    }

    /// The rooms of ours that a room depends on directly.
    fn rooms_of(&self, name: &str) -> BTreeSet<String> {
        self.direct(name).iter().filter(|to| to.starts_with("mworld")).cloned().collect()
    }

    /// Our rooms that depend on a package directly.
    fn users_of(&self, name: &str) -> BTreeSet<String> {
        let ours = self.0.iter().filter(|(from, to)| from.starts_with("mworld") && to.contains(name));
        ours.map(|(from, _)| from.clone()).collect()
    }

    /// Everything that a build of the package pulls in.
    fn closure(&self, name: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut next = vec![name.to_owned()];
        while let Some(package) = next.pop() {
            for to in self.direct(&package) {
                if reached.insert(to.clone()) {
                    next.push(to.clone());
                }
            }
        }
        reached
    }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("cargo metadata lists packages, nodes and dependencies")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("ids and names are texts")
}

/// Whether a build needs the dependency; those of tests and build scripts have a kind with a name.
fn is_normal(dependency: &Value) -> bool {
    list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null())
}

/// Only this machine's packages: those of other platforms need not be here, and asking for them needs a network.
fn metadata() -> Value {
    let given_by_cargo =
        |name: &str| std::env::var_os(name).expect("cargo sets it for every test that it runs");
    let version = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("rustc speaks UTF-8");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc says its host");
    let output = Command::new(given_by_cargo("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .current_dir(given_by_cargo("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}
