//! Whose words a line takes up: how much it is like each of the last lines.

use vocabulary::PersonId;

use super::slots::Slots;
use super::trace::{Trace, Traced};
use super::word_trail::WordTrail;

/// Parts of a share.
const PARTS: u64 = 16;

/// Likeness with lines of the last while, the rarer the words the more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Echo {
    /// With Denizen's last line to its author, and with the best of them.
    pub(super) own_to_author_last: u64,
    pub(super) own_to_author: u64,
    /// With the best of its author's own lines, and whether that was for Denizen.
    pub(super) author: u64,
    pub(super) author_to: u64,
    /// With the best line of somebody else's, how many lines ago, and whom that was for.
    pub(super) others: u64,
    pub(super) others_lines: u64,
    pub(super) others_to: u64,
    /// With the best line of somebody else's that was for Denizen.
    pub(super) to_denizen: u64,
    /// Whose the best of all is: nobody's, others', its author's, Denizen's.
    pub(super) best_by: u64,
    /// Of what it shares with all lines, the part that it shares with Denizen's and with its author's to Denizen.
    pub(super) share: u64,
    pub(super) rare: u64,
    pub(super) topics: u64,
}

impl Echo {
    pub(super) fn of(
        trace: &Trace,
        trail: &WordTrail,
        said: &Slots,
        author: &PersonId,
        denizen: &PersonId,
    ) -> Self {
        let mut echo = Self {
            rare: trail.rare(said) as u64,
            topics: said.len() as u64,
            ..Self::default()
        };
        if said.is_empty() {
            return echo;
        }
        let (mut best, mut own, mut all) = (0, 0, 0);
        let mut is_first_to_author = true;
        for (line, ago) in trace.newest_first().zip(1..) {
            let like = trail.shared(said, &line.words);
            all += like;
            let is_to = |person: &PersonId| line.to.contains(person) || line.calls.contains(person);
            let by = if line.by == *denizen {
                own += like;
                if is_to(author) {
                    if std::mem::take(&mut is_first_to_author) {
                        echo.own_to_author_last = like;
                    }
                    echo.own_to_author = echo.own_to_author.max(like);
                }
                3
            } else if line.by == *author {
                own += if is_to(denizen) { like } else { 0 };
                if like > echo.author {
                    (echo.author, echo.author_to) = (like, direction(line, denizen));
                }
                2
            } else {
                if is_to(denizen) {
                    echo.to_denizen = echo.to_denizen.max(like);
                }
                if like > echo.others {
                    echo.others = like;
                    echo.others_lines = ago;
                    echo.others_to = whom(line, author, denizen);
                }
                1
            };
            if like > best {
                (best, echo.best_by) = (like, by);
            }
        }
        echo.share = (own * PARTS).checked_div(all).unwrap_or(PARTS + 1);
        echo
    }
}

/// Whether a line was for the room, for others or for somebody; 0 is for where there is none.
fn direction(line: &Traced, person: &PersonId) -> u64 {
    match (line.to.is_empty(), line.to.contains(person)) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 3,
    }
}

/// Whether a line was for the room, for others, for whoever speaks now or for Denizen.
fn whom(line: &Traced, author: &PersonId, denizen: &PersonId) -> u64 {
    match (line.to.contains(denizen), line.to.contains(author)) {
        (true, _) => 4,
        (_, true) => 3,
        _ if line.to.is_empty() => 1,
        _ => 2,
    }
}

#[cfg(test)]
#[path = "echo_tests.rs"]
mod tests;
