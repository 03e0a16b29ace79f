//! An answer that a realtime service gives by itself, on its way to whoever listens: its sound is played as it comes, its
//! words are told to the mind, and when it falls silent the service is told how much of it was heard.

use std::sync::Arc;
use std::time::Duration;

use mind::{Answer, Asking, Input};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, ChatRole, ContentPart, DeliveryId, Finish, ModelAnswer,
    Span, ToolCall, ToolResult, Usage,
};

use super::mouth::{NativeSaying, RoomMouth};
use super::native::NativeSeat;
use crate::ports::{NativeInstructions, NativePiece, RealtimeFault, RealtimeSound, SpeechFault};

/// Words are gathered for so long before the mind is told.
const PROGRESS_EVERY: Duration = Duration::from_millis(80);
/// Pieces of sound that may wait to be played: services speak faster than people listen.
const PIECES_MAX: usize = 16_384;
/// How quickly voices speak, about, where a service does not tell when it says which word.
const CHARACTERS_A_SECOND: f64 = 13.0;
/// So often it is reckoned how far it is.
const RECKONED_EVERY: f64 = 0.1;

/// A session in which a service answers by itself.
#[derive(Clone)]
pub(crate) struct NativeSession {
    pub(super) seat: Arc<NativeSeat>,
    pub(super) mouth: Arc<RoomMouth>,
}

/// What a service is asked, as it is kept for the inspector.
pub(crate) struct NativeWords {
    pub instructions: NativeInstructions,
    pub results: Vec<ToolResult>,
    pub hint: String,
}

impl NativeWords {
    /// What a question says.
    pub fn of(asking: &Asking) -> Self {
        let request = &asking.request;
        let newest = request.turns.last().filter(|turn| turn.role == ChatRole::Tool);
        let results = newest.into_iter().flat_map(|turn| &turn.parts);
        let hint = request.turns.first().into_iter().flat_map(|turn| &turn.parts);
        Self {
            instructions: NativeInstructions {
                text: request.system.clone(),
                tools: request.tools.clone(),
            },
            results: results
                .filter_map(|part| match part {
                    ContentPart::ToolResult(result) => Some(result.clone()),
                    _ => None,
                })
                .collect(),
            hint: hint
                .filter_map(|part| match part {
                    ContentPart::Text(text) => Some(text.as_str()),
                    _ => None,
                })
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }

    /// The same for the inspector.
    pub fn written(&self) -> String {
        let results = self.results.iter().map(
            |result| serde_json::json!({"callId": result.call_id, "name": result.name, "text": result.text}),
        );
        let tools = self.instructions.tools.iter().map(|tool| tool.name.as_str());
        let all = serde_json::json!({
            "instructions": self.instructions.text,
            "tools": tools.collect::<Vec<_>>(),
            "results": results.collect::<Vec<_>>(),
            "hint": self.hint,
        });
        serde_json::to_string_pretty(&all).unwrap_or_default()
    }
}

/// Stops an answer that nobody waits for any more.
struct Waited<'a> {
    mouth: &'a RoomMouth,
    delivery: &'a DeliveryId,
    is_over: bool,
}

impl Drop for Waited<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.mouth.stop_one(self.delivery);
        }
    }
}

impl NativeSession {
    /// Whose it is.
    pub fn engine(&self) -> String {
        self.seat.conversation().engine()
    }

    /// What it calls being asked.
    pub fn event(&self) -> &'static str {
        self.seat.conversation().events().answer
    }

    /// Has the service answer, and tells the mind its words as they come; dropped, it falls silent.
    pub async fn answer(
        &self,
        asking: &Asking,
        words: NativeWords,
        outcomes: &mpsc::Sender<Input>,
    ) -> AskOutcome {
        let Some(delivery) = &asking.aloud else {
            return failed(AskFailureKind::Rejected, "it is not to be said aloud");
        };
        let began = Instant::now();
        let conversation = self.seat.conversation();
        self.seat.hear_what_waits();
        conversation.instruct(words.instructions);
        if !words.results.is_empty() {
            conversation.give_results(words.results);
        }
        let (to_mouth, sound) = mpsc::channel(PIECES_MAX);
        let pieces = conversation.answer(words.hint);
        let saying = Arc::new(self.mouth.say_natively(delivery, self.seat.clone(), sound));
        let mut waited = Waited {
            mouth: &self.mouth,
            delivery,
            is_over: false,
        };
        let telling = Words {
            ask: asking.ask,
            outcomes: outcomes.clone(),
            gathered: String::new(),
            due: Instant::now(),
        };
        let deadline = Duration::from_millis(asking.request.deadline.0);
        let taking = take(pieces, to_mouth, saying.clone(), telling, began);
        // Also what nobody waits for any more is taken until the service knows how much of it was heard.
        let taken = tokio::spawn(timeout(deadline, taking)).await;
        let outcome = match taken {
            Ok(Ok((answer, Ok(usage)))) => AskOutcome::Answered(self.answered(answer, usage, began)),
            Ok(Ok((said, Err(fault)))) => lost(&fault, said.spent),
            Err(_) => failed(AskFailureKind::Interrupted, "the answer was given up"),
            Ok(Err(_)) => failed(
                AskFailureKind::TimedOut,
                "the service was not done within its time",
            ),
        };
        waited.is_over = matches!(outcome, AskOutcome::Answered(_)) || saying.is_heard();
        outcome
    }

    fn answered(&self, said: Said, usage: Usage, began: Instant) -> ModelAnswer {
        let engine = self.engine();
        let (provider, model) = engine.split_once(':').unwrap_or((engine.as_str(), ""));
        ModelAnswer {
            provider: provider.to_owned(),
            model: model.to_owned(),
            finish: match said.calls.is_empty() {
                true => Finish::Complete,
                false => Finish::ToolCalls,
            },
            text: said.text,
            tool_calls: said.calls,
            carried: None,
            cap: None,
            usage,
            first_text: said.first,
            took: span(began),
            tries: 1,
        }
    }
}

/// What a service said.
#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<ToolCall>,
    first: Option<Span>,
    /// What it took although it failed.
    spent: Option<Usage>,
}

/// Takes in what comes of an answer, to its end.
async fn take(
    mut pieces: mpsc::Receiver<NativePiece>,
    to_mouth: mpsc::Sender<RealtimeSound>,
    saying: Arc<NativeSaying>,
    mut telling: Words,
    began: Instant,
) -> (Said, Result<Usage, RealtimeFault>) {
    let mut said = Said::default();
    let mut reckoning = Reckoning::default();
    let over = loop {
        let piece = tokio::select! {
            biased;
            piece = pieces.recv() => piece,
            () = saying.stopped() => break Err(ended("it fell silent")),
            () = sleep_until(telling.due), if !telling.gathered.is_empty() => {
                telling.tell().await;
                continue;
            }
        };
        match piece {
            Some(NativePiece::Sound(mut sound)) => {
                reckoning.reckon(&mut sound, said.text.chars().count());
                // Whoever plays it no more need not be given more of it.
                let _ = to_mouth.try_send(sound);
            }
            Some(NativePiece::Words(words)) => {
                let words = match said.text.is_empty() {
                    true => words.trim_start().to_owned(),
                    false => words,
                };
                said.first.get_or_insert(span(began));
                said.text.push_str(&words);
                saying.words(&words);
                telling.gathered.push_str(&words);
            }
            Some(NativePiece::Call(call)) => said.calls.push(call),
            Some(NativePiece::Spent(usage)) => said.spent = Some(usage),
            Some(NativePiece::Over(over)) => break over,
            None => {
                break Err(ended("the service ended its answer without a word"));
            }
        }
    };
    telling.tell().await;
    (said, over)
}

/// Words on their way to the mind.
struct Words {
    ask: AskId,
    outcomes: mpsc::Sender<Input>,
    gathered: String,
    due: Instant,
}

impl Words {
    async fn tell(&mut self) {
        let text = std::mem::take(&mut self.gathered);
        if !text.is_empty() {
            let progressed = Answer::AskProgressed { ask: self.ask, text };
            let _ = self.outcomes.send(Input::Answer(progressed)).await;
        }
        self.due = Instant::now() + PROGRESS_EVERY;
    }
}

/// How far an answer is at which time, where the service does not tell: by how quickly voices speak.
#[derive(Debug, Default)]
struct Reckoning {
    seconds: f64,
    is_told: bool,
}

impl Reckoning {
    fn reckon(&mut self, sound: &mut RealtimeSound, characters: usize) {
        let before = self.seconds;
        self.seconds += sound.samples.len() as f64 / f64::from(sound.rate.max(1));
        self.is_told |= !sound.marks.is_empty();
        let mut at = (before / RECKONED_EVERY).ceil() * RECKONED_EVERY;
        while !self.is_told && at <= self.seconds {
            let reached = ((at * CHARACTERS_A_SECOND) as usize).min(characters);
            sound.marks.push((at, reached));
            at += RECKONED_EVERY;
        }
        if !self.is_told && sound.marks.is_empty() {
            let reached = ((self.seconds * CHARACTERS_A_SECOND) as usize).min(characters);
            sound.marks.push((self.seconds, reached));
        }
    }
}

fn ended(detail: &str) -> RealtimeFault {
    RealtimeFault {
        fault: SpeechFault {
            detail: detail.to_owned(),
            retryable: true,
        },
        is_late: false,
    }
}

fn lost(fault: &RealtimeFault, spent: Option<Usage>) -> AskOutcome {
    let kind = match (fault.is_late, fault.fault.retryable) {
        (true, _) => AskFailureKind::TimedOut,
        (false, true) => AskFailureKind::Unreachable,
        (false, false) => AskFailureKind::Rejected,
    };
    let mut failure = AskFailure::new(kind, fault.fault.detail.as_str());
    failure.usage = spent;
    AskOutcome::Failed(failure)
}

pub(crate) fn failed(kind: AskFailureKind, detail: &str) -> AskOutcome {
    AskOutcome::Failed(AskFailure::new(kind, detail))
}

fn span(since: Instant) -> Span {
    Span(u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
#[path = "native_mouth_tests.rs"]
mod tests;
