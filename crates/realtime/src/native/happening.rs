//! What a service tells in a conversation, and what becomes of a connection and of what waits.

use vocabulary::{Moment, Span};

use super::answers::Finished;
use super::telling::{in_words, line_of};
use super::{Act, NativeOutput, NativeSession};
use crate::command::Command;
use crate::ears::Heard;
use crate::event::{FaultKind, ServiceEvent, ServiceFault};
use crate::link::Link;
use crate::session::Lost;
use crate::wire::openai_mind::{ASIDE, answer_event};

impl NativeSession {
    pub(super) fn happened(&mut self, now: Moment, event: ServiceEvent, out: &mut Vec<NativeOutput>) {
        match event {
            ServiceEvent::Greeted => self.set_up(out),
            ServiceEvent::Ready => {
                if self.connection.ready(now) {
                    self.is_warm = false;
                    self.stands(true, "", out);
                }
            }
            ServiceEvent::Committed { item } => self.ears.committed(item),
            ServiceEvent::Partial { item, text, whole } => {
                self.ears.partial(now, item.as_deref(), &text, whole);
            }
            ServiceEvent::Transcript { item, text, usage } => {
                let heard = self.ears.transcript(now, item.as_deref(), text, usage);
                heard.into_iter().for_each(|heard| self.heard(heard, out));
            }
            ServiceEvent::TranscriptFailed { item, fault } => {
                let heard = self.ears.failed(item.as_deref(), fault);
                heard.into_iter().for_each(|heard| self.heard(heard, out));
            }
            ServiceEvent::Began { response, number } => {
                let commands = self.answers.began(response, number);
                out.extend(commands.into_iter().map(NativeOutput::Send));
            }
            ServiceEvent::Voiced { response, item } => self.answers.voiced(now, response.as_deref(), item),
            ServiceEvent::Sound {
                response,
                samples,
                marks,
            } => {
                let sounded = self
                    .answers
                    .sounded(now, response.as_deref(), samples, marks, self.rate);
                if let Some(sounded) = sounded {
                    self.connection.worked();
                    out.push(NativeOutput::Sound {
                        number: sounded.number,
                        rate: self.rate,
                        samples: sounded.samples,
                        marks: sounded.marks,
                    });
                }
                if self.answers.is_endless(self.rate) {
                    self.stop(now, Span(u64::MAX / 4), out);
                }
            }
            ServiceEvent::Said { response, text } => {
                if let Some(number) = self.answers.said(now, response.as_deref(), &text) {
                    out.push(NativeOutput::Words { number, words: text });
                }
            }
            ServiceEvent::Called { response, call } => {
                if let Some(number) = self.answers.called(now, response.as_deref(), &call) {
                    self.connection.worked();
                    self.calls.push(call.id.clone());
                    out.push(NativeOutput::Call { number, call });
                }
            }
            // What they come to is told in words, if it still is.
            ServiceEvent::CallsDropped { ids } => self.calls.retain(|call| !ids.contains(call)),
            ServiceEvent::Paused { response, usage } => {
                let finished = self.answers.paused(response.as_deref(), usage);
                self.finished(finished, out);
            }
            ServiceEvent::Interrupted => self.answers.interrupted(),
            ServiceEvent::Turned => {
                for finished in self.answers.turned() {
                    self.finished(Some(finished), out);
                }
            }
            ServiceEvent::Ended {
                response,
                outcome,
                usage,
            } => {
                self.ledger.used(usage);
                let finished = self.answers.ended(response.as_deref(), outcome, usage);
                self.finished(finished, out);
            }
            ServiceEvent::Spent { usage } => out.push(NativeOutput::Spent(usage)),
            ServiceEvent::Rate { speaks_at } => self.rate = speaks_at.clamp(8_000, 48_000),
            ServiceEvent::Pinged { id } => out.push(NativeOutput::Send(Command::Pong { id })),
            ServiceEvent::Resumable { handle } => {
                self.resume = handle;
                self.ledger.mark();
            }
            ServiceEvent::GoingAway { left } => self.connection.leave_by = Some(now + left),
            ServiceEvent::Fault(fault) => self.troubled(now, &fault, out),
            ServiceEvent::Limits { remaining, resets_in } => self.connection.limited(remaining, resets_in),
            ServiceEvent::Remembered { .. } | ServiceEvent::Other => {}
        }
    }

    /// The service complains, and has not ended the connection.
    fn troubled(&mut self, now: Moment, fault: &ServiceFault, out: &mut Vec<NativeOutput>) {
        if matches!(self.connection.link, Link::Opening { .. }) {
            return self.gone(now, fault, true, out);
        }
        match fault.kind {
            FaultKind::Moot if fault.about.is_none() || fault.about.as_deref() == Some(ASIDE) => {}
            FaultKind::NoSound => {
                let heard = self.ears.take_blame(fault);
                heard.into_iter().for_each(|heard| self.heard(heard, out));
            }
            // Something that was told beside: the answer is as good without it.
            FaultKind::Refused | FaultKind::Passing if fault.about.as_deref() == Some(ASIDE) => {}
            FaultKind::Moot | FaultKind::Refused | FaultKind::Passing => {
                let finished = self.answers.take_blame(fault, answer_event);
                self.finished(finished, out);
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
    pub(super) fn gone(
        &mut self,
        now: Moment,
        fault: &ServiceFault,
        is_open: bool,
        out: &mut Vec<NativeOutput>,
    ) {
        if is_open {
            let generation = self.connection.generation;
            out.push(NativeOutput::Close { generation });
        }
        let is_unused = self.connection.is_up() && !self.is_busy() && !self.has_work() && !fault.is_lasting();
        // A session that cannot be taken up again is begun anew.
        if matches!(self.connection.link, Link::Opening { .. }) {
            self.resume = None;
        }
        self.is_warm = false;
        if is_unused {
            // Services hang up on whoever says nothing; the next word brings another connection.
            self.connection.close();
            return self.disconnected(fault, out);
        }
        let rests = self.connection.fail(now, fault);
        self.disconnected(fault, out);
        if rests {
            self.give_all_up(fault, out);
            self.stands(false, &fault.detail, out);
        }
    }

    /// What was under way on a connection is told again on the next, or is over.
    pub(super) fn disconnected(&mut self, fault: &ServiceFault, out: &mut Vec<NativeOutput>) {
        self.frames.clear();
        self.calls.clear();
        self.is_told = false;
        for heard in self.ears.disconnected(fault) {
            self.heard(heard, out);
        }
        let (over, again) = self.answers.disconnected(fault);
        over.into_iter()
            .for_each(|finished| self.finished(Some(finished), out));
        if let Some(wanted) = again {
            self.waiting.push_front(Act::Answer(wanted));
        }
    }

    /// Nothing can be asked of the service: whoever waits is told so, and what was told is kept for later.
    pub(super) fn give_all_up(&mut self, fault: &ServiceFault, out: &mut Vec<NativeOutput>) {
        for heard in self.ears.give_up(fault) {
            self.heard(heard, out);
        }
        for act in std::mem::take(&mut self.waiting) {
            self.give_up(act, fault, out);
        }
    }

    pub(super) fn give_up(&mut self, act: Act, fault: &ServiceFault, out: &mut Vec<NativeOutput>) {
        match act {
            Act::Tell(text) => self.ledger.tell(&text),
            Act::Results(results) => results
                .iter()
                .for_each(|result| self.ledger.tell(&in_words(result))),
            Act::Clip(clip) => match (clip.words, self.brief.holds()) {
                (Some(Some(words)), _) => self.ledger.tell(&format!("{}: {words}", clip.who)),
                (_, true) => {}
                (_, false) => out.push(NativeOutput::Heard {
                    clip: clip.clip,
                    result: Err(Lost::of(fault.clone())),
                }),
            },
            Act::Answer(wanted) => out.push(NativeOutput::Over {
                number: wanted.number,
                result: Err(Lost::of(fault.clone())),
            }),
        }
    }

    pub(super) fn advance(&mut self, now: Moment, out: &mut Vec<NativeOutput>) {
        if self.connection.opens_too_slowly(now) {
            let fault = ServiceFault::new(FaultKind::Passing, "it did not open a session in time");
            self.gone(now, &fault, true, out);
        }
        let late = self.ears.overdue(now);
        let is_deaf = !late.is_empty();
        late.into_iter().for_each(|heard| self.heard(heard, out));
        let waits = self.wants_answer();
        let (over, is_stuck) = self.answers.overdue(now, waits, self.brief.is_over_after());
        over.into_iter()
            .for_each(|finished| self.finished(Some(finished), out));
        if (is_stuck || is_deaf) && self.connection.is_up() {
            let fault = ServiceFault::new(FaultKind::Passing, "it fell silent in the midst of its work");
            self.gone(now, &fault, true, out);
        }
        if self.connection.is_spent(now, self.is_busy(), self.brief.lease()) {
            let generation = self.connection.generation;
            out.push(NativeOutput::Close { generation });
            self.connection.close();
            let fault = ServiceFault::new(FaultKind::SessionOver, "the connection had to be changed");
            self.disconnected(&fault, out);
        }
        if let Some(fault) = self.connection.refusal().cloned() {
            self.give_all_up(&fault, out);
        } else if (self.is_warm || self.has_work()) && self.connection.link == Link::Down {
            let generation = self.connection.open(now);
            out.push(NativeOutput::Open { generation });
        } else if self.connection.is_up() {
            self.tell_all(now, out);
        }
    }

    pub(super) fn heard(&mut self, heard: Heard, out: &mut Vec<NativeOutput>) {
        let place = self.lengths.iter().position(|(clip, _)| *clip == heard.number);
        let length = place
            .map(|place| self.lengths.remove(place).1)
            .unwrap_or_default();
        match &heard.result {
            Ok((words, _)) if words.trim().is_empty() => {
                self.ledger.forget(heard.number, length);
                if self.connection.is_up() {
                    let items = [Some(line_of(heard.number)), heard.item.clone()];
                    let forget = |item| NativeOutput::Send(Command::Forget { item });
                    out.extend(items.into_iter().flatten().map(forget));
                }
            }
            Ok((words, _)) => {
                self.connection.worked();
                self.ledger.understand(heard.number, words);
            }
            Err(_) => self.ledger.understand(heard.number, ""),
        }
        out.push(NativeOutput::Heard {
            clip: heard.number,
            result: heard.result,
        });
    }

    fn finished(&mut self, finished: Option<Finished>, out: &mut Vec<NativeOutput>) {
        let Some(finished) = finished else { return };
        if !finished.words.trim().is_empty() {
            self.ledger.say(&finished.words);
        }
        out.push(NativeOutput::Over {
            number: finished.number,
            result: finished.result,
        });
    }

    fn stands(&mut self, works: bool, detail: &str, out: &mut Vec<NativeOutput>) {
        if self.works != Some(works) {
            self.works = Some(works);
            out.push(NativeOutput::Standing {
                works,
                detail: detail.to_owned(),
            });
        }
    }
}
