//! Notes that a model writes amid its words: `[[NOTE: what it saw]]`.

/// Takes every note out of a text; what is left to say, and the notes in order.
pub(super) fn take_notes(text: &str) -> (String, Vec<String>) {
    let mut notes = Vec::new();
    let mut left = text.to_owned();
    // What stood around a note may be a note once it is gone.
    while next_note(&left).is_some() {
        left = take_each(&left, &mut notes);
    }
    (left.trim().to_owned(), notes)
}

fn take_each(text: &str, notes: &mut Vec<String>) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, opening)) = next_note(rest) {
        join(&mut left, &rest[..at]);
        let (note, behind) = split_note(&rest[at + opening..]);
        notes.push(note.trim().to_owned());
        rest = behind;
    }
    join(&mut left, rest);
    left
}

/// Where the next note opens, and how long its opening is: `[[note:` in any case, with or without spaces.
fn next_note(text: &str) -> Option<(usize, usize)> {
    text.match_indices('[').find_map(|(at, _)| {
        let word = text[at..].strip_prefix("[[")?.trim_start();
        let name = word.get(..4).filter(|name| name.eq_ignore_ascii_case("note"))?;
        let after = word[name.len()..].trim_start_matches(['s', 'S']).trim_start();
        let said = after.strip_prefix([':', '：', '-', '–', '—'])?;
        Some((at, text.len() - at - said.len()))
    })
}

/// A note up to its closing brackets; one that nobody closed ends with its line.
fn split_note(text: &str) -> (&str, &str) {
    let line_end = text.find('\n').unwrap_or(text.len());
    let Some(close) = text.find("]]").filter(|close| *close < next_opening(text)) else {
        let (note, behind) = text.split_at(line_end.min(next_opening(text)));
        return (note.trim_end_matches(']'), behind);
    };
    // In `[[NOTE: list[0]]]` the first bracket belongs to the note.
    let close = close + usize::from(text[close + 2..].starts_with(']'));
    (&text[..close], &text[close + 2..])
}

fn next_opening(text: &str) -> usize {
    next_note(text).map_or(text.len(), |(at, _)| at)
}

/// Puts a piece behind what is left so far, with no hole where a note was.
fn join(left: &mut String, piece: &str) {
    let opens = |letter: char| letter.is_whitespace() || ".,;:!?…".contains(letter);
    if piece.starts_with(opens) {
        left.truncate(left.trim_end().len());
    }
    left.push_str(piece);
}
