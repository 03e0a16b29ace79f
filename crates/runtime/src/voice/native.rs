//! The conversation that a session has with a realtime service which thinks for itself: who speaks is told before their
//! clips, and what it knows is told to the mind.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;

use async_trait::async_trait;
use mind::{RoomEvent, ServiceEvents, ServiceKnown};
use settings::RealtimeOverlap;
use tokio::sync::Notify;
use tokio::time::Instant;
use vocabulary::{PersonId, RoomId, ToolSpec};

use super::Means;
use super::overlap::{Overlaps, SpokenClip, mixed};
use crate::ports::{
    ClipListener, NativeClip, NativeConversation, NativeInstructions, NativeKnown, RealtimeFault,
    RealtimeService, RealtimeTranscript,
};

/// Who is heard together with somebody else is waited for so long.
const MIXES_WITHIN: Duration = Duration::from_secs(2);
/// A mixture that nobody wants the words of may take so long to be heard.
const HEARD_WITHIN: Duration = Duration::from_secs(15);
/// What a service is told of who it is, with what it is told for one answer.
const CHARACTERS: u64 = 5_200;

/// A service that thinks for itself, in one session.
pub(super) struct NativeSeat {
    means: Arc<Means>,
    room: RoomId,
    service: Arc<dyn RealtimeService>,
    conversation: Arc<dyn NativeConversation>,
    names: Mutex<BTreeMap<PersonId, String>>,
    overlaps: Mutex<Overlaps>,
    /// Told when what waited to be heard together is on its way.
    mixed: Notify,
}

impl NativeSeat {
    /// A conversation of the session's own; none where the service does not think.
    pub fn take(means: Arc<Means>, room: RoomId, service: Arc<dyn RealtimeService>) -> Option<Arc<Self>> {
        let conversation = service.converse()?;
        Some(Arc::new(Self {
            means,
            room,
            service,
            conversation,
            names: Mutex::default(),
            overlaps: Mutex::default(),
            mixed: Notify::new(),
        }))
    }

    pub fn conversation(&self) -> &Arc<dyn NativeConversation> {
        &self.conversation
    }

    /// What it calls what it is asked for.
    pub fn events(&self) -> ServiceEvents {
        let events = self.conversation.events();
        ServiceEvents {
            instruct: events.instruct.to_owned(),
            hear: events.hear.to_owned(),
            heard: events.heard.to_owned(),
            words: events.words.to_owned(),
            stop: events.stop.to_owned(),
        }
    }

    /// Tells the mind what the service knows, whenever that changes, until the session is over. Conversations before this
    /// one were begun so often.
    pub async fn tell_what_it_knows(self: Arc<Self>, before: u64) {
        let mut known = self.conversation.known();
        loop {
            let now = known.borrow_and_update().clone();
            let knows = RoomEvent::VoiceServiceKnows(self.known(now, before));
            self.means.telling.happened(&self.room, knows).await;
            if known.changed().await.is_err() {
                return;
            }
        }
    }

    fn known(&self, known: NativeKnown, before: u64) -> ServiceKnown {
        ServiceKnown {
            begun: before + known.begun,
            items: known.items,
            clips: known.clips,
            heard: known.heard,
            input_tokens: known.input_tokens,
            folds: known.folds,
            answer_micro_dollars: self.conversation.answer_price(CHARACTERS, known.heard),
        }
    }

    /// How often its conversation was begun.
    pub fn begun(&self) -> u64 {
        self.conversation.known().borrow().begun
    }

    pub fn instruct(&self, instructions: String, tools: Vec<ToolSpec>, anew: bool) {
        if anew {
            self.overlaps().take();
            self.conversation.begin_anew();
        }
        self.conversation.instruct(NativeInstructions {
            text: instructions,
            tools,
        });
    }

    pub fn tell(&self, text: String) {
        self.conversation.tell(text);
    }

    /// What somebody is called.
    pub fn is_called(&self, person: &PersonId, name: &str) {
        self.names().insert(person.clone(), name.to_owned());
    }

    /// Somebody speaks, or has stopped.
    pub fn speaks(&self, person: &PersonId, speaking: bool) {
        self.overlaps().speaks(person, speaking);
    }

    /// Has the service hear what waits to be heard together.
    pub fn hear_what_waits(&self) {
        let clips = self.overlaps().take();
        if clips.is_empty() {
            return;
        }
        self.mixed.notify_waiters();
        let names: Vec<String> = clips.iter().map(|clip| self.name_of(&clip.person)).collect();
        let clip = NativeClip {
            speakers: names,
            samples: mixed(&clips).into(),
            wants_words: false,
        };
        let conversation = self.conversation.clone();
        let mut hearing = Box::pin(async move {
            let heard = conversation.hear(clip, Instant::now() + HEARD_WITHIN).await;
            if let Err(fault) = heard {
                tracing::debug!("what several said at once was not heard: {}", fault.fault.detail);
            }
        });
        // It is told now, before what comes after it; that it was heard is waited for elsewhere.
        if hearing
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_pending()
        {
            self.means.spawn(hearing);
        }
    }

    fn name_of(&self, person: &PersonId) -> String {
        let names = self.names();
        names.get(person).cloned().unwrap_or_else(|| person.to_string())
    }

    fn names(&self) -> MutexGuard<'_, BTreeMap<PersonId, String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn overlaps(&self) -> MutexGuard<'_, Overlaps> {
        self.overlaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a clip wait for those who still speak. Its words are had for itself meanwhile.
    async fn mix(&self, clip: SpokenClip, deadline: Instant) -> Result<RealtimeTranscript, RealtimeFault> {
        let samples = clip.samples.clone();
        let mixed = self.mixed.notified();
        let is_first = !self.overlaps().is_anybody_waited_for();
        let is_whole = self.overlaps().wait(clip);
        let words = self.service.understand(samples, deadline);
        if is_whole {
            self.hear_what_waits();
            return words.await;
        }
        if !is_first {
            return words.await;
        }
        // Whoever was first waits for the others, and not for good.
        let (words, ()) = tokio::join!(words, async {
            tokio::select! {
                () = mixed => {}
                () = tokio::time::sleep(MIXES_WITHIN) => self.hear_what_waits(),
            }
        });
        words
    }
}

#[async_trait]
impl ClipListener for NativeSeat {
    fn engine(&self) -> String {
        self.conversation.engine()
    }

    fn price(&self, seconds: f64) -> Option<u64> {
        self.conversation.hearing_price(seconds)
    }

    async fn understand(
        &self,
        person: &PersonId,
        samples: Arc<[i16]>,
        deadline: Instant,
    ) -> Result<RealtimeTranscript, RealtimeFault> {
        let clip = SpokenClip::whole_at(person.clone(), samples.clone(), Instant::now());
        let wanted = self.means.telling.settings().voice.realtime_overlap;
        let mixes = wanted == RealtimeOverlap::Mixed && !self.conversation.is_deaf();
        let others = self.overlaps().others(&clip);
        let waits = {
            let overlaps = self.overlaps();
            mixes && (overlaps.somebody_else_speaks(person) || overlaps.is_anybody_waited_for())
        };
        if !others.is_empty() {
            let mut people = others;
            people.push(person.clone());
            let overlapped = RoomEvent::SpeakersOverlapped { people, mixed: mixes };
            self.means.telling.happened(&self.room, overlapped).await;
        }
        if waits {
            return self.mix(clip, deadline).await;
        }
        let clip = NativeClip {
            speakers: vec![self.name_of(person)],
            samples,
            wants_words: true,
        };
        self.conversation.hear(clip, deadline).await
    }
}
