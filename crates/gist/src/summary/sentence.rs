//! Where a turn's sentences end, and from whose side each is told.

use crate::lexicon::{Language, is_word_character, split_after};

/// What a sentence does; facts about the one who speaks are what a summary is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Speaks of the speaker: `I`, `we`, `my`.
    Own,
    /// Speaks of the speaker and of the one spoken to.
    Mixed,
    /// Speaks of neither.
    Plain,
    /// Speaks of the one spoken to: mostly praise, advice and echoes.
    Yours,
    Question,
    /// What a shared picture shows.
    Picture,
    /// What was seen on a shared screen.
    Note,
    /// Read back from the earlier summary.
    Remembered,
    /// A question read back from the earlier summary: by now mostly answered.
    RememberedQuestion,
}

const PICTURE_WORDS: [&str; 4] = ["picture", "photo", "image", "screenshot"];

impl Manner {
    /// How much of its words' weight a sentence of this manner keeps.
    pub fn factor(self) -> f64 {
        match self {
            Manner::Own | Manner::Remembered => 1.0,
            Manner::Note => 0.8,
            Manner::Plain => 0.6,
            Manner::Mixed => 0.4,
            Manner::Yours | Manner::Question | Manner::Picture => 0.25,
            Manner::RememberedQuestion => 0.15,
        }
    }
}

/// The sentences of a turn, in order; a picture's description in square brackets counts as one.
pub fn sentences(text: &str, language: Language) -> Vec<(&str, Manner)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, description, after)) = picture(rest) {
        found.extend(spoken(before, language));
        found.push((description, Manner::Picture));
        rest = after;
    }
    found.extend(spoken(rest, language));
    found
}

/// The text around the first `[picture: what it shows]`, and what it shows.
fn picture(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (inside, after) = rest.split_once(']')?;
    let (label, description) = inside.split_once(':')?;
    let is_picture = PICTURE_WORDS.iter().any(|word| label.contains(word));
    is_picture.then_some((before, description, after))
}

fn spoken(text: &str, language: Language) -> Vec<(&str, Manner)> {
    let parts = split(text).into_iter();
    parts
        .filter(|part| part.chars().any(is_word_character))
        .map(|part| (part, manner(part, language)))
        .collect()
}

fn manner(sentence: &str, language: Language) -> Manner {
    if sentence
        .trim_end_matches(['"', '”', ')', ' ', '!'])
        .ends_with(['?', '？'])
    {
        return Manner::Question;
    }
    let lower = sentence.to_lowercase().replace('’', "'");
    let tongue = language.tongue();
    let mut words = lower.split(|character: char| !is_word_character(character) && character != '\'');
    let (mut own, mut yours) = (false, false);
    for word in words.by_ref() {
        // `j'ai` is of the one who speaks.
        let word = match (language, word.split_once('\'')) {
            (Language::French, Some((head, _))) => head,
            _ => word,
        };
        own |= tongue.own.contains(&word) || speaks_of_me(word, language);
        yours |= tongue.yours.contains(&word);
    }
    match (own, yours) {
        (true, true) => Manner::Mixed,
        (true, false) => Manner::Own,
        (false, true) => Manner::Yours,
        (false, false) => Manner::Plain,
    }
}

/// In Spanish the verb says so alone: `adopté`, `aprendí`.
fn speaks_of_me(word: &str, language: Language) -> bool {
    language == Language::Spanish
        && word.ends_with(['é', 'í'])
        && word.chars().count() > 3
        && !language.has_function_word(word)
}

/// Splits after `.`, `!`, `?` before a space, and at line ends, semicolons and dashes.
pub fn split(text: &str) -> Vec<&str> {
    let mut before = ' ';
    split_after(text, |part, character, next| {
        let next = next.unwrap_or(' ');
        let before = std::mem::replace(&mut before, character);
        match character {
            '\n' | '\r' | ';' | '—' | '。' | '！' | '？' => true,
            '.' => (next.is_whitespace() || next == '"' || next == '”') && !is_abbreviation(part),
            '!' | '?' | '…' => next.is_whitespace() || next == '"' || next == '”',
            '-' | '–' => next == '-' || before == '-' || (before.is_whitespace() && next.is_whitespace()),
            _ => false,
        }
    })
}

/// `Dr` in `Dr. Smith`, `J` in `J. Smith`.
fn is_abbreviation(before_the_dot: &str) -> bool {
    let last = before_the_dot
        .rsplit(|character: char| !character.is_alphanumeric())
        .next()
        .unwrap_or("");
    matches!(last, "Dr" | "Mr" | "Mrs" | "Ms" | "St" | "Prof" | "vs")
        || (last.len() == 1 && last.chars().all(char::is_uppercase) && last != "I")
}
