//! Numbers on their way to SQLite and back, which knows signed ones only.

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
