//! What an electronics shop sells: kinds of things, their makers and models, with the list price of each.

mod accessories;
mod appliances;
mod audio;
mod electronics;

/// Everything on sale. The shares make a hundred; most list prices stand between 30,000 and 80,000 roubles, so that
/// the catalogue's prices crowd round 50,000.
pub(super) fn all() -> impl Iterator<Item = &'static Kind> {
    let shelves: [&[Kind]; 4] = [&electronics::KINDS, &audio::KINDS, &appliances::KINDS, &accessories::KINDS];
    shelves.into_iter().flatten()
}

/// The default categories, in the order in which a store with other ones is dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shelf {
    Electronics,
    Audio,
    Appliances,
    Accessories,
}

impl Shelf {
    /// The category's name in a store that kept the default ones.
    pub(super) fn id(self) -> &'static str {
        match self {
            Shelf::Electronics => "electronics",
            Shelf::Audio => "audio",
            Shelf::Appliances => "appliances",
            Shelf::Accessories => "accessories",
        }
    }
}

/// One kind of thing.
#[derive(Debug)]
pub(super) struct Kind {
    /// The subcategory.
    pub(super) id: &'static str,
    pub(super) category: Shelf,
    /// How many of a hundred products are of this kind.
    pub(super) share: u64,
    /// «Смартфон»
    pub(super) russian: &'static str,
    /// "Smartphone"
    pub(super) english: &'static str,
    /// Whether its colours are said of a he, a she, an it or a they in Russian.
    pub(super) gender: Gender,
    pub(super) models: &'static [Model],
    /// What a buyer chooses beside the colour.
    pub(super) option: Choosable,
    /// Sentences about it.
    pub(super) praise: &'static [&'static str],
}

/// Grammatical gender, as far as an adjective needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gender {
    He,
    She,
    It,
    They,
}

/// Maker, model, list price in roubles.
#[derive(Debug)]
pub(super) struct Model(pub(super) &'static str, pub(super) &'static str, pub(super) u64);

/// A property with its values; each value adds so many percent to the price.
#[derive(Debug)]
pub(super) struct Choosable {
    pub(super) key: &'static str,
    /// The unit in Russian and English, with its leading space.
    pub(super) unit: (&'static str, &'static str),
    pub(super) values: &'static [(&'static str, u64)],
}
