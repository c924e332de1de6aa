//! What is read when the run is over.

use crate::record::{Asked, Call, Caller, Evidence, Got, Micros};
use crate::stage::{ProductNo, UserNo};

use super::world::World;

/// A second.
const SECOND: Micros = 1_000_000;

impl World {
    /// Reads everything. What is still under way may land between two readings.
    pub(super) fn evidence(mut self) -> Evidence {
        let now = self.calls.iter().map(|call| call.ended).max().unwrap_or(0) + SECOND;
        let mut reader = Reader { now, readings: Vec::new() };
        for no in 0..self.weather.products {
            reader.read(&mut self, Caller::Shop, Asked::Stock(ProductNo(no)));
        }
        let guests = self.clients.iter().map(|client| client.by);
        let guests: Vec<Caller> = guests.filter(|by| matches!(by, Caller::Guest(_))).collect();
        for guest in guests {
            reader.read(&mut self, guest, Asked::Cart);
        }
        for no in 0..self.weather.users {
            let user = Caller::User(UserNo(no));
            reader.read(&mut self, user, Asked::Cart);
            let mut cursor = None;
            while let Got::Orders { items, next } =
                reader.read(&mut self, user, Asked::History { limit: 3, cursor })
            {
                for order in items {
                    reader.read(&mut self, user, Asked::Order(order.id));
                }
                cursor = next;
                if cursor.is_none() {
                    break;
                }
            }
        }
        self.calls.sort_by_key(|call| call.sent);
        Evidence { stage: self.stage, calls: self.calls, readings: reader.readings }
    }
}

/// Reads after the end, slowly.
struct Reader {
    now: Micros,
    readings: Vec<Call>,
}

impl Reader {
    fn read(&mut self, world: &mut World, by: Caller, asked: Asked) -> Got {
        self.now += SECOND / 10;
        world.catch_up(self.now);
        let got = world.shop.carry_out(by, &asked, self.now);
        let (sent, ended) = (self.now - 5, self.now + 4);
        self.readings.push(Call { n: None, attempt: 0, by, sent, ended, asked, got: got.clone() });
        got
    }
}
