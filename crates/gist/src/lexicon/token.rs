//! Text as words and breaks: any script, any length, never a panic.

use unicode_normalization::char::is_combining_mark;

/// A longer run of letters is no word that a summary could use: a key, a hash, a path.
const WORD_CHARS_MAX: usize = 40;
/// Scripts that are written without spaces are taken in portions of this many characters.
const UNSPACED_CHARS_MAX: usize = 12;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A word, with the curly apostrophe made straight.
    Word(String),
    /// A comma, a bracket, a quotation mark: the words around it are not read as one phrase.
    Break,
    /// The end of a sentence inside the text.
    Stop,
}

/// Reads text as words and breaks; whatever is neither (emoji, symbols) is passed over.
pub fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().map(straight).collect();
    // Then a place among the characters is one in the text, and words are copied as they stand.
    let as_written = (text.is_ascii() && !text.contains('`')).then_some(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        if begins_word(&characters, at) {
            let end = word_end(&characters, at);
            let written = as_written.map(|text| &text[at..end]);
            push_words(&characters[at..end], written, &mut found);
            at = end;
            continue;
        }
        match characters[at] {
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | '\n' => found.push(Token::Stop),
            character if !character.is_whitespace() => found.push(Token::Break),
            _ => {}
        }
        at += 1;
    }
    found
}

fn straight(character: char) -> char {
    match character {
        '’' | '‘' | '`' | '´' => '\'',
        other => other,
    }
}

/// Whether a character is a letter, a digit or a mark on one.
pub fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || (!character.is_ascii() && is_combining_mark(character))
}

fn begins_word(characters: &[char], at: usize) -> bool {
    let next_is_digit = || characters.get(at + 1).is_some_and(char::is_ascii_digit);
    is_word_character(characters[at]) || (matches!(characters[at], '$' | '€' | '£' | '¥') && next_is_digit())
}

/// Past the last character of the word that begins at `at`.
fn word_end(characters: &[char], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(&character) = characters.get(end) {
        let next = characters.get(end + 1).copied();
        let is_inside = is_word_character(character) || joins(characters[end - 1], character, next);
        if !is_inside {
            break;
        }
        end += 1;
    }
    // `C++`, `C#`, `LGBTQ+`, `100%`.
    while characters
        .get(end)
        .is_some_and(|character| matches!(character, '+' | '#' | '%'))
        && end - at < 12
    {
        end += 1;
    }
    end
}

/// Whether a sign between two letters belongs to the word.
fn joins(before: char, character: char, next: Option<char>) -> bool {
    let Some(next) = next.filter(|next| is_word_character(*next)) else {
        return false;
    };
    match character {
        '\'' | '&' | '/' | '+' | '-' | '_' | '@' | ':' | '\u{200c}' | '\u{200d}' => true,
        // `3.5` and `example.com`, but not a full stop whose space was forgotten.
        '.' => next.is_numeric() || next.is_lowercase(),
        ',' => before.is_ascii_digit() && next.is_ascii_digit(),
        _ => false,
    }
}

fn push_words(run: &[char], written: Option<&str>, found: &mut Vec<Token>) {
    if written.is_none() && run.iter().copied().any(is_unspaced) {
        found.extend(
            run.chunks(UNSPACED_CHARS_MAX)
                .map(|portion| Token::Word(portion.iter().collect())),
        );
        return;
    }
    // Of a long web address the host says most.
    let host = run
        .iter()
        .position(|character| *character == '/')
        .unwrap_or(run.len());
    let kept = if run.len() > WORD_CHARS_MAX {
        &run[..host]
    } else {
        run
    };
    if kept.len() <= WORD_CHARS_MAX {
        found.push(Token::Word(match written {
            Some(written) => written[..kept.len()].to_owned(),
            None => kept.iter().collect(),
        }));
    } else {
        found.push(Token::Break);
    }
}

/// Scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}
