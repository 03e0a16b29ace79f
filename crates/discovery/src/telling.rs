//! Telling a person what a source has, how old it is, and when it is asked again.

use std::time::Duration;

use jiff::Timestamp;
use vocabulary::{FeedFamily, FeedSource, FeedWish, WallTime};

use crate::picking::Picked;

/// A failure, and until when the source is left alone.
pub(crate) fn trouble(words: &str, pause: Duration, now: WallTime) -> String {
    let millis = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
    let until = Timestamp::from_millisecond(now.0.saturating_add(millis));
    match until {
        Ok(until) => format!(
            "{words}; it is asked again in {}, at {} UTC",
            length(pause),
            until.strftime("%H:%M")
        ),
        Err(_) => format!("{words}; it is asked again in {}", length(pause)),
    }
}

/// What a source has, or why it will not do.
pub(crate) fn verdict(
    source: &FeedSource,
    title: &str,
    picked: &Picked,
    wish: &FeedWish,
) -> Result<String, String> {
    let called = called(source, title);
    if picked.all == 0 {
        return Err(format!(
            "{called} can be read and has no items: there is nothing to take from it"
        ));
    }
    if picked.fresh.is_empty() && picked.nsfw == picked.all {
        return Err(format!(
            "{called} has only items that are not safe for work, and initiative.discovery.allowNsfw is off"
        ));
    }
    let items = match picked.all {
        1 => "1 item".to_owned(),
        count => format!("{count} items"),
    };
    let Some(newest) = picked.newest else {
        return Ok(format!("{called}: {items}, without dates"));
    };
    let age = Duration::from_millis(u64::try_from(wish.now.0 - newest.0).unwrap_or(0));
    let newest = match age.as_secs() {
        ..60 => "the newest just now".to_owned(),
        _ => format!("the newest {} old", length(age)),
    };
    match picked.fresh.is_empty() {
        false => Ok(format!("{called}: {items}, {newest}")),
        true => Ok(format!(
            "{called}: {items}, {newest}; nothing of it is offered before there is something newer than \
             initiative.discovery.freshnessHours ({})",
            wish.fresh_for.0 / 3_600_000
        )),
    }
}

fn called(source: &FeedSource, title: &str) -> String {
    match (source.family, title) {
        (FeedFamily::Reddit, _) => format!("Subreddit {}", source.name.trim()),
        (FeedFamily::HackerNews, _) => "The front page of Hacker News".to_owned(),
        (FeedFamily::Youtube, "") => format!("Channel {}", source.name.trim()),
        (FeedFamily::Youtube, title) => format!("Channel “{title}”"),
        (FeedFamily::X, _) => format!("@{} on X", source.name.trim().trim_start_matches('@')),
        (FeedFamily::Rss, "") => "Feed without a title".to_owned(),
        (FeedFamily::Rss, title) => format!("Feed “{title}”"),
    }
}

/// A length of time in its largest unit.
fn length(length: Duration) -> String {
    let seconds = length.as_secs();
    let (count, unit) = match seconds {
        ..60 => (seconds, "second"),
        60..3_600 => (seconds.div_ceil(60), "minute"),
        3_600..172_800 => (seconds / 3_600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    match count {
        1 => format!("1 {unit}"),
        count => format!("{count} {unit}s"),
    }
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod tests;
