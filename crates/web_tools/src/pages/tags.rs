//! HTML in pieces: texts and tags, one after the other, whatever it is.

const ATTRIBUTES_MAX: usize = 12;
const VALUE_BYTES_MAX: usize = 600;
/// Elements whose inside is not text for a person, or not in the page.
const UNSEEN: &str =
    "title script style noscript template textarea iframe noembed noframes xmp select object svg";

/// What follows in a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// With its character references.
    Text(&'a str),
    Start {
        name: &'a str,
        attributes: Attributes<'a>,
    },
    /// An element with all that is in it.
    Unseen {
        name: &'a str,
        attributes: Attributes<'a>,
        inside: &'a str,
    },
    End(&'a str),
}

/// Names in lower case, and values as they are written; the first few of a tag.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes<'a>(pub Vec<(String, &'a str)>);

impl<'a> Attributes<'a> {
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| *value)
    }
}

/// The pieces of what is left of a page.
#[derive(Debug)]
pub(super) struct Pieces<'a>(pub &'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            if self.0.is_empty() {
                return None;
            }
            let Some(inside) = self.0.strip_prefix('<') else {
                return Some(self.text(0));
            };
            match inside.bytes().next() {
                Some(b'!') if inside.starts_with("!--") => self.0 = after(&inside[3..], "-->"),
                Some(b'!' | b'?') => self.0 = after(inside, ">"),
                Some(b'/') => {
                    let (name, rest) = name_of(&inside[1..]);
                    self.0 = after(rest, ">");
                    return Some(Piece::End(name));
                }
                Some(letter) if letter.is_ascii_alphabetic() => return Some(self.start(inside)),
                _ => return Some(self.text(1)),
            }
        }
    }
}

impl<'a> Pieces<'a> {
    /// Everything before the next `<` after so many bytes.
    fn text(&mut self, from: usize) -> Piece<'a> {
        let end = self.0[from..].find('<').map_or(self.0.len(), |end| from + end);
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        Piece::Text(text)
    }

    fn start(&mut self, inside: &'a str) -> Piece<'a> {
        let (name, rest) = name_of(inside);
        let (attributes, rest) = attributes(rest);
        if !is_one_of(name, UNSEEN) {
            self.0 = rest;
            return Piece::Start { name, attributes };
        }
        let (inside, rest) = until_end(rest, name);
        self.0 = rest;
        Piece::Unseen {
            name,
            attributes,
            inside,
        }
    }
}

pub(super) fn is_one_of(name: &str, list: &str) -> bool {
    list.split(' ').any(|one| name.eq_ignore_ascii_case(one))
}

fn name_of(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !(byte.is_ascii_alphanumeric() || b"-:_".contains(&byte)));
    text.split_at(end.unwrap_or(text.len()))
}

/// What comes after a mark; nothing where there is none.
fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    text.split_once(mark).map_or("", |(_, rest)| rest)
}

/// What stands before `</name`, and what comes after that tag; everything where it does not end.
fn until_end<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    let mut from = 0;
    while let Some(found) = text[from..].find("</") {
        let at = from + found;
        let (ends, rest) = name_of(&text[at + 2..]);
        if ends.eq_ignore_ascii_case(name) {
            return (&text[..at], after(rest, ">"));
        }
        from = at + 2;
    }
    (text, "")
}

/// The attributes of a tag, and what comes after its `>`.
fn attributes(text: &str) -> (Attributes<'_>, &str) {
    let is_blank = |letter: char| letter.is_ascii_whitespace();
    let mut found = Attributes::default();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|letter| is_blank(letter) || letter == '/');
        if let Some(rest) = rest.strip_prefix('>') {
            return (found, rest);
        }
        let Some(first) = rest.chars().next() else {
            return (found, rest);
        };
        // An equals sign without a name before it is a name.
        let start = first.len_utf8();
        let ends_name = |letter: char| is_blank(letter) || "/>=".contains(letter);
        let end = rest[start..]
            .find(ends_name)
            .map_or(rest.len(), |end| start + end);
        let (name, after_name) = rest.split_at(end);
        rest = after_name.trim_start_matches(is_blank);
        let mut value = "";
        if let Some(assigned) = rest.strip_prefix('=') {
            let assigned = assigned.trim_start_matches(is_blank);
            (value, rest) = match assigned.chars().next() {
                Some(quote @ ('"' | '\'')) => assigned[1..].split_once(quote).unwrap_or((&assigned[1..], "")),
                _ => {
                    let ends = |letter: char| is_blank(letter) || letter == '>';
                    assigned.split_at(assigned.find(ends).unwrap_or(assigned.len()))
                }
            };
        }
        let name = name.to_ascii_lowercase();
        if found.0.len() < ATTRIBUTES_MAX && value.len() <= VALUE_BYTES_MAX && found.value(&name).is_none() {
            found.0.push((name, value));
        }
    }
}
