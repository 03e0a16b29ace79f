//! Makes a readable text of HTML: the article where there is one, else what is to be seen.

use dom_smoothie::{Config, Readability, TextMode};
use url::Url;

use super::Page;
use super::tidy::{Tidied, tidy};
use crate::plain;

/// A page with more of these is shown as it is, without looking for an article: that would take long.
const TAGS_MAX: usize = 15_000;
const REFERENCES_MAX: usize = 15_000;
/// Looking at each `&` goes through the rest of the page.
const AMPERSAND_BYTES_MAX: usize = 50_000_000;
const HTML_BYTES_MAX: usize = 1 << 20;
/// An article that has less than this is not the whole of a page.
const ARTICLE_CHARS_MIN: usize = 200;
const TEXT_CHARS_MAX: usize = 400_000;

/// What is said of a page in one line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    pub title: String,
    pub url: String,
    pub language: Option<String>,
    pub published: Option<String>,
    pub remarks: Vec<String>,
}

impl Header {
    pub(crate) fn line(&self) -> String {
        let title = match plain::line(&self.title, 200) {
            title if title.is_empty() => "(no title)".to_owned(),
            title => title,
        };
        let mut parts = vec![title, plain::line(&self.url, 500)];
        let mut say = |what: &str, value: &Option<String>| {
            let value = plain::line(value.as_deref().unwrap_or_default(), 40);
            if !value.is_empty() {
                parts.push(format!("{what} {value}"));
            }
        };
        say("language", &self.language);
        say("published", &self.published);
        parts.extend(self.remarks.iter().map(|remark| plain::line(remark, 200)));
        parts.join(" | ")
    }
}

/// The main text of a page.
#[derive(Clone, Debug)]
pub(crate) struct Article {
    pub title: String,
    pub text: String,
    pub language: Option<String>,
    pub published: Option<String>,
}

/// The article of a page, as Markdown; none where there is none.
pub(crate) fn article(html: &str, url: &Url) -> Option<Article> {
    article_of(&tidy(html), url)
}

fn article_of(page: &Tidied, url: &Url) -> Option<Article> {
    let ordinary = page.tags <= TAGS_MAX
        && page.ampersands * page.html.len() <= AMPERSAND_BYTES_MAX
        && page.references <= REFERENCES_MAX
        && page.html.len() <= HTML_BYTES_MAX;
    if !ordinary || page.html.is_empty() {
        return None;
    }
    let config = Config {
        text_mode: TextMode::Markdown,
        ..Config::default()
    };
    let mut readability = Readability::new(page.html.as_str(), Some(url.as_str()), Some(config)).ok()?;
    let found = readability.parse().ok()?;
    let text: String = found.text_content.chars().take(TEXT_CHARS_MAX).collect();
    Some(Article {
        title: found.title,
        text: plain::text(&text),
        language: found.lang,
        published: found.published_time,
    })
}

/// A page of HTML as it is told.
pub(super) fn page_of_html(html: &str, url: &Url) -> Page {
    let page = tidy(html);
    let found = article_of(&page, url).filter(|article| article.text.chars().count() >= ARTICLE_CHARS_MIN);
    let (title, text, language, published) = match found {
        Some(article) => (article.title, article.text, article.language, article.published),
        None => {
            let text: String = page.text.chars().take(TEXT_CHARS_MAX).collect();
            (page.title, plain::text(&text), page.language, None)
        }
    };
    let header = Header {
        title,
        url: url.to_string(),
        language,
        published,
        remarks: Vec::new(),
    };
    let text = match text.is_empty() {
        true => "(the page has no text without its scripts: browser_browse may show it)".to_owned(),
        false => text,
    };
    Page {
        header: header.line(),
        text,
    }
}

#[cfg(test)]
#[path = "readable_tests.rs"]
mod tests;
