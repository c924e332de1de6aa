//! A whole run: set-up, schedule, what is left to ask, report.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::clock::{self, Arrival};
use super::error::Error;
use super::evidence;
use super::flight::Flight;
use super::handover::Handover;
use super::journey::needs_session;
use super::live::{Live, Phase};
use super::notes::Notes;
use super::set_up::set_up;
use super::site::Site;
use super::step;
use super::stop::Stop;
use super::store::Store;
use crate::plan::{Act, Arrivals, BLOCK, Buyer, Planner};
use crate::record::Evidence;
use crate::report::{Conditions, Report};
use crate::scenario::Scenario;

/// Beyond so many operations it is not looked up which users a plan names: they will be nearly all.
const LONGEST_LOOK_AHEAD: u64 = 300_000;

/// Between set-up and the first operation: time for the plan to get ahead of the clock.
const BEFORE_START: Duration = Duration::from_millis(100);

/// What is sent.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// The scenario.
    pub scenario: Scenario,
    /// The seed of the plan.
    pub seed: u64,
    /// Mean operations a second.
    pub rate: f64,
    /// Length of the schedule.
    pub duration: Duration,
    /// The most steps in flight at once.
    pub in_flight: u64,
}

/// A run that is over.
#[derive(Debug, Clone)]
pub struct Finished {
    /// What was measured.
    pub report: Report,
    /// What the judge needs, if it was wanted; an error if it could not be had.
    pub evidence: Option<Result<Evidence, Error>>,
}

/// Drives one store. With `verify` every call is kept, and what is left is read after the end.
pub async fn run(
    store: &Store,
    traffic: &Traffic,
    verify: bool,
    live: &Arc<Live>,
    stop: &Arc<Stop>,
) -> Result<Finished, Error> {
    let (site, conditions) = prepare(store, traffic, verify, live).await?;
    let mut planner = traffic.planner();
    let arrivals = (0..traffic.scheduled()).map(move |n| {
        let step = planner.operation(n);
        Arrival { due: step.at, site: 0, step }
    });
    drive(vec![Arc::clone(&site)], arrivals, traffic.in_flight, live, stop).await;
    let evidence = if verify { Some(evidence::gather(&site, live).await) } else { None };
    Ok(Finished { report: traffic.report(&site, conditions), evidence })
}

/// Makes a site of a store.
pub(super) async fn prepare(
    store: &Store,
    traffic: &Traffic,
    verify: bool,
    live: &Live,
) -> Result<(Arc<Site>, Conditions), Error> {
    let began = Instant::now();
    let cast = traffic.scenario.cast(traffic.seed);
    let wanted = traffic.users_named(cast.users);
    let made = set_up(store, cast, &wanted, live).await?;
    let conditions = Conditions {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        url: store.url(),
        started_at: jiff::Timestamp::now().to_string(),
        in_flight_limit: traffic.in_flight,
        timeout_s: store.timeout.as_secs_f64(),
        products: made.stage.products.len() as u64,
        users: made.sessions.iter().flatten().count() as u64,
        zones: made.stage.zones.clone(),
        lateness_p99_ms: 0.0,
        setup_s: began.elapsed().as_secs_f64(),
        ended_early: false,
        scenario_text: traffic.scenario.source.text.to_string(),
    };
    Ok((Arc::new(Site::new(made, verify.then(Notes::default))), conditions))
}

/// Lets the clock release all arrivals, and waits until nothing is in flight any more.
pub(super) async fn drive(
    sites: Vec<Arc<Site>>,
    arrivals: impl Iterator<Item = Arrival> + Send + 'static,
    in_flight: u64,
    live: &Arc<Live>,
    stop: &Arc<Stop>,
) {
    live.enter(Phase::Driving);
    let flight = Flight::new(in_flight, Arc::clone(&live.in_flight));
    let (over, end) = oneshot::channel();
    let start = Instant::now() + BEFORE_START;
    let planned = clock::plan_ahead(arrivals);
    let handover = Arc::new(Handover::default());
    let collecting = tokio::spawn(Arc::clone(&handover).collect());
    let release = releaser(sites, Arc::clone(&flight), handover, Arc::clone(live));
    let stop = Arc::clone(stop);
    clock::spawn("clock", move || {
        clock::run(start, &planned, &stop, release);
        // Whoever waited for it may have been dropped; then nobody needs to know.
        let _ = over.send(());
    });
    end.await.expect("the clock sends before it ends");
    live.enter(Phase::Settling);
    flight.empty().await;
    collecting.abort();
}

/// What the clock does with an operation whose moment has come.
fn releaser(
    sites: Vec<Arc<Site>>,
    flight: Arc<Flight>,
    handover: Arc<Handover>,
    live: Arc<Live>,
) -> impl FnMut(Arrival, Instant) + Send + 'static {
    let runtime = Handle::current();
    move |arrival, due| {
        let site = &sites[arrival.site];
        let step = arrival.step;
        // A plan is made of blocks, and no journey leaves its block: those of earlier blocks have had their last step.
        if step.n.is_multiple_of(BLOCK as u64) {
            site.forget_journeys(step.n);
        }
        let underway = site.journey(&step);
        underway.begin(&step);
        site.tally.lock().due(step.at, flight.now());
        let Some(place) = flight.enter() else {
            underway.skip(&step);
            site.tally.lock().no_room();
            return;
        };
        let _runtime = runtime.enter();
        let taking = step::take(Arc::clone(site), underway, Arc::clone(&live), step, due);
        let in_its_place = async move {
            taking.await;
            drop(place);
        };
        handover.begin(Box::pin(in_its_place));
    }
}

impl Traffic {
    pub(super) fn planner(&self) -> Planner {
        Planner::new(&self.scenario, self.seed, self.arrivals())
    }

    /// Operations in the schedule.
    pub fn scheduled(&self) -> u64 {
        self.arrivals().scheduled()
    }

    fn arrivals(&self) -> Arrivals {
        Arrivals::new(&self.scenario, self.rate, self.duration)
    }

    /// Of each user, whether the plan names it.
    fn users_named(&self, users: u32) -> Vec<bool> {
        let scheduled = self.scheduled();
        let mut named = vec![scheduled > LONGEST_LOOK_AHEAD; users as usize];
        if scheduled > LONGEST_LOOK_AHEAD {
            return named;
        }
        let mut planner = self.planner();
        for n in 0..scheduled {
            let step = planner.operation(n);
            let of_buyer = match step.buyer {
                // Whoever only looks round needs no account.
                Buyer::User(user) if needs_session(&step.act) => Some(user),
                _ => None,
            };
            let of_login = if let Act::Login(user) = step.act { Some(user) } else { None };
            for user in [of_buyer, of_login].into_iter().flatten() {
                if let Some(named) = named.get_mut(user.0 as usize) {
                    *named = true;
                }
            }
        }
        named
    }

    pub(super) fn report(&self, site: &Site, conditions: Conditions) -> Report {
        let scheduled = self.scheduled();
        let measured = site.tally.lock().measure(scheduled);
        Report {
            scenario: self.scenario.name.clone(),
            seed: self.seed,
            rate: self.rate,
            duration_s: self.duration.as_secs_f64(),
            scheduled,
            completed: measured.completed,
            failed: measured.failed,
            not_sent: measured.not_sent,
            operations: measured.operations,
            timeline: measured.timeline,
            verdict: None,
            conditions: Conditions {
                lateness_p99_ms: measured.lateness_p99_ms,
                // Not whether somebody wanted it to: that may have been after the last operation.
                ended_early: measured.not_sent.ended_early > 0,
                ..conditions
            },
        }
    }
}
