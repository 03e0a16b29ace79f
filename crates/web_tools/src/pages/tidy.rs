//! HTML written anew, so that nothing in it surprises whoever makes a tree of it: no scripts and styles, every element
//! closed, and no more levels than a person would make. Beside it, its text, made without any tree: trees of pages
//! made to break their readers take minutes.

use std::fmt::Write;

use super::entities::resolved;
use super::tags::{Attributes, Piece, Pieces, is_one_of};

/// Levels that are kept; deeper elements lose their tags, and their text stays.
const LEVELS_MAX: usize = 150;
/// What a page says about itself for machines.
const DATA_BYTES_MAX: usize = 64 << 10;

/// Elements that are kept; the others lose their tags.
const KEPT: &str = "a abbr address article aside b blockquote body caption center cite code dd del details dfn div dl dt \
    em figcaption figure font footer form h1 h2 h3 h4 h5 h6 head header hgroup html i ins kbd label li \
    main mark nav ol p picture pre q s samp section small span strong sub summary sup table tbody td \
    tfoot th thead time tr u ul var video";
/// Elements that hold nothing.
const EMPTY: &str = "br hr img input link meta wbr";
/// Elements that stand on lines of their own.
const BLOCKS: &str = "address article aside blockquote body br caption center dd details div dl dt figcaption figure \
    footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tr ul";
/// Elements that the next of their kind ends, as browsers have it.
const ENDED_BY_NEXT: &str = "p li td th tr dd dt";
const ATTRIBUTES: &str = "alt aria-hidden class content datetime dir hidden href http-equiv id itemprop lang name \
    property rel role src style title";

/// A page in other forms.
#[derive(Debug, Default)]
pub(super) struct Tidied {
    /// Safe to make a tree of, as far as that goes; see the counts below.
    pub html: String,
    /// What is to be seen.
    pub text: String,
    pub title: String,
    pub language: Option<String>,
    /// How many there are in `html`: makers of trees take longer with each, and not evenly so.
    pub tags: usize,
    pub references: usize,
    pub ampersands: usize,
}

pub(super) fn tidy(html: &str) -> Tidied {
    let mut writer = Writer::default();
    for piece in Pieces(html) {
        match piece {
            Piece::Text(text) => writer.text(&resolved(text)),
            Piece::Start { name, attributes } => writer.start(name, &attributes),
            Piece::Unseen {
                name,
                attributes,
                inside,
            } => writer.unseen(name, &attributes, inside),
            Piece::End(name) => writer.end(name),
        }
    }
    writer.close_to(0);
    writer.page
}

#[derive(Default)]
struct Writer<'a> {
    page: Tidied,
    open: Vec<&'a str>,
    /// How many levels down nothing is to be seen any more.
    hidden_below: Option<usize>,
}

impl<'a> Writer<'a> {
    fn text(&mut self, text: &str) {
        self.escaped(text);
        if self.hidden_below.is_some() {
            return;
        }
        if self.open.iter().any(|open| open.eq_ignore_ascii_case("pre")) {
            self.page.text.push_str(text);
            return;
        }
        let starts_apart = text.starts_with(char::is_whitespace);
        for (number, word) in text.split_whitespace().enumerate() {
            if (number > 0 || starts_apart) && !self.page.text.ends_with([' ', '\n']) {
                self.page.text.push(' ');
            }
            self.page.text.push_str(word);
        }
        if text.ends_with(char::is_whitespace) && !self.page.text.ends_with([' ', '\n']) {
            self.page.text.push(' ');
        }
    }

    fn start(&mut self, name: &'a str, attributes: &Attributes<'a>) {
        self.stand_apart(name);
        if is_one_of(name, EMPTY) {
            self.tag(name, attributes);
        } else if is_one_of(name, KEPT) && self.open.len() < LEVELS_MAX {
            let last = self
                .open
                .last()
                .is_some_and(|open| open.eq_ignore_ascii_case(name));
            if last && is_one_of(name, ENDED_BY_NEXT) {
                self.close_to(self.open.len() - 1);
            }
            if name.eq_ignore_ascii_case("html") {
                self.page.language = attributes.value("lang").map(str::to_owned);
            }
            if self.hidden_below.is_none() && (is_hidden(attributes) || name.eq_ignore_ascii_case("head")) {
                self.hidden_below = Some(self.open.len());
            }
            self.tag(name, attributes);
            self.open.push(name);
        }
    }

    fn unseen(&mut self, name: &str, attributes: &Attributes<'_>, inside: &str) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        let is_data = attributes
            .value("type")
            .is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"));
        if is("title") && self.page.title.is_empty() {
            // The first one is the page's; others belong to drawings in it.
            self.page.title = resolved(inside);
            self.page.html.push_str("<title>");
            let title = self.page.title.clone();
            self.escaped(&title);
            self.page.html.push_str("</title>");
        } else if is("script") && is_data && inside.len() <= DATA_BYTES_MAX {
            let _ = write!(
                self.page.html,
                "<script type=\"application/ld+json\">{inside}</script>"
            );
            self.page.tags += 1;
        }
    }

    fn end(&mut self, name: &str) {
        self.stand_apart(name);
        if let Some(at) = self.open.iter().rposition(|open| open.eq_ignore_ascii_case(name)) {
            self.close_to(at);
        }
    }

    fn stand_apart(&mut self, name: &str) {
        let text = &mut self.page.text;
        // Rows and points follow each other closely; the rest with an empty line between them.
        let line_end = if is_one_of(name, "tr li br dd dt") {
            "\n"
        } else {
            "\n\n"
        };
        if is_one_of(name, BLOCKS) && !text.is_empty() && !text.ends_with(line_end) {
            text.push('\n');
        } else if is_one_of(name, "td th") && !text.is_empty() && !text.ends_with([' ', '\n']) {
            text.push(' ');
        }
    }

    fn tag(&mut self, name: &str, attributes: &Attributes<'_>) {
        let html = &mut self.page.html;
        let _ = write!(html, "<{}", name.to_ascii_lowercase());
        for (name, value) in attributes
            .0
            .iter()
            .filter(|(name, _)| is_one_of(name, ATTRIBUTES))
        {
            let value = value
                .replace('"', "&quot;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let _ = write!(html, " {name}=\"{value}\"");
        }
        html.push('>');
        self.page.tags += 1;
    }

    fn escaped(&mut self, text: &str) {
        for letter in text.chars() {
            let reference = match letter {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                _ => {
                    self.page.html.push(letter);
                    continue;
                }
            };
            self.page.html.push_str(reference);
            self.page.references += 1;
            self.page.ampersands += usize::from(letter == '&');
        }
    }

    fn close_to(&mut self, levels: usize) {
        for name in self.open.drain(levels..).rev() {
            let _ = write!(self.page.html, "</{}>", name.to_ascii_lowercase());
        }
        if self.hidden_below.is_some_and(|below| below >= levels) {
            self.hidden_below = None;
        }
    }
}

fn is_hidden(attributes: &Attributes<'_>) -> bool {
    let style = attributes.value("style").unwrap_or_default().to_ascii_lowercase();
    attributes.value("hidden").is_some()
        || attributes.value("aria-hidden") == Some("true")
        || style.replace(' ', "").contains("display:none")
}

#[cfg(test)]
#[path = "tidy_tests.rs"]
mod tests;
