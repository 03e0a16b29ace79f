use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::super::turn_end::TurnJudge;
use super::tests::{Scripted, desk, open_with, rest, silence, voice};
use super::*;
use crate::trouble::Trouble;

/// Thinks the same of every pause.
struct Opinion {
    chance: Result<f32, Trouble>,
    takes: u64,
    asked: AtomicUsize,
}

#[async_trait]
impl TurnJudge for Opinion {
    fn name(&self) -> &str {
        "opinion"
    }

    async fn chance_over(&self, _: Arc<[i16]>) -> Result<f32, Trouble> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(self.takes)).await;
        self.chance.clone()
    }
}

/// The silences, in milliseconds, after which what was said counted as finished; and how often the model was asked.
async fn silences(chance: Result<f32, Trouble>, takes: u64, pause: u64) -> (Vec<u64>, usize) {
    let asked = AtomicUsize::new(0);
    let judge = Arc::new(Opinion { chance, takes, asked });
    let transcriber = Arc::new(Scripted::default());
    let (mut room, told, _cancel) = open_with(Ok(desk(&transcriber)), Some(judge.clone()));
    room.hears(&silence(300)).await;
    room.hears(&said()).await;
    room.hears(&silence(pause)).await;
    room.hears(&said()).await;
    room.hears(&silence(3_500)).await;
    drop(room);
    let silences = rest(told).await.into_iter().filter_map(|heard| match heard {
        HeardSpeech::Utterance(utterance) => Some(utterance.silence.0),
        _ => None,
    });
    (silences.collect(), judge.asked.load(Ordering::SeqCst))
}

/// A second and a half of the voice, without the silence around it: a clip has room for two and a long pause.
fn said() -> Vec<i16> {
    let voice = voice();
    let loud = |sample: &i16| sample.unsigned_abs() > 300;
    let first = voice.iter().position(loud).unwrap_or(0);
    let last = voice.iter().rposition(loud).unwrap_or(voice.len());
    voice[first..last.min(first + 72_000)].to_vec()
}

#[tokio::test(start_paused = true)]
async fn whoever_has_surely_finished_is_not_waited_for() {
    let (silences, _) = silences(Ok(0.97), 50, 1_500).await;
    assert!(
        silences.len() >= 2 && silences.iter().all(|silence| *silence < 400),
        "{silences:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn whoever_surely_goes_on_may_pause_for_twice_as_long_and_no_longer() {
    let (together, _) = silences(Ok(0.01), 50, 1_100).await;
    assert!(matches!(together[..], [1_400..1_600]), "{together:?}");
    let (apart, _) = silences(Ok(0.01), 50, 2_000).await;
    assert!(matches!(apart[..], [1_400..1_600, 1_400..1_600]), "{apart:?}");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_is_not_sure_changes_nothing() {
    let (silences, asked) = silences(Ok(0.6), 50, 1_500).await;
    assert!(matches!(silences[..], [700..850, 700..850]), "{silences:?}");
    assert!(asked >= 2, "{asked}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_comes_late_changes_nothing() {
    // The pauses are over by silence before it comes; the first answer comes when they speak again.
    let (silences, _) = silences(Ok(0.97), 1_600, 1_500).await;
    assert!(matches!(silences[..], [700..850, 700..850]), "{silences:?}");
}

#[tokio::test(start_paused = true)]
async fn whoever_speaks_on_before_the_answer_is_not_cut_off() {
    let (silences, _) = silences(Ok(0.97), 250, 300).await;
    assert_eq!(silences.len(), 1, "{silences:?}");
}

#[tokio::test(start_paused = true)]
async fn a_model_that_fails_is_asked_no_more_and_silence_decides() {
    let (silences, asked) = silences(Err(Trouble::passing("no memory")), 50, 1_500).await;
    assert!(matches!(silences[..], [700..850, 700..850]), "{silences:?}");
    assert_eq!(asked, 1);
}
