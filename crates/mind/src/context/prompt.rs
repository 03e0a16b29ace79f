//! The question for a new running summary.

use gist::gems::redaction::redact;
use minijinja::context;
use settings::Settings;
use vocabulary::text::{head, one_line};
use vocabulary::{AskPurpose, ChatRole, ChatTurn, ContentPart, ModelChoice, ModelRequest, OutputShape, Span};

use super::compaction::{NOTES_CHARS_MAX, SUMMARY_CHARS_MAX};
use super::notes::PendingNote;
use crate::log::Said;
use crate::prompt::budget::{Keep, Section, fit};
use crate::prompt::request::{CHARS_PER_TOKEN, inherited};
use crate::prompt::templates::Template;
use crate::prompt::transcript;

/// Longest text of one turn that is folded.
const TURN_CHARS_MAX: usize = 1_200;
/// However little a model takes, so much of each turn is folded.
const TURN_CHARS_MIN: usize = 40;
/// What the templates take, and what stands before the words of a turn.
const WORDING_CHARS: usize = 1_700;
const SPEAKER_CHARS: usize = 40;
/// About 1,000 characters: below the limit, so that a model that fills it is still short enough.
pub(super) const OUTPUT_TOKENS_MAX: u32 = 256;
const TEMPERATURE: f64 = 0.2;

/// What a new summary is made of.
#[derive(Debug)]
pub(crate) struct CompactionBrief<'a> {
    pub previous: &'a str,
    pub turns: &'a [Said],
    pub notes: &'a [PendingNote],
    /// The last attempt invented something.
    pub sent_back: bool,
    /// Tokens that the question may have.
    pub prompt_tokens: u64,
    pub settings: &'a Settings,
}

pub(crate) fn compaction_request(brief: &CompactionBrief<'_>) -> ModelRequest {
    let turn_chars = turn_chars(brief);
    let turns = brief.turns.iter().map(|turn| folded_line(turn, turn_chars));
    let sections = [
        // An over-long summary that is to be condensed must go in whole, so this cap is no limit on the summary.
        Section::new("previous_summary", 100, usize::MAX, Keep::Newest).holding([brief.previous.to_owned()]),
        Section::new("folded_turns", 90, usize::MAX, Keep::Newest).holding(turns),
        Section::new("folded_notes", 80, NOTES_CHARS_MAX * 2, Keep::Newest)
            .holding(brief.notes.iter().map(PendingNote::line)),
    ];
    let fitted = fit(&sections, usize::MAX);
    let task = Template::CompactionTask.render(context! {
        previous => &fitted[0].report.text,
        turns => &fitted[1].report.text,
        notes => &fitted[2].report.text,
        limit => SUMMARY_CHARS_MAX,
        sent_back => brief.sent_back,
    });
    let settings = brief.settings;
    ModelRequest {
        purpose: AskPurpose::ContextCompaction,
        choice: choice(settings),
        system: Template::CompactionSystem
            .render(context! { name => transcript::speaker(&settings.identity.name) }),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![ContentPart::Text(task)],
        }],
        tools: Vec::new(),
        output: OutputShape::Text,
        max_output_tokens: OUTPUT_TOKENS_MAX,
        temperature: TEMPERATURE,
        deadline: Span::seconds(settings.compaction.timeout_seconds),
        sections: fitted.into_iter().map(|place| place.report).collect(),
    }
}

/// Every turn of the batch must go in, since all of it will be gone; where room is short, each gives up some of its end.
fn turn_chars(brief: &CompactionBrief<'_>) -> usize {
    let notes: usize = brief
        .notes
        .iter()
        .map(|note| note.line().chars().count() + 1)
        .sum();
    let taken = WORDING_CHARS + brief.previous.chars().count() + notes;
    let whole = brief.prompt_tokens as usize * CHARS_PER_TOKEN;
    let each = whole.saturating_sub(taken) / brief.turns.len().max(1);
    each.saturating_sub(SPEAKER_CHARS)
        .clamp(TURN_CHARS_MIN, TURN_CHARS_MAX)
}

fn choice(settings: &Settings) -> ModelChoice {
    let own = &settings.compaction;
    inherited(&own.provider, &own.model, settings)
}

/// Who is asked for summaries, for the journal.
pub(crate) fn summariser_model(settings: &Settings) -> String {
    let ModelChoice { provider, model } = choice(settings);
    format!("{provider} {model}").trim_end().to_owned()
}

/// A turn as the summariser reads it: on one line, so that nothing in it can pass for somebody else's.
pub(crate) fn folded_line(said: &Said, chars_max: usize) -> String {
    let speaker = transcript::speaker(said.speaker());
    let words = one_line(&redact(said.text()).text);
    let words = head(&words, chars_max);
    format!("[{}] {speaker}: {words}", transcript::clock(said.message.at))
}
