//! How a shard is doing, in figures.

use std::collections::BTreeMap;

use vocabulary::Span;

use super::GatewayRefusal;

/// More names than this are not told apart: they come from outside.
const NAMES_MAX: usize = 100;
const OTHERS: &str = "OTHERS";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShardHealth {
    /// Events come in.
    pub is_live: bool,
    /// How long the last heartbeat's answer took.
    pub latency: Option<Span>,
    /// Connections that were lost or given up.
    pub reconnects: u64,
    /// Sessions that were begun, the first among them.
    pub sessions: u64,
    /// Sessions that went on after a lost connection.
    pub resumes: u64,
    /// Connections that were open and dead.
    pub zombies: u64,
    pub events: u64,
    /// Malformed ones, by name; they were left out.
    pub skipped: BTreeMap<String, u64>,
    /// Those nobody here knows, by name.
    pub unknown: BTreeMap<String, u64>,
    /// Sent again by the server, though they had come.
    pub repeated: u64,
    /// Commands that found no room.
    pub refused_commands: u64,
    pub last_close: Option<u16>,
    /// Every login is answered by closing the connection, and no reason is given: most likely it is the token.
    pub is_login_refused: bool,
    /// It has stopped, and this is why.
    pub refusal: Option<GatewayRefusal>,
}

/// How many there are now.
pub(super) fn count(names: &mut BTreeMap<String, u64>, name: &str) -> u64 {
    let known = names.contains_key(name) || names.len() < NAMES_MAX;
    let name = if known { name } else { OTHERS };
    let short: String = name.chars().take(64).collect();
    let counted = names.entry(short).or_default();
    *counted += 1;
    *counted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_do_not_fill_the_memory() {
        let mut names = BTreeMap::new();
        for number in 0..5_000 {
            count(&mut names, &format!("{number}{}", "X".repeat(1_000)));
        }
        assert!(names.len() <= NAMES_MAX + 1);
        assert!(names.keys().all(|name| name.len() <= 64));
        assert_eq!(names.values().sum::<u64>(), 5_000);
    }
}
