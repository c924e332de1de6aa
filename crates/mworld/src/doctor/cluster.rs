//! The cluster that the store lives on, if it lives on one.

use mworld_mongo::apply::Apply;

use super::finding::Finding;
use crate::config::Config;
use crate::layout;
use crate::serve::beneath::address;
use crate::wait_for;

/// Whether the cluster answers, is one that can be used, and lies as the layout says. Nothing is changed.
pub(super) fn all(config: &Config, uri: &str) -> Vec<Finding> {
    let domain = layout::domain(&config.shop);
    let Ok(layout) = layout::find(&config.layout, &domain).and_then(layout::Found::loaded) else {
        // What is wrong with the layout was said before.
        return Vec::new();
    };
    let address = address(uri);
    let prepared = wait_for(async { Ok(Apply::prepare(&address, &layout.layout, &domain).await) });
    vec![match prepared {
        Err(failure) => Finding::wrong("the cluster cannot be looked at", failure.message()),
        Ok(Err(error)) => {
            let said = error.to_string();
            let (what, how) = said.split_once("; ").unwrap_or((&said, "look into the cluster's log"));
            Finding::wrong(what, how)
        }
        Ok(Ok(apply)) if apply.plan().is_empty() => Finding::good(format!(
            "the cluster at {} is as layout {} wants it",
            address.shown(),
            config.layout
        )),
        Ok(Ok(apply)) => Finding::doubtful(
            format!(
                "the cluster at {} is not as layout {} wants it: {} steps are to be done",
                address.shown(),
                config.layout,
                apply.plan().steps.len()
            ),
            format!(
                "look at them with `mworld layout apply {} --mongodb {}`",
                config.layout,
                address.shown()
            ),
        ),
    }]
}
