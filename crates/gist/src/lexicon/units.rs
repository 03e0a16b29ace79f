//! Weeks, months and days of the week as four languages call them, and which one is meant: the last, this or the next.

use super::tongues::Tongue;

const FIN_DE_SEMANA: [&str; 3] = ["fin", "de", "semana"];

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
    pub(super) fn unit(&self, word: &str) -> Option<Unit> {
        let named = [
            (self.day, Unit::Day),
            (self.week, Unit::Week),
            (self.weekend, Unit::Weekend),
            (self.month, Unit::Month),
            (self.year, Unit::Year),
        ];
        let found = named.into_iter().find(|(words, _)| words.contains(&word));
        found.map(|(_, unit)| unit).or_else(|| {
            let is_short = |name: &str| {
                matches!(
                    word,
                    "mon" | "tue" | "tues" | "wed" | "thu" | "thurs" | "fri" | "sat" | "sun"
                ) && name.starts_with(word)
            };
            let place = self.weekdays.iter().position(|name| {
                let name = name.to_lowercase();
                name == word || is_short(&name)
            });
            place.map(Unit::Weekday)
        })
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
    pub(super) fn pointed(&self, lower: &[&str]) -> Option<(Which, Unit, usize)> {
        let which = |word: &str| {
            let lists = [
                (self.last, Which::Last),
                (self.next, Which::Next),
                (self.this, Which::This),
            ];
            let found = lists.into_iter().find(|(words, _)| words.contains(&word));
            found.map(|(_, which)| which)
        };
        let thing = |at: usize| self.thing(lower, at);
        let first = *lower.first()?;
        if let Some(which) = which(first) {
            // `this past week`
            if which == Which::This && lower.get(1) == Some(&"past") {
                let (unit, end) = thing(2)?;
                return Some((Which::Last, unit, end));
            }
            let (unit, end) = thing(1)?;
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
