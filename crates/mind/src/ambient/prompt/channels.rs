//! The channels of the pool within the room they have: each gets what it needs, or its share, and keeps its newest lines.

use super::quoting::{named, quoted};
use crate::ambient::channels::ChannelSummary;

/// Longest account of what was said before the lines of a channel.
const BEFORE_CHARS_MAX: usize = 1_240;
const LINE_CHARS_MAX: usize = 240;
const NAME_CHARS_MAX: usize = 80;

/// Every channel as one piece of text, `total` characters together.
pub(super) fn pieces(channels: &[ChannelSummary], total: usize) -> Vec<String> {
    let told: Vec<(String, Vec<String>)> = channels.iter().map(told).collect();
    let chars = |text: &String| text.chars().count() + 1;
    let needs: Vec<usize> = told
        .iter()
        .map(|(head, lines)| chars(head) + lines.iter().map(chars).sum::<usize>())
        .collect();
    let shares = shares(&needs, total);
    let pieces = told.into_iter().zip(shares);
    pieces
        .map(|((head, lines), share)| {
            let mut left = share.saturating_sub(chars(&head));
            let kept = lines.iter().rev().take_while(|line| {
                let fits = chars(line) <= left;
                left = left.saturating_sub(chars(line));
                fits
            });
            let kept = kept.count();
            let newest = &lines[lines.len() - kept..];
            std::iter::once(&head)
                .chain(newest)
                .cloned()
                .collect::<Vec<_>>()
                .join("\n")
        })
        .collect()
}

fn told(channel: &ChannelSummary) -> (String, Vec<String>) {
    let counted =
        |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let lately = match channel.messages_last_hour {
        0 => "quiet for the last hour".to_owned(),
        messages => format!(
            "{} by {} in the last hour",
            counted(messages, "message", "messages"),
            counted(channel.people_last_hour, "person", "people")
        ),
    };
    let since = |at: &str| if at.is_empty() { "not lately" } else { at }.to_owned();
    let head = format!(
        "\"{}\": {lately}; people last wrote: {}; you last wrote: {}",
        named(&channel.room, NAME_CHARS_MAX),
        since(&channel.last_human),
        since(&channel.last_own)
    );
    // The oldest comes first, and goes first where there is little room.
    let before = Some(channel.before.as_str()).filter(|before| !before.is_empty());
    let before = before.map(|before| quoted(&format!("before that, summed up: {before}"), BEFORE_CHARS_MAX));
    let lines = channel.lines.iter().map(|line| quoted(line, LINE_CHARS_MAX));
    (head, before.into_iter().chain(lines).collect())
}

/// Divides `total` so that whoever needs little gets it whole, and the others share the rest evenly.
fn shares(needs: &[usize], total: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|&index| needs[index]);
    let (mut left, mut waiting) = (total, needs.len());
    let mut shares = vec![0; needs.len()];
    for index in order {
        shares[index] = needs[index].min(left / waiting);
        left -= shares[index];
        waiting -= 1;
    }
    shares
}
