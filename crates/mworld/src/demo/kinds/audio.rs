//! Things that play.

use super::{Choosable, Gender, Kind, Model, Shelf};

pub(super) static KINDS: [Kind; 4] = [
    Kind {
        id: "headphones",
        category: Shelf::Audio,
        share: 5,
        russian: "Наушники",
        english: "Headphones",
        gender: Gender::They,
        models: &[
            Model("Sony", "WH-1000XM5", 34_000),
            Model("Apple", "AirPods Max", 54_000),
            Model("JBL", "Tour One M2", 26_000),
            Model("Sennheiser", "Momentum 4", 32_000),
            Model("Marshall", "Major V", 17_000),
            Model("HUAWEI", "FreeBuds Pro 3", 14_000),
        ],
        option: LINK,
        praise: &[
            "Шумоподавление убирает гул метро и самолёта.",
            "Мягкие амбушюры не устают за день.",
            "Одной зарядки хватает на тридцать часов музыки.",
        ],
    },
    Kind {
        id: "speaker",
        category: Shelf::Audio,
        share: 3,
        russian: "Колонка",
        english: "Speaker",
        gender: Gender::She,
        models: &[
            Model("JBL", "PartyBox 110", 36_000),
            Model("Яндекс", "Станция Макс", 33_000),
            Model("Marshall", "Stanmore III", 45_000),
            Model("Sber", "SberBoom", 15_000),
            Model("Bose", "SoundLink Max", 42_000),
        ],
        option: POWER,
        praise: &[
            "Звучит глубоко и громко, хватает на большую комнату.",
            "Понимает голосовые команды по-русски.",
            "Не боится дождя и бассейна.",
        ],
    },
    Kind {
        id: "soundbar",
        category: Shelf::Audio,
        share: 3,
        russian: "Саундбар",
        english: "Soundbar",
        gender: Gender::He,
        models: &[
            Model("Samsung", "HW-Q800D", 56_000),
            Model("LG", "S77TY", 42_000),
            Model("JBL", "Bar 500", 47_000),
            Model("Sony", "HT-S2000", 39_000),
        ],
        option: POWER,
        praise: &[
            "Диалоги слышны ясно, а бас идёт от отдельного сабвуфера.",
            "Поддерживает Dolby Atmos.",
            "Подключается одним кабелем.",
        ],
    },
    Kind {
        id: "turntable",
        category: Shelf::Audio,
        share: 1,
        russian: "Виниловый проигрыватель",
        english: "Turntable",
        gender: Gender::He,
        models: &[
            Model("Audio-Technica", "AT-LP120X", 38_000),
            Model("Pro-Ject", "T1 Evo", 49_000),
            Model("Rega", "Planar 1", 57_000),
        ],
        option: LINK,
        praise: &["Ровный ход и тихий привод.", "Тонарм настроен на заводе, остаётся поставить пластинку."],
    },
];

const LINK: Choosable = Choosable {
    key: "connection",
    unit: ("", ""),
    values: &[("Bluetooth 5.3", 0), ("Bluetooth 5.4 + AUX", 5), ("Wi-Fi", 9), ("USB-C", 3)],
};

const POWER: Choosable = Choosable {
    key: "power",
    unit: (" Вт", " W"),
    values: &[("60", 0), ("120", 12), ("240", 25), ("400", 45)],
};
