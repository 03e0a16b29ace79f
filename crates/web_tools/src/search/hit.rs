//! One result of a search, and a list of them as a model sees it.

use gist::links;

use crate::cut::RESULT_CHARS_MAX;
use crate::plain;

const TITLE_CHARS_MAX: usize = 160;
const URL_CHARS_MAX: usize = 500;
const SNIPPET_CHARS_MAX: usize = 320;
const AGE_CHARS_MAX: usize = 30;

/// What a service says of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hit {
    pub title: String,
    pub url: String,
    pub snippet: String,
    /// `2 days ago` or a date.
    pub age: Option<String>,
}

/// The results, numbered, each address once; those that do not fit are left out from the end.
pub(super) fn list(query: &str, who: &str, hits: &[Hit], count: usize) -> String {
    let query = plain::line(query, 120);
    let mut seen: Vec<String> = Vec::new();
    let mut list = format!("Results of {who} for \"{query}\":");
    for hit in hits {
        let Some(url) = address_of(&hit.url) else { continue };
        if seen.len() == count || seen.contains(&url) {
            continue;
        }
        let entry = entry(seen.len() + 1, hit, &url);
        if list.chars().count() + entry.chars().count() > RESULT_CHARS_MAX {
            break;
        }
        list.push_str(&entry);
        seen.push(url);
    }
    if seen.is_empty() {
        return format!("{who} found nothing for \"{query}\". Other or fewer words may find more.");
    }
    list
}

fn entry(number: usize, hit: &Hit, url: &str) -> String {
    let title = plain::snippet(&hit.title, TITLE_CHARS_MAX);
    let title = if title.is_empty() {
        "(no title)".to_owned()
    } else {
        title
    };
    let age = match &hit.age {
        Some(age) => format!(" ({})", plain::line(age, AGE_CHARS_MAX)),
        None => String::new(),
    };
    let snippet = match plain::snippet(&hit.snippet, SNIPPET_CHARS_MAX) {
        text if text.is_empty() => String::new(),
        text => format!("\n   {text}"),
    };
    format!("\n\n{number}. {title}{age}\n   {url}{snippet}")
}

/// The address in its canonical form where it has one; none for what is no page on the web.
fn address_of(given: &str) -> Option<String> {
    let given = given.trim();
    let url = url::Url::parse(given).ok()?;
    if !matches!(url.scheme(), "http" | "https") || given.chars().count() > URL_CHARS_MAX {
        return None;
    }
    Some(links::canonical(given).unwrap_or_else(|| url.to_string()))
}

/// The day of a date with a time; anything else as it is.
pub(super) fn day(date: &str) -> Option<String> {
    let date = date.trim();
    let is_day = |text: &str| {
        text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            })
    };
    match date.get(..10) {
        _ if date.is_empty() => None,
        Some(day) if is_day(day) => Some(day.to_owned()),
        _ => Some(date.to_owned()),
    }
}
