//! The doors of voice rooms: how people and their programs come in, are heard and hear the others.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;
use tokio::sync::{mpsc, watch};
use vocabulary::{Author, PersonId, RoomId};

use super::voice::{Voice, VoiceComing};

/// The voice of a community's rooms: for Denizen, for whoever tells the mind who is there, and for people.
#[allow(missing_debug_implementations, reason = "holds an adapter")]
pub struct VoiceQuarters {
    pub voice: Arc<dyn Voice>,
    /// Who comes and goes.
    pub coming: mpsc::Receiver<VoiceComing>,
    /// None: people come in by the platform itself.
    pub doors: Option<Arc<dyn VoiceDoors>>,
}

/// What names one stay of a person in a voice room. Nobody can guess it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VoiceSession(String);

impl VoiceSession {
    /// Takes the name as it is.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for VoiceSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Somebody in a voice room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonInVoice {
    pub author: Author,
    pub muted: bool,
    /// Whether there is sound of them just now.
    pub sounding: bool,
}

/// Who is in the voice of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InVoice {
    /// Whether Denizen is.
    pub denizen: bool,
    /// Everybody else, by their ids.
    pub people: Vec<PersonInVoice>,
}

/// Why somebody cannot come in. For a person: what is wrong and what to do.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DoorRefusal {
    /// The offer of a browser cannot be answered.
    #[error("{0}")]
    BadOffer(String),
    /// There are too many already.
    #[error("{0}")]
    Full(String),
    /// It is nobody's fault who comes.
    #[error("{0}")]
    Unavailable(String),
}

/// An offer, answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoiceAnswer {
    pub session: VoiceSession,
    pub sdp: String,
}

/// How a program's sound is written, 20 ms at a time, 48,000 samples a second, one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineCoding {
    /// 960 samples of 16 bits, the lower byte first.
    Pcm16,
    /// One packet of Opus.
    Opus,
}

/// What was wrong with a piece of sound. For whoever wrote the program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineFault {
    #[error("{0}")]
    Wrong(String),
    /// It came too early; a network that was held up for a moment sends a heap.
    #[error(
        "Sound comes faster than it is heard, and what is more than a second ahead is not taken. Send one frame every 20 ms."
    )]
    TooFast,
}

/// Why a stay is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The same person has come in anew, by another device or another page.
    Superseded,
    /// Somebody has closed it.
    Closed,
}

/// A program's stay in a voice room. Dropping it leaves the room.
#[async_trait]
pub trait VoiceLine: Send {
    fn session(&self) -> &VoiceSession;
    /// 20 ms of what the program says.
    fn say(&mut self, sound: &[u8]) -> Result<(), LineFault>;
    /// The next 20 ms of what the others say; nothing comes while they are silent. What is not taken in time is lost, the
    /// oldest first. Nothing is lost where this is given up.
    async fn hear(&mut self) -> Result<Bytes, LineEnd>;
    fn mute(&self, muted: bool);
}

/// The doors of a community's voice rooms.
#[async_trait]
pub trait VoiceDoors: Send + Sync {
    fn presence(&self, room: &RoomId) -> InVoice;

    /// Changes whenever somebody's presence does, in whatever room.
    fn changes(&self) -> watch::Receiver<u64>;

    /// A program comes in. Whoever is there already by that name is here from now on, and there no more.
    fn enter(
        &self,
        room: &RoomId,
        author: Author,
        coding: LineCoding,
        muted: bool,
    ) -> Result<Box<dyn VoiceLine>, DoorRefusal>;

    /// A browser comes in with an offer of WebRTC; as for [`Self::enter`].
    async fn offer(
        &self,
        room: &RoomId,
        author: Author,
        sdp: &str,
        muted: bool,
    ) -> Result<VoiceAnswer, DoorRefusal>;

    /// Whose stay that is, while it lasts.
    fn whose(&self, room: &RoomId, session: &VoiceSession) -> Option<PersonId>;

    /// Turns somebody's microphone off or on.
    fn mute(&self, room: &RoomId, session: &VoiceSession, muted: bool);

    /// Ends somebody's stay.
    fn close(&self, room: &RoomId, session: &VoiceSession);

    /// Ends somebody's stay, for they have come in elsewhere.
    fn supersede(&self, room: &RoomId, session: &VoiceSession);
}
