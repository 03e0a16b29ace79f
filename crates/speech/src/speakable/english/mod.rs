//! English words as they are said: numbers, dates, money, units, abbreviations and symbols.

mod amounts;
mod dates;
mod lists;
mod numbers;

use self::lists::{
    ABBREVIATIONS, BEFORE_DECADES, BEFORE_MINUTES, BEFORE_YEARS, CURRENCIES, CURRENCY_CODES, ONLY_ATTACHED,
    SYMBOLS,
};
use self::numbers::{Number, digits, ordinal, year};
use super::token::Token;

/// Words that multiply what is before them.
const SCALES: [&str; 4] = ["thousand", "million", "billion", "trillion"];

/// Replaces what is written short by what is said.
pub(super) fn spoken(tokens: Vec<Token>) -> Vec<Token> {
    let mut said = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].settled {
            said.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let words = Words { tokens: &tokens, at };
        let (phrase, taken) = words.together().unwrap_or_else(|| (words.alone(), 1));
        let end = tokens[at + taken - 1].end;
        if !phrase.is_empty() {
            said.push(Token::settled(phrase, end));
        }
        at += taken;
    }
    said
}

/// A word's punctuation before it, the word, and the punctuation behind.
fn parts(word: &str) -> (&str, &str, &str) {
    let opening = |character: char| matches!(character, '(' | '"' | '“' | '‘' | '«' | '¿' | '¡');
    let closing = |character: char| {
        matches!(
            character,
            ')' | '"' | '”' | '’' | '»' | '\'' | ',' | '.' | '!' | '?' | ';' | ':' | '…'
        )
    };
    let start = word.len() - word.trim_start_matches(opening).len();
    let core = word[start..].trim_end_matches(closing);
    (&word[..start], core, &word[start + core.len()..])
}

/// A place among words.
struct Words<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Words<'_> {
    fn word(&self, ahead: usize) -> Option<&str> {
        let token = self.tokens.get(self.at + ahead)?;
        (!token.settled).then_some(token.said.as_str())
    }

    /// Whether a word stands alone: nothing between it and the next but a blank.
    fn is_open(&self, ahead: usize) -> bool {
        self.word(ahead).is_some_and(|word| parts(word).2.is_empty())
    }

    /// Several words that are said as one thing.
    fn together(&self) -> Option<(String, usize)> {
        self.month_and_day()
            .or_else(|| self.day_and_month())
            .or_else(|| self.money())
            .or_else(|| self.measured())
            .or_else(|| self.year())
    }

    /// `Nov 16`, `November 16, 2026`.
    fn month_and_day(&self) -> Option<(String, usize)> {
        let (before, first, after) = parts(self.word(0)?);
        // "You may 5 times" is no day.
        let is_month = matches!(after, "" | ".") && first.starts_with(char::is_uppercase);
        let month = dates::month(first).filter(|_| is_month)?;
        let (_, second, behind) = parts(self.word(1)?);
        if let Some(year) = dates::year_words(second) {
            return Some((format!("{before}{month} {year}{behind}"), 2));
        }
        let day = ordinal(dates::day(second)?);
        let third = self.word(2).map(parts).filter(|_| matches!(behind, "" | ","));
        if let Some((_, third, last)) = third
            && let Some(year) = dates::year_words(third)
        {
            return Some((format!("{before}{month} {day}, {year}{last}"), 3));
        }
        Some((format!("{before}{month} {day}{behind}"), 2))
    }

    /// `16 November 2026`.
    fn day_and_month(&self) -> Option<(String, usize)> {
        let (before, first, after) = parts(self.word(0)?);
        let day = dates::day(first).filter(|_| after.is_empty())?;
        let (_, second, behind) = parts(self.word(1)?);
        // "4 may be too many" is not a day.
        let month = dates::month(second).filter(|_| second.starts_with(char::is_uppercase))?;
        let said = format!("{before}the {} of {month}", ordinal(day));
        let third = self
            .word(2)
            .map(parts)
            .filter(|_| matches!(behind, "" | "," | "."));
        if let Some((_, third, last)) = third
            && let Some(year) = dates::year_words(third)
        {
            return Some((format!("{said} {year}{last}"), 3));
        }
        Some((format!("{said}{behind}"), 2))
    }

    /// `$3 million`, `20 EUR`.
    fn money(&self) -> Option<(String, usize)> {
        let (before, first, after) = parts(self.word(0)?);
        let (_, second, behind) = parts(self.word(1)?);
        after.is_empty().then_some(())?;
        if SCALES.contains(&second) {
            let currency = CURRENCIES.iter().find(|currency| first.starts_with(currency.0))?;
            let number = Number::read(&first[currency.0.len()..])?;
            return Some((
                format!("{before}{} {second} {}{behind}", number.words(), currency.2),
                2,
            ));
        }
        let sign = CURRENCY_CODES.iter().find(|(code, _)| *code == second)?.1;
        let currency = CURRENCIES.iter().find(|currency| currency.0 == sign)?;
        let number = Number::read(first)?;
        Some((
            format!("{before}{}{behind}", amounts::amount_of(&number, currency)),
            2,
        ))
    }

    /// `5 km`, `1 GB`.
    fn measured(&self) -> Option<(String, usize)> {
        let (before, first, after) = parts(self.word(0)?);
        let (_, second, behind) = parts(self.word(1)?);
        if !after.is_empty() || ONLY_ATTACHED.contains(&second) {
            return None;
        }
        let number = Number::read(first)?;
        let unit = amounts::unit_name(second, number.is_one())?;
        Some((format!("{before}{} {unit}{behind}", number.words()), 2))
    }

    /// `in 1984`.
    fn year(&self) -> Option<(String, usize)> {
        let (before, word, after) = parts(self.word(0)?);
        let value = dates::year_of(word)?;
        let last = self
            .at
            .checked_sub(1)
            .map(|last| self.tokens[last].said.to_lowercase())?;
        let last = parts(&last).1;
        let is_year = BEFORE_YEARS.contains(&last) || dates::month(last).is_some();
        // "In 1500 meters" is a length.
        let is_counted = self.is_open(0)
            && self
                .word(1)
                .is_some_and(|next| amounts::unit_name(next, false).is_some());
        (is_year && !is_counted).then(|| (format!("{before}{}{after}", year(value)), 1))
    }

    /// One word by itself.
    fn alone(&self) -> String {
        let word = self.word(0).unwrap_or_default();
        if let Some(said) = self.between_numbers(word) {
            return said.to_owned();
        }
        if let Some((_, name)) = SYMBOLS.iter().find(|(symbol, _)| *symbol == word) {
            return (*name).to_owned();
        }
        if let Some(said) = abbreviation(word, self.word(1)) {
            return said;
        }
        let (before, core, after) = parts(word);
        let after = after.replace('…', "...");
        let after = squeezed(&after);
        if let Some(said) = self.by_its_neighbours(core, after.as_str()) {
            return format!("{before}{said}{after}");
        }
        if let Some(said) = amounts::said(core) {
            return format!("{before}{said}{after}");
        }
        format!("{before}{}{after}", plain(core))
    }
}

impl Words<'_> {
    /// The word before, in lower case and without marks; empty where there is none.
    fn before(&self) -> String {
        let before = self
            .at
            .checked_sub(1)
            .map(|last| self.tokens[last].said.to_lowercase());
        parts(&before.unwrap_or_default()).1.to_owned()
    }

    /// A sign between two numbers is to be said; a dash means nothing without an equals sign but a range.
    fn between_numbers(&self, word: &str) -> Option<&'static str> {
        let is_number = |text: &str| Number::read(parts(text).1).is_some();
        if !is_number(&self.before()) || !self.word(1).is_some_and(is_number) {
            return None;
        }
        let is_sum = (2..5).any(|ahead| matches!(self.word(ahead), Some("=" | "==" | "+" | "*" | "/")))
            || self.at >= 2 && matches!(self.tokens[self.at - 2].said.as_str(), "=" | "+" | "*" | "/");
        match word {
            "-" | "–" | "−" if is_sum => Some("minus"),
            "-" | "–" => Some("to"),
            "/" => Some("divided by"),
            _ => None,
        }
    }

    /// What a number with a letter is depends on the words around it: `90s`, `5m`, `(555)`.
    fn by_its_neighbours(&self, core: &str, after: &str) -> Option<String> {
        let before = self.before();
        let short = core.strip_prefix(['\'', '’']);
        let is_decade = short.is_some()
            || BEFORE_DECADES.contains(&before.as_str())
            || parts(self.word(0)?).0.ends_with('‘');
        if let Some(said) = dates::decade(short.unwrap_or(core)).filter(|_| is_decade) {
            return Some(said);
        }
        let is_telephone = core.len() == 3
            && after.starts_with(')')
            && self
                .word(1)
                .is_some_and(|next| amounts::is_telephone(parts(next).1));
        if is_telephone && core.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(digits(core));
        }
        let minutes = Number::read(core.strip_suffix('m')?)?;
        let is_time = |word: &str| {
            let counted = word.strip_suffix(['h', 's']);
            counted.is_some_and(|counted| Number::read(counted).is_some())
        };
        let next = self.word(1).map(|next| parts(next).1).unwrap_or_default();
        let is_minutes =
            is_time(&before) || is_time(next) || next == "ago" || BEFORE_MINUTES.contains(&before.as_str());
        let name = if minutes.is_one() { "minute" } else { "minutes" };
        is_minutes.then(|| format!("{} {name}", minutes.words()))
    }
}

/// A word that is written short.
fn abbreviation(word: &str, next: Option<&str>) -> Option<String> {
    let opening = word.len() - word.trim_start_matches(['(', '"', '“']).len();
    let (before, rest) = word.split_at(opening);
    let find = |text: &str| {
        // RN is a nurse, and the IMO is for mathematicians.
        if matches!(text, "RN" | "IMO") {
            return None;
        }
        let lower = text.to_lowercase();
        let known = ABBREVIATIONS.iter().find(|(short, _)| *short == lower);
        known.map(|(_, long)| *long)
    };
    // Nobody's number is called no, and a sentence can end with it.
    if rest.eq_ignore_ascii_case("no.")
        && !next.is_some_and(|next| next.starts_with(|first: char| first.is_ascii_digit()))
    {
        return None;
    }
    if let Some(long) = find(rest) {
        // At the end of a sentence the full stop is both.
        let ends = rest.ends_with('.') && next.is_none();
        return Some(format!("{before}{long}{}", if ends { "." } else { "" }));
    }
    let core = rest.trim_end_matches([')', '"', '”', ',', '!', '?', ';', ':', '.']);
    if core.len() == rest.len() {
        return None;
    }
    let behind = &rest[core.len()..];
    let with_stop = behind
        .strip_prefix('.')
        .and_then(|behind| Some((find(&format!("{core}."))?, behind)));
    let (long, behind) = with_stop.or_else(|| Some((find(core)?, behind)))?;
    Some(format!("{before}{long}{behind}"))
}

/// Many exclamation marks are one.
fn squeezed(marks: &str) -> String {
    let mut squeezed = String::new();
    for mark in marks.chars() {
        let is_repeated = matches!(mark, '!' | '?') && squeezed.ends_with(['!', '?']);
        if !is_repeated {
            squeezed.push(mark);
        }
    }
    squeezed
}

/// Slashes and dashes between words, and letters held for long.
fn plain(word: &str) -> String {
    let word = match word.strip_prefix('#') {
        Some(channel) if channel.starts_with(char::is_alphabetic) => channel,
        _ => word,
    };
    let mut said = String::new();
    let mut held = 0;
    let mut before = ' ';
    // III, WWW and VIII are as long as they are.
    let is_loud = word
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .all(char::is_uppercase);
    let is_one_letter = word.chars().all(|letter| word.starts_with(letter));
    let held_max = if is_loud { 3 } else { 2 };
    for character in word.chars() {
        held = if character == before { held + 1 } else { 0 };
        before = character;
        match character {
            '/' => said.push(' '),
            '—' | '–' => said.push_str(", "),
            '(' | ')' => {}
            '&' => said.push_str(" and "),
            '°' => said.push_str(" degrees"),
            character if character.is_alphabetic() && held >= held_max && !is_one_letter => {}
            character => said.push(character),
        }
    }
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}
