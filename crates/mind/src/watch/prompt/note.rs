//! The question for a note: what is on the shared screen, and what has changed.

use minijinja::context;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::{AskPurpose, ChatRole, ChatTurn, ContentPart, Glimpse, ModelRequest, Span, WallTime};

use super::screen::{SCREEN_NOTES_CHARS_MAX, ScreenShown, is_nothing, measured, note_lines};
use crate::prompt::budget::{Keep, Section, fit, place_of};
use crate::prompt::output;
use crate::prompt::request::inherited;
use crate::prompt::templates::Template;
use crate::prompt::transcript;
use crate::reply::SILENCE_TOKEN;
use crate::watch::activity::Activity;
use crate::watch::note::{NoteTrigger, ScreenNote};

/// What the model is told to stay within: well below what is kept of a note, since few models count.
const NOTE_CHARS_WANTED: usize = 200;
const OUTPUT_TOKENS_MAX: u32 = 256;
const TEMPERATURE: f64 = 0.2;

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

/// Builds the request.
pub(crate) fn note_request(brief: &NoteBrief<'_>) -> ModelRequest {
    let settings = brief.settings;
    let watch = &settings.stream_watch;
    let structured = output::is_typed(settings);
    let fitted = fit(&sections(brief), usize::MAX);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    // Only what was noted of this very screen can still be so.
    let newest = brief.notes.last();
    let may_be_unchanged = newest.is_some_and(|note| note.shared_by == brief.shared_by);
    let shared_by = transcript::speaker(brief.shared_by);
    let system = Template::ScreenNoteSystem.render(context! {
        name => transcript::speaker(&settings.identity.name),
        shared_by => &shared_by,
        limit => NOTE_CHARS_WANTED,
        may_be_unchanged => may_be_unchanged,
        structured => structured,
        silence_token => SILENCE_TOKEN,
    });
    let task = Template::ScreenNoteTask.render(context! {
        shared_by => &shared_by,
        previous => text("previous_notes"),
        why_now => text("task"),
        measured => text("what_changed"),
        may_be_unchanged => may_be_unchanged,
    });
    let screen = ScreenShown {
        shared_by: brief.shared_by,
        glimpse: brief.glimpse,
    };
    ModelRequest {
        purpose: AskPurpose::ScreenNote,
        choice: inherited(&watch.note_provider, &watch.note_model, settings),
        system,
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![screen.picture(), ContentPart::Text(task)],
        }],
        tools: Vec::new(),
        output: output::shape(settings, "screen_note", schema(may_be_unchanged)),
        max_output_tokens: OUTPUT_TOKENS_MAX,
        temperature: TEMPERATURE,
        deadline: Span::seconds(watch.note_timeout_seconds),
        sections: fitted.into_iter().map(|place| place.report).collect(),
    }
}

fn sections(brief: &NoteBrief<'_>) -> [Section; 3] {
    let activity = match brief.activity {
        Activity::Static => "static",
        Activity::Moving => "moving",
        Activity::Significant => "significant",
    };
    let measured = measured(brief.glimpse, brief.trigger.name());
    [
        Section::new("previous_notes", 60, SCREEN_NOTES_CHARS_MAX, Keep::Newest)
            .holding(note_lines(brief.notes.iter().copied(), brief.now))
            .remarked("what was noted before, newest last"),
        Section::new("what_changed", 90, 400, Keep::Whole)
            .holding([format!("activity={activity} {measured}")])
            .remarked("what is known without a model"),
        Section::new("task", 100, 400, Keep::Whole)
            .holding([why_now(brief).to_owned()])
            .remarked("why it looks now"),
    ]
}

fn why_now(brief: &NoteBrief<'_>) -> &'static str {
    let at_rest = is_nothing(&brief.glimpse.change);
    match brief.trigger {
        NoteTrigger::Change if at_rest => "You look because what moved on the screen has come to rest.",
        NoteTrigger::FirstFrame => "You look because it is the first picture of this screen.",
        NoteTrigger::SceneCut => "You look because the whole screen has just become another.",
        NoteTrigger::Change => "You look because much of the screen has just changed.",
        NoteTrigger::Interval => "You look because the screen is moving and your newest note has grown old.",
        NoteTrigger::IdleInterval => {
            "You look because your newest note has grown very old; the screen has hardly moved since."
        }
        NoteTrigger::Commentary => "You look because somebody may comment on it.",
    }
}

/// Of a screen's first picture there is always something to say, so nobody is offered to say that nothing is new.
fn schema(may_be_unchanged: bool) -> Value {
    let mut properties = json!({
        "note": {"type": "string", "description": "what is on the screen and what has changed, in one line"},
        "why": {"type": "string", "description": "why it may matter, in a few words; may be empty"},
    });
    let mut required = vec!["note", "why"];
    if may_be_unchanged {
        properties["nothing_new"] =
            json!({"type": "boolean", "description": "the newest note still says all there is to say"});
        required.push("nothing_new");
    }
    output::object(properties, &required)
}
