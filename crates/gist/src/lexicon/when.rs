//! Phrases that say when, as a summary keeps them: "yesterday" and "last week" mean something only as long as one knows
//! when they were said, so they become dates. In four languages; days are counted in UTC.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::Date;

use super::WordTable;
use super::language::Language;
use super::tongues::{Tongue, is_called};
use super::units::{SHORT_WEEKDAYS, Unit, Which};

/// A phrase that says when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// How many tokens it takes.
    pub tokens: usize,
    /// How it is kept.
    pub text: String,
    pub year: DateYear,
}

/// What a phrase that says when says of its year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateYear {
    /// It names it, or needs none.
    Told,
    /// It was worked out from the day of the talk and lacks its year: it is that of the talk.
    OfTheTalk,
    /// It was said without one: "born on 7 May" may be of any.
    Open,
}

/// The phrase that a text goes on with. `lower` are its words in lower case without apostrophes, empty where a sign
/// stands; `written` are the same as they stand. A phrase that counts from today is understood where `said` is known.
pub fn when(lower: &[String], written: &[&str], said: Option<Date>, language: Language) -> Option<When> {
    // Asked of every word of a talk, and hardly any begins such a phrase.
    if !lower.first().is_some_and(|first| may_begin(first)) {
        return None;
    }
    let lower: Vec<&str> = lower.iter().take(8).map(String::as_str).collect();
    if let Some(found) = said.and_then(|said| relative(&lower, written, said, language)) {
        return Some(found);
    }
    canonical(&lower, written, language)
}

/// Whether any phrase of any language that says when begins with this word.
fn may_begin(first: &str) -> bool {
    let counts = first.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '+' | '-'));
    counts || BEGINNINGS.get(first).is_some()
}

static BEGINNINGS: LazyLock<WordTable<()>> = LazyLock::new(|| {
    let mut words = SHORT_WEEKDAYS.map(str::to_lowercase).to_vec();
    for tongue in Language::ALL.map(Language::tongue) {
        words.extend(tongue.first_words().map(str::to_lowercase));
    }
    WordTable::of(words.iter().map(|word| (word.as_str(), ())))
});

/// `7 May`, `7 May 2023`, `May 7th`, `May 2023`, `7 de mayo`, and `week before 7 May` as it is written here.
fn canonical(lower: &[&str], written: &[&str], said_in: Language) -> Option<When> {
    if let Some((tokens, text, year)) = calendar_day(lower, written, said_in) {
        return Some(When { tokens, text, year });
    }
    for language in [
        Language::English,
        Language::German,
        Language::Spanish,
        Language::French,
    ] {
        let tongue = language.tongue();
        for counted in 0..=1_usize {
            let is_counted = counted == 0
                || lower
                    .first()
                    .is_some_and(|count| count.parse::<u32>().is_ok() || tongue.few.contains(count));
            let Some((_, lead)) = tongue.thing(lower, counted).filter(|_| is_counted) else {
                continue;
            };
            for relation in [tongue.before, tongue.after, tongue.of] {
                let relation: Vec<&str> = relation.split(' ').collect();
                let rest = lead + relation.len();
                if lower.len() <= rest || lower[lead..rest] != relation[..] {
                    continue;
                }
                if let Some((tokens, day, year)) = calendar_day(&lower[rest..], &written[rest..], said_in) {
                    return Some(When {
                        tokens: rest + tokens,
                        text: format!("{} {day}", written[..rest].join(" ")),
                        year,
                    });
                }
            }
        }
    }
    None
}

/// A day or a month of the calendar: its tokens, how it is written, and what it says of the year.
fn calendar_day(lower: &[&str], written: &[&str], language: Language) -> Option<(usize, String, DateYear)> {
    let year = |at: usize| lower.get(at).copied().filter(|word| is_year(word));
    let with_year = |tokens: usize, text: String| match (lower.get(tokens), year(tokens), year(tokens + 1)) {
        (_, Some(year), _) => (tokens + 1, format!("{text} {year}"), DateYear::Told),
        (Some(&"de"), _, Some(year)) => (tokens + 2, format!("{text} {year}"), DateYear::Told),
        _ => (tokens, text, DateYear::Open),
    };
    let first = *lower.first()?;
    if day_number(first).is_some() {
        // `7 May`, `7 de mayo`, `7. Mai`, `7th of May`.
        let skipped = usize::from(match lower.get(1) {
            Some(&"de" | &"of") => true,
            Some(&"") => language == Language::German,
            _ => false,
        });
        let at = 1 + skipped;
        if lower.get(at).is_some_and(|word| is_month(word, written[at])) {
            return Some(with_year(at + 1, format!("{} {}", written[0], written[at])));
        }
    }
    // `May 7th`, `May 2023`, `mayo 2023`; a comma may stand before the year.
    if (written[0].starts_with(char::is_uppercase) || year(1).is_some()) && is_month(first, written[0]) {
        if let Some(year) = year(1) {
            return Some((2, format!("{} {year}", written[0]), DateYear::Told));
        }
        if lower.get(1).is_some_and(|word| day_number(word).is_some()) {
            let text = format!("{} {}", written[0], written[1]);
            return Some(match (lower.get(2), year(3)) {
                (Some(&""), Some(year)) => (4, format!("{text} {year}"), DateYear::Told),
                _ => with_year(2, text),
            });
        }
    }
    None
}

fn relative(lower: &[&str], written: &[&str], said: Date, language: Language) -> Option<When> {
    let tongue = language.tongue();
    for (phrase, days) in tongue.days {
        if lower.starts_with(phrase) {
            let day = said.checked_add(days.days()).ok()?;
            return Some(tongue.on(day, said, phrase.len()));
        }
    }
    // `der Morgen` is a morning, `morgen` is tomorrow.
    if language == Language::German && written.first() == Some(&"morgen") {
        return Some(tongue.on(said.tomorrow().ok()?, said, 1));
    }
    if let Some((count, tokens, unit)) = counted(lower, tongue, language) {
        return tongue.gone_by(count, unit, written, tokens, said);
    }
    let (which, unit, tokens) = tongue.pointed(lower, written)?;
    let unit_word = match unit {
        Unit::Weekday(day) => tongue.weekdays[day].to_owned(),
        _ => {
            let things = (0..tokens).filter_map(|at| Some((at, tongue.thing(lower, at)?)));
            let (at, (_, end)) = things.into_iter().find(|(_, (found, _))| *found == unit)?;
            lower[at..end].join(" ")
        }
    };
    let relation = match which {
        Which::Last => tongue.before,
        Which::This if matches!(unit, Unit::Weekday(_)) => tongue.after,
        Which::This => tongue.of,
        Which::Next => tongue.after,
    };
    let count = match which {
        Which::Last => -1,
        Which::This => 0,
        Which::Next => 1,
    };
    match unit {
        Unit::Month => {
            let month = said.first_of_month().checked_add(count.months()).ok()?;
            Some(tongue.in_month(month, tokens))
        }
        Unit::Year => Some(When {
            tokens,
            text: (i64::from(said.year()) + count).to_string(),
            year: DateYear::Told,
        }),
        Unit::Day => None,
        _ => Some(When {
            tokens,
            text: format!(
                "{} {relation} {}",
                capital(&unit_word, language),
                tongue.day_text(said)
            ),
            year: DateYear::OfTheTalk,
        }),
    }
}

/// German nouns keep their capital.
fn capital(word: &str, language: Language) -> String {
    let mut letters = word.chars();
    match (language, letters.next()) {
        (Language::German, Some(first)) => first.to_uppercase().chain(letters).collect(),
        _ => word.to_owned(),
    }
}

/// `3 days ago`, `vor 3 Tagen`: the count (none for a few), the tokens and the unit.
fn counted(lower: &[&str], tongue: &Tongue, language: Language) -> Option<(Option<i64>, usize, Unit)> {
    let lead = match language {
        Language::English => 0,
        _ => {
            let phrase = tongue.ago.iter().find(|phrase| lower.starts_with(phrase))?;
            phrase.len()
        }
    };
    let mut at = lead;
    // `a few days ago`, `a couple of weeks ago`, `vor ein paar Tagen`.
    if lower.get(at + 1).is_some_and(|word| tongue.few.contains(word)) && tongue.one.contains(lower.get(at)?)
    {
        at += 1;
    }
    let word = *lower.get(at)?;
    let count = if tongue.few.contains(&word) {
        None
    } else {
        Some(tongue.number(word)?)
    };
    at += 1;
    if matches!(lower.get(at), Some(&"of" | &"de")) {
        at += 1;
    }
    let unit = tongue.unit(lower.get(at)?)?;
    at += 1;
    // `il y a 3 jours de congé` counts days off.
    if matches!(lower.get(at), Some(&"of" | &"de")) {
        return None;
    }
    if language == Language::English {
        if lower.get(at) != Some(&"ago") {
            return None;
        }
        at += 1;
    }
    Some((count, at, unit))
}

impl Tongue {
    fn day_text(&self, day: Date) -> String {
        format!("{} {}", day.day(), self.month_name(day))
    }

    fn month_name(&self, day: Date) -> &'static str {
        self.months[usize::from(day.month().unsigned_abs()).saturating_sub(1) % 12]
    }

    /// A day as it is kept; the year stands with it where it is another than that of the talk.
    fn on(&self, day: Date, said: Date, tokens: usize) -> When {
        let text = self.day_text(day);
        let (text, year) = if day.year() == said.year() {
            (text, DateYear::OfTheTalk)
        } else {
            (format!("{text} {}", day.year()), DateYear::Told)
        };
        When { tokens, text, year }
    }

    /// A month alone would be read back as a word, and with a number behind it as a day: its year always stands with it.
    fn in_month(&self, month: Date, tokens: usize) -> When {
        When {
            tokens,
            text: format!("{} {}", self.month_name(month), month.year()),
            year: DateYear::Told,
        }
    }

    fn gone_by(
        &self,
        count: Option<i64>,
        unit: Unit,
        written: &[&str],
        tokens: usize,
        said: Date,
    ) -> Option<When> {
        match (count, unit) {
            (Some(days), Unit::Day) => Some(self.on(said.checked_sub(days.days()).ok()?, said, tokens)),
            (Some(months), Unit::Month) => {
                let month = said.first_of_month().checked_sub(months.months()).ok()?;
                Some(self.in_month(month, tokens))
            }
            (Some(years), Unit::Year) => Some(When {
                tokens,
                text: (i64::from(said.year()) - years).to_string(),
                year: DateYear::Told,
            }),
            (count, unit) => {
                let unit_at = (0..tokens).find(|at| self.unit(&written[*at].to_lowercase()) == Some(unit))?;
                let few = || (0..tokens).find(|at| self.few.contains(&written[*at].to_lowercase().as_str()));
                let count = match count {
                    Some(1) => String::new(),
                    Some(count) => format!("{count} "),
                    None => format!("{} ", written[few()?].to_lowercase()),
                };
                Some(When {
                    tokens,
                    text: format!(
                        "{count}{} {} {}",
                        written[unit_at],
                        self.before,
                        self.day_text(said)
                    ),
                    year: DateYear::OfTheTalk,
                })
            }
        }
    }
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn day_number(word: &str) -> Option<u8> {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

pub(super) fn is_month(lower: &str, written: &str) -> bool {
    let has_capital = written.starts_with(char::is_uppercase);
    [
        Language::English,
        Language::German,
        Language::Spanish,
        Language::French,
    ]
    .iter()
    .flat_map(|language| language.tongue().months)
    // Where a month is written small it must be one that always is: `march` and `may` are words.
    .any(|month| (has_capital || month.starts_with(char::is_lowercase)) && is_called(month, lower))
}

#[cfg(test)]
#[path = "when_tests.rs"]
mod tests;
