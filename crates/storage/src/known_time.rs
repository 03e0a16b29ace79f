//! The time that retention goes by: a clock that jumped is believed only when it has gone right for a day, or when the
//! operator says so. Until then only what is old by both clocks is deleted.

use runtime::ports::{ClockDoubt, StoreError};
use rusqlite::{Connection, OptionalExtension, params};
use vocabulary::{Span, WallTime};

use crate::fault::Fault;
use crate::number::{counted, stored};
use crate::sqlite::Sqlite;

const MINUTE_MS: i64 = 60_000;
/// A clock may be set back or run slow by so much without anybody wondering.
const BACK_MAX_MS: i64 = 120 * MINUTE_MS;
/// Nobody wonders about a machine that was off, or a process that stood still, for so long.
const AWAY_MAX_MS: i64 = 2 * 24 * 60 * MINUTE_MS;
/// A clock that jumped is believed once it has gone right for so long while Denizen ran.
const HELD_FOR: Span = Span::hours(24);

/// What is known of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KnownTime {
    /// The time that is sure: it goes on with the time that Denizen runs, and with a clock that is believed.
    at: WallTime,
    doubted: Option<Doubted>,
}

/// A clock that says something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Doubted {
    /// By how much it is ahead of the time that is sure; negative where it is behind.
    ahead: i64,
    /// For how long it has gone right since.
    held: Span,
}

impl KnownTime {
    /// Where nothing is known yet, any clock is believed.
    fn first(wall: WallTime) -> Self {
        Self {
            at: wall,
            doubted: None,
        }
    }

    /// What is known once the clock says `wall`, after Denizen has run for `ran` since it was last looked at.
    fn looked_at(self, wall: WallTime, ran: Span) -> Self {
        let passed = i64::try_from(ran.0).unwrap_or(i64::MAX);
        let at = WallTime(self.at.0.saturating_add(passed));
        let ahead = wall.0.saturating_sub(at.0);
        if is_plausible(ahead) {
            return Self::first(wall);
        }
        // The clock that was doubted may be a little further ahead than it was, since the machine was off again.
        let doubted = match self.doubted {
            Some(before) if is_plausible(ahead.saturating_sub(before.ahead)) => Doubted {
                ahead,
                held: Span(before.held.0.saturating_add(ran.0)),
            },
            _ => Doubted {
                ahead,
                held: Span::ZERO,
            },
        };
        if doubted.held >= HELD_FOR {
            return Self::first(wall);
        }
        Self {
            at,
            doubted: Some(doubted),
        }
    }

    /// What may be called old is old at this time: by the clock, and by the time that is sure.
    pub fn surely(&self) -> WallTime {
        let ahead = self.doubted.map_or(0, |doubted| doubted.ahead);
        WallTime(self.at.0.saturating_add(ahead.min(0)))
    }

    /// What is to be told of it.
    pub fn doubt(&self) -> Option<ClockDoubt> {
        self.doubted.map(|doubted| ClockDoubt {
            sure: self.at,
            ahead_ms: doubted.ahead,
            believed_in: Span(HELD_FOR.0.saturating_sub(doubted.held.0)),
        })
    }
}

fn is_plausible(ahead: i64) -> bool {
    (-BACK_MAX_MS..=AWAY_MAX_MS).contains(&ahead)
}

/// Looks at the clock and keeps what is known of the time.
pub(crate) fn look(connection: &Connection, wall: WallTime, ran: Span) -> Result<KnownTime, Fault> {
    let known = match read(connection)? {
        Some(known) => known.looked_at(wall, ran),
        None => KnownTime::first(wall),
    };
    keep(connection, known)?;
    Ok(known)
}

/// What is known, as it was kept last.
pub(crate) fn read(connection: &Connection) -> Result<Option<KnownTime>, Fault> {
    Ok(connection
        .prepare_cached("SELECT at, ahead, held FROM known_time")?
        .query_row([], |row| {
            let held = Span(counted(row.get(2)?));
            let ahead: Option<i64> = row.get(1)?;
            Ok(KnownTime {
                at: WallTime(row.get(0)?),
                doubted: ahead.map(|ahead| Doubted { ahead, held }),
            })
        })
        .optional()?)
}

fn keep(connection: &Connection, known: KnownTime) -> Result<(), Fault> {
    let (ahead, held) = known.doubted.map(|doubted| (doubted.ahead, doubted.held)).unzip();
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO known_time (only_one, at, ahead, held) VALUES (1, ?1, ?2, ?3)",
        )?
        .execute(params![known.at.0, ahead, stored(held.unwrap_or(Span::ZERO).0)])?;
    Ok(())
}

impl Sqlite {
    /// Why retention does not believe this machine's clock, as of the last time it looked.
    pub async fn clock_doubt(&self) -> Result<Option<ClockDoubt>, StoreError> {
        let known = self.read("reading the time that is known", read).await?;
        Ok(known.and_then(|known| known.doubt()))
    }

    /// The operator says that the clock is right: retention goes by it from now on.
    pub async fn believe_clock(&self, wall: WallTime) -> Result<(), StoreError> {
        self.write("keeping the time that is known", move |connection| {
            keep(connection, KnownTime::first(wall))
        })
        .await
    }
}

#[cfg(test)]
#[path = "known_time_tests.rs"]
mod tests;
