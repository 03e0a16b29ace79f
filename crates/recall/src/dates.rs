//! Dates that a search names, and whether something was said then.

use vocabulary::calendar::month;
use vocabulary::{WallTime, rfc3339};

/// A day of the calendar, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    pub year: u16,
    pub month: u8,
    pub day: u8,
}

/// One part of a date that a search names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DatePart {
    Year(u16),
    Month(u8),
    DayOfMonth(u8),
}

impl Day {
    pub fn of(at: WallTime) -> Day {
        let date = rfc3339::date(at);
        let mut parts = date.rsplit('-').map(|part| part.parse().unwrap_or(0_u16));
        let mut next = || parts.next().unwrap_or(0);
        let (day, month, year) = (next(), next(), next());
        Day {
            year,
            month: month as u8,
            day: day as u8,
        }
    }

    pub fn has(self, part: DatePart) -> bool {
        match part {
            DatePart::Year(year) => self.year == year,
            DatePart::Month(month) => self.month == month,
            DatePart::DayOfMonth(day) => self.day == day,
        }
    }
}

/// The parts of dates among words, each once. A day of the month counts only next to its month, and "may" only
/// next to a number: alone it is mostly a verb.
pub fn date_parts(words: &[String]) -> Vec<DatePart> {
    let mut parts = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|place| words.get(place));
        let after = words.get(place + 1);
        let near = [before, after].into_iter().flatten();
        if let Some(month) = month(word) {
            let mut numbers = near.filter_map(|word| day(word).or(year(word))).peekable();
            if word != "may" || numbers.peek().is_some() {
                parts.push(DatePart::Month(month));
                parts.extend(numbers.filter(|part| matches!(part, DatePart::DayOfMonth(_))));
            }
        } else if let Some(year) = year(word) {
            parts.push(year);
            // 2023-05-08
            if let (Some(month), Some(day)) = (
                numeric_month(after),
                words.get(place + 2).and_then(|word| day(word)),
            ) {
                parts.extend([DatePart::Month(month), day]);
            }
        }
    }
    parts.sort();
    parts.dedup();
    parts
}

fn numeric_month(word: Option<&String>) -> Option<u8> {
    word.filter(|word| word.len() == 2)?
        .parse()
        .ok()
        .filter(|month| (1..=12).contains(month))
}

fn year(word: &str) -> Option<DatePart> {
    let year = (word.len() == 4).then(|| word.parse().ok())??;
    (1900..2200).contains(&year).then_some(DatePart::Year(year))
}

fn day(word: &str) -> Option<DatePart> {
    // 2023-05-08T10:30 leaves `08t10`.
    let word = word.split('t').next()?;
    let day = (word.len() <= 2).then(|| word.parse().ok())??;
    (1..=31).contains(&day).then_some(DatePart::DayOfMonth(day))
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
