//! Made-up but lifelike calls: every category in every zone, and ids that spread like real ones.

use uuid::{Builder, Uuid};

use crate::calls::{Knows, Touch, Whose};
use crate::domain::Domain;
use crate::route::Constraint;
use crate::value::Value;

/// One buyer with a session, a cart and an order.
pub(super) struct Sample {
    /// Which sample it is; everything else follows from it.
    number: u64,
    zone: Value,
    categories: Vec<Value>,
}

/// Samples so many that each category in each zone meets several ids, and at least as many as show how the shards of
/// a checkout of a few items can fall together.
pub(super) fn samples(domain: &Domain) -> Vec<Sample> {
    const AT_LEAST: usize = 512;
    const AT_MOST: usize = 4096;
    const IDS_PER_COMBINATION: usize = 8;
    let zones = domain.values_of("geo_zone").unwrap_or_else(|| vec![Value::Null]);
    let categories = domain.values_of("category").unwrap_or_else(|| vec![Value::Null]);
    let combinations = zones.len() * categories.len();
    let count = (combinations * IDS_PER_COMBINATION).clamp(AT_LEAST, AT_MOST);
    let sample = |number: usize| {
        let (round, first) = (number / categories.len(), number % categories.len());
        let zone = zones[round % zones.len()].clone();
        let mut categories = categories.clone();
        categories.rotate_left(first);
        Sample { number: number as u64, zone, categories }
    };
    (0..count).map(sample).collect()
}

impl Sample {
    /// What this sample's call knows.
    pub(super) fn known(&self, touch: &Touch, domain: &Domain) -> Vec<(&'static str, Constraint)> {
        let constraint = |field: &'static str, knows| match knows {
            Knows::Value => Constraint::Eq(self.value(field, touch.whose)),
            Knows::AnyZone => Constraint::In(domain.values_of(field).unwrap_or_default()),
            Knows::Span => self.span(field, touch.whose),
        };
        touch.knows.iter().map(|&(field, knows)| (field, constraint(field, knows))).collect()
    }

    fn value(&self, field: &str, whose: Whose) -> Value {
        let line = if let Whose::Line(line) = whose { line } else { 0 };
        let guest = whose == Whose::Guest;
        match field {
            "geo_zone" => self.zone.clone(),
            "category" => self.categories[line % self.categories.len()].clone(),
            "subcategory" => Value::from(["laptop", "phone", "tablet"][line % 3]),
            "product_id" => self.id(Purpose::Product(line)),
            "price" => Value::Int(self.price(line)),
            "order_id" => self.id(Purpose::Order),
            "created_at" => Value::Date(self.moment()),
            "period" => Value::from("2026-01"),
            "status" => Value::from("created"),
            "user_id" if guest => Value::Null,
            "owner_key" if !guest => self.id(Purpose::User),
            "user_id" => self.id(Purpose::User),
            // A user's cart keeps the session that began it, which is not the guest's of today.
            "session_id" | "owner_key" => self.id(Purpose::Session { guest }),
            "cart_id" => self.id(Purpose::Cart { guest }),
            "email" => Value::from(format!("buyer{}@example.com", self.number)),
            // The table of calls names no other field, which a test proves.
            _ => Value::Null,
        }
    }

    fn span(&self, field: &str, whose: Whose) -> Constraint {
        const TEN_THOUSAND_ROUBLES: i64 = 1_000_000;
        const ONE_DAY_MS: i64 = 24 * 60 * 60 * 1000;
        let min = self.value(field, whose);
        let max = match min {
            Value::Int(amount) => Some(Value::Int(amount + TEN_THOUSAND_ROUBLES)),
            Value::Date(moment) => Some(Value::Date(moment + ONE_DAY_MS)),
            _ => None,
        };
        Constraint::Range { min: Some(min), max }
    }

    /// Up to 150,000 roubles, in kopecks.
    fn price(&self, line: usize) -> i64 {
        (self.random(Purpose::Price(line)) % 15_000_000) as i64
    }

    /// One order an hour from the beginning of 2026.
    fn moment(&self) -> i64 {
        const BEGINNING_MS: i64 = 1_767_225_600_000;
        const ONE_HOUR_MS: i64 = 60 * 60 * 1000;
        BEGINNING_MS + self.number as i64 * ONE_HOUR_MS
    }

    fn id(&self, purpose: Purpose) -> Value {
        let mut random = [0; 10];
        random[..8].copy_from_slice(&self.random(purpose).to_le_bytes());
        let id: Uuid = Builder::from_unix_timestamp_millis(self.moment().unsigned_abs(), &random).into_uuid();
        Value::Uuid(id)
    }

    /// A number that looks random and is the same in every run: the finishing step of SplitMix64.
    fn random(&self, purpose: Purpose) -> u64 {
        let mut bits = (self.number << 16 | purpose.tag()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// What a made-up number is for, so that a user and an order of one sample have different ids.
#[derive(Clone, Copy)]
enum Purpose {
    User,
    Order,
    Session { guest: bool },
    Cart { guest: bool },
    Product(usize),
    Price(usize),
}

impl Purpose {
    fn tag(self) -> u64 {
        match self {
            Purpose::User => 0,
            Purpose::Order => 1,
            Purpose::Session { guest } => 2 + u64::from(guest),
            Purpose::Cart { guest } => 4 + u64::from(guest),
            Purpose::Product(line) => 0x100 + line as u64,
            Purpose::Price(line) => 0x200 + line as u64,
        }
    }
}
