//! A conversation that a realtime service keeps, without socket and clock: what happens goes in, what is to be done comes out.
//!
//! Whatever the service does, each clip and each answer ends once, nothing is answered that was not asked for, and what was
//! heard of is never asked for again. What is told is told in its order; after a connection that broke, as text.

mod answers;
mod conversation;
mod happening;
mod ledger;
mod spoken;
mod telling;
mod traffic;

use std::collections::VecDeque;
use std::sync::Arc;

use runtime::ports::NativeInstructions;
use vocabulary::{Moment, Span, ToolResult};

use self::answers::{AnswerLane, Wanted};
pub(crate) use self::conversation::Conversation;
use self::ledger::Ledger;
pub(crate) use self::traffic::{NativeInput, NativeOutput};
use crate::command::Command;
use crate::ears::EarLane;
use crate::event::{FaultKind, ServiceFault};
use crate::link::{Connection, Link};
use crate::seen::SeenFrames;
use crate::wire::{Reading, SessionBrief};

/// What waits to be told: more than this is of no use to anybody.
const WAITING_MAX: usize = 256;
/// Sound that waits to be heard is kept for so many of the newest clips; the others are words by then.
const HELD_CLIPS_MAX: usize = 4;
/// Stands between the names of people who speak in one clip.
const TOGETHER: &str = " and ";
/// A service that hears nothing is given words: they are waited for so long.
const WORDS_WITHIN: Span = Span::seconds(6);

/// Something that the service has not been given yet.
#[derive(Debug)]
enum Act {
    Tell(String),
    Clip(HeldClip),
    Results(Vec<ToolResult>),
    Answer(Wanted),
}

#[derive(Debug)]
struct HeldClip {
    clip: u64,
    who: String,
    samples: Option<Arc<[i16]>>,
    heard: Span,
    since: Moment,
    /// Where they are had elsewhere: none yet, or nobody understood it.
    words: Option<Option<String>>,
}

/// A conversation.
#[derive(Debug)]
pub(crate) struct NativeSession {
    brief: SessionBrief,
    connection: Connection,
    being: Arc<NativeInstructions>,
    /// What the service was told to be on this connection.
    is_told: bool,
    waiting: VecDeque<Act>,
    ears: EarLane,
    /// How long each clip is whose words are waited for.
    lengths: Vec<(u64, Span)>,
    answers: AnswerLane,
    ledger: Ledger,
    /// Calls that the service waits for, on this connection.
    calls: Vec<String>,
    resume: Option<String>,
    frames: SeenFrames,
    rate: u32,
    is_warm: bool,
    works: Option<bool>,
}

impl NativeSession {
    pub(crate) fn new(brief: SessionBrief) -> Self {
        Self {
            rate: brief.speaks_at(),
            brief,
            connection: Connection::default(),
            being: Arc::default(),
            is_told: false,
            waiting: VecDeque::new(),
            ears: EarLane::default(),
            lengths: Vec::new(),
            answers: AnswerLane::default(),
            ledger: Ledger::default(),
            calls: Vec::new(),
            resume: None,
            frames: SeenFrames::default(),
            is_warm: false,
            works: None,
        }
    }

    /// Takes in what happens; what is to be done, in that order.
    pub(crate) fn step(&mut self, now: Moment, input: NativeInput) -> Vec<NativeOutput> {
        let mut out = Vec::new();
        self.connection.wake(now);
        match input {
            NativeInput::Instruct(being) => {
                if self.being != being {
                    self.being = being;
                    self.is_told = false;
                    self.is_warm = true;
                }
            }
            NativeInput::Tell(text) => self.wait(Act::Tell(text), &mut out),
            NativeInput::Hear {
                clip,
                who,
                samples,
                heard,
            } => {
                let held = HeldClip {
                    clip,
                    who,
                    samples: Some(samples),
                    heard,
                    since: now,
                    words: None,
                };
                self.wait(Act::Clip(held), &mut out);
            }
            NativeInput::Understood { clip, words } => self.understood(clip, words),
            NativeInput::Results(results) => self.wait(Act::Results(results), &mut out),
            NativeInput::Answer { number, hint } => {
                // One at a time: whatever was wanted before is not wanted any more.
                self.stop(now, Span(u64::MAX / 4), &mut out);
                let wanted = Wanted {
                    number,
                    hint,
                    attempts: 0,
                };
                self.wait(Act::Answer(wanted), &mut out);
            }
            NativeInput::Stop { heard } => self.stop(now, heard, &mut out),
            NativeInput::LetGo { number } => {
                let waits = |act: &Act| matches!(act, Act::Answer(wanted) if wanted.number == number);
                if self.answers.current() == Some(number) || self.waiting.iter().any(waits) {
                    self.stop(now, Span(0), &mut out);
                }
            }
            NativeInput::BeginAnew => self.begin_anew(now, &mut out),
            NativeInput::Opened { generation } if generation == self.connection.generation => {
                if !self.brief.is_greeted_first() {
                    self.set_up(&mut out);
                }
            }
            NativeInput::Told { generation, reading } if generation == self.connection.generation => {
                self.told(now, reading, &mut out);
            }
            NativeInput::Gone { generation, fault } if generation == self.connection.generation => {
                self.gone(now, &fault, false, &mut out);
            }
            NativeInput::Opened { .. }
            | NativeInput::Told { .. }
            | NativeInput::Gone { .. }
            | NativeInput::Tick => {}
        }
        self.advance(now, &mut out);
        if let Some(known) = self.ledger.news() {
            out.push(NativeOutput::Known(known));
        }
        out
    }

    /// When time alone makes something due.
    pub(crate) fn wakes_at(&self) -> Option<Moment> {
        // Only where something can be done about it then.
        let waits_for_words = self.brief.is_deaf()
            && self.wants_answer()
            && self.connection.is_up()
            && self.answers.is_free(self.brief.interrupts_itself());
        let words = match waits_for_words {
            true => self.unworded().map(|since| since + WORDS_WITHIN),
            false => None,
        };
        let due = [
            self.connection.next_due(self.brief.lease()),
            self.ears.next_due(self.brief.words_settle_after()),
            self.answers
                .next_due(self.wants_answer(), self.brief.is_over_after()),
            words,
        ];
        due.into_iter().flatten().min()
    }

    /// Whether nothing is under way or waits to go.
    #[cfg(test)]
    pub(crate) fn is_idle(&self) -> bool {
        !self.has_work() && !self.ears.is_busy() && !self.answers.is_busy()
    }

    fn wait(&mut self, act: Act, out: &mut Vec<NativeOutput>) {
        if self.waiting.len() >= WAITING_MAX
            && let Some(act) = self.waiting.pop_front()
        {
            let fault = ServiceFault::new(FaultKind::Passing, "too much waits to be told");
            self.give_up(act, &fault, out);
        }
        self.waiting.push_back(act);
        let clips = self.waiting.iter_mut().rev().filter_map(|act| match act {
            Act::Clip(clip) => Some(clip),
            _ => None,
        });
        if self.brief.holds() {
            for clip in clips.skip(HELD_CLIPS_MAX).filter(|clip| clip.words.is_some()) {
                clip.samples = None;
            }
        }
    }

    fn understood(&mut self, number: u64, words: Option<String>) {
        self.ledger
            .understand(number, words.as_deref().unwrap_or_default());
        let is_it = |act: &&mut Act| matches!(act, Act::Clip(clip) if clip.clip == number);
        if let Some(Act::Clip(clip)) = self.waiting.iter_mut().find(is_it) {
            clip.words = Some(words);
        }
        // Nobody said anything in it.
        self.waiting.retain(|act| {
            !matches!(act, Act::Clip(clip) if clip.words.as_ref().is_some_and(|words| words.as_deref() == Some("")))
        });
    }

    fn wants_answer(&self) -> bool {
        self.waiting.iter().any(|act| matches!(act, Act::Answer(_)))
    }

    /// Since when the oldest clip waits for its words that an answer waits for.
    fn unworded(&self) -> Option<Moment> {
        let before = self
            .waiting
            .iter()
            .take_while(|act| !matches!(act, Act::Answer(_)));
        before
            .filter_map(|act| match act {
                Act::Clip(clip) if clip.words.is_none() => Some(clip.since),
                _ => None,
            })
            .min()
    }

    fn has_work(&self) -> bool {
        self.ears.has_work()
            || match self.brief.holds() {
                true => self.wants_answer(),
                false => !self.waiting.is_empty(),
            }
    }

    fn is_busy(&self) -> bool {
        self.ears.is_busy() || self.answers.is_busy()
    }

    /// What is being answered, or was last, is over; what waits to be answered is not wanted any more.
    fn stop(&mut self, now: Moment, heard: Span, out: &mut Vec<NativeOutput>) {
        let mut unasked = Vec::new();
        self.waiting.retain(|act| match act {
            Act::Answer(wanted) => {
                unasked.push(wanted.number);
                false
            }
            _ => true,
        });
        for number in unasked {
            out.push(NativeOutput::Over {
                number,
                result: Ok(Default::default()),
            });
        }
        let stopped = self.answers.stop(now, heard, self.rate);
        if self.connection.is_up() {
            let can = |command: &Command| self.brief.truncates() || matches!(command, Command::Cancel { .. });
            out.extend(stopped.commands.into_iter().filter(can).map(NativeOutput::Send));
        }
        let Some(words) = stopped.heard else { return };
        match stopped.was_over {
            true => self.ledger.cut(&words),
            false => self.ledger.say(&words),
        }
        if !self.brief.truncates() {
            let note = match words.trim() {
                "" => "(Nothing of your last answer was heard.)".to_owned(),
                words => format!("(You were interrupted. Of your last answer only this was heard: {words})"),
            };
            self.waiting.push_front(Act::Tell(note));
        }
    }

    fn begin_anew(&mut self, now: Moment, out: &mut Vec<NativeOutput>) {
        let fault = ServiceFault::new(FaultKind::SessionOver, "the conversation was begun anew");
        self.stop(now, Span(0), out);
        self.give_all_up(&fault, out);
        self.resume = None;
        let was_there = self.connection.link != Link::Down && self.connection.refusal().is_none();
        if was_there {
            let generation = self.connection.generation;
            out.push(NativeOutput::Close { generation });
            self.connection.close();
        }
        self.disconnected(&fault, out);
        self.ledger.clear();
        self.is_warm = was_there;
    }

    fn set_up(&mut self, out: &mut Vec<NativeOutput>) {
        if !self.connection.tell() {
            return;
        }
        let history = match &self.resume {
            Some(_) => Vec::new(),
            None => self.ledger.history(),
        };
        match &self.resume {
            // What it was told since it gave out the handle is told with the next answer.
            Some(_) => {
                for line in self.ledger.take_since_mark().into_iter().rev() {
                    let text = match line.is_own {
                        true => format!("(You said: {})", line.text),
                        false => line.text,
                    };
                    self.waiting.push_front(Act::Tell(text));
                }
            }
            None => self.ledger.begin(history.len()),
        }
        self.is_told = true;
        out.push(NativeOutput::Send(Command::Begin {
            resume: self.resume.clone(),
            being: self.being.clone(),
            history,
        }));
    }

    fn told(&mut self, now: Moment, reading: Reading, out: &mut Vec<NativeOutput>) {
        if !self.frames.is_new(reading.id) {
            return;
        }
        let generation = self.connection.generation;
        for event in reading.events {
            // One of them may have ended the connection.
            if self.connection.generation == generation {
                self.happened(now, event, out);
            }
        }
    }
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "native_storm_tests.rs"]
mod storm_tests;
