//! A report as one HTML file that needs nothing else: no script, no font, no other host.
//!
//! The report itself is inside, as JSON, so that `mworld load compare` reads the page as well as the JSON. The markup is
//! well-formed XML too, which lets a test find what a browser would silently forgive.

mod axis;
mod chart;
mod configuration;
mod distribution;
mod escape;
mod head;
mod operations;
mod over_time;
mod points;
mod verdict;

use self::escape::escape;
use super::Report;

const STYLE: &str = include_str!("html/page.css");

/// What stands before the report's JSON in a page.
pub(super) const DATA_OPENS: &str = "<script type=\"application/json\" id=\"mworld-report\">";

/// The page.
pub fn render(report: &Report) -> String {
    let title = escape(&report.scenario);
    let sections = [
        head::head(report),
        over_time::charts(report),
        operations::table(report),
        operations::charts(report),
        verdict::section(report),
        configuration::section(report),
        over_time::numbers(report),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{title}: load report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{}</main>\n\
         {DATA_OPENS}{}</script>\n</body>\n</html>\n",
        sections.concat(),
        json(report),
    )
}

/// The report for the inside of a script element: nothing in it may look like the element's end, or like markup.
fn json(report: &Report) -> String {
    let text = serde_json::to_string(report).expect("a report has only text as keys");
    // These stand only inside JSON strings, where the escape means the same.
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
