//! Layout files: reading them, laying them over what they extend, and the layouts that are shipped.

pub(crate) mod draft;
mod extends;
pub(crate) mod findings;
mod fingerprint;
pub mod model;
mod nearest;
pub(crate) mod place;
mod read;
pub(crate) mod resolve;
mod retired;
mod shipped;
pub(crate) mod source;
mod tree;
pub(crate) mod units;
mod write;

use std::sync::Arc;

pub use self::shipped::{DEFAULT_LAYOUT, load_shipped, shipped_names, shipped_source};
pub use self::source::Source;

use self::findings::Findings;
use self::model::Layout;
use self::tree::Table;
use crate::diagnostic::Diagnostic;
use crate::domain::Domain;
use crate::entity::Entity;

/// What holds for a layout that does not say otherwise.
const DEFAULTS: &str = include_str!("defaults.toml");

/// A layout that may be used, and what it is bad at.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The layout.
    pub layout: Layout,
    /// What works badly in it.
    pub warnings: Vec<Diagnostic>,
}

/// Reads and checks a layout for a store with the usual zones and categories.
///
/// `resolve` gives the file that an `extends` names, if it is not a shipped layout; nothing here reads files.
/// A layout with an error is refused, with all errors and warnings found, errors first.
///
/// ```
/// use mworld_placement::diagnostic::{Colour, render};
/// use mworld_placement::layout::{Source, load};
///
/// let mine = Source::new("mine.toml", "[orders.mongodb]\nshard_key = [\"customer_id:hashed\"]\n");
/// let found = load(&mine, &|_| None).unwrap_err();
/// assert_eq!((found[0].code, found[0].line_column()), ("unknown-field", (2, 14)));
/// assert!(render(&found, Colour::Plain).contains("help: the field is called `user_id` here"));
/// ```
pub fn load(source: &Source, resolve: &dyn Fn(&str) -> Option<Source>) -> Result<Loaded, Vec<Diagnostic>> {
    load_for(source, resolve, &Domain::default())
}

/// Reads and checks a layout for a store with these zones and categories.
pub fn load_for(
    source: &Source,
    resolve: &dyn Fn(&str) -> Option<Source>,
    domain: &Domain,
) -> Result<Loaded, Vec<Diagnostic>> {
    let mut findings = Findings::default();
    let source = Arc::new(source.clone());
    let tree = extends::read_chain(&source, resolve, &mut findings);
    let tree = completed(without_stray_stock(tree, &findings));
    let draft = read::draft(&source, &tree, &mut findings);
    crate::check::check(&draft, domain, &mut findings);
    if findings.any_error() {
        return Err(findings.into_list());
    }
    let layout =
        resolve::resolve(&draft).expect("every fault that keeps a draft from being a layout is an error");
    Ok(Loaded { layout, warnings: findings.into_list() })
}

/// The tree with what it leaves out: the built-in policy and ring, and the default layout's tables.
fn completed(tree: Table) -> Table {
    let mut nothing = Findings::default();
    let defaults = Arc::new(Source::new("defaults.toml", DEFAULTS));
    let mut tree = tree::parse(&defaults, &mut nothing).overlaid(tree);
    let default_layout = shipped_source(DEFAULT_LAYOUT).expect("the default layout is shipped");
    let default_layout = extends::read_chain(&Arc::new(default_layout), &|_| None, &mut nothing);
    for (name, entry) in default_layout.0 {
        if Entity::from_name(&name).is_some() {
            tree.0.entry(name).or_insert(entry);
        }
    }
    tree
}

/// A file that extends a layout with stock apart and chooses another form cannot take the table [stock]
/// back, so it goes with the form. A [stock] in the same file, or above, is a fault and stays.
fn without_stray_stock(mut tree: Table, findings: &Findings) -> Table {
    let form = tree.get("products").and_then(|products| match &products.value.kind {
        tree::Kind::Table(products) => products.get("form"),
        _ => None,
    });
    let stray = match (form, tree.get("stock")) {
        (Some(form), Some(stock)) => {
            let apart = matches!(&form.value.kind, tree::Kind::Text(form) if form == "apart");
            !apart && findings.stands_above(&form.value.at, &stock.key)
        }
        _ => false,
    };
    if stray {
        tree.0.remove("stock");
    }
    tree
}
