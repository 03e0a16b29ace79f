//! What tools bring back, as a model is shown it. Words from outside are put into a frame that nothing inside can end.

use minijinja::context;
use vocabulary::text::{head, is_plain, without_marks};

use super::templates::Template;
use super::tool_specs::{SOURCE_ADD_TOOL, is_own_tool};

/// Longest result a model is given, its frame included.
pub(crate) const RESULT_CHARS_MAX: usize = 4_000;
/// What the frame itself takes at most, with the longest name of a tool.
const FRAME_CHARS_MAX: usize = 400;
/// Most characters of a tool's name that the frame shows.
const TOOL_CHARS_MAX: usize = 100;
/// Every line inside a frame begins with this, so that none can be taken for the frame's own.
const QUOTED: &str = "| ";
/// A result as the model sees it: capped, and framed where it comes from outside.
pub(crate) fn shown_result(tool: &str, text: &str) -> String {
    if !brings_outside_words(tool) {
        return head(text, RESULT_CHARS_MAX).to_owned();
    }
    let tool: String = tool
        .chars()
        .filter(|letter| !letter.is_control())
        .take(TOOL_CHARS_MAX)
        .collect();
    Template::OutsideMaterial.render(context! {
        tool => defused(&tool),
        text => quoted(text, RESULT_CHARS_MAX - FRAME_CHARS_MAX),
    })
}

/// Whether a tool's results are words of strangers. A source that is looked at before it is added speaks for itself.
fn brings_outside_words(tool: &str) -> bool {
    !is_own_tool(tool) || tool == SOURCE_ADD_TOOL
}

/// The rule about frames, for every prompt that comes with tools.
pub(crate) fn outside_rule() -> String {
    Template::OutsideRule.render(context! {})
}

/// Every line marked as quoted, nothing in it that could pass for a frame or for a mark of a server.
fn quoted(text: &str, limit: usize) -> String {
    let plain = defused(text);
    let lines = plain.split(is_line_break).map(str::trim_end);
    let lines: Vec<String> = lines
        .filter(|line| !line.is_empty())
        .map(|line| format!("{QUOTED}{line}"))
        .collect();
    if lines.is_empty() {
        return format!("{QUOTED}(nothing)");
    }
    let whole = lines.join("\n");
    if whole.chars().count() <= limit {
        return whole;
    }
    let cut = format!("\n{QUOTED}(cut here)");
    whole.chars().take(limit - cut.len()).chain(cut.chars()).collect()
}

/// Takes the meaning out of marks: brackets of frames become plain ones, and those of a server's marks lookalikes.
pub(crate) fn defused(text: &str) -> String {
    if text
        .chars()
        .all(|letter| !is_hidden(letter) && shown_as(letter) == letter)
    {
        return without_marks(text);
    }
    // First of all, because what nobody sees could stand in the middle of a mark.
    let seen = text.chars().filter(|letter| !is_hidden(*letter));
    without_marks(&seen.map(shown_as).collect::<String>())
}

fn shown_as(letter: char) -> char {
    match letter {
        '⟦' | '〚' => '[',
        '⟧' | '〛' => ']',
        '\t' => ' ',
        other => other,
    }
}

fn is_line_break(letter: char) -> bool {
    matches!(
        letter,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// What a person does not see, and so must not speak to the model alone. Only what joins letters of a word stays.
fn is_hidden(letter: char) -> bool {
    if matches!(letter, ' '..='~') {
        return false;
    }
    let shows_or_joins = is_plain(letter) || matches!(letter, '\t' | '\u{200c}' | '\u{200d}');
    !shows_or_joins && !is_line_break(letter)
}

#[cfg(test)]
#[path = "outside_tests.rs"]
mod tests;
