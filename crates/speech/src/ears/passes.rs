//! A look at what is said so far, while it is said: words before the end, and at the end words at once.
//!
//! A pass over the clip under way tells what is understood so far. One that begins in a pause has heard everything, if the
//! pause becomes the end; then its words are the final ones, and the ears have worked while the speaker was silent.

use std::sync::Arc;
use std::time::Duration;

use audio::segment::{RunningClip, SpeechClip};
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;

use super::transcriber::{Desk, Understood};

/// Sound with less voice gives no words. Who speaks over Denizen for 700 ms silences it, unless they only nod: what they say
/// has to be understood by then.
const VOICED_MIN: Duration = Duration::from_millis(300);
/// Between the beginnings of two passes while somebody speaks.
const PACE: Duration = Duration::from_millis(800);
/// The same after one that heard little: a nod may turn out to be the beginning of something.
const PACE_AT_FIRST: Duration = Duration::from_millis(400);
const LITTLE: Duration = Duration::from_millis(500);
/// A pass may take this part of the time: so many times as long as it took, it waits.
const REST: u32 = 3;
/// A pause in which a pass begins: shorter ones are breaths.
pub(crate) const PAUSE: Duration = Duration::from_millis(200);

/// The pass that is running or was the last.
#[derive(Debug, Default)]
pub(crate) struct Passes {
    current: Option<Pass>,
    /// No pass before this, but one in a pause.
    not_before: Option<Instant>,
}

#[derive(Debug)]
struct Pass {
    speech: u64,
    part: u32,
    /// How much voice it has heard: when this is all there is, its words are final.
    voiced: Duration,
    /// It began in a pause, and has heard how the last word ends.
    in_pause: bool,
    began: Instant,
    state: State,
}

#[derive(Debug)]
enum State {
    Running(AbortOnDropHandle<Understood>),
    Done(Understood),
}

/// What a pass can do for a whole clip.
#[derive(Debug)]
pub(crate) enum Final {
    Running(AbortOnDropHandle<Understood>),
    Done(Understood),
}

impl Passes {
    /// Begins a pass where one is due.
    pub(crate) fn consider(&mut self, clip: &RunningClip<'_>, desk: &Desk) {
        let now = Instant::now();
        let voiced = clip.evidence.voiced;
        let pausing = clip.silence >= PAUSE;
        let is_same = |pass: &Pass| {
            pass.speech == clip.speech
                && pass.part == clip.part
                && pass.voiced == voiced
                && (pass.in_pause || !pausing)
        };
        if voiced < VOICED_MIN || self.current.as_ref().is_some_and(is_same) {
            return;
        }
        let running = matches!(&self.current, Some(pass) if matches!(pass.state, State::Running(_)));
        let too_early = self.not_before.is_some_and(|earliest| now < earliest);
        if !pausing && (running || too_early) {
            return;
        }
        // One that has not heard the end is in the way of one that may have.
        if running {
            self.current = None;
        }
        if !desk.has_time() {
            return;
        }
        let samples: Arc<[i16]> = clip.samples_16k.into();
        let desk = desk.clone();
        let task = tokio::spawn(async move { desk.understand(samples, || {}).await });
        self.not_before = Some(now + pace_after(voiced));
        self.current = Some(Pass {
            speech: clip.speech,
            part: clip.part,
            voiced,
            in_pause: pausing,
            began: now,
            state: State::Running(AbortOnDropHandle::new(task)),
        });
    }

    /// Waits for the pass under way; never ends where there is none.
    pub(crate) async fn done(&mut self) -> Option<String> {
        let Some(Pass {
            state: State::Running(task),
            ..
        }) = &mut self.current
        else {
            return std::future::pending().await;
        };
        let Ok(understood) = task.await else {
            self.current = None;
            return None;
        };
        let text = understood
            .result
            .as_ref()
            .ok()
            .map(|transcript| transcript.text.clone());
        if let Some(pass) = &mut self.current {
            let took = understood.at.saturating_duration_since(pass.began);
            self.not_before = Some((pass.began + pace_after(pass.voiced)).max(understood.at + took * REST));
            pass.state = State::Done(understood);
        }
        text
    }

    /// What was already done for a clip that is whole now.
    pub(crate) fn take_for(&mut self, clip: &SpeechClip) -> Option<Final> {
        let pass = self.current.take()?;
        let heard_all = pass.in_pause
            && pass.speech == clip.speech
            && pass.part == clip.part
            && pass.voiced == clip.evidence.voiced;
        match pass.state {
            _ if !heard_all || clip.cut => None,
            State::Running(task) => Some(Final::Running(task)),
            // What failed once may go better with the whole clip.
            State::Done(understood) if understood.result.is_ok() => Some(Final::Done(understood)),
            State::Done(_) => None,
        }
    }

    /// Forgets the pass under way: the speech is over.
    pub(crate) fn clear(&mut self) {
        self.current = None;
    }
}

/// How long after its beginning a pass is followed by the next, by how much voice it heard.
fn pace_after(voiced: Duration) -> Duration {
    match voiced < LITTLE {
        true => PACE_AT_FIRST,
        false => PACE,
    }
}
