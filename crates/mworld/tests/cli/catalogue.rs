//! Import and export.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::running::{Running, TOKEN};
use crate::{Ended, ended, mworld, run};

fn import(dir: &Path, file: &str, store: &Running, token: &str) -> Ended {
    let mut command = mworld(dir);
    command.args(["import", file, "--url", &store.url()]).env("MWORLD_OPERATOR_TOKEN", token);
    ended(command)
}

/// Products by id, without what a store writes by itself.
fn products(file: &Path) -> BTreeMap<String, Value> {
    let text = std::fs::read_to_string(file).unwrap();
    let read = |line: &str| {
        let mut product: Value = serde_json::from_str(line).unwrap();
        let fields = product.as_object_mut().unwrap();
        fields.remove("updated_at").unwrap();
        fields.remove("version").unwrap();
        (product["id"].as_str().unwrap().to_owned(), product)
    };
    text.lines().map(read).collect()
}

#[test]
fn a_catalogue_goes_from_one_store_to_another() {
    let dir = tempdir().unwrap();
    let first = Running::start(dir.path(), &["--demo", "250", "--data", "first"]);
    first.wait_until_ready();
    assert_eq!(run(dir.path(), &["export", "first.ndjson", "--url", &first.url()]).code, Some(0));
    let second = Running::start(dir.path(), &["--data", "second", "--layout", "geo-zoned"]);
    let imported = import(dir.path(), "first.ndjson", &second, TOKEN);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    assert!(imported.stdout.contains("imported 250 products"), "{imported:?}");
    assert_eq!(run(dir.path(), &["export", "second.ndjson", "--url", &second.url()]).code, Some(0));
    let (before, after) =
        (products(&dir.path().join("first.ndjson")), products(&dir.path().join("second.ndjson")));
    assert_eq!(before.len(), 250);
    assert_eq!(before, after);
    let mut left: Vec<_> =
        std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(
        left,
        ["first", "first.ndjson", "second", "second.ndjson"],
        "nothing is left beside the files"
    );
}

#[test]
fn a_bad_line_stops_the_import_which_goes_on_when_it_is_mended() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &[]);
    let product = |n: u32, category: &str| {
        format!(
            "{{\"id\":\"00000000-0000-4000-8000-{n:012}\",\"name\":\"Thing {n}\",\"description\":\"\",\"category\":\"{category}\",\
             \"subcategory\":null,\"price\":{{\"amount\":100,\"currency\":\"RUB\"}},\"attributes\":[]}}\n"
        )
    };
    let file = dir.path().join("things.ndjson");
    let write = |second: &str| {
        let lines = [product(1, "audio"), second.to_owned(), product(3, "audio")].concat();
        std::fs::write(&file, lines).unwrap();
    };
    for (second, fragment) in [
        (
            product(2, "toys"),
            "things.ndjson:2: product 00000000-0000-4000-8000-000000000002: 422 unknown_category",
        ),
        ("{\"id\": 5}\n".to_owned(), "things.ndjson:2: id `5` is no text"),
        ("nonsense\n".to_owned(), "things.ndjson:2: `nonsense` is no product"),
    ] {
        write(&second);
        let stopped = import(dir.path(), "things.ndjson", &store, TOKEN);
        assert_eq!(stopped.code, Some(2), "{stopped:?}");
        assert!(stopped.stderr.contains(fragment), "{fragment:?} is missing in {}", stopped.stderr);
        assert!(stopped.stderr.contains("lines 1 to 1 are imported; mend line 2"), "{}", stopped.stderr);
    }
    write(&product(2, "audio"));
    let done = import(dir.path(), "things.ndjson", &store, TOKEN);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.stderr.contains("going on after line 1"), "{done:?}");
    assert!(done.stdout.contains("imported 2 products"), "{done:?}");
    assert_eq!(run(dir.path(), &["export", "all.ndjson", "--url", &store.url()]).code, Some(0));
    assert_eq!(products(&dir.path().join("all.ndjson")).len(), 3);
}

/// A note of progress belongs to one store and one file; followed elsewhere it would leave products out.
#[test]
fn a_note_of_another_store_or_file_is_not_followed() {
    let line = |n: u32| {
        format!(
            "{{\"id\":\"00000000-0000-4000-8000-{n:012}\",\"name\":\"Thing {n}\",\"description\":\"\",\"category\":\"audio\",\
             \"subcategory\":null,\"price\":{{\"amount\":100,\"currency\":\"RUB\"}},\"attributes\":[]}}\n"
        )
    };
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &[]);
    std::fs::write(dir.path().join("things.ndjson"), [line(1), line(2), line(3)].concat()).unwrap();
    let note = |store: &str, last: u32| {
        let text = format!(
            "{{\"store\":\"{store}\",\"lines_done\":2,\"last_product\":\"00000000-0000-4000-8000-{last:012}\"}}"
        );
        std::fs::write(dir.path().join("things.ndjson.progress"), text).unwrap();
    };
    for (of, last, imported) in [("http://elsewhere", 2, 3), (&*store.url(), 9, 3), (&*store.url(), 2, 1)] {
        note(of, last);
        let done = import(dir.path(), "things.ndjson", &store, TOKEN);
        assert!(done.stdout.contains(&format!("imported {imported} products")), "{of} {last}: {done:?}");
    }
}

#[test]
fn a_wrong_token_and_a_closed_store_are_told_apart() {
    let dir = tempdir().unwrap();
    std::fs::write(dir.path().join("one.ndjson"), "{\"id\":\"00000000-0000-4000-8000-000000000001\"}\n")
        .unwrap();
    let store = Running::start(dir.path(), &[]);
    let refused = import(dir.path(), "one.ndjson", &store, "not-the-token");
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("does not take this operator token"), "{refused:?}");
    assert!(
        !dir.path().join("one.ndjson.progress").exists(),
        "nothing was done, so there is nothing to note"
    );
    let url = store.url();
    assert_eq!(store.close().code(), Some(0));
    let closed = run(dir.path(), &["export", "all.ndjson", "--url", &url]);
    assert_eq!(closed.code, Some(1));
    assert!(closed.stderr.contains(&format!("the store at {url} cannot be reached")), "{closed:?}");
    assert!(!dir.path().join("all.ndjson.part").exists(), "nothing came, so nothing is kept");
}

#[test]
fn an_export_that_was_stopped_goes_on_where_it_was() {
    let dir = tempdir().unwrap();
    let store = Running::start(dir.path(), &["--demo", "250"]);
    store.wait_until_ready();
    // The state after the first page of a hundred, and behind it more than the rest will fill, for which no note vouches.
    let (_, page) = store.get("/api/v1/products?sort=newest&limit=100", None);
    let page: Value = serde_json::from_str(&page).unwrap();
    let lines: String = page["items"].as_array().unwrap().iter().map(|item| format!("{item}\n")).collect();
    std::fs::write(dir.path().join("all.ndjson.part"), format!("{lines}{}", "half a line".repeat(100_000)))
        .unwrap();
    let note = serde_json::json!({
        "store": store.url(), "cursor": page["next"], "bytes": lines.len(), "products": 100,
    });
    std::fs::write(dir.path().join("all.ndjson.cursor"), note.to_string()).unwrap();
    let done = run(dir.path(), &["export", "all.ndjson", "--url", &store.url()]);
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(done.stderr.contains("going on after 100 products"), "{done:?}");
    assert!(done.stdout.contains("exported 250 products"), "{done:?}");
    assert_eq!(products(&dir.path().join("all.ndjson")).len(), 250);
}
