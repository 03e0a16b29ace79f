//! Voice rooms: what is heard and what is said in them, as sound. The mind never holds sound; it is told of speech and words.
//!
//! Sound is carried in frames by bounded channels: whoever is slow loses the oldest frames of its own, and holds up nobody
//! else. Whatever is dropped is over: the receiver of a track, a [`Playback`], a [`VoiceRoom`].

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;
use tokio::sync::mpsc;
use vocabulary::{Author, DeliveryId, PersonId, RoomId, Span};

/// Samples of one channel a second.
pub const SAMPLES_PER_SECOND: u32 = 48_000;

/// A piece of sound: 16-bit samples of one channel, little-endian, at [`SAMPLES_PER_SECOND`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundFrame {
    pub samples: Bytes,
    /// When it was heard or is to be heard, counted from the beginning of its track.
    pub at: Span,
}

/// Why a voice room cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum VoiceFault {
    #[error("there is no voice here. Start Denizen with a platform that has voice rooms")]
    NoVoice,
    /// Nothing changes by trying again.
    #[error("{detail}")]
    Refused { room: RoomId, detail: String },
    #[error("the connection to {room} was lost: {detail}")]
    Lost { room: RoomId, detail: String },
}

/// Who comes and goes in the voice of rooms, whether or not Denizen is in it. A person who comes by another device, or
/// anew after a reload, has not left in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VoiceComing {
    Joined {
        room: RoomId,
        author: Author,
    },
    Left {
        room: RoomId,
        person: PersonId,
    },
    /// There is sound of them, or no more. For pages: whether it is speech is for ears to say.
    Sounding {
        room: RoomId,
        person: PersonId,
        sounding: bool,
    },
}

/// What happens in a voice room that Denizen is in.
#[derive(Debug)]
pub enum VoiceEvent {
    Joined(Author),
    Left(PersonId),
    /// Somebody can be heard; the track ends when they cannot any more.
    Track {
        person: PersonId,
        frames: mpsc::Receiver<SoundFrame>,
    },
    /// Denizen is not in the room any more, for a reason of the platform's.
    Ended(VoiceFault),
}

/// How a delivery was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaybackExtent {
    Whole,
    /// It was stopped after so much of it.
    Until(Span),
}

/// A platform with voice rooms.
#[async_trait]
pub trait Voice: Send + Sync {
    /// Joins a room; what happens there comes by the receiver until the room is left or lost. Those who are there already
    /// are told of first.
    async fn join(
        &self,
        room: &RoomId,
    ) -> Result<(Box<dyn VoiceRoom>, mpsc::Receiver<VoiceEvent>), VoiceFault>;
}

/// A voice room that Denizen is in. Dropping it leaves the room.
#[async_trait]
pub trait VoiceRoom: Send + Sync {
    /// Plays sound as it comes; the answer says how much of it was heard. One delivery at a time: a second waits. Nothing
    /// is taken from the channel before its time, so a frame that was taken is being heard.
    async fn play(
        &self,
        delivery: &DeliveryId,
        frames: mpsc::Receiver<SoundFrame>,
    ) -> Result<PlaybackExtent, VoiceFault>;
    /// Falls silent within a frame, whatever is playing or waiting. Never waits for a network or a disk.
    fn stop(&self);
    /// Leaves the room, after what is playing has been stopped.
    async fn leave(self: Box<Self>);
}

/// For a platform without voice rooms.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoVoice;

#[async_trait]
impl Voice for NoVoice {
    async fn join(&self, _: &RoomId) -> Result<(Box<dyn VoiceRoom>, mpsc::Receiver<VoiceEvent>), VoiceFault> {
        Err(VoiceFault::NoVoice)
    }
}
