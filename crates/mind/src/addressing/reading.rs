//! Whom one line is meant for: the rules, surest first, for Denizen and everybody else alike.

use vocabulary::{PersonId, WallTime};

use super::everybody::is_for_everybody;
use super::naming::{Naming, namings};
use super::roster::{Call, Person, Roster};
use super::word_trail::WordTrail;
use super::words::Words;
use super::{FollowupLimits, Heard, Identity};

/// Somebody's next line within so many lines of the room goes where their last one went.
const CARRY_ON_LINES: u64 = 5;
/// After a longer pause they have begun anew.
const CARRY_ON_MINUTES: u64 = 5;

/// Whom a line is meant for, and how that is known.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) to: Vec<PersonId>,
    pub(super) manner: Manner,
    pub(super) namings: Vec<Naming>,
    pub(super) words: Words,
}

/// The rule that told whom a line is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Called at the head of the line, or by a reply.
    Called,
    /// Named on the way, with nobody called.
    Named,
    /// Spoken of, with nobody spoken to.
    SpeaksOf,
    /// Said to the room at large.
    ForEverybody,
    /// The first line since somebody spoke to them.
    Answers,
    /// Goes on with what they were saying to somebody.
    CarriesOn,
    /// Goes on with what they were saying to the room.
    SpeaksOn,
    /// Picks up a rare word of somebody's; for nobody, where it is Denizen's and the two have not talked.
    PicksUpWord,
    /// Nothing ties it to anybody.
    NoTie,
}

/// What a room knows before a line is heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Past<'a> {
    pub(super) line: u64,
    pub(super) roster: &'a Roster,
    pub(super) trail: &'a WordTrail,
}

/// Reads one line.
pub(super) fn read(
    past: Past<'_>,
    heard: &Heard<'_>,
    identity: &Identity,
    limits: FollowupLimits,
) -> Reading {
    let words = Words::of(heard.text);
    let namings = namings(past.roster, heard, identity, &words);
    let implicit = || implicit(past, heard, identity, &words, limits);
    let (to, manner) = match explicit(heard, identity, &namings) {
        // "it's for bob": whoever is in an exchange goes on with it, and anybody else speaks of him.
        Some((named, _)) if is_only_spoken_of(heard, identity, &namings) => match implicit() {
            tie @ (_, Manner::Answers | Manner::CarriesOn) => tie,
            _ => (named, Manner::SpeaksOf),
        },
        Some(explicit) => explicit,
        None => implicit(),
    };
    Reading {
        to,
        manner,
        namings,
        words,
    }
}

/// Whether everybody named is spoken of rather than spoken to, Denizen not among them.
fn is_only_spoken_of(heard: &Heard<'_>, identity: &Identity, namings: &[Naming]) -> bool {
    let mut meant = namings.iter().filter(|naming| naming.meant);
    heard.reply_to_author.is_none()
        && heard.mentions.is_empty()
        && meant.all(|naming| naming.spoken_of && naming.person != identity.id)
}

/// Whom the author says it is for; being called outweighs being named on the way ("bob: ask carol").
fn explicit(heard: &Heard<'_>, identity: &Identity, namings: &[Naming]) -> Option<(Vec<PersonId>, Manner)> {
    let mut called: Vec<PersonId> = Vec::new();
    let mut named: Vec<PersonId> = Vec::new();
    let mut add = |is_call: bool, person: &PersonId| {
        let list = if is_call { &mut called } else { &mut named };
        if person != heard.author && !list.contains(person) {
            list.push(person.clone());
        }
    };
    if let Some(person) = heard.reply_to_author {
        add(true, person);
    }
    let mentions_lead = heard.text.trim_start().starts_with("<@");
    for person in heard.mentions {
        // A ping on the way may only be about somebody; Denizen's own is always a call.
        add(mentions_lead || *person == identity.id, person);
    }
    for naming in namings.iter().filter(|naming| naming.meant) {
        add(naming.called, &naming.person);
    }
    if !called.is_empty() {
        Some((called, Manner::Called))
    } else if !named.is_empty() {
        Some((named, Manner::Named))
    } else {
        None
    }
}

/// Whom a line that names nobody is for.
fn implicit(
    past: Past<'_>,
    heard: &Heard<'_>,
    identity: &Identity,
    words: &Words,
    limits: FollowupLimits,
) -> (Vec<PersonId>, Manner) {
    if is_for_everybody(heard.text, words) {
        return (Vec::new(), Manner::ForEverybody);
    }
    if let Some(author) = past.roster.person(heard.author) {
        if let Some(call) = call_answered(author, past.line, heard.at, limits) {
            return (vec![call.by.clone()], Manner::Answers);
        }
        if let Some(tie) = carried_on(author, past.line, heard.at) {
            return tie;
        }
    }
    match past.trail.picked_up_from(heard.author, words) {
        // Two people may well use the same word; that one of them is Denizen makes no exchange of it.
        Some(person) if *person == identity.id && !have_talked(past, heard, person, limits) => {
            (Vec::new(), Manner::PicksUpWord)
        }
        Some(person) => (vec![person.clone()], Manner::PicksUpWord),
        None => (Vec::new(), Manner::NoTie),
    }
}

/// Of several who wait, whoever asked something is answered first, and the latest before earlier ones.
fn call_answered(author: &Person, line: u64, at: WallTime, limits: FollowupLimits) -> Option<&Call> {
    let fresh = |call: &&Call| is_fresh(call.line, call.at, line, at, limits);
    let latest_first = || author.calls.iter().rev().filter(fresh);
    latest_first()
        .find(|call| call.asked)
        .or_else(|| latest_first().next())
}

/// Whether the last line of the author, or of the other, was for the other of them, not long ago.
fn have_talked(past: Past<'_>, heard: &Heard<'_>, other: &PersonId, limits: FollowupLimits) -> bool {
    let spoke_to = |from: &PersonId, to: &PersonId| {
        let last = past.roster.person(from).and_then(|person| person.spoke.as_ref());
        last.is_some_and(|last| {
            last.to.contains(to) && is_fresh(last.line, last.at, past.line, heard.at, limits)
        })
    };
    spoke_to(heard.author, other) || spoke_to(other, heard.author)
}

fn carried_on(author: &Person, line: u64, at: WallTime) -> Option<(Vec<PersonId>, Manner)> {
    let last = author.spoke.as_ref()?;
    let lines_since = line.saturating_sub(last.line);
    if lines_since > CARRY_ON_LINES || !is_within(last.at, at, CARRY_ON_MINUTES) {
        return None;
    }
    if !last.to.is_empty() {
        return Some((last.to.clone(), Manner::CarriesOn));
    }
    // With other lines in between, somebody who spoke to the room may by now be answering one of them.
    (lines_since == 1).then(|| (Vec::new(), Manner::SpeaksOn))
}

/// Whether an exchange is still open that was spoken in at this line and time.
pub(super) fn is_fresh(
    said_line: u64,
    said_at: WallTime,
    line: u64,
    at: WallTime,
    limits: FollowupLimits,
) -> bool {
    line.saturating_sub(said_line) <= limits.messages && is_within(said_at, at, limits.minutes)
}

fn is_within(earlier: WallTime, later: WallTime, minutes: u64) -> bool {
    let elapsed_ms = later.0.saturating_sub(earlier.0);
    elapsed_ms <= i64::try_from(minutes.saturating_mul(60_000)).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
