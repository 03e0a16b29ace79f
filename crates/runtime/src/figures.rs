//! What happens in all communities of a process, in figures: counted as journal lines come to be, without a word of
//! anybody's and without telling rooms, people or communities apart.

mod histogram;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mind::{JournalEntry, JournalEvent};
use vocabulary::{AskPurpose, CommunityId, Moment, Span, TurnId};

pub use histogram::{BUCKETS_MS, Histogram};

/// Models, each for what it was asked, that are told apart. Settings of a thousand communities could name more.
const MODELS_MAX: usize = 200;
/// Turns under way whose beginning is remembered; of more the oldest is left uncounted.
const TURNS_MAX: usize = 10_000;
const OTHERS: &str = "others";

/// How far an answer has come. Times are counted from the moment the first of the messages that it answers was taken in,
/// aloud from the end of what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerPhase {
    /// It is to be answered: nothing more of the same author is waited for.
    Decided,
    /// A model is asked.
    Asked,
    /// The first of its words has come; aloud, its first sentence.
    FirstPiece,
    /// It is in the room; aloud, it is heard.
    Sent,
}

impl AnswerPhase {
    pub fn name(self) -> &'static str {
        match self {
            Self::Decided => "decided",
            Self::Asked => "asked",
            Self::FirstPiece => "first_piece",
            Self::Sent => "sent",
        }
    }
}

/// A model, for what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelUse {
    pub purpose: &'static str,
    pub provider: String,
    pub model: String,
}

/// What the answers of a model come to.
#[derive(Clone, Debug, Default)]
pub struct ModelTotals {
    pub answers: u64,
    pub input_tokens: u64,
    pub cached_tokens: u64,
    pub output_tokens: u64,
    pub cost_micro_dollars: u64,
    /// Answers whose price nobody knows.
    pub unpriced: u64,
    pub took: Histogram,
}

/// Everything that was counted since the process started.
#[derive(Clone, Debug, Default)]
pub struct FiguresSeen {
    /// Journal lines by name.
    pub lines: BTreeMap<&'static str, u64>,
    pub written: BTreeMap<AnswerPhase, Histogram>,
    pub spoken: BTreeMap<AnswerPhase, Histogram>,
    /// From the end of what was said until it was understood.
    pub understood: Histogram,
    pub models: BTreeMap<ModelUse, ModelTotals>,
    /// Questions that were not answered, by purpose and kind.
    pub failures: BTreeMap<(&'static str, &'static str), u64>,
    /// What questions cost that were not answered.
    pub failed_micro_dollars: u64,
    /// How written turns ended.
    pub turns: BTreeMap<String, u64>,
    /// How spoken turns ended.
    pub voice_turns: BTreeMap<String, u64>,
    pub speech_micro_dollars: u64,
}

/// Counts; shared by all communities of a process. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct TownFigures(Arc<Mutex<Counting>>);

#[derive(Debug, Default)]
struct Counting {
    seen: FiguresSeen,
    under_way: BTreeMap<(CommunityId, TurnId), TurnUnderWay>,
}

/// A turn whose answer is not there yet.
#[derive(Debug)]
struct TurnUnderWay {
    taken_in: Moment,
    asked: Option<Moment>,
    has_first_piece: bool,
}

impl TownFigures {
    /// Everything that was counted so far.
    pub fn seen(&self) -> FiguresSeen {
        self.lock().seen.clone()
    }

    /// A line came to be.
    pub(crate) fn note(&self, entry: &JournalEntry) {
        let mut counting = self.lock();
        *counting.seen.lines.entry(entry.event.name()).or_default() += 1;
        counting.count(entry);
    }

    fn lock(&self) -> MutexGuard<'_, Counting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counting {
    fn count(&mut self, entry: &JournalEntry) {
        match &entry.event {
            JournalEvent::TurnOpened { waited, .. } => self.opened(entry, *waited),
            JournalEvent::AskStarted { purpose, .. } if *purpose == AskPurpose::TextReply => {
                self.asked(entry);
            }
            JournalEvent::AskCompleted {
                purpose,
                provider,
                model,
                took,
                first_text,
                input_tokens,
                cached_tokens,
                output_tokens,
                cost_micro_dollars,
                ..
            } => {
                if *purpose == AskPurpose::TextReply {
                    self.first_piece(entry, first_text.unwrap_or(*took));
                }
                let totals = self.model(purpose.name(), provider, model);
                totals.answers += 1;
                totals.input_tokens += input_tokens;
                totals.cached_tokens += cached_tokens.unwrap_or_default();
                totals.output_tokens += output_tokens;
                totals.cost_micro_dollars += cost_micro_dollars.unwrap_or_default();
                totals.unpriced += u64::from(cost_micro_dollars.is_none());
                totals.took.add(*took);
            }
            JournalEvent::AskFailed {
                purpose,
                kind,
                cost_micro_dollars,
                ..
            } => {
                let failures = &mut self.seen.failures;
                *failures.entry((purpose.name(), kind.name())).or_default() += 1;
                self.seen.failed_micro_dollars += cost_micro_dollars.unwrap_or_default();
            }
            JournalEvent::SentReply { part: 1, .. } | JournalEvent::SentMessage { part: 1, .. } => {
                self.sent(entry);
            }
            JournalEvent::TurnEnded { outcome, .. } => {
                self.under_way.remove(&turn(entry));
                *self.seen.turns.entry(word(outcome)).or_default() += 1;
            }
            JournalEvent::UtteranceHeard { took, .. } => self.seen.understood.add(*took),
            JournalEvent::VoiceAnswerHeard {
                decided,
                asked,
                first_sentence,
                heard,
                ..
            } => {
                let phases = [
                    (AnswerPhase::Decided, decided),
                    (AnswerPhase::Asked, asked),
                    (AnswerPhase::FirstPiece, first_sentence),
                    (AnswerPhase::Sent, heard),
                ];
                for (phase, span) in phases {
                    self.seen.spoken.entry(phase).or_default().add(*span);
                }
            }
            JournalEvent::VoiceTurnEnded { outcome, .. } => {
                *self.seen.voice_turns.entry(word(outcome)).or_default() += 1;
            }
            JournalEvent::VoiceSpeechPaid {
                cost_micro_dollars, ..
            } => self.seen.speech_micro_dollars += cost_micro_dollars.unwrap_or_default(),
            _ => {}
        }
    }

    fn opened(&mut self, entry: &JournalEntry, waited: Span) {
        if self.under_way.len() >= TURNS_MAX {
            self.under_way.pop_first();
        }
        let under_way = TurnUnderWay {
            taken_in: entry.moment - waited,
            asked: None,
            has_first_piece: false,
        };
        self.under_way.insert(turn(entry), under_way);
        self.written(AnswerPhase::Decided, waited);
    }

    fn asked(&mut self, entry: &JournalEntry) {
        let Some(under_way) = self.under_way.get_mut(&turn(entry)) else {
            return;
        };
        let is_first = under_way.asked.replace(entry.moment).is_none();
        let span = entry.moment.since(under_way.taken_in);
        if is_first {
            self.written(AnswerPhase::Asked, span);
        }
    }

    fn first_piece(&mut self, entry: &JournalEntry, after: Span) {
        let Some(under_way) = self.under_way.get_mut(&turn(entry)) else {
            return;
        };
        let Some(asked) = under_way.asked.filter(|_| !under_way.has_first_piece) else {
            return;
        };
        under_way.has_first_piece = true;
        let span = (asked + after).since(under_way.taken_in);
        self.written(AnswerPhase::FirstPiece, span);
    }

    fn sent(&mut self, entry: &JournalEntry) {
        if let Some(under_way) = self.under_way.get(&turn(entry)) {
            let span = entry.moment.since(under_way.taken_in);
            self.written(AnswerPhase::Sent, span);
        }
    }

    fn written(&mut self, phase: AnswerPhase, span: Span) {
        self.seen.written.entry(phase).or_default().add(span);
    }

    fn model(&mut self, purpose: &'static str, provider: &str, model: &str) -> &mut ModelTotals {
        let models = &self.seen.models;
        let is_known = models
            .keys()
            .any(|known| known.provider == provider && known.model == model);
        let named = is_known || models.len() < MODELS_MAX;
        let written = |text: &str| if named { text.to_owned() } else { OTHERS.to_owned() };
        let using = ModelUse {
            purpose,
            provider: written(provider),
            model: written(model),
        };
        self.seen.models.entry(using).or_default()
    }
}

fn turn(entry: &JournalEntry) -> (CommunityId, TurnId) {
    (entry.community.clone(), entry.scope.turn.unwrap_or_default())
}

/// A word out of a closed list, as the journal writes it.
fn word(outcome: &impl serde::Serialize) -> String {
    match serde_json::to_value(outcome) {
        Ok(serde_json::Value::String(word)) => word,
        _ => OTHERS.to_owned(),
    }
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
