//! The parameter sets of a stream: kept, because a decoder that starts again needs them.

use std::collections::BTreeMap;

use super::Undecodable;
use super::annex_b::{START_CODE, UnitKind};
use super::bits::Bits;
use super::sps::{MAX_PARAMETER_SET_BYTES, Sps};

/// At most 32 sequence and 256 picture parameter sets, each of bounded length.
#[derive(Clone, Debug, Default)]
pub(super) struct ParameterSets {
    sequences: BTreeMap<u32, (Sps, Vec<u8>)>,
    pictures: BTreeMap<u32, Vec<u8>>,
}

impl ParameterSets {
    /// Takes a unit in, checked; says whether it was new. Units of other kinds are none of its business.
    pub(super) fn take(&mut self, kind: UnitKind, unit: &[u8]) -> Result<bool, Undecodable> {
        match kind {
            UnitKind::SequenceParameters => {
                let sps = Sps::parse(unit)?;
                let known = self.sequences.get(&sps.id).is_some_and(|(_, kept)| kept == unit);
                if !known {
                    self.sequences.insert(sps.id, (sps, unit.to_vec()));
                }
                Ok(!known)
            }
            UnitKind::PictureParameters => {
                let id = picture_set_id(unit)?;
                let known = self.pictures.get(&id).is_some_and(|kept| kept == unit);
                if !known {
                    self.pictures.insert(id, unit.to_vec());
                }
                Ok(!known)
            }
            _ => Ok(false),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        !self.sequences.is_empty() && !self.pictures.is_empty()
    }

    /// Whether a picture of this size has the levels of a picture, not of video.
    pub(super) fn full_range(&self, width: usize, height: usize) -> bool {
        let same = |sps: &Sps| (sps.width, sps.height) == (width as u64, height as u64);
        self.sequences
            .values()
            .any(|(sps, _)| same(sps) && sps.full_range)
    }

    /// All of them as a byte stream, in the order in which they build on each other.
    pub(super) fn write(&self, stream: &mut Vec<u8>) {
        let sequences = self.sequences.values().map(|(_, unit)| unit);
        for unit in sequences.chain(self.pictures.values()) {
            stream.extend(START_CODE);
            stream.extend(unit);
        }
    }
}

fn picture_set_id(unit: &[u8]) -> Result<u32, Undecodable> {
    let payload = unit
        .get(1..)
        .filter(|payload| payload.len() < MAX_PARAMETER_SET_BYTES);
    let id = payload.and_then(|payload| Bits::of(payload).unsigned());
    id.filter(|id| *id < 256)
        .ok_or_else(|| Undecodable::Damaged("its picture parameter set makes no sense".to_owned()))
}
