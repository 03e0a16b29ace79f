//! Who a shard is, what can happen to it, and what it can want.

use secrecy::SecretString;

use super::Intents;
use super::closing::GatewayRefusal;
use super::commands::{BotPresence, GatewayCommand, Outgoing};
use crate::wire::GatewayEvent;

/// Who logs in, and for what.
#[derive(Clone, Debug)]
pub struct ShardLogin {
    pub token: SecretString,
    pub intents: Intents,
    /// Which of how many.
    pub shard: (u32, u32),
    pub presence: BotPresence,
}

/// What can happen to a shard.
#[derive(Debug)]
pub enum ShardInput<'a> {
    Opened,
    Text(&'a str),
    /// Closed by the other side, broken, or never opened.
    Closed(Option<u16>),
    /// It may begin a session.
    TurnGranted,
    Command(GatewayCommand),
    /// Nothing but the time.
    Tick,
}

/// What a shard can want.
#[derive(Debug)]
pub enum ShardOutput {
    Connect(String),
    Send(Outgoing),
    /// The connection is of no use any more, whatever the other side answers.
    Close(u16),
    /// It wants to begin a session, and waits for its turn.
    AskTurn,
    /// It no longer waits for it.
    WithdrawTurn,
    Event(Box<GatewayEvent>),
    /// Something of this name could not be read, and was left out.
    Skipped(String),
    /// It has stopped for good.
    Stopped(GatewayRefusal),
}
