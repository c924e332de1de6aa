//! Things for the household.

use super::{Choosable, Gender, Kind, Model, Shelf};

pub(super) static KINDS: [Kind; 4] = [
    Kind {
        id: "fridge",
        category: Shelf::Appliances,
        share: 6,
        russian: "Холодильник",
        english: "Refrigerator",
        gender: Gender::He,
        models: &[
            Model("LG", "GC-B459", 56_000),
            Model("Samsung", "RB37", 61_000),
            Model("Haier", "C2F636", 54_000),
            Model("Bosch", "KGN39", 68_000),
            Model("ATLANT", "ХМ 4625", 38_000),
            Model("Indesit", "ITS 5200", 40_000),
        ],
        option: VOLUME,
        praise: &[
            "Размораживать его не нужно: работает No Frost.",
            "Инверторный компрессор тихий и бережливый.",
            "Зона свежести долго хранит овощи и зелень.",
        ],
    },
    Kind {
        id: "washer",
        category: Shelf::Appliances,
        share: 6,
        russian: "Стиральная машина",
        english: "Washing machine",
        gender: Gender::She,
        models: &[
            Model("LG", "F2J3", 45_000),
            Model("Samsung", "WW70", 43_000),
            Model("Haier", "HW70", 44_000),
            Model("Bosch", "WHA222", 52_000),
            Model("Candy", "RO4", 33_000),
            Model("Weissgauff", "WM 4726", 37_000),
        ],
        option: LOAD,
        praise: &[
            "Пар разглаживает складки и убирает запахи.",
            "Прямой привод не шумит и не бьёт при отжиме.",
            "Быстрая стирка занимает пятнадцать минут.",
        ],
    },
    Kind {
        id: "vacuum",
        category: Shelf::Appliances,
        share: 4,
        russian: "Пылесос",
        english: "Vacuum cleaner",
        gender: Gender::He,
        models: &[
            Model("Dyson", "V15 Detect", 59_000),
            Model("Roborock", "S8", 47_000),
            Model("Dreame", "L10s Pro", 42_000),
            Model("Xiaomi", "Robot Vacuum X20", 38_000),
            Model("Tefal", "X-Force 9.60", 29_000),
        ],
        option: RUNTIME,
        praise: &[
            "Собирает шерсть и с ковра, и с плитки.",
            "Сам строит карту квартиры и возвращается на базу.",
            "Фильтр моется под краном.",
        ],
    },
    Kind {
        id: "coffee",
        category: Shelf::Appliances,
        share: 4,
        russian: "Кофемашина",
        english: "Coffee machine",
        gender: Gender::She,
        models: &[
            Model("DeLonghi", "Magnifica S", 42_000),
            Model("Philips", "LatteGo 3200", 49_000),
            Model("Krups", "Essential", 37_000),
            Model("Jura", "E6", 88_000),
        ],
        option: PRESSURE,
        praise: &[
            "Мелет зёрна перед каждой чашкой.",
            "Капучино готовит одной кнопкой.",
            "Сама напомнит, когда пора её промыть.",
        ],
    },
];

const VOLUME: Choosable = Choosable {
    key: "volume",
    unit: (" л", " l"),
    values: &[("280", 0), ("320", 8), ("365", 16), ("420", 28)],
};

const LOAD: Choosable = Choosable {
    key: "load",
    unit: (" кг", " kg"),
    values: &[("6", 0), ("7", 6), ("8", 12), ("9", 20), ("10.5", 34)],
};

const RUNTIME: Choosable = Choosable {
    key: "runtime",
    unit: (" мин", " min"),
    values: &[("45", 0), ("60", 8), ("90", 17), ("120", 30)],
};

const PRESSURE: Choosable =
    Choosable { key: "pressure", unit: (" бар", " bar"), values: &[("15", 0), ("19", 10), ("20", 16)] };
