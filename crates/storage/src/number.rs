//! Numbers on their way to SQLite and back, which knows signed ones only.

use crate::community::Key;

/// As SQLite keeps it. Nothing counts that far: what is beyond is cut, and shows as a clash of keys.
pub(crate) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// As it was counted.
pub(crate) fn counted(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// How many rows may be read for a wish, within what is bearable.
pub(crate) fn bounded(wanted: usize, most: usize) -> i64 {
    i64::try_from(wanted.min(most)).unwrap_or(i64::MAX)
}

/// Bits of a key that hold a number of a community; above them is which community it is.
const NUMBER_BITS: u32 = 40;

/// The key of a row that is counted within its community.
pub(crate) fn key_of(community: Key, number: u64) -> i64 {
    (community.0 << NUMBER_BITS) + stored(number).min((1 << NUMBER_BITS) - 1)
}
