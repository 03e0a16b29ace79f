//! What a model writes for machines and not for ears: tokens of silence, notes, thoughts, calls of tools.

/// Elements whose whole content is not for ears.
const ELEMENTS: [&str; 9] = [
    "think",
    "thinking",
    "thought",
    "tool_call",
    "tool_response",
    "tool_use",
    "function_call",
    "invoke",
    "scratchpad",
];

/// Marks in single brackets that are not for ears, by how they begin.
const MARKS: [&str; 8] = [
    "skip", "silence", "silent", "pass", "no_reply", "no reply", "tool", "media",
];

/// Which characters are not for ears at all.
pub(super) fn silent(characters: &[char]) -> Vec<bool> {
    let mut silent = vec![false; characters.len()];
    let mut at = 0;
    while at < characters.len() {
        let end = match characters[at] {
            '<' => element_end(characters, at).or_else(|| special_end(characters, at)),
            '[' => note_end(characters, at).or_else(|| mark_end(characters, at)),
            '{' => call_end(characters, at),
            _ => None,
        };
        match end {
            Some(end) => {
                silent[at..end].fill(true);
                at = end;
            }
            None => at += 1,
        }
    }
    silent
}

/// `<think>…</think>`; one that is not closed goes to the end.
fn element_end(characters: &[char], at: usize) -> Option<usize> {
    let name = ELEMENTS.iter().find(|name| {
        let behind = at + 1 + name.len();
        begins(characters, at + 1, name)
            && matches!(characters.get(behind), Some(character) if !character.is_alphanumeric() && *character != '_')
    })?;
    let closing = format!("</{name}>");
    let end = (at..characters.len()).find(|place| begins(characters, *place, &closing));
    Some(end.map_or(characters.len(), |place| place + closing.len()))
}

/// `<|im_end|>`.
fn special_end(characters: &[char], at: usize) -> Option<usize> {
    if !begins(characters, at, "<|") {
        return None;
    }
    let until = (at + 40).min(characters.len());
    (at..until)
        .find(|place| begins(characters, *place, "|>"))
        .map(|place| place + 2)
}

/// `[[NOTE: …]]`.
fn note_end(characters: &[char], at: usize) -> Option<usize> {
    if !begins(characters, at, "[[") {
        return None;
    }
    let end = (at..characters.len()).find(|place| begins(characters, *place, "]]"));
    let mut end = end.map_or(characters.len(), |place| place + 2);
    // In `[[NOTE: list[0]]]` the last bracket belongs to the note.
    while characters.get(end) == Some(&']') {
        end += 1;
    }
    Some(end)
}

/// `[SKIP]`, `[TOOL: search "cats"]`.
fn mark_end(characters: &[char], at: usize) -> Option<usize> {
    let known = MARKS.iter().find(|mark| begins(characters, at + 1, mark))?;
    let behind = characters.get(at + 1 + known.chars().count())?;
    if behind.is_alphanumeric() {
        return None;
    }
    let end = characters[at..].iter().position(|character| *character == ']')?;
    // `[skip](https://…)` is a link.
    (characters.get(at + end + 1) != Some(&'(')).then_some(at + end + 1)
}

/// A call of a tool written out as an object: `{"name": "web_search", "arguments": {…}}`.
fn call_end(characters: &[char], at: usize) -> Option<usize> {
    let inside: String = characters[at..].iter().skip(1).take(24).collect();
    let inside = inside.trim_start();
    let is_call = [
        "\"name\"",
        "\"tool\"",
        "\"function\"",
        "\"tool_call",
        "\"arguments\"",
        "\"action\"",
    ]
    .iter()
    .any(|key| inside.starts_with(key));
    if !is_call {
        return None;
    }
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut escaped = false;
    for (place, character) in characters.iter().enumerate().skip(at) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = in_text,
            '"' => in_text = !in_text,
            '{' if !in_text => depth += 1,
            '}' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    Some(characters.len())
}

/// Whether this text, in any case, stands here. The text is in lower case and of ASCII.
pub(super) fn begins(characters: &[char], at: usize, text: &str) -> bool {
    let mut here = characters.get(at..).unwrap_or_default().iter();
    text.chars().all(|wanted| {
        here.next()
            .is_some_and(|found| found.to_ascii_lowercase() == wanted)
    })
}
