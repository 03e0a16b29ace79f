//! The questions about a shared screen: what is to be seen, and whether something is worth saying.

use settings::Settings;
use vocabulary::{
    AskPurpose, ChatRole, ChatTurn, ContentPart, Glimpse, Message, ModelChoice, ModelRequest, OutputShape,
    Span, WallTime,
};

use crate::watch::activity::Activity;
use crate::watch::note::{NoteTrigger, ScreenNote};

/// Room for the rolling notes in any prompt.
pub(super) const SCREEN_NOTES_CHARS_MAX: usize = 1_600;

/// The picture of a shared screen, as a prompt carries it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenShown<'a> {
    /// Whose screen it is.
    pub shared_by: &'a str,
    pub glimpse: &'a Glimpse,
}

impl ScreenShown<'_> {
    pub(super) fn picture(&self) -> ContentPart {
        ContentPart::Image {
            id: self.glimpse.frame.attachment(),
            mime: self.glimpse.kind.mime().to_owned(),
        }
    }
}

/// What a note is based on.
#[derive(Debug)]
pub(crate) struct NoteBrief<'a> {
    /// Whose screen it is.
    pub shared_by: &'a str,
    pub glimpse: &'a Glimpse,
    pub activity: Activity,
    pub trigger: NoteTrigger,
    /// Notes taken so far, oldest first.
    pub notes: Vec<&'a ScreenNote>,
    pub now: WallTime,
    pub settings: &'a Settings,
}

/// What a comment is based on.
#[derive(Debug)]
pub(crate) struct CommentaryBrief<'a> {
    pub room: &'a str,
    pub shared_by: &'a str,
    pub glimpse: &'a Glimpse,
    /// `share_start`, `change_detected` or `interval`.
    pub trigger: &'a str,
    pub notes: Vec<&'a ScreenNote>,
    /// What was said before the window.
    pub summary: &'a str,
    /// The newest messages of the room, oldest first.
    pub window: Vec<&'a Message>,
    pub now: WallTime,
    pub settings: &'a Settings,
}

/// The question for a note.
pub(crate) fn note_request(brief: &NoteBrief<'_>) -> ModelRequest {
    plain(AskPurpose::ScreenNote, brief.glimpse, brief.settings)
}

/// The question for a comment.
pub(crate) fn commentary_request(brief: &CommentaryBrief<'_>) -> ModelRequest {
    plain(AskPurpose::ScreenCommentary, brief.glimpse, brief.settings)
}

/// The notes as a reply is told them, each with its age.
pub(crate) fn note_lines<'a>(notes: impl Iterator<Item = &'a ScreenNote>, now: WallTime) -> Vec<String> {
    let _ = now;
    notes.map(ScreenNote::with_why).collect()
}

fn plain(purpose: AskPurpose, glimpse: &Glimpse, settings: &Settings) -> ModelRequest {
    ModelRequest {
        purpose,
        choice: ModelChoice {
            provider: settings.llm.provider.clone(),
            model: settings.llm.model.clone(),
        },
        system: String::new(),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![ContentPart::Image {
                id: glimpse.frame.attachment(),
                mime: glimpse.kind.mime().to_owned(),
            }],
        }],
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: 256,
        temperature: 0.2,
        deadline: Span::seconds(settings.stream_watch.note_timeout_seconds),
        sections: Vec::new(),
    }
}
