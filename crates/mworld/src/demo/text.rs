//! One item of a kind: model, option, colour; and the words that describe it.

use super::dice::{Dice, stir};
use super::kinds::{Gender, Kind, Model};

/// The language of a name. A shop that imports goods lists some of them under their maker's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Russian,
    English,
}

impl Language {
    /// Every sixth product is named in English.
    pub(super) fn of(n: u64) -> Language {
        if n % 6 == 5 { Language::English } else { Language::Russian }
    }
}

/// English, and Russian said of a he, a she, an it and a they.
struct Colour {
    english: &'static str,
    russian: [&'static str; 4],
}

static COLOURS: [Colour; 8] = [
    Colour { english: "black", russian: ["чёрный", "чёрная", "чёрное", "чёрные"] },
    Colour { english: "white", russian: ["белый", "белая", "белое", "белые"] },
    Colour {
        english: "silver", russian: ["серебристый", "серебристая", "серебристое", "серебристые"]
    },
    Colour {
        english: "graphite", russian: ["графитовый", "графитовая", "графитовое", "графитовые"]
    },
    Colour { english: "blue", russian: ["синий", "синяя", "синее", "синие"] },
    Colour {
        english: "green", russian: ["зелёный", "зелёная", "зелёное", "зелёные"]
    },
    Colour {
        english: "red", russian: ["красный", "красная", "красное", "красные"]
    },
    Colour {
        english: "beige", russian: ["бежевый", "бежевая", "бежевое", "бежевые"]
    },
];

/// A model in one colour and with one option; `batch` counts how often the whole kind has been gone through.
pub(super) struct Item {
    kind: &'static Kind,
    model: &'static Model,
    option: (&'static str, u64),
    colour: &'static Colour,
    batch: u64,
}

impl Item {
    /// The `number`th item of a kind. All combinations come before the first one comes again, as another batch, so
    /// that no two items of a catalogue have the same name.
    pub(super) fn nth(kind: &'static Kind, number: u64, seed: u64) -> Item {
        let (models, options, colours) =
            (kind.models.len() as u64, kind.option.values.len() as u64, COLOURS.len() as u64);
        let combinations = models * options * colours;
        // A step without a common divisor goes through all combinations in an order that looks like none; 7919 is
        // a prime, and no kind has a multiple of it in combinations.
        let mixed = (number % combinations * 7919 + stir(seed) % combinations) % combinations;
        let index = |value: u64| usize::try_from(value).expect("an index into a table of this file");
        Item {
            kind,
            model: &kind.models[index(mixed % models)],
            option: kind.option.values[index(mixed / models % options)],
            colour: &COLOURS[index(mixed / models / options)],
            batch: number / combinations,
        }
    }

    /// «Смартфон Samsung Galaxy A55 8/256 ГБ, чёрный»
    pub(super) fn name(&self, language: Language) -> String {
        let Model(maker, model, _) = self.model;
        let (option, _) = self.option;
        let (kind, unit, colour) = match language {
            Language::Russian => (self.kind.russian, self.kind.option.unit.0, self.russian_colour()),
            Language::English => (self.kind.english, self.kind.option.unit.1, self.colour.english),
        };
        let batch = match (self.batch, language) {
            (0, _) => String::new(),
            (batch, Language::Russian) => format!(", партия {}", batch + 1),
            (batch, Language::English) => format!(", batch {}", batch + 1),
        };
        format!("{kind} {maker} {model} {option}{unit}, {colour}{batch}")
    }

    /// One to three sentences.
    pub(super) fn description(&self, dice: &mut Dice) -> String {
        let Model(maker, model, _) = self.model;
        let mut text = format!("{} {maker} {model}: новинка с гарантией производителя.", self.kind.russian);
        let praise = self.kind.praise;
        let first = dice.below(praise.len() as u64);
        for i in 0..dice.below(3) {
            let index = (first + i) % praise.len() as u64;
            text.push(' ');
            text.push_str(praise[usize::try_from(index).expect("an index into a short list")]);
        }
        text
    }

    /// What stands in the item's own card, most important first.
    pub(super) fn properties(&self) -> Vec<(&'static str, String)> {
        let Model(maker, model, _) = self.model;
        let (option, _) = self.option;
        let mut list = vec![
            ("brand", (*maker).to_owned()),
            ("model", (*model).to_owned()),
            ("color", self.colour.english.to_owned()),
        ];
        // «8/256» is two properties that people filter by, working memory and storage.
        match option.split_once('/').filter(|_| self.kind.option.key == "memory") {
            Some((ram, storage)) => {
                list.push(("ram", ram.to_owned()));
                list.push(("memory", storage.to_owned()));
            }
            None => list.push((self.kind.option.key, option.to_owned())),
        }
        list
    }

    /// The list price in roubles with the chosen option.
    pub(super) fn list_price(&self) -> u64 {
        let Model(_, _, base) = self.model;
        base * (100 + self.option.1) / 100
    }

    fn russian_colour(&self) -> &'static str {
        self.colour.russian[match self.kind.gender {
            Gender::He => 0,
            Gender::She => 1,
            Gender::It => 2,
            Gender::They => 3,
        }]
    }
}
