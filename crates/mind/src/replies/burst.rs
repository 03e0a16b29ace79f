//! Bursts: messages of one author that come close together and share one reply.

use serde::{Deserialize, Serialize};
use settings::ActivitySettings;
use vocabulary::{JournalSeq, Message, MessageId, Moment, PersonId, Span};

use crate::addressing::AddressSignal;
use crate::admission::AdmissionReason;
use crate::floor::Floor;
use crate::log::Log;

/// Words that a sentence has at least; fewer may only open one.
const SENTENCE_WORDS_MIN: usize = 4;
/// Words with which somebody says that something follows.
const ANNOUNCING: [&str; 8] = [
    "question",
    "questions",
    "thing",
    "things",
    "something",
    "favour",
    "favor",
    "wait",
];

/// A message that was admitted and waits for a reply.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trigger {
    pub message: MessageId,
    pub author: PersonId,
    pub signal: AddressSignal,
    pub reason: AdmissionReason,
    pub forced: bool,
    /// The journal line that let it in.
    pub cause: JournalSeq,
    /// It reads like a whole question or sentence, not like the beginning of one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
}

impl Trigger {
    /// A message that is to be answered because an operator wants it, as the line `cause` says.
    pub fn wished(message: &Message, signal: AddressSignal, cause: JournalSeq) -> Self {
        Self {
            message: message.id.clone(),
            author: message.author.id.clone(),
            signal,
            reason: AdmissionReason::OperatorWish,
            forced: true,
            cause,
            complete: is_complete(&message.text),
        }
    }
}

/// One or more triggers that will be answered together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Burst {
    pub author: PersonId,
    pub triggers: Vec<Trigger>,
    pub first_at: Moment,
    pub last_at: Moment,
    /// Answers already given up for this burst because more of it came.
    pub restarts: u64,
    /// Tries that failed meanwhile, and until when the next one waits for that.
    #[serde(default, skip_serializing_if = "is_none")]
    pub failures: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Moment>,
}

fn is_none(failures: &u64) -> bool {
    *failures == 0
}

impl Burst {
    pub fn new(trigger: Trigger, at: Moment) -> Self {
        Self {
            author: trigger.author.clone(),
            triggers: vec![trigger],
            first_at: at,
            last_at: at,
            restarts: 0,
            failures: 0,
            not_before: None,
        }
    }

    pub fn is_forced(&self) -> bool {
        self.triggers.iter().any(|trigger| trigger.forced)
    }

    /// Whether an operator wants it answered.
    pub fn is_wished(&self) -> bool {
        let wished = AdmissionReason::OperatorWish;
        self.triggers.iter().any(|trigger| trigger.reason == wished)
    }

    pub fn holds(&self, id: &MessageId) -> bool {
        self.triggers.iter().any(|trigger| trigger.message == *id)
    }

    pub fn message_ids(&self) -> Vec<MessageId> {
        let ids = self.triggers.iter().map(|trigger| &trigger.message);
        ids.cloned().collect()
    }

    /// The trigger that is addressed to Denizen most clearly; the first of several.
    pub fn strongest(&self) -> Option<&Trigger> {
        self.triggers.iter().min_by_key(|trigger| trigger.signal.reason)
    }

    /// The message that is answered: the newest that was addressed, else the newest. It may be gone by now.
    pub fn target<'a>(&self, log: &'a Log) -> Option<&'a Message> {
        let mut newest_first = self.triggers.iter().rev();
        let addressed = newest_first.find(|trigger| trigger.signal.triggered);
        let trigger = addressed.or(self.triggers.last())?;
        log.find(&trigger.message)
    }

    /// Whether a message by `author` at `at` still belongs to it.
    pub fn takes(&self, author: &PersonId, at: Moment, activity: &ActivitySettings) -> bool {
        let window = Span::seconds(activity.reply_coalesce_window_seconds);
        (self.author == *author || activity.coalesce_any_author)
            && (self.triggers.len() as u64) < activity.reply_coalesce_max_messages
            && at.since(self.last_at) <= window
            && window > Span::ZERO
    }

    /// Whether it takes a message of its author's at any time, because it cannot be answered yet anyway.
    pub fn takes_while_blocked(&self, author: &PersonId, activity: &ActivitySettings) -> bool {
        self.author == *author && (self.triggers.len() as u64) < activity.reply_coalesce_max_messages
    }

    pub fn add(&mut self, trigger: Trigger, at: Moment) {
        self.triggers.push(trigger);
        self.last_at = at;
    }

    /// When it may be answered: finished, and not before its model is asked again.
    pub fn closes_at(&self, floor: &Floor, activity: &ActivitySettings) -> Moment {
        let finished = self.finished_at(floor, activity);
        finished.max(self.not_before.unwrap_or_default())
    }

    /// When it counts as finished. Every further message moves this on; a full burst is finished at once, and
    /// where the room shows that its author has stopped typing, a short pause is enough.
    fn finished_at(&self, floor: &Floor, activity: &ActivitySettings) -> Moment {
        if self.triggers.len() as u64 >= activity.reply_coalesce_max_messages {
            return self.last_at;
        }
        let window_ends = self.last_at + Span::seconds(activity.reply_coalesce_window_seconds);
        match floor.quiet_since(&self.author, self.last_at) {
            Some(quiet) => window_ends.min(quiet + Span::from_seconds(activity.reply_settle_seconds)),
            None if self.is_complete_call() => {
                window_ends.min(self.last_at + Span::from_seconds(activity.reply_complete_seconds))
            }
            None => window_ends,
        }
    }

    /// Whether Denizen is called in it, and its last words are a whole question or sentence.
    fn is_complete_call(&self) -> bool {
        let called = self
            .triggers
            .iter()
            .any(|trigger| trigger.signal.triggered && trigger.forced);
        called && self.triggers.last().is_some_and(|last| last.complete)
    }
}

/// Whether a text reads like a whole question or sentence. What only says that a question follows does not.
pub(super) fn is_complete(text: &str) -> bool {
    let text = text.trim_end_matches(|letter: char| letter.is_whitespace() || "\"”')»".contains(letter));
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_alphanumeric() && !"'’".contains(letter))
        .filter(|word| !word.is_empty())
        .collect();
    let announces = |word: &&str| ANNOUNCING.contains(&word.to_lowercase().as_str());
    match text.chars().next_back() {
        Some('?' | '？' | '؟') => words.len() > 1 || is_unspaced(text),
        Some('.' | '!' | '。' | '！') => {
            !text.ends_with("..") && words.len() >= SENTENCE_WORDS_MIN && !words.iter().any(announces)
        }
        _ => false,
    }
}

/// Scripts without spaces between words: a run of such letters is more than one word.
fn is_unspaced(text: &str) -> bool {
    text.chars().filter(|letter| *letter >= '\u{2e80}').count() > 4
}

#[cfg(test)]
#[path = "burst_tests.rs"]
mod burst_tests;
