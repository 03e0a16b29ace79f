//! What a community is into, by what its people wrote lately: words that keep coming back, from more than one message.

mod hosts;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{AuthorKind, Message, PersonId};

pub(crate) use self::terms::is_stop_word;
pub use self::terms::stems;
use self::terms::{Term, terms, words_of_names};

/// A word that came up in fewer messages is no topic.
const MESSAGES_MIN: usize = 2;
/// What the oldest message counts of what the newest does.
const OLDEST_SHARE: f64 = 0.5;
/// What each further message of the same person about the same topic counts of the one before it: a topic is a matter
/// of several people.
const AGAIN_SHARE: f64 = 0.5;

/// A topic with how often it came up and how many people brought it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interest {
    pub word: String,
    pub messages: usize,
    pub people: usize,
}

/// The strongest topics of these messages, strongest first. Bots and Denizen itself do not count.
pub fn interests(messages: &[&Message], limit: usize) -> Vec<Interest> {
    let names = words_of_names(messages.iter().map(|message| message.author.name.as_str()));
    let mut said: Vec<&Message> = messages
        .iter()
        .copied()
        .filter(|message| message.author.kind == AuthorKind::Person)
        .collect();
    // Newest first, in whatever order they came.
    said.sort_by(|one, other| (other.at, &other.id).cmp(&(one.at, &one.id)));
    said.dedup_by(|one, other| one.id == other.id);
    let topics = collected(&said, &names);
    let mut ranked: Vec<(&Vec<String>, &Topic)> = topics
        .iter()
        .filter(|(_, topic)| topic.messages.len() >= MESSAGES_MIN)
        .collect();
    ranked.sort_by(|one, other| {
        other
            .1
            .weight()
            .total_cmp(&one.1.weight())
            .then(one.0.cmp(other.0))
    });
    let told = ranked
        .iter()
        .filter(|(parts, topic)| !is_told_by_another(parts, topic, &ranked));
    told.take(limit)
        .map(|(_, topic)| Interest {
            word: topic.spelling(),
            messages: topic.messages.len(),
            people: topic.people.len(),
        })
        .collect()
}

/// What is known of a word, or of two words in a row.
#[derive(Debug, Default)]
struct Topic<'a> {
    /// The messages it is in, by how many newer ones there are.
    messages: BTreeSet<usize>,
    /// How often each person brought it up.
    people: BTreeMap<&'a PersonId, i32>,
    spellings: BTreeMap<String, usize>,
    recency: f64,
    telling: f64,
}

impl Topic<'_> {
    fn weight(&self) -> f64 {
        self.recency * self.telling
    }

    /// As it was written most often.
    fn spelling(&self) -> String {
        let spellings = self.spellings.iter();
        let most = spellings.max_by_key(|(spelling, count)| (**count, std::cmp::Reverse(*spelling)));
        most.map_or_else(String::new, |(spelling, _)| spelling.clone())
    }
}

fn collected<'a>(said: &[&'a Message], names: &BTreeSet<String>) -> BTreeMap<Vec<String>, Topic<'a>> {
    let mut topics: BTreeMap<Vec<String>, Topic<'_>> = BTreeMap::new();
    let mut seen: BTreeSet<(&PersonId, &str)> = BTreeSet::new();
    for (newer, message) in said.iter().enumerate() {
        // Whoever says the same thing ten times has said it once.
        if !seen.insert((&message.author.id, message.text.trim())) {
            continue;
        }
        let recency = 1.0 - (1.0 - OLDEST_SHARE) * newer as f64 / said.len() as f64;
        for Term {
            parts,
            spelling,
            telling,
        } in terms(&message.text, names)
        {
            let topic = topics.entry(parts).or_default();
            *topic.spellings.entry(spelling).or_default() += 1;
            topic.telling = topic.telling.max(telling);
            if topic.messages.insert(newer) {
                let before = topic.people.entry(&message.author.id).or_default();
                topic.recency += recency * AGAIN_SHARE.powi(*before);
                *before += 1;
            }
        }
    }
    topics
}

/// Whether two words in a row tell of a word already (`elden` of `elden ring`), or a stronger pair of a pair.
fn is_told_by_another(parts: &[String], topic: &Topic<'_>, ranked: &[(&Vec<String>, &Topic<'_>)]) -> bool {
    ranked.iter().any(|(other_parts, other)| {
        let is_pair = other_parts.len() == 2 && other_parts.as_slice() != parts;
        if !is_pair || !parts.iter().any(|part| other_parts.contains(part)) {
            return false;
        }
        let without = topic.messages.difference(&other.messages).count();
        match parts.len() {
            1 => without < MESSAGES_MIN,
            _ => without == 0 && (other.weight(), *other_parts) > (topic.weight(), &parts.to_vec()),
        }
    })
}

#[cfg(test)]
#[path = "interests_tests.rs"]
mod interests_tests;
