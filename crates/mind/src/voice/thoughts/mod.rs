//! Thoughts of its own in the voice of a room. After a silence it may think of something to say, hold it, refine it or
//! drop it. Whatever happens in the room makes the next look at a held thought a reconsideration.
//!
//! `looking` sees whether one may be had and asks, `deciding` follows the answer, `ending` knows what becomes of it. They
//! are paid for and listed with those that are written.

mod brief;
mod deciding;
mod ending;
mod gates;
mod looking;

use serde::{Deserialize, Serialize};
use vocabulary::{AskId, JournalSeq, Moment, RecallId, RoomId, Span, TurnId, WallTime};

pub(super) use self::brief::ThoughtBrief;
pub(super) use self::deciding::ask_ended;
pub(super) use self::ending::{
    changed, conversation_ended, forget, message_deleted, restarted, said, session_over, settle, stopped,
    unwanted,
};
pub(super) use self::looking::{look, next_look, recalled};
use super::Voice;
use crate::ambient::rest;
use crate::ambient::view::AloudView;
use crate::effect::{Wake, WakeReason};
use crate::input::Recollection;
use crate::journal::Scope;
use crate::reasons::{RoomChange, VoiceThoughtGate};

/// What people talk about has moved on by then.
const HELD_AT_MOST: Span = Span::minutes(10);

/// What it thinks in the voice of one room, in one session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VoiceThoughts {
    /// When something last happened in the room that is no speech.
    stirred: Moment,
    /// When the silence began for which `noted` holds.
    silence: Moment,
    /// What stood in the way in it, and is written down.
    noted: Vec<VoiceThoughtGate>,
    /// It is not seen before whether one may be had.
    not_before: Moment,
    /// When it last thought of something.
    considered: Option<Moment>,
    /// Questions in a row of which nothing came.
    failures: u64,
    /// How many were heard.
    said: u64,
    /// Nobody has done anything since the last one was heard.
    unanswered: bool,
    held: Option<HeldAloud>,
    pass: Option<Pass>,
}

/// A thought that waits for its moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct HeldAloud {
    text: String,
    /// Why it was held the last time.
    reason: String,
    created: Moment,
    created_at: WallTime,
    looked_at: Moment,
    /// How often it was looked at, the time it came up included.
    looks: u64,
    /// What happened since.
    changes: Vec<RoomChange>,
}

impl HeldAloud {
    fn expires(&self) -> Moment {
        self.created + HELD_AT_MOST
    }
}

/// One look: from the moment the gates let it to its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pass {
    turn: TurnId,
    started: Moment,
    /// How long nobody had said anything.
    silence: Span,
    /// A held thought is looked at again.
    reconsiders: bool,
    stage: Stage,
    /// The newest question to a model.
    ask: Option<AskId>,
    found: Recollection,
    /// What it wants to say.
    text: String,
    cause: JournalSeq,
}

/// What a look waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Recalling {
        recall: RecallId,
    },
    Asking {
        ask: AskId,
    },
    /// Its words are a turn of the voice.
    Saying {
        /// What was heard of it, once that is known.
        heard: Option<String>,
        failure: Option<String>,
        /// Somebody did something meanwhile.
        answered: bool,
    },
}

impl Pass {
    /// The scope of a line of this look, caused by the newest one before it.
    fn scope(&self, room: &RoomId) -> Scope {
        Scope::room(room).turn(self.turn).because(Some(self.cause))
    }

    fn is_saying(&self) -> bool {
        matches!(self.stage, Stage::Saying { .. })
    }

    fn waits_for(&self, recall: RecallId) -> bool {
        matches!(self.stage, Stage::Recalling { recall: open } if open == recall)
    }

    fn open_ask(&self) -> Option<AskId> {
        match self.stage {
            Stage::Asking { ask } => Some(ask),
            _ => None,
        }
    }
}

/// What it holds in the voice of a room, for the page of thoughts.
pub(crate) fn held_aloud(voice: &Voice, room: &RoomId) -> Option<AloudView> {
    let held = voice.thoughts.held.as_ref()?;
    Some(AloudView {
        text: held.text.clone(),
        room: room.clone(),
        reason: held.reason.clone(),
        created_at: held.created_at,
        looks: held.looks,
        room_moved_on: !held.changes.is_empty(),
    })
}

impl VoiceThoughts {
    /// Whether a model is being asked, or something is looked up for it.
    pub fn is_thinking(&self) -> bool {
        self.pass.as_ref().is_some_and(|pass| !pass.is_saying())
    }

    pub fn waits_for(&self, recall: RecallId) -> bool {
        self.pass.as_ref().is_some_and(|pass| pass.waits_for(recall))
    }

    /// How long the held thought is left alone still.
    fn rests_until(&self) -> Moment {
        self.held.as_ref().map_or(Moment(0), |held| {
            held.looked_at + rest(held.looks, !held.changes.is_empty())
        })
    }

    /// When a held thought is over.
    pub fn next_expiry(&self) -> Option<Wake> {
        let held = self.held.as_ref().filter(|_| self.pass.is_none())?;
        Some(Wake {
            at: held.expires(),
            reason: WakeReason::VoiceThoughtDue,
        })
    }
}
