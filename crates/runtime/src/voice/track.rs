//! What one person says, from their track to the mind. Whoever does not want to be listened to is not, at once.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mind::RoomEvent;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use vocabulary::{Author, Message, MessageId, RoomId, Span, UnheardReason, WallTime};

use super::native::NativeSeat;
use super::speaking::Evidence;
use super::telling::Telling;
use crate::clock::wall;
use crate::live::LiveEvent;
use crate::ports::{HeardSpeech, Hearing, SoundFrame, Utterance};

/// Frames that wait for the ears; what comes then waits in the room.
const FRAMES_WAITING_MAX: usize = 64;
/// What was heard and waits to be told.
const HEARD_WAITING_MAX: usize = 32;
/// What is understood so far is told once in this time.
const PARTIALS_EVERY: Duration = Duration::from_millis(300);

/// Ears that are told to stop do so within this time.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// Somebody who is listened to.
pub(super) struct Track {
    pub room: RoomId,
    pub author: Author,
    pub ears: Arc<dyn Hearing>,
    /// Whose ears, where a speech comes to nothing.
    pub engine: String,
    pub telling: Telling,
    /// Whether Denizen is being heard.
    pub is_heard: Arc<AtomicBool>,
    /// The realtime service that thinks for itself, where one does.
    pub seat: Option<Arc<NativeSeat>>,
    pub unlistened: watch::Receiver<BTreeSet<vocabulary::PersonId>>,
    /// Denizen does not listen to them any more.
    pub over: CancellationToken,
}

/// Why a stretch of listening ended.
enum Ended {
    /// The track is over.
    Track,
    /// They chose otherwise: to be listened to, or not.
    Choice,
    /// Nobody listens any more.
    Over,
}

impl Track {
    /// Listens until the track ends.
    pub async fn run(mut self, mut frames: mpsc::Receiver<SoundFrame>) {
        loop {
            if !self.is_listened_to() {
                match self.pass_over(&mut frames).await {
                    Ended::Track | Ended::Over => return,
                    Ended::Choice => continue,
                }
            }
            if !matches!(self.listen(&mut frames).await, Ended::Choice) {
                return;
            }
        }
    }

    fn is_listened_to(&mut self) -> bool {
        !self.unlistened.borrow_and_update().contains(&self.author.id)
    }

    /// Lets the sound go, until it may be heard again.
    async fn pass_over(&mut self, frames: &mut mpsc::Receiver<SoundFrame>) -> Ended {
        loop {
            tokio::select! {
                () = self.over.cancelled() => return Ended::Over,
                frame = frames.recv() => if frame.is_none() { return Ended::Track },
                changed = self.unlistened.changed() => match changed {
                    Ok(()) if self.is_listened_to() => return Ended::Choice,
                    Ok(()) => {}
                    Err(_) => return Ended::Track,
                },
            }
        }
    }

    async fn listen(&mut self, frames: &mut mpsc::Receiver<SoundFrame>) -> Ended {
        let (to_ears, listening) = mpsc::channel(FRAMES_WAITING_MAX);
        let (heard, mut hearing) = mpsc::channel(HEARD_WAITING_MAX);
        let cancel = CancellationToken::new();
        let cancelled = cancel.clone().drop_guard();
        let (ears, person) = (self.ears.clone(), self.author.id.clone());
        let mut to_ears = Some(to_ears);
        let mut speech = Speech::default();
        let ears = async move { ears.listen(&person, listening, heard, cancel).await };
        let mut ears = tokio_util::task::AbortOnDropHandle::new(tokio::spawn(ears));
        let ended = loop {
            tokio::select! {
                biased;
                () = self.over.cancelled() => break Ended::Over,
                changed = self.unlistened.changed() => match changed {
                    Ok(()) if !self.is_listened_to() => break Ended::Choice,
                    Ok(()) => {}
                    Err(_) => break Ended::Track,
                },
                said = hearing.recv() => match said {
                    Some(said) => self.tell(said, &mut speech).await,
                    // The ears are done: all was told, or they broke.
                    None => break Ended::Track,
                },
                passed = pass_on(frames, to_ears.as_ref()), if to_ears.is_some() => {
                    // What was said last is still understood.
                    if !passed {
                        to_ears = None;
                    }
                }
            }
        };
        // What is under way is given up at once; what was understood by then, and what it costs, is still told.
        drop((cancelled, to_ears));
        if matches!(ended, Ended::Over) {
            let rest = async {
                while let Some(said) = hearing.recv().await {
                    self.tell(said, &mut speech).await;
                }
            };
            let _ = tokio::time::timeout(ENDS_WITHIN, rest).await;
        }
        drop(hearing);
        let mut given_up = Vec::new();
        match tokio::time::timeout(ENDS_WITHIN, &mut ears).await {
            Ok(Ok(Ok(listened))) => {
                given_up = listened.given_up;
                let cost = listened.given_up_micro_dollars;
                self.telling.paid(&self.room, &self.engine, cost).await;
            }
            Ok(Ok(Err(fault))) => {
                tracing::warn!(community = %self.telling.community(), %fault, "hearing ended");
            }
            Ok(Err(_)) | Err(_) => {
                given_up.extend(speech.is_open.then_some(Span::ZERO));
                tracing::warn!(community = %self.telling.community(), "hearing did not end by itself");
            }
        }
        // Whoever chose not to be heard is not told of.
        if !matches!(ended, Ended::Choice) {
            for spoken in given_up {
                let person = self.author.id.clone();
                let missed = RoomEvent::UtteranceMissed {
                    person,
                    reason: UnheardReason::GivenUp,
                    detail: String::new(),
                    spoken,
                };
                self.telling.happened(&self.room, missed).await;
            }
        }
        if speech.is_open {
            self.spoke(false).await;
        }
        ended
    }

    async fn tell(&self, said: HeardSpeech, speech: &mut Speech) {
        let person = self.author.id.clone();
        match said {
            HeardSpeech::Started => {
                speech.begins(self.telling.new_utterance());
                self.spoke(true).await;
            }
            HeardSpeech::Continues { spoken } => {
                if self.is_heard.load(Ordering::Relaxed) {
                    let continues = RoomEvent::SpeechContinues { person, spoken };
                    self.telling.happened(&self.room, continues).await;
                }
            }
            HeardSpeech::Partial(text) => {
                if speech.is_told_lately() {
                    return;
                }
                speech.told = Some(Instant::now());
                if let Some(id) = speech.ids.back() {
                    self.show(id.clone(), &text, false);
                }
                let partial = RoomEvent::SpeechPartial { person, text };
                self.telling.happened(&self.room, partial).await;
            }
            HeardSpeech::Stopped => {
                speech.is_open = false;
                self.spoke(false).await;
            }
            HeardSpeech::Utterance(utterance) => {
                let id = speech.ends_a_part(&self.telling);
                self.understood(id, utterance).await;
            }
            HeardSpeech::Missed {
                reason,
                detail,
                spoken,
                cost_micro_dollars,
            } => {
                speech.ends_a_part(&self.telling);
                let missed = RoomEvent::UtteranceMissed {
                    person,
                    reason,
                    detail,
                    spoken,
                };
                self.telling.happened(&self.room, missed).await;
                self.telling
                    .paid(&self.room, &self.engine, cost_micro_dollars)
                    .await;
            }
        }
    }

    async fn understood(&self, id: MessageId, utterance: Utterance) {
        let Utterance {
            text,
            spoken,
            silence,
            took,
            engine,
            cost_micro_dollars,
        } = utterance;
        self.show(id.clone(), &text, true);
        let message = Message {
            id,
            room: self.room.clone(),
            author: self.author.clone(),
            text,
            at: began(spoken, silence, took),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: true,
            sign: false,
        };
        let heard = RoomEvent::UtteranceHeard {
            message,
            spoken,
            silence,
            took,
        };
        self.telling.happened(&self.room, heard).await;
        self.telling.paid(&self.room, &engine, cost_micro_dollars).await;
    }

    async fn spoke(&self, speaking: bool) {
        let person = self.author.id.clone();
        if let Some(seat) = &self.seat {
            seat.is_called(&person, &self.author.name);
            seat.speaks(&person, speaking);
        }
        self.telling
            .speaks(&self.room, &person, Evidence::Speech, speaking);
        let event = match speaking {
            true => RoomEvent::SpeechStarted { person },
            false => RoomEvent::SpeechEnded { person },
        };
        self.telling.happened(&self.room, event).await;
    }

    fn show(&self, id: MessageId, text: &str, is_final: bool) {
        self.telling.show(LiveEvent::VoiceTranscript {
            room: self.room.clone(),
            id,
            person: self.author.id.clone(),
            name: self.author.name.clone(),
            text: text.to_owned(),
            is_final,
        });
    }
}

/// What is known of the speech that is being heard.
#[derive(Default)]
struct Speech {
    is_open: bool,
    /// The messages that what was said will become, the newest last: words may come when the next speech has begun.
    ids: VecDeque<MessageId>,
    /// When its words were last told.
    told: Option<Instant>,
}

impl Speech {
    fn is_told_lately(&self) -> bool {
        self.told.is_some_and(|told| told.elapsed() < PARTIALS_EVERY)
    }

    fn begins(&mut self, id: MessageId) {
        self.is_open = true;
        self.told = None;
        self.ids.push_back(id);
    }

    /// The words of the oldest are there, or will not come; a long speech has several parts.
    fn ends_a_part(&mut self, telling: &Telling) -> MessageId {
        let id = self.ids.pop_front().unwrap_or_else(|| telling.new_utterance());
        if self.ids.is_empty() && self.is_open {
            self.ids.push_back(telling.new_utterance());
        }
        id
    }
}

/// Hands the next frame to the ears once they have room for it; whether there was one.
async fn pass_on(frames: &mut mpsc::Receiver<SoundFrame>, ears: Option<&mpsc::Sender<SoundFrame>>) -> bool {
    let Some(ears) = ears else { return false };
    let Ok(place) = ears.reserve().await else {
        return false;
    };
    match frames.recv().await {
        Some(frame) => {
            place.send(frame);
            true
        }
        None => false,
    }
}

/// When a speech began whose words are there now.
fn began(spoken: Span, silence: Span, took: Span) -> WallTime {
    let passed = spoken.0.saturating_add(silence.0).saturating_add(took.0);
    WallTime(wall().0.saturating_sub(i64::try_from(passed).unwrap_or(0)))
}
