//! What a prompt is made of, in tokens: each section, the rules around them, tools and the shape of the answer, and how
//! much of the model's window that is.

use serde::{Deserialize, Serialize};
use vocabulary::{ContentPart, ModelRequest, OutputShape, SectionFate, SectionReport};

/// Characters that count as a token where nobody has counted.
const CHARS_PER_TOKEN: usize = 4;
/// A picture of usual size, as providers count it.
const TOKENS_A_PICTURE: u64 = 800;

/// What kind of thing a part of a prompt is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A section with a cap and a fate.
    Section,
    /// Instructions that stand in every prompt of this kind.
    Rules,
    /// What the tools on offer are described by.
    Tools,
    /// Calls of the turn so far, and what they gave.
    ToolResults,
    /// What the answer must look like.
    Schema,
    Pictures,
    /// Turns that were put in when the request was made.
    History,
}

/// One part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptPart {
    pub kind: PartKind,
    /// The name of a section or of a kind; tools by their names.
    pub name: String,
    /// What became of a section.
    pub fate: Option<SectionFate>,
    /// What it takes, as its characters tell.
    pub tokens: u64,
    /// What it would take whole.
    pub wanted_tokens: u64,
    /// The most it may take; none where only the window bounds it.
    pub cap_tokens: Option<u64>,
    /// Why it was trimmed or dropped, or what it holds.
    pub remark: String,
}

/// A prompt and what it takes of a model's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PromptAccount {
    pub parts: Vec<PromptPart>,
    /// All parts together, as their characters tell; what a provider counted stands in `usage` of its answer.
    pub tokens: u64,
    /// Of how much: the model's window, by `llm.contextTokens` as it is now.
    pub window_tokens: u64,
    /// The most the answer may take.
    pub answer_tokens: u64,
}

impl PromptAccount {
    /// Adds a request up.
    pub fn of(request: &ModelRequest, window_tokens: u64) -> Self {
        let said = Said::of(request);
        let mut parts: Vec<PromptPart> = request.sections.iter().map(section).collect();
        let in_sections: usize = request.sections.iter().map(|section| section.kept_chars).sum();
        let rules = (chars(&request.system) + said.text).saturating_sub(in_sections);
        let remark = "what stands in every prompt of this kind";
        parts.push(part(PartKind::Rules, "rules", tokens(rules), remark));
        if !request.tools.is_empty() {
            let described = request.tools.iter().map(|tool| {
                chars(&tool.name) + chars(&tool.description) + chars(&tool.parameters.to_string())
            });
            let names: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
            parts.push(part(
                PartKind::Tools,
                "tools",
                tokens(described.sum()),
                &names.join(", "),
            ));
        }
        if said.tools > 0 {
            let remark = "what tools were called and gave";
            parts.push(part(
                PartKind::ToolResults,
                "tool_results",
                tokens(said.tools),
                remark,
            ));
        }
        if let OutputShape::Json { name, schema, .. } = &request.output {
            let size = tokens(chars(&schema.to_string()));
            parts.push(part(PartKind::Schema, "schema", size, name));
        }
        if said.pictures > 0 {
            let size = said.pictures * TOKENS_A_PICTURE;
            parts.push(part(
                PartKind::Pictures,
                "pictures",
                size,
                "as providers usually count them",
            ));
        }
        if said.history > 0 {
            let remark = "at most; the turns that fit are put in when it is sent";
            parts.push(part(PartKind::History, "history", tokens(said.history), remark));
        }
        Self {
            tokens: parts.iter().map(|part| part.tokens).sum(),
            parts,
            window_tokens,
            answer_tokens: u64::from(request.max_output_tokens),
        }
    }
}

/// Characters of a request's turns, and its pictures.
#[derive(Default)]
struct Said {
    text: usize,
    tools: usize,
    history: usize,
    pictures: u64,
}

impl Said {
    fn of(request: &ModelRequest) -> Self {
        let mut said = Self::default();
        for part in request.turns.iter().flat_map(|turn| &turn.parts) {
            match part {
                ContentPart::Text(text) => said.text += chars(text),
                ContentPart::ToolCall(call) => said.tools += chars(&call.arguments.to_string()),
                ContentPart::ToolResult(result) => said.tools += chars(&result.text),
                ContentPart::History { max_chars, .. } => said.history += max_chars,
                ContentPart::Carried(carried) => said.tools += carried.size(),
                ContentPart::Image { .. } => said.pictures += 1,
            }
        }
        said
    }
}

fn section(report: &SectionReport) -> PromptPart {
    PromptPart {
        kind: PartKind::Section,
        name: report.name.clone(),
        fate: Some(report.fate),
        tokens: tokens(report.kept_chars),
        wanted_tokens: tokens(report.wanted_chars),
        cap_tokens: (report.cap_chars < usize::MAX / CHARS_PER_TOKEN).then(|| tokens(report.cap_chars)),
        remark: report.remark.clone(),
    }
}

fn part(kind: PartKind, name: &str, tokens: u64, remark: &str) -> PromptPart {
    PromptPart {
        kind,
        name: name.to_owned(),
        fate: None,
        tokens,
        wanted_tokens: tokens,
        cap_tokens: None,
        remark: remark.to_owned(),
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

fn tokens(chars: usize) -> u64 {
    chars.div_ceil(CHARS_PER_TOKEN) as u64
}
