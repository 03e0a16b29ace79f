//! Texts that are to be said: one at a time, each once, and nothing of one is taken for another.

use std::collections::VecDeque;

use vocabulary::{Moment, Span};

use super::{Lost, verbatim};
use crate::asked::AskedLane;
use crate::command::Command;
use crate::event::{FaultKind, ResponseOutcome, ServiceFault, Usage};
use crate::wire::SessionBrief;

/// The first sound of a text, and each further one, may take so long.
const SOUND_WITHIN: Span = Span::seconds(6);
/// A text of which nothing was heard is asked for on so many connections at most.
const ATTEMPTS_MAX: u32 = 2;
/// Voices say about so many characters a second; one that takes so many times as long says something else.
const CHARACTERS_A_SECOND: f64 = 14.0;
const SLOWER: f64 = 4.0;
const GRACE_SECONDS: f64 = 8.0;

/// Texts on their way to sound.
#[derive(Debug, Default)]
pub(super) struct MouthLane {
    texts: VecDeque<Text>,
    asked: AskedLane,
    /// What speaking took that is on no bill yet.
    owed: Usage,
}

#[derive(Debug)]
struct Text {
    number: u64,
    words: String,
    attempts: u32,
    saying: Option<Saying>,
}

/// How far a text is.
#[derive(Debug)]
struct Saying {
    /// When something was last heard of it.
    moved: Moment,
    samples: u64,
    characters: usize,
    said: String,
}

/// What came of a text.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) number: u64,
    pub(super) result: Result<Usage, Lost>,
    /// The service says that it said something else.
    pub(super) departed: bool,
}

/// Sound of a text.
#[derive(Debug)]
pub(super) struct Sounded {
    pub(super) number: u64,
    pub(super) samples: Vec<i16>,
    /// Counted from the beginning of the text.
    pub(super) marks: Vec<(f64, usize)>,
}

impl MouthLane {
    pub(super) fn take(&mut self, number: u64, words: String) {
        self.texts.push_back(Text {
            number,
            words,
            attempts: 0,
            saying: None,
        });
    }

    /// It is on the bill of the text that ends next.
    pub(super) fn owe(&mut self, usage: Usage) {
        self.owed = self.owed.plus(usage);
    }

    pub(super) fn has_work(&self) -> bool {
        self.texts.iter().any(|text| text.saying.is_none())
    }

    pub(super) fn is_busy(&self) -> bool {
        !self.asked.is_empty()
    }

    /// No more of this text is wanted. What the service still sends of it is thrown away.
    pub(super) fn drop_text(&mut self, number: u64) -> Vec<Command> {
        self.texts.retain(|text| text.number != number);
        self.asked.unwant(number)
    }

    /// The next text, where none that is wanted is being said.
    pub(super) fn send(&mut self, now: Moment, brief: &SessionBrief) -> Vec<Command> {
        if self.asked.is_wanted() {
            return Vec::new();
        }
        let Some(text) = self.texts.iter_mut().find(|text| text.saying.is_none()) else {
            return Vec::new();
        };
        text.attempts += 1;
        text.saying = Some(Saying {
            moved: now,
            samples: 0,
            characters: 0,
            said: String::new(),
        });
        self.asked.ask(text.number, brief.response_of(text.number), now);
        vec![Command::Utter {
            number: text.number,
            text: text.words.clone(),
        }]
    }

    /// The service begins to say something.
    pub(super) fn began(&mut self, response: String, number: Option<u64>) -> Vec<Command> {
        self.asked.began(response, number)
    }

    /// The text that something is of, where it is wanted.
    fn text_of(&mut self, response: Option<&str>) -> Option<&mut Text> {
        let number = self.asked.wanted(response)?;
        self.texts.iter_mut().find(|text| text.number == number)
    }

    /// Sound, or that it says too much; nothing where it is of something that is not wanted.
    pub(super) fn sounded(
        &mut self,
        now: Moment,
        response: Option<&str>,
        samples: Vec<i16>,
        marks: Vec<(f64, usize)>,
        rate: u32,
    ) -> Option<Sounded> {
        let text = self.text_of(response)?;
        let saying = text.saying.as_mut()?;
        let before = saying.samples as f64 / f64::from(rate);
        let from = saying.characters;
        let marks: Vec<_> = marks
            .into_iter()
            .map(|(seconds, characters)| (before + seconds, from + characters))
            .collect();
        saying.moved = now;
        saying.samples += samples.len() as u64;
        saying.characters = marks.last().map_or(from, |(_, characters)| *characters);
        Some(Sounded {
            number: text.number,
            samples,
            marks,
        })
    }

    /// A text that has become far longer than it can be: whoever says it says something else.
    pub(super) fn runaway(&mut self, rate: u32) -> Option<(Said, Vec<Command>)> {
        let is_too_long = |text: &&Text| {
            let seconds = text
                .saying
                .as_ref()
                .map_or(0.0, |saying| saying.samples as f64 / f64::from(rate));
            let usual = text.words.chars().count() as f64 / CHARACTERS_A_SECOND;
            seconds > usual * SLOWER + GRACE_SECONDS
        };
        let number = self.texts.iter().find(is_too_long)?.number;
        let fault = ServiceFault::new(FaultKind::Passing, "it says far more than it was given");
        let said = Said {
            number,
            result: Err(Lost::of(fault)),
            departed: true,
        };
        Some((said, self.drop_text(number)))
    }

    pub(super) fn words(&mut self, response: Option<&str>, words: &str) {
        if let Some(saying) = self.text_of(response).and_then(|text| text.saying.as_mut()) {
            saying.said.push_str(words);
        }
    }

    /// The service has finished saying something.
    pub(super) fn ended(
        &mut self,
        response: Option<&str>,
        outcome: ResponseOutcome,
        usage: Usage,
    ) -> Option<Said> {
        let asked = self.asked.end(response)?;
        if asked.is_unwanted {
            return None;
        }
        let place = self.texts.iter().position(|text| text.number == asked.number)?;
        let text = self.texts.remove(place)?;
        let saying = text.saying?;
        let silent = || ServiceFault::new(FaultKind::Passing, "it gave no sound for a text");
        let result = match outcome {
            ResponseOutcome::Whole if saying.samples > 0 => Ok(usage.plus(std::mem::take(&mut self.owed))),
            ResponseOutcome::Whole => Err(Lost::of(silent())),
            ResponseOutcome::Cancelled => Err(Lost::of(ServiceFault::new(
                FaultKind::Passing,
                "it stopped by itself",
            ))),
            ResponseOutcome::Failed(fault) => Err(Lost::of(fault)),
        };
        Some(Said {
            number: text.number,
            result,
            departed: verbatim::departs(&text.words, &saying.said),
        })
    }

    /// A fault that names nothing can only be about what is being said.
    pub(super) fn take_blame(&mut self, fault: &ServiceFault) -> Option<Said> {
        let number = self.asked.blamed()?;
        self.texts.retain(|text| text.number != number);
        Some(Said {
            number,
            result: Err(Lost::of(fault.clone())),
            departed: false,
        })
    }

    /// The connection is gone: a text of which something was heard is over, and never said from its beginning again.
    pub(super) fn disconnected(&mut self, fault: &ServiceFault) -> Vec<Said> {
        self.asked.clear();
        let mut lost = Vec::new();
        let texts = std::mem::take(&mut self.texts);
        for mut text in texts {
            let was_heard = text.saying.take().is_some_and(|saying| saying.samples > 0);
            match was_heard || text.attempts >= ATTEMPTS_MAX {
                true => lost.push(Said {
                    number: text.number,
                    result: Err(Lost::of(fault.clone())),
                    departed: false,
                }),
                false => self.texts.push_back(text),
            }
        }
        lost
    }

    /// Nothing comes of any of them.
    pub(super) fn give_up(&mut self, fault: &ServiceFault) -> Vec<Said> {
        self.asked.clear();
        let texts = std::mem::take(&mut self.texts).into_iter();
        texts
            .map(|text| Said {
                number: text.number,
                result: Err(Lost::of(fault.clone())),
                departed: false,
            })
            .collect()
    }

    /// What took too long: texts that are over for it, and whether the connection is to be given up.
    pub(super) fn overdue(&mut self, now: Moment) -> Vec<Said> {
        let is_late = |text: &Text| {
            text.saying
                .as_ref()
                .is_some_and(|saying| saying.moved + SOUND_WITHIN <= now)
        };
        let mut late = Vec::new();
        self.texts.retain(|text| {
            if is_late(text) {
                late.push(Said {
                    number: text.number,
                    result: Err(Lost::late("the sound of a text", SOUND_WITHIN)),
                    departed: false,
                });
            }
            !is_late(text)
        });
        for said in &late {
            let _ = self.asked.unwant(said.number);
        }
        late
    }

    /// Whether the service keeps on with something that nobody wants for so long that it has lost its way.
    pub(super) fn is_stuck(&self, now: Moment) -> bool {
        let since = self.asked.unwanted_since().filter(|_| self.has_work());
        since.is_some_and(|since| since + SOUND_WITHIN + SOUND_WITHIN <= now)
    }

    pub(super) fn next_due(&self) -> Option<Moment> {
        let saying = self.texts.iter().filter_map(|text| text.saying.as_ref());
        let sounds = saying.map(|saying| saying.moved + SOUND_WITHIN);
        let stuck = self.asked.unwanted_since().filter(|_| self.has_work());
        sounds
            .chain(stuck.map(|since| since + SOUND_WITHIN + SOUND_WITHIN))
            .min()
    }
}
