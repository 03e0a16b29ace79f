//! The question for a comment: whether what is on the shared screen is worth a word, as somebody who watches along.

use minijinja::context;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::{AskPurpose, ContentPart, Glimpse, Message, ModelChoice, ModelRequest, Span, WallTime};

use super::screen::{SCREEN_NOTES_CHARS_MAX, ScreenShown, age, is_nothing, measured, note_lines};
use crate::context::compaction::SUMMARY_CHARS_MAX;
use crate::prompt::budget::{Fitted, Keep, Section, fit, place_of};
use crate::prompt::conversation;
use crate::prompt::output;
use crate::prompt::request::{CHARS_PER_TOKEN, inherited};
use crate::prompt::templates::Template;
use crate::prompt::transcript;
use crate::reply::SILENCE_TOKEN;
use crate::watch::note::ScreenNote;
use crate::watch::reading::COMMENT_NOTES_MAX;

/// What the templates themselves take, whatever is filled in.
const WORDING_CHARS: usize = 3_200;
/// What was longer ago has not just happened.
const JUST_NOW: Span = Span::seconds(15);
const AT_REST: &str = "What moved on the screen has come to rest.";

/// What a comment is based on.
#[derive(Debug)]
pub(crate) struct CommentaryBrief<'a> {
    pub room: &'a str,
    pub shared_by: &'a str,
    pub glimpse: &'a Glimpse,
    /// `share_start`, `change_detected` or `interval`.
    pub trigger: &'a str,
    /// How long ago the change was that it is considered for.
    pub ago: Span,
    pub notes: Vec<&'a ScreenNote>,
    /// What was said before the window.
    pub summary: &'a str,
    /// The newest messages of the room, oldest first.
    pub window: Vec<&'a Message>,
    /// What is said is said in the voice of the room.
    pub aloud: bool,
    pub now: WallTime,
    /// Tokens that the question may have.
    pub prompt_tokens: u64,
    pub settings: &'a Settings,
}

/// Builds the request.
pub(crate) fn commentary_request(brief: &CommentaryBrief<'_>) -> ModelRequest {
    let settings = brief.settings;
    let llm = &settings.llm;
    let structured = output::is_typed(settings);
    let lines = conversation::lines(&brief.window);
    let whole = brief.prompt_tokens as usize * CHARS_PER_TOKEN;
    let fitted = fit(&sections(brief, &lines), whole.saturating_sub(WORDING_CHARS));
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let shared_by = transcript::speaker(brief.shared_by);
    let system = Template::ScreenCommentarySystem.render(context! {
        name => transcript::speaker(&settings.identity.name),
        aliases => &settings.identity.aliases,
        room => brief.room,
        shared_by => &shared_by,
        persona => text("persona"),
        manners => Template::Manners.render(context! {}),
        participants => text("participants"),
        session_summary => text("session_summary"),
        screen_notes => text("screen_notes"),
        structured => structured,
        silence_token => SILENCE_TOKEN,
        notes_max => COMMENT_NOTES_MAX,
        aloud => brief.aloud,
    });
    let task = Template::ScreenCommentaryTask.render(context! {
        date => transcript::date(brief.now),
        time => transcript::clock(brief.now),
        shared_by => &shared_by,
        why_now => text("task"),
        measured => text("what_changed"),
    });
    let screen = ScreenShown {
        shared_by: brief.shared_by,
        glimpse: brief.glimpse,
    };
    let kept = place_of(&fitted, "recent_messages").map_or(0..0, |place| place.kept.clone());
    let last = vec![screen.picture(), ContentPart::Text(task)];
    ModelRequest {
        purpose: AskPurpose::ScreenCommentary,
        choice: choice(settings),
        system,
        turns: conversation::turns(&brief.window, &lines, kept, last),
        tools: Vec::new(),
        output: output::shape(settings, "screen_comment", schema()),
        max_output_tokens: llm.max_output_tokens as u32,
        temperature: llm.temperature,
        deadline: Span::seconds(llm.timeout_seconds),
        sections: fitted.into_iter().map(|Fitted { report, .. }| report).collect(),
    }
}

/// Whoever comments: a model of its own, or the one that talks.
fn choice(settings: &Settings) -> ModelChoice {
    let (watch, voice) = (&settings.stream_watch, &settings.voice_generation);
    match watch.commentary_provider.own() {
        Some(_) => inherited(&watch.commentary_provider, &watch.commentary_model, settings),
        None if watch.commentary_model.is_empty() => inherited(&voice.provider, &voice.model, settings),
        None => inherited(&voice.provider, &watch.commentary_model, settings),
    }
}

fn sections(brief: &CommentaryBrief<'_>, lines: &[String]) -> [Section; 7] {
    [
        Section::new("persona", 95, 4_000, Keep::Whole)
            .holding([brief.settings.identity.persona.clone()])
            .remarked("identity.persona"),
        Section::new("participants", 60, 600, Keep::First)
            .holding([conversation::participants(&brief.window)])
            .remarked("who wrote lately"),
        Section::new("session_summary", 65, SUMMARY_CHARS_MAX, Keep::Sentences)
            .holding([brief.summary.to_owned()])
            .remarked("what was said before the conversation below"),
        Section::new("screen_notes", 85, SCREEN_NOTES_CHARS_MAX, Keep::Newest)
            .holding(note_lines(brief.notes.iter().copied(), brief.now))
            .remarked("what was seen on shared screens"),
        Section::new("recent_messages", 80, usize::MAX, Keep::Newest)
            .holding(lines.iter().cloned())
            .cut_by(conversation::cuts(&brief.window))
            .remarked("the conversation, newest last"),
        Section::new("what_changed", 98, 400, Keep::Whole)
            .holding([measured(brief.glimpse, brief.trigger)])
            .remarked("what is known without a model"),
        Section::new("task", 100, 400, Keep::Whole)
            .holding([why_now(brief)])
            .remarked("why it is considered now"),
    ]
}

fn why_now(brief: &CommentaryBrief<'_>) -> String {
    let where_most = match brief.glimpse.change.region {
        Some(region) => format!(", most of it {}", region.words()),
        None => String::new(),
    };
    match brief.trigger {
        "share_start" => "The sharing has just begun: this is the first you see of it.".to_owned(),
        // Nothing is said to have happened beside a change of nothing.
        "change_detected" if is_nothing(&brief.glimpse.change) => AT_REST.to_owned(),
        "change_detected" if brief.ago < JUST_NOW => {
            format!("Something has just happened on the screen{where_most}.")
        }
        "change_detected" => {
            format!(
                "Something happened on the screen {} ago{where_most}.",
                age(brief.ago.0)
            )
        }
        _ => "Nothing special has happened; you have watched for a while.".to_owned(),
    }
}

/// The action comes first, as in a reply; the notes last, so that an answer that is cut off still says its words.
fn schema() -> Value {
    let note = json!({
        "note": {"type": "string", "description": "what was seen, in one line"},
        "why": {"type": "string", "description": "why it may matter later; may be empty"}
    });
    let note = output::object(note, &["note", "why"]);
    let comment = json!({
        "action": {
            "type": "string", "enum": ["say", "skip"],
            "description": "say to say something, skip to stay silent"
        },
        "text": {"type": "string", "description": "what to say in the room; empty when silent"},
        "reason": {"type": "string", "description": "why, in a few words; not shown in the room"},
        "notes": {"type": "array", "items": note, "maxItems": COMMENT_NOTES_MAX}
    });
    output::object(comment, &["action", "text", "reason", "notes"])
}
