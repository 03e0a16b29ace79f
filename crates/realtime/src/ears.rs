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
    /// What hearing took that is on no bill yet.
    owed: Usage,
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
    /// Its words so far, and when the last of them came.
    words: String,
    moved: Moment,
    /// Nobody waits for them any more; the service says them all the same.
    is_unwanted: bool,
    /// Its words were told without its end, which may come or not.
    is_settled: bool,
    /// An end came before any word of it, and was taken for that of another that had settled.
    is_ended: bool,
}

/// What came of a clip.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) number: u64,
    pub(crate) result: Result<(String, Usage), Lost>,
    /// What stands in the memory of the service because of it.
    pub(crate) item: Option<String>,
}

impl Clip {
    fn is_settled(&self) -> bool {
        self.sent.as_ref().is_some_and(|sent| sent.is_settled)
    }

    fn is_under_way(&self) -> bool {
        self.sent.as_ref().is_some_and(|sent| !sent.is_settled)
    }
}

impl Sent {
    /// When what has come of it is taken for all, where somebody waits for it.
    fn settles_at(&self, after: Span) -> Option<Moment> {
        match self.words.trim().is_empty() {
            _ if self.is_unwanted => None,
            false => Some(self.moved + after),
            // Nobody may have said anything in it; or its first words are still on their way, and have twice the time.
            true => self.is_ended.then(|| self.moved + after + after),
        }
    }
}

impl EarLane {
    pub(crate) fn take(&mut self, number: u64, samples: Arc<[i16]>) {
        self.take_after(number, None, samples);
    }

    /// It is on the bill of the clip that ends next.
    pub(crate) fn owe(&mut self, usage: Usage) {
        self.owed = self.owed.plus(usage);
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
            if !at_once && self.clips.iter().any(Clip::is_under_way) {
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
                moved: now,
                is_unwanted: false,
                is_settled: false,
                is_ended: false,
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

    pub(crate) fn partial(&mut self, now: Moment, item: Option<&str>, text: &str, whole: bool) {
        let Some(place) = self.place(item) else { return };
        if let Some(sent) = &mut self.clips[place].sent {
            sent.moved = now;
            if whole {
                sent.words.clear();
            }
            sent.words.push_str(text);
        }
    }

    /// The words are final.
    pub(crate) fn transcript(
        &mut self,
        now: Moment,
        item: Option<&str>,
        text: Option<String>,
        usage: Usage,
    ) -> Option<Heard> {
        let place = self.place(item)?;
        // A late end is of what has settled, unless what came after it has words.
        let is_late = |sent: &Sent| item.is_none() && sent.words.is_empty();
        let settled = self.clips.iter().position(Clip::is_settled);
        if let Some(settled) = settled
            && self.clips[place].sent.as_ref().is_some_and(is_late)
        {
            if let Some(sent) = &mut self.clips[place].sent {
                (sent.is_ended, sent.moved) = (true, now);
            }
            self.clips.remove(settled);
            return None;
        }
        let clip = self.clips.remove(place)?;
        self.clips.retain(|clip| !clip.is_settled());
        let sent = clip.sent?;
        let words = text.unwrap_or(sent.words);
        (!sent.is_unwanted).then(|| Heard {
            number: clip.number,
            result: Ok((words, usage.plus(std::mem::take(&mut self.owed)))),
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
        if item.is_none()
            && let Some(place) = self.clips.iter().position(Clip::is_under_way)
        {
            return Some(place);
        }
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

    /// Clips of which words have come and no more do, where the service need not tell the end of them. It may still do.
    pub(crate) fn settled(&mut self, now: Moment, after: Option<Span>) -> Vec<Heard> {
        let Some(after) = after else { return Vec::new() };
        let mut heard = Vec::new();
        for clip in &mut self.clips {
            let Some(sent) = &mut clip.sent else { continue };
            if sent.settles_at(after).is_some_and(|at| at <= now) {
                (sent.is_unwanted, sent.is_settled) = (true, true);
                heard.push(Heard {
                    number: clip.number,
                    result: Ok((sent.words.clone(), std::mem::take(&mut self.owed))),
                    item: None,
                });
            }
        }
        heard
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

    pub(crate) fn next_due(&self, settles_after: Option<Span>) -> Option<Moment> {
        let sent = self.clips.iter().filter_map(|clip| clip.sent.as_ref());
        let due = sent.map(|sent| {
            let settles = settles_after.and_then(|after| sent.settles_at(after));
            let ends = sent.at + WORDS_WITHIN;
            settles.map_or(ends, |at| at.min(ends))
        });
        due.min()
    }

    /// A fault that names nothing is about the oldest clip that has no name yet.
    pub(crate) fn take_blame(&mut self, fault: &ServiceFault) -> Option<Heard> {
        let is_unnamed =
            |clip: &Clip| clip.is_under_way() && clip.sent.as_ref().is_some_and(|sent| sent.item.is_none());
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
