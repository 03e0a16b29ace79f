//! Who is named in a line, and how: called at its head, or mentioned on the way.

use vocabulary::PersonId;

use super::everybody::leads_in;
use super::name::Spelling;
use super::roster::Roster;
use super::words::Words;
use super::{Heard, Identity};

/// One use of somebody's name.
#[derive(Debug)]
pub(super) struct Naming {
    pub(super) person: PersonId,
    /// Nothing but other names and words like "hey" comes before it.
    pub(super) at_head: bool,
    /// A call: at the head, and set off as one or no ordinary word.
    pub(super) called: bool,
    /// It names the person at all, rather than being an ordinary word that looks like the name.
    pub(super) meant: bool,
    /// One of Denizen's aliases rather than its name.
    pub(super) by_alias: bool,
}

struct Candidate<'a> {
    person: &'a PersonId,
    spelling: &'a Spelling,
    by_alias: bool,
    heard_at_line: Option<u64>,
}

impl Candidate<'_> {
    /// The longest spelling wins, then a whole name over a first word, then whoever was heard last.
    fn rank(&self) -> (usize, bool, Option<u64>) {
        (self.spelling.len(), self.spelling.whole, self.heard_at_line)
    }
}

/// Everybody named in a line, in order; nobody names themselves.
pub(super) fn namings(roster: &Roster, heard: &Heard<'_>, identity: &Identity, words: &Words) -> Vec<Naming> {
    let mut found = Vec::new();
    let mut head = 0;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let Some(candidate) = best(roster, heard, identity, words, at) else {
            if at == head && leads_in(word) {
                head = at + 1;
            }
            at += 1;
            continue;
        };
        let end = at + candidate.spelling.len();
        let at_head = at == head;
        let ordinary = roster.is_ordinary_word(candidate.person, candidate.spelling.characters());
        let called = at_head && (words.set_off(end - 1) || !ordinary);
        found.push(Naming {
            person: candidate.person.clone(),
            at_head,
            called,
            meant: called || !ordinary,
            by_alias: candidate.by_alias,
        });
        if at_head {
            head = end;
        }
        at = end;
    }
    found
}

fn best<'a>(
    roster: &'a Roster,
    heard: &Heard<'_>,
    identity: &'a Identity,
    words: &Words,
    at: usize,
) -> Option<Candidate<'a>> {
    let own = identity
        .spellings()
        .filter(|(spelling, _)| !heard.by_denizen && spelling.is_said(words, at))
        .map(|(spelling, by_alias)| Candidate {
            person: &identity.id,
            spelling,
            by_alias,
            heard_at_line: roster.heard_at_line(&identity.id),
        });
    let others = words
        .get(at)
        .map_or(&[][..], |word| roster.named(word))
        .iter()
        .filter(|named| named.person != *heard.author && named.spelling.is_said(words, at))
        .map(|named| Candidate {
            person: &named.person,
            spelling: &named.spelling,
            by_alias: false,
            heard_at_line: roster.heard_at_line(&named.person),
        });
    let mut best: Option<Candidate<'a>> = None;
    for candidate in own.chain(others) {
        if best.as_ref().is_none_or(|best| candidate.rank() > best.rank()) {
            best = Some(candidate);
        }
    }
    best
}
