//! Weeks, months and days of the week as four languages call them, and which one is meant: the last, this or the next.

use super::tongues::{Tongue, is_called};
use super::when::is_month;

const FIN_DE_SEMANA: [&str; 3] = ["fin", "de", "semana"];
/// "In the last years" is no year, and "in the last months" no month.
const MANY: [&str; 10] = [
    "months", "years", "monate", "monaten", "jahre", "jahren", "meses", "años", "ans", "années",
];
/// With a capital only: somebody "sat", and loves "this sun".
pub(super) const SHORT_WEEKDAYS: [&str; 9] =
    ["Mon", "Tue", "Tues", "Wed", "Thu", "Thurs", "Fri", "Sat", "Sun"];
/// What makes "the last week" a part of something else.
const OF: [&str; 7] = ["of", "von", "des", "de", "del", "du", "vom"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Weekend,
    Month,
    Year,
    /// From Monday on.
    Weekday(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Last,
    This,
    Next,
}

impl Tongue {
    /// Every word with which something begins that says when: days, months, weeks, counts of them, and which is meant.
    pub(super) fn first_words(&self) -> impl Iterator<Item = &'static str> {
        let lists = [
            self.day,
            self.week,
            self.weekend,
            self.month,
            self.year,
            self.last,
            self.next,
            self.this,
            self.few,
            self.one,
            // A morning and the day after are one word in German.
            &["morgen"],
            &FIN_DE_SEMANA[..1],
        ];
        let phrases = self
            .days
            .iter()
            .map(|(phrase, _)| *phrase)
            .chain(self.ago.iter().copied());
        let names = self.months.into_iter().chain(self.weekdays).chain(self.numbers);
        let words = lists.into_iter().flatten().copied().chain(names);
        words.chain(phrases.filter_map(|phrase| phrase.first().copied()))
    }

    pub(super) fn unit(&self, word: &str) -> Option<Unit> {
        let named = [
            (self.day, Unit::Day),
            (self.week, Unit::Week),
            (self.weekend, Unit::Weekend),
            (self.month, Unit::Month),
            (self.year, Unit::Year),
        ];
        // Asked of every word of a talk, and in four languages.
        let is_one =
            |known: &&str| known.len() == word.len() && known.as_bytes().first() == word.as_bytes().first();
        let found = named
            .into_iter()
            .find(|(words, _)| words.iter().any(|known| is_one(known) && *known == word));
        found.map(|(_, unit)| unit).or_else(|| {
            let place = self.weekdays.iter().position(|name| is_called(name, word));
            place.map(Unit::Weekday)
        })
    }

    fn short_weekday(&self, written: &str) -> Option<Unit> {
        let is_short = SHORT_WEEKDAYS.contains(&written);
        let place = self
            .weekdays
            .iter()
            .position(|name| is_short && name.starts_with(written));
        place.map(Unit::Weekday)
    }

    /// The unit that stands at a place, and where it ends: `fin de semana` is one thing.
    pub(super) fn thing(&self, lower: &[&str], at: usize) -> Option<(Unit, usize)> {
        if lower.get(at..at + FIN_DE_SEMANA.len()) == Some(&FIN_DE_SEMANA) {
            return Some((Unit::Weekend, at + FIN_DE_SEMANA.len()));
        }
        Some((self.unit(lower.get(at)?)?, at + 1))
    }

    pub(super) fn number(&self, word: &str) -> Option<i64> {
        if self.one.contains(&word) {
            return Some(1);
        }
        let spelled = self.numbers.iter().position(|number| *number == word);
        let number = match spelled {
            Some(place) => i64::try_from(place).ok()? + 1,
            None => word.parse().ok()?,
        };
        (0..=1_000).contains(&number).then_some(number)
    }

    /// `last week`, `la semana pasada`: which, what, and how many tokens.
    pub(super) fn pointed(&self, lower: &[&str], written: &[&str]) -> Option<(Which, Unit, usize)> {
        let which = |word: &str| {
            let lists = [
                (self.last, Which::Last),
                (self.next, Which::Next),
                (self.this, Which::This),
            ];
            let found = lists.into_iter().find(|(words, _)| words.contains(&word));
            found.map(|(_, which)| which)
        };
        let thing = |at: usize| {
            let short = || Some((self.short_weekday(written.get(at)?)?, at + 1));
            self.thing(lower, at)
                .filter(|_| !MANY.contains(&lower[at]))
                .or_else(short)
        };
        // `the last week of August`, `last Friday, May 5`.
        let is_of_another = |end: usize| {
            lower
                .get(end)
                .is_some_and(|word| OF.contains(word) || is_month(word, written[end]))
        };
        let first = *lower.first()?;
        if let Some(which) = which(first) {
            // `this past week`
            if which == Which::This && lower.get(1) == Some(&"past") {
                let (unit, end) = thing(2)?;
                return Some((Which::Last, unit, end));
            }
            let (unit, end) = thing(1)?;
            if is_of_another(end) {
                return None;
            }
            // `este mes pasado` is the last one.
            return match lower
                .get(end)
                .and_then(|word| self.last.contains(word).then_some(()))
            {
                Some(()) => Some((Which::Last, unit, end + 1)),
                None => Some((which, unit, end)),
            };
        }
        let (unit, end) = thing(0)?;
        let word = *lower.get(end)?;
        if word == "que" {
            return (lower.get(end + 1) == Some(&"viene")).then_some((Which::Next, unit, end + 2));
        }
        let follows = !matches!(self.before, "before" | "vor");
        let which = which(word).filter(|which| *which != Which::This && follows)?;
        Some((which, unit, end + 1))
    }
}
