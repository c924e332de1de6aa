//! Layouts without a database.

use serde_json::Value;
use tempfile::tempdir;

use crate::run;

const FIVE: [&str; 5] = ["category-range", "category", "category-spread", "geo-zoned", "price-bands"];

#[test]
fn the_list_has_five_layouts_and_twelve_variants() {
    let dir = tempdir().unwrap();
    let list = run(dir.path(), &["layout", "list"]);
    assert_eq!(list.code, Some(0));
    assert!(list.stdout.lines().any(|line| line.starts_with("* category-spread ")), "{}", list.stdout);
    let json: Value = serde_json::from_str(&run(dir.path(), &["layout", "list", "--json"]).stdout).unwrap();
    let names: Vec<&str> =
        json["layouts"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    assert!(FIVE.iter().all(|name| names.contains(name)), "{names:?}");
    assert_eq!(names.iter().filter(|name| name.contains('+')).count(), 12);
}

#[test]
fn what_show_prints_is_a_layout_again() {
    let dir = tempdir().unwrap();
    for form in
        [&["layout", "show", "geo-zoned"][..], &["layout", "show", "geo-zoned+subcategory", "--resolved"]]
    {
        let shown = run(dir.path(), form);
        assert_eq!(shown.code, Some(0));
        std::fs::write(dir.path().join("mine.toml"), &shown.stdout).unwrap();
        let checked = run(dir.path(), &["layout", "check", "mine.toml"]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
    }
}

#[test]
fn check_shows_every_fault_where_it_stands() {
    let dir = tempdir().unwrap();
    let file = "extends = \"category-spread\"\n\n[carts.mongodb]\nshard_key = [\"user_id:hashed\", \"session_id:hashed\"]\n\n[prodcuts]\nform = \"whole\"\n";
    std::fs::write(dir.path().join("bad.toml"), file).unwrap();
    let checked = run(dir.path(), &["layout", "check", "bad.toml"]);
    assert_eq!(checked.code, Some(2), "{checked:?}");
    for fragment in ["bad.toml:4:", "bad.toml:6:2", "did you mean `products`?", "2 errors"] {
        assert!(checked.stdout.contains(fragment), "{fragment:?} is missing in\n{}", checked.stdout);
    }
    let json = run(dir.path(), &["layout", "check", "bad.toml", "--json"]);
    assert_eq!(json.code, Some(2));
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["ok"], false);
    let errors = json["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == "error");
    assert_eq!(errors.map(|error| error["line"].as_u64().unwrap()).collect::<Vec<_>>(), [4, 6]);
}

#[test]
fn explain_runs_on_every_layout_and_as_one_document() {
    let dir = tempdir().unwrap();
    for layout in FIVE {
        let text = run(dir.path(), &["layout", "explain", layout, "--shards", "8"]);
        assert_eq!(text.code, Some(0), "{text:?}");
        assert!(
            text.stdout.contains("on 8 shards") && text.stdout.contains("a checkout of"),
            "{}",
            text.stdout
        );
        let json = run(dir.path(), &["layout", "explain", layout, "--json"]);
        let json: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!((json["layout"].as_str(), json["shards"].as_u64()), (Some(layout), Some(4)));
        let rows = json["operations"].as_array().unwrap();
        assert!(rows.iter().all(|row| row["shards_max"].as_u64() <= Some(4)));
        assert!(rows.iter().any(|row| row["op"] == "order.place"));
    }
}

#[test]
fn a_layout_may_extend_a_file_beside_it() {
    let dir = tempdir().unwrap();
    std::fs::create_dir(dir.path().join("own")).unwrap();
    std::fs::write(dir.path().join("own/base.toml"), "name = \"base\"\nextends = \"category\"\n").unwrap();
    std::fs::write(dir.path().join("own/top.toml"), "name = \"top\"\nextends = \"base\"\n").unwrap();
    let explained = run(dir.path(), &["layout", "explain", "own/top.toml"]);
    assert_eq!(explained.code, Some(0), "{explained:?}");
    assert!(explained.stdout.contains("layout top"), "{}", explained.stdout);
}
