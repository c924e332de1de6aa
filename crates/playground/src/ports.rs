//! Free ports of the loopback.

use std::net::{Ipv4Addr, TcpListener};
use std::ops::Range;

use rand::RngExt;

use crate::error::{Result, failed};

/// Below the range from which Linux takes the ports of outgoing connections (32768 and up). A port from there could be
/// some client's for a moment, just when a killed server wants it back.
const RANGE: Range<u16> = 20_000..32_768;

/// So many ports on which nobody listens now. The search begins anywhere, so that two playgrounds that are set up at the
/// same moment hardly ever look at the same ports.
pub(crate) fn free(count: usize) -> Result<Vec<u16>> {
    let first = rand::rng().random_range(RANGE);
    // All are held until the last is found: none is found twice.
    let held: Vec<(u16, TcpListener)> = (first..RANGE.end)
        .chain(RANGE.start..first)
        .filter_map(|port| Some((port, TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok()?)))
        .take(count)
        .collect();
    if held.len() < count {
        return Err(failed(format!(
            "only {} of {count} ports are free on 127.0.0.1 from {} to {}; end what listens there",
            held.len(),
            RANGE.start,
            RANGE.end - 1
        )));
    }
    Ok(held.into_iter().map(|(port, _)| port).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ports_are_different_and_can_be_listened_on() {
        let ports = free(40).unwrap();
        assert_eq!(ports.iter().collect::<BTreeSet<_>>().len(), 40);
        for port in ports {
            assert!(RANGE.contains(&port));
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).unwrap();
        }
    }
}
