//! Whether an error says that nobody is answered from the country that it is asked from: by its code, and of whoever has
//! none for it by a sentence that denies something to where the asker is. A place of the provider's own, or of a key, is
//! another thing.

use crate::error_body::ErrorReport;

/// OpenAI's, and those of gateways.
const CODES: &[&str] = &[
    "unsupported_country_region_territory",
    "unsupported_country",
    "unsupported_region",
    "country_not_supported",
    "region_not_supported",
    "location_not_supported",
    "region_error",
    "regionerror",
    "region_blocked",
    "geo_blocked",
    "geo_restricted",
];
/// Anthropic's for it: what a key may not do has a code of its own there.
const FORBIDDEN: (&str, &str) = ("forbidden", "request not allowed");
/// Cloudflare's number for it, before whoever it stands.
const BANNED_COUNTRY: &str = "error code: 1009";
/// Whole words that are about nothing else.
const BLOCKED_BY_PLACE: &[&str] = &[
    "geoblocked",
    "geo-blocked",
    "georestricted",
    "geo-restricted",
    "geoblocking",
    "geo-blocking",
];
/// Where somebody is.
const PLACES: &[&str] = &[
    "country",
    "countries",
    "region",
    "regions",
    "territory",
    "territories",
    "location",
    "locations",
    "jurisdiction",
    "jurisdictions",
    "area",
];
/// Before a place, with a few words between, they make it the asker's.
const WHOSE: &[&str] = &[
    "your",
    "user",
    "users",
    "user's",
    "customers",
    "caller's",
    "client's",
];
/// So many words may stand between: "your current country or region", "the country or region your address is in".
const REACHES: usize = 5;
/// Several kinds of place together, or all of a kind, are nobody's data centre.
const NO_DATA_CENTRE: &[&str] = &["country", "countries", "territory", "territories", "jurisdiction"];
/// A sentence about these is about something else: a key of another region, a field of the request.
const OTHER_THINGS: &[&str] = &[
    "key",
    "keys",
    "token",
    "credential",
    "credentials",
    "signature",
    "parameter",
    "param",
    "field",
    "argument",
    "value",
    "file",
    "memory",
];
/// What is denied there.
const DENIALS: &[&str] = &[
    "unsupported",
    "unavailable",
    "restricted",
    "restrictions",
    "blocked",
    "banned",
    "prohibited",
    "forbidden",
    "denied",
    "disallowed",
    "sanctioned",
    "sanctions",
    "embargoed",
    "not",
    "no",
    "cannot",
    "can't",
    "isn't",
    "aren't",
    "doesn't",
    "don't",
    "won't",
];

/// Whether it says so. Who said it with a status of its own has said it already.
pub(crate) fn is_elsewhere(status: Option<u16>, report: &ErrorReport) -> bool {
    let message = report.message.to_lowercase();
    let (code, words) = FORBIDDEN;
    status == Some(451)
        || report.has_code(CODES)
        || (report.has_code(&[code]) && message.contains(words))
        || message.starts_with(BANNED_COUNTRY)
        || says_elsewhere(&message)
}

fn says_elsewhere(message: &str) -> bool {
    let message = message.replace('’', "'");
    let mut sentences = message
        .split(['\n', ';', '!', '|'])
        .flat_map(|line| line.split(". "));
    sentences.any(|sentence| {
        let is_word = |c: char| c.is_alphanumeric() || "_-'".contains(c);
        let words: Vec<&str> = sentence
            .split(|c: char| !is_word(c))
            .map(|word| word.trim_matches('\''))
            .filter(|word| !word.is_empty())
            .collect();
        let has = |which: &[&str]| words.iter().any(|word| which.contains(word));
        has(BLOCKED_BY_PLACE) || (has(DENIALS) && !has(OTHER_THINGS) && is_of_the_asker(&words))
    })
}

/// A place that is where the asker is, or that can be nothing but a part of the world.
fn is_of_the_asker(words: &[&str]) -> bool {
    let places = words.iter().enumerate().filter(|(_, word)| PLACES.contains(word));
    let mut places = places.map(|(at, word)| {
        let near = &words[at.saturating_sub(REACHES)..at];
        NO_DATA_CENTRE.contains(word) || near.iter().any(|word| WHOSE.contains(word))
    });
    places.any(|is_theirs| is_theirs)
}

#[cfg(test)]
#[path = "elsewhere_tests.rs"]
mod tests;
