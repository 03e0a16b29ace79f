//! Reads a model's answer as gems: tolerant of what stands around them, strict with each.

use std::cell::LazyCell;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use vocabulary::text::one_line;
use vocabulary::{Author, AuthorKind, CapturedTurn, GemTag, WallTime};

use super::attribute::spoken_of;
use super::dating::dated;
pub use super::fields::NO_TAG;
use super::fields::{about, cited, id, is_small_talk, number, speaker, strings, tags, text};
use super::folding::{clip, plain, words};
use super::grounding::{Known, invention};
use super::making::{CONTENT_CHARS_MAX, Draft, Maker, make};
use super::person::third_person;
use super::redaction::redact;
pub use super::rejection::{RejectReason, Rejection};
use super::salvage::elements;
use super::sourcing::{sources, untold};
use super::tagging::fitting;
use crate::Gathered;

/// A batch gives no more gems than this.
pub const GEMS_MAX: usize = 20;
/// Rejections that are told of; the rest is counted by nobody.
const REJECTIONS_MAX: usize = 40;
const REJECTED_CHARS_MAX: usize = 120;
/// Beginnings that only the conversation explains.
const PRONOUNS: &str = " i im ive id ill my mine we were our ours you your youre he hes his she shes her they theyre their it its this that these those him them ";

const OWN_PRONOUNS: &str = " i im ive id ill my we our ";
/// The same inside a sentence, as they are only written in English.
const OWN: [&str; 11] = [
    "I", "I'm", "I’m", "I've", "I’ve", "I'll", "I’ll", "I'd", "I’d", "my", "My",
];

/// What Denizen says of itself is worth keeping only if it will do something.
const PROMISING: [&str; 5] = [" will ", "'ll ", "’ll ", " promise", " going to "];

/// What an answer is about.
#[derive(Clone, Copy, Debug)]
pub struct ReadingContext<'a> {
    /// The turns as they were numbered from 1.
    pub batch: &'a [CapturedTurn],
    /// The model that answered.
    pub by: &'a str,
    pub now: WallTime,
    /// What else the model may have taken names and numbers from: who is known in the room, what was said before.
    pub around: &'a [String],
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    pub gems: Vec<Gathered>,
    pub rejected: Vec<Rejection>,
}

impl Reading {
    /// Whether the answer was none at all, so that asking again may help.
    pub fn is_unreadable(&self) -> bool {
        self.rejected
            .iter()
            .any(|rejection| rejection.reason == RejectReason::Unreadable)
    }

    /// Takes a gem if it is not there yet and there is room, else says why not.
    pub(super) fn take(
        &mut self,
        draft: Draft<'_>,
        by: &str,
        now: WallTime,
    ) -> Result<&mut Gathered, (RejectReason, String)> {
        if self.gems.len() >= GEMS_MAX {
            return Err((RejectReason::TooMany, format!("{GEMS_MAX} at most")));
        }
        let same_turns = |gathered: &&Gathered| {
            let turns = &gathered.gem.source.turns;
            turns.len() == draft.turns.len() && draft.turns.iter().all(|turn| turns.contains(&turn.id))
        };
        let maker = Maker {
            by,
            now,
            ordinal: self.gems.iter().filter(same_turns).count(),
        };
        let hearsay = draft.speaker.id != draft.about.id;
        let gem = make(draft, maker).map_err(|reason| (reason, String::new()))?;
        let folded = plain(&gem.content);
        if self.gems.iter().any(|other| plain(&other.gem.content) == folded) {
            return Err((RejectReason::DuplicateInAnswer, String::new()));
        }
        self.gems.push(Gathered {
            gem,
            replaces: None,
            repeats: None,
            hearsay,
        });
        Ok(self.gems.last_mut().expect("one was just put in"))
    }

    pub(super) fn reject(&mut self, content: &str, (reason, detail): (RejectReason, String)) {
        if self.rejected.len() < REJECTIONS_MAX {
            self.rejected.push(Rejection {
                reason,
                content: clip(&redact(&one_line(content)).text, REJECTED_CHARS_MAX),
                detail: clip(&redact(&detail).text, REJECTED_CHARS_MAX),
            });
        }
    }
}

/// Reads an answer. What is no gem is left out and told of; whatever the answer is, this does not fail.
pub fn read_gems(answer: &str, context: &ReadingContext<'_>) -> Reading {
    let mut reading = Reading::default();
    let Some(elements) = elements(answer) else {
        reading.reject(
            answer,
            (
                RejectReason::Unreadable,
                "there is no list of gems in it".to_owned(),
            ),
        );
        return reading;
    };
    let known = LazyCell::new(|| Known::of(context.batch, context.around));
    for element in &elements {
        if let Err(problem) = read_one(element, context, &known, &mut reading) {
            let content = element.get("content").and_then(Value::as_str);
            reading.reject(content.map_or(&element.to_string(), |content| content), problem);
        }
    }
    reading
}

fn read_one(
    element: &Value,
    context: &ReadingContext<'_>,
    known: &impl Deref<Target = Known>,
    reading: &mut Reading,
) -> Result<(), (RejectReason, String)> {
    let no = |reason| (reason, String::new());
    let content = one_line(text(element, "content")?);
    if !content.chars().any(char::is_alphanumeric) {
        return Err(no(RejectReason::EmptyContent));
    }
    if content.ends_with(['?', '？']) {
        return Err(no(RejectReason::Question));
    }
    if is_small_talk(&content, context.batch) {
        return Err(no(RejectReason::SmallTalk));
    }
    if content.chars().count() > CONTENT_CHARS_MAX {
        return Err((
            RejectReason::TooLong,
            format!("{CONTENT_CHARS_MAX} characters at most"),
        ));
    }
    let turns = cited(element, context.batch);
    if turns.is_empty() {
        return Err(no(RejectReason::NoSource));
    }
    let importance =
        number(element.get("importance")).ok_or_else(|| no(RejectReason::ImportanceOutOfRange))?;
    if !(0.0..=1.0).contains(&importance) {
        return Err((RejectReason::ImportanceOutOfRange, importance.to_string()));
    }
    let tags = tags(element)?;
    let speaker = speaker(element, &turns, context.batch)?;
    let promises = || tags.contains(&GemTag::Todo) && PROMISING.iter().any(|words| content.contains(words));
    if speaker.kind == AuthorKind::Denizen && !promises() {
        return Err(no(RejectReason::OwnWords));
    }
    let content = named(content, speaker);
    let turns = sources(&content, &turns, speaker, context.batch);
    if turns.is_empty() {
        return Err(no(RejectReason::NoSource));
    }
    if let Some(reason) = untold(&content, &turns, context.batch) {
        return Err(no(reason));
    }
    if begins_with(&content, PRONOUNS) {
        return Err(no(RejectReason::NotSelfContained));
    }
    let content = dated(&content, &turns).map_err(|date| (RejectReason::NotGrounded, date))?;
    let summary = text(element, "summary").unwrap_or_default();
    let summary = dated(summary, &turns).unwrap_or_default();
    if let Some(word) = invention(&content, known) {
        return Err((RejectReason::NotGrounded, word));
    }
    let summary_invents = invention(&summary, known).is_some();
    let about = about(element, speaker, context.batch);
    let attribute = text(element, "attribute")
        .ok()
        .and_then(|given| spoken_of(given, &content));
    let tags = fitting(tags, &content, attribute.as_deref());
    let draft = Draft {
        content,
        summary: if summary_invents { String::new() } else { summary },
        topics: strings(element.get("topics")),
        importance,
        tags,
        turns,
        speaker,
        about,
        attribute,
        standing: element.get("standing").and_then(Value::as_bool).unwrap_or(false),
    };
    let gathered = reading.take(draft, context.by, context.now)?;
    // Only the person a gem is about can take it back, and an order can take nothing back.
    if !gathered.hearsay && !gathered.gem.claim {
        gathered.replaces = id(element, "replaces");
    }
    gathered.repeats = id(element, "repeats").filter(|_| !gathered.gem.claim);
    Ok(())
}

/// The content with the speaker's name where a model has only copied what they said of themselves, be it after
/// "Alice says".
fn named(content: String, speaker: &Author) -> String {
    let is_quote = content.contains(['"', '“']);
    let mut pieces = content.split_whitespace();
    let copied =
        begins_with(&content, OWN_PRONOUNS) || (!is_quote && pieces.any(|piece| OWN.contains(&piece)));
    if !copied {
        return content;
    }
    let told = content.strip_prefix(speaker.name.as_str()).and_then(|rest| {
        let rest = rest
            .strip_prefix(" says ")
            .or_else(|| rest.strip_prefix(" said "))?;
        Some(rest.strip_prefix("that ").unwrap_or(rest))
    });
    third_person(told.unwrap_or(&content), &speaker.name)
}

fn begins_with(content: &str, list: &str) -> bool {
    let first = words(content).into_iter().next();
    first.is_some_and(|word| list.contains(&format!(" {word} ")))
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod reading_tests;
#[cfg(test)]
#[path = "reading_trust_tests.rs"]
mod reading_trust_tests;
