//! The question for a thought of its own: eleven sections, from the mode it is in to what it is to do.

use settings::Settings;
use vocabulary::{
    AskPurpose, ChatTurn, FeedSource, MediaKind, MediaWish, ModelRequest, Span, ToolSpec, WallTime,
};

use super::classifier::inherited;
use super::output;
use super::screen::ScreenShown;
use crate::ambient::channels::ChannelSummary;
use crate::ambient::feed::{Candidate, SourceTally};

/// The thought that is held.
#[derive(Clone, Debug)]
pub(crate) struct HeldBrief<'a> {
    pub text: &'a str,
    pub channel: &'a str,
    pub media: Option<&'a MediaWish>,
    pub reason: &'a str,
    pub held_for: Span,
    pub expires_in: Span,
    pub revisions: usize,
    /// Messages by people in the pool since it was last looked at.
    pub messages_since: usize,
}

/// What a thought is based on.
#[derive(Debug)]
pub(crate) struct AmbientBrief<'a> {
    pub settings: &'a Settings,
    pub now: WallTime,
    pub held: Option<HeldBrief<'a>>,
    pub channels: &'a [ChannelSummary],
    pub feed: &'a [Candidate],
    pub sources: &'a [(FeedSource, SourceTally, bool)],
    pub interests: &'a [String],
    /// Lines of durable memory, of standing guidance, and of behavioural memory that fits.
    pub memory: &'a [String],
    pub guidance: &'a [String],
    pub behaviour: &'a [String],
    /// Media that may be wished for now.
    pub media: &'a [MediaKind],
    pub posts_left_today: u64,
    /// The screen, once it was asked for with look_at_screen.
    pub frame: Option<ScreenShown<'a>>,
    /// Tools on offer in this round; empty: this is the final answer.
    pub tools: Vec<ToolSpec>,
    pub tool_turns: &'a [ChatTurn],
    /// See `ReplyBrief::budget_divisor`.
    pub budget_divisor: usize,
}

/// Builds the request.
pub(crate) fn ambient_request(brief: &AmbientBrief<'_>) -> ModelRequest {
    let settings = brief.settings;
    ModelRequest {
        purpose: AskPurpose::AmbientThought,
        choice: inherited(
            &settings.initiative.execution,
            &settings.initiative.model,
            settings,
        ),
        system: String::new(),
        turns: brief.tool_turns.to_vec(),
        tools: brief.tools.clone(),
        output: output::shape(settings, "thought", serde_json::json!({})),
        max_output_tokens: settings.llm.max_output_tokens as u32,
        temperature: settings.llm.temperature,
        deadline: Span::seconds(settings.llm.timeout_seconds),
        sections: Vec::new(),
    }
}
