//! Reading a report back: from the JSON that `--json` printed, or from an HTML report, which holds the same JSON.

use super::{Report, html};

/// Why a text is no report.
#[derive(Debug, thiserror::Error)]
pub enum NotAReport {
    /// HTML, but not ours.
    #[error("this HTML page holds no report; take one that `mworld load --html` wrote")]
    OtherPage,
    /// Not JSON, or not that of a report.
    #[error("this is no report ({0}); take a file that `mworld load --json` or `--html` wrote")]
    OtherJson(#[from] serde_json::Error),
}

/// Reads a report from the text of a `.json` or `.html` file; which of them it is, the text says.
pub fn read(text: &str) -> Result<Report, NotAReport> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let json = if text.starts_with('<') { embedded(text).ok_or(NotAReport::OtherPage)? } else { text };
    Ok(serde_json::from_str(json)?)
}

/// The JSON inside a page. The page escapes every `<` in it, so the first one after it ends it.
fn embedded(page: &str) -> Option<&str> {
    let (_, after) = page.split_once(html::DATA_OPENS)?;
    let (json, _) = after.split_once('<')?;
    Some(json)
}
