//! One person's track: sound in, what is heard out, in order.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use audio::segment::{SegmentRules, Segmenter, SpeechClip, SpeechEvent};
use runtime::ports::{HeardSpeech, SoundFrame};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::UnheardReason;

use super::judging::{ClipFacts, dropped, judge, span, words};
use super::passes::{Final, Passes};
use super::transcriber::{Desk, Understood};
use crate::trouble::Trouble;

/// Samples of a millisecond.
const PER_MS: u64 = audio::RATE as u64 / 1_000;
/// Frames that are this late leave no gap: clocks and networks are not that exact.
const GAP_MIN: u64 = 60 * PER_MS;
/// When nothing comes for so long in the midst of a speech, the speaker is silent: many programs send no silence.
const QUIET: Duration = Duration::from_millis(200);
/// How much silence is then heard at a time.
const QUIET_STEP: Duration = Duration::from_millis(100);
/// Clips of one person that wait for words; older ones are the more useful.
const WAITING_MAX: usize = 16;

/// A track that is listened to.
pub(crate) struct Track {
    desk: Result<Desk, String>,
    segmenter: Segmenter,
    /// Samples since the beginning of the track that were heard, gaps among them.
    position: Option<u64>,
    last_frame: Instant,
    passes: Passes,
    waiting: VecDeque<Waiting>,
    told: Vec<SpeechEvent>,
}

/// A clip whose words are awaited.
struct Waiting {
    facts: ClipFacts,
    words: Words,
}

enum Words {
    Coming(AbortOnDropHandle<Understood>),
    Here(Understood),
}

/// What a track waits for.
enum Happened {
    Cancelled,
    Frame(SoundFrame),
    Ended,
    Quiet,
    Pass(Option<String>),
    Understood(Understood),
}

impl Track {
    /// `desk` is who understands, or why nobody does.
    pub(crate) fn new(desk: Result<Desk, String>, rules: SegmentRules) -> Self {
        Self {
            desk,
            segmenter: Segmenter::new(rules),
            position: None,
            last_frame: Instant::now(),
            passes: Passes::default(),
            waiting: VecDeque::new(),
            told: Vec::new(),
        }
    }

    /// Listens until the track ends, nobody wants to know any more, or it is cancelled.
    pub(crate) async fn listen(
        mut self,
        mut frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) {
        let mut open = true;
        while open || !self.waiting.is_empty() {
            let quiet_at = self.last_frame + QUIET;
            let speaking = self.segmenter.is_speaking();
            let happened = tokio::select! {
                biased;
                () = cancel.cancelled() => Happened::Cancelled,
                () = heard.closed() => Happened::Cancelled,
                understood = next_words(&mut self.waiting) => Happened::Understood(understood),
                frame = frames.recv(), if open => frame.map_or(Happened::Ended, Happened::Frame),
                text = self.passes.done() => Happened::Pass(text),
                () = sleep_until(quiet_at), if open && speaking => Happened::Quiet,
            };
            let said = match happened {
                Happened::Cancelled => return,
                Happened::Frame(frame) => {
                    self.hear(&frame);
                    self.tell()
                }
                Happened::Ended => {
                    open = false;
                    self.segmenter.finish(&mut self.told);
                    self.tell()
                }
                Happened::Quiet => {
                    let samples = QUIET_STEP.as_millis() as u64 * PER_MS;
                    self.segmenter.gap(samples, &mut self.told);
                    self.position = self.position.map(|position| position + samples);
                    self.last_frame = Instant::now() - (QUIET - QUIET_STEP);
                    self.tell()
                }
                Happened::Pass(text) => {
                    let text = text.map(|text| words(&text)).filter(|text| !text.is_empty());
                    text.map(HeardSpeech::Partial).into_iter().collect()
                }
                Happened::Understood(understood) => self.finish(understood),
            };
            for said in said {
                if heard.send(said).await.is_err() {
                    return;
                }
            }
        }
    }

    fn hear(&mut self, frame: &SoundFrame) {
        self.last_frame = Instant::now();
        let samples: Vec<i16> = frame
            .samples
            .chunks_exact(2)
            .map(|sample| i16::from_le_bytes([sample[0], sample[1]]))
            .collect();
        let at = frame.at.0.saturating_mul(PER_MS);
        let position = self.position.unwrap_or(at);
        if at > position + GAP_MIN {
            self.segmenter.gap(at - position, &mut self.told);
        }
        self.segmenter.push(&samples, &mut self.told);
        self.position = Some(position.max(at) + samples.len() as u64);
    }

    /// What is told at once, and what is given to the ears.
    fn tell(&mut self) -> Vec<HeardSpeech> {
        let mut said = Vec::new();
        for event in std::mem::take(&mut self.told) {
            match event {
                SpeechEvent::Started { .. } => said.push(HeardSpeech::Started),
                SpeechEvent::Continues { spoken, .. } => {
                    self.consider();
                    said.push(HeardSpeech::Continues { spoken: span(spoken) });
                }
                SpeechEvent::Pauses { .. } => self.consider(),
                SpeechEvent::Clip(clip) => said.extend(self.clip(clip)),
                SpeechEvent::Dropped(clip) => {
                    self.passes.clear();
                    said.push(dropped(clip.reason, &clip.evidence));
                }
                SpeechEvent::Ended { .. } => {
                    self.passes.clear();
                    said.push(HeardSpeech::Stopped);
                }
            }
        }
        said
    }

    fn consider(&mut self) {
        if let (Ok(desk), Some(clip)) = (&self.desk, self.segmenter.running()) {
            self.passes.consider(&clip, desk);
        }
    }

    fn clip(&mut self, clip: SpeechClip) -> Option<HeardSpeech> {
        let missed = |reason, detail: String| HeardSpeech::Missed {
            reason,
            detail,
            spoken: span(clip.evidence.spoken),
            cost_micro_dollars: Some(0),
        };
        let desk = match &self.desk {
            Ok(desk) => desk.clone(),
            Err(lack) => return Some(missed(UnheardReason::NoEars, lack.clone())),
        };
        if self.waiting.len() >= WAITING_MAX {
            let detail = format!("{} clips wait already: the ears are too slow", self.waiting.len());
            return Some(missed(UnheardReason::TimedOut, detail));
        }
        let words = match self.passes.take_for(&clip) {
            Some(Final::Done(understood)) => Words::Here(understood),
            Some(Final::Running(task)) => Words::Coming(task),
            None => {
                let samples: Arc<[i16]> = clip.samples_16k.as_slice().into();
                let task = tokio::spawn(async move { desk.understand(samples).await });
                Words::Coming(AbortOnDropHandle::new(task))
            }
        };
        self.waiting.push_back(Waiting {
            facts: ClipFacts {
                evidence: clip.evidence,
                silence: span(clip.silence),
                whole_at: Instant::now(),
            },
            words,
        });
        None
    }

    /// The words of the oldest clip are here.
    fn finish(&mut self, understood: Understood) -> Vec<HeardSpeech> {
        let Some(waiting) = self.waiting.pop_front() else {
            return Vec::new();
        };
        let engine = match &self.desk {
            Ok(desk) => desk.transcriber.engine(),
            Err(_) => String::new(),
        };
        vec![judge(&waiting.facts, understood, &engine)]
    }
}

/// Waits for the words of the oldest clip; never ends where there is none.
async fn next_words(waiting: &mut VecDeque<Waiting>) -> Understood {
    match waiting.front_mut() {
        None => std::future::pending().await,
        Some(Waiting {
            words: Words::Here(understood),
            ..
        }) => understood.clone(),
        Some(Waiting {
            words: Words::Coming(task),
            ..
        }) => task.await.unwrap_or_else(|_| Understood {
            result: Err(Trouble::broken("the ears")),
            at: Instant::now(),
        }),
    }
}

#[cfg(test)]
#[path = "listening_tests.rs"]
mod tests;
