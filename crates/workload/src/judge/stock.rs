//! Rule `stock`: what is left of a product in a zone is what there was, and came in, less what is in live orders.
//! Nobody knows the instant of a sale, so what is left at a moment has a lower and an upper bound; when all is
//! answered and nothing is under way, as after the end, they meet.

use crate::record::{Asked, Call, Got, Micros};
use crate::stage::{ProductNo, ZoneNo};

use super::book::Book;
use super::findings::{Findings, Rule};
use super::span::{Effect, NEVER, Span};

/// Looks at every exact stock that was told, in answers and in refusals.
pub(super) fn check(book: &Book<'_>, findings: &mut Findings) {
    let shelves = Shelves::fill(book);
    for (at, call) in book.calls.iter().enumerate() {
        match (&call.asked, &call.got) {
            (Asked::Stock(product), Got::Stock(units)) => {
                for (zone, told) in (0..).map(ZoneNo).zip(units) {
                    compare(book, &shelves, at, (*product, zone), *told, findings);
                }
            }
            (Asked::Stock(product), Got::Refused { status: 404, .. }) => {
                findings.checked(Rule::Stock);
                let (told, goods) = (book.call(at), book.goods(*product));
                let detail = format!("{told} says that there is no {goods}, but it was made before the run");
                findings.accuse(Rule::Stock, [*call], detail);
            }
            (Asked::Place { zone, .. }, Got::Refused { left, .. }) => {
                for (id, told) in left {
                    if let Some(product) = book.product(*id) {
                        compare(book, &shelves, at, (product, *zone), *told, findings);
                    }
                }
            }
            _ => {}
        }
    }
}

fn compare(
    book: &Book<'_>,
    shelves: &Shelves,
    at: usize,
    (product, zone): (ProductNo, ZoneNo),
    told: u32,
    findings: &mut Findings,
) {
    let Some(shelf) = shelves.of(product, zone) else { return };
    findings.checked(Rule::Stock);
    let read = Span::of(book.calls[at]);
    let (least, most) = shelf.bounds(read);
    let told = i64::from(told);
    if (least..=most).contains(&told) {
        return;
    }
    let zone = book.stage.zones.get(zone.0 as usize).map_or("", String::as_str);
    let (call, goods) = (book.call(at), book.goods(product));
    let possible = if least == most { least.to_string() } else { format!("from {least} to {most}") };
    let detail = format!(
        "{call} says that {told} of {goods} are left in {zone}; {possible} would be right: there were {} at the \
         beginning, {} came in, {} are in orders that were not cancelled",
        shelf.initial,
        shelf.came_in.up_to(read.by),
        shelf.ordered.up_to(read.by) - shelf.returned_for_sure.before(read.from)
    );
    findings.accuse(Rule::Stock, [book.calls[at]], detail);
}

/// Every product in every zone.
struct Shelves {
    zones: usize,
    shelves: Vec<Shelf>,
}

/// One product in one zone.
#[derive(Debug, Default, Clone)]
struct Shelf {
    initial: i64,
    came_in: Sums,
    came_in_for_sure: Sums,
    ordered: Sums,
    ordered_for_sure: Sums,
    returned: Sums,
    returned_for_sure: Sums,
    /// From here on some order that nobody was told of may have taken any number.
    open_from: Micros,
}

impl Shelf {
    /// The least and the most that can have been left at some instant of a read.
    fn bounds(&self, read: Span) -> (i64, i64) {
        let least = self.initial + self.came_in_for_sure.before(read.from) - self.ordered.up_to(read.by)
            + self.returned_for_sure.before(read.from);
        let most = self.initial + self.came_in.up_to(read.by) - self.ordered_for_sure.before(read.from)
            + self.returned.up_to(read.by);
        (if read.by >= self.open_from { 0 } else { least.max(0) }, most)
    }
}

impl Shelves {
    fn of(&self, product: ProductNo, zone: ZoneNo) -> Option<&Shelf> {
        self.shelves.get(self.place(product, zone)?)
    }

    fn place(&self, product: ProductNo, zone: ZoneNo) -> Option<usize> {
        let zone = zone.0 as usize;
        (zone < self.zones).then_some(product.0 as usize * self.zones + zone)
    }

    fn at(&mut self, product: ProductNo, zone: ZoneNo) -> Option<&mut Shelf> {
        let place = self.place(product, zone)?;
        self.shelves.get_mut(place)
    }

    /// Everything that came and went.
    fn fill(book: &Book<'_>) -> Shelves {
        let zones = book.stage.zones.len();
        let mut shelves =
            Shelves { zones, shelves: vec![Shelf::default(); zones * book.stage.products.len()] };
        for (product, no) in book.stage.products.iter().zip(0..) {
            for (units, zone) in product.stock.iter().zip(0..) {
                if let Some(shelf) = shelves.at(ProductNo(no), ZoneNo(zone)) {
                    shelf.initial = (*units).into();
                }
            }
        }
        for call in &book.calls {
            shelves.restock(call);
        }
        shelves.sell(book);
        let open = open_from(book);
        for (at, shelf) in shelves.shelves.iter_mut().enumerate() {
            shelf.open_from = open[at % zones];
            shelf.sort();
        }
        shelves
    }

    fn restock(&mut self, call: &Call) {
        let Asked::Restock { product, zone, units } = call.asked else { return };
        let Some(shelf) = self.at(product, zone) else { return };
        let units = i64::from(units);
        match Effect::of(call) {
            Effect::Sure(span) => {
                shelf.came_in.add(span.from, units);
                shelf.came_in_for_sure.add(span.by, units);
            }
            Effect::Maybe(span) => shelf.came_in.add(span.from, units),
            Effect::None => {}
        }
    }

    fn sell(&mut self, book: &Book<'_>) {
        for order in &book.orders {
            let told = order.told();
            let zone = book.stage.zones.iter().position(|zone| *zone == told.zone);
            let Some(zone) = zone.and_then(|zone| u32::try_from(zone).ok()) else { continue };
            for line in &told.items {
                let product = book.product(line.product);
                let Some(shelf) = product.and_then(|product| self.at(product, ZoneNo(zone))) else {
                    continue;
                };
                let units = i64::from(line.quantity);
                shelf.ordered.add(order.placed.from, units);
                shelf.ordered_for_sure.add(order.placed.by, units);
                if let Some(cancelled) = order.cancelled {
                    shelf.returned.add(cancelled.from, units);
                    shelf.returned_for_sure.add(cancelled.by, units);
                }
            }
        }
    }
}

/// By zone: from when on an order may have been made of which nobody ever heard.
fn open_from(book: &Book<'_>) -> Vec<Micros> {
    let mut open = vec![NEVER; book.stage.zones.len()];
    for key in &book.keys {
        if let (Some(from), Some(zone)) = (book.may_hide_order_from(key), open.get_mut(key.zone.0 as usize)) {
            *zone = from.min(*zone);
        }
    }
    open
}

/// Units that moved at known moments, summed up.
#[derive(Debug, Default, Clone)]
struct Sums(Vec<(Micros, i64)>);

impl Sums {
    fn add(&mut self, moment: Micros, units: i64) {
        self.0.push((moment, units));
    }

    /// From single moves to sums.
    fn sort(&mut self) {
        self.0.sort_unstable();
        let mut sum = 0;
        for (_, units) in &mut self.0 {
            sum += *units;
            *units = sum;
        }
    }

    fn before(&self, moment: Micros) -> i64 {
        self.first(self.0.partition_point(|(at, _)| *at < moment))
    }

    fn up_to(&self, moment: Micros) -> i64 {
        self.first(self.0.partition_point(|(at, _)| *at <= moment))
    }

    fn first(&self, count: usize) -> i64 {
        self.0[..count].last().map_or(0, |(_, sum)| *sum)
    }
}

impl Shelf {
    fn sort(&mut self) {
        let Shelf {
            came_in, came_in_for_sure, ordered, ordered_for_sure, returned, returned_for_sure, ..
        } = self;
        for sums in [came_in, came_in_for_sure, ordered, ordered_for_sure, returned, returned_for_sure] {
            sums.sort();
        }
    }
}
