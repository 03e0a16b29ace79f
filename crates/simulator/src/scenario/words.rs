//! The words of a line: plain ones, quoted texts, times and spans.

use vocabulary::{Moment, Span};

/// A line cut into words; a quoted text is one word, blanks and all.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub fn of(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// What is left of the line.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    pub fn peek(&self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let mut quoted = false;
        let mut escaped = false;
        let end = self.rest.char_indices().find(|&(_, letter)| {
            match letter {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ => return !quoted && letter.is_whitespace(),
            }
            false
        });
        Some(&self.rest[..end.map_or(self.rest.len(), |(at, _)| at)])
    }

    pub fn take(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest[word.len()..].trim_start();
        Some(word)
    }

    /// Takes these words if they come next.
    pub fn eat(&mut self, words: &str) -> bool {
        let mut ahead = self.clone();
        let all = words.split(' ').all(|word| ahead.take() == Some(word));
        if all {
            *self = ahead;
        }
        all
    }

    /// Takes a quoted text, if one comes next.
    pub fn quoted(&mut self) -> Option<String> {
        let text = serde_json::from_str(self.peek()?).ok()?;
        self.take();
        Some(text)
    }

    pub fn expect_quoted(&mut self) -> Result<String, String> {
        let found = self.rest;
        self.quoted()
            .ok_or_else(|| format!("expected a text in quotes, found {found:?}"))
    }

    pub fn expect_span(&mut self) -> Result<Span, String> {
        let word = self.take().unwrap_or_default();
        span(word)
            .ok_or_else(|| format!("expected a time such as 5s, 2.5s, 300ms, 10m or 1h, found {word:?}"))
    }

    pub fn expect_number(&mut self) -> Result<u64, String> {
        let word = self.take().unwrap_or_default();
        word.parse()
            .map_err(|_| format!("expected a number, found {word:?}"))
    }

    pub fn expect_end(&self) -> Result<(), String> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(format!("expected the end of the line, found {:?}", self.rest))
        }
    }

    /// Takes `MM:SS`, `MM:SS.mmm` or `H:MM:SS`, if one comes next.
    pub fn moment(&mut self) -> Option<Expected> {
        let found = moment(self.peek()?)?;
        self.take();
        Some(found)
    }
}

/// A time as written: to the second, or exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub at: Moment,
    exact: bool,
}

impl Expected {
    pub fn is(&self, actual: Moment) -> bool {
        if self.exact {
            actual == self.at
        } else {
            actual.0 / 1_000 == self.at.0 / 1_000
        }
    }
}

fn moment(word: &str) -> Option<Expected> {
    let (clock, fraction) = match word.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (word, None),
    };
    let numbers: Option<Vec<u64>> = clock.split(':').map(|part| part.parse().ok()).collect();
    let seconds = match numbers?[..] {
        [minutes, seconds] => minutes * 60 + seconds,
        [hours, minutes, seconds] => hours * 3_600 + minutes * 60 + seconds,
        _ => return None,
    };
    let milliseconds = match fraction {
        Some(digits) if digits.len() <= 3 => format!("{digits:0<3}").parse::<u64>().ok()?,
        Some(_) => return None,
        None => 0,
    };
    Some(Expected {
        at: Moment(seconds * 1_000 + milliseconds),
        exact: fraction.is_some(),
    })
}

/// `5s`, `2.5s`, `300ms`, `10m`, `1h`.
pub(super) fn span(word: &str) -> Option<Span> {
    let digits = word.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = word.split_at(digits);
    let number: f64 = number.parse().ok()?;
    let seconds = match unit {
        "ms" => number / 1_000.0,
        "s" => number,
        "m" => number * 60.0,
        "h" => number * 3_600.0,
        _ => return None,
    };
    Some(Span::from_seconds(seconds))
}
