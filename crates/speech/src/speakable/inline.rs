//! The words of one line, without the marks around them.

use super::chatter::begins;
use super::emoji::is_picture;
use super::token::Token;
use super::tongue::Tongue;
use super::{emoji, places};

/// Links inside links are not followed further.
const DEPTH_MAX: usize = 3;

/// What kind of line is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inline {
    Prose,
    /// A row of a table: its cells have pauses between them.
    Row,
}

/// A writing, and which of it is for ears.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) characters: &'a [char],
    pub(super) silent: &'a [bool],
    pub(super) tongue: &'a Tongue,
}

impl Reader<'_> {
    /// Appends the words between two places.
    pub(super) fn read(&self, start: usize, end: usize, inline: Inline, tokens: &mut Vec<Token>) {
        self.read_within(start, end, inline, 0, tokens);
    }

    fn read_within(&self, start: usize, end: usize, inline: Inline, depth: usize, tokens: &mut Vec<Token>) {
        let mut word = Word::default();
        let mut at = start;
        while at < end {
            let character = self.characters[at];
            if self.silent[at] {
                word.flush(at, self.tongue, tokens);
                at += 1;
                continue;
            }
            if let Some(next) = self.construct(at, end, depth, &mut word, tokens) {
                at = next;
                continue;
            }
            match character {
                character if character.is_whitespace() => word.flush(at, self.tongue, tokens),
                '*' => self.star(at, start, end, &mut word, tokens),
                '_' => {
                    if self.is_inside_a_word(at, start, end) {
                        word.flush(at, self.tongue, tokens);
                    }
                }
                '~' if self.at(at + 1, end).is_some_and(|next| next.is_ascii_digit()) && word.is_empty() => {
                    if self.tongue.is_english() {
                        tokens.push(Token::settled("about", at));
                    }
                }
                '~' | '`' => {}
                '|' => {
                    word.flush(at, self.tongue, tokens);
                    if inline == Inline::Row && at + 1 < end {
                        tokens.push(Token::settled(",", at));
                    }
                }
                '[' | ']' | '{' | '}' => word.flush(at, self.tongue, tokens),
                character if is_picture(character) => word.flush(at, self.tongue, tokens),
                character if character.is_control() || vocabulary::text::is_invisible(character) => {}
                character => word.push(character),
            }
            at += 1;
        }
        word.flush(end, self.tongue, tokens);
    }

    fn at(&self, place: usize, end: usize) -> Option<char> {
        (place < end).then(|| self.characters[place])
    }

    fn is_inside_a_word(&self, at: usize, start: usize, end: usize) -> bool {
        let before = at > start && self.characters[at - 1].is_alphanumeric();
        before && self.at(at + 1, end).is_some_and(char::is_alphanumeric)
    }

    /// Between numbers or blanks a star multiplies; elsewhere it is a mark.
    fn star(&self, at: usize, start: usize, end: usize, word: &mut Word, tokens: &mut Vec<Token>) {
        let before = (at > start).then(|| self.characters[at - 1]);
        let next = self.at(at + 1, end);
        let is_number =
            |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
        let is_blank = |character: Option<char>| character == Some(' ');
        let multiplies = (is_number(before) && is_number(next)) || (is_blank(before) && is_blank(next));
        if multiplies && self.tongue.is_english() {
            word.flush(at, self.tongue, tokens);
            tokens.push(Token::settled("times", at + 1));
        }
    }

    /// Something with an end of its own: code, a link, a mention. Says where to go on.
    fn construct(
        &self,
        at: usize,
        end: usize,
        depth: usize,
        word: &mut Word,
        tokens: &mut Vec<Token>,
    ) -> Option<usize> {
        match self.characters[at] {
            '\\' => {
                let next = self.at(at + 1, end).filter(char::is_ascii_punctuation)?;
                if !matches!(next, '*' | '_' | '`' | '~' | '|' | '#' | '[' | ']' | '<' | '>') {
                    word.push(next);
                }
                Some(at + 2)
            }
            '`' => self.code(at, end, word, tokens),
            '!' if self.at(at + 1, end) == Some('[') => {
                let link = self.link(at + 1, end)?;
                word.flush(at, self.tongue, tokens);
                let description: String = self.characters[link.label.0..link.label.1].iter().collect();
                self.phrase(&self.tongue.picture(&description), link.end, tokens);
                Some(link.end)
            }
            '[' if begins(self.characters, at, "[^") => {
                let close = (at..end).find(|place| self.characters[*place] == ']')?;
                Some(close + 1)
            }
            // The number of a source, right behind what it is the source of.
            '[' if self.is_source(at, end) => (at..end)
                .find(|place| self.characters[*place] == ']')
                .map(|close| close + 1),
            '[' => {
                let link = self.link(at, end).filter(|_| depth < DEPTH_MAX)?;
                word.flush(at, self.tongue, tokens);
                self.read_within(link.label.0, link.label.1, Inline::Prose, depth + 1, tokens);
                Some(link.end)
            }
            '<' => self.angle(at, end, word, tokens),
            '&' => {
                let (entity, stands_for) = ENTITIES
                    .iter()
                    .find(|(entity, _)| begins(self.characters, at, entity))?;
                word.push(*stands_for);
                Some(at + entity.len())
            }
            ':' => self.shortcode(at, end, word),
            'h' | 'H' | 'w' | 'W' if word.is_only_opening() => {
                let until = places::link_end(self.characters, at, end)?;
                let link: String = self.characters[at..until].iter().collect();
                word.flush(at, self.tongue, tokens);
                self.phrase(&self.tongue.link(&places::host(&link)), until, tokens);
                Some(until)
            }
            _ => None,
        }
    }

    fn phrase(&self, phrase: &str, end: usize, tokens: &mut Vec<Token>) {
        if !phrase.trim().is_empty() {
            tokens.push(Token::settled(phrase.trim(), end));
        }
    }

    fn code(&self, at: usize, end: usize, word: &mut Word, tokens: &mut Vec<Token>) -> Option<usize> {
        let marks = |from: usize| {
            (from..end)
                .take_while(|place| self.characters[*place] == '`')
                .count()
        };
        let opening = marks(at);
        let inside = at + opening;
        let mut place = inside;
        while place < end {
            let closing = marks(place);
            if closing == opening {
                let code: String = self.characters[inside..place].iter().collect();
                word.flush(at, self.tongue, tokens);
                let said = places::code(&code).unwrap_or_else(|| self.tongue.code().to_owned());
                self.phrase(&said, place + closing, tokens);
                return Some(place + closing);
            }
            place += closing.max(1);
        }
        None
    }

    /// `…[12]` and nothing more: who reads can look it up, who hears cannot.
    fn is_source(&self, at: usize, end: usize) -> bool {
        let digits = self.characters[at + 1..end]
            .iter()
            .take_while(|character| character.is_ascii_digit());
        let count = digits.count();
        let is_behind = at > 0 && !self.characters[at - 1].is_whitespace();
        let close = at + 1 + count;
        (1..=3).contains(&count)
            && is_behind
            && self.at(close, end) == Some(']')
            && !matches!(self.at(close + 1, end), Some('(' | '['))
    }

    /// `[label](address)` or `[label][reference]`.
    fn link(&self, at: usize, end: usize) -> Option<Link> {
        let mut depth = 0_usize;
        let close = (at..end).find(|place| {
            match self.characters[*place] {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let (open, shut) = match self.at(close + 1, end)? {
            '(' => ('(', ')'),
            '[' => ('[', ']'),
            _ => return None,
        };
        let mut depth = 0_usize;
        let last = (close + 1..end).find(|place| {
            let character = self.characters[*place];
            if character == open {
                depth += 1;
            } else if character == shut {
                depth -= 1;
            }
            depth == 0
        })?;
        Some(Link {
            label: (at + 1, close),
            end: last + 1,
        })
    }

    /// Something in angle brackets: a link, a mention, an element of a page.
    fn angle(&self, at: usize, end: usize, word: &mut Word, tokens: &mut Vec<Token>) -> Option<usize> {
        let close = (at..end).find(|place| self.characters[*place] == '>')?;
        let inside: String = self.characters[at + 1..close].iter().collect();
        let is_link = inside.starts_with("http://") || inside.starts_with("https://");
        let is_mention =
            inside.starts_with(['@', '#', ':']) || inside.starts_with("a:") || inside.starts_with("t:");
        let is_element = inside
            .trim_start_matches('/')
            .starts_with(|first: char| first.is_ascii_alphabetic());
        if is_link {
            word.flush(at, self.tongue, tokens);
            self.phrase(&self.tongue.link(&places::host(&inside)), close + 1, tokens);
        } else if let Some((name, host)) = places::mail(&inside) {
            word.flush(at, self.tongue, tokens);
            self.phrase(&self.tongue.mail(name, host), close + 1, tokens);
        } else if is_mention || is_element {
            word.flush(at, self.tongue, tokens);
        } else {
            return None;
        }
        Some(close + 1)
    }

    /// `:tada:` is a picture that was spelled.
    fn shortcode(&self, at: usize, end: usize, word: &mut Word) -> Option<usize> {
        if !word.is_empty() {
            return None;
        }
        let name = (at + 1..end)
            .take_while(|place| {
                let character = self.characters[*place];
                character.is_ascii_alphanumeric() || matches!(character, '_' | '+' | '-')
            })
            .count();
        let has_letter = self.characters[at + 1..at + 1 + name]
            .iter()
            .any(char::is_ascii_alphabetic);
        (name >= 2 && has_letter && self.at(at + 1 + name, end) == Some(':')).then_some(at + name + 2)
    }
}

const ENTITIES: [(&str, char); 6] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&quot;", '"'),
    ("&#39;", '\''),
    ("&nbsp;", ' '),
];

struct Link {
    label: (usize, usize),
    end: usize,
}

/// The word under way.
#[derive(Default)]
struct Word {
    text: String,
}

impl Word {
    fn push(&mut self, character: char) {
        self.text.push(character);
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn is_only_opening(&self) -> bool {
        self.text
            .chars()
            .all(|character| matches!(character, '(' | '"' | '\'' | '“' | '‘' | '«'))
    }

    fn flush(&mut self, end: usize, tongue: &Tongue, tokens: &mut Vec<Token>) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim();
        if text.is_empty() || is_face(text) {
            return;
        }
        let bare = text.trim_end_matches(['.', ',', '!', '?', ';', ':', ')']);
        if let Some((name, host)) = places::mail(bare) {
            tokens.push(Token::settled(tongue.mail(name, host), end));
            if bare.len() < text.len() {
                tokens.push(Token::settled(&text[bare.len()..], end));
            }
            return;
        }
        let text = match text.strip_prefix('@') {
            Some(name) if name.starts_with(char::is_alphanumeric) => name,
            _ => text,
        };
        tokens.push(Token::word(text, end));
    }
}

/// A face made of punctuation.
fn is_face(text: &str) -> bool {
    const FACES: [&str; 22] = [
        ":)", ":-)", ":(", ":-(", ";)", ";-)", ":D", ":-D", "XD", "xD", ":P", ":-P", ":p", ":/", ":-/", ":|",
        "<3", "^^", "^_^", ":o", ":O", ":'(",
    ];
    FACES.contains(&text) || text.chars().all(emoji::is_picture)
}
