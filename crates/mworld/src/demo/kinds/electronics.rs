//! Phones, tablets, laptops, televisions, cameras.

use super::{Choosable, Gender, Kind, Model, Shelf};

pub(super) static KINDS: [Kind; 5] = [
    Kind {
        id: "phone",
        category: Shelf::Electronics,
        share: 24,
        russian: "Смартфон",
        english: "Smartphone",
        gender: Gender::He,
        models: &[
            Model("Samsung", "Galaxy A55", 40_000),
            Model("Samsung", "Galaxy S24", 68_000),
            Model("Samsung", "Galaxy S24 Ultra", 104_000),
            Model("Apple", "iPhone 15", 72_000),
            Model("Apple", "iPhone 16 Pro", 112_000),
            Model("Xiaomi", "14T", 46_000),
            Model("Xiaomi", "Redmi Note 13 Pro", 27_000),
            Model("HONOR", "200", 42_000),
            Model("HONOR", "Magic6 Pro", 74_000),
            Model("realme", "GT 6", 45_000),
            Model("Google", "Pixel 8", 50_000),
            Model("OnePlus", "12R", 47_000),
            Model("HUAWEI", "Pura 70", 60_000),
            Model("TECNO", "Camon 30", 22_000),
        ],
        option: MEMORY,
        praise: &[
            "Яркий экран с частотой 120 Гц хорошо виден на солнце.",
            "Камера снимает чётко и при слабом свете.",
            "Батареи хватает на день с запасом, а заряжается она меньше чем за час.",
            "Корпус защищён от пыли и брызг.",
        ],
    },
    Kind {
        id: "tablet",
        category: Shelf::Electronics,
        share: 8,
        russian: "Планшет",
        english: "Tablet",
        gender: Gender::He,
        models: &[
            Model("Apple", "iPad Air 11", 62_000),
            Model("Apple", "iPad 10", 38_000),
            Model("Samsung", "Galaxy Tab S9 FE", 41_000),
            Model("Samsung", "Galaxy Tab S10", 82_000),
            Model("Xiaomi", "Pad 6S Pro", 48_000),
            Model("HUAWEI", "MatePad 11.5", 34_000),
            Model("Lenovo", "Tab P12", 33_000),
        ],
        option: MEMORY,
        praise: &[
            "Большой экран удобен для книг, уроков и кино.",
            "Работает с пером и клавиатурой.",
            "Четыре динамика дают объёмный звук.",
        ],
    },
    Kind {
        id: "laptop",
        category: Shelf::Electronics,
        share: 16,
        russian: "Ноутбук",
        english: "Laptop",
        gender: Gender::He,
        models: &[
            Model("ASUS", "Vivobook 15", 47_000),
            Model("ASUS", "Zenbook 14", 84_000),
            Model("Lenovo", "IdeaPad Slim 5", 58_000),
            Model("Lenovo", "ThinkPad E14", 79_000),
            Model("HP", "Pavilion 15", 55_000),
            Model("Acer", "Aspire 5", 44_000),
            Model("Acer", "Swift Go 14", 66_000),
            Model("MSI", "Modern 15", 48_000),
            Model("HUAWEI", "MateBook D 16", 56_000),
            Model("Apple", "MacBook Air 13", 98_000),
            Model("HONOR", "MagicBook X16", 46_000),
        ],
        option: DISK,
        praise: &[
            "Тонкий и лёгкий, помещается в обычную сумку.",
            "Матовый экран не бликует, а клавиатура подсвечивается.",
            "Быстрый накопитель открывает систему за несколько секунд.",
            "Работает без розетки до десяти часов.",
        ],
    },
    Kind {
        id: "tv",
        category: Shelf::Electronics,
        share: 8,
        russian: "Телевизор",
        english: "TV",
        gender: Gender::He,
        models: &[
            Model("Samsung", "Crystal UHD DU7100", 38_000),
            Model("LG", "QNED80", 52_000),
            Model("LG", "OLED evo C4", 92_000),
            Model("Hisense", "E7NQ", 36_000),
            Model("TCL", "C655", 41_000),
            Model("Sber", "SDX-UQ", 28_000),
            Model("Xiaomi", "TV A Pro", 31_000),
        ],
        option: DIAGONAL,
        praise: &[
            "Разрешение 4К и поддержка HDR показывают каждую тень.",
            "Все привычные кинотеатры уже установлены.",
            "Рамка почти незаметна, подходит для крепления на стену.",
        ],
    },
    Kind {
        id: "camera",
        category: Shelf::Electronics,
        share: 4,
        russian: "Фотокамера",
        english: "Camera",
        gender: Gender::She,
        models: &[
            Model("Canon", "EOS R50", 66_000),
            Model("Nikon", "Z30", 62_000),
            Model("Sony", "ZV-E10", 64_000),
            Model("FUJIFILM", "X-T30 II", 86_000),
            Model("Panasonic", "Lumix G100D", 54_000),
        ],
        option: LENS,
        praise: &[
            "Автофокус следит за глазами людей и животных.",
            "Снимает видео 4К без кадрирования.",
            "Удобна и для блога, и для семейного альбома.",
        ],
    },
];

const MEMORY: Choosable = Choosable {
    key: "memory",
    unit: (" ГБ", " GB"),
    values: &[("6/128", 0), ("8/128", 5), ("8/256", 12), ("12/256", 20), ("12/512", 34)],
};

const DISK: Choosable = Choosable {
    key: "memory",
    unit: (" ГБ", " GB"),
    values: &[("8/256", 0), ("8/512", 7), ("16/512", 15), ("16/1024", 26), ("32/1024", 42)],
};

const DIAGONAL: Choosable = Choosable {
    key: "diagonal",
    unit: ("\"", "\""),
    values: &[("43", 0), ("50", 14), ("55", 28), ("65", 60), ("75", 120)],
};

const LENS: Choosable = Choosable {
    key: "kit",
    unit: ("", ""),
    values: &[("Body", 0), ("Kit 16-50", 14), ("Kit 18-105", 25), ("Kit 24-70", 45)],
};
