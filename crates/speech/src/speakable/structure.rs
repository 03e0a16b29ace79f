//! The lines of a writing: headings, lists, tables, quotes and blocks of code.

use super::inline::{Inline, Reader};
use super::token::Token;
use super::tongue::Tongue;

/// The words of a writing, with a stop wherever its form makes one.
pub(super) fn tokens(characters: &[char], silent: &[bool], tongue: &Tongue) -> Vec<Token> {
    let reader = Reader {
        characters,
        silent,
        tongue,
    };
    let mut tokens: Vec<Token> = Vec::new();
    let mut fence: Option<Fence> = None;
    for (start, end) in lines(characters) {
        let (content, end_of_content) = trimmed(characters, start, end);
        if let Some(open) = &fence {
            if open.is_closed_by(&characters[content..end_of_content]) {
                fence = None;
                push_code(&mut tokens, end_of_content, tongue);
            }
            continue;
        }
        if let Some(opened) = Fence::opened_by(&characters[content..end_of_content])
            && !silent[content]
        {
            stop(&mut tokens, content);
            fence = Some(opened);
            continue;
        }
        let line = Line::read(&characters[content..end_of_content]);
        if !tokens.is_empty()
            && (line.begins_anew || begins_like_a_sentence(&characters[content..end_of_content]))
        {
            stop(&mut tokens, content);
        }
        if line.is_only_form {
            continue;
        }
        if let Some(number) = line.number {
            tokens.push(Token::word(format!("{number},"), content + line.skip));
        }
        let inline = if line.is_row { Inline::Row } else { Inline::Prose };
        reader.read(content + line.skip, end_of_content, inline, &mut tokens);
    }
    if fence.is_some() {
        push_code(&mut tokens, characters.len(), tongue);
    }
    tokens
}

fn push_code(tokens: &mut Vec<Token>, end: usize, tongue: &Tongue) {
    if !tongue.code().is_empty() {
        tokens.push(Token::settled(tongue.code(), end));
        tokens.push(Token::settled(".", end));
    }
}

fn stop(tokens: &mut Vec<Token>, end: usize) {
    tokens.push(Token::settled(".", end));
}

fn lines(characters: &[char]) -> impl Iterator<Item = (usize, usize)> {
    let mut start = 0;
    let ends = characters
        .iter()
        .enumerate()
        .filter(|(_, character)| **character == '\n')
        .map(|(place, _)| place)
        .chain([characters.len()]);
    ends.map(move |end| {
        let line = (start, end);
        start = end + 1;
        line
    })
}

fn trimmed(characters: &[char], start: usize, end: usize) -> (usize, usize) {
    let mut start = start.min(end);
    let mut end = end;
    while start < end && characters[start].is_whitespace() {
        start += 1;
    }
    while end > start && characters[end - 1].is_whitespace() {
        end -= 1;
    }
    (start, end)
}

/// A line that goes on with the sentence before begins with a small letter.
fn begins_like_a_sentence(line: &[char]) -> bool {
    match line.iter().find(|character| character.is_alphanumeric()) {
        Some(first) => !first.is_lowercase(),
        None => true,
    }
}

struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &[char]) -> Option<Self> {
        let mark = *line.first().filter(|first| matches!(first, '`' | '~'))?;
        let length = line.iter().take_while(|character| **character == mark).count();
        // Code between three marks on one line is not a block of lines.
        let has_more = line[length..].contains(&mark);
        (length >= 3 && !has_more).then_some(Self { mark, length })
    }

    fn is_closed_by(&self, line: &[char]) -> bool {
        line.len() >= self.length && line.iter().all(|character| *character == self.mark)
    }
}

/// What the beginning of a line says about it.
#[derive(Default)]
struct Line {
    /// Characters that are form and not words.
    skip: usize,
    number: Option<String>,
    begins_anew: bool,
    is_row: bool,
    is_only_form: bool,
}

impl Line {
    fn read(line: &[char]) -> Self {
        let mut read = Self::default();
        if line.is_empty() || is_rule(line) {
            read.is_only_form = true;
            read.begins_anew = true;
            return read;
        }
        while line.get(read.skip) == Some(&'>') {
            read.skip += 1;
            read.skip += blanks(&line[read.skip..]);
        }
        let rest = &line[read.skip..];
        let hashes = rest.iter().take_while(|character| **character == '#').count();
        if (1..=6).contains(&hashes) && rest.get(hashes) == Some(&' ') {
            read.skip += hashes + 1;
            read.begins_anew = true;
        } else if rest.starts_with(&['-', '#', ' ']) {
            read.skip += 3;
            read.begins_anew = true;
        } else if matches!(rest, ['-' | '*' | '+' | '•' | '–' | '·', ' ', ..]) {
            read.skip += 2;
            read.begins_anew = true;
            if let Some(['[', ' ' | 'x' | 'X', ']', ' ', ..]) = rest.get(2..) {
                read.skip += 4;
            }
        } else if let Some((number, length)) = numbered(rest) {
            read.skip += length;
            read.number = Some(number);
            read.begins_anew = true;
        } else if rest.first() == Some(&'|') {
            read.begins_anew = true;
            read.is_row = true;
            read.is_only_form = rest
                .iter()
                .all(|character| matches!(character, '|' | '-' | ':' | ' '));
        }
        read
    }
}

fn blanks(line: &[char]) -> usize {
    line.iter().take_while(|character| **character == ' ').count()
}

fn is_rule(line: &[char]) -> bool {
    let marks: Vec<&char> = line.iter().filter(|character| **character != ' ').collect();
    marks.len() >= 3
        && matches!(marks[0], '-' | '*' | '_' | '=')
        && marks.iter().all(|mark| *mark == marks[0])
}

/// `1. ` or `1) `.
fn numbered(line: &[char]) -> Option<(String, usize)> {
    let digits = line
        .iter()
        .take_while(|character| character.is_ascii_digit())
        .count();
    let is_number = (1..=2).contains(&digits) && matches!(line.get(digits..), Some(['.' | ')', ' ', ..]));
    is_number.then(|| (line[..digits].iter().collect(), digits + 2))
}
