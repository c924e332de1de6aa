//! A command that is running, and how it ends.

use std::io::Read;
use std::process::{Child, Command, Output};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// How often it is looked whether something has happened.
const LOOK: Duration = Duration::from_millis(5);

/// A command that is running. However the test ends, also by a panic or by its time limit, the process ends with it.
pub(crate) struct Running {
    child: Child,
    stdout: Heard,
    stderr: Heard,
}

/// What was written so far. A thread of its own reads it, so that nobody who waits has to block.
struct Heard {
    text: Arc<Mutex<Vec<u8>>>,
    reading: JoinHandle<()>,
}

impl Running {
    /// Starts a command whose output is piped.
    pub(crate) fn begin(command: &mut Command) -> Running {
        let mut child = command.spawn().expect("the program that was built for this test starts");
        let stdout = Heard::from(child.stdout.take().expect("it is piped"));
        let stderr = Heard::from(child.stderr.take().expect("it is piped"));
        Running { child, stdout, stderr }
    }

    /// Waits until a run says that its schedule is running.
    pub(crate) async fn driving(&mut self) {
        while !self.stderr.so_far().contains("in flight") {
            let status = self.child.try_wait().expect("the state of a child is known");
            assert!(status.is_none(), "it ended before it drove:\n{}", self.stderr.so_far());
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Waits until it has a handler for Ctrl-C: a process that is a few milliseconds old is ended by the system.
    pub(crate) async fn hearing_interrupts(&self) {
        let interrupt_bit = 1_u64 << (Signal::INT.as_raw() - 1);
        loop {
            let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
            let status = status.expect("a running process has a status");
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("it has a mask");
            if u64::from_str_radix(caught.trim(), 16).expect("in hex") & interrupt_bit != 0 {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// What Ctrl-C does.
    pub(crate) fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("our own process can be signalled");
    }

    /// Waits for its end. Whoever sets a limit to this is heard, because nothing here blocks.
    pub(crate) async fn ended(mut self) -> Output {
        loop {
            let status = self.child.try_wait().expect("the state of a child is known");
            let heard_all = self.stdout.reading.is_finished() && self.stderr.reading.is_finished();
            if let (Some(status), true) = (status, heard_all) {
                return Output { status, stdout: self.stdout.take(), stderr: self.stderr.take() };
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that has ended cannot be killed any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command to its end.
pub(crate) async fn output(command: &mut Command) -> Output {
    Running::begin(command).ended().await
}

impl Heard {
    fn from(mut pipe: impl Read + Send + 'static) -> Heard {
        let text = Arc::new(Mutex::new(Vec::new()));
        let written = Arc::clone(&text);
        let reading = std::thread::spawn(move || {
            let mut part = [0; 8 * 1024];
            while let Ok(length @ 1..) = pipe.read(&mut part) {
                written.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&part[..length]);
            }
        });
        Heard { text, reading }
    }

    fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Fails when a limit cannot be heard, or when a process outlives whoever waited for it.
#[test]
fn a_run_that_takes_too_long_is_given_up_and_killed() {
    let mut command = Command::new("sleep");
    command.arg("3600").stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let running = Running::begin(&mut command);
    let pid = Pid::from_child(&running.child);
    let story = async { drop(running.ended().await) };
    let given_up = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        crate::within(Duration::from_millis(20), story);
    }));
    assert!(given_up.is_err(), "it would have slept for an hour");
    assert!(rustix::process::test_kill_process(pid).is_err(), "it is still there");
}
