//! Relative dates become absolute ones: "yesterday" is a day only as long as one knows when it was said.
//!
//! The words are English. Days are counted in UTC, like everywhere here. "Next Friday" is the one of next week, "this
//! Friday" and plain "Friday" the coming one, or the last one where the past is spoken of (`tense`).

use jiff::civil::{Date, Weekday};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use vocabulary::{WallTime, calendar};

use super::folding::fold;
use super::tense;
use crate::lexicon::spelled_number;

/// Words that say where a date stands, so that no other `on` or `in` is put before it.
const PLACING: [&str; 19] = [
    "on", "in", "by", "until", "about", "over", "almost", "nearly", "roughly", "till", "before", "after",
    "since", "from", "for", "of", "at", "during", "around",
];
/// A phrase for a date is at most so many words.
const PHRASE_WORDS_MAX: usize = 5;
/// What a word begins with that makes a phrase one for a date; the days of the week do, too. Most texts hold none.
const TELLING: [&str; 13] = [
    "day",
    "week",
    "fortnight",
    "month",
    "year",
    "today",
    "tonight",
    "tomorrow",
    "yesterday",
    "evening",
    "morning",
    "afternoon",
    "night",
];

pub(super) use super::tense::Lean;

/// The text with every relative date that is understood made absolute, as seen from when it was said. A plain weekday
/// looks the way its sentence does, and the given way where that does not tell.
pub(super) fn absolute(text: &str, said_at: WallTime, otherwise: Lean) -> String {
    let Ok(timestamp) = Timestamp::from_millisecond(said_at.0) else {
        return text.to_owned();
    };
    let today = timestamp.to_zoned(TimeZone::UTC).date();
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let words: Vec<String> = pieces.iter().map(|piece| bare(piece)).collect();
    let telling: Vec<usize> = (0..words.len()).filter(|at| is_telling(&words[*at])).collect();
    let mut kept: Vec<String> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let most = PHRASE_WORDS_MAX.min(pieces.len() - at);
        let tells = telling[telling.partition_point(|place| *place < at)..]
            .first()
            .is_some_and(|place| *place < at + most);
        // What comes every Friday has no date.
        let recurs = tells
            && kept
                .last()
                .is_some_and(|word| matches!(bare(word).as_str(), "every" | "each"));
        let longest = if tells && !recurs { most } else { 0 };
        let found = (1..=longest).rev().find_map(|length| {
            let phrase = at..at + length;
            let lean = || tense::around(&pieces, phrase.clone()).unwrap_or(otherwise);
            let (pieces, words) = (&pieces[phrase.clone()], &words[phrase.clone()]);
            named(pieces, words, today, lean).map(|date| (length, date))
        });
        let Some((length, date)) = found else {
            kept.push(pieces[at].to_owned());
            at += 1;
            continue;
        };
        let end = trailing(pieces[at + length - 1]);
        let before = kept.last().map(|word| bare(word));
        let is_placed = before.is_some_and(|word| PLACING.contains(&word.as_str()));
        let words = match date.split_once(' ') {
            Some(("on" | "in", rest)) if is_placed => rest.to_owned(),
            _ => date,
        };
        // `on in March` and `on on …`: the phrase brings its own.
        if words.starts_with("on ") || words.starts_with("in ") {
            kept.pop_if(|word| matches!(bare(word).as_str(), "on" | "in"));
        }
        kept.push(format!("{}{words}{end}", leading(pieces[at])));
        at += length;
    }
    kept.join(" ")
}

fn is_telling(word: &str) -> bool {
    TELLING.iter().any(|head| word.starts_with(head)) || calendar::WEEKDAYS.contains(&word)
}

/// What a phrase says as an absolute date; none if it is no such phrase.
fn named(phrase: &[&str], words: &[String], today: Date, lean: impl Fn() -> Lean) -> Option<String> {
    // A sign inside a phrase ends it.
    if phrase[..phrase.len() - 1]
        .iter()
        .any(|piece| !trailing(piece).is_empty())
    {
        return None;
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let day = |date: Option<Date>| date.map(|date| format!("on {date}"));
    let part = |name: &str, date: Option<Date>| date.map(|date| format!("on the {name} of {date}"));
    let days = |count: i64| today.checked_add(count.days()).ok();
    match words[..] {
        ["today"] => day(Some(today)),
        ["tonight"] | ["this", "evening"] => part("evening", Some(today)),
        ["this", part_of_day @ ("morning" | "afternoon")] => part(part_of_day, Some(today)),
        ["last", "night"] | ["yesterday", "evening" | "night"] => part("evening", days(-1)),
        ["yesterday", part_of_day @ ("morning" | "afternoon")] => part(part_of_day, days(-1)),
        ["tomorrow", part_of_day @ ("morning" | "afternoon" | "evening")] => part(part_of_day, days(1)),
        ["tomorrow", "night"] => part("evening", days(1)),
        ["yesterday"] => day(days(-1)),
        ["tomorrow"] => day(days(1)),
        ["the", "day", "after", "tomorrow"] | ["day", "after", "tomorrow"] => day(days(2)),
        ["the", "day", "before", "yesterday"] | ["day", "before", "yesterday"] => day(days(-2)),
        ["the", "other", "day"] => None,
        [
            which @ ("this" | "next" | "last"),
            unit @ ("week" | "weekend" | "month" | "year"),
        ] => period(which, unit, today, lean()),
        ["the", "weekend"] | ["at", "the", "weekend"] => period("this", "weekend", today, lean()),
        ["this", "past", unit @ ("week" | "weekend" | "month" | "year")] => {
            period("last", unit, today, lean())
        }
        ["in", count, unit] => day(shifted(today, number(count)?, unit)),
        [count, unit, "from", "now"] => day(shifted(today, number(count)?, unit)),
        [count, unit, "ago"] => day(shifted(today, -number(count)?, unit)),
        [which @ ("this" | "next" | "last" | "on" | "coming"), name] => {
            day(weekday(which, name, today, lean))
        }
        ["on", which @ ("next" | "last"), name] => day(weekday(which, name, today, lean)),
        [name] => day(weekday("", name, today, lean)),
        _ => None,
    }
}

fn period(which: &str, unit: &str, today: Date, lean: Lean) -> Option<String> {
    let weekend_is_ahead = unit == "weekend" && today.weekday().to_monday_zero_offset() < 5;
    let count = match which {
        "next" => 1,
        "last" => -1,
        // Who has spent this weekend, and speaks before it, means the one before.
        _ if weekend_is_ahead && lean == Lean::Past => -1,
        _ => 0,
    };
    let monday = today
        .checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days())
        .ok()?;
    Some(match unit {
        "week" => format!("in the week of {}", monday.checked_add((7 * count).days()).ok()?),
        "weekend" => format!(
            "on the weekend of {}",
            monday.checked_add((7 * count + 5).days()).ok()?
        ),
        "month" => {
            let day = today.first_of_month().checked_add(count.months()).ok()?;
            format!("in {} {}", month_title(day.month()), day.year())
        }
        _ => format!("in {}", i64::from(today.year()) + count),
    })
}

fn shifted(today: Date, count: i64, unit: &str) -> Option<Date> {
    let span = match unit.trim_end_matches('s') {
        "day" => count.days(),
        "week" => (count * 7).days(),
        "fortnight" => (count * 14).days(),
        "month" => count.months(),
        "year" => count.years(),
        _ => return None,
    };
    today.checked_add(span).ok()
}

/// `January`, of 1.
fn month_title(number: i8) -> String {
    let name = calendar::MONTHS[usize::from(number.unsigned_abs()).saturating_sub(1) % 12];
    let (first, rest) = name.split_at(1);
    format!("{}{rest}", first.to_ascii_uppercase())
}

fn weekday(which: &str, name: &str, today: Date, lean: impl Fn() -> Lean) -> Option<Date> {
    let place = calendar::WEEKDAYS.iter().position(|day| *day == name)?;
    let wanted = Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()?;
    let ahead = i64::from(today.weekday().until(wanted));
    let lean = lean();
    let days = match which {
        "next" => ahead_in_next_week(today.weekday(), wanted),
        "last" => -i64::from(today.weekday().since(wanted)).max(-7),
        _ if lean == Lean::Past => -i64::from(today.weekday().since(wanted)),
        _ => ahead,
    };
    let days = match (which, days) {
        ("last", 0) => -7,
        (_, 0) if lean == Lean::Future => 7,
        (_, days) => days,
    };
    today.checked_add(days.days()).ok()
}

fn ahead_in_next_week(today: Weekday, wanted: Weekday) -> i64 {
    7 - i64::from(today.to_monday_zero_offset()) + i64::from(wanted.to_monday_zero_offset())
}

/// Up to a thousand: nobody counts days further.
fn number(word: &str) -> Option<i64> {
    let number = match word {
        "a" | "an" => 1,
        "couple" => 2,
        word => spelled_number(word).unwrap_or(word).parse().ok()?,
    };
    (0..=1_000).contains(&number).then_some(number)
}

fn bare(piece: &str) -> String {
    fold(piece.trim_matches(|letter: char| !letter.is_alphanumeric()))
}

fn leading(piece: &str) -> &str {
    let kept = piece.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    &piece[..piece.len() - kept.len()]
}

fn trailing(piece: &str) -> &str {
    let kept = piece.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    &piece[kept.len()..]
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod dates_tests;
