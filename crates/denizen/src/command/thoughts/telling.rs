//! How its thoughts stand, in words for a person.

use std::fmt::Write;

use mind::ambient::view::{AmbientView, Meter, PostView, Receipt, Revision, RunView};
use vocabulary::{MediaKind, MediaWish, Span, WallTime, rfc3339};

/// Ticks and posts that are listed.
const LISTED: usize = 10;
const TEXT_CHARS: usize = 200;

/// Everything, a line a thing.
pub fn standing(view: &AmbientView) -> String {
    let mut lines = vec![
        ("thinks", switched(view)),
        ("attention", attention(view)),
        ("next tick", next_tick(view)),
        ("held back", held_back(view)),
        ("channels", channels(view)),
        ("holds", holds(view)),
        ("in voice", holds_aloud(view)),
        ("at it", view.run.as_ref().map_or_else(String::new, under_way)),
        ("posts", meter(&view.posts_per_day, "in 24 hours")),
        ("calls", meter(&view.budget.calls, "in 24 hours")),
        ("tokens", meter(&view.budget.tokens, "in 24 hours")),
        ("cost", cost(view)),
    ];
    for media in &view.media {
        let mut told = format!("{} of {} in 24 hours", media.meter.used, media.meter.limit);
        if !media.why_not.is_empty() {
            let _ = write!(told, "; cannot be had: {}", media.why_not);
        }
        lines.push((media.kind.name(), told));
    }
    lines.push(("tools", tools(view)));
    let mut told = String::new();
    for (name, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
        let _ = writeln!(told, "{name:<10} {line}");
    }
    list(&mut told, "its posts", view.posts.iter().map(post));
    list(&mut told, "its ticks", view.receipts.iter().map(receipt));
    told
}

/// What was decided, and what came of it.
pub fn outcome(run: &RunView) -> String {
    let mut told = String::new();
    if let Some(decision) = &run.decision {
        let _ = writeln!(told, "{}", decided(decision));
    }
    if let Some(post) = &run.post {
        let _ = writeln!(told, "the message would be:\n\n{}\n", indented(post));
    }
    told.push_str(&run.outcome);
    told.push('\n');
    told
}

/// So long, in the two units that matter.
pub fn span(span: Span) -> String {
    let seconds = span.0.div_ceil(1_000);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min"),
        (0, hours, 0) => format!("{hours} h"),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, 0, _) => format!("{days} d"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

fn switched(view: &AmbientView) -> String {
    match view.enabled {
        true => "by itself, now and then".to_owned(),
        false => "not by itself: initiative.text.enabled is off".to_owned(),
    }
}

fn attention(view: &AmbientView) -> String {
    let mut told = view.attention.state.clone();
    if let Some(room) = &view.attention.room {
        let _ = write!(told, " in {room}");
    }
    if let Some(ends_in) = view.attention.ends_in {
        let _ = write!(told, ", for {} still unless somebody writes", span(ends_in));
    }
    told
}

fn next_tick(view: &AmbientView) -> String {
    let wanted = view.next_tick_in.map(|next| format!("in {}", span(next)));
    wanted.unwrap_or_else(|| "none is wanted".to_owned())
}

fn held_back(view: &AmbientView) -> String {
    match &view.stopped_by {
        None => format!(
            "by chance alone: {} % a tick (initiative.text.eagerness)",
            view.eagerness
        ),
        Some(stop) => {
            let opens = stop.opens_in.map(|opens| format!(" (opens in {})", span(opens)));
            format!("{}: {}{}", stop.gate, stop.words, opens.unwrap_or_default())
        }
    }
}

fn channels(view: &AmbientView) -> String {
    if view.channels.is_empty() {
        return "none: name some in permissions.replies.discoveryChannelIds".to_owned();
    }
    let told = view.channels.iter().map(|channel| match channel.eligible {
        true => channel.room.to_string(),
        false => format!("{} (not now: {})", channel.room, channel.why),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn holds(view: &AmbientView) -> String {
    let Some(thought) = &view.thought else {
        return "no thought".to_owned();
    };
    format!(
        "“{}” for {}{}, since {}, until {} at most; {}",
        cut(&thought.text),
        thought.room,
        wish(thought.media.as_ref()),
        rfc3339::format(thought.created_at),
        rfc3339::format(thought.expires_at),
        thought.reason
    )
}

fn holds_aloud(view: &AmbientView) -> String {
    let told = view.aloud.iter().map(|thought| {
        let moved = match thought.room_moved_on {
            true => "; to be considered anew",
            false => "",
        };
        format!(
            "“{}” in the voice of {}, since {}{moved}",
            cut(&thought.text),
            thought.room,
            rfc3339::format(thought.created_at)
        )
    });
    told.collect::<Vec<_>>().join(", ")
}

fn under_way(run: &RunView) -> String {
    let newest = run.steps.last().map_or("", |step| step.words.as_str());
    format!(
        "{} since {}; {newest}",
        run.stage.name(),
        rfc3339::format(run.started_at)
    )
}

fn meter(meter: &Meter, of: &str) -> String {
    let frees = match meter.frees_in {
        Some(frees) if meter.used >= meter.limit => format!("; some come back in {}", span(frees)),
        _ => String::new(),
    };
    format!("{} of {} {of}{frees}", meter.used, meter.limit)
}

fn cost(view: &AmbientView) -> String {
    let dollars = |millionths: u64| millionths as f64 / 1_000_000.0;
    let cost = &view.budget.cost;
    let mut told = format!(
        "${:.4} of ${:.2} in 24 hours",
        dollars(cost.used),
        dollars(cost.limit)
    );
    if view.budget.unpriced_calls > 0 {
        let _ = write!(
            told,
            "; {} calls without a known price",
            view.budget.unpriced_calls
        );
    }
    told
}

fn tools(view: &AmbientView) -> String {
    let told = view.tools.iter().map(|tool| match tool.offered {
        true => tool.name.clone(),
        false => format!("{} (not offered: {})", tool.name, tool.why_not),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn post(post: &PostView) -> String {
    let (at, text) = (rfc3339::format(post.at), cut(&post.text));
    if post.spoken {
        return format!("{at}  {}  “{text}”  said aloud", post.room);
    }
    format!(
        "{at}  {}  “{text}”  {} reactions, {} replies",
        post.room, post.reactions, post.replies
    )
}

fn receipt(receipt: &Receipt) -> String {
    let when = rfc3339::format(receipt.last_at);
    let often = match receipt.ticks {
        0 | 1 => String::new(),
        ticks => format!(" ({ticks} in a row, since {})", rfc3339::format(receipt.first_at)),
    };
    let what = match (&receipt.gate, &receipt.action) {
        (Some(gate), _) => gate.as_str(),
        (None, Some(action)) => action.as_str(),
        (None, None) => "thinking",
    };
    let aloud = receipt.room.as_ref().map(|room| format!("aloud in {room}: "));
    format!(
        "{when}  {what:<14} {}{}{often}",
        aloud.unwrap_or_default(),
        receipt.words
    )
}

fn list(told: &mut String, title: &str, items: impl Iterator<Item = String>) {
    let items: Vec<String> = items.take(LISTED).collect();
    if !items.is_empty() {
        let _ = writeln!(told, "\n{title}, newest first:");
    }
    for item in items {
        let _ = writeln!(told, "  {item}");
    }
}

fn decided(decision: &Revision) -> String {
    let room = decision.room.as_ref().map(|room| format!(" in {room}"));
    format!(
        "it decided: {}{}{}: {}",
        decision.action.name(),
        room.unwrap_or_default(),
        wish(decision.media.as_ref()),
        decision.reason
    )
}

fn wish(media: Option<&MediaWish>) -> String {
    media.map_or_else(String::new, |wish| {
        let what = match wish.kind {
            MediaKind::Image => "a picture",
            MediaKind::Video => "a clip",
            MediaKind::Gif => "a GIF",
        };
        format!(" with {what} ({})", cut(&wish.prompt))
    })
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("    {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

fn cut(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(TEXT_CHARS) {
        None => one_line,
        Some((end, _)) => format!("{}…", one_line[..end].trim_end()),
    }
}

/// Since when, of something that began then.
pub fn after(at: WallTime, began: WallTime) -> String {
    format!("+{:.1} s", at.0.saturating_sub(began.0) as f64 / 1_000.0)
}

#[cfg(test)]
#[path = "telling_tests.rs"]
mod telling_tests;
