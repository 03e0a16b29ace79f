//! Access units out of RTP payloads (RFC 6184, single NAL unit and non-interleaved mode).

use std::collections::VecDeque;

use super::MAX_ACCESS_UNIT_BYTES;
use super::annex_b::{START_CODE, UnitKind};
use crate::rtp::{Arrived, Assemble, Depacketiser as AnyDepacketiser, Packet};

/// Makes access units (Annex B) of RTP packets.
pub type Depacketiser = AnyDepacketiser<Assembly>;

/// The access unit that is being put together.
#[derive(Debug)]
pub struct Assembly {
    unit: Vec<u8>,
    timestamp: Option<u32>,
    /// Whether `unit` ends with a fragmented unit that has not ended yet.
    in_fragment: bool,
    /// Nothing is taken until the next access unit surely begins.
    skipping: bool,
}

/// A payload that no honest sender makes.
struct Malformed;

const STAP_A: u8 = 24;
const FU_A: u8 = 28;
const FRAGMENT_STARTS: u8 = 0x80;
const FRAGMENT_ENDS: u8 = 0x40;

impl Default for Assembly {
    /// Skips at first: the stream may have been joined in the middle of an access unit.
    fn default() -> Self {
        Self {
            unit: Vec::new(),
            timestamp: None,
            in_fragment: false,
            skipping: true,
        }
    }
}

impl Assemble for Assembly {
    fn packet(&mut self, packet: &Packet, arrived: &mut VecDeque<Arrived>) {
        // A sender that sets no markers still shows by the time where the next access unit begins.
        if self
            .timestamp
            .is_some_and(|timestamp| timestamp != packet.timestamp)
        {
            self.end(arrived);
        }
        self.timestamp = Some(packet.timestamp);
        if self.skipping && begins_access_unit(&packet.payload) {
            self.skipping = false;
        }
        if !self.skipping && self.take(&packet.payload).is_err() {
            self.give_up(arrived);
        }
        if packet.marker {
            self.end(arrived);
        }
    }

    fn gap(&mut self, arrived: &mut VecDeque<Arrived>) {
        self.give_up(arrived);
        // Where the access unit begins that the next packet belongs to is not known.
        self.timestamp = None;
    }
}

impl Assembly {
    fn end(&mut self, arrived: &mut VecDeque<Arrived>) {
        if self.in_fragment {
            self.give_up(arrived);
        }
        self.skipping = false;
        self.timestamp = None;
        if !self.unit.is_empty() {
            arrived.push_back(Arrived::Frame(std::mem::take(&mut self.unit)));
        }
    }

    fn give_up(&mut self, arrived: &mut VecDeque<Arrived>) {
        self.unit.clear();
        self.in_fragment = false;
        self.skipping = true;
        arrived.push_back(Arrived::Lost);
    }

    fn take(&mut self, payload: &[u8]) -> Result<(), Malformed> {
        let Some(header) = payload.first() else {
            return Ok(());
        };
        match header & 0x1f {
            FU_A => self.take_fragment(payload),
            // The interleaved mode is not negotiated here; what belongs to it says nothing.
            0 | 25..=27 | 29..=31 => Ok(()),
            _ if self.in_fragment => Err(Malformed),
            STAP_A => self.take_aggregate(&payload[1..]),
            _ => self.take_unit(payload),
        }
    }

    fn take_unit(&mut self, unit: &[u8]) -> Result<(), Malformed> {
        self.room_for(unit.len() + START_CODE.len())?;
        self.unit.extend(START_CODE);
        self.unit.extend(unit);
        Ok(())
    }

    fn take_aggregate(&mut self, mut rest: &[u8]) -> Result<(), Malformed> {
        while let Some((length, behind)) = rest.split_first_chunk::<2>() {
            let length = usize::from(u16::from_be_bytes(*length));
            let (unit, behind) = behind.split_at_checked(length).ok_or(Malformed)?;
            if !unit.is_empty() {
                self.take_unit(unit)?;
            }
            rest = behind;
        }
        Ok(())
    }

    fn take_fragment(&mut self, payload: &[u8]) -> Result<(), Malformed> {
        let ([indicator, header], data) = payload.split_first_chunk::<2>().ok_or(Malformed)?;
        let starts = header & FRAGMENT_STARTS != 0;
        if starts == self.in_fragment {
            return Err(Malformed);
        }
        self.room_for(data.len() + START_CODE.len() + 1)?;
        if starts {
            self.unit.extend(START_CODE);
            self.unit.push(indicator & 0xe0 | header & 0x1f);
        }
        self.unit.extend(data);
        self.in_fragment = header & FRAGMENT_ENDS == 0;
        Ok(())
    }

    fn room_for(&self, bytes: usize) -> Result<(), Malformed> {
        match self.unit.len() + bytes <= MAX_ACCESS_UNIT_BYTES {
            true => Ok(()),
            false => Err(Malformed),
        }
    }
}

/// Whether this is the first packet of an access unit beyond doubt: parameters of the sequence or a delimiter come first.
fn begins_access_unit(payload: &[u8]) -> bool {
    let begins = |header: &u8| {
        UnitKind::of(*header) == UnitKind::SequenceParameters || header & 0x1f == ACCESS_UNIT_DELIMITER
    };
    match payload.first() {
        Some(header) if header & 0x1f == STAP_A => payload.get(3).is_some_and(begins),
        Some(header) => begins(header),
        None => false,
    }
}

const ACCESS_UNIT_DELIMITER: u8 = 9;

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod assembly_tests;
