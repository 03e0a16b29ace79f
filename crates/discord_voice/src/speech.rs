//! What is said: frames of 20 ms that go out when their time has come, and five of silence after the last.

use std::collections::VecDeque;

use vocabulary::{Moment, Span};

const FRAME: Span = Span(20);
const SAMPLES: u32 = 960;
/// Ten seconds: whoever speaks is to be able to stop.
const QUEUE_MAX: usize = 500;
/// More than an Opus frame can have.
const FRAME_MAX: usize = 1_276;
/// After so much the rest is not caught up with.
const LATE: Span = Span(200);
/// Without these, decoders fill the gap with what they guess.
const SILENCES: u8 = 5;
pub(crate) const SILENCE: [u8; 3] = [0xf8, 0xff, 0xfe];

/// What is to be done now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SpeechStep {
    /// It begins to speak, or has ended.
    Announce(bool),
    Frame {
        sequence: u16,
        timestamp: u32,
        opus: Vec<u8>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Quiet,
    Speaking { next: Moment },
    Ending { next: Moment, left: u8 },
}

#[derive(Debug)]
pub(crate) struct Speech {
    stage: Stage,
    queue: VecDeque<Vec<u8>>,
    sequence: u16,
    timestamp: u32,
    ended: Option<Moment>,
}

impl Speech {
    /// Where sequence and time begin is a matter of chance.
    pub fn new(chance: u64) -> Self {
        Self {
            stage: Stage::Quiet,
            queue: VecDeque::new(),
            sequence: chance as u16,
            timestamp: (chance >> 16) as u32,
            ended: None,
        }
    }

    /// Whether there was room for it.
    pub fn say(&mut self, frame: Vec<u8>) -> bool {
        let fits = !frame.is_empty() && frame.len() <= FRAME_MAX && self.queue.len() < QUEUE_MAX;
        if fits {
            self.queue.push_back(frame);
        }
        fits
    }

    /// It says no more than the silence that ends it.
    pub fn stop(&mut self) {
        self.queue.clear();
    }

    pub fn is_speaking(&self) -> bool {
        !matches!(self.stage, Stage::Quiet)
    }

    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    pub fn wake(&self) -> Option<Moment> {
        match self.stage {
            Stage::Quiet => (!self.queue.is_empty()).then_some(Moment(0)),
            Stage::Speaking { next } | Stage::Ending { next, .. } => Some(next),
        }
    }

    /// All that is due.
    pub fn advance(&mut self, now: Moment) -> Vec<SpeechStep> {
        let mut steps = Vec::new();
        loop {
            match self.stage {
                Stage::Quiet => {
                    if self.queue.is_empty() {
                        return steps;
                    }
                    self.skip_the_pause(now);
                    self.stage = Stage::Speaking { next: now };
                    steps.push(SpeechStep::Announce(true));
                }
                Stage::Speaking { next } | Stage::Ending { next, .. } if next > now => return steps,
                Stage::Speaking { next } => {
                    // What is very late is not made up for: it would only be heard as haste.
                    let next = if now.since(next) > LATE { now } else { next };
                    match self.queue.pop_front() {
                        Some(opus) => {
                            steps.push(self.frame(opus));
                            self.stage = Stage::Speaking { next: next + FRAME };
                        }
                        None => self.stage = Stage::Ending { next, left: SILENCES },
                    }
                }
                Stage::Ending { next, .. } if !self.queue.is_empty() => self.stage = Stage::Speaking { next },
                Stage::Ending { left: 0, .. } => {
                    self.stage = Stage::Quiet;
                    self.ended = Some(now);
                    steps.push(SpeechStep::Announce(false));
                }
                Stage::Ending { next, left } => {
                    steps.push(self.frame(SILENCE.to_vec()));
                    self.stage = Stage::Ending {
                        next: next + FRAME,
                        left: left - 1,
                    };
                }
            }
        }
    }

    fn frame(&mut self, opus: Vec<u8>) -> SpeechStep {
        let step = SpeechStep::Frame {
            sequence: self.sequence,
            timestamp: self.timestamp,
            opus,
        };
        self.sequence = self.sequence.wrapping_add(1);
        self.timestamp = self.timestamp.wrapping_add(SAMPLES);
        step
    }

    /// Listeners count in samples, also those of pauses.
    fn skip_the_pause(&mut self, now: Moment) {
        if let Some(ended) = self.ended.take() {
            let frames = now.since(ended).0 / FRAME.0;
            self.timestamp = self.timestamp.wrapping_add((frames as u32).wrapping_mul(SAMPLES));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(steps: &[SpeechStep]) -> Vec<String> {
        let tell = |step: &SpeechStep| match step {
            SpeechStep::Announce(true) => "on".to_owned(),
            SpeechStep::Announce(false) => "off".to_owned(),
            SpeechStep::Frame {
                sequence,
                timestamp,
                opus,
            } => {
                format!("{sequence}@{timestamp}:{}", opus[0])
            }
        };
        steps.iter().map(tell).collect()
    }

    #[test]
    fn frames_go_every_20_ms_and_five_of_silence_end_them() {
        let mut speech = Speech::new(0);
        assert!(speech.say(vec![1]) && speech.say(vec![2]));
        assert_eq!(told(&speech.advance(Moment(1_000))), ["on", "0@0:1"]);
        assert_eq!(speech.wake(), Some(Moment(1_020)));
        assert_eq!(told(&speech.advance(Moment(1_010))), [""; 0]);
        assert_eq!(told(&speech.advance(Moment(1_020))), ["1@960:2"]);
        let rest: Vec<String> = (2..9)
            .flat_map(|tick| told(&speech.advance(Moment(1_000 + tick * 20))))
            .collect();
        assert_eq!(
            rest,
            [
                "2@1920:248",
                "3@2880:248",
                "4@3840:248",
                "5@4800:248",
                "6@5760:248",
                "off"
            ]
        );
        assert_eq!(speech.wake(), None);
        speech.say(vec![3]);
        let again = told(&speech.advance(Moment(2_140)));
        assert_eq!(
            again,
            ["on", "7@54720:3"],
            "a second's pause is a second of samples"
        );
    }

    #[test]
    fn being_told_to_stop_leaves_only_the_silence() {
        let mut speech = Speech::new(0);
        for _ in 0..100 {
            speech.say(vec![1]);
        }
        speech.advance(Moment(0));
        speech.stop();
        let rest: usize = (1..100).map(|tick| speech.advance(Moment(tick * 20)).len()).sum();
        assert_eq!(rest, 6);
        assert!(!speech.is_speaking());
    }

    #[test]
    fn a_late_tick_catches_up_a_little_and_never_much() {
        let mut speech = Speech::new(0);
        for _ in 0..100 {
            speech.say(vec![1]);
        }
        assert_eq!(speech.advance(Moment(0)).len(), 2);
        assert_eq!(
            speech.advance(Moment(100)).len(),
            5,
            "a tick that came 80 ms late"
        );
        assert_eq!(
            speech.advance(Moment(5_000)).len(),
            1,
            "five seconds are not made up for"
        );
    }

    #[test]
    fn the_queue_is_bounded_and_takes_only_frames() {
        let mut speech = Speech::new(0);
        assert!(!speech.say(Vec::new()));
        assert!(!speech.say(vec![0; FRAME_MAX + 1]));
        let taken = (0..2_000).filter(|_| speech.say(vec![1])).count();
        assert_eq!(taken, QUEUE_MAX);
    }
}
