//! How a call is doing, in figures.

use std::collections::BTreeMap;

use vocabulary::Span;

use crate::{CallEnd, TransportMode};

/// More people than this are not told apart: their numbers come from outside.
const PEOPLE_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallHealth {
    /// Sound goes both ways.
    pub is_live: bool,
    pub mode: Option<TransportMode>,
    /// The call is encrypted from end to end.
    pub is_private: bool,
    /// How long the last heartbeat's answer took.
    pub latency: Option<Span>,
    /// Sessions that were begun, the first among them.
    pub sessions: u64,
    /// Sessions that went on after a lost connection.
    pub resumes: u64,
    /// Connections that were lost or given up.
    pub reconnects: u64,
    /// Connections that were open and dead.
    pub zombies: u64,
    pub heard: u64,
    pub sent: u64,
    /// Frames that could not be read though their keys were there, by user.
    pub undecryptable: BTreeMap<u64, u64>,
    /// Frames that came before their keys, or while those changed.
    pub before_keys: u64,
    /// Frames that came again.
    pub repeated: u64,
    /// Packets that the transport's key does not open.
    pub unopened: u64,
    /// Packets that were no sound, or cut.
    pub strange: u64,
    /// Packets whose speaker was never named.
    pub nameless: u64,
    /// Messages that could not be read; they were left out.
    pub skipped: u64,
    /// How often the group got new keys.
    pub rekeys: u64,
    /// Messages about the group that could not be taken.
    pub group_faults: u64,
    /// How often it asked to be taken into the group anew, because it could read nobody.
    pub recoveries: u64,
    /// Frames that found no room, or were none.
    pub refused_frames: u64,
    /// Frames whose time came while there was no line or no key for them.
    pub unsent_frames: u64,
    pub last_close: Option<u16>,
    /// It is over, and this is why.
    pub end: Option<CallEnd>,
}

impl CallHealth {
    pub(crate) fn undecryptable(&mut self, user: u64) {
        let is_known = self.undecryptable.contains_key(&user) || self.undecryptable.len() < PEOPLE_MAX;
        *self
            .undecryptable
            .entry(if is_known { user } else { 0 })
            .or_default() += 1;
    }
}
