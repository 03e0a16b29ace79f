//! Tags around tools that a small model writes where it means none, such as `<tools></tools>`: they are no words.

/// What stands around tools, calls and results in the templates of models.
const TAGS: [(&str, &str); 3] = [
    ("<tools>", "</tools>"),
    ("<tool_call>", "</tool_call>"),
    ("<tool_response>", "</tool_response>"),
];
const FENCE: &str = "```";

/// What remains without such tags and the calls in them. Whoever writes about one, in code or around words, keeps it.
pub(super) fn without_tool_marks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((start, open, close)) = next_tag(rest) {
        let after = &rest[start + open.len()..];
        let (inner, end) = match after.find(close) {
            Some(end) => (&after[..end], start + open.len() + end + close.len()),
            None => (after, rest.len()),
        };
        let inner = inner.trim();
        let is_mark = inner.is_empty() || inner.starts_with(['{', '[']);
        let before = format!("{kept}{}", &rest[..start]);
        let taken = match is_mark && !is_quoted(&before) {
            true => start,
            false => end,
        };
        kept.push_str(&rest[..taken]);
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

/// The same of an answer that is still being written: what may become such a tag is held back.
pub(super) fn without_tool_marks_so_far(text: &str) -> String {
    if !text.contains('<') {
        return text.to_owned();
    }
    let mut kept = without_tool_marks(text);
    let open = next_tag(&kept).filter(|(start, _, close)| {
        let is_open = !kept[*start..].contains(close);
        is_open && !is_quoted(&kept[..*start])
    });
    if let Some((start, ..)) = open {
        kept.truncate(start);
    }
    let unfinished = |tag: &str| {
        let lengths = (1..tag.len()).rev();
        let begun = lengths.filter(|length| kept.ends_with(&tag[..*length]));
        begun.map(|length| kept.len() - length).next()
    };
    let tags = TAGS.iter().filter_map(|(open, _)| unfinished(open));
    let end = tags.min().unwrap_or(kept.len());
    kept[..end].to_owned()
}

fn next_tag(text: &str) -> Option<(usize, &'static str, &'static str)> {
    let found = TAGS
        .iter()
        .filter_map(|(open, close)| Some((text.find(open)?, *open, *close)));
    found.min_by_key(|(start, ..)| *start)
}

/// Whether what follows stands in code.
fn is_quoted(before: &str) -> bool {
    before.matches(FENCE).count() % 2 == 1
        || before.rsplit('\n').next().unwrap_or("").matches('`').count() % 2 == 1
}

#[cfg(test)]
#[path = "tool_marks_tests.rs"]
mod tests;
