//! Small things that go with the others.

use super::{Choosable, Gender, Kind, Model, Shelf};

pub(super) static KINDS: [Kind; 4] = [
    Kind {
        id: "case",
        category: Shelf::Accessories,
        share: 2,
        russian: "Чехол",
        english: "Case",
        gender: Gender::He,
        models: &[
            Model("Spigen", "Liquid Air", 2_300),
            Model("UAG", "Pathfinder", 4_900),
            Model("Deppa", "Gel", 1_100),
            Model("Nillkin", "CamShield", 1_700),
        ],
        option: FIT,
        praise: &["Защищает углы и камеру при падении.", "Не скользит в руке и не желтеет."],
    },
    Kind {
        id: "charger",
        category: Shelf::Accessories,
        share: 2,
        russian: "Зарядное устройство",
        english: "Charger",
        gender: Gender::It,
        models: &[
            Model("Anker", "Nano", 2_900),
            Model("Baseus", "GaN5", 3_400),
            Model("Apple", "USB-C", 2_700),
            Model("Ugreen", "Nexode", 3_900),
        ],
        option: WATTS,
        praise: &["Заряжает ноутбук и телефон одновременно.", "Не греется и не занимает соседнюю розетку."],
    },
    Kind {
        id: "watch",
        category: Shelf::Accessories,
        share: 3,
        russian: "Умные часы",
        english: "Smart watch",
        gender: Gender::They,
        models: &[
            Model("Apple", "Watch Series 10", 46_000),
            Model("Samsung", "Galaxy Watch7", 27_000),
            Model("Garmin", "Forerunner 265", 49_000),
            Model("Amazfit", "GTR 4", 17_000),
            Model("HUAWEI", "Watch GT 5", 23_000),
        ],
        option: STRAP,
        praise: &[
            "Считают шаги, пульс и сон.",
            "Показывают сообщения и отвечают на звонки.",
            "Ремешок меняется без инструмента.",
        ],
    },
    Kind {
        id: "powerbank",
        category: Shelf::Accessories,
        share: 1,
        russian: "Внешний аккумулятор",
        english: "Power bank",
        gender: Gender::He,
        models: &[
            Model("Anker", "PowerCore", 3_900),
            Model("Xiaomi", "Power Bank 3", 2_400),
            Model("Baseus", "Bowie", 2_100),
        ],
        option: CAPACITY,
        praise: &["Заряжает два устройства сразу.", "Разрешён к перевозке в ручной клади."],
    },
];

const FIT: Choosable = Choosable {
    key: "fits",
    unit: ("", ""),
    values: &[
        ("Galaxy A55", 0),
        ("Galaxy S24", 4),
        ("iPhone 15", 10),
        ("iPhone 16 Pro", 15),
        ("Redmi Note 13", 0),
    ],
};

const WATTS: Choosable = Choosable {
    key: "power",
    unit: (" Вт", " W"),
    values: &[("20", 0), ("33", 15), ("65", 45), ("100", 90)],
};

const STRAP: Choosable =
    Choosable { key: "size", unit: (" мм", " mm"), values: &[("40", 0), ("42", 3), ("44", 7), ("47", 12)] };

const CAPACITY: Choosable = Choosable {
    key: "capacity",
    unit: (" мА·ч", " mAh"),
    values: &[("5000", 0), ("10000", 20), ("20000", 70), ("30000", 120)],
};
