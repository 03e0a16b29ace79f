//! Dates and times of day, as English says them.

use super::lists::MONTHS;
use super::numbers::{Number, cardinal, digits, ordinal, year};

/// The month that a word names, whole or short.
pub(super) fn month(word: &str) -> Option<&'static str> {
    let lower = word.trim_end_matches('.').to_lowercase();
    MONTHS
        .iter()
        .find(|(short, whole)| {
            lower == *short || lower == whole.to_lowercase() || (*short == "sep" && lower == "sept")
        })
        .map(|(_, whole)| *whole)
}

/// A day of a month: `16` or `16th`.
pub(super) fn day(word: &str) -> Option<u64> {
    let lower = word.to_lowercase();
    let number = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))
        .unwrap_or(&lower);
    let is_short = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    number
        .parse()
        .ok()
        .filter(|day| is_short && (1..=31).contains(day))
}

/// Four digits that can be a year.
pub(super) fn year_of(word: &str) -> Option<u64> {
    let is_year = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse()
        .ok()
        .filter(|year| is_year && (1100..2100).contains(year))
}

/// `2026-11-16`, `16.11.2026`, `11/16/2026`.
pub(super) fn date(word: &str) -> Option<String> {
    let parts = |mark: char| {
        let parts: Vec<&str> = word.split(mark).collect();
        <[&str; 3]>::try_from(parts).ok()
    };
    let (year_written, month, day) = if let Some([year, month, day]) = parts('-') {
        (year, month, day)
    } else if let Some([day, month, year]) = parts('.') {
        (year, month, day)
    } else if let Some([first, second, year]) = parts('/') {
        // Whoever writes 16/11 can only mean the day first.
        if first.parse::<u64>().is_ok_and(|first| first > 12) {
            (year, second, first)
        } else {
            (year, first, second)
        }
    } else {
        return None;
    };
    let the_year = year_of(year_written)?;
    let day = self::day(day)?;
    let month = month
        .parse::<usize>()
        .ok()
        .filter(|month| (1..=12).contains(month))?;
    Some(format!(
        "{} {}, {}",
        MONTHS[month - 1].1,
        ordinal(day),
        year(the_year)
    ))
}

/// `3:30`, `15:05`, `10:00:30`, `3:30pm`, `10am`.
pub(super) fn time(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let (clock, half) = match lower.strip_suffix("am").or_else(|| lower.strip_suffix("a.m")) {
        Some(clock) => (clock, " a m"),
        None => match lower.strip_suffix("pm").or_else(|| lower.strip_suffix("p.m")) {
            Some(clock) => (clock, " p m"),
            None => (lower.as_str(), ""),
        },
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let number = |text: &str, max: u64| {
        let is_short = (1..=2).contains(&text.len());
        text.parse::<u64>().ok().filter(|value| is_short && *value <= max)
    };
    let hour = number(parts[0], 24)?;
    let minute = match parts.get(1) {
        Some(text) if text.len() == 2 => Some(number(text, 59)?),
        Some(_) => return None,
        None if half.is_empty() => return None,
        None => None,
    };
    let clock = match minute {
        None => cardinal(hour),
        Some(0) if !half.is_empty() => cardinal(hour),
        Some(0) if hour > 12 || hour == 0 => format!("{} hundred", cardinal(hour)),
        Some(0) => format!("{} o'clock", cardinal(hour)),
        Some(minute @ 1..=9) => format!("{} oh {}", cardinal(hour), cardinal(minute)),
        Some(minute) => format!("{} {}", cardinal(hour), cardinal(minute)),
    };
    let seconds = match parts.get(2) {
        Some(text) => format!(" and {} seconds", cardinal(number(text, 59)?)),
        None => String::new(),
    };
    (parts.len() <= 3).then(|| format!("{clock}{seconds}{half}"))
}

/// `1990s`, `90s`, `'90s`.
pub(super) fn decade(word: &str) -> Option<String> {
    let number = word
        .strip_suffix('s')?
        .trim_end_matches(['\'', '’'])
        .trim_start_matches(['\'', '’']);
    let value = Number::read(number)?.plain()?;
    let words = match number.len() {
        4 if value % 10 == 0 && (1100..2100).contains(&value) => year(value),
        2 if value % 10 == 0 && value >= 20 => cardinal(value),
        _ => return None,
    };
    Some(match words.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{words}s"),
    })
}

/// The year behind a month: `2026`, or `05` digit by digit.
pub(super) fn year_words(word: &str) -> Option<String> {
    year_of(word).map(year).or_else(|| {
        word.strip_prefix(['\'', '’'])
            .filter(|short| short.len() == 2)
            .map(digits)
            .filter(|words| !words.is_empty())
    })
}
