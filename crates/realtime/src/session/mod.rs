//! A session with a realtime service, without socket and clock: what happens goes in, what is to be done comes out.
//!
//! Whatever the service does, each clip and each text that was taken ends once; what belongs to an earlier connection, or
//! to a text that nobody wants any more, is thrown away; and what was heard of is never said from its beginning again.

mod mouth;
mod sounding;
mod traffic;
pub(crate) mod verbatim;

use std::collections::VecDeque;

use vocabulary::Moment;

use self::mouth::{MouthLane, Said};
pub(crate) use self::traffic::{Input, Lost, Output};
use crate::command::Command;
use crate::ears::{EarLane, Heard};
use crate::event::{FaultKind, ServiceEvent, ServiceFault};
use crate::link::{Connection, Link};
use crate::seen::SeenFrames;
use crate::wire::{Part, Reading, SessionBrief};

/// What stands in the memory of the service and is not forgotten yet.
const REMEMBERED_MAX: usize = 64;

/// A session.
#[derive(Debug)]
pub(crate) struct Session {
    brief: SessionBrief,
    connection: Connection,
    ears: EarLane,
    mouth: MouthLane,
    /// The session before can be taken up again by this.
    resume: Option<String>,
    /// A connection is wanted, though nothing waits for it yet.
    is_warm: bool,
    frames: SeenFrames,
    remembered: VecDeque<String>,
    /// What was told last of how it stands.
    works: Option<bool>,
}

impl Session {
    pub(crate) fn new(brief: SessionBrief) -> Self {
        Self {
            brief,
            connection: Connection::default(),
            ears: EarLane::default(),
            mouth: MouthLane::default(),
            resume: None,
            is_warm: false,
            frames: SeenFrames::default(),
            remembered: VecDeque::new(),
            works: None,
        }
    }

    /// Takes in what happens; what is to be done, in that order.
    pub(crate) fn step(&mut self, now: Moment, input: Input) -> Vec<Output> {
        let mut out = Vec::new();
        self.connection.wake(now);
        match input {
            Input::Hear { clip, samples } => self.ears.take(clip, samples),
            Input::Unhear { clip } => self.ears.drop_clip(clip),
            Input::Say { number, text } => self.mouth.take(number, text),
            Input::Unsay { number } => {
                let commands = self.mouth.drop_text(number);
                self.send(commands, &mut out);
            }
            Input::Warm => self.is_warm = true,
            Input::Opened { generation } if generation == self.connection.generation => {
                self.opened(now, &mut out);
            }
            Input::Told { generation, reading } if generation == self.connection.generation => {
                self.told(now, reading, &mut out);
            }
            Input::Gone { generation, fault } if generation == self.connection.generation => {
                self.gone(now, &fault, false, &mut out);
            }
            Input::Opened { .. } | Input::Told { .. } | Input::Gone { .. } | Input::Tick => {}
        }
        self.advance(now, &mut out);
        out
    }

    /// When time alone makes something due.
    pub(crate) fn wakes_at(&self) -> Option<Moment> {
        let due = [
            self.connection.next_due(self.brief.lease()),
            self.ears.next_due(self.brief.words_settle_after()),
            self.mouth.next_due(),
        ];
        due.into_iter().flatten().min()
    }

    /// Whether nothing is under way or waits.
    pub(crate) fn is_idle(&self) -> bool {
        !self.ears.has_work() && !self.mouth.has_work() && !self.is_busy()
    }

    fn is_busy(&self) -> bool {
        self.ears.is_busy() || self.mouth.is_busy()
    }

    fn opened(&mut self, now: Moment, out: &mut Vec<Output>) {
        if !self.brief.is_greeted_first() {
            self.set_up(out);
        }
        if !self.brief.tells_when_ready() {
            self.ready(now, out);
        }
    }

    fn set_up(&mut self, out: &mut Vec<Output>) {
        if self.connection.tell() {
            let resume = self.resume.clone();
            out.push(Output::Send(Command::SetUp { resume }));
        }
    }

    fn ready(&mut self, now: Moment, out: &mut Vec<Output>) {
        if self.connection.ready(now) {
            self.is_warm = false;
            self.stands(true, "", out);
        }
    }

    fn told(&mut self, now: Moment, reading: Reading, out: &mut Vec<Output>) {
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

    fn happened(&mut self, now: Moment, event: ServiceEvent, out: &mut Vec<Output>) {
        match event {
            ServiceEvent::Greeted => self.set_up(out),
            ServiceEvent::Ready => self.ready(now, out),
            ServiceEvent::Committed { item } => self.ears.committed(item),
            ServiceEvent::Partial { item, text, whole } => {
                self.ears.partial(now, item.as_deref(), &text, whole);
            }
            ServiceEvent::Transcript { item, text, usage } => {
                let heard = self.ears.transcript(now, item.as_deref(), text, usage);
                self.forget(item, out);
                self.heard(heard, out);
            }
            ServiceEvent::TranscriptFailed { item, fault } => {
                let heard = self.ears.failed(item.as_deref(), fault);
                self.forget(item, out);
                self.heard(heard, out);
            }
            ServiceEvent::Began { response, number } => {
                let commands = self.mouth.began(response, number);
                self.send(commands, out);
            }
            ServiceEvent::Remembered { item } => {
                self.remembered.push_back(item);
                if self.remembered.len() > REMEMBERED_MAX {
                    let oldest = self.remembered.pop_front();
                    self.forget(oldest, out);
                }
            }
            ServiceEvent::Sound {
                response,
                samples,
                marks,
            } => self.sounded(now, response.as_deref(), samples, marks, out),
            ServiceEvent::Said { response, text } => self.mouth.words(response.as_deref(), &text),
            ServiceEvent::Ended {
                response,
                outcome,
                usage,
            } => {
                let said = self.mouth.ended(response.as_deref(), outcome, usage);
                self.said(said, out);
                if !self.ears.is_busy() {
                    for item in std::mem::take(&mut self.remembered) {
                        out.push(Output::Send(Command::Forget { item }));
                    }
                }
            }
            ServiceEvent::Spent { usage } => match self.brief.part {
                Part::Ears => self.ears.owe(usage),
                Part::Both | Part::Mouth | Part::Mind => self.mouth.owe(usage),
            },
            ServiceEvent::Resumable { handle } => self.resume = handle,
            ServiceEvent::GoingAway { left } => self.connection.leave_by = Some(now + left),
            ServiceEvent::Fault(fault) => self.troubled(now, &fault, out),
            ServiceEvent::Limits { remaining, resets_in } => self.connection.limited(remaining, resets_in),
            // What only somebody who thinks tells.
            ServiceEvent::Voiced { .. }
            | ServiceEvent::Called { .. }
            | ServiceEvent::CallsDropped { .. }
            | ServiceEvent::Paused { .. }
            | ServiceEvent::Interrupted
            | ServiceEvent::Turned
            | ServiceEvent::Rate { .. }
            | ServiceEvent::Pinged { .. }
            | ServiceEvent::Other => {}
        }
    }

    /// The service complains, and has not ended the connection.
    fn troubled(&mut self, now: Moment, fault: &ServiceFault, out: &mut Vec<Output>) {
        if matches!(self.connection.link, Link::Opening { .. }) {
            return self.gone(now, fault, true, out);
        }
        match fault.kind {
            FaultKind::Moot => {}
            FaultKind::NoSound => {
                let heard = self.ears.take_blame(fault);
                self.heard(heard, out);
            }
            FaultKind::Refused | FaultKind::Passing => {
                // What it is about is not said. A text that has not begun is the likeliest; or the one clip under way.
                let said = self.mouth.take_blame(fault);
                if said.is_none() && !self.brief.names_clips() {
                    let heard = self.ears.take_blame(fault);
                    self.heard(heard, out);
                }
                self.said(said, out);
            }
            FaultKind::Key
            | FaultKind::Quota
            | FaultKind::Model
            | FaultKind::Busy
            | FaultKind::SessionOver => {
                self.gone(now, fault, true, out);
            }
        }
    }

    /// The connection is gone, or of no use any more.
    fn gone(&mut self, now: Moment, fault: &ServiceFault, is_open: bool, out: &mut Vec<Output>) {
        if is_open {
            out.push(Output::Close {
                generation: self.connection.generation,
            });
        }
        let is_unused = self.connection.is_up() && self.is_idle() && !fault.is_lasting();
        if is_unused {
            // Services hang up on whoever says nothing; the next word brings another connection.
            return self.connection.close();
        }
        // A session that cannot be taken up again is begun anew.
        if matches!(self.connection.link, Link::Opening { .. }) {
            self.resume = None;
        }
        self.is_warm = false;
        self.remembered.clear();
        self.frames.clear();
        let rests = self.connection.fail(now, fault);
        let (heard, said) = match rests {
            true => (self.ears.give_up(fault), self.mouth.give_up(fault)),
            false => (self.ears.disconnected(fault), self.mouth.disconnected(fault)),
        };
        self.all_over(heard, said, out);
        if rests {
            self.stands(false, &fault.detail, out);
        }
    }

    fn advance(&mut self, now: Moment, out: &mut Vec<Output>) {
        if self.connection.opens_too_slowly(now) {
            let fault = ServiceFault::new(FaultKind::Passing, "it did not open a session in time");
            self.gone(now, &fault, true, out);
        }
        let settled = self.ears.settled(now, self.brief.words_settle_after());
        self.all_over(settled, Vec::new(), out);
        let (late_clips, late_texts) = (self.ears.overdue(now), self.mouth.overdue(now));
        let is_deaf = !late_clips.is_empty();
        let is_stuck = is_deaf || self.mouth.is_stuck(now) || !late_texts.is_empty();
        self.all_over(late_clips, late_texts, out);
        if is_stuck && self.connection.is_up() {
            let fault = ServiceFault::new(FaultKind::Passing, "it fell silent in the midst of its work");
            self.gone(now, &fault, true, out);
        }
        if self.connection.is_spent(now, self.is_busy(), self.brief.lease()) {
            out.push(Output::Close {
                generation: self.connection.generation,
            });
            self.connection.close();
            self.remembered.clear();
            let fault = ServiceFault::new(FaultKind::SessionOver, "the connection had to be changed");
            let (heard, said) = (self.ears.disconnected(&fault), self.mouth.disconnected(&fault));
            self.all_over(heard, said, out);
        }
        let is_wanted = self.is_warm || self.ears.has_work() || self.mouth.has_work();
        if let Some(fault) = self.connection.refusal().cloned() {
            let (heard, said) = (self.ears.give_up(&fault), self.mouth.give_up(&fault));
            self.all_over(heard, said, out);
        } else if is_wanted && self.connection.link == Link::Down {
            let generation = self.connection.open(now);
            out.push(Output::Open { generation });
        } else if self.connection.is_up() {
            let mut commands = self.ears.send(now, &self.brief);
            commands.extend(self.mouth.send(now, &self.brief));
            if !commands.is_empty() || self.is_busy() {
                self.connection.used(now);
            }
            self.send(commands, out);
        }
    }

    fn all_over(&mut self, heard: Vec<Heard>, said: Vec<Said>, out: &mut Vec<Output>) {
        for heard in heard {
            self.heard(Some(heard), out);
        }
        for said in said {
            self.said(Some(said), out);
        }
    }

    fn heard(&mut self, heard: Option<Heard>, out: &mut Vec<Output>) {
        let Some(heard) = heard else { return };
        if heard.result.is_ok() {
            self.connection.worked();
        }
        out.push(Output::Heard {
            clip: heard.number,
            result: heard.result,
        });
        if self.connection.is_up() {
            self.forget(heard.item, out);
        }
    }

    fn said(&mut self, said: Option<Said>, out: &mut Vec<Output>) {
        let Some(said) = said else { return };
        if said.departed {
            out.push(Output::Departed { number: said.number });
        }
        out.push(Output::Said {
            number: said.number,
            result: said.result,
        });
    }

    /// The service need not keep this any longer.
    fn forget(&mut self, item: Option<String>, out: &mut Vec<Output>) {
        let Some(item) = item else { return };
        let forgotten = Output::Send(Command::Forget { item: item.clone() });
        self.remembered.retain(|other| *other != item);
        if !out.contains(&forgotten) {
            out.push(forgotten);
        }
    }

    fn send(&self, commands: Vec<Command>, out: &mut Vec<Output>) {
        if self.connection.is_up() {
            out.extend(commands.into_iter().map(Output::Send));
        }
    }

    fn stands(&mut self, works: bool, detail: &str, out: &mut Vec<Output>) {
        if self.works != Some(works) {
            self.works = Some(works);
            out.push(Output::Standing {
                works,
                detail: detail.to_owned(),
            });
        }
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "storm_tests.rs"]
mod storm_tests;
