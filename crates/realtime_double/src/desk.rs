//! What all sockets of a double share: the script of what it hears, the faults that wait, and what it was sent.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
}

/// What was wrong with what it was sent.
#[derive(Debug, Default)]
struct State {
    hears: VecDeque<String>,
    hears_always: String,
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
