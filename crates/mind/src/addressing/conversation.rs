//! The conversation of one room, followed line by line, and what it says about the next line.

use serde::{Deserialize, Serialize};

use super::cues::Cues;
use super::habits::{Said, When};
use super::look::Look;
use super::naming::Naming;
use super::reading::{Manner, Past, Reading, is_fresh, read};
use super::roster::{Call, Roster, Spoke};
use super::score::{AddressScore, is_judged};
use super::trace::{Trace, Traced, minute_of};
use super::word_trail::{WordTrail, slots};
use super::{AddressReason, AddressSignal, FollowupLimits, Heard, Identity};

const CONFIDENCE_DIRECT: f64 = 1.0;
const CONFIDENCE_NAME: f64 = 0.95;
/// Of ten follow-ups in real rooms, between eight and nine were meant for the one who was taken to be meant.
const CONFIDENCE_FOLLOWUP: f64 = 0.85;
/// A line of so few words that names somebody is nothing but a call.
const BARE_CALL_WORDS_MAX: u8 = 3;
/// Whoever names more people at once talks to a crowd.
const CALLS_KEPT: usize = 4;

/// Who talks with whom in one room: bounded, and fed with every message in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    line: u64,
    roster: Roster,
    trail: WordTrail,
    #[serde(default)]
    trace: Trace,
}

impl Conversation {
    /// Judges a message that has not been observed yet.
    pub fn judge(&self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) -> AddressSignal {
        if heard.by_denizen {
            return unaddressed("own_message");
        }
        if heard.mentions.contains(&identity.id) {
            return signal(AddressReason::Direct, CONFIDENCE_DIRECT, "platform_mention");
        }
        if heard.reply_to_author == Some(&identity.id) {
            return signal(AddressReason::Direct, CONFIDENCE_DIRECT, "reply_to_denizen");
        }
        let reading = self.read(heard, identity, limits);
        let is_for_denizen = reading.to.contains(&identity.id);
        let rule = match rule(reading.manner, is_for_denizen) {
            "picks_up_word_of_somebody_else" if reading.to.is_empty() => "picks_up_word_of_denizen",
            "called_somebody_else" if is_reply_alone(heard, &reading) => "replied_to_somebody_else",
            "named_in_line" if speaks_of(&identity.id, &reading) => "speaks_of_denizen",
            rule => rule,
        };
        let ruled = match reading.manner {
            _ if !is_for_denizen => unaddressed(rule),
            Manner::Called | Manner::Named => signal(name_reason(&reading, identity), CONFIDENCE_NAME, rule),
            _ if !limits.enabled => unaddressed("followup_off"),
            _ => signal(AddressReason::FollowupPartner, CONFIDENCE_FOLLOWUP, rule),
        };
        // Two who never talked are in no exchange by a word, however likely: that is learnt from, and not weighed.
        let is_by_word_alone = reading.manner == Manner::PicksUpWord && reading.to.is_empty();
        let is_left_to_rules = is_by_word_alone || (is_for_denizen && self.completes_call(heard, identity));
        match limits.least_score.filter(|_| limits.enabled && !is_left_to_rules) {
            Some(least) if self.is_open(heard, identity, limits) && is_judged(&reading) => {
                let score = AddressScore::of(&self.cues_of(heard, identity, &reading), least);
                weighed(ruled, score)
            }
            _ => ruled,
        }
    }

    /// What a line that has not been observed yet tells about whom it is for; none where a rule alone decides.
    pub fn cues(&self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) -> Option<Cues> {
        let reading = self.read(heard, identity, limits);
        let is_left_open = !heard.by_denizen && is_judged(&reading) && self.is_open(heard, identity, limits);
        is_left_open.then(|| self.cues_of(heard, identity, &reading))
    }

    /// Somebody is there who may not have said anything yet: from now on they can be called.
    pub fn introduce(&mut self, person: &vocabulary::PersonId, name: &str, identity: &Identity) {
        self.roster.admit(person, name, self.line, &identity.id);
    }

    /// Lets somebody go: their name, whom they spoke to and what about.
    pub fn forget(&mut self, person: &vocabulary::PersonId) {
        self.roster.forget(person);
        self.trail.forget(person);
        self.trace.forget(person);
    }

    /// Takes a message in: everybody's, Denizen's own included. Exchanges stay open as long as `limits` says.
    pub fn observe(&mut self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) {
        let reading = self.read(heard, identity, limits);
        let author = heard.speaker(identity);
        let line = self.line;
        self.roster.admit_denizen(&identity.id, line);
        for naming in &reading.namings {
            // An ordinary word at the head of a line ("best way is …") is neither a call nor a use in passing.
            if naming.called || !naming.at_head {
                self.roster.count_name(&naming.person, naming.called);
            }
        }
        if *author != identity.id {
            self.roster.admit(author, heard.author_name, line, &identity.id);
        }
        for person in &reading.to {
            self.roster.call(
                person,
                Call {
                    by: author.clone(),
                    line,
                    at: heard.at,
                    asked: reading.words.asks(),
                },
            );
        }
        self.trail.observe(author, &identity.id, &reading.words);
        let calls = called_outright(heard, &reading);
        let said = Said {
            to: &reading.to,
            calls: &calls,
            when: When {
                line,
                minute: minute_of(heard.at),
            },
        };
        self.roster.count_line(author, said, &identity.id);
        self.trace.observe(Traced {
            by: author.clone(),
            to: reading.to.clone(),
            minute: minute_of(heard.at),
            asks: reading.words.asks(),
            calls,
            look: Look::of(&reading.words),
            words: slots(&reading.words),
        });
        self.roster.spoke(
            author,
            Spoke {
                line,
                at: heard.at,
                to: reading.to,
            },
        );
        self.line += 1;
    }

    /// Whether Denizen has spoken, or its author has spoken to it, not too long ago.
    fn is_open(&self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) -> bool {
        let last = |person| {
            self.roster
                .person(person)
                .and_then(|person| person.spoke.as_ref())
        };
        let own = last(&identity.id);
        let to_it = last(heard.author).filter(|spoke| spoke.to.contains(&identity.id));
        let mut lines = own.into_iter().chain(to_it);
        lines.any(|spoke| is_fresh(spoke.line, spoke.at, self.line, heard.at, limits))
    }

    /// "Denizen?", and right after it what is wanted: that is one call in two lines, however seldom a room talks so.
    fn completes_call(&self, heard: &Heard<'_>, identity: &Identity) -> bool {
        self.trace.newest_first().next().is_some_and(|last| {
            last.by == *heard.author
                && last.calls.contains(&identity.id)
                && last.look.length <= BARE_CALL_WORDS_MAX
                && last.look.may_be_bare_call()
        })
    }

    fn cues_of(&self, heard: &Heard<'_>, identity: &Identity, reading: &Reading) -> Cues {
        Cues::of(self.past(), &self.trace, heard, identity, reading)
    }

    fn past(&self) -> Past<'_> {
        Past {
            line: self.line,
            roster: &self.roster,
            trail: &self.trail,
        }
    }

    fn read(&self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) -> Reading {
        let heard = Heard {
            author: heard.speaker(identity),
            ..*heard
        };
        read(self.past(), &heard, identity, limits)
    }
}

/// What the rules said, and what the score makes of it.
fn weighed(ruled: AddressSignal, score: AddressScore) -> AddressSignal {
    let weighed = match (ruled.triggered, score.is_enough()) {
        (true, false) => unaddressed("seems_meant_for_others"),
        (false, true) => signal(
            AddressReason::FollowupPartner,
            CONFIDENCE_FOLLOWUP,
            "seems_meant_for_denizen",
        ),
        _ => ruled,
    };
    AddressSignal {
        score: Some(score),
        ..weighed
    }
}

fn signal(reason: AddressReason, confidence: f64, rule: &str) -> AddressSignal {
    AddressSignal {
        reason,
        confidence,
        triggered: true,
        rule: rule.to_owned(),
        score: None,
    }
}

fn unaddressed(rule: &str) -> AddressSignal {
    AddressSignal {
        reason: AddressReason::LlmDecides,
        confidence: 0.0,
        triggered: false,
        rule: rule.to_owned(),
        score: None,
    }
}

fn name_reason(reading: &Reading, identity: &Identity) -> AddressReason {
    let only_by_alias = reading
        .namings
        .iter()
        .filter(|naming| naming.person == identity.id)
        .all(|naming| naming.by_alias);
    if only_by_alias {
        AddressReason::NameAlias
    } else {
        AddressReason::NameExact
    }
}

/// Whether a line that asks nothing speaks of somebody wherever it names them.
fn speaks_of(person: &vocabulary::PersonId, reading: &Reading) -> bool {
    let mut namings = reading.namings.iter();
    !reading.words.asks() && namings.all(|naming| naming.person != *person || naming.spoken_of)
}

/// Whom a line names to their face, or mentions.
fn called_outright(heard: &Heard<'_>, reading: &Reading) -> Vec<vocabulary::PersonId> {
    let is_called = |naming: &&Naming| naming.called || (naming.meant && !naming.spoken_of);
    let named = reading.namings.iter().filter(is_called);
    let mut called: Vec<vocabulary::PersonId> = Vec::new();
    for person in named.map(|naming| &naming.person).chain(heard.mentions) {
        if !called.contains(person) && called.len() < CALLS_KEPT {
            called.push(person.clone());
        }
    }
    called
}

/// Whether nothing but a reply says whom a line is for: its text calls nobody.
fn is_reply_alone(heard: &Heard<'_>, reading: &Reading) -> bool {
    let Some(target) = heard.reply_to_author else {
        return false;
    };
    let calls = |naming: &Naming| naming.called && naming.meant && naming.person == *target;
    reading.to == [target.clone()] && !heard.mentions.contains(target) && !reading.namings.iter().any(calls)
}

/// The rule that spoke, in a word that stays the same from version to version.
fn rule(manner: Manner, is_for_denizen: bool) -> &'static str {
    match (manner, is_for_denizen) {
        (Manner::Called, true) => "called_by_name",
        (Manner::Called, false) => "called_somebody_else",
        (Manner::Named, true) => "named_in_line",
        (Manner::Named, false) => "named_somebody_else",
        (Manner::Answers, true) => "answers_denizen",
        (Manner::Answers, false) => "answers_somebody_else",
        (Manner::CarriesOn, true) => "carries_on_with_denizen",
        (Manner::CarriesOn, false) => "carries_on_with_somebody_else",
        (Manner::PicksUpWord, true) => "picks_up_word_of_denizen",
        (Manner::PicksUpWord, false) => "picks_up_word_of_somebody_else",
        (Manner::SpeaksOf, _) => "speaks_of_somebody_else",
        (Manner::ForEverybody, _) => "said_to_everybody",
        (Manner::SpeaksOn, _) => "speaks_on_to_the_room",
        (Manner::NoTie, _) => "no_tie",
    }
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
