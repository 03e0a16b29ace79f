//! How models are looked for.

use std::time::Duration;

use crate::catalogue::LOOPBACK_PORTS;

/// What is the same for every request of this process; tests make it small.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where model servers are looked for, most wanted first.
    pub loopback_ports: Vec<u16>,
    /// How long a server may take to list its models.
    pub probe_patience: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            loopback_ports: LOOPBACK_PORTS.iter().map(|(port, _)| *port).collect(),
            probe_patience: Duration::from_millis(800),
        }
    }
}
