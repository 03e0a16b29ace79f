//! Whether somebody who pauses has finished: where a model is sure of it, the end of their speech comes sooner or later.
//!
//! The plain rule is a silence of a certain length. The model is asked in a pause, beside the listening. When it is sure
//! that they have finished, the speech ends there; when it is sure that they go on, the silence may be twice as long. An
//! answer that is unsure, late or wrong in kind changes nothing.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use audio::segment::RunningClip;
use tokio_util::task::AbortOnDropHandle;

use super::passes::PAUSE;
use crate::trouble::Trouble;

/// It is asked this far into a pause: with the pass over what was said, so that the words are there as well.
const ASKED_AT: Duration = PAUSE;
/// Of less voice than this it can tell nothing.
const VOICED_MIN: Duration = Duration::from_millis(300);
/// From so high a chance on they have finished.
const SURE_OVER: f32 = 0.95;
/// Up to so low a chance they go on.
const SURE_OF_MORE: f32 = 0.02;
/// Whoever goes on may be silent for twice as long as others, but no longer than this.
const PATIENCE_MAX: Duration = Duration::from_secs(2);

/// Tells whether somebody has finished.
#[async_trait]
pub(crate) trait TurnJudge: Send + Sync {
    fn name(&self) -> &str;

    /// The chance, from 0 to 1, that whoever said this has finished: 16,000 samples a second, a pause at the end.
    async fn chance_over(&self, clip: Arc<[i16]>) -> Result<f32, Trouble>;
}

/// What is thought of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Over,
    /// More comes: the speech ends only after so much silence.
    More(Duration),
}

/// The pauses of one track.
pub(crate) struct TurnEnds {
    judge: Option<Arc<dyn TurnJudge>>,
    plain: Duration,
    /// The pause that was asked about last.
    asked: Option<Pause>,
    running: Option<AbortOnDropHandle<Result<f32, Trouble>>>,
}

/// Which pause: a speech, and how much of it there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pause {
    speech: u64,
    part: u32,
    voiced: Duration,
}

impl Pause {
    fn of(clip: &RunningClip<'_>) -> Self {
        Self {
            speech: clip.speech,
            part: clip.part,
            voiced: clip.evidence.voiced,
        }
    }
}

impl TurnEnds {
    /// `plain` is the silence that ends a speech of which nothing is known.
    pub(crate) fn new(judge: Option<Arc<dyn TurnJudge>>, plain: Duration) -> Self {
        Self {
            judge,
            plain,
            asked: None,
            running: None,
        }
    }

    /// Has a pause judged, once, where it is long enough: one at a time.
    pub(crate) fn consider(&mut self, clip: &RunningClip<'_>) {
        let Some(judge) = &self.judge else { return };
        let pause = Pause::of(clip);
        let is_due = clip.silence >= ASKED_AT && clip.silence < self.plain && pause.voiced >= VOICED_MIN;
        if !is_due || self.running.is_some() || self.asked == Some(pause) {
            return;
        }
        self.asked = Some(pause);
        let (judge, clip): (_, Arc<[i16]>) = (Arc::clone(judge), clip.samples_16k.into());
        let task = tokio::spawn(async move { judge.chance_over(clip).await });
        self.running = Some(AbortOnDropHandle::new(task));
    }

    /// Waits for what is thought of the pause; never ends where nobody was asked.
    pub(crate) async fn judged(&mut self) -> Option<Verdict> {
        let Some(task) = &mut self.running else {
            return std::future::pending().await;
        };
        let chance = task.await;
        self.running = None;
        match chance.unwrap_or_else(|_| Err(Trouble::broken("what hears ends of turns"))) {
            Ok(chance) if chance >= SURE_OVER => Some(Verdict::Over),
            Ok(chance) if chance <= SURE_OF_MORE => {
                let patience = (self.plain * 2).min(PATIENCE_MAX);
                Some(Verdict::More(patience.max(self.plain)))
            }
            Ok(_) => None,
            Err(trouble) => {
                // It would not go better with the next pause, and the plain rule is there.
                tracing::warn!("ends of turns are told by silence alone: {}", trouble.detail);
                self.judge = None;
                None
            }
        }
    }

    /// Whether this is still the pause that was judged.
    pub(crate) fn is_about(&self, clip: &RunningClip<'_>) -> bool {
        !clip.silence.is_zero() && self.asked == Some(Pause::of(clip))
    }
}
