use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::Semaphore;

use super::super::transcriber::{Transcriber, Transcript};
use super::*;
use crate::trouble::Trouble;

/// Understands as it is told.
#[derive(Default)]
pub(super) struct Scripted {
    pub(super) asked: AtomicUsize,
    pub(super) lengths: Mutex<Vec<usize>>,
    pub(super) takes: Vec<u64>,
    pub(super) free: bool,
    pub(super) fails: bool,
    /// Of the first so many clips no words come.
    pub(super) wordless: usize,
}

#[async_trait]
impl Transcriber for Scripted {
    fn engine(&self) -> String {
        "scripted".to_owned()
    }

    fn is_free(&self) -> bool {
        self.free
    }

    fn price(&self, seconds: f64) -> Option<u64> {
        (!self.free).then_some((seconds * 100.0) as u64).or(Some(0))
    }

    async fn transcribe(&self, clip: Arc<[i16]>, _: Instant) -> Result<Transcript, Trouble> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        self.lengths.lock().expect("no panic").push(clip.len());
        let takes = self.takes.get(number).copied().unwrap_or(10);
        tokio::time::sleep(Duration::from_millis(takes)).await;
        if self.fails {
            return Err(Trouble::passing("scripted trouble"));
        }
        if number < self.wordless {
            return Ok(Transcript::default());
        }
        Ok(Transcript {
            text: format!("words {number}"),
            no_speech: None,
            cost_micro_dollars: Some(7),
        })
    }
}

pub(super) fn desk(transcriber: &Arc<Scripted>) -> Desk {
    Desk {
        transcriber: Arc::clone(transcriber) as Arc<dyn Transcriber>,
        places: Arc::new(Semaphore::new(2)),
        places_max: 2,
        timeout: Duration::from_secs(5),
        partials: true,
        rest: Arc::default(),
    }
}

/// What the built-in voice says, at 48,000 samples a second: a voice is found in nothing less than a voice.
pub(super) fn voice() -> Vec<i16> {
    let engine = flite_rs::Engine::new();
    let said = engine.synthesize("Hello, can you tell me what the weather is like today?");
    audio::resample::Resampler::convert(said.sample_rate, audio::RATE, &said.samples).expect("a rate")
}

pub(super) fn silence(milliseconds: u64) -> Vec<i16> {
    vec![0; (milliseconds * PER_MILLISECOND) as usize]
}

/// A track that is fed in the time it takes to say it.
pub(super) struct Room {
    frames: mpsc::Sender<SoundFrame>,
    at: u64,
}

impl Room {
    pub(super) async fn hears(&mut self, samples: &[i16]) {
        for frame in samples.chunks(audio::FRAME) {
            let bytes: Vec<u8> = frame.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            let frame = SoundFrame {
                samples: Bytes::from(bytes),
                at: Span(self.at),
            };
            self.at += 20;
            self.frames.send(frame).await.expect("the track is open");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Nothing comes for a while.
    async fn waits(&mut self, milliseconds: u64) {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        self.at += milliseconds;
    }
}

pub(super) fn open(desk: Result<Desk, String>) -> (Room, mpsc::Receiver<HeardSpeech>, CancellationToken) {
    open_with(desk, None)
}

pub(super) fn open_with(
    desk: Result<Desk, String>,
    judge: Option<Arc<dyn TurnJudge>>,
) -> (Room, mpsc::Receiver<HeardSpeech>, CancellationToken) {
    let (frames, receiver) = mpsc::channel(16);
    let (heard, told) = mpsc::channel(1_000);
    let cancel = CancellationToken::new();
    let track = Track::new(desk, SegmentRules::default(), judge);
    tokio::spawn(track.listen(receiver, heard, cancel.clone()));
    (Room { frames, at: 0 }, told, cancel)
}

pub(super) async fn rest(mut told: mpsc::Receiver<HeardSpeech>) -> Vec<HeardSpeech> {
    let mut all = Vec::new();
    while let Some(heard) = told.recv().await {
        all.push(heard);
    }
    all
}

pub(super) fn names(all: &[HeardSpeech]) -> Vec<&'static str> {
    let mut names: Vec<&str> = all
        .iter()
        .map(|heard| match heard {
            HeardSpeech::Started => "started",
            HeardSpeech::Continues { .. } => "continues",
            HeardSpeech::Partial(_) => "partial",
            HeardSpeech::Utterance(_) => "utterance",
            HeardSpeech::Missed { .. } => "missed",
            HeardSpeech::Stopped => "stopped",
        })
        .collect();
    names.dedup();
    names
}

#[tokio::test(start_paused = true)]
async fn a_speech_begins_goes_on_ends_and_is_words() {
    let transcriber = Arc::new(Scripted::default());
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&silence(300)).await;
    room.hears(&voice()).await;
    room.hears(&silence(1_200)).await;
    drop(room);
    let all = rest(told).await;
    assert_eq!(names(&all), ["started", "continues", "stopped", "utterance"]);
    let Some(HeardSpeech::Utterance(utterance)) = all.last() else {
        panic!("{all:?}")
    };
    assert_eq!(
        (utterance.text.as_str(), utterance.engine.as_str()),
        ("words 0", "scripted")
    );
    assert_eq!(utterance.cost_micro_dollars, Some(7));
    assert!((700..800).contains(&utterance.silence.0), "{utterance:?}");
    assert!((1_500..6_000).contains(&utterance.spoken.0), "{utterance:?}");
    let continues = all
        .iter()
        .filter(|heard| matches!(heard, HeardSpeech::Continues { .. }));
    assert!(
        continues.count() as u64 >= utterance.spoken.0 / 100 * 6 / 10,
        "each 100 ms of voice"
    );
}

#[tokio::test(start_paused = true)]
async fn free_ears_tell_words_early_and_are_done_when_the_speech_is() {
    let transcriber = Arc::new(Scripted {
        free: true,
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.hears(&silence(1_200)).await;
    drop(room);
    let all = rest(told).await;
    assert!(names(&all).contains(&"partial"), "{all:?}");
    let Some(HeardSpeech::Utterance(utterance)) = all.last() else {
        panic!("{all:?}")
    };
    assert_eq!(
        utterance.took,
        Span(0),
        "the words were there before the silence was over"
    );
    let asked = transcriber.asked.load(Ordering::SeqCst);
    assert_eq!(
        utterance.text,
        format!("words {}", asked - 1),
        "the last pass was the final one"
    );
    assert!((2..8).contains(&asked), "{asked} passes");
}

#[tokio::test(start_paused = true)]
async fn slow_ears_are_not_asked_again_and_again() {
    let transcriber = Arc::new(Scripted {
        free: true,
        takes: vec![3_000; 20],
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.hears(&silence(4_200)).await;
    drop(room);
    let all = rest(told).await;
    assert!(matches!(all.last(), Some(HeardSpeech::Utterance(_))), "{all:?}");
    assert!(transcriber.asked.load(Ordering::SeqCst) <= 4);
}

#[tokio::test(start_paused = true)]
async fn words_come_in_the_order_of_speech() {
    let transcriber = Arc::new(Scripted {
        takes: vec![4_000, 10],
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&transcriber)));
    for _ in 0..2 {
        room.hears(&voice()).await;
        room.hears(&silence(900)).await;
    }
    drop(room);
    let texts: Vec<String> = rest(told)
        .await
        .into_iter()
        .filter_map(|heard| match heard {
            HeardSpeech::Utterance(utterance) => Some(utterance.text),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["words 0", "words 1"]);
}

#[tokio::test(start_paused = true)]
async fn a_track_that_falls_silent_without_frames_ends_the_speech() {
    let transcriber = Arc::new(Scripted::default());
    let (mut room, mut told, _cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.waits(2_000).await;
    let mut all = Vec::new();
    while let Ok(heard) = told.try_recv() {
        all.push(heard);
    }
    assert_eq!(names(&all), ["started", "continues", "stopped", "utterance"]);
    // And whoever speaks on is heard anew, though the frames have a gap.
    room.hears(&voice()).await;
    room.hears(&silence(900)).await;
    drop(room);
    let all = rest(told).await;
    assert_eq!(names(&all), ["started", "continues", "stopped", "utterance"]);
}

#[tokio::test(start_paused = true)]
async fn without_ears_speech_is_noticed_and_its_loss_told() {
    let (mut room, told, _cancel) = open(Err("install some".to_owned()));
    room.hears(&voice()).await;
    room.hears(&silence(900)).await;
    drop(room);
    let all = rest(told).await;
    assert_eq!(names(&all), ["started", "continues", "missed", "stopped"]);
    assert!(all.iter().any(|heard| matches!(
        heard,
        HeardSpeech::Missed { reason: UnheardReason::NoEars, detail, .. } if detail == "install some"
    )));
}

#[tokio::test(start_paused = true)]
async fn trouble_and_lateness_are_told_and_the_listening_goes_on() {
    let failing = Arc::new(Scripted {
        fails: true,
        takes: vec![10, 60_000],
        ..Scripted::default()
    });
    let (mut room, told, _cancel) = open(Ok(desk(&failing)));
    for _ in 0..2 {
        room.hears(&voice()).await;
        room.hears(&silence(900)).await;
    }
    drop(room);
    let reasons: Vec<UnheardReason> = rest(told)
        .await
        .into_iter()
        .filter_map(|heard| match heard {
            HeardSpeech::Missed { reason, .. } => Some(reason),
            _ => None,
        })
        .collect();
    assert_eq!(reasons, [UnheardReason::Failed, UnheardReason::TimedOut]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_track_says_nothing_more() {
    let transcriber = Arc::new(Scripted {
        takes: vec![2_000],
        ..Scripted::default()
    });
    let (mut room, told, cancel) = open(Ok(desk(&transcriber)));
    room.hears(&voice()).await;
    room.hears(&silence(900)).await;
    assert_eq!(
        transcriber.asked.load(Ordering::SeqCst),
        1,
        "its words are on their way"
    );
    cancel.cancel();
    let all = rest(told).await;
    assert!(!names(&all).contains(&"utterance"), "{all:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_being_said_when_nobody_listens_any_more_is_told_as_given_up() {
    let transcriber = Arc::new(Scripted::default());
    let (frames, receiver) = mpsc::channel(16);
    let (heard, _told) = mpsc::channel(1_000);
    let cancel = CancellationToken::new();
    let track = Track::new(Ok(desk(&transcriber)), SegmentRules::default(), None);
    let listening = tokio::spawn(track.listen(receiver, heard, cancel.clone()));
    let mut room = Room { frames, at: 0 };
    room.hears(&silence(300)).await;
    room.hears(&voice()).await;
    cancel.cancel();
    let given_up = listening.await.expect("it ends");
    assert!(
        matches!(given_up[..], [spoken] if spoken > Span(1_000)),
        "{given_up:?}"
    );
}

/// Somebody says something six times to ears that fail: how often they were asked, and what is told of the cost.
#[tokio::test(start_paused = true)]
async fn what_paid_ears_were_asked_and_nobody_waits_for_is_still_on_the_bill() {
    for (free, cancels, is_paid) in [(false, true, true), (false, false, false), (true, true, false)] {
        let transcriber = Arc::new(Scripted {
            takes: vec![3_000],
            free,
            ..Scripted::default()
        });
        let (frames, receiver) = mpsc::channel(16);
        let (heard, told) = mpsc::channel(1_000);
        let cancel = CancellationToken::new();
        let track = Track::new(Ok(desk(&transcriber)), SegmentRules::default(), None);
        let bill = track.bill();
        let listening = tokio::spawn(track.listen(receiver, heard, cancel.clone()));
        let mut room = Room { frames, at: 0 };
        room.hears(&voice()).await;
        room.hears(&silence(1_000)).await;
        if cancels {
            cancel.cancel();
        }
        drop(room);
        let given_up = listening.await.expect("it ends");
        assert_eq!(
            given_up.len(),
            usize::from(is_paid),
            "what nobody waits for is told"
        );
        drop(told);
        let cost = bill.given_up().expect("the price is known");
        assert_eq!(cost > 0, is_paid, "free: {free}, cancelled: {cancels}, {cost}");
    }
}

async fn said_to_failing_ears(free: bool) -> (usize, Vec<Option<u64>>) {
    let failing = Arc::new(Scripted {
        fails: true,
        free,
        ..Scripted::default()
    });
    let mut desk = desk(&failing);
    desk.partials = false;
    let (mut room, told, _cancel) = open(Ok(desk));
    for _ in 0..6 {
        room.hears(&voice()).await;
        room.hears(&silence(900)).await;
    }
    drop(room);
    let costs = rest(told).await.into_iter().filter_map(|heard| match heard {
        HeardSpeech::Missed {
            cost_micro_dollars, ..
        } => Some(cost_micro_dollars),
        _ => None,
    });
    (failing.asked.load(Ordering::SeqCst), costs.collect())
}

#[tokio::test(start_paused = true)]
async fn ears_that_fail_are_left_alone_for_a_while_and_what_was_not_sent_cost_nothing() {
    let (asked, costs) = said_to_failing_ears(false).await;
    assert!((2..6).contains(&asked), "asked {asked} times");
    let unknown = costs.iter().filter(|cost| cost.is_none()).count();
    assert_eq!((costs.len(), unknown), (6, asked), "{costs:?}");
}

#[tokio::test(start_paused = true)]
async fn free_ears_that_fail_cost_nothing() {
    let (_, costs) = said_to_failing_ears(true).await;
    assert_eq!(costs, [Some(0); 6]);
}
