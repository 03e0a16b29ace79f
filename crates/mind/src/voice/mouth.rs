//! What Denizen says aloud: sentence by sentence, how much of it was heard, and what is still to be written down.

use serde::{Deserialize, Serialize};
use vocabulary::{DeliveryId, JournalSeq, Moment, PersonId, RoomId, TurnId, WallTime};

use super::saying::{Saying, heard_of};
use super::turn::{VoiceTurn, VoiceTurnKind};
use crate::effect::{Delivery, Effect, RoomWish};
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// What was heard stands in the room once this is confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Unwritten {
    pub(super) delivery: Delivery,
    at: WallTime,
    /// What is written into the room behind it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) beside: Vec<String>,
    /// The realtime service knows of it, for it said it by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    native: bool,
}

/// What was heard stands in the room.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenDown {
    pub turn: TurnId,
    /// What is to stand behind it.
    pub beside: Vec<String>,
    /// The realtime service knows of it.
    pub native: bool,
}

/// What became of something that was being said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub turn: TurnId,
    /// The words that were heard.
    pub heard: String,
    /// So many characters were, with what is no word; whether there is such.
    pub heard_characters: usize,
    pub marked: bool,
    pub cut: bool,
    /// It could be heard, if only for part of a sentence.
    pub begun: bool,
    /// Why it could not be said, or not any further.
    pub failure: Option<String>,
    /// What of it was not heard then.
    pub unheard: Vec<String>,
    pub cause: JournalSeq,
    /// A realtime service said it by itself, under this.
    pub native: Option<DeliveryId>,
}

/// Under which a turn is heard. What was taken back is not said under the same.
pub(super) fn delivery_of(turn: &VoiceTurn, step: &StepContext<'_>) -> DeliveryId {
    let again = match turn.taken_back {
        0 => String::new(),
        before => format!(".{before}"),
    };
    DeliveryId::new(format!("voice:{}:{}{again}", step.ledger.community(), turn.id.0))
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
    pub fn open(&mut self, turn: &VoiceTurn, step: &StepContext<'_>) {
        self.saying = Some(Saying {
            delivery: delivery_of(turn, step),
            turn: turn.id,
            ask: turn.ask,
            sign: turn.kind == VoiceTurnKind::Notice,
            sentences: Vec::new(),
            closed: false,
            given: step.moment(),
            added: step.moment(),
            heard: None,
            heard_wall: step.now().wall,
            known: 0,
            stopping: None,
            cause: turn.cause,
            beside: Vec::new(),
            native: false,
            played: false,
            answers: turn.newest_answered().map(|utterance| utterance.message.clone()),
        });
    }

    /// Says one more sentence of what is being said; after a stop nothing more is.
    pub fn say(&mut self, room: &RoomId, sentence: &str, last: bool, step: &mut StepContext<'_>) {
        let Some(saying) = &mut self.saying else { return };
        if saying.closed || saying.native || saying.stopping.is_some() {
            return;
        }
        if !sentence.is_empty() {
            saying.sentences.push(sentence.to_owned());
        }
        saying.closed = last;
        saying.added = step.moment();
        let wish = RoomWish::Speak {
            delivery: saying.delivery.clone(),
            turn: saying.turn,
            sentence: sentence.to_owned(),
            last,
        };
        step.ledger.want(Effect::Room(room.clone(), wish));
    }

    /// Writes something behind the sentence of that number, once that was heard.
    pub fn put_beside(&mut self, beside: Vec<(usize, String)>) {
        if let Some(saying) = &mut self.saying {
            saying.beside.extend(beside);
        }
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
        // More was being written when it was to fall silent.
        let is_unfinished = saying.stopping.is_some() && !saying.closed;
        let cut = is_unfinished || heard.chars().count() < written.chars().count();
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
                heard_characters: 0,
                marked: false,
                cut: true,
                begun: saying.heard.is_some(),
                failure,
                unheard: saying.unheard_words(0, &step.settings.identity.name),
                cause,
                native: saying.native.then(|| saying.delivery.clone()),
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
            took: step.took(saying.heard.unwrap_or(saying.given)),
        };
        let scope = Scope::room(room).turn(saying.turn).because(Some(saying.cause));
        let cause = step.ledger.write(scope, event);
        let characters = heard.chars().count();
        let name = &step.settings.identity.name;
        let unheard = saying.unheard_words(characters, name);
        let (heard, marked) = saying.words_of(heard, name);
        let begun = saying.heard.is_some();
        let native = saying.native.then(|| saying.delivery.clone());
        if !heard.is_empty() {
            self.told(&heard, step.moment());
            let beside = saying.beside_heard(characters);
            let delivery = Delivery {
                id: saying.delivery,
                room: room.clone(),
                turn: saying.turn,
                ask: saying.ask,
                text: heard.clone(),
                reply_to: saying.answers,
                may_notify: Vec::new(),
                attachments: Vec::new(),
                spoken: true,
                sign: saying.sign,
            };
            self.write_down(delivery, saying.heard_wall, beside, saying.native, step);
        }
        Some(Said {
            turn: saying.turn,
            heard,
            heard_characters: characters,
            marked,
            cut,
            begun,
            failure,
            unheard,
            cause,
            native,
        })
    }

    /// People know these words of its own now, heard or read.
    pub fn told(&mut self, words: &str, now: Moment) {
        self.last_heard = Some(now);
        self.asked = words
            .trim_end_matches(['"', '”', '\''])
            .ends_with(['?', '？', '؟']);
    }

    fn write_down(
        &mut self,
        delivery: Delivery,
        at: WallTime,
        beside: Vec<String>,
        native: bool,
        step: &mut StepContext<'_>,
    ) {
        self.unwritten.push(Unwritten {
            delivery: delivery.clone(),
            at,
            beside,
            native,
        });
        let room = delivery.room.clone();
        step.ledger
            .want(Effect::Room(room, RoomWish::WriteDown { delivery, at }));
    }

    /// What was heard stands in the room.
    pub fn written(&mut self, delivery: &DeliveryId) -> Option<WrittenDown> {
        let is_it = |unwritten: &Unwritten| unwritten.delivery.id == *delivery;
        let at = self.unwritten.iter().position(is_it)?;
        let written = self.unwritten.remove(at);
        Some(WrittenDown {
            turn: written.delivery.turn,
            beside: written.beside,
            native: written.native,
        })
    }

    /// The process is back: what was heard is written down once more, under the same id, and so is what was known to be
    /// heard of what it was saying when it ended.
    pub fn restarted(&mut self, room: &RoomId, step: &mut StepContext<'_>) -> Option<Said> {
        for heard in std::mem::take(&mut self.unwritten) {
            self.write_down(heard.delivery, heard.at, heard.beside, heard.native, step);
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
