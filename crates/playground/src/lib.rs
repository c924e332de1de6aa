//! Real databases on this machine: found or installed, started, killed, paused, revived, stopped.
//!
//! Two kinds of people come here. Whoever plays has a [`Playground`]: a directory whose servers outlive the command that
//! started them. A test has a [`testing::TestCluster`], whose servers die with the test's process, however that ends.
//! Both stand on the same [`mongodb::Cluster`].
//!
//! What runs is never written down: it is asked of `/proc`, so that no crash, no reboot and no reused process id can make
//! a note a lie. So this crate needs Linux.
//!
//! What this crate is *not*: a way to run a database in earnest. The servers are small, quick to start, and listen on the
//! loopback only.

pub mod binaries;
mod error;
mod launch;
pub mod mongodb;
mod playground;
mod ports;
mod process;
mod shape;
pub mod testing;

pub use self::error::{Kind, PlaygroundError, Result};
pub use self::launch::Launcher;
pub use self::playground::{Came, Data, Playground, Wishes};
pub use self::process::State;
pub use self::shape::Shape;

/// Where progress is told, a line at a time and without its end: standard error, a log, or nowhere.
pub type Say<'a> = &'a (dyn Fn(&str) + Send + Sync);
