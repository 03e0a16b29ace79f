//! The question for a thought of its own: eleven sections, from the mode it is in to what it is to do.

mod channels;
mod feed;
mod quoting;
mod schema;
mod sections;

use minijinja::context;
use settings::Settings;
use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, FeedSource, MediaKind, MediaWish, ModelRequest, Span,
    ToolSpec, WallTime,
};

use super::channels::ChannelSummary;
use super::feed::{Candidate, SourceTally};
use crate::prompt::budget::{Fitted, fit, place_of};
use crate::prompt::request::{CHARS_PER_TOKEN, inherited, outside_chars, tool_chars};
use crate::prompt::templates::Template;
use crate::prompt::{output, transcript};
use crate::watch::prompt::ScreenShown;

/// What headings and lines of introduction take, whatever is filled in.
const WORDING_CHARS: usize = 1_600;

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
    /// Tokens that the question may have.
    pub prompt_tokens: u64,
    /// See `ReplyBrief::budget_divisor`.
    pub budget_divisor: usize,
}

/// Builds the request.
pub(crate) fn ambient_request(brief: &AmbientBrief<'_>) -> ModelRequest {
    let settings = brief.settings;
    let llm = &settings.llm;
    let whole = brief.prompt_tokens as usize * CHARS_PER_TOKEN / brief.budget_divisor.max(1);
    let taken = WORDING_CHARS + outside_chars(&brief.tools) + tool_chars(brief.tool_turns);
    let (sections, budget) = sections::of(brief, whole.saturating_sub(taken));
    let fitted = fit(&sections, budget);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let system = Template::AmbientSystem.render(context! {
        name => transcript::speaker(&settings.identity.name),
        aliases => &settings.identity.aliases,
        persona => text("persona"),
        mode => text("ambient_text_mode"),
    });
    let user = Template::AmbientUser.render(context! {
        thought => text("current_thought"),
        channels => text("channels"),
        feed => text("feed"),
        sources => text("feed_sources"),
        interests => text("community_interests"),
        memory => text("memory"),
        guidance => text("behavior_guidance"),
        behaviour => text("behavioral_memory"),
        capabilities => text("capabilities"),
        task => text("task"),
    });
    let picture = brief.frame.map(|screen| screen.picture());
    let mut turns = vec![ChatTurn {
        role: ChatRole::User,
        parts: picture.into_iter().chain([ContentPart::Text(user)]).collect(),
    }];
    turns.extend(brief.tool_turns.iter().cloned());
    let rooms = brief.channels.iter().map(|channel| channel.room.as_str());
    ModelRequest {
        purpose: AskPurpose::AmbientThought,
        choice: inherited(
            &settings.initiative.execution,
            &settings.initiative.model,
            settings,
        ),
        system,
        turns,
        tools: brief.tools.clone(),
        output: output::shape(settings, "thought", schema::thought(rooms, brief.media)),
        max_output_tokens: llm.max_output_tokens as u32,
        temperature: llm.temperature,
        deadline: Span::seconds(llm.timeout_seconds),
        sections: fitted.into_iter().map(|Fitted { report, .. }| report).collect(),
    }
}

#[cfg(test)]
mod prompt_rules_tests;
#[cfg(test)]
mod prompt_tests;
#[cfg(test)]
mod prompt_world;
