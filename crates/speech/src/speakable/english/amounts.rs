//! One word with digits in it, as English says it: amounts, units, shares, ranges, versions.

use super::dates;
use super::lists::{CURRENCIES, DEGREES, UNITS};
use super::numbers::{Number, cardinal, digits, ordinal, year};

/// What a word with digits is said as; none where it is to be left as it is.
pub(super) fn said(word: &str) -> Option<String> {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    money(word)
        .or_else(|| dates::date(word))
        .or_else(|| dates::time(word))
        .or_else(|| share(word))
        .or_else(|| ranked(word))
        .or_else(|| dates::decade(word).filter(|_| word.len() > "90s".len()))
        .or_else(|| measured(word))
        .or_else(|| fraction(word))
        .or_else(|| range(word))
        .or_else(|| version(word))
        .or_else(|| scaled(word))
        .or_else(|| Number::read(word).map(|number| number.words()))
}

/// `$5`, `$5.50`, `$3M`, `5€`, `$20/month`.
fn money(word: &str) -> Option<String> {
    if let Some((amount, each)) = word.split_once('/')
        && !each.is_empty()
        && each.chars().all(char::is_alphabetic)
    {
        let each = unit_name(each, true).unwrap_or_else(|| each.to_owned());
        return Some(format!("{} per {each}", money(amount)?));
    }
    let (sign, word) = match word.strip_prefix('-') {
        Some(word) => ("minus ", word),
        None => ("", word),
    };
    let word = word.strip_prefix("US").unwrap_or(word);
    let (currency, amount) = CURRENCIES.iter().find_map(|currency| {
        let amount = word
            .strip_prefix(currency.0)
            .or_else(|| word.strip_suffix(currency.0))?;
        Some((currency, amount))
    })?;
    let (sign, amount) = match amount.strip_prefix(['-', '−']) {
        Some(amount) => ("minus ", amount),
        None => (sign, amount),
    };
    if let Some((from, to)) = amount.split_once(['-', '–']) {
        let to = to.trim_start_matches(currency.0);
        let from = Number::read(from)?;
        return Some(format!(
            "{} to {}",
            from.words(),
            money(&format!("{}{to}", currency.0))?
        ));
    }
    if let Some(number) = Number::read(amount) {
        return Some(format!("{sign}{}", amount_of(&number, currency)));
    }
    let scaled = scaled(amount)?;
    Some(format!("{sign}{scaled} {}", currency.2))
}

/// So much money.
pub(super) fn amount_of(number: &Number, currency: &(&str, &str, &str, &str)) -> String {
    let (_, one, several, hundredth) = *currency;
    match number.fraction() {
        Some(cents) if cents.len() == 2 && !hundredth.is_empty() => {
            let cents: u64 = cents.parse().unwrap_or(0);
            let whole = number.whole_words();
            let name = if whole == "one" { one } else { several };
            let small = match (cents, hundredth) {
                (1, hundredth) => hundredth.to_owned(),
                (_, "penny") => "pence".to_owned(),
                (_, hundredth) => format!("{hundredth}s"),
            };
            let sign = number.sign();
            match (whole.as_str(), cents) {
                (_, 0) => format!("{sign}{whole} {name}"),
                ("zero", cents) => format!("{sign}{} {small}", cardinal(cents)),
                (_, cents) => format!("{sign}{whole} {name} and {} {small}", cardinal(cents)),
            }
        }
        _ if number.is_one() => format!("one {one}"),
        _ => format!("{} {several}", number.words()),
    }
}

/// `50%`.
fn share(word: &str) -> Option<String> {
    let amount = word.strip_suffix('%')?;
    Some(format!("{} percent", said(amount)?))
}

/// `1st`, `#3`.
fn ranked(word: &str) -> Option<String> {
    if let Some(number) = word.strip_prefix('#') {
        return Some(format!("number {}", Number::read(number)?.words()));
    }
    let split = word.len().checked_sub(2)?;
    let number = word.get(..split)?;
    let ending = word.get(split..)?.to_lowercase();
    matches!(ending.as_str(), "st" | "nd" | "rd" | "th").then_some(())?;
    Some(ordinal(Number::read(number)?.plain()?))
}

/// `16GB`, `30°C`, `-5°`.
fn measured(word: &str) -> Option<String> {
    let split =
        word.find(|character: char| !matches!(character, '0'..='9' | '.' | ',' | '-' | '−' | '+' | '–'))?;
    let (amount, unit) = word.split_at(split);
    let number = Number::read(amount);
    let is_one = number.as_ref().is_some_and(Number::is_one);
    let words = match number {
        Some(number) => number.words(),
        None => range(amount)?,
    };
    Some(format!("{words} {}", unit_name(unit, is_one)?))
}

/// The name of a unit behind a number.
pub(super) fn unit_name(unit: &str, is_one: bool) -> Option<String> {
    if let Some((_, scale)) = DEGREES.iter().find(|(sign, _)| *sign == unit) {
        let degrees = if is_one { "degree" } else { "degrees" };
        return Some(format!("{degrees} {scale}").trim().to_owned());
    }
    let (_, one, several) = UNITS.iter().find(|(symbol, _, _)| *symbol == unit)?;
    Some((if is_one { one } else { several }).to_string())
}

/// `1/2`, `3/4`, `24/7`.
fn fraction(word: &str) -> Option<String> {
    let (above, below) = word.split_once('/')?;
    let above = Number::read(above)?.plain()?;
    let below = Number::read(below)?.plain()?;
    let several = if above == 1 { "" } else { "s" };
    Some(match (above, below) {
        (24, 7) | (9, 11) | (20, 20) => format!("{} {}", cardinal(above), cardinal(below)),
        // Shares of a whole.
        (above @ 1.., below @ 1..) if above + below == 100 => {
            format!("{} {}", cardinal(above), cardinal(below))
        }
        (1, 2) => "one half".to_owned(),
        (_, 2) => format!("{} halves", cardinal(above)),
        (_, 4) => format!("{} quarter{several}", cardinal(above)),
        (above, below @ 3..=16) if above < below => {
            format!("{} {}{several}", cardinal(above), ordinal(below))
        }
        // Nine out of ten would do as well; scores and pages are read like this, too.
        _ => format!("{} out of {}", cardinal(above), cardinal(below)),
    })
}

/// `3-5`, `10–20`; telephone numbers are not ranges.
fn range(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split(['-', '–', '—']).collect();
    let numbers: Option<Vec<Number>> = parts.iter().map(|part| Number::read(part)).collect();
    let years = match parts.as_slice() {
        [from, to] => dates::year_of(from)
            .zip(dates::year_of(to))
            .filter(|(from, to)| from < to)
            .map(|(from, to)| format!("{} to {}", year(from), year(to))),
        _ => None,
    };
    match numbers?.as_slice() {
        [_, _] if is_telephone(word) => Some(format!("{}, {}", digits(parts[0]), digits(parts[1]))),
        [_, _] if years.is_some() => years,
        [from, to] => Some(format!("{} to {}", from.words(), to.words())),
        [_, _, ..] if parts.iter().all(|part| part.len() <= 4) => Some(
            parts
                .iter()
                .map(|part| digits(part))
                .collect::<Vec<_>>()
                .join(", "),
        ),
        _ => None,
    }
}

/// `123-4567`; what ends with a nought on both sides is a range.
pub(super) fn is_telephone(word: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('-').is_some_and(|(first, last)| {
        first.len() == 3
            && last.len() == 4
            && is_digits(first)
            && is_digits(last)
            && !(first.ends_with('0') && last.ends_with('0'))
    })
}

/// `v1.2.3`, `1.2.3`, `127.0.0.1`.
fn version(word: &str) -> Option<String> {
    let (prefix, numbers) = match word.strip_prefix(['v', 'V']) {
        Some(numbers) => ("version ", numbers),
        None => ("", word),
    };
    let parts: Vec<&str> = numbers.split('.').collect();
    // A V8 is an engine.
    if parts.len() < 3 && prefix.is_empty() || parts.len() < 2 && word.starts_with('V') {
        return None;
    }
    let words: Option<Vec<String>> = parts
        .iter()
        .map(|part| {
            Number::read(part)
                .filter(|_| !part.contains([',', '-']))
                .map(|number| number.words())
        })
        .collect();
    Some(format!("{prefix}{}", words?.join(" point ")))
}

/// `10k`, `2.5M`, `4x`.
fn scaled(word: &str) -> Option<String> {
    let split = word.char_indices().next_back()?.0;
    let (amount, scale) = word.split_at(split);
    let name = match scale {
        "k" | "K" => "thousand",
        "M" => "million",
        "B" | "b" => "billion",
        "T" => "trillion",
        "x" | "×" => "times",
        "+" => "plus",
        _ => return None,
    };
    Some(format!("{} {name}", Number::read(amount)?.words()))
}
