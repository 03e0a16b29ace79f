//! Ids of gems, derived from what they came from: the same batch gives the same ids again, so nothing is stored twice.

use vocabulary::{GemId, SessionId, TurnKey};

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
const MIX: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

/// The id of the `ordinal`th gem that one answer made of these turns. Their order does not matter.
///
/// FNV-1a over 128 bits, then mixed so that the first characters, by which people and models tell gems apart, depend
/// on everything. It is no protection against somebody who *wants* two sources to collide, and needs to be none:
/// turn ids are given by the platform. Written as a version 8 UUID, which every store takes as an id.
pub fn gem_id(session: &SessionId, turns: &[TurnKey], ordinal: usize) -> GemId {
    let mut turns: Vec<&str> = turns.iter().map(TurnKey::as_str).collect();
    turns.sort_unstable();
    turns.dedup();
    let mut hash = Fnv(OFFSET);
    hash.take(session.as_str());
    for turn in turns {
        hash.take(turn);
    }
    hash.take(&ordinal.to_string());
    GemId::new(as_uuid(mixed(hash.0)))
}

/// Tells whether words are still the ones that something was made of: the same for the same words, on every machine.
pub fn fingerprint(text: &str) -> u64 {
    let mut hash = Fnv(OFFSET);
    hash.take(text);
    (mixed(hash.0) >> 64) as u64
}

struct Fnv(u128);

impl Fnv {
    /// Takes a field with its length, so that no two lists of fields read the same.
    fn take(&mut self, field: &str) {
        let length = (field.len() as u64).to_le_bytes();
        for byte in length.iter().chain(field.as_bytes()) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

fn mixed(mut hash: u128) -> u128 {
    for shift in [67, 61] {
        hash = (hash ^ (hash >> shift)).wrapping_mul(MIX);
    }
    hash ^ (hash >> 64)
}

fn as_uuid(bits: u128) -> String {
    let bits = bits & !(0xf << 76) | (0x8 << 76);
    let bits = bits & !(0x3 << 62) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod identity_tests;
