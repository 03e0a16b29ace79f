//! What of a recollection a reply is told: facts about the people at hand, and what else fits, each capped and dated.

use std::collections::BTreeSet;

use vocabulary::text::one_line;
use vocabulary::{
    CommunityId, Found, Gem, GemId, GemTag, Message, MessageId, RecallId, Record, Span, TurnKey, TurnKind,
    WallTime, rfc3339,
};

use crate::input::Recollection;
use crate::journal::JournalEvent;

/// After so many days an ordinary fact about a person counts half.
const HALF_LIFE_DAYS: f64 = 90.0;
/// What a fact that must always be at hand counts more than any other.
const ALWAYS: f64 = 10.0;
/// Longest line of a fact.
const LINE_CHARS_MAX: usize = 300;

/// Words that are said to be friendly, and ask for nothing to be remembered. English, like the other lists here.
const SMALL_TALK: &str = " ok okay k yes yeah yep yup no nope nah thanks thank thx ty you u please sounds sound good great nice \
    cool lol haha hah hehe hm hmm sure fine right done wow well oh ah hi hello hey hiya bye goodbye morning evening night \
    afternoon see later welcome sorry and so too very much all same here there that this is it its thats i im a the to we \
    agreed exactly indeed true perfect awesome amazing interesting lovely ";

/// Whether somebody only makes conversation: whatever fits such words fits by chance.
pub fn is_small_talk(words: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let folded = words.to_lowercase().replace(['\'', '’'], "");
    folded
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty() && *word != name)
        .all(|word| SMALL_TALK.contains(&format!(" {word} ")))
}

/// How much is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub user_facts: usize,
    pub relevant_facts: usize,
    pub min_confidence: f64,
}

/// The lines for a prompt, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    pub user_facts: Vec<String>,
    pub relevant_facts: Vec<String>,
    /// What was found and not sure enough to be brought up.
    pub unsure: usize,
}

impl Chosen {
    /// The line about a recall that is done.
    pub(crate) fn told(&self, recall: RecallId, found: &Recollection, took: Span) -> JournalEvent {
        JournalEvent::RecallCompleted {
            recall,
            messages: found.messages.len(),
            user_facts: self.user_facts.len(),
            relevant_facts: self.relevant_facts.len(),
            unsure: self.unsure,
            took,
            failure: found.failure.clone(),
        }
    }
}

/// The turns that some messages of a community are.
pub(crate) fn shown_turns<'a>(
    found: &Recollection,
    messages: impl Iterator<Item = &'a Message>,
    community: &CommunityId,
) -> BTreeSet<TurnKey> {
    let turns = found.facts.iter().filter_map(|fact| match &fact.record {
        Record::Turn(turn) => Some((&turn.id, turn.id.message_of(community)?)),
        Record::Gem(_) => None,
    });
    let turns: Vec<(&TurnKey, MessageId)> = turns.collect();
    if turns.is_empty() {
        return BTreeSet::new();
    }
    let shown = messages.filter_map(|message| turns.iter().find(|(_, id)| *id == message.id));
    shown.map(|(key, _)| (*key).clone()).collect()
}

/// Chooses. `shown` are messages that stand in the prompt anyway.
pub fn choose(found: &Recollection, shown: &BTreeSet<TurnKey>, wanted: Wanted, now: WallTime) -> Chosen {
    let user = of_people(found, wanted.user_facts, now);
    let told: BTreeSet<&GemId> = user.iter().map(|gem| &gem.gem_id).collect();
    let fitting: Vec<&Found> = found
        .facts
        .iter()
        .filter(|fact| match &fact.record {
            Record::Gem(gem) => gem.is_current() && !told.contains(&gem.gem_id),
            Record::Turn(turn) => !shown.contains(&turn.id),
        })
        .collect();
    let (sure, unsure): (Vec<&Found>, Vec<&Found>) = fitting
        .into_iter()
        .partition(|fact| fact.scores.confidence >= wanted.min_confidence);
    Chosen {
        user_facts: user.into_iter().map(gem_line).collect(),
        relevant_facts: sure
            .into_iter()
            .take(wanted.relevant_facts)
            .map(fact_line)
            .collect(),
        unsure: unsure.len() + found.unsure,
    }
}

/// What is known of the people at hand: what fits best first, then what must always be at hand, then by weight.
fn of_people(found: &Recollection, limit: usize, now: WallTime) -> Vec<&Gem> {
    let fits = |gem: &Gem| {
        let same = |fact: &&Found| matches!(&fact.record, Record::Gem(other) if other.gem_id == gem.gem_id);
        found
            .facts
            .iter()
            .find(same)
            .map_or(0.0, |fact| fact.scores.confidence)
    };
    let mut gems: Vec<(f64, &Gem)> = found
        .of_people
        .iter()
        .filter(|gem| gem.is_current())
        .map(|gem| (weight(gem, now) + fits(gem), gem))
        .collect();
    gems.sort_by(|(one, a), (other, b)| other.total_cmp(one).then_with(|| a.gem_id.cmp(&b.gem_id)));
    gems.into_iter().take(limit).map(|(_, gem)| gem).collect()
}

fn weight(gem: &Gem, now: WallTime) -> f64 {
    if gem.pinned {
        return ALWAYS;
    }
    let days = (now.0 - gem.last_seen_at.0).max(0) as f64 / 86_400_000.0;
    let age = if gem.is_ageless() {
        1.0
    } else {
        0.5_f64.powf(days / HALF_LIFE_DAYS)
    };
    gem.importance * age
}

/// A fact with its date; what somebody only claimed stays somebody's words.
pub fn gem_line(gem: &Gem) -> String {
    let kind = match gem.tags.first() {
        Some(GemTag::Todo) => ", to do",
        Some(GemTag::Decision) => ", decided",
        _ => "",
    };
    let claim = if gem.claim { ", only a claim" } else { "" };
    format!("({}{kind}{claim}) {}", gem.source.date, fact_text(&gem.content))
}

/// What a search of memory found, as a model is told: one line each, with its date.
pub fn found_text(found: &[Found]) -> String {
    if found.is_empty() {
        return "You remember nothing that fits.".to_owned();
    }
    found.iter().map(fact_line).collect::<Vec<_>>().join("\n")
}

pub(crate) fn fact_line(found: &Found) -> String {
    match &found.record {
        Record::Gem(gem) => gem_line(gem),
        Record::Turn(turn) => {
            let date = rfc3339::date(turn.at);
            match turn.kind {
                TurnKind::Summary => format!("({date}, summary of a conversation) {}", fact_text(&turn.text)),
                TurnKind::ScreenNote => {
                    format!("({date}, seen on a shared screen) {}", fact_text(&turn.text))
                }
                TurnKind::Typed | TurnKind::Spoken | TurnKind::Ambient => {
                    format!(
                        "({date}) {} said: \"{}\"",
                        fact_text(&turn.speaker.name),
                        fact_text(&turn.text)
                    )
                }
            }
        }
    }
}

/// One line of a prompt: no line breaks that could pass for something else, and not longer than a fact is.
fn fact_text(text: &str) -> String {
    let joined = one_line(text);
    if joined.chars().count() <= LINE_CHARS_MAX {
        return joined;
    }
    let cut: String = joined.chars().take(LINE_CHARS_MAX).collect();
    format!("{cut}…")
}

#[cfg(test)]
#[path = "recall_tests.rs"]
mod recall_tests;
