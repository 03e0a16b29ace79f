//! What one person says, cut into clips for ears: when speech begins, goes on, pauses and ends.
//!
//! Each speaker has a segmenter of their own. A *speech* goes from the first sound to a long enough silence; one that is
//! longer than ears take is given out in several clips, cut where it is quietest. Each clip comes with its evidence, so
//! that words which a model hears in silence can be told from words.

mod capture;
mod event;

use std::time::Duration;

use self::capture::Capture;
pub use self::event::{DropReason, DroppedClip, Evidence, RunningClip, SpeechClip, SpeechEvent};
use crate::activity::{Activity, BLOCK, VoiceActivity};
use crate::resample::Resampler;
use crate::{Decibels, EAR_RATE, FRAME, PER_EAR_SAMPLE, RATE};

/// Spoken or silent time between two reports of it.
const REPORTED: Duration = Duration::from_millis(100);
/// A gap is heard as so much silence beyond the end of a speech; what is longer is only counted.
const GAP_HEARD: Duration = Duration::from_secs(1);
/// A speech ends after no shorter and no longer silence.
const END_MIN: Duration = Duration::from_millis(100);
const END_MAX: Duration = Duration::from_secs(5);

/// When speech has ended, and which clips are worth an ear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentRules {
    /// Silence after which a speech has ended; 100 ms to 5 s.
    pub end_of_speech: Duration,
    /// The longest clip; 1 to 30 s.
    pub longest_clip: Duration,
    /// Clips with less voice are dropped, and a speech begins to be told of when it has so much.
    pub shortest_clip: Duration,
    /// What a clip has from before its first sound; at most 1 s.
    pub pre_roll: Duration,
    /// What a clip has from after its last sound; at most 1 s.
    pub tail: Duration,
    /// Clips of which a smaller part is voice are dropped: 0 to 1, of the time from first to last sound.
    pub least_voiced_share: f32,
    /// Clips whose voice is on the mean no louder than the track's noise by so much are dropped.
    pub least_above_noise: f32,
    /// Clips whose loudest sample is below this are dropped.
    pub quietest_peak: Decibels,
}

impl Default for SegmentRules {
    fn default() -> Self {
        Self {
            end_of_speech: Duration::from_millis(700),
            longest_clip: Duration::from_secs(8),
            shortest_clip: Duration::from_millis(100),
            pre_roll: Duration::from_millis(200),
            tail: Duration::from_millis(200),
            least_voiced_share: 0.2,
            least_above_noise: 4.0,
            quietest_peak: Decibels(-48.0),
        }
    }
}

impl SegmentRules {
    /// With what would make no sense moved to the nearest that does.
    fn bounded(self) -> Self {
        let milliseconds = Duration::from_millis;
        Self {
            end_of_speech: self.end_of_speech.clamp(END_MIN, END_MAX),
            longest_clip: self.longest_clip.clamp(milliseconds(1_000), milliseconds(30_000)),
            pre_roll: self.pre_roll.min(milliseconds(1_000)),
            tail: self.tail.min(milliseconds(1_000)),
            ..self
        }
    }
}

/// Listens to one speaker and tells what there is to transcribe.
#[derive(Debug)]
pub struct Segmenter {
    rules: SegmentRules,
    to_ears: Resampler,
    activity: VoiceActivity,
    /// Samples for ears that do not make a block yet.
    waiting: Vec<i16>,
    capture: Capture,
    speech: Option<Speech>,
    /// Speeches that were told of so far.
    speeches: u64,
}

/// A speech under way; places are blocks since the beginning of the track.
#[derive(Clone, Copy, Debug)]
struct Speech {
    number: u64,
    part: u32,
    first: u64,
    /// Just after the last block with voice.
    last: u64,
    voiced: u64,
    /// It was told of: it has enough voice to be more than a click.
    told: bool,
    told_spoken: Duration,
    told_silent: Duration,
    /// In the pause under way it ends after so much silence, where somebody knows better than the rules.
    patience: Option<Duration>,
}

impl Segmenter {
    /// For one speaker's track from its beginning.
    pub fn new(rules: SegmentRules) -> Self {
        Self {
            rules: rules.bounded(),
            to_ears: Resampler::new(RATE, EAR_RATE).expect("both rates are within bounds"),
            activity: VoiceActivity::new(),
            waiting: Vec::with_capacity(BLOCK + FRAME),
            capture: Capture::default(),
            speech: None,
            speeches: 0,
        }
    }

    /// Hears what comes next, at 48,000 samples a second in pieces of any size, and appends what is to be told.
    pub fn push(&mut self, sound: &[i16], told: &mut Vec<SpeechEvent>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.to_ears.push(sound, &mut waiting);
        let (blocks, rest) = waiting.as_chunks::<BLOCK>();
        for block in blocks {
            self.hear(block, told);
        }
        let gone = waiting.len() - rest.len();
        waiting.drain(..gone);
        self.waiting = waiting;
    }

    /// Hears that nothing came for so many samples: somebody is muted, or their program sends no silence.
    pub fn gap(&mut self, samples: u64, told: &mut Vec<SpeechEvent>) {
        const NOTHING: [i16; FRAME] = [0; FRAME];
        let heard = samples.min(samples_of(self.patience() + GAP_HEARD, RATE));
        let mut left = heard;
        while left > 0 {
            let now = left.min(FRAME as u64);
            self.push(&NOTHING[..now as usize], told);
            left -= now;
        }
        // By now no speech is under way, and what is kept from before the next is silence as well.
        self.capture.skip(samples - heard);
    }

    /// Ends the speech under way without waiting for silence: the speaker has left, or has let go of the button.
    pub fn finish(&mut self, told: &mut Vec<SpeechEvent>) {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.to_ears.finish(&mut waiting);
        if !waiting.is_empty() {
            waiting.resize(waiting.len().next_multiple_of(BLOCK), 0);
            for block in waiting.as_chunks::<BLOCK>().0 {
                self.hear(block, told);
            }
        }
        self.end(told);
    }

    /// Ends the speech under way as it is; what comes next begins another.
    pub fn end(&mut self, told: &mut Vec<SpeechEvent>) {
        let Some(speech) = self.speech.take() else { return };
        let silence = blocks(self.capture.end() - speech.last);
        let clip = self.clip(&speech, silence);
        if !speech.told {
            return;
        }
        told.extend(clip);
        told.push(SpeechEvent::Ended {
            speech: speech.number,
            spoken: blocks(speech.last - speech.first),
            voiced: blocks(speech.voiced),
            silence,
        });
    }

    /// Has the speech under way end after so much silence, instead of what the rules say; 100 ms to 5 s. It holds for this
    /// pause: whoever speaks on ends as everybody does.
    pub fn end_after(&mut self, silence: Duration) {
        if let Some(speech) = &mut self.speech {
            speech.patience = Some(silence.clamp(END_MIN, END_MAX));
        }
    }

    /// The silence after which the speech under way ends.
    fn patience(&self) -> Duration {
        let known_better = self.speech.and_then(|speech| speech.patience);
        known_better.unwrap_or(self.rules.end_of_speech)
    }

    /// The clip under way, for transcripts of what is not finished.
    pub fn running(&self) -> Option<RunningClip<'_>> {
        let speech = self.speech?;
        Some(RunningClip {
            speech: speech.number,
            part: speech.part,
            begins: self.capture.begins() * PER_EAR_SAMPLE,
            samples_16k: self.capture.samples(),
            evidence: self.capture.evidence(self.activity.noise()),
            silence: blocks(self.capture.end() - speech.last),
        })
    }

    /// Whether a speech is under way.
    pub fn is_speaking(&self) -> bool {
        self.speech.is_some()
    }

    /// Samples at 48,000 a second that were heard so far, gaps among them.
    pub fn heard(&self) -> u64 {
        (self.capture.end_sample() + self.waiting.len() as u64) * PER_EAR_SAMPLE
    }

    fn hear(&mut self, block: &[i16; BLOCK], told: &mut Vec<SpeechEvent>) {
        let activity = self.activity.hear(block);
        self.capture.push(block, &activity);
        match &mut self.speech {
            None if activity.voiced => self.begin(told),
            None => self.capture.keep_last(blocks_of(self.rules.pre_roll)),
            Some(speech) => {
                speech.report(&self.capture, &activity, self.rules.shortest_clip, told);
                if speech.told {
                    self.speeches = speech.number;
                }
                let silent = blocks(self.capture.end() - speech.last);
                if silent >= speech.patience.unwrap_or(self.rules.end_of_speech) {
                    self.end(told);
                } else if self.capture.length() >= blocks_of(self.rules.longest_clip) {
                    self.cut(told);
                }
            }
        }
    }

    fn begin(&mut self, told: &mut Vec<SpeechEvent>) {
        let end = self.capture.end();
        let mut speech = Speech {
            number: self.speeches + 1,
            part: 0,
            first: end - 1,
            last: end,
            voiced: 1,
            told: false,
            told_spoken: Duration::ZERO,
            told_silent: Duration::ZERO,
            patience: None,
        };
        speech.tell_begin(&self.capture, self.rules.shortest_clip, told);
        self.speeches += u64::from(speech.told);
        self.speech = Some(speech);
    }

    /// Gives out what was captured up to a quiet place; the rest is the beginning of the next part.
    fn cut(&mut self, told: &mut Vec<SpeechEvent>) {
        let Some(mut speech) = self.speech else { return };
        let rest = self.capture.split_at_quietest();
        match self.clip(&speech, Duration::ZERO) {
            Some(SpeechEvent::Clip(mut clip)) => {
                clip.cut = true;
                told.push(SpeechEvent::Clip(clip));
            }
            clip => told.extend(clip.filter(|_| speech.told)),
        }
        self.capture = rest;
        speech.part += 1;
        self.speech = Some(speech);
    }

    /// What was captured, as a clip, or as one that is dropped; nothing where a long speech ended with its last part.
    fn clip(&mut self, speech: &Speech, silence: Duration) -> Option<SpeechEvent> {
        let evidence = self.capture.evidence(self.activity.noise());
        let begins = self.capture.begins() * PER_EAR_SAMPLE;
        let pre_roll = blocks_of(self.rules.pre_roll);
        let samples_16k = self.capture.take(blocks_of(self.rules.tail), pre_roll);
        if speech.part > 0 && evidence.voiced.is_zero() {
            return None;
        }
        if let Some(reason) = self.reason_against(&evidence) {
            return Some(SpeechEvent::Dropped(DroppedClip {
                speech: speech.number,
                part: speech.part,
                begins,
                reason,
                evidence,
            }));
        }
        Some(SpeechEvent::Clip(SpeechClip {
            speech: speech.number,
            part: speech.part,
            begins,
            samples_16k,
            evidence,
            silence,
            cut: false,
        }))
    }

    fn reason_against(&self, evidence: &Evidence) -> Option<DropReason> {
        if evidence.voiced < self.rules.shortest_clip {
            Some(DropReason::TooShort)
        } else if evidence.voiced_share() < self.rules.least_voiced_share {
            Some(DropReason::TooLittleVoice)
        } else if evidence.level.0 < evidence.noise.0 + self.rules.least_above_noise {
            Some(DropReason::NotAboveNoise)
        } else if evidence.peak < self.rules.quietest_peak {
            Some(DropReason::TooQuiet)
        } else {
            None
        }
    }
}

impl Default for Segmenter {
    fn default() -> Self {
        Self::new(SegmentRules::default())
    }
}

impl Speech {
    /// Tells that it has begun, once it has so much voice: whoever listens falls silent for it.
    fn tell_begin(&mut self, capture: &Capture, least: Duration, told: &mut Vec<SpeechEvent>) {
        if !self.told && blocks(self.voiced) >= least {
            self.told = true;
            told.push(SpeechEvent::Started {
                speech: self.number,
                begins: capture.begins() * PER_EAR_SAMPLE,
            });
        }
    }

    /// Counts the block at the end of the capture, and tells of each further tenth of a second.
    fn report(
        &mut self,
        capture: &Capture,
        activity: &Activity,
        least: Duration,
        told: &mut Vec<SpeechEvent>,
    ) {
        let end = capture.end();
        if activity.voiced {
            self.last = end;
            self.voiced += 1;
            self.told_silent = Duration::ZERO;
            self.patience = None;
            self.tell_begin(capture, least, told);
            let spoken = blocks(self.last - self.first);
            if self.told && spoken >= self.told_spoken + REPORTED {
                self.told_spoken = whole_reports(spoken);
                told.push(SpeechEvent::Continues {
                    speech: self.number,
                    spoken,
                    voiced: blocks(self.voiced),
                    level: activity.level,
                });
            }
        } else {
            let silence = blocks(end - self.last);
            if self.told && silence >= self.told_silent + REPORTED {
                self.told_silent = whole_reports(silence);
                told.push(SpeechEvent::Pauses {
                    speech: self.number,
                    silence,
                });
            }
        }
    }
}

fn whole_reports(time: Duration) -> Duration {
    REPORTED * (time.as_millis() / REPORTED.as_millis()) as u32
}

/// How long so many blocks are.
fn blocks(count: u64) -> Duration {
    Duration::from_micros(count * BLOCK as u64 * 1_000_000 / u64::from(EAR_RATE))
}

/// How many blocks cover a time.
fn blocks_of(time: Duration) -> usize {
    samples_of(time, EAR_RATE).div_ceil(BLOCK as u64) as usize
}

fn samples_of(time: Duration, rate: u32) -> u64 {
    time.as_micros() as u64 * u64::from(rate) / 1_000_000
}

#[cfg(test)]
#[path = "segment_tests.rs"]
mod tests;

#[cfg(test)]
mod edges_tests;
