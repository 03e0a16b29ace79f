//! Cuts text into words the way the index keeps them: folded, in order, in whatever script.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Words longer than this are noise (keys, encoded data); their beginning still finds them.
const WORD_CHARS_MAX: usize = 40;

/// The words of a text: lower case, without accents, without what follows an apostrophe. Scripts that are written
/// without spaces give overlapping pairs of characters, which is what their words are mostly made of.
pub fn words(text: &str) -> Vec<String> {
    let mut cutter = Cutter::default();
    if text.is_ascii() {
        text.bytes()
            .for_each(|byte| cutter.take(byte.to_ascii_lowercase().into()));
    } else {
        // Only accents go: vowel signs of other scripts are letters.
        let lower = text.chars().flat_map(char::to_lowercase);
        let folded = lower
            .nfkd()
            .filter(|character| !matches!(character, '\u{300}'..='\u{36f}'));
        folded.nfkc().for_each(|character| cutter.take(character));
    }
    cutter.finish()
}

#[derive(Default)]
struct Cutter {
    words: Vec<String>,
    word: String,
    /// Behind an apostrophe: "caroline's" is "caroline", "don't" is "don".
    in_tail: bool,
    /// The character before, of a script without spaces.
    unspaced_before: Option<char>,
    /// Whether that character already stands in a pair.
    paired: bool,
}

impl Cutter {
    fn take(&mut self, character: char) {
        if is_unspaced(character) {
            self.end_word();
            if let Some(before) = self.unspaced_before {
                self.words.push(String::from_iter([before, character]));
            }
            self.paired = self.unspaced_before.is_some();
            self.unspaced_before = Some(character);
            return;
        }
        self.end_unspaced();
        match character {
            '\'' | '\u{2018}' | '\u{2019}' | '\u{02bc}' if !self.word.is_empty() => self.in_tail = true,
            _ if self.in_tail && character.is_alphabetic() => {}
            _ if character.is_alphanumeric() || is_combining_mark(character) => {
                if self.in_tail {
                    self.end_word();
                }
                self.word.push(character);
            }
            _ => self.end_word(),
        }
    }

    fn end_word(&mut self) {
        self.in_tail = false;
        if !self.word.is_empty() {
            let word = std::mem::take(&mut self.word);
            let kept = match word.char_indices().nth(WORD_CHARS_MAX) {
                Some((end, _)) => word[..end].to_owned(),
                None => word,
            };
            self.words.push(without_ordinal(kept));
        }
    }

    fn end_unspaced(&mut self) {
        if let Some(alone) = self.unspaced_before.take()
            && !self.paired
        {
            self.words.push(alone.to_string());
        }
        self.paired = false;
    }

    fn finish(mut self) -> Vec<String> {
        self.end_word();
        self.end_unspaced();
        self.words
    }
}

/// `8th` is `8`: dates are written both ways.
fn without_ordinal(word: String) -> String {
    let digits = word.trim_end_matches(|character: char| character.is_ascii_lowercase());
    let is_ordinal = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(&word[digits.len()..], "st" | "nd" | "rd" | "th");
    if is_ordinal { digits.to_owned() } else { word }
}

/// Scripts that put no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{0e01}'..='\u{0edf}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17d3}'
        | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
