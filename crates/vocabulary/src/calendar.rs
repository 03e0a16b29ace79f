//! English names of months and days of the week, in lower case, and how they are shortened.

pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
pub const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// Short forms that are longer than three letters.
const LONGER_SHORT_FORMS: [&str; 3] = ["sept", "tues", "thurs"];

/// The month of a name or its short form, from 1.
pub fn month(word: &str) -> Option<u8> {
    numbered(&MONTHS, word)
}

/// The day of the week of a name or its short form; Monday is 1.
pub fn weekday(word: &str) -> Option<u8> {
    numbered(&WEEKDAYS, word)
}

/// Whether a word is the whole name of a month or of a day of the week.
pub fn is_whole_name(word: &str) -> bool {
    MONTHS.contains(&word) || WEEKDAYS.contains(&word)
}

fn numbered(names: &[&str], word: &str) -> Option<u8> {
    let is_short = word.len() == 3 || LONGER_SHORT_FORMS.contains(&word);
    let is_meant = |name: &&str| *name == word || (is_short && name.starts_with(word));
    let place = names.iter().position(is_meant)?;
    u8::try_from(place + 1).ok()
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
