//! The byte stream of H.264: units between start codes.

/// What stands before every unit.
pub const START_CODE: [u8; 4] = [0, 0, 0, 1];

/// What a unit holds, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// A part of a picture that refers to others.
    Slice,
    /// A part of a picture that stands on its own, and before which nothing needs to be known.
    KeySlice,
    SequenceParameters,
    PictureParameters,
    /// Hints, delimiters, layers of scalable video: nothing that a picture needs.
    Other,
}

impl UnitKind {
    /// The kind that the first byte of a unit names.
    pub fn of(header: u8) -> Self {
        match header & 0x1f {
            1 => UnitKind::Slice,
            5 => UnitKind::KeySlice,
            7 => UnitKind::SequenceParameters,
            8 => UnitKind::PictureParameters,
            _ => UnitKind::Other,
        }
    }

    pub fn is_slice(self) -> bool {
        matches!(self, UnitKind::Slice | UnitKind::KeySlice)
    }
}

/// The units of a byte stream, without start codes and padding; what stands before the first start code is no unit.
pub fn units(stream: &[u8]) -> impl Iterator<Item = (UnitKind, &[u8])> {
    let mut rest = after_start_code(stream);
    std::iter::from_fn(move || {
        let from = rest?;
        let (unit, next) = match find_start_code(from) {
            Some(at) => (&from[..at], after_start_code(&from[at..])),
            None => (from, None),
        };
        rest = next;
        Some(without_padding(unit))
    })
    .filter_map(|unit| Some((UnitKind::of(*unit.first()?), unit)))
}

fn find_start_code(bytes: &[u8]) -> Option<usize> {
    bytes.windows(3).position(|three| three == [0, 0, 1])
}

fn after_start_code(bytes: &[u8]) -> Option<&[u8]> {
    find_start_code(bytes).map(|at| &bytes[at + 3..])
}

fn without_padding(unit: &[u8]) -> &[u8] {
    let length = unit
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |last| last + 1);
    &unit[..length]
}

#[cfg(test)]
#[path = "annex_b_tests.rs"]
mod annex_b_tests;
