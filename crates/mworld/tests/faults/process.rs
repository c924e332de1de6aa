//! The store as a process of its own.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::http::{Call, Connection};

/// The operator token of every store that is started here.
pub(crate) const OPERATOR: &str = "the-operator-of-the-fault-tests";

/// How a store is started.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    data: PathBuf,
    listen: String,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    log: PathBuf,
}

impl Start {
    /// A store in this directory, on a free port.
    pub(crate) fn in_dir(data: &Path) -> Start {
        let log = data.with_extension("log");
        let listen = "127.0.0.1:0".to_owned();
        Start { data: data.to_owned(), listen, arguments: Vec::new(), variables: Vec::new(), log }
    }

    /// At this address instead: where a store was that is started again.
    #[allow(dead_code)] // the tests of `mworld load` share this file and need it
    pub(crate) fn at(mut self, address: SocketAddr) -> Start {
        self.listen = address.to_string();
        self
    }

    /// Where standard error goes; beside the data, if nobody says.
    pub(crate) fn log_to(mut self, file: &Path) -> Start {
        self.log = file.to_owned();
        self
    }

    pub(crate) fn flag(mut self, name: &str, value: &str) -> Start {
        self.arguments.extend([name.to_owned(), value.to_owned()]);
        self
    }

    /// A setting, given as its variable, such as `MWORLD_LIMITS_QUEUE`.
    pub(crate) fn setting(mut self, variable: &str, value: &str) -> Start {
        self.variables.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// The command, in an environment without anybody else's settings. The shell in front of it makes the process
    /// deaf to SIGXFSZ: a test may limit its files, and it must hear of that as of any other failing write.
    fn command(&self) -> Command {
        let mut command = Command::new("bash");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_mworld")]);
        command.args(["serve", "--listen", &self.listen, "--data"]).arg(&self.data).args(&self.arguments);
        let strange = std::env::vars_os().map(|(name, _)| name);
        for name in strange.filter(|name| name.to_string_lossy().starts_with("MWORLD_")) {
            command.env_remove(name);
        }
        command.env("MWORLD_OPERATOR_TOKEN", OPERATOR).envs(self.variables.iter().cloned());
        command.stdin(Stdio::null());
        command
    }

    /// Starts it, whatever becomes of it.
    pub(crate) fn launch(&self) -> Store {
        let log_file =
            File::options().create(true).append(true).open(&self.log).expect("a place for the log");
        let child = self.command().stdout(Stdio::piped()).stderr(log_file).spawn();
        let child = child.expect("the program that was built for this test starts");
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        Store { child, log: self.log.clone(), address: nowhere, start_took: Duration::ZERO }
    }

    /// Starts it and waits until it sells; how long that took is in [`Store::start_took`].
    pub(crate) async fn open(&self) -> Store {
        let started = Instant::now();
        let mut store = self.launch();
        let stdout = store.child.stdout.take().expect("it is piped");
        store.address = announced(stdout).unwrap_or_else(|| panic!("no address came:\n{}", store.log()));
        while !store.is_ready().await {
            assert!(started.elapsed() < Duration::from_secs(60), "never ready:\n{}", store.log());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        store.start_took = started.elapsed();
        store
    }
}

/// The address in the announcement on standard output. Nothing more is ever written there.
fn announced(stdout: impl std::io::Read) -> Option<SocketAddr> {
    let lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let line = lines.into_iter().find(|line| line.trim_start().starts_with("readiness"))?;
    line.split("http://").nth(1)?.split('/').next()?.parse().ok()
}

/// A running store. However the test ends, the process ends with it.
pub(crate) struct Store {
    child: Child,
    log: PathBuf,
    pub(crate) address: SocketAddr,
    /// From the start of the process to `/readyz` saying yes.
    pub(crate) start_took: Duration,
}

impl Store {
    pub(crate) async fn connect(&self) -> Connection {
        Connection::open(self.address).await.expect("a running store accepts connections")
    }

    async fn is_ready(&self) -> bool {
        let Ok(mut connection) = Connection::open(self.address).await else { return false };
        connection.send(&Call::get("/readyz")).await.is_ok_and(|answer| answer.status == 200)
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn is_up(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Everything that it said on standard error.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Ends it without a handler or a last word.
    pub(crate) fn kill(&self) {
        kill_process(self.pid(), Signal::KILL).expect("our own process can be killed");
    }

    /// Asks it to close.
    pub(crate) fn terminate(&self) {
        kill_process(self.pid(), Signal::TERM).expect("our own process can be signalled");
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self, limit: Duration) -> ExitStatus {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the state of a child is known") {
                return status;
            }
            assert!(started.elapsed() < limit, "still running {limit:?} after it was told to close");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// A line of `/proc/PID/status` in MiB: `VmRSS` is the memory now, `VmHWM` the most there ever was.
    pub(crate) fn memory_mib(&self, line: &str) -> f64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("a running process has a status");
        let found = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
        let kib: f64 = found.and_then(|text| text.split_whitespace().next()?.parse().ok()).expect("in kB");
        kib / 1024.0
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("what the store said:\n{}", self.log());
        }
    }
}
