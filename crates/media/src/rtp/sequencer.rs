//! Packets in the order in which they were sent: late ones are waited for a little, missing ones are told of.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Packet;

/// Packets that are held back because one before them is missing.
pub const MAX_HELD_PACKETS: usize = 256;
/// How long a missing packet is waited for: time for it to be asked for and sent again.
pub const MAX_WAIT: Duration = Duration::from_millis(250);
/// Bytes that are held back in all.
const MAX_HELD_BYTES: usize = 1_000_000;
/// A step in the numbers, forth or back, that is no delay any more but another numbering.
const MAX_STEP: i64 = 2_000;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sequenced {
    Packet(Packet),
    Gap,
}

/// Numbers are counted on beyond 65535 here, so that they can be compared.
#[derive(Debug, Default)]
pub(super) struct Sequencer {
    /// The number of the packet that is to come out next; none before the first packet.
    expected: Option<i64>,
    held: BTreeMap<i64, Packet>,
    held_bytes: usize,
    /// Since when the first packet that is held back waits for one before it.
    waiting_since: Option<Duration>,
    /// The number that would confirm that the sender counts anew.
    suspected: Option<u16>,
    /// Packets were thrown away, so that a gap is to be told although the numbers no longer show it.
    broken_off: bool,
}

impl Sequencer {
    pub(super) fn push(&mut self, packet: Packet) {
        let Some(expected) = self.expected else {
            self.expected = Some(i64::from(packet.sequence));
            self.hold(i64::from(packet.sequence), packet);
            return;
        };
        let step = i64::from(packet.sequence.wrapping_sub(expected as u16) as i16);
        if step.abs() > MAX_STEP {
            self.consider_another_numbering(packet);
        } else {
            self.suspected = None;
            // A packet that was given out, or given up, stays out.
            if step >= 0 {
                self.hold(expected + step, packet);
            }
        }
    }

    pub(super) fn next(&mut self, now: Duration) -> Option<Sequenced> {
        let expected = self.expected?;
        let first = *self.held.keys().next()?;
        if self.broken_off {
            self.broken_off = false;
            self.expected = Some(first);
            return Some(Sequenced::Gap);
        }
        if first == expected {
            let packet = self.held.remove(&first)?;
            self.held_bytes -= packet.payload.len();
            self.expected = Some(first + 1);
            self.waiting_since = None;
            return Some(Sequenced::Packet(packet));
        }
        let waited = now.saturating_sub(*self.waiting_since.get_or_insert(now));
        let is_full = self.held.len() > MAX_HELD_PACKETS || self.held_bytes > MAX_HELD_BYTES;
        if waited < MAX_WAIT && !is_full {
            return None;
        }
        self.expected = Some(first);
        self.waiting_since = None;
        Some(Sequenced::Gap)
    }

    fn hold(&mut self, number: i64, packet: Packet) {
        let bytes = packet.payload.len();
        if self.held.contains_key(&number) {
            return;
        }
        self.held.insert(number, packet);
        self.held_bytes += bytes;
    }

    /// One packet with a strange number may be a stray; two that follow each other are a sender that counts anew.
    fn consider_another_numbering(&mut self, packet: Packet) {
        let confirmed = self.suspected == Some(packet.sequence);
        self.suspected = Some(packet.sequence.wrapping_add(1));
        if confirmed {
            self.suspected = None;
            self.held.clear();
            self.held_bytes = 0;
            self.waiting_since = None;
            self.broken_off = true;
            self.expected = Some(i64::from(packet.sequence));
            self.hold(i64::from(packet.sequence), packet);
        }
    }
}

#[cfg(test)]
#[path = "sequencer_tests.rs"]
mod sequencer_tests;
