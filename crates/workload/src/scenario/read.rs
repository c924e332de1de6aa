//! From the text of a file to a scenario, or to everything that is wrong with it.

mod arrivals;
mod goods;
mod parts;
mod people;

use std::ops::Range;
use std::sync::Arc;

use mworld_placement::diagnostic::Diagnostic;
use mworld_placement::layout::Source;

use super::Scenario;
use super::faults::Faults;
use super::feasible;
use super::section::Section;

pub(super) use self::parts::SaidMix;

const CATEGORY: &str = "audio = { share = 20, products = 40, price = [150_000, 4_000_000] }";

/// A value and where it was said.
#[derive(Debug, Clone)]
pub(super) struct Said<T> {
    pub(super) value: T,
    pub(super) at: Range<usize>,
}

/// Reads a scenario; a faulty one is refused with all its faults, in the order of the text.
pub fn read(source: &Source) -> Result<Scenario, Vec<Diagnostic>> {
    let source = Arc::new(source.clone());
    let mut faults = Faults::new(&source);
    let scenario = draft(&source, &mut faults);
    let faults = faults.into_list();
    match scenario {
        Some(scenario) if faults.is_empty() => Ok(scenario),
        _ => Err(faults),
    }
}

/// The scenario if it can be put together. Every part is read before the first missing one is given up on.
fn draft(source: &Arc<Source>, faults: &mut Faults) -> Option<Scenario> {
    let mut file = Section::root(source, faults);
    let name = file
        .need("name", "`name = \"my-scenario\"`", faults)
        .and_then(|item| parts::scenario_name(&item, faults));
    let about = file.take("about").map(|item| item.text(faults));
    let arrivals = file
        .need_section("arrivals", "rate = 500", faults)
        .and_then(|section| arrivals::read(section, faults));
    let mix =
        file.need_section("mix", "\"cart.get\" = 10", faults).and_then(|section| parts::mix(section, faults));
    let categories =
        file.need_section("categories", CATEGORY, faults).map(|section| goods::categories(section, faults));
    let zones =
        file.need_section("zones", "msk = 60", faults).and_then(|section| parts::zones(section, faults));
    let people = file
        .need_section("people", "accounts = 200", faults)
        .and_then(|section| people::read(section, faults));
    let products = file
        .need_section("products", "stock = 2_000", faults)
        .and_then(|section| goods::products(section, categories.as_ref(), faults));
    file.finish(faults);
    if let Some(mix) = &mix {
        feasible::check(mix, people.as_ref().map(|people| &people.guests), faults);
    }
    let (rate, duration, curve) = arrivals?;
    Some(Scenario {
        name: name?,
        about: about.unwrap_or_else(|| Some(String::new()))?,
        source: Arc::clone(source),
        rate,
        duration,
        curve,
        mix: mix?.to_mix(),
        categories: categories?.parts?,
        zones: zones?,
        people: people?.people,
        products: products?,
    })
}
