//! Sentences out of a stream of words: each is handed on as soon as it is known to be whole.

/// Without an end a sentence is cut here, where it has a comma or a blank.
const CHARACTERS_MAX: usize = 400;

/// Words whose full stop ends no sentence.
const NEVER_LAST: [&str; 36] = [
    "e.g", "i.e", "eg", "ie", "cf", "vs", "dr", "mr", "mrs", "ms", "prof", "st", "sr", "jr", "mt", "rev",
    "gen", "col", "capt", "sgt", "lt", "hon", "approx", "fig", "dept", "est", "inc", "ltd", "bzw", "z.b",
    "u.a", "d.h", "ca", "nr", "p.ej", "sig",
];
/// Words whose full stop ends a sentence only where the next begins large.
const SELDOM_LAST: [&str; 15] = [
    "etc", "no", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "usw",
];

/// Cuts a stream of text into sentences.
#[derive(Clone, Debug, Default)]
pub struct Sentences {
    waiting: Vec<char>,
    /// Where to look on: before it there is no end of a sentence.
    seen: usize,
    fenced: bool,
}

impl Sentences {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes what was written next, and gives the sentences that are whole by now.
    pub fn push(&mut self, text: &str) -> Vec<String> {
        self.waiting.extend(text.chars());
        let mut whole = Vec::new();
        while let Some(end) = self.next_end() {
            self.take(end, &mut whole);
        }
        whole
    }

    /// Gives what is left: the stream has ended.
    pub fn finish(&mut self) -> Vec<String> {
        let mut whole = self.push("\n");
        let end = self.waiting.len();
        self.take(end, &mut whole);
        self.fenced = false;
        whole
    }

    fn take(&mut self, end: usize, whole: &mut Vec<String>) {
        let sentence: String = self.waiting.drain(..end).collect();
        self.seen = 0;
        let sentence = sentence.trim();
        if !sentence.is_empty() {
            whole.push(sentence.to_owned());
        }
    }

    /// Where the first sentence ends, as far as can be told.
    fn next_end(&mut self) -> Option<usize> {
        let mut at = self.seen;
        while at < self.waiting.len() {
            if self.fenced {
                let close = fence_at(&self.waiting, at);
                match close {
                    // The fence may still grow, or be followed by something.
                    Some(after) if after < self.waiting.len() => {
                        self.fenced = false;
                        return Some(after);
                    }
                    Some(_) => {
                        self.seen = at;
                        return None;
                    }
                    None => {}
                }
                at += 1;
                continue;
            }
            if let Some(after) = fence_at(&self.waiting, at) {
                if after == self.waiting.len() {
                    self.seen = at;
                    return None;
                }
                let has_words = self.waiting[..at]
                    .iter()
                    .any(|character| !character.is_whitespace());
                if has_words {
                    self.seen = 0;
                    return Some(at);
                }
                self.fenced = true;
                at = after;
                continue;
            }
            match self.ends_at(at) {
                End::Here(end) => return Some(end),
                End::Unknown => {
                    self.seen = at;
                    return self.too_long();
                }
                End::No => at += 1,
            }
        }
        self.seen = at;
        self.too_long()
    }

    fn ends_at(&self, at: usize) -> End {
        let waiting = &self.waiting;
        match waiting[at] {
            '\n' if waiting[..at].iter().all(|character| character.is_whitespace()) => End::No,
            '\n' => match waiting[at + 1..].iter().find(|character| **character != ' ') {
                // A line that goes on with a small letter goes on with the sentence.
                Some(next) if next.is_lowercase() => End::No,
                Some(_) => End::Here(at + 1),
                None if self.has_a_mark_before(at) => End::Here(at + 1),
                None => End::Unknown,
            },
            '。' | '！' | '？' | '।' | '؟' | '۔' | '։' | '።' => {
                End::Here(self.behind_closing(at + 1))
            }
            '.' | '!' | '?' | '…' => self.mark_ends_at(at),
            _ => End::No,
        }
    }

    fn has_a_mark_before(&self, at: usize) -> bool {
        let last = self.waiting[..at]
            .iter()
            .rfind(|character| !character.is_whitespace());
        matches!(last, Some('.' | '!' | '?' | '…' | ':'))
    }

    fn behind_closing(&self, mut at: usize) -> usize {
        while matches!(
            self.waiting.get(at),
            Some(
                '"' | '\''
                    | '”'
                    | '’'
                    | ')'
                    | ']'
                    | '»'
                    | '*'
                    | '_'
                    | '`'
                    | '」'
                    | '』'
                    | '.'
                    | '!'
                    | '?'
                    | '…'
                    | '。'
                    | '！'
                    | '？'
            )
        ) {
            at += 1;
        }
        at
    }

    fn mark_ends_at(&self, at: usize) -> End {
        let waiting = &self.waiting;
        let end = self.behind_closing(at + 1);
        let Some(blank) = waiting.get(end) else {
            return End::Unknown;
        };
        if !blank.is_whitespace() || self.is_in_code(at) {
            return End::No;
        }
        if *blank == '\n' {
            // The line decides.
            return End::No;
        }
        let next = waiting[end..]
            .iter()
            .find(|character| !character.is_whitespace() && !is_opening(**character));
        let Some(next) = next else {
            return End::Unknown;
        };
        if next.is_lowercase() || (waiting[at] == '.' && end == at + 1 && !self.full_stop_ends(at, *next)) {
            return End::No;
        }
        End::Here(end)
    }

    fn full_stop_ends(&self, at: usize, next: char) -> bool {
        let before = &self.waiting[..at];
        let start = before
            .iter()
            .rposition(|character| character.is_whitespace() || is_opening(*character))
            .map_or(0, |place| place + 1);
        let word: String = before[start..].iter().collect::<String>().to_lowercase();
        if NEVER_LAST.contains(&word.as_str()) {
            return false;
        }
        if SELDOM_LAST.contains(&word.as_str()) {
            return next.is_uppercase();
        }
        let is_number = !word.is_empty() && word.chars().all(|character| character.is_ascii_digit());
        let begins_line = before[..start]
            .iter()
            .rev()
            .take_while(|character| **character != '\n')
            .all(|character| character.is_whitespace());
        // "1. Do this" is a list; "J. Doe" and "U.S." are names.
        let is_list = is_number && word.len() <= 2 && begins_line;
        let is_initial = word.chars().count() == 1 && word != "i" && word.chars().all(char::is_alphabetic);
        let is_dotted = word.len() <= 6
            && word.contains('.')
            && word
                .split('.')
                .all(|part| part.chars().count() <= 1 && part.chars().all(char::is_alphabetic));
        !(is_list || is_initial || is_dotted)
    }

    /// Whether a place is between two backticks of its line.
    fn is_in_code(&self, at: usize) -> bool {
        let line = self.waiting[..at]
            .iter()
            .rposition(|character| *character == '\n')
            .map_or(0, |place| place + 1);
        let ticks = self.waiting[line..at]
            .iter()
            .filter(|character| **character == '`')
            .count();
        ticks % 2 == 1 && self.waiting.len() - line < CHARACTERS_MAX
    }

    fn too_long(&self) -> Option<usize> {
        if self.fenced || self.waiting.len() <= CHARACTERS_MAX {
            return None;
        }
        let beginning = &self.waiting[..CHARACTERS_MAX];
        let at = |wanted: fn(&char) -> bool| beginning.iter().rposition(wanted);
        let pause =
            at(|character| matches!(character, ',' | ';' | ':' | '，' | '、')).filter(|place| *place > 40);
        let blank = || at(|character| character.is_whitespace()).filter(|place| *place > 0);
        Some(pause.or_else(blank).map_or(CHARACTERS_MAX, |place| place + 1))
    }
}

enum End {
    Here(usize),
    No,
    /// What comes next decides.
    Unknown,
}

fn is_opening(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '“' | '‘' | '(' | '[' | '«' | '*' | '_' | '`' | '「' | '『'
    )
}

/// Whether a fence of a block of code begins a line here; just behind its marks.
fn fence_at(characters: &[char], at: usize) -> Option<usize> {
    let begins_line = characters[..at]
        .iter()
        .rev()
        .take_while(|character| **character != '\n')
        .all(|character| *character == ' ');
    let mark = characters[at];
    if !begins_line || !matches!(mark, '`' | '~') {
        return None;
    }
    let marks = characters[at..]
        .iter()
        .take_while(|character| **character == mark)
        .count();
    if marks >= 3 {
        return Some(at + marks);
    }
    // One or two marks at the end may be the beginning of three.
    (at + marks == characters.len()).then_some(characters.len())
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
