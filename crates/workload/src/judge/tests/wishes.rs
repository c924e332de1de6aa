//! What a client thinks of next.

use rand::RngExt;

use crate::record::{Asked, Caller};
use crate::stage::{ProductNo, UserNo, ZoneNo};

use super::world::World;

impl World {
    pub(super) fn wish(&mut self, client: usize) -> Asked {
        let product = ProductNo(self.dice.random_range(0..self.weather.products));
        let zone = ZoneNo(self.dice.random_range(0..2));
        let client = &self.clients[client];
        let known = client.orders.len();
        let chance = self.dice.random_range(0..100);
        let put = Asked::Put { product, quantity: self.dice.random_range(1..4) };
        match client.by {
            Caller::Shop if chance < 40 => {
                Asked::Restock { product, zone, units: self.dice.random_range(1..5) }
            }
            Caller::Shop if chance < 60 => {
                Asked::Reprice { product, price: self.dice.random_range(100..103) }
            }
            Caller::Shop => Asked::Stock(product),
            Caller::Guest(_) if chance < 50 => put,
            Caller::Guest(_) if chance < 60 => Asked::Remove(product),
            Caller::Guest(_) if chance < 75 => Asked::Cart,
            Caller::Guest(_) => Asked::Login(UserNo(self.dice.random_range(0..self.weather.users))),
            Caller::User(_) if chance < 35 => put,
            Caller::User(_) if chance < 42 => Asked::Remove(product),
            Caller::User(_) if chance < 55 => Asked::Cart,
            Caller::User(_) if chance < 75 || known == 0 => {
                Asked::Place { key: self.calls.len().to_string(), zone, expect_total: None }
            }
            Caller::User(_) => {
                let order = client.orders[self.dice.random_range(0..known)];
                match chance {
                    75..82 => Asked::Pay(order),
                    82..86 => Asked::Cancel(order),
                    86..93 => Asked::Order(order),
                    _ => Asked::History { limit: 2, cursor: None },
                }
            }
        }
    }
}
