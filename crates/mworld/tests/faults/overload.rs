//! Far too many come at once and never pause.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::goods::{self, Good};
use crate::http::{Answer, Call, Connection};
use crate::people::Buyer;
use crate::process::{Start, Store};
use crate::{Run, alone, within};

/// How soon a store says that it lives, however busy it is. Unoptimised, a request costs the machine some twenty
/// times as much, and so does each of the hundreds that are before the look.
const SIGN_OF_LIFE_WITHIN: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// Answers by status and code.
type Tally = BTreeMap<(u16, String), u64>;

#[test]
fn with_small_limits_many_are_refused_early_and_the_store_stands() {
    let _machine = alone();
    within(Duration::from_secs(300), async {
        let dir = tempfile::tempdir().unwrap();
        let start = Start::in_dir(&dir.path().join("data"));
        let start = start.setting("MWORLD_LIMITS_IN_FLIGHT", "4").setting("MWORLD_LIMITS_QUEUE", "8");
        let tally = storm(&start.open().await).await;
        let refused = tally.get(&(503, "overloaded".to_owned())).copied().unwrap_or(0);
        assert!(refused > 0, "more came than the limits allow, so some were refused: {tally:?}");
    });
}

#[test]
fn with_its_own_limits_the_store_stands() {
    let _machine = alone();
    within(Duration::from_secs(300), async {
        let dir = tempfile::tempdir().unwrap();
        storm(&Start::in_dir(&dir.path().join("data")).open().await).await;
    });
}

/// Sends what can be sent, and checks what must hold meanwhile and afterwards.
async fn storm(store: &Store) -> Tally {
    let (connections, lasting) = Run::wanted().choose((500, 5), (2_000, 30));
    room_for(connections);
    let goods = Arc::new(goods::list(store, 40, 1_000_000).await);
    let buyers = crowd(store, 16).await;
    let before = store.memory_mib("VmRSS");
    let watch = Watch::start(store.address);
    let until = Instant::now() + Duration::from_secs(lasting);
    let mut tasks = Vec::new();
    for n in 0..connections {
        let (address, goods) = (store.address, Arc::clone(&goods));
        let buyer = buyers[n % buyers.len()].clone();
        tasks.push(tokio::spawn(async move { hammer(address, &buyer, &goods, n, until).await }));
    }
    let mut tally = Tally::new();
    for task in tasks {
        for (what, count) in task.await.expect("no connection fails") {
            *tally.entry(what).or_default() += count;
        }
    }
    let ended = Instant::now();
    let slowest = watch.stop();
    let memory = store.memory_mib("VmHWM");
    let answers: u64 = tally.values().sum();
    println!("{connections} connections: {answers} answers in {lasting} s");
    println!("  memory: {before:.1} MiB before, at most {memory:.1} MiB");
    println!("  {tally:?}");
    println!("  slowest /healthz or /metrics: {slowest:?}");
    assert!(memory < 512.0, "{memory:.1} MiB");
    assert!(slowest < SIGN_OF_LIFE_WITHIN, "an overloaded store still says that it lives: {slowest:?}");
    tokio::time::sleep(Duration::from_secs(2).saturating_sub(ended.elapsed())).await;
    let p99 = one_by_one(store, &goods).await;
    println!("  two seconds later: p99 {p99:?}");
    assert!(p99 < Duration::from_millis(200), "back to normal: {p99:?}");
    tally
}

/// Buyers, made one by one: a store with small limits would refuse some of a crowd.
async fn crowd(store: &Store, count: usize) -> Vec<Buyer> {
    let mut buyers = Vec::new();
    for _ in 0..count {
        buyers.push(Buyer::register(store).await);
    }
    buyers
}

/// Each connection needs a file handle on both sides.
fn room_for(connections: usize) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let wanted = connections as u64 + 200;
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = limit.maximum;
        setrlimit(Resource::Nofile, limit).expect("the soft limit may rise to the hard one");
    }
    let enough = getrlimit(Resource::Nofile).current.is_none_or(|current| current >= wanted);
    assert!(enough, "the hard limit of open files is below {wanted}; raise it with `ulimit -Hn`");
}

/// One connection that sends without pause.
async fn hammer(address: SocketAddr, buyer: &Buyer, goods: &[Good], n: usize, until: Instant) -> Tally {
    let mut tally = Tally::new();
    let mut connection = Connection::open(address).await.expect("the store accepts connections");
    for turn in n.. {
        if Instant::now() >= until {
            break;
        }
        let answer = connection.send(&one_of_many(buyer, goods, turn)).await;
        let answer = answer.expect("every request is answered, if only with no");
        is_expected(&answer);
        *tally.entry((answer.status, answer.code())).or_default() += 1;
    }
    tally
}

fn one_of_many(buyer: &Buyer, goods: &[Good], turn: usize) -> Call {
    let product = &goods[turn % goods.len()].id;
    match turn % 9 {
        0 => Call::get("/api/v1/products?category=electronics&sort=price"),
        1 => Call::get("/api/v1/products?q=phone&zone=msk"),
        2 => Call::get(format!("/api/v1/products/{product}")),
        3 => {
            let path = format!("/api/v1/cart/items/{product}");
            Call::new("PUT", path).token(&buyer.token).body(json!({ "quantity": 1 }))
        }
        4 => buyer.order_call(&uuid::Uuid::new_v4().to_string()),
        5 => Call::get("/api/v1/orders").token(&buyer.token),
        6 => Call::new("POST", "/api/v1/sessions"),
        7 => Call::get(format!("/api/v1/products/{product}/stock")),
        _ => Call::get("/api/v1/nothing"),
    }
}

/// Nothing but success, a rule of the shop, or a refusal for being too many. Buyers share carts here, so a cart
/// may be empty when it is ordered.
fn is_expected(answer: &Answer) {
    match (answer.status, answer.code().as_str()) {
        (200 | 201, _) | (404, "not_found") | (409, "cart_empty" | "cart_busy") => {}
        (429, "too_many_requests") | (503, "overloaded") => {
            assert!(answer.header("retry-after").is_some(), "when to come again: {}", answer.json());
        }
        (status, _) => panic!("{status}: {}", answer.json()),
    }
}

/// The 99th percentile of requests that come alone.
async fn one_by_one(store: &Store, goods: &[Good]) -> Duration {
    let mut connection = store.connect().await;
    let mut times = Vec::new();
    for good in goods.iter().cycle().take(200) {
        let begun = Instant::now();
        let call = Call::get(format!("/api/v1/products/{}", good.id));
        let answer = connection.send(&call).await.expect("the store answers");
        assert_eq!(answer.status, 200, "{}", answer.json());
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

/// Looks whether the store lives, from a thread of its own, so that the test's own crowd does not slow it down.
struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Duration>,
}

impl Watch {
    fn start(address: SocketAddr) -> Watch {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut slowest = Duration::ZERO;
            while !stopped.load(Ordering::Relaxed) {
                for path in ["/healthz", "/metrics"] {
                    slowest = slowest.max(look(address, path));
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            slowest
        });
        Watch { stop, thread }
    }

    fn stop(self) -> Duration {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("the store was always there to be looked at")
    }
}

/// One look over a new connection, as a watchdog does it.
fn look(address: SocketAddr, path: &str) -> Duration {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address).expect("the store accepts connections");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out can be set");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: store\r\nconnection: close\r\n\r\n").expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", answer.lines().next().unwrap_or_default());
    begun.elapsed()
}
