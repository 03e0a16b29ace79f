//! The feed that a page names: `<link rel="alternate" type="application/rss+xml" href="…">`.

use url::Url;

/// How far into a page its links are looked for.
const HEAD_BYTES: usize = 200_000;

const FEED_TYPES: [&str; 3] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/feed+json",
];

/// Whether a document is a page rather than a feed.
pub(crate) fn is_page(mime: &str, text: &str) -> bool {
    let beginning: String = text
        .trim_start()
        .chars()
        .take(200)
        .collect::<String>()
        .to_ascii_lowercase();
    let looks_like_one = beginning.starts_with("<!doctype html") || beginning.starts_with("<html");
    looks_like_one
        || (mime == "text/html"
            && !beginning.contains("<rss")
            && !beginning.contains("<feed")
            && !beginning.starts_with("<?xml"))
}

/// The first feed a page names.
pub(crate) fn feed_of_page(html: &str, page: &Url) -> Option<Url> {
    let mut end = html.len().min(HEAD_BYTES);
    while !html.is_char_boundary(end) {
        end -= 1;
    }
    let html = &html[..end];
    // Positions are the same in both, as only ASCII letters change.
    let lower = html.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = lower[from..].find("<link") {
        let start = from + found;
        let end = start + lower[start..].find('>')?;
        from = end;
        let tag = &html[start..end];
        let is_alternate = attribute(tag, "rel").is_some_and(|rel| rel.eq_ignore_ascii_case("alternate"));
        let kind = attribute(tag, "type").unwrap_or_default().to_ascii_lowercase();
        if !is_alternate || !FEED_TYPES.contains(&kind.trim()) {
            continue;
        }
        let href = attribute(tag, "href").map(|href| href.replace("&amp;", "&"));
        let url = href.and_then(|href| page.join(href.trim()).ok());
        if let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https")) {
            return Some(url);
        }
    }
    None
}

/// The value of an attribute, quoted or not.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let lower = tag.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = lower[from..].find(name) {
        let at = from + found;
        from = at + name.len();
        let begins =
            lower[..at].ends_with(|before: char| before.is_ascii_whitespace() || "\"'".contains(before));
        let after = tag[from..].trim_start();
        let Some(value) = after.strip_prefix('=').filter(|_| begins) else {
            continue;
        };
        let value = value.trim_start();
        return Some(match value.chars().next()? {
            quote @ ('"' | '\'') => value[1..].split(quote).next()?,
            _ => value.split(|letter: char| letter.is_ascii_whitespace()).next()?,
        });
    }
    None
}

#[cfg(test)]
#[path = "related_tests.rs"]
mod tests;
