//! What a playground should be, as it is written in its directory.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Wishes;
use crate::Shape;
use crate::binaries::{Binaries, Version};
use crate::error::{Result, wrong_input};
use crate::mongodb::Demands;

/// Everything that is written down.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) mongodb: MongoPlan,
}

/// The MongoDB part.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MongoPlan {
    shape: String,
    auth: bool,
    tls: bool,
    /// One for each server, in the order of their names: the addresses stand in the cluster's own data, too.
    pub(super) ports: Vec<u16>,
    /// Where the programs were found: data must not be opened by another version because PATH has changed.
    binaries: PathBuf,
    version: String,
}

impl MongoPlan {
    pub(super) fn new(shape: Shape, demands: Demands, ports: Vec<u16>, binaries: &Binaries) -> MongoPlan {
        MongoPlan {
            shape: shape.to_string(),
            auth: demands.auth,
            tls: demands.tls,
            ports,
            binaries: binaries.folder().to_owned(),
            version: binaries.version().to_string(),
        }
    }

    /// The programs, as they were found when the cluster was set up.
    pub(super) fn binaries(&self) -> Result<Binaries> {
        let version = Version::parse(&self.version);
        let version =
            version.ok_or_else(|| wrong_input(format!("\"{}\" is no version of MongoDB", self.version)))?;
        Ok(Binaries::known(&self.binaries, version))
    }

    pub(super) fn shape(&self) -> Result<Shape> {
        self.shape.parse()
    }

    pub(super) fn demands(&self) -> Demands {
        Demands { auth: self.auth, tls: self.tls }
    }

    /// Refuses wishes that what is there does not fulfil: making it so would cost its data.
    pub(super) fn agrees_with(&self, wishes: Wishes, directory: &Path) -> Result<()> {
        let other_shape = wishes.mongodb.filter(|wished| wished.to_string() != self.shape);
        let differs = match other_shape {
            Some(wished) => Some(format!("{} and not {wished}", self.shape)),
            None if wishes.demands.auth && !self.auth => Some("without --auth".to_owned()),
            None if wishes.demands.tls && !self.tls => Some("without --tls".to_owned()),
            None => None,
        };
        match differs {
            None => Ok(()),
            Some(differs) => Err(wrong_input(format!(
                "the MongoDB cluster in {0} is {differs}; take it down with `mworld playground --dir {0} down`, which removes \
                 its data, or name another directory with --dir",
                directory.display()
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishing(shape: &str, auth: bool) -> Wishes {
        Wishes { mongodb: shape.parse().ok(), demands: Demands { auth, tls: false } }
    }

    fn plan(shape: &str, demands: Demands) -> MongoPlan {
        let binaries = Binaries::known(Path::new("/x"), Version::parse("8.2.0").unwrap());
        MongoPlan::new(shape.parse().unwrap(), demands, vec![1, 2, 3], &binaries)
    }

    #[test]
    fn only_what_costs_the_data_is_refused() {
        let plan = plan("2x1", Demands::default());
        let asked = |wishes| plan.agrees_with(wishes, Path::new("here")).map_err(|error| error.to_string());
        assert_eq!(asked(wishing("2x1", false)), Ok(()));
        assert_eq!(asked(wishing("", false)), Ok(()));
        let refused = asked(wishing("2x3", false)).unwrap_err();
        assert!(refused.contains("2x1 and not 2x3") && refused.contains("--dir here down"), "{refused}");
        assert!(asked(wishing("2x1", true)).unwrap_err().contains("without --auth"));
    }

    #[test]
    fn a_plan_reads_back_as_it_was_written() {
        let demands = Demands { auth: true, tls: true };
        let plan = Plan { mongodb: plan("1x1", demands) };
        let text = serde_json::to_string(&plan).unwrap();
        let read: Plan = serde_json::from_str(&text).unwrap();
        assert_eq!(read.mongodb.demands(), demands);
        assert_eq!(read.mongodb.shape().unwrap().to_string(), "1x1");
        assert_eq!(read.mongodb.ports, [1, 2, 3]);
        assert_eq!(read.mongodb.binaries().unwrap().version().major(), 8);
    }
}
