//! Times as people and other programs write them: `2026-02-23T15:26:00Z`, always in UTC.

use serde::{Deserialize, Deserializer, Serializer, de};

use crate::WallTime;

const DAY_MS: i64 = 86_400_000;

/// Writes a time in UTC, with milliseconds only where there are some.
pub fn format(time: WallTime) -> String {
    let (year, month, day) = civil(time.0.div_euclid(DAY_MS));
    let ms = time.0.rem_euclid(DAY_MS);
    let (hour, minute, second, rest) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000);
    let fraction = if rest == 0 {
        String::new()
    } else {
        format!(".{rest:03}")
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// The day alone, `2026-02-23`.
pub fn date(time: WallTime) -> String {
    let (year, month, day) = civil(time.0.div_euclid(DAY_MS));
    format!("{year:04}-{month:02}-{day:02}")
}

/// Reads a time: a day alone is its midnight, an offset is taken off.
pub fn parse(text: &str) -> Option<WallTime> {
    let text = text.trim();
    let day = text.get(..10)?;
    let mut parts = day.split('-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day_of_month = number(parts.next()?, 2)?;
    if parts.next().is_some()
        || !(1..=12).contains(&month)
        || !(1..=days_in(year, month)).contains(&day_of_month)
    {
        return None;
    }
    let midnight = days_from_civil(year, month, day_of_month) * DAY_MS;
    let rest = &text[10..];
    if rest.is_empty() {
        return Some(WallTime(midnight));
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let zone_at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone_at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut fields = clock.split(':');
    let hour = number(fields.next()?, 2)?;
    let minute = number(fields.next()?, 2)?;
    let second = match fields.next() {
        Some(second) => number(second, 2)?,
        None => 0,
    };
    if fields.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let ms = ((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds(fraction)?;
    Some(WallTime(midnight + ms - offset_ms(zone)?))
}

fn number(text: &str, digits: usize) -> Option<i64> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())
        .flatten()
}

fn milliseconds(fraction: &str) -> Option<i64> {
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{fraction:0<3}").get(..3)?.parse().ok()
}

fn offset_ms(zone: &str) -> Option<i64> {
    let sign = match zone.chars().next() {
        None | Some('Z' | 'z') => return (zone.len() <= 1).then_some(0),
        Some('-') => -1,
        Some(_) => 1,
    };
    let (hours, minutes) = zone[1..].split_once(':')?;
    Some(sign * (number(hours, 2)? * 60 + number(minutes, 2)?) * 60_000)
}

/// Year, month and day of a day counted from 1970 (proleptic Gregorian).
fn civil(days: i64) -> (i64, i64, i64) {
    // Years are counted from March, so that the leap day is the last of its year.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn days_in(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    };
    days_from_civil(next_year, next_month, 1) - days_from_civil(year, month, 1)
}

pub fn serialize<S: Serializer>(time: &WallTime, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format(*time))
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<WallTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| de::Error::custom(format!("`{text}` is no time like 2026-02-23T15:26:00Z")))
}

/// The same for a time that may be missing.
pub mod option {
    use super::{Deserialize, Deserializer, Serializer, WallTime, de, format, parse};

    pub fn serialize<S: Serializer>(time: &Option<WallTime>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_str(&format(*time)),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<WallTime>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        match parse(&text) {
            Some(time) => Ok(Some(time)),
            None => Err(de::Error::custom(format!(
                "`{text}` is no time like 2026-02-23T15:26:00Z"
            ))),
        }
    }
}

#[cfg(test)]
#[path = "rfc3339_tests.rs"]
mod rfc3339_tests;
