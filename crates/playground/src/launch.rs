//! Starting a server, in one of two ways: to outlive whoever starts it, or to die with it.
//!
//! Both go through a small program of util-linux that becomes the server: what they do needs a call between fork and
//! exec, which no safe code of ours can make.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// How long a server lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launcher {
    /// Until it is stopped. It is a session of its own, so neither Ctrl-C nor a closed terminal reaches it. A process
    /// group alone would not do: one with a paused server in it is woken and hung up when its parent ends.
    Detached,
    /// As long as this process, even if that is killed.
    Bound,
}

impl Launcher {
    /// Starts a program; what it says goes to `words`.
    pub(crate) fn launch(self, program: &Path, arguments: &[OsString], words: &Path) -> io::Result<()> {
        let said = File::create(words)?;
        let mut command = match self {
            Launcher::Detached => Command::new("setsid"),
            Launcher::Bound => Command::new("setpriv"),
        };
        if self == Launcher::Bound {
            command.args(["--pdeathsig", "KILL"]);
        }
        command.arg(program).args(arguments);
        command.stdin(Stdio::null()).stderr(said.try_clone()?).stdout(said);
        match self {
            // Not waited for: a dead one counts as gone, and whoever inherits it will notice.
            Launcher::Detached => command.spawn().map(drop),
            Launcher::Bound => NURSERY.spawn(command),
        }
        .map_err(|error| missing_tool(self, error))
    }
}

fn missing_tool(launcher: Launcher, error: io::Error) -> io::Error {
    let tool: PathBuf = match launcher {
        Launcher::Detached => "setsid".into(),
        Launcher::Bound => "setpriv".into(),
    };
    match error.kind() {
        io::ErrorKind::NotFound => {
            let words = format!("there is no program `{}`; install the package util-linux", tool.display());
            io::Error::new(io::ErrorKind::NotFound, words)
        }
        _ => error,
    }
}

/// The kernel sends the signal when the *thread* that started the server ends, and a test's thread ends long before
/// its process. So one thread, which never ends, starts them all.
static NURSERY: LazyLock<Nursery> = LazyLock::new(Nursery::open);

struct Nursery {
    requests: Sender<(Command, Sender<io::Result<()>>)>,
}

impl Nursery {
    fn open() -> Nursery {
        let (requests, received) = channel();
        thread::Builder::new()
            .name("nursery".to_owned())
            .spawn(move || tend(&received))
            .expect("a process that can start servers can start a thread");
        Nursery { requests }
    }

    fn spawn(&self, command: Command) -> io::Result<()> {
        let (answer, answered) = channel();
        self.requests.send((command, answer)).expect("the thread ends with the process only");
        answered.recv().expect("the thread answers every request")
    }
}

fn tend(requests: &Receiver<(Command, Sender<io::Result<()>>)>) {
    let mut children: Vec<Child> = Vec::new();
    for (mut command, answer) in requests {
        // The dead are buried when the next is born: there are never more of them than servers were started.
        children.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        let born = command.spawn().map(|child| children.push(child));
        // Nobody waits any more if the test was given up.
        let _ = answer.send(born);
    }
}
