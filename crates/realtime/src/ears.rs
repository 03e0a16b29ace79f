//! Clips whose words are wanted: each is sent once on a connection, and ends once, whatever the service does.

use std::collections::VecDeque;
use std::sync::Arc;

use vocabulary::{Moment, Span};

use crate::command::Command;
use crate::event::{FaultKind, ServiceFault, Usage};
use crate::session::Lost;
use crate::wire::SessionBrief;

/// The words of a clip may take so long from when it was sent.
const WORDS_WITHIN: Span = Span::seconds(10);
/// A clip is sent on so many connections at most.
const ATTEMPTS_MAX: u32 = 2;
/// Sound is sent in pieces of so many milliseconds.
const PIECE_MS: usize = 200;

/// Clips on their way to words, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct EarLane {
    clips: VecDeque<Clip>,
}

#[derive(Debug)]
struct Clip {
    number: u64,
    /// What is said before it, and under which name: who speaks in it.
    line: Option<(String, String)>,
    /// At the rate that the service takes.
    samples: Arc<[i16]>,
    attempts: u32,
    sent: Option<Sent>,
}

#[derive(Debug)]
struct Sent {
    at: Moment,
    item: Option<String>,
    /// Its words so far.
    words: String,
    /// Nobody waits for them any more; the service says them all the same.
    is_unwanted: bool,
}

/// What came of a clip.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) number: u64,
    pub(crate) result: Result<(String, Usage), Lost>,
    /// What stands in the memory of the service because of it.
    pub(crate) item: Option<String>,
}

impl EarLane {
    pub(crate) fn take(&mut self, number: u64, samples: Arc<[i16]>) {
        self.take_after(number, None, samples);
    }

    /// Takes a clip before which something is said.
    pub(crate) fn take_after(&mut self, number: u64, line: Option<(String, String)>, samples: Arc<[i16]>) {
        self.clips.push_back(Clip {
            number,
            line,
            samples,
            attempts: 0,
            sent: None,
        });
    }

    /// Nobody waits for this clip any more.
    pub(crate) fn drop_clip(&mut self, number: u64) {
        self.clips.retain_mut(|clip| match &mut clip.sent {
            Some(sent) if clip.number == number => {
                sent.is_unwanted = true;
                true
            }
            None if clip.number == number => false,
            _ => true,
        });
    }

    pub(crate) fn has_work(&self) -> bool {
        self.clips.iter().any(|clip| clip.sent.is_none())
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.clips.iter().any(|clip| clip.sent.is_some())
    }

    /// What goes out now. Where transcripts have no names, one clip is under way at a time.
    pub(crate) fn send(&mut self, now: Moment, brief: &SessionBrief) -> Vec<Command> {
        let mut commands = Vec::new();
        let at_once = brief.names_clips();
        loop {
            if !at_once && self.is_busy() {
                return commands;
            }
            let Some(clip) = self.clips.iter_mut().find(|clip| clip.sent.is_none()) else {
                return commands;
            };
            clip.attempts += 1;
            clip.sent = Some(Sent {
                at: now,
                item: None,
                words: String::new(),
                is_unwanted: false,
            });
            let piece = match brief.takes_pieces() {
                true => brief.hears_at() as usize * PIECE_MS / 1_000,
                false => clip.samples.len().max(1),
            };
            if let Some((item, text)) = clip.line.clone() {
                commands.push(Command::Tell { item, text });
            }
            for samples in clip.samples.chunks(piece) {
                commands.push(Command::Append {
                    samples: samples.to_vec(),
                });
            }
            commands.push(Command::Commit);
        }
    }

    /// What was committed first and has no name yet is this item.
    pub(crate) fn committed(&mut self, item: String) {
        let mut sent = self.clips.iter_mut().filter_map(|clip| clip.sent.as_mut());
        if let Some(sent) = sent.find(|sent| sent.item.is_none()) {
            sent.item = Some(item);
        }
    }

    pub(crate) fn partial(&mut self, item: Option<&str>, text: &str, whole: bool) {
        let Some(place) = self.place(item) else { return };
        if let Some(sent) = &mut self.clips[place].sent {
            if whole {
                sent.words.clear();
            }
            sent.words.push_str(text);
        }
    }

    /// The words are final.
    pub(crate) fn transcript(
        &mut self,
        item: Option<&str>,
        text: Option<String>,
        usage: Usage,
    ) -> Option<Heard> {
        let clip = self.clips.remove(self.place(item)?)?;
        let sent = clip.sent?;
        let words = text.unwrap_or(sent.words);
        (!sent.is_unwanted).then_some(Heard {
            number: clip.number,
            result: Ok((words, usage)),
            item: sent.item,
        })
    }

    pub(crate) fn failed(&mut self, item: Option<&str>, fault: ServiceFault) -> Option<Heard> {
        let clip = self.clips.remove(self.place(item)?)?;
        let sent = clip.sent?;
        (!sent.is_unwanted).then(|| Heard {
            number: clip.number,
            result: Err(Lost::of(fault)),
            item: sent.item,
        })
    }

    /// The clip that an event is about; without a name, the one under way.
    fn place(&self, item: Option<&str>) -> Option<usize> {
        let is_it = |clip: &Clip| match (&clip.sent, item) {
            (Some(sent), Some(item)) => sent.item.as_deref() == Some(item),
            (Some(_), None) => true,
            (None, _) => false,
        };
        self.clips.iter().position(is_it)
    }

    /// The connection is gone: what was sent is sent again on the next, if not too often.
    pub(crate) fn disconnected(&mut self, fault: &ServiceFault) -> Vec<Heard> {
        let mut lost = Vec::new();
        let clips = std::mem::take(&mut self.clips);
        for mut clip in clips {
            let was_sent = clip.sent.take();
            match &was_sent {
                Some(sent) if sent.is_unwanted => {}
                Some(_) if clip.attempts >= ATTEMPTS_MAX => lost.push(Heard {
                    number: clip.number,
                    result: Err(Lost::of(fault.clone())),
                    item: None,
                }),
                _ => self.clips.push_back(clip),
            }
        }
        lost
    }

    /// Nothing comes of any of them.
    pub(crate) fn give_up(&mut self, fault: &ServiceFault) -> Vec<Heard> {
        let clips = std::mem::take(&mut self.clips).into_iter();
        let wanted = clips.filter(|clip| !clip.sent.as_ref().is_some_and(|sent| sent.is_unwanted));
        wanted
            .map(|clip| Heard {
                number: clip.number,
                result: Err(Lost::of(fault.clone())),
                item: None,
            })
            .collect()
    }

    /// What took too long.
    pub(crate) fn overdue(&mut self, now: Moment) -> Vec<Heard> {
        let mut late = Vec::new();
        self.clips.retain(|clip| match &clip.sent {
            Some(sent) if sent.at + WORDS_WITHIN <= now => {
                if !sent.is_unwanted {
                    late.push(Heard {
                        number: clip.number,
                        result: Err(Lost::late("the words of a clip", WORDS_WITHIN)),
                        item: sent.item.clone(),
                    });
                }
                false
            }
            _ => true,
        });
        late
    }

    pub(crate) fn next_due(&self) -> Option<Moment> {
        let sent = self.clips.iter().filter_map(|clip| clip.sent.as_ref());
        sent.map(|sent| sent.at + WORDS_WITHIN).min()
    }

    /// A fault that names nothing is about the oldest clip that has no name yet.
    pub(crate) fn take_blame(&mut self, fault: &ServiceFault) -> Option<Heard> {
        let is_unnamed = |clip: &Clip| clip.sent.as_ref().is_some_and(|sent| sent.item.is_none());
        let clip = self.clips.remove(self.clips.iter().position(is_unnamed)?)?;
        let is_unwanted = clip.sent.is_some_and(|sent| sent.is_unwanted);
        (!is_unwanted).then(|| Heard {
            number: clip.number,
            result: match fault.kind {
                // Nobody said anything in it.
                FaultKind::NoSound => Ok((String::new(), Usage::default())),
                _ => Err(Lost::of(fault.clone())),
            },
            item: None,
        })
    }
}
