//! A conversation that is kept at a realtime service, which thinks and speaks for itself once it is asked to.
//!
//! It is told who speaks and hears their clips, one after the other; none of that makes it speak. When Denizen has decided
//! that an answer is wanted, it is asked for one. Whatever it is told is told in the order of the calls: what is asked later
//! comes after it, also where an earlier call is still waited for.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use vocabulary::{Span, ToolCall, ToolResult, ToolSpec, Usage};

use super::realtime::{RealtimeFault, RealtimeSound, RealtimeTranscript};

/// What a service calls what it is asked for, and what it tells: names of its own events, as the journal has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NativeEvents {
    /// `session.update`
    pub instruct: &'static str,
    /// `input_audio_buffer.commit`
    pub hear: &'static str,
    /// `conversation.item.input_audio_transcription.completed`
    pub heard: &'static str,
    /// `response.create`
    pub answer: &'static str,
    /// `response.output_audio_transcript.delta`
    pub words: &'static str,
    /// `conversation.item.truncate`; empty where a service cannot be told how much was heard.
    pub stop: &'static str,
}

/// What a service is told to be, until it is told otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NativeInstructions {
    /// At most 5,200 characters.
    pub text: String,
    /// What it may call.
    pub tools: Vec<ToolSpec>,
}

/// Sound of people, on its way into the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct NativeClip {
    /// Who is heard in it, by name: one, or several who spoke at once.
    pub speakers: Vec<String>,
    /// 16,000 samples a second.
    pub samples: Arc<[i16]>,
    /// Its words are wanted. Those of several people at once are had elsewhere, for each of them.
    pub wants_words: bool,
}

/// A piece of an answer. Sound and words of one answer come in their order; which of the two is ahead is open.
#[derive(Clone, Debug, PartialEq)]
pub enum NativePiece {
    /// Its marks count the characters of all words of this answer so far.
    Sound(RealtimeSound),
    /// More of what it says, as it says it: with the spaces that belong to it.
    Words(String),
    /// It calls a tool; arguments that are no JSON come as a JSON string of what they are.
    Call(ToolCall),
    /// It fails, and was not free all the same.
    Spent(Usage),
    /// Nothing follows.
    Over(Result<Usage, RealtimeFault>),
}

/// What a service knows, as far as it can be told from here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeKnown {
    /// How often the conversation was begun, from 1: it knows nothing of what was before it began last.
    pub begun: u64,
    /// Items that were given to it since and not taken back: clips, texts, answers, results.
    pub items: u64,
    /// Of these, people's clips, and for how long they go.
    pub clips: u64,
    pub heard: Span,
    /// Tokens that it said it read for its last answer; none where it says nothing of the kind.
    pub input_tokens: Option<u64>,
    /// It folds or drops what is old by itself, and does not tell which.
    pub folds: bool,
}

/// A conversation that a service keeps. Dropping it ends it.
#[async_trait]
pub trait NativeConversation: Send + Sync {
    /// Whose: `openai:gpt-realtime-1.5`.
    fn engine(&self) -> String;
    fn events(&self) -> NativeEvents;
    /// Whether it is given words where others are given sound: several people in one clip are nothing to it.
    fn is_deaf(&self) -> bool {
        false
    }
    /// The most that an answer can cost which is based on so many characters and so much sound, in millionths of a dollar;
    /// none where that is not known.
    fn answer_price(&self, characters: u64, heard: Span) -> Option<u64>;
    /// Millionths of a dollar for the words of so many seconds.
    fn hearing_price(&self, seconds: f64) -> Option<u64>;
    /// What it knows, and when that changes.
    fn known(&self) -> watch::Receiver<NativeKnown>;
    /// What it is to be from now on. Whoever tells the same again has nothing sent.
    fn instruct(&self, instructions: NativeInstructions);
    /// Tells it something in words, of which it takes no notice until it is asked: who came and went, what was typed.
    fn tell(&self, text: String);
    /// Has it hear a clip, after a line that says whose it is; the words of it, where they are wanted. It is on its way once
    /// this is first waited for. Whoever waits no more is not told: the clip stays in the conversation.
    async fn hear(&self, clip: NativeClip, deadline: Instant) -> Result<RealtimeTranscript, RealtimeFault>;
    /// What its calls came to; it goes on by the next [`NativeConversation::answer`].
    fn give_results(&self, results: Vec<ToolResult>);
    /// Has it answer now, after being told what to heed this once. One answer at a time: a new one stops the one before.
    /// Nothing but `Over` comes after `Over`, and it comes once. Whoever drops the receiver has let go of the answer: it is
    /// stopped, as if nothing of it had been heard.
    fn answer(&self, hint: String) -> mpsc::Receiver<NativePiece>;
    /// Stops the answer that is under way, or was last: so much of its sound was heard, and it is to know of no more.
    /// Sound that still comes of it is thrown away.
    fn stop(&self, heard: Span);
    /// Lets go of everything it was told and has heard, and begins again with the same instructions.
    fn begin_anew(&self);
}
