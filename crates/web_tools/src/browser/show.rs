//! What was seen of a page, as a model is told it.

use gist::links;
use url::Url;

use super::focus;
use super::visit::Seen;
use crate::arguments::BrowseErrand;
use crate::cut::{RESULT_CHARS_MAX, window};
use crate::pages::{Header, article};
use crate::plain;

const LINKS_MAX: usize = 30;
const LINK_CHARS_MAX: usize = 240;
/// Kept for links when a text would fill everything.
const LINKS_CHARS_MIN: usize = 900;
/// An article stands for a page when it has at least this much, and so much of what is to be seen.
const ARTICLE_CHARS_MIN: usize = 600;
const ARTICLE_SHARE_MIN: f64 = 0.5;

/// What is kept of a page that was seen.
#[derive(Clone, Debug)]
pub(crate) struct PageView {
    header: String,
    text: String,
    links: Vec<String>,
}

/// Makes plain text of what was seen. Reads HTML: not on a thread that others wait for.
pub(crate) fn show(seen: &Seen) -> PageView {
    let mut header = Header {
        title: seen.title.clone(),
        url: seen.url.clone(),
        language: Some(seen.language.clone()),
        published: None,
        remarks: seen.remarks.clone(),
    };
    if seen.status >= 400 {
        header
            .remarks
            .push(format!("the site answered with the error {}", seen.status));
    }
    let visible = plain::text(&seen.text);
    let mut text = visible.clone();
    let read = Url::parse(&seen.url)
        .ok()
        .and_then(|url| article(&seen.html, &url));
    if let Some(article) = read {
        header.published = article.published;
        let chars = article.text.chars().count();
        let share = chars as f64 / visible.chars().count().max(1) as f64;
        if chars >= ARTICLE_CHARS_MIN && share >= ARTICLE_SHARE_MIN {
            text = article.text;
        }
    }
    if text.is_empty() {
        text = "(the page shows no text)".to_owned();
    }
    PageView {
        header: header.line(),
        text,
        links: seen.links.iter().filter_map(link).take(LINKS_MAX).collect(),
    }
}

impl PageView {
    /// As much as fits: the header, the text from where it is wanted or what has to do with the question, and links.
    pub(crate) fn tell(&self, errand: &BrowseErrand) -> String {
        let room = RESULT_CHARS_MAX.saturating_sub(self.header.chars().count() + 60);
        let links_all: usize = self.links.iter().map(|link| link.chars().count() + 1).sum();
        let text_max = room - links_all.min(LINKS_CHARS_MIN);
        let whole = self.text.chars().count();
        let of_question = errand
            .question
            .as_deref()
            .filter(|_| whole > text_max && errand.page.from == 0);
        let focused = of_question.and_then(|question| focus::parts(&self.text, question, text_max - 120));
        let text = match focused {
            Some(parts) => format!(
                "(of {whole} characters, the parts that have to do with the question; from=0 without a question shows the start)\n{parts}"
            ),
            None => window(&self.text, errand.page.from, text_max),
        };
        let mut told = format!("{}\n\n{text}", self.header);
        let mut left = RESULT_CHARS_MAX.saturating_sub(told.chars().count() + "\n\nLinks:".len());
        let mut heading = "\n\nLinks:";
        for link in &self.links {
            let size = link.chars().count() + 1;
            if size > left {
                break;
            }
            told.push_str(heading);
            heading = "";
            told.push('\n');
            told.push_str(link);
            left -= size;
        }
        told
    }
}

fn link((words, address): &(String, String)) -> Option<String> {
    let address = links::canonical(address).unwrap_or_else(|| plain::line(address, 500));
    let line = format!("- {}: {address}", plain::line(words, 80));
    (line.chars().count() <= LINK_CHARS_MAX).then_some(line)
}

#[cfg(test)]
#[path = "show_tests.rs"]
mod tests;
