//! A delivery on its way to whoever listens: sound is played as it is made, and how far it was heard is told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mind::RoomEvent;
use tokio::sync::mpsc;
use tokio::time::Instant;
use vocabulary::{DeliveryId, Span};

use super::extent::samples;
use super::mouth::{RoomMouth, Saying};
use crate::ports::{PlaybackExtent, RealtimeSound, SoundFrame, Spoken, SpokenSound, VoiceFault};

/// Frames that are made before their time: a second.
const SOUND_WAITING_MAX: usize = 50;
/// Frames that wait where they are played.
const FRAMES_WAITING_MAX: usize = 16;
/// How far it got is told once in this time.
const PROGRESS_EVERY: Duration = Duration::from_millis(400);

/// Where the sound of a delivery comes from.
pub(super) enum Source {
    /// A voice reads them.
    Sentences(mpsc::Receiver<String>),
    /// A service says it by itself.
    Sound(mpsc::Receiver<RealtimeSound>),
}

/// How far a delivery is on its way to whoever plays it.
#[derive(Default)]
struct Pumped {
    frames: usize,
    is_started: bool,
    told: usize,
    told_at: Option<Instant>,
}

impl RoomMouth {
    /// Says it to its end, or until it is stopped.
    pub(super) async fn deliver(&self, saying: Arc<Saying>, source: Source) {
        let turn = self.turn.lock().await;
        let (sound, sounds) = mpsc::channel(SOUND_WAITING_MAX);
        let (frames, playing) = mpsc::channel(FRAMES_WAITING_MAX);
        let stopped = saying.stopped.clone();
        let speaking = match source {
            Source::Sentences(sentences) => self.voice.speak("", sentences, sound, stopped),
            Source::Sound(pieces) => self.voice.pass_on(pieces, sound, stopped),
        };
        let playing = async {
            let played = self.door.0.play(&saying.delivery, playing).await;
            let was_stopped = saying.stopped.is_cancelled();
            // Whoever plays it no more need not be given more of it.
            saying.stopped.cancel();
            (played, was_stopped)
        };
        let pumping = self.pump(&saying, sounds, frames);
        let (spoken, (played, was_stopped), pumped) = tokio::join!(speaking, playing, pumping);
        self.is_heard.store(false, Ordering::Relaxed);
        drop(turn);
        if let (Some(seat), true) = (&saying.native, was_stopped) {
            let heard = match &played {
                Ok(PlaybackExtent::Until(span)) => *span,
                _ => Span::ZERO,
            };
            seat.conversation().stop(heard);
            saying.is_told.cancel();
        }
        self.ended(&saying, &spoken, played, was_stopped, &pumped).await;
    }

    /// Hands the sound on as it is made and played, and tells how far that is.
    async fn pump(
        &self,
        saying: &Saying,
        mut sounds: mpsc::Receiver<SpokenSound>,
        frames: mpsc::Sender<SoundFrame>,
    ) -> Pumped {
        let mut pumped = Pumped::default();
        loop {
            let is_heard = self.is_heard.load(Ordering::Relaxed);
            let sound = tokio::select! {
                biased;
                sound = sounds.recv() => sound,
                // All of it was heard by now, and what follows is still being looked up or written.
                _ = frames.reserve_many(FRAMES_WAITING_MAX), if is_heard => {
                    self.is_heard.store(false, Ordering::Relaxed);
                    continue;
                }
            };
            let Some(sound) = sound else { break };
            self.is_heard.store(pumped.is_started, Ordering::Relaxed);
            saying.extent().frame(&sound);
            if frames.send(sound.frame).await.is_err() {
                return pumped;
            }
            pumped.frames += 1;
            if !pumped.is_started {
                // Nothing waits there any more once the first was taken, and what is taken is heard.
                if frames.reserve_many(FRAMES_WAITING_MAX).await.is_err() {
                    return pumped;
                }
                pumped.is_started = true;
                self.is_heard.store(true, Ordering::Relaxed);
                let started = RoomEvent::PlaybackStarted {
                    delivery: saying.delivery.clone(),
                };
                self.means.telling.happened(&self.room, started).await;
            }
            let waiting = FRAMES_WAITING_MAX - frames.capacity();
            self.progressed(saying, pumped.frames.saturating_sub(waiting), &mut pumped)
                .await;
        }
        saying.extent().whole();
        pumped
    }

    /// Tells how much was heard when so many frames were, where that is news.
    async fn progressed(&self, saying: &Saying, frames: usize, pumped: &mut Pumped) {
        let characters = {
            let extent = saying.extent();
            extent.characters_at(extent.of_frames(frames))
        };
        let lately = |at: Instant| at.elapsed() < PROGRESS_EVERY;
        if characters > pumped.told && !pumped.told_at.is_some_and(lately) {
            (pumped.told, pumped.told_at) = (characters, Some(Instant::now()));
            self.tell_progress(&saying.delivery, characters).await;
        }
    }

    async fn tell_progress(&self, delivery: &DeliveryId, characters: usize) {
        let progressed = RoomEvent::PlaybackProgressed {
            delivery: delivery.clone(),
            characters,
        };
        self.means.telling.happened(&self.room, progressed).await;
    }

    async fn ended(
        &self,
        saying: &Saying,
        spoken: &Spoken,
        played: Result<PlaybackExtent, VoiceFault>,
        was_stopped: bool,
        pumped: &Pumped,
    ) {
        let delivery = saying.delivery.clone();
        let (handed, whole) = {
            let extent = saying.extent();
            let handed = extent.characters_at(extent.of_frames(pumped.frames));
            let until = |span| extent.characters_at(samples(span));
            let heard = match &played {
                Ok(PlaybackExtent::Until(span)) => until(*span),
                _ => handed,
            };
            (heard, matches!(played, Ok(PlaybackExtent::Whole)))
        };
        let failure = match (&played, &spoken.fault) {
            (Err(fault), _) => Some(fault.to_string()),
            (Ok(_), Some(fault)) if !was_stopped => Some(fault.detail.clone()),
            (Ok(_), _) if !was_stopped && !pumped.is_started => {
                Some("there is nothing in it that can be said aloud".to_owned())
            }
            _ => None,
        };
        let is_all = whole && !was_stopped && failure.is_none();
        self.close(&delivery, (!is_all).then_some(handed));
        // A service that only calls something says nothing.
        if saying.native.is_some() && !pumped.is_started && saying.extent().has_no_words() {
            return;
        }
        let event = match failure {
            Some(detail) => {
                if handed > pumped.told {
                    self.tell_progress(&delivery, handed).await;
                }
                RoomEvent::PlaybackFailed { delivery, detail }
            }
            None => RoomEvent::PlaybackEnded {
                delivery,
                cut_after: (!is_all).then_some(handed),
            },
        };
        let telling = &self.means.telling;
        telling.happened(&self.room, event).await;
        if spoken.characters > 0 {
            telling
                .paid(&self.room, &spoken.engine, spoken.cost_micro_dollars)
                .await;
        }
    }
}
