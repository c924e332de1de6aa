//! What the figures were measured on.

use std::fs;

/// One line about processor, memory, system and toolchain.
pub(crate) fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    format!(
        "{cores} cores of {}, {:.0} GiB of memory, Linux {}, {} build",
        cpu_model(),
        memory_gib(),
        kernel(),
        if cfg!(debug_assertions) { "debug" } else { "release" },
    )
}

/// How busy the machine was in the last minute: what else ran disturbs every figure.
pub(crate) fn load_average() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("?").to_owned()
}

fn cpu_model() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    line.and_then(|line| line.split_once(':'))
        .map_or_else(|| "an unnamed CPU".to_owned(), |(_, name)| name.trim().to_owned())
}

#[allow(clippy::cast_precision_loss)] // shown as whole GiB
fn memory_gib() -> f64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("MemTotal"));
    let kib: u64 =
        line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kib| kib.parse().ok()).unwrap_or(0);
    kib as f64 / (1024.0 * 1024.0)
}

fn kernel() -> String {
    fs::read_to_string("/proc/sys/kernel/osrelease")
        .map_or_else(|_| "?".to_owned(), |text| text.trim().to_owned())
}
