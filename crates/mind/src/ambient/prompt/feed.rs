//! The items of the feed as the question quotes them: numbered, each with its address as it stands.

use gist::links::canonical;
use vocabulary::FeedItem;

use super::AmbientBrief;
use super::quoting::quoted;
use crate::ambient::channels::ago;
use crate::ambient::feed::Candidate;
use crate::prompt::outside::defused;

const TITLE_CHARS_MAX: usize = 160;
const SUMMARY_CHARS_MAX: usize = 280;
const LINE_CHARS_MAX: usize = 320;

/// The items in their order, each as one piece of text.
pub(super) fn items(brief: &AmbientBrief<'_>) -> Vec<String> {
    let shown = brief
        .feed
        .iter()
        .filter(|candidate| is_plain_address(&candidate.item.url));
    let told = shown
        .enumerate()
        .map(|(index, Candidate { item, .. })| feed_item(index + 1, item, brief));
    told.collect()
}

fn feed_item(number: usize, item: &FeedItem, brief: &AmbientBrief<'_>) -> String {
    let mut from = item.source.to_string();
    if let Some(at) = item.published_at {
        from.push_str(&format!(", {}", ago(at, brief.now)));
    }
    if let Some(points) = item.points {
        from.push_str(&format!(", {points} points"));
    }
    if let Some(comments) = item.comments {
        from.push_str(&format!(", {comments} comments"));
    }
    let mut lines = vec![
        quoted(&format!("{number}. {}", item.title), TITLE_CHARS_MAX),
        format!("| {}", item.url),
        quoted(&format!("from {from}"), LINE_CHARS_MAX),
    ];
    if !item.summary.trim().is_empty() {
        lines.push(quoted(&item.summary, SUMMARY_CHARS_MAX));
    }
    lines.join("\n")
}

/// An address is shown as it is or not at all: one that was changed leads nowhere.
fn is_plain_address(url: &str) -> bool {
    canonical(url).is_some() && defused(url) == url && !url.contains("===")
}
