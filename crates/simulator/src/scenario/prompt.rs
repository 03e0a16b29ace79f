//! Expectations about what a model was given.

use std::str::SplitWhitespace;

use mind::{Asking, Effect};
use vocabulary::{AskPurpose, ContentPart, OutputShape, SectionFate};

use super::expected::{Expected, Wanted, Wrong};
use super::words::Words;
use crate::trace::Trace;

/// As the mind estimates.
const CHARS_PER_TOKEN: usize = 4;

/// One line of such a block.
pub(super) type PromptLine = Expected<PromptWanted>;

#[derive(Debug)]
pub(super) enum PromptWanted {
    Has(String, bool),
    /// All of these, in this order.
    InOrder(Vec<String>),
    SectionFate(String, SectionFate),
    SectionLines(String, usize),
    Tools(Vec<String>),
    Typed(bool),
    Model(String),
    Purpose(String),
    Pictures(usize),
    /// It has no more tokens than these, prompt and longest answer together.
    Within(u64),
}

impl Wanted for PromptWanted {
    fn read(words: &mut Words<'_>) -> Result<Self, String> {
        let wanted = match words.take().unwrap_or_default() {
            "has" => PromptWanted::Has(words.expect_quoted()?, true),
            "in" if words.eat("this order") => {
                let mut texts = vec![words.expect_quoted()?];
                while let Some(text) = words.quoted() {
                    texts.push(text);
                }
                PromptWanted::InOrder(texts)
            }
            "lacks" => PromptWanted::Has(words.expect_quoted()?, false),
            "section" => {
                let name = words.take().unwrap_or_default().to_owned();
                match words.take().unwrap_or_default() {
                    "holds" => {
                        let count = words.expect_number()? as usize;
                        if !words.eat("lines") && !words.eat("line") {
                            return Err("expected `lines` behind the number".to_owned());
                        }
                        PromptWanted::SectionLines(name, count)
                    }
                    word => {
                        let fate = serde_json::from_value(serde_json::json!(word));
                        let fate = fate.map_err(|_| {
                            format!("expected kept, trimmed, dropped, empty or holds N lines, found {word:?}")
                        })?;
                        PromptWanted::SectionFate(name, fate)
                    }
                }
            }
            "offers" if words.eat("no tools") => PromptWanted::Tools(Vec::new()),
            "offers" => {
                let mut tools = Vec::new();
                while let Some(tool) = words.take() {
                    tools.push(tool.to_owned());
                }
                PromptWanted::Tools(tools)
            }
            "asks" if words.eat("for text") => PromptWanted::Typed(false),
            "asks" if words.eat("for a typed answer") => PromptWanted::Typed(true),
            "model" => PromptWanted::Model(words.take().unwrap_or_default().to_owned()),
            "purpose" => PromptWanted::Purpose(words.take().unwrap_or_default().to_owned()),
            "pictures" => PromptWanted::Pictures(words.expect_number()? as usize),
            "fits" => PromptWanted::Within(words.expect_number()?),
            other => {
                return Err(format!(
                    "expected has, lacks, in this order, section, offers, asks for text, asks for a typed answer, model, purpose, pictures or fits, found {other:?}"
                ));
            }
        };
        Ok(wanted)
    }
}

/// Which ask is meant: `2`, or `2 of text_reply`.
#[derive(Debug)]
pub(super) struct AskNumber {
    number: usize,
    purpose: Option<String>,
}

impl AskNumber {
    pub fn read(words: &mut SplitWhitespace<'_>) -> Result<Self, String> {
        let number = words
            .next()
            .unwrap_or("1")
            .parse()
            .ok()
            .filter(|number| *number >= 1);
        let number = number.ok_or("expected the number of an ask behind `prompt`")?;
        let purpose = match (words.next(), words.next()) {
            (None, _) => None,
            (Some("of"), Some(purpose)) => Some(purpose.to_owned()),
            _ => {
                return Err(
                    "expected `of` and what the ask is for, such as `prompt 1 of text_reply`".to_owned(),
                );
            }
        };
        Ok(Self { number, purpose })
    }

    fn is_meant(&self, asking: &Asking) -> bool {
        let asked_for = asking.request.purpose;
        match self.purpose.as_deref() {
            Some(purpose) => asked_for.name() == purpose,
            // Gems are made beside everything else, and would only get into the way of counting.
            None => asked_for != AskPurpose::GemExtraction,
        }
    }
}

pub(super) fn check(
    wanted: &AskNumber,
    line: usize,
    lines: &[PromptLine],
    trace: &Trace,
) -> Result<(), Wrong> {
    let number = wanted.number;
    let effects = trace.steps.iter().flat_map(|step| &step.effects);
    let asks: Vec<&Asking> = effects
        .filter_map(|effect| match effect {
            Effect::Ask(asking) if wanted.is_meant(asking) => Some(&**asking),
            _ => None,
        })
        .collect();
    let Some(asking) = asks.get(number - 1) else {
        return Err((
            line,
            format!("there is no ask {number}; a model was asked {} times", asks.len()),
        ));
    };
    match lines.iter().find(|line| !line.wanted.holds(asking)) {
        None => Ok(()),
        Some(wrong) => {
            let what = format!(
                "`{}` does not hold for ask {number}. It was given:\n{}",
                wrong.written,
                shown(asking)
            );
            Err((wrong.line, what))
        }
    }
}

impl PromptWanted {
    fn holds(&self, asking: &Asking) -> bool {
        let request = &asking.request;
        let section = |name: &str| request.sections.iter().find(|section| section.name == name);
        match self {
            PromptWanted::Has(text, wanted) => words_of(asking).contains(text.as_str()) == *wanted,
            PromptWanted::InOrder(texts) => {
                let (all, mut from) = (words_of(asking), 0);
                texts.iter().all(|text| match all[from..].find(text.as_str()) {
                    Some(place) => {
                        from += place + text.len();
                        true
                    }
                    None => false,
                })
            }
            PromptWanted::SectionFate(name, fate) => {
                section(name).is_some_and(|section| section.fate == *fate)
            }
            PromptWanted::SectionLines(name, count) => {
                section(name).is_some_and(|section| section.text.lines().count() == *count)
            }
            PromptWanted::Tools(names) => request.tools.iter().map(|tool| &tool.name).eq(names.iter()),
            PromptWanted::Typed(typed) => matches!(request.output, OutputShape::Json { .. }) == *typed,
            PromptWanted::Model(name) => {
                format!("{}/{}", request.choice.provider, request.choice.model) == *name
            }
            PromptWanted::Within(tokens) => {
                let tools = request.tools.iter();
                let tools = tools.map(|tool| tool.description.len() + tool.parameters.to_string().len());
                let characters = words_of(asking).chars().count() + tools.sum::<usize>();
                (characters / CHARS_PER_TOKEN) as u64 + u64::from(request.max_output_tokens) <= *tokens
            }
            PromptWanted::Purpose(name) => request.purpose.name() == name,
            PromptWanted::Pictures(count) => {
                let parts = request.turns.iter().flat_map(|turn| &turn.parts);
                parts
                    .filter(|part| matches!(part, ContentPart::Image { .. }))
                    .count()
                    == *count
            }
        }
    }
}

/// Every word the model was given.
fn words_of(asking: &Asking) -> String {
    let mut words = asking.request.system.clone();
    for part in asking.request.turns.iter().flat_map(|turn| &turn.parts) {
        match part {
            ContentPart::Text(text) => words.push_str(&format!("\n{text}")),
            ContentPart::ToolResult(result) => words.push_str(&format!("\n{}", result.text)),
            ContentPart::Image { .. }
            | ContentPart::History { .. }
            | ContentPart::ToolCall(_)
            | ContentPart::Carried(_) => {}
        }
    }
    words
}

fn shown(asking: &Asking) -> String {
    let request = &asking.request;
    let mut lines = vec![format!(
        "purpose {}, model {}/{}",
        request.purpose.name(),
        request.choice.provider,
        request.choice.model
    )];
    for section in &request.sections {
        lines.push(format!(
            "section {} {:?}, {} lines, {} of {} characters",
            section.name,
            section.fate,
            section.text.lines().count(),
            section.kept_chars,
            section.wanted_chars
        ));
    }
    lines.extend(words_of(asking).lines().map(str::to_owned));
    let lines: Vec<String> = lines.iter().map(|line| format!("      {line}")).collect();
    lines.join("\n")
}
