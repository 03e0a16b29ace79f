//! Ids and times as Discord writes them: a snowflake holds when it was made.

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

/// A snowflake.
pub type Id = u64;

/// Milliseconds since 1970.
pub type Millis = u64;

/// What Discord counts its snowflakes from: the first second of 2015.
const EPOCH: Millis = 1_420_070_400_000;
/// Guilds and people are older than any test: the first second of 2020.
const LONG_AGO: Millis = 1_577_836_800_000;

static AHEAD: OnceLock<fn() -> Duration> = OnceLock::new();

/// For simulations, in which hours pass in seconds: the clock of this Discord is ahead by what this says.
pub fn run_ahead(by: fn() -> Duration) {
    // A process has one simulation.
    let _ = AHEAD.set(by);
}

pub fn now() -> Millis {
    let ahead = AHEAD.get().map_or(Duration::ZERO, |by| by());
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + ahead;
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Gives ids that only grow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ids {
    last: Id,
    aged: u64,
    /// So long ago everything is made, while it is not zero.
    pub ago: Millis,
    before: u64,
}

impl Ids {
    /// An id made now, or as long ago as is wanted.
    pub fn fresh(&mut self) -> Id {
        if self.ago > 0 {
            // Two of the same millisecond have their order, too.
            self.before += 1;
            return ((now() - self.ago - EPOCH) << 22) + (self.before & 0x3f_ffff);
        }
        let made = (now() - EPOCH) << 22;
        self.last = made.max(self.last + 1);
        self.last
    }

    /// An id of something that was there long ago. Each is of a millisecond of its own, so guilds spread over shards.
    pub fn aged(&mut self) -> Id {
        self.aged += 1;
        (LONG_AGO - EPOCH + self.aged) << 22
    }
}

/// When an id was made.
pub fn made_at(id: Id) -> Millis {
    (id >> 22) + EPOCH
}

/// A time in Discord's words: `2026-11-16T23:45:00.123000+00:00`.
pub fn iso(at: Millis) -> String {
    let (days, rest) = (at / 86_400_000, at % 86_400_000);
    let (year, month, day) = civil(i64::try_from(days).unwrap_or(0));
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}000+00:00")
}

/// The day of the calendar that is this many days after 1970 began (years of 400-year cycles that start in March).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (era * 400 + year + i64::from(month <= 2), month, day)
}

/// An id that somebody wrote, as Discord's string or as a number.
pub fn id_of(value: &Value) -> Option<Id> {
    value
        .as_u64()
        .or_else(|| value.as_str().and_then(|text| text.parse().ok()))
}

/// Ids that somebody wrote as a list; what is none is left out.
pub fn ids_of(value: &Value) -> Vec<Id> {
    value.as_array().into_iter().flatten().filter_map(id_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_discord_does() {
        for (at, written) in [
            (0, "1970-01-01T00:00:00.000000+00:00"),
            (EPOCH, "2015-01-01T00:00:00.000000+00:00"),
            (1_709_210_096_789, "2024-02-29T12:34:56.789000+00:00"),
        ] {
            assert_eq!(iso(at), written);
        }
    }

    #[test]
    fn ids_grow_and_hold_their_time() {
        let mut ids = Ids::default();
        let (one, two) = (ids.fresh(), ids.fresh());
        assert!(one < two);
        assert!(now() - made_at(one) < 60_000);
        assert_ne!(ids.aged() >> 22, ids.aged() >> 22);
        ids.ago = 3_600_000;
        let (earlier, later) = (ids.fresh(), ids.fresh());
        assert!(earlier < later && later < one);
        ids.ago = 0;
        assert!(ids.fresh() > two);
    }
}
