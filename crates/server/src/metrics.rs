//! What is counted, and how it is shown to Prometheus.

use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder, SharedString};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use mworld_shop::Operation;

use crate::problem::Problem;
use crate::views::Views;

/// From half a millisecond, where an in-memory read lies, to ten seconds, where every client has given up.
const SECONDS: &[f64] =
    &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Policies speak of seconds; what is finer is only of interest while nothing lags.
const AGES: &[f64] = &[0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 90.0];
const SHARDS: &[f64] = &[1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0, 64.0];

/// Counters and histograms of one store. It is nobody's global: a test may have many stores in one process.
/// Clones share everything.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    /// By [`Operation`] as a number: handles are made once, so that counting looks nothing up.
    operations: Vec<OperationMetrics>,
    queue_depth: Gauge,
}

struct OperationMetrics {
    ok: Counter,
    refused: Counter,
    error: Counter,
    seconds: Histogram,
    shards_touched: Histogram,
    read_age: Histogram,
}

const METADATA: Metadata<'static> = Metadata::new("mworld", Level::INFO, None);

impl Metrics {
    /// Nothing counted yet.
    pub fn new() -> Metrics {
        let bucketed = |builder: PrometheusBuilder, name: &str, buckets: &[f64]| {
            let matcher = Matcher::Full(name.to_owned());
            builder.set_buckets_for_metric(matcher, buckets).expect("there is at least one bucket")
        };
        let builder = bucketed(PrometheusBuilder::new(), "mworld_operation_seconds", SECONDS);
        let builder = bucketed(builder, "mworld_shards_touched", SHARDS);
        let recorder = bucketed(builder, "mworld_read_age_seconds", AGES).build_recorder();
        describe(&recorder);
        let operations = Operation::ALL.iter().map(|op| OperationMetrics::register(&recorder, *op)).collect();
        let queue_depth = recorder.register_gauge(&Key::from_name("mworld_queue_depth"), &METADATA);
        Metrics(Arc::new(Inner { handle: recorder.handle(), recorder, operations, queue_depth }))
    }

    /// Takes note of how many shards an operation touched. For engines.
    pub fn shards_touched(&self, operation: Operation, shards: usize) {
        self.of(operation).shards_touched.record(f64::from(u32::try_from(shards).unwrap_or(u32::MAX)));
    }

    /// Takes note of how old an answer was that came from a copy. For engines.
    pub fn read_age(&self, operation: Operation, age: Duration) {
        self.of(operation).read_age.record(age.as_secs_f64());
    }

    /// Takes note of an operation that began then and has come out like this.
    pub(crate) fn operation_done<T>(
        &self,
        operation: Operation,
        started: Instant,
        outcome: &Result<T, Problem>,
    ) {
        let metrics = self.of(operation);
        metrics.seconds.record(started.elapsed().as_secs_f64());
        match outcome {
            Ok(_) => metrics.ok.increment(1),
            Err(problem) if problem.status().is_server_error() => metrics.error.increment(1),
            Err(_) => metrics.refused.increment(1),
        }
    }

    /// Measures an operation of the shop from here to its end.
    pub(crate) async fn measure<T>(
        &self,
        operation: Operation,
        work: impl Future<Output = mworld_shop::Result<T>>,
    ) -> Result<T, Problem> {
        let started = Instant::now();
        let outcome = work.await.map_err(Problem::from);
        self.operation_done(operation, started, &outcome);
        outcome
    }

    /// The page that Prometheus reads, with what the engines count taken in at this moment.
    pub(crate) fn render(&self, views: &dyn Views, waiting_requests: usize) -> String {
        let depth = views.queue_depth().saturating_add(waiting_requests);
        self.0.queue_depth.set(f64::from(u32::try_from(depth).unwrap_or(u32::MAX)));
        for counted in views.shard_operations() {
            let labels = vec![
                Label::new("engine", counted.engine),
                Label::new("entity", counted.entity),
                Label::new("shard", counted.shard),
                Label::new("kind", counted.kind),
            ];
            let key = Key::from_parts("mworld_shard_operations_total", labels);
            self.0.recorder.register_counter(&key, &METADATA).absolute(counted.count);
        }
        self.0.handle.render()
    }

    /// Folds samples into buckets. Samples are kept one by one until then, so without this a store that nobody
    /// scrapes would grow for ever.
    pub(crate) fn fold_samples(&self) {
        self.0.handle.run_upkeep();
    }

    fn of(&self, operation: Operation) -> &OperationMetrics {
        &self.0.operations[operation as usize]
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Metrics::new()
    }
}

impl OperationMetrics {
    fn register(recorder: &PrometheusRecorder, operation: Operation) -> OperationMetrics {
        let op = Label::new("op", operation.name());
        let outcomes = |outcome: &'static str| {
            let labels = vec![op.clone(), Label::new("outcome", outcome)];
            recorder.register_counter(&Key::from_parts("mworld_operations_total", labels), &METADATA)
        };
        let histogram = |name: &'static str| {
            recorder.register_histogram(&Key::from_parts(name, vec![op.clone()]), &METADATA)
        };
        OperationMetrics {
            ok: outcomes("ok"),
            refused: outcomes("refused"),
            error: outcomes("error"),
            seconds: histogram("mworld_operation_seconds"),
            shards_touched: histogram("mworld_shards_touched"),
            read_age: histogram("mworld_read_age_seconds"),
        }
    }
}

fn describe(recorder: &PrometheusRecorder) {
    let text = SharedString::const_str;
    let total = text("Shop operations by outcome: ok, refused by a rule, or failed.");
    recorder.describe_counter("mworld_operations_total".into(), None, total);
    let by_shard = text("Operations that touched a shard.");
    recorder.describe_counter("mworld_shard_operations_total".into(), None, by_shard);
    let seconds = text("How long shop operations take.");
    recorder.describe_histogram("mworld_operation_seconds".into(), None, seconds);
    let touched = text("How many shards an operation touches.");
    recorder.describe_histogram("mworld_shards_touched".into(), None, touched);
    let age = text("How old answers are that come from a copy of the data.");
    recorder.describe_histogram("mworld_read_age_seconds".into(), None, age);
    let depth = text("Requests and writes that wait.");
    recorder.describe_gauge("mworld_queue_depth".into(), None, depth);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Code;
    use crate::views::{ShardInfo, ShardOperations};

    struct OneShard;

    impl Views for OneShard {
        fn ready(&self) -> Result<(), String> {
            Ok(())
        }
        fn shards(&self) -> Vec<ShardInfo> {
            vec![]
        }
        fn layout(&self) -> serde_json::Value {
            serde_json::Value::Null
        }
        fn shard_operations(&self) -> Vec<ShardOperations> {
            let text = str::to_owned;
            let (engine, entity) = (text("embedded"), text("carts"));
            vec![ShardOperations { engine, entity, shard: text("s0"), kind: text("read"), count: 5 }]
        }
        fn queue_depth(&self) -> usize {
            3
        }
    }

    #[test]
    fn operations_are_numbered_as_they_are_listed() {
        for (number, operation) in Operation::ALL.iter().enumerate() {
            assert_eq!(*operation as usize, number);
        }
    }

    #[test]
    fn the_page_shows_what_was_counted() {
        let metrics = Metrics::new();
        let refused = Err::<(), _>(Problem::new(Code::CartEmpty, "empty"));
        metrics.operation_done(Operation::OrderPlace, Instant::now(), &refused);
        metrics.operation_done(Operation::OrderPlace, Instant::now(), &Err::<(), _>(Problem::internal("x")));
        metrics.shards_touched(Operation::CatalogSearch, 4);
        metrics.render(&OneShard, 1);
        let page = metrics.render(&OneShard, 1);
        for line in [
            "mworld_operations_total{op=\"order.place\",outcome=\"refused\"} 1",
            "mworld_operations_total{op=\"order.place\",outcome=\"error\"} 1",
            "mworld_operation_seconds_count{op=\"order.place\"} 2",
            "mworld_shards_touched_bucket{op=\"catalog.search\",le=\"4\"} 1",
            "mworld_shard_operations_total{engine=\"embedded\",entity=\"carts\",shard=\"s0\",kind=\"read\"} 5",
            "mworld_queue_depth 4",
        ] {
            assert!(page.contains(line), "{line} is missing in\n{page}");
        }
    }
}
