//! What Denizen says aloud: sentence by sentence, how much of it was heard, and what is still to be written down.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, DeliveryId, JournalSeq, Moment, PersonId, RoomId, Span, TurnId, WallTime};

use crate::effect::{Delivery, Effect, RoomWish};
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

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
    pub(super) sentences: Vec<String>,
    /// None follow.
    closed: bool,
    /// When its first sentence was given.
    given: Moment,
    /// When it was first heard.
    pub heard: Option<Moment>,
    heard_wall: WallTime,
    /// So many characters of it are known to have been heard.
    #[serde(default)]
    known: usize,
    /// It is to fall silent, since then.
    stopping: Option<Moment>,
    cause: JournalSeq,
}

/// What was heard stands in the room once this is confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Unwritten {
    pub(super) delivery: Delivery,
    at: WallTime,
}

/// What became of something that was being said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub turn: TurnId,
    pub heard: String,
    pub cut: bool,
    /// Why it could not be said, or not any further.
    pub failure: Option<String>,
    pub cause: JournalSeq,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Mouth {
    pub(super) saying: Option<Saying>,
    pub(super) unwritten: Vec<Unwritten>,
    /// When its own words were last heard.
    pub last_heard: Option<Moment>,
    /// Whom it last answered.
    pub last_to: Option<PersonId>,
    /// Its last words were a question.
    pub asked: bool,
}

impl Mouth {
    /// Whether something is being said, or is to be.
    pub fn is_open(&self) -> bool {
        self.saying.is_some()
    }

    /// Whether it is heard at this moment, and not on the point of falling silent.
    pub fn is_heard(&self) -> bool {
        self.saying
            .as_ref()
            .is_some_and(|saying| saying.heard.is_some() && saying.stopping.is_none())
    }

    pub fn saying(&self) -> Option<&Saying> {
        self.saying.as_ref()
    }

    pub fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    /// Begins to say something. Whoever calls has made sure that nothing else is being said.
    pub fn open(
        &mut self,
        turn: TurnId,
        ask: AskId,
        cause: JournalSeq,
        step: &StepContext<'_>,
    ) -> DeliveryId {
        let delivery = DeliveryId::new(format!("voice:{}:{}", step.ledger.community(), turn.0));
        self.saying = Some(Saying {
            delivery: delivery.clone(),
            turn,
            ask,
            sentences: Vec::new(),
            closed: false,
            given: step.moment(),
            heard: None,
            heard_wall: step.now().wall,
            known: 0,
            stopping: None,
            cause,
        });
        delivery
    }

    /// Says one more sentence of what is being said; after a stop nothing more is.
    pub fn say(&mut self, room: &RoomId, sentence: &str, last: bool, step: &mut StepContext<'_>) {
        let Some(saying) = &mut self.saying else { return };
        if saying.closed || saying.stopping.is_some() {
            return;
        }
        if !sentence.is_empty() {
            saying.sentences.push(sentence.to_owned());
        }
        saying.closed = last;
        let wish = RoomWish::Speak {
            delivery: saying.delivery.clone(),
            turn: saying.turn,
            sentence: sentence.to_owned(),
            last,
        };
        step.ledger.want(Effect::Room(room.clone(), wish));
    }

    /// Falls silent.
    pub fn stop(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        let now = step.moment();
        if let Some(saying) = &mut self.saying
            && saying.stopping.is_none()
        {
            saying.stopping = Some(now);
            step.ledger
                .want(Effect::Room(room.clone(), RoomWish::StopSpeaking));
        }
    }

    /// It is heard; whether that is news.
    pub fn started(&mut self, delivery: &DeliveryId, step: &StepContext<'_>) -> bool {
        let Some(saying) = self.saying.as_mut().filter(|saying| saying.delivery == *delivery) else {
            return false;
        };
        if saying.heard.is_some() {
            return false;
        }
        saying.heard = Some(step.moment());
        saying.heard_wall = step.now().wall;
        true
    }

    /// So much of it was heard by now.
    pub fn progressed(&mut self, delivery: &DeliveryId, characters: usize) {
        if let Some(saying) = self.saying.as_mut().filter(|saying| saying.delivery == *delivery) {
            saying.known = saying.known.max(characters);
        }
    }

    /// It is over, and nobody says how far it got: as far as was told.
    pub fn lost(&mut self, room: &RoomId, step: &mut StepContext<'_>) -> Option<Said> {
        let (delivery, known) = self
            .saying
            .as_ref()
            .map(|saying| (saying.delivery.clone(), saying.known))?;
        self.ended(&delivery, Some(known), room, step)
    }

    /// It is over: all of it was heard, or so many characters.
    pub fn ended(
        &mut self,
        delivery: &DeliveryId,
        cut_after: Option<usize>,
        room: &RoomId,
        step: &mut StepContext<'_>,
    ) -> Option<Said> {
        let saying = self.saying.take_if(|saying| saying.delivery == *delivery)?;
        let written = saying.written();
        // What ends before it was closed or heard was not said to its end, whatever the mouth says.
        let cut_after = match (saying.heard, saying.closed) {
            (None, _) => Some(0),
            (Some(_), false) if cut_after.is_none() && saying.stopping.is_some() => Some(saying.known),
            _ => cut_after,
        };
        let heard = cut_after.map_or(written.clone(), |characters| heard_of(&written, characters));
        let cut = heard.chars().count() < written.chars().count();
        self.over(saying, heard, cut, None, room, step)
    }

    /// It cannot be said, or not any further.
    pub fn failed(
        &mut self,
        delivery: &DeliveryId,
        detail: &str,
        room: &RoomId,
        step: &mut StepContext<'_>,
    ) -> Option<Said> {
        let saying = self.saying.take_if(|saying| saying.delivery == *delivery)?;
        let event = JournalEvent::VoiceSpeechFailed {
            delivery: delivery.clone(),
            detail: detail.to_owned(),
        };
        let scope = Scope::room(room).turn(saying.turn).because(Some(saying.cause));
        let cause = step.ledger.write(scope, event);
        let failure = Some(detail.to_owned());
        let heard = saying.known_words();
        if heard.is_empty() {
            return Some(Said {
                turn: saying.turn,
                heard,
                cut: true,
                failure,
                cause,
            });
        }
        let saying = Saying { cause, ..saying };
        self.over(saying, heard, true, failure, room, step)
    }

    /// A mouth that has had its time is not waited for.
    pub fn overdue(&mut self, room: &RoomId, step: &mut StepContext<'_>) -> Option<Said> {
        let saying = self.saying.as_ref()?;
        if saying.due() > step.moment() {
            return None;
        }
        let (delivery, stopping) = (saying.delivery.clone(), saying.stopping.is_some());
        match stopping {
            true => self.lost(room, step),
            false => {
                // Whatever it may still be about to say.
                step.ledger
                    .want(Effect::Room(room.clone(), RoomWish::StopSpeaking));
                self.failed(
                    &delivery,
                    "the voice did not say that it was heard, or done",
                    room,
                    step,
                )
            }
        }
    }

    /// When what is being said has had its time.
    pub fn next_due(&self) -> Option<Moment> {
        self.saying.as_ref().map(Saying::due)
    }

    /// Lets go of what is being said, without waiting for the mouth.
    pub fn let_go(&mut self) -> Option<TurnId> {
        self.saying.take().map(|saying| saying.turn)
    }

    fn over(
        &mut self,
        saying: Saying,
        heard: String,
        cut: bool,
        failure: Option<String>,
        room: &RoomId,
        step: &mut StepContext<'_>,
    ) -> Option<Said> {
        let event = JournalEvent::ReplySpoken {
            delivery: saying.delivery.clone(),
            ask: Some(saying.ask),
            written_characters: saying.written().chars().count(),
            heard_characters: heard.chars().count(),
            cut,
            sentences: saying.sentences.len(),
            took: step.moment().since(saying.heard.unwrap_or(saying.given)),
        };
        let scope = Scope::room(room).turn(saying.turn).because(Some(saying.cause));
        let cause = step.ledger.write(scope, event);
        if !heard.is_empty() {
            self.last_heard = Some(step.moment());
            self.asked = heard
                .trim_end_matches(['"', '”', '\''])
                .ends_with(['?', '？', '؟']);
            let delivery = Delivery {
                id: saying.delivery,
                room: room.clone(),
                turn: saying.turn,
                ask: saying.ask,
                text: heard.clone(),
                reply_to: None,
                may_notify: Vec::new(),
                attachments: Vec::new(),
                spoken: true,
            };
            self.write_down(delivery, saying.heard_wall, step);
        }
        Some(Said {
            turn: saying.turn,
            heard,
            cut,
            failure,
            cause,
        })
    }

    fn write_down(&mut self, delivery: Delivery, at: WallTime, step: &mut StepContext<'_>) {
        self.unwritten.push(Unwritten {
            delivery: delivery.clone(),
            at,
        });
        let room = delivery.room.clone();
        step.ledger
            .want(Effect::Room(room, RoomWish::WriteDown { delivery, at }));
    }

    /// What was heard stands in the room; of which turn.
    pub fn written(&mut self, delivery: &DeliveryId) -> Option<TurnId> {
        let is_it = |unwritten: &Unwritten| unwritten.delivery.id == *delivery;
        let at = self.unwritten.iter().position(is_it)?;
        Some(self.unwritten.remove(at).delivery.turn)
    }

    /// The process is back: what was heard is written down once more, under the same id, and so is what was known to be
    /// heard of what it was saying when it ended.
    pub fn restarted(&mut self, room: &RoomId, step: &mut StepContext<'_>) -> Option<Said> {
        for Unwritten { delivery, at } in std::mem::take(&mut self.unwritten) {
            self.write_down(delivery, at, step);
        }
        match self.saying.as_ref().map(Saying::known_words) {
            Some(heard) if !heard.is_empty() => self.lost(room, step),
            _ => {
                self.let_go();
                None
            }
        }
    }
}

impl Saying {
    /// All that was given to the mouth.
    fn written(&self) -> String {
        self.sentences.join(" ")
    }

    /// What of it is known to have been heard.
    fn known_words(&self) -> String {
        match self.heard {
            Some(_) => heard_of(&self.written(), self.known),
            None => String::new(),
        }
    }

    fn due(&self) -> Moment {
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
            (None, Some(heard)) => heard + speaking,
            (None, None) => self.given + HEARD_WITHIN,
        }
    }
}

/// The words of which at least the beginning was heard, up to so many characters; a word that was cut is not heard.
fn heard_of(written: &str, characters: usize) -> String {
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
#[path = "mouth_tests.rs"]
mod tests;
