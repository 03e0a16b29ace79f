//! Answers that a service is asked for: one at a time, each ends once, and nothing of one is taken for another.

use std::collections::BTreeSet;

use vocabulary::{Moment, Span, ToolCall};

use super::spoken::Spoken;
use crate::asked::AskedLane;
use crate::command::Command;
use crate::event::{FaultKind, ResponseOutcome, ServiceFault, Usage};
use crate::session::Lost;

/// The first of an answer may take so long: it is thought about. Each further piece comes sooner.
const BEGINS_WITHIN: Span = Span::seconds(15);
const GOES_ON_WITHIN: Span = Span::seconds(8);
/// What a stopped answer has cost is waited for so long.
const BILL_WITHIN: Span = Span::seconds(3);
/// An answer of which nothing has come is asked for on so many connections at most.
const ATTEMPTS_MAX: u32 = 2;
/// Nobody listens for longer.
const ANSWER_SECONDS_MAX: u64 = 180;

#[derive(Debug)]
struct Answer {
    number: u64,
    hint: String,
    attempts: u32,
    moved: Moment,
    spoken: Spoken,
    calls: BTreeSet<String>,
}

impl Answer {
    fn has_come(&self) -> bool {
        self.spoken.samples > 0 || !self.spoken.words.is_empty() || !self.calls.is_empty()
    }

    fn due(&self) -> Moment {
        match self.has_come() {
            true => self.moved + GOES_ON_WITHIN,
            false => self.moved + BEGINS_WITHIN,
        }
    }
}

/// An answer that is to be asked for.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) number: u64,
    pub(super) hint: String,
    pub(super) attempts: u32,
}

/// That an answer is over, and what was said in it.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) number: u64,
    pub(super) result: Result<Usage, Lost>,
    pub(super) words: String,
}

/// What stopping came to.
#[derive(Debug, Default)]
pub(super) struct Stopped {
    pub(super) commands: Vec<Command>,
    /// The words that were heard, where something was stopped.
    pub(super) heard: Option<String>,
    /// It had ended already: what it said is known.
    pub(super) was_over: bool,
}

/// Sound of an answer.
#[derive(Debug)]
pub(super) struct Sounded {
    pub(super) number: u64,
    pub(super) samples: Vec<i16>,
    pub(super) marks: Vec<(f64, usize)>,
}

#[derive(Debug, Default)]
pub(super) struct AnswerLane {
    asked: AskedLane,
    current: Option<Answer>,
    /// Stopped: what it cost is still to be told.
    stopped: Vec<(u64, Moment)>,
    /// What was said last, as long as it can still be cut.
    last: Option<Spoken>,
    /// What nobody has been told of yet.
    owed: Usage,
    /// The end that comes next is that of something before.
    is_interrupted: bool,
}

impl AnswerLane {
    /// Whether nothing stands in the way of asking.
    pub(super) fn is_free(&self, interrupts_itself: bool) -> bool {
        self.current.is_none() && (self.asked.is_empty() || interrupts_itself)
    }

    pub(super) fn is_busy(&self) -> bool {
        self.current.is_some() || !self.stopped.is_empty() || !self.asked.is_empty()
    }

    pub(super) fn current(&self) -> Option<u64> {
        self.current.as_ref().map(|answer| answer.number)
    }

    pub(super) fn ask(&mut self, now: Moment, wanted: Wanted) {
        self.asked.ask(wanted.number, None, now);
        self.last = None;
        self.current = Some(Answer {
            number: wanted.number,
            hint: wanted.hint,
            attempts: wanted.attempts + 1,
            moved: now,
            spoken: Spoken::default(),
            calls: BTreeSet::new(),
        });
    }

    pub(super) fn began(&mut self, response: String, number: Option<u64>) -> Vec<Command> {
        self.asked.began(response, number)
    }

    /// The answer that something is of, where it is wanted.
    fn of(&mut self, now: Moment, response: Option<&str>) -> Option<&mut Answer> {
        let number = self.asked.wanted(response)?;
        let answer = self.current.as_mut().filter(|answer| answer.number == number)?;
        answer.moved = now;
        Some(answer)
    }

    pub(super) fn voiced(&mut self, now: Moment, response: Option<&str>, item: String) {
        if let Some(answer) = self.of(now, response) {
            answer.spoken.items.push((item, 0));
        }
    }

    pub(super) fn sounded(
        &mut self,
        now: Moment,
        response: Option<&str>,
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
        rate: u32,
    ) -> Option<Sounded> {
        let answer = self.of(now, response).filter(|_| !samples.is_empty())?;
        let marks = answer.spoken.take(samples.len(), marks, rate);
        Some(Sounded {
            number: answer.number,
            samples,
            marks,
        })
    }

    /// Whether it goes on for longer than anybody listens.
    pub(super) fn is_endless(&self, rate: u32) -> bool {
        let samples = self.current.as_ref().map_or(0, |answer| answer.spoken.samples);
        samples / u64::from(rate.max(1)) > ANSWER_SECONDS_MAX
    }

    pub(super) fn said(&mut self, now: Moment, response: Option<&str>, words: &str) -> Option<u64> {
        let answer = self.of(now, response).filter(|_| !words.is_empty())?;
        answer.spoken.words.push_str(words);
        Some(answer.number)
    }

    /// A call, once.
    pub(super) fn called(&mut self, now: Moment, response: Option<&str>, call: &ToolCall) -> Option<u64> {
        let answer = self.of(now, response)?;
        let is_new = answer.calls.insert(call.id.clone());
        is_new.then_some(answer.number)
    }

    pub(super) fn interrupted(&mut self) {
        self.is_interrupted = true;
    }

    /// What follows is of the newest: those before it that nobody wants are over.
    pub(super) fn turned(&mut self) -> Vec<Finished> {
        let mut over = Vec::new();
        while let Some(number) = self.asked.outrun() {
            if let Some(place) = self.stopped.iter().position(|(other, _)| *other == number) {
                over.push(Finished {
                    number: self.stopped.remove(place).0,
                    result: Ok(std::mem::take(&mut self.owed)),
                    words: String::new(),
                });
            }
        }
        over
    }

    /// It waits for what its calls came to: for whoever asked, that is all for now.
    pub(super) fn paused(&mut self, response: Option<&str>, usage: Usage) -> Option<Finished> {
        self.ended(response, ResponseOutcome::Whole, usage)
    }

    pub(super) fn ended(
        &mut self,
        response: Option<&str>,
        outcome: ResponseOutcome,
        usage: Usage,
    ) -> Option<Finished> {
        let is_of_before = std::mem::take(&mut self.is_interrupted)
            && response.is_none()
            && self.asked.wanted(None).is_some()
            && self.current.as_ref().is_some_and(|answer| !answer.has_come());
        if is_of_before {
            self.owed = self.owed.plus(usage);
            return None;
        }
        let asked = self.asked.end(response)?;
        let usage = std::mem::take(&mut self.owed).plus(usage);
        if let Some(place) = self
            .stopped
            .iter()
            .position(|(number, _)| *number == asked.number)
        {
            return Some(Finished {
                number: self.stopped.remove(place).0,
                result: Ok(usage),
                words: String::new(),
            });
        }
        let Some(answer) = self.current.take_if(|answer| answer.number == asked.number) else {
            self.owed = usage;
            return None;
        };
        let nothing = || ServiceFault::new(FaultKind::Passing, "it answered nothing");
        let result = match outcome {
            ResponseOutcome::Whole if answer.has_come() => Ok(usage),
            ResponseOutcome::Whole => Err(Lost::of(nothing())),
            // What has come of it was heard, and is paid for.
            ResponseOutcome::Cancelled if answer.has_come() => Ok(usage),
            ResponseOutcome::Cancelled => Err(Lost::of(ServiceFault::new(
                FaultKind::Passing,
                "it stopped by itself",
            ))),
            ResponseOutcome::Failed(fault) => Err(Lost::of(fault)),
        };
        // What came to nothing is paid for, too.
        let result = result.map_err(|lost| Lost { spent: usage, ..lost });
        Some(self.finish(answer, result))
    }

    fn finish(&mut self, answer: Answer, result: Result<Usage, Lost>) -> Finished {
        let words = answer.spoken.words.clone();
        self.last = Some(answer.spoken);
        Finished {
            number: answer.number,
            result,
            words,
        }
    }

    /// The answer under way, or the last one, is over: so much of it was heard.
    pub(super) fn stop(&mut self, now: Moment, heard: Span, rate: u32) -> Stopped {
        let (mut commands, spoken, was_over) = match self.current.take() {
            Some(answer) => {
                self.stopped.push((answer.number, now));
                (self.asked.unwant(answer.number), answer.spoken, false)
            }
            None => match self.last.take() {
                Some(spoken) => (Vec::new(), spoken, true),
                None => return Stopped::default(),
            },
        };
        let heard_samples = heard.0.saturating_mul(u64::from(rate)) / 1_000;
        if was_over && heard_samples >= spoken.samples {
            return Stopped::default();
        }
        commands.extend(spoken.cut(heard_samples, rate, was_over));
        Stopped {
            commands,
            heard: Some(spoken.heard_words(heard_samples)),
            was_over,
        }
    }

    /// A complaint; what it is about where it says so.
    pub(super) fn take_blame(
        &mut self,
        fault: &ServiceFault,
        name: impl Fn(u64) -> String,
    ) -> Option<Finished> {
        let number = match &fault.about {
            Some(about) => self.current().filter(|number| name(*number) == *about)?,
            None => self.asked.blamed()?,
        };
        let answer = self.current.take_if(|answer| answer.number == number)?;
        self.asked.remove(number);
        Some(self.finish(answer, Err(Lost::of(fault.clone()))))
    }

    /// The connection is gone: an answer of which nothing has come is asked for once more, any other is over.
    pub(super) fn disconnected(&mut self, fault: &ServiceFault) -> (Vec<Finished>, Option<Wanted>) {
        let mut over = self.end_stopped(None);
        self.asked.clear();
        self.is_interrupted = false;
        let Some(answer) = self.current.take() else {
            if let Some(last) = &mut self.last {
                last.items.clear();
            }
            return (over, None);
        };
        if !answer.has_come() && answer.attempts < ATTEMPTS_MAX {
            let again = Wanted {
                number: answer.number,
                hint: answer.hint,
                attempts: answer.attempts,
            };
            return (over, Some(again));
        }
        let mut finished = self.finish(answer, Err(Lost::of(fault.clone())));
        if let Some(last) = &mut self.last {
            last.items.clear();
        }
        finished.words.truncate(finished.words.trim_end().len());
        over.push(finished);
        (over, None)
    }

    fn end_stopped(&mut self, until: Option<Moment>) -> Vec<Finished> {
        let is_over = |(_, since): &(u64, Moment)| until.is_none_or(|now| *since + BILL_WITHIN <= now);
        let (over, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.stopped).into_iter().partition(is_over);
        self.stopped = waiting;
        over.into_iter()
            .map(|(number, _)| Finished {
                number,
                result: Ok(std::mem::take(&mut self.owed)),
                words: String::new(),
            })
            .collect()
    }

    /// What took too long; whether the service has lost its way.
    pub(super) fn overdue(&mut self, now: Moment, waits: bool, quiet: Option<Span>) -> (Vec<Finished>, bool) {
        let mut over = Vec::new();
        let mut is_stuck = false;
        // Where the end is not told, silence is it.
        if let (Some(quiet), Some(answer)) = (quiet, &self.current)
            && answer.spoken.samples > 0
            && answer.moved + quiet <= now
        {
            over.extend(self.ended(None, ResponseOutcome::Whole, Usage::default()));
        }
        if self.current.as_ref().is_some_and(|answer| answer.due() <= now)
            && let Some(answer) = self.current.take()
        {
            let _ = self.asked.unwant(answer.number);
            let late = Lost::late("an answer", Span(now.0.saturating_sub(answer.moved.0)));
            over.push(self.finish(answer, Err(late)));
            is_stuck = true;
        }
        let unpaid = self.end_stopped(Some(now));
        // Where the end is not told, it is over now.
        if quiet.is_some() && !unpaid.is_empty() && !self.asked.is_wanted() {
            self.asked.clear();
        }
        over.extend(unpaid);
        let unwanted = self.asked.unwanted_since().filter(|_| waits);
        is_stuck |= unwanted.is_some_and(|since| since + BEGINS_WITHIN <= now);
        (over, is_stuck)
    }

    pub(super) fn next_due(&self, waits: bool, quiet: Option<Span>) -> Option<Moment> {
        let answer = self.current.as_ref();
        let due = [
            answer.map(Answer::due),
            answer.and_then(|answer| Some(answer.moved + quiet?).filter(|_| answer.spoken.samples > 0)),
            self.stopped.first().map(|(_, since)| *since + BILL_WITHIN),
            self.asked
                .unwanted_since()
                .filter(|_| waits)
                .map(|since| since + BEGINS_WITHIN),
        ];
        due.into_iter().flatten().min()
    }
}
