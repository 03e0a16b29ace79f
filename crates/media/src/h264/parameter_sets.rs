//! The parameter sets of a stream: kept, because a decoder that starts again needs them.

use std::collections::{BTreeMap, BTreeSet};

use super::Undecodable;
use super::annex_b::{START_CODE, UnitKind, units};
use super::bits::Bits;
use super::sps::{MAX_PARAMETER_SET_BYTES, Sps};

/// At most 32 sequence and 256 picture parameter sets, each of bounded length.
#[derive(Clone, Debug, Default)]
pub(super) struct ParameterSets {
    sequences: BTreeMap<u32, Sequence>,
    pictures: BTreeMap<u32, PictureSet>,
}

#[derive(Clone, Debug)]
struct Sequence {
    sps: Sps,
    unit: Vec<u8>,
}

#[derive(Clone, Debug)]
struct PictureSet {
    /// The sequence parameters it builds on.
    sequence: u32,
    unit: Vec<u8>,
}

impl ParameterSets {
    /// Takes a unit in, checked; says whether it was new. Units of other kinds are none of its business.
    pub(super) fn take(&mut self, kind: UnitKind, unit: &[u8]) -> Result<bool, Undecodable> {
        match kind {
            UnitKind::SequenceParameters => {
                let sps = Sps::parse(unit)?;
                let known = self.sequences.get(&sps.id).is_some_and(|kept| kept.unit == unit);
                if !known {
                    let unit = unit.to_vec();
                    self.sequences.insert(sps.id, Sequence { sps, unit });
                }
                Ok(!known)
            }
            UnitKind::PictureParameters => {
                let (id, sequence) = picture_set(unit).ok_or_else(damaged_picture_set)?;
                let known = self.pictures.get(&id).is_some_and(|kept| kept.unit == unit);
                if !known {
                    let unit = unit.to_vec();
                    self.pictures.insert(id, PictureSet { sequence, unit });
                }
                Ok(!known)
            }
            _ => Ok(false),
        }
    }

    /// Whether a picture of this size has the levels of a picture, not of video.
    pub(super) fn full_range(&self, width: usize, height: usize) -> bool {
        let same = |sps: &Sps| (sps.width, sps.height) == (width as u64, height as u64);
        let mut sequences = self.sequences.values().map(|sequence| sequence.sps);
        sequences.any(|sps| same(&sps) && sps.full_range)
    }

    /// The sets that the slices of an access unit build on, and no others: a damaged set that nothing needs does no harm.
    pub(super) fn write_needed_by(
        &self,
        access_unit: &[u8],
        stream: &mut Vec<u8>,
    ) -> Result<(), Undecodable> {
        let slices = units(access_unit).filter(|(kind, _)| kind.is_slice());
        let ids: Option<BTreeSet<u32>> = slices.map(|(_, slice)| slice_set(slice)).collect();
        let ids = ids.ok_or_else(|| Undecodable::Damaged("a slice is cut short".to_owned()))?;
        let mut write = |unit: &[u8]| {
            stream.extend(START_CODE);
            stream.extend(unit);
        };
        let pictures = ids.iter().map(|id| self.pictures.get(id));
        let pictures: Option<Vec<&PictureSet>> = pictures.collect();
        let pictures = pictures.ok_or(Undecodable::NoParameterSets)?;
        for picture in &pictures {
            let sequence = self.sequences.get(&picture.sequence);
            write(&sequence.ok_or(Undecodable::NoParameterSets)?.unit);
        }
        pictures.iter().for_each(|picture| write(&picture.unit));
        Ok(())
    }
}

/// The number of a picture parameter set, and of the sequence parameter set it builds on.
fn picture_set(unit: &[u8]) -> Option<(u32, u32)> {
    let payload = unit
        .get(1..)
        .filter(|payload| payload.len() < MAX_PARAMETER_SET_BYTES)?;
    let mut bits = Bits::of(payload);
    let id = bits.unsigned().filter(|id| *id < 256)?;
    let sequence = bits.unsigned().filter(|id| *id < 32)?;
    Some((id, sequence))
}

/// The number of the picture parameter set that a slice builds on.
fn slice_set(slice: &[u8]) -> Option<u32> {
    let head = &slice[1..slice.len().min(SLICE_HEAD_BYTES)];
    let mut bits = Bits::of(head);
    bits.unsigned()?;
    bits.unsigned()?;
    bits.unsigned()
}

/// The three numbers at its beginning are not longer.
const SLICE_HEAD_BYTES: usize = 32;

fn damaged_picture_set() -> Undecodable {
    Undecodable::Damaged("its picture parameter set makes no sense".to_owned())
}
