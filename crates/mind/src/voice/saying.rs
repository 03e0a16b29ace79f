//! Something that is being said: its sentences, what is written beside them, and how much of it was heard.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, DeliveryId, JournalSeq, MessageId, Moment, Span, TurnId, WallTime};

use crate::reply::read_heard;

/// A voice that is not heard by then has failed.
const HEARD_WITHIN: Span = Span::seconds(15);
/// A model that writes no further sentence by then is done.
const WRITTEN_WITHIN: Span = Span::seconds(60);
/// So long a character takes at the slowest.
const CHARACTER_MAX: Span = Span(250);
/// How long after a stop the mouth may take to say how far it got.
const STOPS_WITHIN: Span = Span::seconds(3);

/// Something that is being said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Saying {
    pub delivery: DeliveryId,
    pub turn: TurnId,
    pub ask: AskId,
    /// It is no part of the conversation, such as that it leaves: no reason to stay, and nothing to remember.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) sign: bool,
    pub(super) sentences: Vec<String>,
    /// None follow.
    pub(super) closed: bool,
    /// When its first sentence was given.
    pub(super) given: Moment,
    /// When something was last added to it, if only that nothing follows.
    #[serde(default)]
    pub(super) added: Moment,
    /// When it was first heard.
    pub heard: Option<Moment>,
    pub(super) heard_wall: WallTime,
    /// So many characters of it are known to have been heard.
    #[serde(default)]
    pub(super) known: usize,
    /// It is to fall silent, since then.
    pub(super) stopping: Option<Moment>,
    pub(super) cause: JournalSeq,
    /// What cannot be said, and is written into the room behind the sentence of that number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) beside: Vec<(usize, String)>,
    /// A realtime service says it by itself: its words come with its sound.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) native: bool,
    /// All of its sound was heard; words of it may still come.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) played: bool,
    /// The message that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<MessageId>,
}

impl Saying {
    /// All that was given to the mouth.
    pub(super) fn written(&self) -> String {
        self.sentences.join(" ")
    }

    /// The service has more words for it.
    pub(super) fn goes_on(&mut self, piece: &str) {
        match self.sentences.last_mut() {
            Some(words) if !words.is_empty() => words.push_str(piece),
            // Blanks are no words, in however many pieces they come.
            Some(words) => words.push_str(piece.trim_start()),
            None => self.sentences.push(piece.trim_start().to_owned()),
        }
    }

    /// What of it is known to have been heard.
    pub(super) fn known_words(&self) -> String {
        match self.heard {
            Some(_) => heard_of(&self.written(), self.known),
            None => String::new(),
        }
    }

    /// What is written beside the sentences of which at least the beginning was heard.
    pub(super) fn beside_heard(&self, characters: usize) -> Vec<String> {
        let begins = |number: usize| -> usize {
            let before = self.sentences.iter().take(number);
            before.map(|sentence| sentence.chars().count() + 1).sum()
        };
        let told = self
            .beside
            .iter()
            .filter(|(number, _)| begins(*number) < characters);
        told.map(|(_, text)| text.clone()).collect()
    }

    /// The sentences that were not heard to their end, each with what is written beside it.
    fn unheard(&self, characters: usize) -> Vec<String> {
        let (mut unheard, mut end) = (Vec::new(), 0);
        for (number, sentence) in self.sentences.iter().enumerate() {
            end += sentence.chars().count();
            if end > characters {
                unheard.push(sentence.clone());
                let beside = self.beside.iter().filter(|(of, _)| *of == number);
                unheard.extend(beside.map(|(_, text)| text.clone()));
            }
            end += 1;
        }
        unheard
    }

    /// What of it is words, and whether something is none: a service that speaks by itself may say and write such.
    pub(super) fn words_of(&self, heard: String, own_name: &str) -> (String, bool) {
        if !self.native {
            return (heard, false);
        }
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count();
        let words = read_heard(&heard, own_name);
        let marked = letters(&words) < letters(&heard);
        (words, marked)
    }

    /// The words of the sentences that were not heard to their end.
    pub(super) fn unheard_words(&self, characters: usize, own_name: &str) -> Vec<String> {
        let sentences = self.unheard(characters).into_iter();
        let words = sentences.map(|sentence| self.words_of(sentence, own_name).0);
        words.filter(|words| !words.is_empty()).collect()
    }

    pub(super) fn due(&self) -> Moment {
        let characters: usize = self
            .sentences
            .iter()
            .map(|sentence| sentence.chars().count())
            .sum();
        // While it is being written, the next sentence may take its time.
        let writing = if self.closed { Span::ZERO } else { WRITTEN_WITHIN };
        let speaking = Span(CHARACTER_MAX.0 * characters as u64 + HEARD_WITHIN.0 + writing.0);
        match (self.stopping, self.heard) {
            (Some(since), _) => since + STOPS_WITHIN,
            // What follows a pause has its time from then on.
            (None, Some(heard)) => heard.max(self.added) + speaking,
            (None, None) => self.given + HEARD_WITHIN,
        }
    }
}

/// The words of which at least the beginning was heard, up to so many characters; a word that was cut is not heard.
pub(super) fn heard_of(written: &str, characters: usize) -> String {
    let Some((end, _)) = written.char_indices().nth(characters) else {
        return written.to_owned();
    };
    let head = &written[..end];
    let ends_a_word = written[end..].starts_with(char::is_whitespace)
        || head.ends_with(char::is_whitespace)
        || head.ends_with(is_written_without_spaces);
    let head = match ends_a_word {
        true => head,
        false => head.rfind(char::is_whitespace).map_or("", |at| &head[..at]),
    };
    head.trim_end().to_owned()
}

/// Letters of scripts whose words stand without spaces between them: Thai to Khmer, and those of East Asia.
fn is_written_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{3000}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}')
}

#[cfg(test)]
#[path = "saying_tests.rs"]
mod tests;
