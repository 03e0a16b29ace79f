//! Reading single bits and Exp-Golomb numbers out of a unit.

/// A unit's payload, with the bytes that only keep start codes from appearing taken out.
#[derive(Debug)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    position: usize,
}

impl Bits {
    /// Of the payload of a unit, its header byte left out.
    pub(super) fn of(payload: &[u8]) -> Self {
        let mut bytes = Vec::with_capacity(payload.len());
        let mut zeros = 0;
        for byte in payload {
            if zeros >= 2 && *byte == 3 {
                zeros = 0;
                continue;
            }
            zeros = if *byte == 0 { zeros + 1 } else { 0 };
            bytes.push(*byte);
        }
        Self { bytes, position: 0 }
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        let byte = *self.bytes.get(self.position / 8)?;
        let bit = byte >> (7 - self.position % 8) & 1;
        self.position += 1;
        Some(bit == 1)
    }

    /// At most 32 bits.
    pub(super) fn number(&mut self, bits: u32) -> Option<u32> {
        let mut value = 0u32;
        for _ in 0..bits {
            value = value << 1 | u32::from(self.flag()?);
        }
        Some(value)
    }

    /// An unsigned Exp-Golomb number.
    pub(super) fn unsigned(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        let rest = self.number(zeros)?;
        Some(((1u64 << zeros) - 1) as u32 + rest)
    }

    /// A signed Exp-Golomb number.
    pub(super) fn signed(&mut self) -> Option<i64> {
        let code = i64::from(self.unsigned()?);
        Some(if code % 2 == 1 {
            (code + 1) / 2
        } else {
            -(code / 2)
        })
    }
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod bits_tests;
