//! Who talked with whom in the last lines of a room, as seen from somebody who says something and from Denizen.

use vocabulary::{PersonId, WallTime};

use super::trace::{Trace, Traced, minute_of};

/// How long ago something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ago {
    pub(super) lines: u64,
    pub(super) minutes: u64,
}

impl Ago {
    /// More than this is told as this.
    pub(super) const MOST: u64 = 64;
    pub(super) const NEVER: Self = Self {
        lines: Self::MOST + 1,
        minutes: Self::MOST + 1,
    };
}

/// Lines that count as near.
const NEAR: u64 = 10;
/// Lines in which people are counted.
const CROWD: u64 = 20;

/// The last lines, counted.
#[derive(Debug, Default)]
pub(super) struct Talk<'a> {
    pub(super) author_last: Option<Ago>,
    pub(super) author_last_to: u64,
    pub(super) author_count: u64,
    pub(super) author_partners: Vec<&'a PersonId>,
    pub(super) to_denizen: Option<Ago>,
    pub(super) to_denizen_count: u64,
    pub(super) from_denizen: Option<Ago>,
    pub(super) from_denizen_count: u64,
    /// Its author has said nothing since.
    pub(super) from_denizen_unanswered: bool,
    pub(super) to_others: Option<Ago>,
    pub(super) to_others_count: u64,
    pub(super) from_others: Option<Ago>,
    pub(super) from_others_count: u64,
    /// Lines of others to its author since Denizen's last to them.
    pub(super) from_others_after: u64,
    pub(super) own_last: Option<Ago>,
    pub(super) own_last_to: u64,
    pub(super) own_last_asks: bool,
    pub(super) own_count: u64,
    pub(super) own_count_near: u64,
    pub(super) own_to_others_count: u64,
    pub(super) own_partners: Vec<&'a PersonId>,
    pub(super) since_people: Vec<&'a PersonId>,
    pub(super) since_lines: u64,
    pub(super) since_author: bool,
    /// Lines of others to Denizen since it spoke.
    pub(super) since_to_denizen: u64,
    /// By whom the two lines before are: nobody, somebody, its author, Denizen.
    pub(super) before_by: [u64; 2],
    pub(super) before_to: u64,
    pub(super) before_asks: bool,
    pub(super) crowd_people: Vec<&'a PersonId>,
    pub(super) crowd_minutes: u64,
    /// Denizen asked its author, or the room, and its author has said nothing since.
    pub(super) own_question: bool,
    /// The last question of somebody else's to the room.
    pub(super) room_question: Option<Ago>,
    /// Others who asked the room something since Denizen spoke.
    pub(super) room_askers: Vec<&'a PersonId>,
}

impl<'a> Talk<'a> {
    /// Looks through the last lines, newest first.
    pub(super) fn of(trace: &'a Trace, author: &PersonId, denizen: &PersonId, at: WallTime) -> Self {
        let mut talk = Self::default();
        let now = minute_of(at);
        for (line, before) in trace.newest_first().zip(1..) {
            let passed = u64::try_from(now.saturating_sub(line.minute)).unwrap_or_default();
            let ago = Ago {
                lines: before,
                minutes: passed.min(Ago::MOST),
            };
            if before <= CROWD {
                talk.crowd(line, ago);
            }
            if let Some(by) = talk.before_by.get_mut(before as usize - 1) {
                *by = match &line.by {
                    by if by == denizen => 3,
                    by if by == author => 2,
                    _ => 1,
                };
            }
            if before == 1 {
                talk.before_to = before_to(line, author, denizen);
                talk.before_asks = line.asks;
            }
            if line.by == *denizen {
                talk.by_denizen(line, author, ago);
            } else if line.by == *author {
                talk.by_author(line, denizen, ago);
            } else {
                talk.by_others(line, author, denizen, ago);
            }
        }
        talk
    }

    fn crowd(&mut self, line: &'a Traced, ago: Ago) {
        add(&mut self.crowd_people, &line.by);
        self.crowd_minutes = ago.minutes;
    }

    fn by_author(&mut self, line: &'a Traced, denizen: &PersonId, ago: Ago) {
        self.since_author |= self.own_last.is_none();
        if self.author_last.is_none() {
            self.author_last = Some(ago);
            self.author_last_to = direction(line, denizen);
        }
        self.author_count += 1;
        for person in &line.to {
            add(&mut self.author_partners, person);
        }
        if line.to.contains(denizen) {
            self.to_denizen.get_or_insert(ago);
            self.to_denizen_count += 1;
        }
        if line.to.iter().any(|to| to != denizen) {
            self.to_others.get_or_insert(ago);
            self.to_others_count += 1;
        }
    }

    fn by_denizen(&mut self, line: &'a Traced, author: &PersonId, ago: Ago) {
        if self.own_last.is_none() {
            self.own_last = Some(ago);
            self.own_last_to = direction(line, author);
            self.own_last_asks = line.asks;
        }
        self.own_count += 1;
        self.own_count_near += u64::from(ago.lines <= NEAR);
        for person in &line.to {
            add(&mut self.own_partners, person);
        }
        let is_to_author = line.to.contains(author);
        if is_to_author {
            self.from_denizen_unanswered |= self.from_denizen.is_none() && self.author_last.is_none();
            self.from_denizen.get_or_insert(ago);
            self.from_denizen_count += 1;
        }
        self.own_to_others_count += u64::from(line.to.iter().any(|to| to != author));
        self.own_question |= line.asks && self.author_last.is_none() && (is_to_author || line.to.is_empty());
    }

    fn by_others(&mut self, line: &'a Traced, author: &PersonId, denizen: &PersonId, ago: Ago) {
        let asks_room = line.asks && line.to.is_empty();
        if self.own_last.is_none() {
            add(&mut self.since_people, &line.by);
            self.since_lines += 1;
            self.since_to_denizen += u64::from(line.to.contains(denizen));
            if asks_room {
                add(&mut self.room_askers, &line.by);
            }
        }
        if line.to.contains(author) {
            self.from_others.get_or_insert(ago);
            self.from_others_count += 1;
            self.from_others_after += u64::from(self.from_denizen.is_none());
        }
        if asks_room {
            self.room_question.get_or_insert(ago);
        }
    }
}

fn add<'a>(people: &mut Vec<&'a PersonId>, person: &'a PersonId) {
    if !people.contains(&person) {
        people.push(person);
    }
}

/// Whether a line went to the room, to others, to somebody and others, or to them alone; 0 is for where there is none.
fn direction(line: &Traced, person: &PersonId) -> u64 {
    match (line.to.as_slice(), line.to.contains(person)) {
        ([], _) => 1,
        (_, false) => 2,
        ([_, _, ..], true) => 3,
        (_, true) => 4,
    }
}

/// Whom the line before went to: others (1), whoever speaks now (2), Denizen (4), and any of them together; the room is 8.
fn before_to(line: &Traced, author: &PersonId, denizen: &PersonId) -> u64 {
    if line.to.is_empty() {
        return 8;
    }
    let others = line.to.iter().any(|to| to != author && to != denizen);
    u64::from(others) + 2 * u64::from(line.to.contains(author)) + 4 * u64::from(line.to.contains(denizen))
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
