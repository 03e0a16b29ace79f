//! How somebody speaks there, counted since they came: how often they name whom they talk to, and who named whom.

use serde::{Deserialize, Serialize};
use vocabulary::PersonId;

/// After so many lines a count is halved: what somebody did long ago tells little of what they do now.
const LINES_COUNTED_MAX: u32 = 64;

/// Somebody's habits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Habits {
    /// Of their lines.
    #[serde(default)]
    pub(super) said: Naming,
    /// Of their lines to Denizen, those that named it.
    #[serde(default)]
    pub(super) to_denizen: Naming,
    /// Of Denizen's lines to them, those that named them.
    #[serde(default)]
    pub(super) from_denizen: Naming,
    /// When they last named Denizen, it them, they somebody else, and somebody else them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) named_denizen: Option<When>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) named_by_denizen: Option<When>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) named_others: Option<When>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) named_by_others: Option<When>,
}

/// Lines, and how many of them name whom they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Naming {
    pub(super) lines: u32,
    pub(super) naming: u32,
}

/// A line of the room, and its minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct When {
    pub(super) line: u64,
    pub(super) minute: i64,
}

/// A line, as far as habits go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    pub(super) to: &'a [PersonId],
    pub(super) calls: &'a [PersonId],
    pub(super) when: When,
}

impl Naming {
    /// More parts than a share has: nothing is known.
    pub(super) const UNKNOWN: u64 = 17;

    fn count(&mut self, names: bool) {
        self.lines += 1;
        self.naming += u32::from(names);
        if self.lines >= LINES_COUNTED_MAX {
            self.lines /= 2;
            self.naming /= 2;
        }
    }

    /// The share of lines that name somebody, in sixteenths.
    pub(super) fn share(self) -> u64 {
        match self.lines {
            0 => Self::UNKNOWN,
            lines => u64::from(self.naming * 16 / lines),
        }
    }
}

impl Habits {
    /// Counts a line of theirs.
    pub(super) fn said(&mut self, said: Said<'_>, denizen: &PersonId) {
        self.said.count(!said.calls.is_empty());
        let names_denizen = said.calls.contains(denizen);
        if names_denizen || said.to.contains(denizen) {
            self.to_denizen.count(names_denizen);
        }
        if names_denizen {
            self.named_denizen = Some(said.when);
        }
        if said.calls.iter().any(|called| called != denizen) {
            self.named_others = Some(said.when);
        }
    }

    /// Counts a line to them.
    pub(super) fn heard(&mut self, said: Said<'_>, by_denizen: bool, is_named: bool) {
        if by_denizen {
            self.from_denizen.count(is_named);
        }
        if is_named {
            let named = if by_denizen {
                &mut self.named_by_denizen
            } else {
                &mut self.named_by_others
            };
            *named = Some(said.when);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_told_in_sixteenths_and_what_is_long_ago_counts_less() {
        let mut naming = Naming::default();
        assert_eq!(naming.share(), Naming::UNKNOWN);
        (0..4).for_each(|number| naming.count(number == 0));
        assert_eq!(naming.share(), 4);
        (0..200).for_each(|_| naming.count(true));
        assert_eq!(naming.share(), 15);
        assert!(naming.lines < LINES_COUNTED_MAX);
    }

    #[test]
    fn who_named_whom_is_told_with_its_line() {
        let (denizen, bob) = (PersonId::from("0"), PersonId::from("bob"));
        let said = |to: &'static [&'static str]| to.iter().map(|to| PersonId::from(*to)).collect::<Vec<_>>();
        let mut habits = Habits::default();
        let when = |line| When { line, minute: 0 };
        let (to, calls) = (said(&["0"]), said(&["0"]));
        habits.said(
            Said {
                to: &to,
                calls: &calls,
                when: when(1),
            },
            &denizen,
        );
        habits.said(
            Said {
                to: &to,
                calls: &[],
                when: when(2),
            },
            &denizen,
        );
        let calls = vec![bob];
        habits.said(
            Said {
                to: &calls,
                calls: &calls,
                when: when(3),
            },
            &denizen,
        );
        habits.heard(
            Said {
                to: &[],
                calls: &[],
                when: when(4),
            },
            true,
            false,
        );
        assert_eq!((habits.said.lines, habits.said.naming), (3, 2));
        assert_eq!((habits.to_denizen.lines, habits.to_denizen.naming), (2, 1));
        assert_eq!(
            (habits.named_denizen, habits.named_others),
            (Some(when(1)), Some(when(3)))
        );
        assert_eq!((habits.from_denizen.share(), habits.named_by_denizen), (0, None));
    }
}
