//! Looks at the mind, answered between two steps: what pages show of it.

use mind::ambient::view::AmbientView;
use mind::context::compaction::SessionView;
use mind::reasons::AgainRefusal;
use mind::spending::view::SpendingView;
use mind::voice::view::VoiceView;
use mind::watch::view::WatchView;
use mind::{AskUnderWay, Rehearsal};
use tokio::sync::oneshot;
use vocabulary::{Message, MessageId, Now, RoomFacts, RoomId, WallTime};

use super::Handle;
use crate::recalling::{FoundBy, look_up};

/// A look at the mind, answered between two steps.
#[derive(Debug)]
pub enum Look {
    Rooms {
        answer: oneshot::Sender<Vec<RoomFacts>>,
    },
    /// Whether it is saying something, in any room.
    Saying {
        answer: oneshot::Sender<bool>,
    },
    Session {
        room: RoomId,
        answer: oneshot::Sender<Option<SessionView>>,
    },
    Watch {
        room: RoomId,
        answer: oneshot::Sender<Option<WatchView>>,
    },
    Voice {
        room: RoomId,
        answer: oneshot::Sender<Option<VoiceLook>>,
    },
    Ambient {
        answer: oneshot::Sender<AmbientView>,
    },
    Quiet {
        room: RoomId,
        answer: oneshot::Sender<Option<Option<WallTime>>>,
    },
    Spending {
        answer: oneshot::Sender<SpendingView>,
    },
    /// What it would do with a message.
    Rehearse {
        message: Box<Message>,
        answer: oneshot::Sender<Rehearsal>,
    },
    /// Why a message cannot be answered on an operator's wish.
    Again {
        room: RoomId,
        message: MessageId,
        answer: oneshot::Sender<Option<AgainRefusal>>,
    },
    /// Which question to a model a message waits for.
    AskUnderWay {
        room: RoomId,
        message: MessageId,
        answer: oneshot::Sender<Option<AskUnderWay>>,
    },
}

/// The voice of a room at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceLook {
    pub view: VoiceView,
    /// When that was.
    pub at: Now,
}

impl Handle {
    /// Every room that the mind knows, as its platform describes it; none when it is stopping.
    pub async fn rooms(&self) -> Option<Vec<RoomFacts>> {
        let (answer, rooms) = oneshot::channel();
        self.queries.send(Look::Rooms { answer }).await.ok()?;
        rooms.await.ok()
    }

    /// Whether it is saying something at the moment: a message is on its way, or it is heard. None when it is stopping.
    pub async fn is_saying(&self) -> Option<bool> {
        let (answer, saying) = oneshot::channel();
        self.queries.send(Look::Saying { answer }).await.ok()?;
        saying.await.ok()
    }

    /// The voice of a room as the mind has it now; none where nobody was ever there, or when it is stopping.
    pub async fn voice(&self, room: RoomId) -> Option<VoiceLook> {
        let (answer, voice) = oneshot::channel();
        self.queries.send(Look::Voice { room, answer }).await.ok()?;
        voice.await.ok().flatten()
    }

    /// A room's session as the mind has it now; none where nothing was ever said, or when it is stopping.
    pub async fn session(&self, room: RoomId) -> Option<SessionView> {
        let (answer, session) = oneshot::channel();
        self.queries.send(Look::Session { room, answer }).await.ok()?;
        session.await.ok().flatten()
    }

    /// What is watched in a room, as the mind has it now; none where nothing ever was, or when it is stopping.
    pub async fn watch(&self, room: RoomId) -> Option<WatchView> {
        let (answer, watch) = oneshot::channel();
        self.queries.send(Look::Watch { room, answer }).await.ok()?;
        watch.await.ok().flatten()
    }

    /// Its own thoughts, as the mind has them now; none when it is stopping.
    pub async fn ambient(&self) -> Option<AmbientView> {
        let (answer, view) = oneshot::channel();
        self.queries.send(Look::Ambient { answer }).await.ok()?;
        view.await.ok()
    }

    /// Until when nothing is to be said in a room, where somebody wants that; `None` within: until somebody ends it.
    pub async fn quiet_until(&self, room: RoomId) -> Option<Option<WallTime>> {
        let (answer, until) = oneshot::channel();
        self.queries.send(Look::Quiet { room, answer }).await.ok()?;
        until.await.ok().flatten()
    }

    /// What was spent today, as the mind has it now; none when it is stopping.
    pub async fn spending(&self) -> Option<SpendingView> {
        let (answer, view) = oneshot::channel();
        self.queries.send(Look::Spending { answer }).await.ok()?;
        let mut view = view.await.ok()?;
        let settings = self.in_force().settings;
        for resting in &mut view.resting {
            let purpose = resting.serves.first().copied();
            resting.asked = purpose.and_then(|purpose| self.language().asked_of(purpose, &settings));
        }
        Some(view)
    }

    /// What it would do with a message, played on a copy: no model is asked and nothing is kept. What it would recall is
    /// looked for by its words alone, since its meaning may be a model's to find. None when it is stopping.
    pub async fn rehearse(&self, message: Message) -> Option<Rehearsal> {
        let (answer, rehearsal) = oneshot::channel();
        let message = Box::new(message);
        self.queries.send(Look::Rehearse { message, answer }).await.ok()?;
        let mut rehearsal = rehearsal.await.ok()?;
        let settings = self.in_force().settings;
        while let Some(query) = rehearsal.wants() {
            let (store, memory) = (self.store.as_ref(), self.memory.as_ref());
            let found = look_up(store, memory, &self.community, query, FoundBy::Words).await;
            rehearsal.recalled(found, &settings);
        }
        Some(rehearsal)
    }

    /// The question to a model that a message waits for; none where there is none, or when it is stopping.
    pub async fn ask_under_way(&self, room: RoomId, message: MessageId) -> Option<AskUnderWay> {
        let (answer, under_way) = oneshot::channel();
        let look = Look::AskUnderWay {
            room,
            message,
            answer,
        };
        self.queries.send(look).await.ok()?;
        under_way.await.ok().flatten()
    }

    /// Why a message cannot be answered on an operator's wish, where it cannot; `None` when it is stopping.
    pub async fn again_refused(&self, room: RoomId, message: MessageId) -> Option<Option<AgainRefusal>> {
        let (answer, refused) = oneshot::channel();
        let look = Look::Again {
            room,
            message,
            answer,
        };
        self.queries.send(look).await.ok()?;
        refused.await.ok()
    }
}
