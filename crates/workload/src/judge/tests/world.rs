//! A world around the shop: buyers in a hurry, answers that get lost, a shop that dies and comes back.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use mworld_shop::OrderId;
use mworld_shop::cart::MergePolicy;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::record::{Asked, Call, Caller, Evidence, Got, Micros, Why};
use crate::stage::{Stage, UserNo};

use super::model::Shop;
use super::story::stage;

const SECOND: Micros = 1_000_000;

/// How unkind a world is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weather {
    /// Calls.
    pub(super) calls: usize,
    /// Answers lost, of a hundred.
    pub(super) lost: u32,
    /// How often the shop dies.
    pub(super) deaths: u32,
    pub(super) products: u32,
    pub(super) users: u32,
    /// How long a call may take, in microseconds.
    pub(super) slowest: Micros,
}

/// Somebody with a session.
#[derive(Debug, Clone)]
pub(super) struct Client {
    pub(super) by: Caller,
    pub(super) orders: Vec<OrderId>,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A client thinks of something.
    Step(usize),
    /// The shop carries a call out.
    CarryOut(usize),
    /// A call ends at its client.
    End(usize),
    /// The sweeper goes round.
    Sweep,
}

pub(super) struct World {
    pub(super) dice: ChaCha8Rng,
    pub(super) weather: Weather,
    pub(super) stage: Stage,
    pub(super) shop: Shop,
    pub(super) clients: Vec<Client>,
    pub(super) calls: Vec<Call>,
    /// Whose call it is, and what the shop said; `None` until it was carried out.
    said: Vec<(usize, Option<Got>)>,
    /// When the shop was dead.
    deaths: Vec<(Micros, Micros)>,
    events: BinaryHeap<Reverse<(Micros, Event)>>,
    guests: u64,
    /// Calls that have not ended.
    waiting: usize,
}

/// A run in such a world, and what is read after it.
pub(super) fn run(seed: u64, weather: Weather) -> Evidence {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let policies = [MergePolicy::Sum, MergePolicy::Max, MergePolicy::Guest, MergePolicy::User];
    let policy = policies[dice.random_range(0..4)];
    let stage = stage(weather.products, weather.users);
    let shop = Shop::open(&stage, policy);
    let length = weather.calls as Micros * SECOND / 8;
    let deaths = (0..weather.deaths).map(|_| {
        let from = dice.random_range(0..length);
        (from, from + dice.random_range(SECOND / 10..3 * SECOND))
    });
    let deaths = deaths.collect();
    let mut world = World {
        dice,
        weather,
        stage,
        shop,
        clients: Vec::new(),
        calls: Vec::new(),
        said: Vec::new(),
        deaths,
        events: BinaryHeap::new(),
        guests: 0,
        waiting: 0,
    };
    // User 0 buys in two sessions at once, as a wholesale buyer does.
    for user in (0..weather.users).chain([0]) {
        world.arrive(Caller::User(UserNo(user)), 1);
    }
    for _ in 0..3 {
        world.guest(1);
    }
    world.arrive(Caller::Shop, 1);
    for round in 1..=(2 * length / SECOND) {
        world.events.push(Reverse((round * SECOND, Event::Sweep)));
    }
    world.live();
    world.evidence()
}

impl World {
    fn arrive(&mut self, by: Caller, now: Micros) {
        self.clients.push(Client { by, orders: Vec::new() });
        let soon = now + self.dice.random_range(0..SECOND);
        self.events.push(Reverse((soon, Event::Step(self.clients.len() - 1))));
    }

    fn guest(&mut self, now: Micros) {
        self.guests += 1;
        self.arrive(Caller::Guest(self.guests), now);
    }

    /// Lives on while there is a client to be answered.
    fn live(&mut self) {
        while self.waiting > 0 || self.calls.len() < self.weather.calls {
            let Some(Reverse((now, event))) = self.events.pop() else { return };
            self.happen(now, event);
        }
    }

    /// Lets happen what is due.
    pub(super) fn catch_up(&mut self, until: Micros) {
        while self.events.peek().is_some_and(|Reverse((at, _))| *at <= until) {
            if let Some(Reverse((now, event))) = self.events.pop() {
                self.happen(now, event);
            }
        }
    }

    fn happen(&mut self, now: Micros, event: Event) {
        match event {
            Event::Step(client) if self.calls.len() < self.weather.calls => self.step(client, now),
            Event::Step(_) => {}
            Event::CarryOut(call) => {
                let asked = self.calls[call].asked.clone();
                self.said[call].1 = Some(self.shop.carry_out(self.calls[call].by, &asked, now));
            }
            Event::End(call) => self.end(call, now),
            Event::Sweep => self.shop.sweep(now),
        }
    }

    fn step(&mut self, client: usize, now: Micros) {
        let asked = self.wish(client);
        self.send(client, asked, 0, now);
        // Some do not wait for the answer.
        if self.dice.random_range(0..4) == 0 {
            let soon = now + self.dice.random_range(0..SECOND / 2);
            self.events.push(Reverse((soon, Event::Step(client))));
        }
    }

    fn send(&mut self, client: usize, asked: Asked, attempt: u32, now: Micros) {
        let id = self.calls.len();
        let lasts = self.dice.random_range(1..self.weather.slowest);
        let mut call = Call {
            n: Some(id as u64),
            attempt,
            by: self.clients[client].by,
            sent: now,
            ended: now + lasts,
            asked,
            got: Got::Done,
        };
        let mut carried_out = Some(now + self.dice.random_range(0..=lasts));
        let dead = |at: Micros| self.deaths.iter().find(|(from, to)| (*from..*to).contains(&at));
        if dead(now).is_some() {
            (call.got, carried_out) = (Got::Unknown(Why::NotConnected), None);
        } else if let Some((from, _)) = self.deaths.iter().find(|(from, _)| (now..now + lasts).contains(from))
        {
            call.got = Got::Unknown(Why::Cut);
            call.ended = *from;
            carried_out = carried_out.filter(|at| at < from);
        } else if self.dice.random_range(0..100) < self.weather.lost {
            call.got = Got::Unknown(Why::TimedOut);
            carried_out = match self.dice.random_range(0..3) {
                0 => None,
                1 => carried_out,
                _ => Some(now + lasts + self.dice.random_range(0..20 * SECOND)),
            };
            carried_out = carried_out.filter(|at| dead(*at).is_none());
        }
        if let Some(at) = carried_out {
            self.events.push(Reverse((at, Event::CarryOut(id))));
        }
        self.events.push(Reverse((call.ended, Event::End(id))));
        self.waiting += 1;
        self.calls.push(call);
        self.said.push((client, None));
    }

    fn end(&mut self, id: usize, now: Micros) {
        self.waiting -= 1;
        let client = self.said[id].0;
        let lost = matches!(self.calls[id].got, Got::Unknown(_));
        if !lost {
            self.calls[id].got = self.said[id].1.clone().expect("an answered call was carried out");
        }
        if let Got::Order { order, .. } = &self.calls[id].got {
            self.clients[client].orders.push(order.id);
        }
        let later = now + self.dice.random_range(1..SECOND);
        match (&self.calls[id].asked, lost) {
            (Asked::Place { .. }, true) => {
                let (asked, attempt) = (self.calls[id].asked.clone(), self.calls[id].attempt + 1);
                self.send(client, asked, attempt, later);
            }
            (Asked::Login(_), true) => self.guest(later),
            (_, false) if matches!(&self.calls[id].got, Got::Refused { code, .. } if code == "unauthorized") =>
            {
                // Another call of the same guest has logged in; that one goes on.
            }
            (Asked::Login(user), false) => {
                let user = *user;
                self.clients[client].by = Caller::User(user);
                self.guest(later);
                self.events.push(Reverse((later, Event::Step(client))));
            }
            _ => self.events.push(Reverse((later, Event::Step(client)))),
        }
    }
}
