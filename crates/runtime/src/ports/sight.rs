//! Seeing: pictures become scored glimpses, streams come in, and the text of a screen is read without a model.

use async_trait::async_trait;
use bytes::Bytes;
use thiserror::Error;
use vocabulary::{ChangeScore, PictureKind};

use crate::screens::ShareTicket;

/// A picture that cannot be looked at; for a person, why.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Undecodable(pub String);

/// What was seen of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    pub width: u32,
    pub height: u32,
    pub change: ChangeScore,
}

/// Gives every share an eye of its own.
pub trait Sight: Send + Sync {
    fn open(&self) -> Box<dyn Eye>;
}

/// Looks at the pictures of one share, one after the other, and remembers the last one it let through.
pub trait Eye: Send {
    /// Decodes a picture, whose bytes must be what `kind` says, and scores it against the one before. Work for a
    /// thread that may be kept busy for some milliseconds.
    fn look(&mut self, kind: PictureKind, bytes: &[u8]) -> Result<Seen, Undecodable>;

    /// Whoever sends the next picture saw so great a change since the one before, in pictures that were not sent.
    fn hold(&mut self, score: f64) {
        let _ = score;
    }
}

/// Why a stream was not taken.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StreamRefusal {
    /// The offer cannot be understood.
    #[error("{0}")]
    BadOffer(String),
    /// It offers no video that can be decoded here.
    #[error("{0}")]
    NoUsableVideo(String),
    /// There are too many streams already, or no socket.
    #[error("{0}")]
    Unavailable(String),
}

/// Takes video streams in over WebRTC.
#[async_trait]
pub trait Streams: Send + Sync {
    /// Answers an offer (SDP); from then on the stream's frames go to the share's ticket until either side ends it.
    async fn offer(&self, ticket: ShareTicket, sdp: &str) -> Result<String, StreamRefusal>;
}

/// A line of text on a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadLine {
    pub text: String,
    /// Its box, as parts of the picture's width and height.
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    /// How sure the reader is, 0 to 1.
    pub confidence: f32,
}

/// Reads the text of a picture without any language model.
#[async_trait]
pub trait TextReader: Send + Sync {
    /// The lines, from top to bottom. Dropping it stops the work as soon as may be.
    async fn read(&self, kind: PictureKind, bytes: Bytes) -> Result<Vec<ReadLine>, Undecodable>;

    /// Who reads, for a person.
    fn name(&self) -> String;
}
