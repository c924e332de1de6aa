//! A store that runs in a process of its own while a test talks to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The token that the tests bring.
pub(crate) const TOKEN: &str = "the-operator-of-the-tests";

pub(crate) struct Running {
    child: Child,
    /// `127.0.0.1:port`
    pub(crate) address: String,
    /// What was printed until the door was open.
    pub(crate) announced: String,
}

impl Running {
    /// Starts a store on a free port with the tests' token.
    pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Running {
        Running::start_with(dir, arguments, Some(TOKEN))
    }

    /// Starts a store with that token, or with one that it makes.
    pub(crate) fn start_with(dir: &Path, arguments: &[&str], token: Option<&str>) -> Running {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mworld"));
        command.arg("serve").args(["--listen", "127.0.0.1:0"]).args(arguments).current_dir(dir);
        command.env_remove("MWORLD_OPERATOR_TOKEN").envs(token.map(|token| ("MWORLD_OPERATOR_TOKEN", token)));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut announced = String::new();
        while !announced.contains("Ctrl-C") {
            let read = stdout.read_line(&mut announced).unwrap();
            assert_ne!(read, 0, "the store ended before it was open: {announced}");
        }
        let address = announced.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        Running { child, address, announced }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The status and body of a GET.
    pub(crate) fn get(&self, path: &str, token: Option<&str>) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let authorization =
            token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n{authorization}\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
    }

    /// Waits until the store says that it is ready.
    pub(crate) fn wait_until_ready(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let (status, body) = self.get("/readyz", None);
            if status == 200 {
                return;
            }
            assert!(Instant::now() < deadline, "not ready in time: {status} {body}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks it to close, and waits until it has.
    pub(crate) fn close(self) -> ExitStatus {
        self.end_by(Signal::TERM)
    }

    /// Sends one signal and waits for the end.
    pub(crate) fn end_by(mut self, signal: Signal) -> ExitStatus {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap()
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Running {
    /// A test that failed leaves no store behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
