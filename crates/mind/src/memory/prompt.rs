//! The question for gems: what of the turns at hand is worth remembering.

use std::sync::LazyLock;

use gist::gems::reading::{GEMS_MAX, NO_TAG};
use minijinja::context;
use serde_json::{Value, json};
use settings::Settings;
use vocabulary::text::one_line;
use vocabulary::{
    AskPurpose, CapturedTurn, ChatRole, ChatTurn, ContentPart, Gem, GemTag, ModelRequest, OutputShape, Span,
    WallTime, rfc3339,
};

use crate::prompt::budget::{Fitted, Keep, Section, fit, place_of};
use crate::prompt::output::object;
use crate::prompt::request::{CHARS_PER_TOKEN, inherited};
use crate::prompt::templates::Template;
use crate::prompt::transcript;

/// Longest text of one turn that gems are made of.
pub(super) const TURN_CHARS_MAX: usize = 4_000;
/// Longest text of one turn of the conversation before.
const HISTORY_TURN_CHARS_MAX: usize = 2_000;
/// Room for gems that may be the same or contradicted.
const KNOWN_CHARS_MAX: usize = 6_000;
/// Room for the running summary.
const SUMMARY_CHARS_MAX: usize = 3_000;
/// Characters of a gem's id that tell it from the others of a list.
pub const ID_CHARS: usize = 8;
pub(super) const OUTPUT_TOKENS_MAX: u32 = 2_048;
/// What one gem takes of an answer.
pub(super) const GEM_TOKENS: u32 = 100;
const TEMPERATURE: f64 = 0.1;

/// What gems are to be made of.
#[derive(Clone, Copy, Debug)]
pub struct ExtractionBrief<'a> {
    /// The turns, oldest first; a gem cites them by their place in here, counted from 1.
    pub batch: &'a [CapturedTurn],
    pub settings: &'a Settings,
    pub now: WallTime,
    /// What is remembered already and may be the same or contradicted, the nearest first.
    pub known: &'a [Gem],
    /// The running summary of the conversation; empty for none.
    pub summary: &'a str,
    pub extent: Extent,
}

/// How much is said around the turns, and of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Without all that only helps to understand them: the model reads no more than that.
    pub alone: bool,
    /// Longest conversation before them.
    pub history_chars: usize,
    /// Longest text of one of them.
    pub turn_chars: usize,
    /// Room for the answer.
    pub answer_tokens: u32,
}

impl Extent {
    /// All that the settings allow.
    pub fn whole(settings: &Settings) -> Self {
        Self {
            alone: false,
            history_chars: settings.memory.extraction_context_tokens as usize * CHARS_PER_TOKEN,
            turn_chars: TURN_CHARS_MAX,
            answer_tokens: OUTPUT_TOKENS_MAX,
        }
    }
}

/// Builds the request, whole but for the conversation before the batch, which is put in by reference.
pub fn extraction_request(brief: &ExtractionBrief<'_>) -> ModelRequest {
    let memory = &brief.settings.memory;
    let history = history_part(brief);
    let fitted = fit(&sections(brief, history.as_ref()), usize::MAX);
    let text = |name: &str| -> &str { place_of(&fitted, name).map_or("", |place| &place.report.text) };
    let name = transcript::speaker(&brief.settings.identity.name);
    let task = Template::MemoryTask.render(context! {
        summary => text("running_summary"),
        known => text("known_gems"),
        batch => text("batch"),
        date => stamp(brief.now),
        count => brief.batch.len(),
    });
    ModelRequest {
        purpose: AskPurpose::GemExtraction,
        choice: inherited(&memory.provider, &memory.model, brief.settings),
        system: Template::MemorySystem.render(context! { name => &name }),
        turns: vec![ChatTurn {
            role: ChatRole::User,
            parts: history.into_iter().chain([ContentPart::Text(task)]).collect(),
        }],
        tools: Vec::new(),
        output: OutputShape::Json {
            name: "gems".to_owned(),
            words: None,
            schema: schema(brief.batch.len(), brief.extent.answer_tokens),
        },
        max_output_tokens: brief.extent.answer_tokens,
        temperature: TEMPERATURE,
        deadline: Span::seconds(memory.extraction_timeout_seconds),
        sections: fitted.into_iter().map(|Fitted { report, .. }| report).collect(),
    }
}

/// The conversation before a batch as the model reads it; empty for none. The shell puts it where a request has
/// [`ContentPart::History`].
pub fn history_text(turns: &[CapturedTurn]) -> String {
    if turns.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = turns
        .iter()
        .map(|turn| spoken(turn, HISTORY_TURN_CHARS_MAX))
        .collect();
    format!(
        "=== The conversation before, only to understand ===\n{}\n=== End of the conversation before ===",
        lines.join("\n")
    )
}

fn history_part(brief: &ExtractionBrief<'_>) -> Option<ContentPart> {
    let Extent {
        alone,
        history_chars: max_chars,
        ..
    } = brief.extent;
    let first = brief.batch.first().filter(|_| max_chars > 0 && !alone)?;
    let same_session = brief.batch.iter().filter(|turn| turn.session == first.session);
    Some(ContentPart::History {
        session: first.session.clone(),
        before: same_session.map(|turn| turn.number).min().unwrap_or(0),
        max_chars,
    })
}

fn sections(brief: &ExtractionBrief<'_>, history: Option<&ContentPart>) -> [Section; 4] {
    let lines = brief.batch.iter().zip(1..).map(|(turn, number): (_, usize)| {
        let line = spoken(turn, brief.extent.turn_chars);
        format!("[{number}] {}", line.trim_start())
    });
    let remark = match history {
        Some(ContentPart::History { max_chars, .. }) => {
            format!("the newest {max_chars} characters, put in when the request is made")
        }
        _ if brief.extent != Extent::whole(brief.settings) => "too long for the model".to_owned(),
        _ => "memory.extractionContextTokens is 0".to_owned(),
    };
    let (known, summary) = match brief.extent.alone {
        true => (&[][..], ""),
        false => (brief.known, brief.summary),
    };
    [
        Section::new("batch", 100, usize::MAX, Keep::First)
            .holding(lines)
            .remarked("the turns gems are made of"),
        Section::new("known_gems", 80, KNOWN_CHARS_MAX, Keep::First)
            .holding(known.iter().map(known_line))
            .remarked("what may be the same or contradicted"),
        Section::new("running_summary", 70, SUMMARY_CHARS_MAX, Keep::First)
            .holding(summary.lines().map(|line| format!("  {line}")))
            .remarked("what was said before, folded"),
        Section::new("history", 60, usize::MAX, Keep::First).remarked(&remark),
    ]
}

/// `1f0c33aa (about Alice, 2026-02-23) Alice prefers tea.`
fn known_line(gem: &Gem) -> String {
    let id: String = gem.gem_id.as_str().chars().take(ID_CHARS).collect();
    let content = one_line(&gem.content);
    let about = match gem.person_name.as_str() {
        "" => String::new(),
        name => format!("about {}, ", transcript::speaker(name)),
    };
    format!("{id} ({about}{}) {content}", rfc3339::date(gem.valid_from))
}

/// `  (2026-02-23 14:05) Alice: words`, further lines indented, so that nothing in it can pass for a line of its own.
fn spoken(turn: &CapturedTurn, chars_max: usize) -> String {
    let text = turn.text.trim();
    let (text, end) = match text.char_indices().nth(chars_max) {
        Some((end, _)) => (&text[..end], " […]"),
        None => (text, ""),
    };
    let words: Vec<&str> = text.lines().map(|line| line.trim_end_matches('\r')).collect();
    let speaker = transcript::speaker(&turn.speaker.name);
    format!(
        "  ({}) {}: {}{end}",
        stamp(turn.at),
        speaker.trim(),
        words.join("\n  ")
    )
}

fn stamp(at: WallTime) -> String {
    format!("{} {}", rfc3339::date(at), transcript::clock(at))
}

/// The keys of a gem in the order in which a model that is held to the schema writes them: where it comes from and what
/// it says before everything that follows from that.
const KEYS: [&str; 12] = [
    "turns",
    "speaker",
    "tags",
    "content",
    "summary",
    "importance",
    "topics",
    "about",
    "attribute",
    "standing",
    "replaces",
    "repeats",
];
/// A small model that is not told where a list ends goes on until its time is up.
const GEMS_PER_TURN_MAX: usize = 2;

fn schema(turns: usize, answer_tokens: u32) -> Value {
    let most = (turns * GEMS_PER_TURN_MAX).min(GEMS_MAX);
    let most = match answer_tokens {
        OUTPUT_TOKENS_MAX => most,
        // More of them would be cut in the middle.
        little => most.min((little / GEM_TOKENS).max(1) as usize),
    };
    let mut gems = json!({"type": "array", "maxItems": most});
    gems["items"] = GEM.clone();
    let mut properties = json!({});
    properties["gems"] = gems;
    object(properties, &["gems"])
}

/// What a gem of an answer looks like.
static GEM: LazyLock<Value> = LazyLock::new(|| {
    let text = json!({"type": "string"});
    let tags = GemTag::ALL.iter().map(|tag| tag.name());
    let tags: Vec<&str> = tags.chain([NO_TAG]).collect();
    let properties = json!({
        "turns": {"type": "array", "items": {"type": "integer"}, "maxItems": 4},
        "speaker": text,
        "content": text,
        "summary": text,
        "tags": {"type": "array", "items": {"type": "string", "enum": tags}, "maxItems": 2},
        "importance": {"type": "number"},
        "topics": {"type": "array", "items": text, "maxItems": 3},
        "about": text,
        "attribute": text,
        "standing": {"type": "boolean"},
        "replaces": text,
        "repeats": text
    });
    object(properties, &KEYS)
});

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod prompt_tests;
