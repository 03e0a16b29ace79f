//! From words that are being written to pieces that can be said aloud, one after the other: whole sentences and lines of
//! a list; and in place of what only eyes can take in, that it stands in the text.

use crate::lexicon::sentence_end;

/// What ends a sentence whatever follows.
const WIDE_ENDS: [char; 3] = ['。', '！', '？'];
/// A sentence of fewer letters is said with the next one.
const LETTERS_MIN: usize = 4;
/// How the lines of a list begin.
const BULLETS: [&str; 5] = ["- ", "* ", "+ ", "• ", "– "];

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub said: String,
    /// What of it cannot be said, and is to be written instead: code, a table, where a link leads.
    pub written: Option<String>,
}

/// The pieces that are finished in a text that goes on, from a place in it, and up to where they reach.
pub fn finished(text: &str, from: usize) -> (Vec<Piece>, usize) {
    pieces(text, from, false)
}

/// All pieces of a text that is whole.
pub fn all(text: &str) -> Vec<Piece> {
    pieces(text, 0, true).0
}

/// What somebody said who wrote it down with marks that only eyes can read, without them; empty where no word is left.
/// Where a link leads was not said.
pub fn words(text: &str) -> String {
    plain(text).0
}

fn pieces(text: &str, mut from: usize, is_whole: bool) -> (Vec<Piece>, usize) {
    let mut pieces = Vec::new();
    while let Some(rest) = text.get(from..).filter(|rest| !rest.is_empty()) {
        let begins_line = from == 0 || text[..from].ends_with('\n');
        let Some((piece, taken)) = next(rest, begins_line, is_whole) else {
            break;
        };
        pieces.extend(piece);
        from += taken;
    }
    (pieces, from)
}

/// The first piece of a text, if anything of it can be said, and how many bytes it takes; none while it is unfinished.
fn next(text: &str, begins_line: bool, is_whole: bool) -> Option<(Option<Piece>, usize)> {
    let blank = text.len() - text.trim_start().len();
    if blank == text.len() {
        return is_whole.then_some((None, text.len()));
    }
    let body = &text[blank..];
    if begins_line || text[..blank].contains('\n') {
        let block = match body.chars().next() {
            Some(mark @ ('`' | '~')) => code(body, mark, is_whole),
            Some('|') => table(body, is_whole),
            _ => Block::None,
        };
        match block {
            Block::None => {}
            Block::Unfinished => return None,
            Block::Of(piece, taken) => return Some((Some(piece), blank + taken)),
        }
    }
    let end = body
        .char_indices()
        .find_map(|(at, letter)| sentence(body, at, letter));
    let end = end.or(is_whole.then_some(body.len()))?;
    Some((speakable(&body[..end]), blank + end))
}

/// Something of several lines that only eyes can take in.
enum Block {
    None,
    Unfinished,
    Of(Piece, usize),
}

/// Code between two lines of three marks or more.
fn code(body: &str, mark: char, is_whole: bool) -> Block {
    let marks = body.chars().take_while(|letter| *letter == mark).count();
    let fence = &body[..marks];
    if marks < 3 {
        // They may be the beginning of three.
        return match body.len() == marks && !is_whole {
            true => Block::Unfinished,
            false => Block::None,
        };
    }
    let Some(first) = body.find('\n') else {
        return match (is_whole, body[marks..].contains(mark)) {
            (_, true) => Block::None,
            (true, false) => Block::Of(block("code", "line", 0, body), body.len()),
            (false, false) => Block::Unfinished,
        };
    };
    let mut at = first + 1;
    let mut lines = 0;
    for line in body[at..].split_inclusive('\n') {
        at += line.len();
        let is_fence = line.trim().starts_with(fence) && line.trim().chars().all(|letter| letter == mark);
        if is_fence && (line.ends_with('\n') || is_whole) {
            return Block::Of(block("code", "line", lines, &body[..at]), at);
        }
        lines += usize::from(!is_fence);
    }
    match is_whole {
        true => Block::Of(block("code", "line", lines, body), body.len()),
        false => Block::Unfinished,
    }
}

/// Lines that begin with a bar.
fn table(body: &str, is_whole: bool) -> Block {
    let (mut at, mut rows, mut is_over) = (0, 0, is_whole);
    for line in body.split_inclusive('\n') {
        if !line.trim_start().starts_with('|') {
            is_over = true;
            break;
        }
        at += line.len();
        let is_row = line.chars().any(char::is_alphanumeric);
        rows += usize::from(is_row);
    }
    match is_over {
        true => Block::Of(block("table", "row", rows.saturating_sub(1), &body[..at]), at),
        false => Block::Unfinished,
    }
}

fn block(what: &str, of: &str, count: usize, written: &str) -> Piece {
    let what = match what {
        "code" => "A piece of code",
        _ => "A table",
    };
    let many = match count {
        0 => String::new(),
        1 => format!(" of one {of}"),
        many => format!(" of {many} {of}s"),
    };
    Piece {
        said: format!("{what}{many}, in the text."),
        written: Some(written.trim_end().to_owned()),
    }
}

/// Where a sentence ends that ends with this letter. What comes after a mark at the end may still make it none.
fn sentence(body: &str, at: usize, letter: char) -> Option<usize> {
    // A line is a piece, however short.
    if letter == '\n' {
        return Some(at + 1);
    }
    let end = sentence_end(body, at).filter(|end| *end < body.len() || WIDE_ENDS.contains(&letter))?;
    let letters = body[..end].chars().filter(|letter| letter.is_alphanumeric());
    (letters.count() >= LETTERS_MIN).then_some(end)
}

/// A sentence without marks that only eyes can read; none where no word is left.
fn speakable(text: &str) -> Option<Piece> {
    let line = text.trim();
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let is_numbered = (1..=2).contains(&digits) && line[digits..].starts_with([')', '.']);
    let is_item = is_numbered || BULLETS.iter().any(|bullet| line.starts_with(bullet));
    let (mut said, addresses) = plain(line);
    if said.is_empty() {
        return None;
    }
    // Lines of a list are read as sentences.
    if is_item && said.ends_with(|letter: char| letter.is_alphanumeric() || letter == ')') {
        said.push('.');
    }
    Some(Piece {
        said,
        written: (!addresses.is_empty()).then(|| addresses.join("\n")),
    })
}

/// Words without marks, and where the links in them lead; nothing where no word is left.
fn plain(text: &str) -> (String, Vec<&str>) {
    let mut line = text.trim();
    for mark in ["#", ">"].iter().chain(&BULLETS) {
        line = line.trim_start_matches(mark).trim_start();
    }
    let mut plain = String::with_capacity(line.len());
    let mut addresses: Vec<&str> = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['*', '_', '`', '~', '[', '@']) {
        let mark = rest[at..].chars().next().unwrap_or_default();
        plain.push_str(&rest[..at]);
        let after = &rest[at + mark.len_utf8()..];
        let link = after
            .split_once("](")
            .filter(|(words, _)| mark == '[' && !words.contains('['))
            .and_then(|(words, address)| Some((words, address.split_once(')')?)));
        rest = match link {
            Some((words, (address, beyond))) => {
                plain.push_str(words);
                addresses.push(address);
                beyond
            }
            None => {
                // A mark inside a word belongs to it: `snake_case`.
                let inside = matches!(mark, '_' | '@')
                    && plain.ends_with(char::is_alphanumeric)
                    && after.starts_with(char::is_alphanumeric);
                if inside || mark == '[' {
                    plain.push(mark);
                }
                after
            }
        };
    }
    plain.push_str(rest);
    match plain.chars().any(char::is_alphanumeric) {
        true => (plain.split_whitespace().collect::<Vec<_>>().join(" "), addresses),
        false => (String::new(), Vec::new()),
    }
}

#[cfg(test)]
#[path = "aloud_tests.rs"]
mod tests;
