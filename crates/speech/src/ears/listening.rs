//! One person's track: sound in, what is heard out, in order.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use audio::segment::{SegmentRules, Segmenter, SpeechClip, SpeechEvent};
use audio::{PER_MILLISECOND, pcm};
use runtime::ports::{HeardSpeech, SoundFrame};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;
use vocabulary::{Span, UnheardReason};

use super::awaited::{Waiting, Words, next_words};
use super::din::{Din, Turn};
use super::judging::{ClipFacts, dropped, judge, span};
use super::loudness::Loudness;
use super::open_bill::OpenBill;
use super::passes::{Final, Passes};
use super::transcriber::{Desk, Understood};
use super::turn_end::{TurnEnds, TurnJudge, Verdict};
use super::wording::words;

/// Frames that are this late leave no gap: clocks and networks are not that exact.
const GAP_MIN: u64 = 60 * PER_MILLISECOND;
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
    turns: TurnEnds,
    waiting: VecDeque<Waiting>,
    told: Vec<SpeechEvent>,
    /// The speech under way, where it was told of.
    speech: Option<u64>,
    /// How much voice it has by now, and how much it had when it was told of.
    voiced: Duration,
    voiced_before: Duration,
    din: Din,
    loudness: Loudness,
    bill: OpenBill,
}

/// What a track waits for.
enum Happened {
    Cancelled,
    Frame(SoundFrame),
    Ended,
    Quiet,
    Pass(Option<String>),
    Turn(Option<Verdict>),
    Understood(Option<Understood>),
}

impl Track {
    /// `desk` is who understands, or why nobody does; `judge` tells whether somebody who pauses has finished.
    pub(crate) fn new(
        desk: Result<Desk, String>,
        rules: SegmentRules,
        judge: Option<Arc<dyn TurnJudge>>,
    ) -> Self {
        Self {
            desk,
            segmenter: Segmenter::new(rules),
            position: None,
            last_frame: Instant::now(),
            passes: Passes::default(),
            turns: TurnEnds::new(judge, rules.end_of_speech),
            waiting: VecDeque::new(),
            told: Vec::new(),
            speech: None,
            voiced: Duration::ZERO,
            voiced_before: Duration::ZERO,
            din: Din::default(),
            loudness: Loudness::default(),
            bill: OpenBill::default(),
        }
    }

    /// What it asks of its ears.
    pub(crate) fn bill(&self) -> OpenBill {
        self.bill.clone()
    }

    /// Listens until the track ends, nobody wants to know any more, or it is cancelled. How long each speech was of which
    /// nothing was told by then.
    pub(crate) async fn listen(
        mut self,
        mut frames: mpsc::Receiver<SoundFrame>,
        heard: mpsc::Sender<HeardSpeech>,
        cancel: CancellationToken,
    ) -> Vec<Span> {
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
                verdict = self.turns.judged() => Happened::Turn(verdict),
                () = sleep_until(quiet_at), if open && speaking => Happened::Quiet,
            };
            let said = match happened {
                Happened::Cancelled => return self.given_up(),
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
                    let samples = QUIET_STEP.as_millis() as u64 * PER_MILLISECOND;
                    self.segmenter.gap(samples, &mut self.told);
                    self.position = self.position.map(|position| position.saturating_add(samples));
                    self.last_frame = Instant::now() - (QUIET - QUIET_STEP);
                    self.tell()
                }
                // What is no speech has no words so far.
                Happened::Pass(_) if self.din.is_din() => Vec::new(),
                Happened::Pass(text) => {
                    let text = text.map(|text| words(&text)).filter(|text| !text.is_empty());
                    text.map(HeardSpeech::Partial).into_iter().collect()
                }
                Happened::Turn(verdict) => {
                    self.heed(verdict);
                    self.tell()
                }
                Happened::Understood(understood) => self.finish(understood),
            };
            for said in said {
                let sent = tokio::select! {
                    biased;
                    () = cancel.cancelled() => return self.given_up(),
                    sent = heard.send(said) => sent,
                };
                if sent.is_err() {
                    return self.given_up();
                }
            }
        }
        Vec::new()
    }

    /// What waits for words, and what is being said.
    fn given_up(&self) -> Vec<Span> {
        let waiting = self.waiting.iter().map(|waiting| waiting.words.spoken());
        let speaks = self.speech.is_some() && !self.din.is_din();
        waiting.chain(speaks.then(|| span(self.voiced))).collect()
    }

    fn hear(&mut self, frame: &SoundFrame) {
        self.last_frame = Instant::now();
        let mut samples = Vec::with_capacity(frame.samples.len() / 2);
        pcm::read(&frame.samples, &mut samples);
        let at = frame.at.0.saturating_mul(PER_MILLISECOND);
        let position = self.position.unwrap_or(at);
        if at > position.saturating_add(GAP_MIN) {
            self.segmenter.gap(at - position, &mut self.told);
        }
        self.segmenter.push(&samples, &mut self.told);
        self.position = Some(position.max(at).saturating_add(samples.len() as u64));
    }

    /// What is told at once, and what is given to the ears.
    fn tell(&mut self) -> Vec<HeardSpeech> {
        let mut said = Vec::new();
        for event in std::mem::take(&mut self.told) {
            match event {
                SpeechEvent::Started { speech, begins } => {
                    self.speech = Some(speech);
                    self.voiced = Duration::ZERO;
                    self.voiced_before = Duration::ZERO;
                    self.din.begins(begins);
                    said.extend((!self.din.is_din()).then_some(HeardSpeech::Started));
                }
                SpeechEvent::Continues { voiced, .. } => {
                    self.voiced = voiced;
                    if !self.din.is_din() {
                        self.consider();
                        let spoken = span(voiced.saturating_sub(self.voiced_before));
                        said.push(HeardSpeech::Continues { spoken });
                    }
                }
                SpeechEvent::Pauses { .. } if self.din.is_din() => {}
                SpeechEvent::Pauses { .. } => {
                    self.consider();
                    if let (Ok(_), Some(clip)) = (&self.desk, self.segmenter.running()) {
                        self.turns.consider(&clip);
                    }
                }
                SpeechEvent::Clip(clip) => self.clip(clip, &mut said),
                SpeechEvent::Dropped(clip) => {
                    self.passes.clear();
                    self.lose(clip.speech, dropped(clip.reason, &clip.evidence), &mut said);
                }
                SpeechEvent::Ended { .. } => {
                    self.passes.clear();
                    self.speech = None;
                    self.din.ends(self.segmenter.heard());
                    said.extend((!self.din.is_din()).then_some(HeardSpeech::Stopped));
                }
            }
        }
        said
    }

    /// A pause was judged; where they have spoken on since, or it is over anyway, that is nothing to go by.
    fn heed(&mut self, verdict: Option<Verdict>) {
        let Some(clip) = self.segmenter.running() else {
            return;
        };
        if !self.turns.is_about(&clip) {
            return;
        }
        match verdict {
            Some(Verdict::Over) => self.segmenter.end(&mut self.told),
            Some(Verdict::More(patience)) => self.segmenter.end_after(patience),
            None => {}
        }
    }

    fn consider(&mut self) {
        if let (Ok(desk), Some(clip)) = (&self.desk, self.segmenter.running()) {
            self.passes.consider(&clip, desk);
        }
    }

    fn clip(&mut self, clip: SpeechClip, said: &mut Vec<HeardSpeech>) {
        let passed = self.passes.take_for(&clip);
        let missed = |reason, detail: String| HeardSpeech::Missed {
            reason,
            detail,
            spoken: span(clip.evidence.spoken),
            cost_micro_dollars: Some(0),
        };
        let desk = match &self.desk {
            Ok(desk) => desk.clone(),
            Err(lack) => return self.lose(clip.speech, missed(UnheardReason::NoEars, lack.clone()), said),
        };
        if self.waiting.len() >= WAITING_MAX {
            let detail = format!(
                "{} clips wait already: the ears are too slow. A smaller model or another service keeps up",
                self.waiting.len()
            );
            return self.lose(clip.speech, missed(UnheardReason::TimedOut, detail), said);
        }
        if self.loudness.is_far_away(&clip.evidence) {
            let detail = "much quieter than whoever this microphone belongs to: somebody else in the room, or a television";
            let far = missed(UnheardReason::NoVoice, detail.to_owned());
            return self.lose(clip.speech, far, said);
        }
        if !self.din.is_worth_an_ear(desk.transcriber.is_free()) {
            return;
        }
        let facts = ClipFacts {
            evidence: clip.evidence,
            silence: span(clip.silence),
            whole_at: Instant::now(),
        };
        let question = self.bill.number();
        let words = match passed {
            Some(Final::Done(understood)) => Words::Here(facts, understood),
            Some(Final::Running(task)) => Words::Coming(facts, task),
            None => {
                let samples: Arc<[i16]> = clip.samples_16k.as_slice().into();
                let price = desk
                    .transcriber
                    .price(samples.len() as f64 / f64::from(audio::EAR_RATE));
                let bill = self.bill.clone();
                let asked = move || bill.asked(question, price);
                let task = tokio::spawn(async move { desk.understand(samples, asked).await });
                Words::Coming(facts, AbortOnDropHandle::new(task))
            }
        };
        self.waiting.push_back(Waiting {
            speech: clip.speech,
            question,
            words,
        });
    }

    /// Nothing comes of a clip: told behind those before it.
    fn lose(&mut self, speech: u64, lost: HeardSpeech, said: &mut Vec<HeardSpeech>) {
        if self.waiting.is_empty() {
            said.extend(self.weigh(speech, lost));
        } else {
            let words = Words::Lost(lost);
            let question = self.bill.number();
            self.waiting.push_back(Waiting {
                speech,
                question,
                words,
            });
        }
    }

    /// The words of the oldest clip are here.
    fn finish(&mut self, understood: Option<Understood>) -> Vec<HeardSpeech> {
        let Some(Waiting {
            speech,
            question,
            words,
        }) = self.waiting.pop_front()
        else {
            return Vec::new();
        };
        self.bill.told(question);
        let engine = match &self.desk {
            Ok(desk) => desk.transcriber.engine(),
            Err(_) => String::new(),
        };
        let heard = match (words, understood) {
            (Words::Coming(facts, _) | Words::Here(facts, _), Some(understood)) => {
                let heard = judge(&facts, understood, &engine);
                if matches!(heard, HeardSpeech::Utterance(_)) {
                    self.loudness.learn(&facts.evidence);
                }
                heard
            }
            (Words::Lost(lost), _) => lost,
            (Words::Coming(..) | Words::Here(..), None) => return Vec::new(),
        };
        self.weigh(speech, heard)
    }

    /// What is told of a clip, and whether its speech is still taken for one.
    fn weigh(&mut self, speech: u64, heard: HeardSpeech) -> Vec<HeardSpeech> {
        let is_current = self.speech == Some(speech);
        let is_speaking = self.speech.is_some();
        match self.din.judged(&heard, is_current) {
            Some(Turn::IntoDin) => {
                self.passes.clear();
                vec![heard, HeardSpeech::Stopped]
            }
            Some(Turn::IntoSpeech) if is_speaking => {
                self.voiced_before = self.voiced;
                vec![HeardSpeech::Started, heard]
            }
            _ => vec![heard],
        }
    }
}

#[cfg(test)]
#[path = "listening_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "noise_tests.rs"]
mod noise_tests;

#[cfg(test)]
#[path = "turn_end_tests.rs"]
mod turn_end_tests;
