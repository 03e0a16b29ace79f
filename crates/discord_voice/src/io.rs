//! Where a call is, what can happen to it, and what it can want.

use std::fmt;
use std::net::SocketAddr;

use secrecy::SecretString;

use crate::closing::CallEnd;

/// Where a call is to be had, and who joins it: what the main gateway's voice state and voice server say.
#[derive(Clone, Debug)]
pub struct CallPlace {
    /// `host` or `host:port`. On loopback it is spoken to without TLS.
    pub endpoint: String,
    pub token: SecretString,
    /// Of the bot's own voice state.
    pub session: SecretString,
    pub guild: u64,
    pub channel: u64,
    /// The bot itself.
    pub user: u64,
}

/// What can happen to a call.
#[derive(Debug)]
pub enum CallInput<'a> {
    Opened,
    Text(&'a str),
    Binary(&'a [u8]),
    /// Closed by the other side, broken, or never opened.
    Closed(Option<u16>),
    Datagram(&'a [u8]),
    /// The line of sound could not be opened, or broke.
    LineFailed,
    Command(CallCommand),
    /// Nothing but the time.
    Tick,
}

/// A wish of whoever has the call.
#[derive(Clone, Debug)]
pub enum CallCommand {
    /// A frame of Opus of 20 ms, 48 kHz.
    Play(Vec<u8>),
    /// No more of what was to be played.
    Stop,
    /// The call is at another server now, or in another channel.
    Move(CallPlace),
    Leave,
}

/// What a call can want.
#[derive(Debug)]
pub enum CallOutput {
    /// To a voice server's gateway.
    Connect(String),
    Send(CallPayload),
    SendBinary(Vec<u8>),
    /// The connection is of no use any more, whatever the other side answers.
    Close(u16),
    /// A line of sound; the one before is closed.
    OpenLine(SocketAddr),
    Datagram(Vec<u8>),
    Event(CallEvent),
    /// It is over.
    Ended(CallEnd),
}

/// A message to the voice gateway. It may have a token in it, so it is not shown.
pub struct CallPayload(pub String);

impl fmt::Debug for CallPayload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallPayload(…)")
    }
}

/// What a call tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEvent {
    /// Sound goes both ways.
    Live,
    /// It does not, for a while.
    Interrupted,
    Joined {
        user: u64,
    },
    Left {
        user: u64,
    },
    /// Somebody begins to speak, or has ended: their client's own word, before any sound of theirs.
    Speaking {
        user: u64,
        is_speaking: bool,
    },
    Packet(HeardPacket),
    /// What people can compare, to know that nobody listens between them. None while nothing is encrypted from end to end.
    PrivacyCode(Option<String>),
    /// The call goes on where the main gateway says, by `Move`. `is_asked`: nobody says anything unless they are asked
    /// (by joining anew).
    PlaceWanted {
        is_asked: bool,
    },
    Ended(CallEnd),
}

/// A frame of somebody's, opened, as it came: they may come out of order, or not at all.
#[derive(Clone, PartialEq, Eq)]
pub struct HeardPacket {
    pub user: u64,
    /// Of their stream; another one is another beginning.
    pub ssrc: u32,
    pub sequence: u16,
    /// In samples at 48 kHz.
    pub timestamp: u32,
    pub opus: Vec<u8>,
}

impl fmt::Debug for HeardPacket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "HeardPacket({}: {}@{}, {} bytes)",
            self.user,
            self.sequence,
            self.timestamp,
            self.opus.len()
        )
    }
}
