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
    // Of ASCII a place among the characters is one in the text, and words are copied as they stand.
    if text.is_ascii() && !text.contains('`') {
        return read(text);
    }
    let characters: Vec<char> = text.chars().map(straight).collect();
    read(characters.as_slice())
}

/// A text as its characters, each in its place.
trait Letters: Copy {
    fn count(self) -> usize;
    fn letter(self, at: usize) -> Option<char>;
    fn part(self, first: usize, end: usize) -> Self;
    fn has_unspaced(self) -> bool;
    fn written(self) -> String;
}

/// Text that is known to be ASCII.
impl Letters for &str {
    fn count(self) -> usize {
        self.len()
    }

    fn letter(self, at: usize) -> Option<char> {
        self.as_bytes().get(at).copied().map(char::from)
    }

    fn part(self, first: usize, end: usize) -> Self {
        &self[first..end]
    }

    fn has_unspaced(self) -> bool {
        false
    }

    fn written(self) -> String {
        self.to_owned()
    }
}

impl Letters for &[char] {
    fn count(self) -> usize {
        self.len()
    }

    fn letter(self, at: usize) -> Option<char> {
        self.get(at).copied()
    }

    fn part(self, first: usize, end: usize) -> Self {
        &self[first..end]
    }

    fn has_unspaced(self) -> bool {
        self.iter().copied().any(is_unspaced)
    }

    fn written(self) -> String {
        self.iter().collect()
    }
}

fn read(letters: impl Letters) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.letter(at) {
        if begins_word(letter, letters.letter(at + 1)) {
            let end = word_end(letters, at);
            push_words(letters.part(at, end), &mut found);
            at = end;
            continue;
        }
        match letter {
            '.' | '!' | '?' | '…' | '。' | '！' | '？' | '\n' => found.push(Token::Stop),
            letter if !letter.is_whitespace() => found.push(Token::Break),
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

fn begins_word(letter: char, next: Option<char>) -> bool {
    let next_is_digit = || next.is_some_and(|next| next.is_ascii_digit());
    is_word_character(letter) || (matches!(letter, '$' | '€' | '£' | '¥') && next_is_digit())
}

/// Past the last character of the word that begins at `at`.
fn word_end(letters: impl Letters, at: usize) -> usize {
    let mut end = at + 1;
    let mut before = letters.letter(at);
    while let Some(letter) = letters.letter(end) {
        let joins = |before| joins(before, letter, letters.letter(end + 1));
        if !is_word_character(letter) && !before.is_some_and(joins) {
            break;
        }
        before = Some(letter);
        end += 1;
    }
    // `C++`, `C#`, `LGBTQ+`, `100%`.
    while matches!(letters.letter(end), Some('+' | '#' | '%')) && end - at < 12 {
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

fn push_words(run: impl Letters, found: &mut Vec<Token>) {
    let count = run.count();
    if run.has_unspaced() {
        let portions = (0..count).step_by(UNSPACED_CHARS_MAX);
        found.extend(portions.map(|first| {
            let end = count.min(first + UNSPACED_CHARS_MAX);
            Token::Word(run.part(first, end).written())
        }));
        return;
    }
    let kept = match count > WORD_CHARS_MAX {
        // Of a long web address the host says most.
        true => (0..count)
            .find(|at| run.letter(*at) == Some('/'))
            .unwrap_or(count),
        false => count,
    };
    found.push(match kept <= WORD_CHARS_MAX {
        true => Token::Word(run.part(0, kept).written()),
        false => Token::Break,
    });
}

/// Scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}
