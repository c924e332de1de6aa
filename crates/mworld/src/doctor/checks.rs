//! The list of checks. Those that need a configuration are left out if there is none that can be read.

use mworld_placement::diagnostic::summary;

use super::finding::Finding;
use super::{machine, store};
use crate::config::{self, Config, Flags, OPERATOR_TOKEN};
use crate::layout;

/// Everything that is looked at, in the order in which a start would stumble over it.
pub(super) fn all(flags: &Flags) -> Vec<Finding> {
    let mut findings = Vec::new();
    match config::load(flags, std::env::vars_os()) {
        Ok(loaded) => {
            findings.push(Finding::good(match &loaded.file {
                Some(file) => format!("the configuration {} is sound", file.display()),
                None => "there is no configuration file; defaults, environment and flags hold".to_owned(),
            }));
            let doubt = |notice: &String| Finding::doubtful(notice.clone(), "unset it, or correct its name");
            findings.extend(loaded.notices.iter().map(doubt));
            findings.push(layout(&loaded.config));
            findings.extend(data(&loaded.config));
            findings.push(machine::port(&loaded.config));
            findings.push(token(&loaded.config));
        }
        Err(failure) => findings.push(Finding::wrong("the configuration cannot be used", failure.message())),
    }
    findings.push(machine::open_files());
    findings.push(machine::clock());
    findings
}

/// Where the data lies: on a cluster, or in a directory.
fn data(config: &Config) -> Vec<Finding> {
    #[cfg(feature = "mongo")]
    if let Some(uri) = &config.mongodb {
        return super::cluster::all(config, uri);
    }
    store::all(config)
}

fn layout(config: &Config) -> Finding {
    let name = &config.layout;
    match layout::find(name, &layout::domain(&config.shop)) {
        Err(failure) => Finding::wrong(format!("the layout {name} cannot be found"), failure.message()),
        Ok(found) => match found.checked {
            Ok(loaded) => {
                Finding::good(format!("the layout {name} is sound ({})", summary(&loaded.warnings)))
            }
            Err(diagnostics) => Finding::wrong(
                format!("the layout {name} is refused ({})", summary(&diagnostics)),
                format!("`mworld layout check {name}` says where and why"),
            ),
        },
    }
}

fn token(config: &Config) -> Finding {
    if std::env::var_os(OPERATOR_TOKEN).is_some() {
        return Finding::good(format!("the operator token comes from {OPERATOR_TOKEN}"));
    }
    match &config.operator_token_file {
        Some(file) => match std::fs::read_to_string(file) {
            Ok(_) => Finding::good(format!("the operator token comes from {}", file.display())),
            Err(error) => Finding::wrong(
                format!("operator_token_file {} cannot be read: {error}", file.display()),
                "write the token into it, or remove the setting",
            ),
        },
        None => Finding::good("an operator token is made and shown at every start"),
    }
}
