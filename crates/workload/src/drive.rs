//! The driver: sends a plan to a running store at the moments it says, and keeps a record of every call.
//!
//! [`run`] drives one store, [`alternate`] two in turns. Both make what the plan plays with first ([`Phase::SettingUp`]),
//! then let the clock run. Whoever watches looks at [`Live`]; whoever has seen enough says [`Stop::now`].
//!
//! The model is open: an operation is sent when it is due, whatever became of those before, and its latency counts from
//! that moment. A store that stands still for two seconds is seen to stand still by everything that was due meanwhile.

mod alternate;
mod api;
mod cart_view;
mod clock;
mod error;
mod evidence;
mod flight;
mod handover;
mod http;
mod journey;
mod live;
mod notes;
mod outcome;
mod persist;
mod retry;
mod run;
mod set_up;
mod site;
mod step;
mod stop;
mod store;

pub use self::alternate::alternate;
pub use self::error::Error;
pub use self::live::{Live, Look, Phase};
pub use self::run::{Finished, Traffic, run};
pub use self::stop::Stop;
pub use self::store::Store;
