//! What was said aloud and is not decided on yet: one utterance, or several that came in quick succession.

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, JournalSeq, MessageId, Moment, PersonId, Span};

use super::people::VoicePeople;
use super::turn::STALE_WHEN_CALLED;
use crate::addressing::{AddressScore, AddressSignal, NameCue};
use crate::admission::VoiceAdmissionReason;
use crate::admission::text::forces_reply;

/// People who speak right after each other are waited for, so long at most.
const MERGES_WITHIN: Span = Span(2_000);
/// Whoever goes on speaking is waited for so long after their newest words: the ears write down a long speech in pieces.
const GOES_ON_WITHIN: Span = Span::seconds(9);
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
    /// It goes on with somebody else, or answers them, and names nobody.
    #[serde(default)]
    pub goes_elsewhere: bool,
    /// It speaks of Denizen, and does not call it.
    #[serde(default)]
    pub spoken_of: bool,
    /// How likely it is meant, where cues were weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<AddressScore>,
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
        self.goes_elsewhere = signal.goes_on_with_somebody_else();
        self.spoken_of = signal.only_speaks_of_denizen();
        self.direct = forces_reply(signal.reason) && !self.names_somebody_else && !self.spoken_of;
        self.score.clone_from(&signal.score);
        self.bare_name = cue.bare;
        self.near_name = cue.near && !self.direct && !self.spoken_of;
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

    /// More was said: it is decided on together, and at once where that is possible. Where there is too much of it, the
    /// oldest that called nobody makes way.
    pub fn add(&mut self, utterance: Utterance) -> Option<Utterance> {
        self.next_look = utterance.heard;
        self.attempts = 0;
        let crowded = self.utterances.len() >= UTTERANCES_MAX;
        let oldest = self.utterances.iter().position(|other| !other.direct);
        let gone = crowded.then(|| self.utterances.remove(oldest.unwrap_or(0)));
        self.utterances.push(utterance);
        gone
    }

    /// When it is looked at: not before others who speak have had a moment to finish, and the one who decides has.
    pub fn due(&self, people: &VoicePeople) -> Option<Moment> {
        if self.asking.is_some() {
            return None;
        }
        let awaited = people.words_awaited_until();
        let held = awaited.map_or(Moment(0), |until| until.min(self.first_at + MERGES_WITHIN));
        let telling = self.telling()?;
        let present = people.get(&telling.person);
        let own = match present.map(|present| (present.speaking, present.words_until)) {
            Some((Some(_), _)) => {
                let newest = self.of(&telling.person).map(|own| own.heard).max();
                newest.unwrap_or_default() + GOES_ON_WITHIN
            }
            Some((None, Some(words_until))) => words_until,
            _ => Moment(0),
        };
        Some(held.max(own).max(self.next_look))
    }

    /// What somebody said of it.
    pub fn of<'a>(&'a self, person: &'a PersonId) -> impl Iterator<Item = &'a Utterance> {
        self.utterances
            .iter()
            .filter(move |utterance| utterance.person == *person)
    }

    /// When somebody fell silent last.
    pub fn ended_by(&self, person: &PersonId) -> Moment {
        self.of(person)
            .map(|utterance| utterance.ended)
            .max()
            .unwrap_or_default()
    }

    /// Takes out calls that nobody waits to be answered any more, where something else was said since.
    pub fn take_late_calls(&mut self, now: Moment) -> Option<Self> {
        let is_late = |utterance: &Utterance| {
            utterance.direct && self.ended_by(&utterance.person) + STALE_WHEN_CALLED < now
        };
        let (late, left): (Vec<_>, Vec<_>) = self.utterances.iter().cloned().partition(is_late);
        if late.is_empty() || left.is_empty() {
            return None;
        }
        self.utterances = left;
        Some(Self {
            utterances: late,
            asking: None,
            ..self.clone()
        })
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
