//! A turn of voice: one attempt to answer what was said, and the stage it is in.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, JournalSeq, MessageId, Moment, RecallId, Record, RoomId, Span, TurnId};

use gist::aloud::Piece;

use super::native_answer::NativeAnswer;
use super::service::STALE_BY_SERVICE;
use super::sounds::picked;
use super::utterance::Utterance;
use crate::admission::VoiceAdmissionReason;
use crate::input::Recollection;
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, VoiceTurnOutcome, VoiceTurnReason};
use crate::reply::Draft;
use crate::step_context::StepContext;
use crate::step_context::flight::{LookUp, cancel};
use crate::tool_loop::ToolLoop;

/// An answer that would begin later than this after the end of what was said is not given any more.
pub(super) const STALE: Span = Span(4_500);
/// Whoever called it by name waits longer, rather than be left without an answer.
pub(super) const STALE_WHEN_CALLED: Span = Span::seconds(20);

/// Nobody listens to a hello that is longer.
const GREETING_SENTENCES_MAX: usize = 2;

/// What a turn waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VoiceStage {
    Recalling {
        recall: RecallId,
        started: Moment,
    },
    Asking {
        ask: AskId,
    },
    RunningTools {},
    /// A realtime service is to answer by itself, as soon as nobody speaks.
    Ready {},
    /// All of it is written; it waits to be heard.
    Speaking {},
}

/// What a turn is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VoiceTurnKind {
    Answer,
    /// It says hello.
    Greeting,
    /// It says what it thought of by itself.
    Thought,
    /// A comment on a shared screen.
    Comment,
    /// Something that no model wrote, such as that it leaves.
    Notice,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoiceTurn {
    pub id: TurnId,
    pub kind: VoiceTurnKind,
    pub utterances: Vec<Utterance>,
    pub admitted: VoiceAdmissionReason,
    /// Silence is not open to the model.
    pub required: bool,
    pub opened: Moment,
    /// When what it answers was over.
    pub speech_ended: Moment,
    pub asked: Option<Moment>,
    pub first_sentence: Option<Moment>,
    /// When the model had a sentence of it, said or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_written: Option<Moment>,
    pub cause: JournalSeq,
    pub stage: VoiceStage,
    pub found: Recollection,
    pub tools: ToolLoop,
    pub failures: u64,
    pub insist: bool,
    pub draft: Draft,
    /// Bytes of what can be shown that were taken for sentences.
    pub taken: usize,
    /// Sentences that wait until nobody speaks.
    pub held: Vec<String>,
    /// What cannot be said, and is written into the room behind the sentence of that number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<(usize, String)>,
    /// Sentences that it has by now.
    #[serde(default)]
    pub sentences: usize,
    /// Something of it was given to the mouth.
    pub given: bool,
    /// It cannot be said, or not any further: what is left of it is written into the room.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_text: bool,
    /// How often it was taken back from the mouth, because whoever it answers spoke on.
    #[serde(default)]
    pub taken_back: u64,
    /// The model is done.
    pub written: bool,
    /// The newest question to a model.
    pub ask: AskId,
    pub looks_at_screen: bool,
    /// A small model was asked, with a script.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub plain: bool,
    /// Short sounds that it picked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sounds: Vec<String>,
    /// An answer that nobody is owed is good for so long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub good_until: Option<Moment>,
    /// So much later than usual its model can have its first words.
    #[serde(default, skip_serializing_if = "is_none")]
    pub head_start: Span,
    /// Something was said since that it does not answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overtaken: bool,
    /// Why it falls silent, where that is not because somebody speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut_for: Option<VoiceTurnReason>,
    /// What it answers was heard by a realtime service, which says the answer, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_service: bool,
    /// The service answers by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeAnswer>,
}

fn is_none(span: &Span) -> bool {
    *span == Span::ZERO
}

impl VoiceTurnKind {
    /// Whether its words were there before it: no model is asked for them here.
    pub fn is_remark(self) -> bool {
        match self {
            VoiceTurnKind::Answer | VoiceTurnKind::Greeting => false,
            VoiceTurnKind::Thought | VoiceTurnKind::Comment | VoiceTurnKind::Notice => true,
        }
    }
}

impl VoiceTurn {
    pub fn messages(&self) -> impl Iterator<Item = &MessageId> {
        self.utterances.iter().map(|utterance| &utterance.message)
    }

    /// The scope of a line of this turn, caused by the newest one before it.
    pub fn scope(&self, room: &RoomId) -> Scope {
        Scope::room(room)
            .turn(self.id)
            .because(Some(self.cause))
            .about_all(self.messages())
    }

    /// Whom it answers: whoever called it, or spoke last.
    pub fn answered(&self) -> Option<&Utterance> {
        let direct = self.utterances.iter().rfind(|utterance| utterance.direct);
        direct.or(self.utterances.last())
    }

    /// What they said last of it.
    pub fn newest_answered(&self) -> Option<&Utterance> {
        let person = &self.answered()?.person;
        self.utterances
            .iter()
            .rfind(|utterance| utterance.person == *person)
    }

    /// Has something said, as soon as nobody speaks; a hello is no speech.
    pub fn hold(&mut self, pieces: Vec<Piece>) {
        for Piece { said, written } in pieces {
            let mut said = said;
            while let Some((name, words)) = picked(&said) {
                self.sounds.push(name);
                said = words;
            }
            if said.is_empty() {
                continue;
            }
            self.sentences += 1;
            if self.kind == VoiceTurnKind::Greeting && self.sentences > GREETING_SENTENCES_MAX {
                continue;
            }
            self.held.push(said);
            let number = self.sentences - 1;
            self.beside.extend(written.map(|written| (number, written)));
        }
    }

    /// Whether it would come too late; what is read is not late as soon as what is said.
    pub fn is_stale(&self, now: Moment) -> bool {
        !self.given && !self.in_text && self.stale_at() < now
    }

    /// From when on its answer would come too late. Nobody who talks with it alone, or goes on with it, is left without one
    /// because its model is slow, as long as nothing else was said.
    pub fn stale_at(&self) -> Moment {
        if self.kind != VoiceTurnKind::Answer {
            return self.good_until.unwrap_or(self.speech_ended + self.stale_after());
        }
        let waits = self.required || self.is_exchange() && !self.overtaken;
        let usual = match waits {
            true => self.speech_ended + STALE_WHEN_CALLED,
            false => self.good_until.unwrap_or(self.speech_ended + self.stale_after()),
        };
        match self.overtaken {
            true => usual,
            false => usual + self.head_start,
        }
    }

    fn stale_after(&self) -> Span {
        match self.by_service {
            true => STALE_BY_SERVICE,
            false => STALE,
        }
    }

    /// Whether somebody talks with it who need not say its name.
    pub fn is_exchange(&self) -> bool {
        matches!(
            self.admitted,
            VoiceAdmissionReason::FocusedSpeakerFollowup
                | VoiceAdmissionReason::BotRecentReplyFollowup
                | VoiceAdmissionReason::AloneWithDenizen
        )
    }

    /// Whether somebody waits for its answer, in whatever form.
    pub fn is_owed(&self) -> bool {
        self.kind == VoiceTurnKind::Answer && (self.required || self.is_exchange())
    }

    /// Whether somebody waits for its answer, and is to read all of it.
    pub fn is_to_be_read(&self) -> bool {
        self.in_text && !self.given && self.native.is_none() && self.is_owed()
    }

    /// For how long its model had been asked by then.
    pub fn asked_for(&self, then: Moment) -> Span {
        self.asked.map_or(Span::ZERO, |asked| then.since(asked))
    }

    pub fn open_ask(&self) -> Option<AskId> {
        match self.stage {
            VoiceStage::Asking { ask } => Some(ask),
            _ => None,
        }
    }

    /// Nobody waits for its ask any more.
    pub fn cancel_ask(&mut self, room: &RoomId, why: CancelReason, step: &mut StepContext<'_>) {
        if let Some(ask) = self.open_ask() {
            self.cause = cancel(ask, why, self.scope(room), step).unwrap_or(self.cause);
            self.stage = VoiceStage::Speaking {};
            self.written = true;
        }
    }

    /// Whether what it was made from, or what waits to be said of it, retells something.
    pub fn was_told(&self, retells: &dyn Fn(&str) -> bool) -> bool {
        let messages = self.found.messages.iter().map(|message| message.text.as_str());
        let facts = self.found.facts.iter().map(|found| match &found.record {
            Record::Gem(gem) => gem.content.as_str(),
            Record::Turn(turn) => turn.text.as_str(),
        });
        let gems = self.found.of_people.iter().map(|gem| gem.content.as_str());
        let held = self.held.iter().map(String::as_str);
        messages.chain(facts).chain(gems).chain(held).any(retells)
    }

    /// Begins it anew, before anything of it was heard: what it was made from has changed.
    pub fn start_over(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        self.cancel_ask(room, CancelReason::Forgotten, step);
        for run in self.tools.open_runs().collect::<Vec<_>>() {
            step.flights.found(LookUp::Tool(run));
        }
        self.found = Recollection::default();
        self.tools = ToolLoop::default();
        self.draft = Draft::default();
        self.taken = 0;
        self.held.clear();
        self.beside.clear();
        self.sentences = 0;
        self.written = false;
        self.looks_at_screen = false;
        if let Some(native) = &mut self.native {
            *native = NativeAnswer::default();
            self.taken_back += 1;
        }
    }

    /// Closes it.
    pub fn end(
        self,
        outcome: VoiceTurnOutcome,
        reason: VoiceTurnReason,
        detail: &str,
        room: &RoomId,
        step: &mut StepContext<'_>,
    ) {
        if self.by_service && outcome == VoiceTurnOutcome::Skipped {
            let detail = detail.to_owned();
            let event = JournalEvent::RealtimeReplySkipped { reason, detail };
            step.ledger.write(self.scope(room), event);
        }
        let event = JournalEvent::VoiceTurnEnded {
            outcome,
            reason,
            detail: detail.to_owned(),
            took: step.took(self.opened),
        };
        step.ledger.write(self.scope(room), event);
    }
}
