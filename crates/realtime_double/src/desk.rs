//! What all sockets of a double share: the script of what it hears, the faults that wait, and what it was sent.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;
use tokio::sync::Notify;

/// Something that goes wrong once, at the next occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mischief {
    /// The key is refused at the door.
    RefuseKey,
    /// Nobody is let in: 503.
    Unavailable,
    /// The connection breaks when a clip was committed.
    DropOnCommit,
    /// The connection breaks in the midst of a text, after two pieces of sound.
    DropInSpeech,
    /// Nothing more of a text comes, and nothing is said about it.
    StallInSpeech,
    /// A text is refused.
    RefuseText,
    /// A clip cannot be understood.
    FailTranscript,
    /// Sound goes on after it was to stop.
    GoOnAfterCancel,
    /// Every frame of a text comes twice.
    Repeat,
    /// Something else is said than was given.
    Depart,
    /// It says that it will hang up.
    GoAway,
    /// Too much was asked for.
    RateLimit,
    /// An answer is refused.
    RefuseAnswer,
    /// Nothing is left to pay with.
    NoQuota,
    /// There is no such model.
    UnknownModel,
    /// The same, told only when it was told how the session is to be; where nobody tells it that, when it is given a text.
    UnknownModelOnceSetUp,
    /// There is no such model for writing down what is heard.
    UnknownEars,
    /// The words of a clip come after those of the next one.
    SwapTranscripts,
}

/// What it does when it is to answer out of its own head.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    Words(String),
    /// It calls a tool first.
    Call {
        name: String,
        arguments: Value,
    },
}

/// A frame that was sent to the double.
#[derive(Clone, Debug)]
pub struct Received {
    /// Which connection, counted from one.
    pub connection: u64,
    /// The path with its query, and whether there was a key.
    pub path: String,
    pub key: Option<String>,
    pub frame: Value,
    pub at: Instant,
}

/// What was wrong with what it was sent.
#[derive(Debug, Default)]
struct State {
    hears: VecDeque<String>,
    hears_always: String,
    replies: VecDeque<Reply>,
    replies_always: String,
    /// What conversations know, by connection: who, and what.
    known: Vec<(u64, String, String)>,
    truncated: Vec<(String, u64)>,
    /// When a piece of sound went out, by connection.
    sounded: Vec<(u64, Instant)>,
    faults: Vec<Mischief>,
    received: Vec<Received>,
    connections: u64,
    /// What it keeps in mind, by connection.
    items: Vec<(u64, String)>,
    numbers: u64,
}

/// Shared by all sockets of a double. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    state: Arc<Mutex<State>>,
    pub(crate) changed: Arc<Notify>,
    /// Every connection breaks when this is told.
    pub(crate) cut: Arc<Notify>,
}

impl Desk {
    pub(crate) fn hears_always(&self, words: &str) {
        words.clone_into(&mut self.state().hears_always);
    }

    pub(crate) fn hears(&self, words: &str) {
        self.state().hears.push_back(words.to_owned());
    }

    /// The words of the next clip.
    pub(crate) fn next_words(&self) -> String {
        let mut state = self.state();
        let next = state.hears.pop_front();
        next.unwrap_or_else(|| state.hears_always.clone())
    }

    pub(crate) fn replies(&self, reply: Reply) {
        self.state().replies.push_back(reply);
    }

    pub(crate) fn replies_always(&self, words: &str) {
        words.clone_into(&mut self.state().replies_always);
    }

    pub(crate) fn next_reply(&self) -> Reply {
        let mut state = self.state();
        let next = state.replies.pop_front();
        next.unwrap_or_else(|| Reply::Words(state.replies_always.clone()))
    }

    pub(crate) fn know(&self, connection: u64, who: &str, what: &str) {
        let known = (connection, who.to_owned(), what.to_owned());
        self.state().known.push(known);
        self.changed.notify_waiters();
    }

    pub(crate) fn known(&self) -> Vec<(u64, String, String)> {
        self.state().known.clone()
    }

    pub(crate) fn truncate(&self, item: &str, heard_ms: u64) {
        self.state().truncated.push((item.to_owned(), heard_ms));
        self.changed.notify_waiters();
    }

    pub(crate) fn truncated(&self) -> Vec<(String, u64)> {
        self.state().truncated.clone()
    }

    pub(crate) fn sound(&self, connection: u64) {
        self.state().sounded.push((connection, Instant::now()));
    }

    pub(crate) fn sounded(&self) -> Vec<(u64, Instant)> {
        self.state().sounded.clone()
    }

    /// What it was sent, and when it spoke, is forgotten.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.received.clear();
        state.sounded.clear();
    }

    pub(crate) fn fault(&self, fault: Mischief) {
        self.state().faults.push(fault);
    }

    /// Whether this goes wrong now; it does so once.
    pub(crate) fn goes_wrong(&self, fault: Mischief) -> bool {
        let mut state = self.state();
        let place = state.faults.iter().position(|other| *other == fault);
        place.map(|place| state.faults.remove(place)).is_some()
    }

    pub(crate) fn connected(&self) -> u64 {
        let mut state = self.state();
        state.connections += 1;
        state.connections
    }

    pub(crate) fn receive(&self, received: Received) {
        self.state().received.push(received);
        self.changed.notify_waiters();
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.state().received.clone()
    }

    pub(crate) fn number(&self) -> u64 {
        let mut state = self.state();
        state.numbers += 1;
        state.numbers
    }

    pub(crate) fn remember(&self, connection: u64, item: &str) {
        self.state().items.push((connection, item.to_owned()));
    }

    /// Whether it was there to be forgotten.
    pub(crate) fn forget(&self, connection: u64, item: &str) -> bool {
        let mut state = self.state();
        let before = state.items.len();
        state
            .items
            .retain(|(of, kept)| !(*of == connection && kept == item));
        state.items.len() < before
    }

    pub(crate) fn kept(&self) -> usize {
        self.state().items.len()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
