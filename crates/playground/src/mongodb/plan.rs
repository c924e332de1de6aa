//! Which servers a cluster of a shape has, and what they are called.

use crate::Shape;

/// What a server does in its cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Keeps the cluster's map.
    Config,
    /// Keeps a share of the data; shards count from 1.
    Shard(u8),
    /// `mongos`: whom clients speak to.
    Router,
}

impl Part {
    /// The replica set that the server belongs to, which for a shard is also the shard's name.
    #[must_use]
    pub fn set(self) -> Option<String> {
        match self {
            Part::Config => Some("config".to_owned()),
            Part::Shard(number) => Some(format!("s{number}")),
            Part::Router => None,
        }
    }

    /// The shard's name.
    #[must_use]
    pub fn shard(self) -> Option<String> {
        matches!(self, Part::Shard(_)).then(|| self.set()).flatten()
    }
}

/// A server of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    name: String,
    part: Part,
    port: u16,
}

impl Server {
    /// What `kill`, `pause` and `revive` take.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it does.
    #[must_use]
    pub fn part(&self) -> Part {
        self.part
    }

    /// Where it listens, on the loopback.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `host:port`.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

/// Names and parts, in the order in which people read them: map, shards, router.
pub(super) fn names(shape: Shape) -> Vec<(String, Part)> {
    let shards = (1..=shape.shards()).flat_map(|shard| {
        (1..=shape.members()).map(move |member| (format!("s{shard}-{member}"), Part::Shard(shard)))
    });
    let config = ("config-1".to_owned(), Part::Config);
    let router = ("mongos-1".to_owned(), Part::Router);
    std::iter::once(config).chain(shards).chain([router]).collect()
}

/// The same with ports.
pub(super) fn servers(shape: Shape, ports: &[u16]) -> Vec<Server> {
    let names = names(shape);
    assert_eq!(names.len(), ports.len(), "a port for each server");
    let with_ports = names.into_iter().zip(ports);
    with_ports.map(|((name, part), port)| Server { name, part, port: *port }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_shards_of_three_are_eight_servers() {
        let ports: Vec<u16> = (1..=8).collect();
        let servers = servers("2x3".parse().unwrap(), &ports);
        let names: Vec<&str> = servers.iter().map(Server::name).collect();
        assert_eq!(names, ["config-1", "s1-1", "s1-2", "s1-3", "s2-1", "s2-2", "s2-3", "mongos-1"]);
        assert_eq!(servers[4].part().shard().as_deref(), Some("s2"));
        assert_eq!(servers[0].part().shard(), None);
        assert_eq!(servers[7].address(), "127.0.0.1:8");
    }
}
