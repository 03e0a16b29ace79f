//! The conversation of one room, followed line by line, and what it says about the next line.

use serde::{Deserialize, Serialize};

use super::naming::Naming;
use super::reading::{Manner, Past, Reading, read};
use super::roster::{Call, Roster, Spoke};
use super::word_trail::WordTrail;
use super::{AddressReason, AddressSignal, FollowupLimits, Heard, Identity};

const CONFIDENCE_DIRECT: f64 = 1.0;
const CONFIDENCE_NAME: f64 = 0.95;
/// Of ten follow-ups in real rooms, between eight and nine were meant for the one who was taken to be meant.
const CONFIDENCE_FOLLOWUP: f64 = 0.85;

/// Who talks with whom in one room: bounded, and fed with every message in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    line: u64,
    roster: Roster,
    trail: WordTrail,
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
        match reading.manner {
            _ if !is_for_denizen => unaddressed(rule),
            Manner::Called | Manner::Named => signal(name_reason(&reading, identity), CONFIDENCE_NAME, rule),
            _ if !limits.enabled => unaddressed("followup_off"),
            _ => signal(AddressReason::FollowupPartner, CONFIDENCE_FOLLOWUP, rule),
        }
    }

    /// Somebody is there who may not have said anything yet: from now on they can be called.
    pub fn introduce(&mut self, person: &vocabulary::PersonId, name: &str, identity: &Identity) {
        self.roster.admit(person, name, self.line, &identity.id);
    }

    /// Lets somebody go: their name, whom they spoke to and what about.
    pub fn forget(&mut self, person: &vocabulary::PersonId) {
        self.roster.forget(person);
        self.trail.forget(person);
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
        self.trail.observe(author, &reading.words);
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

    fn read(&self, heard: &Heard<'_>, identity: &Identity, limits: FollowupLimits) -> Reading {
        let past = Past {
            line: self.line,
            roster: &self.roster,
            trail: &self.trail,
        };
        let heard = Heard {
            author: heard.speaker(identity),
            ..*heard
        };
        read(past, &heard, identity, limits)
    }
}

fn signal(reason: AddressReason, confidence: f64, rule: &str) -> AddressSignal {
    AddressSignal {
        reason,
        confidence,
        triggered: true,
        rule: rule.to_owned(),
    }
}

fn unaddressed(rule: &str) -> AddressSignal {
    AddressSignal {
        reason: AddressReason::LlmDecides,
        confidence: 0.0,
        triggered: false,
        rule: rule.to_owned(),
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
