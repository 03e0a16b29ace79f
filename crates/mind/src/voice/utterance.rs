//! What was said aloud and is not decided on yet: one utterance, or several that came in quick succession.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, JournalSeq, MessageId, Moment, PersonId, Span};

use crate::addressing::{AddressSignal, NameCue};
use crate::admission::VoiceAdmissionReason;
use crate::admission::text::forces_reply;

/// People who speak right after each other are waited for, so long at most.
const MERGES_WITHIN: Span = Span(2_000);
/// Utterances that share one turn.
const UTTERANCES_MAX: usize = 12;

/// Something that somebody said. Its words stand in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Utterance {
    pub message: MessageId,
    pub person: PersonId,
    /// It calls Denizen by name.
    pub direct: bool,
    /// It is nothing but the name.
    pub bare_name: bool,
    /// Something in it sounds like the name.
    pub near_name: bool,
    pub names_somebody_else: bool,
    /// The one it talks with goes on.
    pub focused: bool,
    pub last_answered: bool,
    pub answers_question: bool,
    pub spoken: Span,
    /// When its speaker fell silent.
    pub ended: Moment,
    /// When its words were there.
    pub heard: Moment,
    pub cause: JournalSeq,
}

impl Utterance {
    /// What addressing made of it.
    pub fn addressed(mut self, signal: &AddressSignal, cue: NameCue) -> Self {
        self.names_somebody_else = signal.names_somebody_else();
        self.direct = forces_reply(signal.reason) && !self.names_somebody_else;
        self.bare_name = cue.bare;
        self.near_name = cue.near && !self.direct;
        self
    }
}

/// Utterances that wait for a decision together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Waiting {
    pub utterances: Vec<Utterance>,
    first_at: Moment,
    /// Not looked at before.
    pub next_look: Moment,
    /// What the gate said last.
    pub last: Option<VoiceAdmissionReason>,
    /// The classifier that is being asked.
    pub asking: Option<AskId>,
    pub attempts: u64,
}

impl Waiting {
    pub fn new(utterance: Utterance) -> Self {
        Self {
            first_at: utterance.heard,
            next_look: utterance.heard,
            utterances: vec![utterance],
            last: None,
            asking: None,
            attempts: 0,
        }
    }

    /// More was said: it is decided on together, and at once where that is possible.
    pub fn add(&mut self, utterance: Utterance) {
        self.next_look = utterance.heard;
        self.attempts = 0;
        if self.utterances.len() >= UTTERANCES_MAX {
            self.utterances.remove(0);
        }
        self.utterances.push(utterance);
    }

    /// When it is looked at, where words of others may still come until `awaited`.
    pub fn due(&self, awaited: Option<Moment>) -> Option<Moment> {
        if self.asking.is_some() {
            return None;
        }
        let held = awaited.map_or(Moment(0), |until| until.min(self.first_at + MERGES_WITHIN));
        Some(held.max(self.next_look))
    }

    /// The one that decides: the newest that calls Denizen, or the newest.
    pub fn telling(&self) -> Option<&Utterance> {
        let direct = self.utterances.iter().rfind(|utterance| utterance.direct);
        direct.or(self.utterances.last())
    }

    /// Lets go of what somebody said, or of a message; whether nothing is left.
    pub fn drop_if(&mut self, gone: &dyn Fn(&Utterance) -> bool) -> bool {
        self.utterances.retain(|utterance| !gone(utterance));
        self.utterances.is_empty()
    }
}
