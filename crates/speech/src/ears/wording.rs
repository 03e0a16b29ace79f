//! The words of a transcript, without what engines write about sounds: `[BLANK_AUDIO]`, `(music)`, `*coughs*`, `♪`.
//!
//! Words are never given up for a mark: a bracket that is not closed, one around a number and a censored word stay.

/// The longest transcript of a clip.
const CHARACTERS_MAX: usize = 2_000;

/// A piece of a transcript.
struct Piece {
    text: String,
    /// It tells of a sound; with the mark that opens it.
    note: Option<char>,
}

/// What was said, on one line; empty where nothing was.
pub(crate) fn words(text: &str) -> String {
    let pieces = pieces(&plain(text));
    let is_said = |piece: &Piece| piece.note.is_none() && piece.text.chars().any(char::is_alphanumeric);
    let (Some(first), Some(last)) = (pieces.iter().position(is_said), pieces.iter().rposition(is_said))
    else {
        return String::new();
    };
    let said = pieces.iter().enumerate().filter(|(at, piece)| match piece.note {
        None => (first..=last).contains(at),
        // Nobody speaks in square brackets.
        Some('[') => false,
        Some(_) => (first..last).contains(at),
    });
    let said: String = said.map(|(_, piece)| piece.text.as_str()).collect();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn plain(text: &str) -> Vec<char> {
    let characters = text.chars().take(CHARACTERS_MAX);
    let seen = characters.filter(|character| {
        !matches!(character, '♪' | '♫' | '\u{FFFD}') && (!vocabulary::text::is_invisible(*character))
    });
    seen.map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}

fn pieces(characters: &[char]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut said = String::new();
    let mut at = 0;
    while at < characters.len() {
        match note_end(characters, at) {
            Some(end) => {
                pieces.push(Piece {
                    text: std::mem::take(&mut said),
                    note: None,
                });
                pieces.push(Piece {
                    text: characters[at..end].iter().collect(),
                    note: Some(characters[at]),
                });
                at = end;
            }
            None => {
                said.push(characters[at]);
                at += 1;
            }
        }
    }
    pieces.push(Piece {
        text: said,
        note: None,
    });
    pieces
}

/// Just behind the note on a sound that begins here: it closes, stands by itself, and is of letters.
fn note_end(characters: &[char], at: usize) -> Option<usize> {
    let closing = match characters[at] {
        '[' => ']',
        '(' => ')',
        '{' => '}',
        '*' => '*',
        _ => return None,
    };
    let is_apart = at == 0 || !characters[at - 1].is_alphanumeric() && characters[at - 1] != '*';
    let inner = characters[at + 1..]
        .iter()
        .position(|character| *character == closing)?;
    let end = at + 1 + inner + 1;
    let note = &characters[at + 1..end - 1];
    let is_letters = note
        .iter()
        .all(|character| character.is_alphabetic() || matches!(character, ' ' | '_' | '-' | '\''));
    let is_whole = !note.is_empty() && (closing != '*' || !(note[0] == ' ' || note[note.len() - 1] == ' '));
    let is_apart_behind = characters
        .get(end)
        .is_none_or(|next| !next.is_alphanumeric() && *next != '*');
    (is_apart && is_letters && is_whole && is_apart_behind).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn what_engines_write_about_sounds_is_left_out() {
        let table = [
            ("[BLANK_AUDIO]", ""),
            ("(wind blowing)", ""),
            ("*coughs*", ""),
            ("[Music] (applause)", ""),
            ("♪ ♪", ""),
            ("(laughs) Hello there (music).", "Hello there"),
            ("So [inaudible] he said", "So he said"),
            (" [laughs] Hello\nthere\u{200b} ", "Hello there"),
        ];
        for (text, wanted) in table {
            assert_eq!(words(text), wanted, "of {text:?}");
        }
    }

    #[test]
    fn no_mark_takes_words_with_it() {
        for said in [
            "Sh*t, Denizen, what now?",
            "What the f*** is this, Denizen?",
            "2 * 3 is what?",
            "call me at (555) 123-4567",
            "what is f(x) here",
            "I (really) mean it",
            "is it [2, 3] or (4",
            "that is *really* good",
            "open { and never closed",
        ] {
            assert_eq!(words(said), said);
        }
    }
}
