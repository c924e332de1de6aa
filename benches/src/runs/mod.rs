//! The measurements, in the order in which they share stores.

mod drive;
mod driver;
mod growth;
mod history;
mod http;
mod main_store;
mod memory;
mod place;
mod tail;
mod turns;

use std::path::{Path, PathBuf};

use anyhow::Result;

pub(crate) use self::drive::drive;

use crate::cli::{Bench, Cli};
use crate::disk::Disk;
use crate::machine;
use crate::plan::{BUYERS_AT_ONCE, Plan};
use crate::report::Report;

/// What every measurement gets.
pub(super) struct Context<'a> {
    pub(super) cli: &'a Cli,
    pub(super) plan: Plan,
    /// Where stores lie.
    pub(super) dir: PathBuf,
    /// A name that no earlier run on the same stores had.
    pub(super) run: String,
    pub(super) report: Report,
}

/// Runs what was asked for.
pub(crate) async fn all(cli: &Cli) -> Result<Report> {
    let temporary = tempfile::Builder::new().prefix("mworld-benches-").tempdir()?;
    let dir = cli.dir.clone().unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&dir)?;
    let plan = Plan::of(cli);
    let mut context = Context { cli, plan, run: run_name(), report: Report::default(), dir };
    context.report.judged = plan.judged;
    describe(&mut context)?;
    let on_main = [Bench::Place, Bench::Http, Bench::Tail, Bench::History];
    if on_main.into_iter().any(|bench| cli.wants(bench)) {
        main_store::run(&mut context).await?;
    }
    if cli.wants(Bench::Growth) {
        growth::run(&mut context).await?;
    }
    if cli.wants(Bench::Memory) {
        memory::run(&mut context).await?;
    }
    if cli.wants(Bench::Driver) {
        driver::run(&mut context).await?;
    }
    context.report.conditions.push(format!("load average at the end: {}", machine::load_average()));
    Ok(context.report)
}

fn describe(context: &mut Context<'_>) -> Result<()> {
    let Plan { main, turns, turn, .. } = context.plan;
    let conditions = vec![
        machine::description(),
        disk_description(&context.dir, turn)?,
        format!(
            "generator, store and bare loop on the same machine; {BUYERS_AT_ONCE} connections or callers; medians of \
             {turns} turns of {:.1} s, measured and limit taking turns; load average at the start: {}",
            turn.as_secs_f64(),
            machine::load_average()
        ),
        format!(
            "main store: {} products, {} orders, layout category-spread over 4 shards, every commit synced",
            main.products, main.orders
        ),
    ];
    context.report.conditions = conditions;
    Ok(())
}

fn disk_description(dir: &Path, turn: std::time::Duration) -> Result<String> {
    let seen = Disk::new(dir)?.probe(turn)?.alone;
    let (p50, p99) = (seen.value_at_quantile(0.5), seen.value_at_quantile(0.99));
    Ok(format!("disk: append of 16 KiB and fdatasync takes {p50} µs (p50), {p99} µs (p99) at the start"))
}

fn run_name() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("run{}", since.as_millis())
}
