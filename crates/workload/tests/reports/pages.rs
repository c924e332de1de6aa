//! The HTML page of a report.

use std::path::Path;

use mworld_workload::report::{Report, Second, html, read};

use crate::samples;

/// Every kind of run that a page has to cope with, by the name of its file.
fn all() -> [(&'static str, Report); 6] {
    [
        ("steady", samples::steady()),
        ("spike", samples::spike()),
        ("empty", samples::empty()),
        ("one-second", samples::one_second()),
        ("ended-early", samples::ended_early()),
        ("unsound", samples::unsound()),
    ]
}

/// The page as XML, which forgives nothing.
fn parse(page: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(page, options).unwrap()
}

/// The pages are kept for a browser to look at: `tools/browse-report` does.
#[test]
fn pages_are_well_formed_and_complete() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("load-reports");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, report) in all() {
        let page = html::render(&report);
        std::fs::write(folder.join(format!("{name}.html")), &page).unwrap();
        let document = parse(&page);
        let text: String = document.descendants().filter_map(|node| node.text()).collect();
        for operation in report.operations.keys() {
            assert!(text.contains(operation.as_str()), "{name} does not show {operation}");
        }
        assert!(text.contains(report.conditions.scenario_text.trim()), "{name} does not hold its scenario");
        let drawings: Vec<_> = document.descendants().filter(|node| node.has_attribute("viewBox")).collect();
        assert!(drawings.len() >= 4, "{name} has no charts");
        for drawing in drawings {
            let told =
                |tag| drawing.children().any(|child| child.has_tag_name(tag) && child.text().is_some());
            assert!(told("title") && told("desc"), "a drawing of {name} has no words");
        }
    }
}

#[test]
fn a_page_asks_nobody_for_anything() {
    for (name, report) in all() {
        let page = html::render(&report);
        for node in parse(&page).descendants().filter(roxmltree::Node::is_element) {
            let loads = ["src", "href", "srcset", "data", "action", "poster", "background"];
            let asked = node.attributes().find(|attribute| loads.contains(&attribute.name()));
            assert!(asked.is_none(), "{name}: <{}> asks for {asked:?}", node.tag_name().name());
            let tag = node.tag_name().name();
            assert!(
                !["link", "img", "iframe", "object", "embed", "base", "image", "use"].contains(&tag),
                "{name}: <{tag}>"
            );
            let handler = node.attributes().find(|attribute| attribute.name().starts_with("on"));
            assert!(handler.is_none(), "{name}: {handler:?}");
        }
        let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        assert!(!style.contains("url(") && !style.contains("@import"), "{name}");
    }
}

#[test]
fn a_page_holds_the_whole_report() {
    for (name, report) in all() {
        assert_eq!(read(&html::render(&report)).unwrap(), report, "{name}");
        assert_eq!(read(&serde_json::to_string_pretty(&report).unwrap()).unwrap(), report, "{name}");
    }
}

#[test]
fn a_hostile_name_is_only_text() {
    let page = html::render(&samples::unsound());
    let document = parse(&page);
    let scripts: Vec<_> = document.descendants().filter(|node| node.has_tag_name("script")).collect();
    assert_eq!(scripts.len(), 1, "the report's own, and no other");
    assert_eq!(scripts[0].attribute("type"), Some("application/json"));
    let heading = document.descendants().find(|node| node.has_tag_name("h1")).unwrap();
    assert_eq!(heading.text(), Some(samples::HOSTILE));
    assert!(!document.descendants().any(|node| node.has_tag_name("b")));
}

#[test]
fn ten_minutes_stay_below_two_megabytes() {
    let page = html::render(&samples::spike());
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

/// Bytes of a page without the report inside it.
fn drawn(report: &Report) -> usize {
    let page = html::render(report);
    let script = parse(&page).descendants().find(|node| node.has_tag_name("script")).unwrap().range();
    page.len() - script.len()
}

#[test]
fn the_drawing_does_not_grow_with_the_run() {
    let short = samples::spike();
    let mut long = short.clone();
    let seconds = short.timeline.iter().cycle().take(7_200).enumerate();
    long.timeline = seconds.map(|(at, second)| Second { at: at as u64, ..second.clone() }).collect();
    long.duration_s = 7_200.0;
    let (short, long) = (drawn(&short), drawn(&long));
    assert!(long < short * 2, "{short} bytes for ten minutes, {long} for two hours");
}

#[test]
fn what_is_no_report_says_so() {
    for (text, word) in [
        ("", "no report"),
        ("{}", "scenario"),
        ("<!DOCTYPE html><p>other</p>", "holds no report"),
        ("<script type=\"application/json\" id=\"mworld-report\">", "holds no report"),
        ("<script type=\"application/json\" id=\"mworld-report\">{</script>", "no report"),
    ] {
        let message = read(text).unwrap_err().to_string();
        assert!(message.contains(word) && message.contains("mworld load"), "{text:?}: {message}");
    }
}
