//! Something to be said in a room, and what came of it: what faculties and the outbox of a room hand each other.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, Attachment, Author, CommunityId, DeliveryId, JournalSeq, MessageId, RoomId, TurnId};

use crate::effect::Delivery;
use crate::journal::Scope;
use crate::reasons::VoiceThoughtGate;

/// What is said in more pieces than this is cut short.
pub(crate) const PARTS_MAX: usize = 8;

/// What something is said for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Errand {
    /// The answer to what people wrote.
    Reply,
    /// A comment on a shared screen: one piece, and never late.
    Comment,
    /// A thought of its own.
    Thought,
    /// Something beside a reply, such as that no model answers, or what can only be read.
    Notice,
    /// Something about itself, or what a command came to: it is no part of the conversation, and no model is told.
    Sign,
}

/// Something to be said.
#[derive(Clone, Debug)]
pub(crate) struct Parcel {
    pub errand: Errand,
    pub room: RoomId,
    pub turn: TurnId,
    /// The ask whose answer this is.
    pub ask: AskId,
    pub text: String,
    pub reply_to: Option<MessageId>,
    /// Who may be notified by it.
    pub answered: Option<Author>,
    /// What goes with its last piece.
    pub attachments: Vec<Attachment>,
    /// Whether somebody waits for it, so that it is worth an outage of its room.
    pub owed: bool,
    /// What its journal lines are about, with the line that led to it.
    pub scope: Scope,
}

impl Parcel {
    /// Something that answers nobody, and goes without attachments.
    pub fn new(errand: Errand, room: &RoomId, turn: TurnId, ask: AskId, text: String) -> Self {
        Self {
            errand,
            room: room.clone(),
            turn,
            ask,
            text,
            reply_to: None,
            answered: None,
            attachments: Vec::new(),
            owed: false,
            scope: Scope::room(room).turn(turn),
        }
    }
}

/// How a parcel ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    pub errand: Errand,
    pub turn: TurnId,
    pub ask: AskId,
    /// What is in the room, in order.
    pub messages: Vec<MessageId>,
    /// The newest line about it.
    pub cause: Option<JournalSeq>,
    /// Why the rest of it is not in the room.
    pub lost: Option<String>,
}

/// What happened to a thought in the voice of a room, for the list of all thoughts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ThoughtAloud {
    /// It was seen whether one may be had: a gate stood in the way, or a model is asked.
    Looked {
        room: RoomId,
        gate: Option<VoiceThoughtGate>,
        revisits: bool,
        /// What was rolled, and what it had to be below.
        roll: Option<(u64, u64)>,
        turn: Option<TurnId>,
    },
    /// What came of one.
    CameOf { turn: TurnId, action: &'static str },
    /// One was heard.
    Said {
        turn: TurnId,
        room: RoomId,
        text: String,
    },
}

/// The id of a piece of what a turn says, counted from 1: a repeat is the same message.
pub(crate) fn delivery_id(community: &CommunityId, turn: TurnId, part: usize) -> DeliveryId {
    DeliveryId::new(format!("{community}-t{turn}-{part}"))
}

/// The rooms of the deliveries that are under way. An outbox opens and closes them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Deliveries {
    rooms: BTreeMap<DeliveryId, RoomId>,
}

impl Deliveries {
    pub fn open(&mut self, delivery: &Delivery) {
        self.rooms.insert(delivery.id.clone(), delivery.room.clone());
    }

    pub fn close(&mut self, delivery: &DeliveryId) {
        self.rooms.remove(delivery);
    }

    /// Whether a piece of what a turn says is under way.
    pub fn has_any_of(&self, community: &CommunityId, turn: TurnId) -> bool {
        let mut parts = (1..=PARTS_MAX).map(|part| delivery_id(community, turn, part));
        parts.any(|id| self.rooms.contains_key(&id))
    }

    pub fn room_of(&self, delivery: &DeliveryId) -> Option<&RoomId> {
        self.rooms.get(delivery)
    }
}
