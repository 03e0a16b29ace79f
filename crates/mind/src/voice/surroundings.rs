//! What the voice of a room is lent of the room for a step, and what it leaves there to be written.

use vocabulary::{JournalSeq, RoomId};

use super::writing::Written;
use crate::context::compaction::Compaction;
use crate::watch::Watch;

/// What an answer is made from: the other parts of the room.
#[derive(Debug)]
pub(crate) struct VoiceContext<'a> {
    pub room: &'a RoomId,
    /// What people call the room, and models too.
    pub name: &'a str,
    pub log: &'a mut Compaction,
    pub watch: &'a Watch,
    /// A reply is being written in the text of the room.
    pub answers_in_text: bool,
    /// Nothing is to be said in the room for a while.
    pub is_quiet: bool,
    /// What is to be told of itself in the text of the room, and because of which line: no part of the conversation.
    pub signs: Vec<(String, JournalSeq)>,
    /// Answers that could not be said.
    pub answers: Vec<Written>,
}
