//! The sections of the question, each with its cap and its priority: what it is to do and where never goes, what it reads
//! from and what people are into goes first.

use minijinja::context;
use vocabulary::{MediaKind, ToolSpec};

use super::AmbientBrief;
use super::channels::pieces;
use super::feed;
use super::quoting::{named, plain, quoted};
use crate::ambient::channels::in_words;
use crate::ambient::feed::standing;
use crate::ambient::reading::{MEDIA_PROMPT_CHARS_MAX, REASON_CHARS_MAX};
use crate::prompt::budget::{Keep, Section};
use crate::prompt::outside::outside_rule;
use crate::prompt::templates::Template;
use crate::prompt::transcript;

const CHANNELS_CHARS_MAX: usize = 12_000;
/// Of a prompt with little room, channels take at most this part; but never less than the least.
const CHANNELS_PART: usize = 2;
const CHANNELS_CHARS_MIN: usize = 800;
const LINE_CHARS_MAX: usize = 320;
const TOOL_CHARS_MAX: usize = 140;
const TOOLS_LISTED_MAX: usize = 24;
const NAME_CHARS_MAX: usize = 80;
const INTERESTS_MAX: usize = 16;
const CHANNELS_LISTED_MAX: usize = 40;

/// The sections in the order they stand, and the room they have: never so little that what must stay is dropped.
pub(super) fn of(brief: &AmbientBrief<'_>, budget: usize) -> (Vec<Section>, usize) {
    let (mode, thought, task) = (mode(brief), thought(brief), task(brief));
    let essential = [&mode, &thought, &task]
        .map(|text| text.chars().count() + 1)
        .iter()
        .sum::<usize>();
    let budget = budget.max(essential + CHANNELS_CHARS_MIN);
    let for_channels = ((budget - essential) / CHANNELS_PART).clamp(CHANNELS_CHARS_MIN, CHANNELS_CHARS_MAX);
    let channels = pieces(brief.channels, for_channels);
    let lines = |texts: &[String]| texts.iter().map(|text| quoted(text, LINE_CHARS_MAX)).collect();
    let sources = brief.sources.iter();
    let sources = sources.map(|(source, tally, own)| quoted(&standing(source, tally, *own), LINE_CHARS_MAX));
    let persona = brief.settings.identity.persona.clone();
    let sections = vec![
        section(
            "persona",
            95,
            4_000,
            Keep::Whole,
            vec![persona],
            "identity.persona",
        ),
        section(
            "ambient_text_mode",
            99,
            4_000,
            Keep::Whole,
            vec![mode],
            "how it behaves in a moment of its own",
        ),
        section(
            "current_thought",
            98,
            6_000,
            Keep::Whole,
            vec![thought],
            "the thought it holds, if any",
        ),
        section(
            "channels",
            97,
            CHANNELS_CHARS_MAX,
            Keep::First,
            channels,
            "the channels it may post in",
        ),
        section(
            "feed",
            70,
            6_000,
            Keep::First,
            feed::items(brief),
            "what its sources brought, best first",
        ),
        section(
            "feed_sources",
            30,
            1_600,
            Keep::First,
            sources.collect(),
            "how its sources did",
        ),
        section(
            "community_interests",
            35,
            500,
            Keep::Whole,
            interests(brief),
            "what people wrote about lately",
        ),
        section(
            "memory",
            55,
            1_600,
            Keep::First,
            lines(brief.memory),
            "what is remembered that fits",
        ),
        section(
            "behavior_guidance",
            96,
            6_000,
            Keep::First,
            lines(brief.guidance),
            "how people asked it to be",
        ),
        section(
            "behavioral_memory",
            60,
            1_600,
            Keep::First,
            lines(brief.behaviour),
            "how things go here",
        ),
        section(
            "capabilities",
            90,
            5_000,
            Keep::Whole,
            vec![capabilities(brief)],
            "tools, media, links, posts left",
        ),
        section(
            "task",
            100,
            6_000,
            Keep::Whole,
            vec![task],
            "what it is to decide",
        ),
    ];
    (sections, budget)
}

fn section(
    name: &'static str,
    priority: u8,
    cap_chars: usize,
    keep: Keep,
    items: Vec<String>,
    remark: &str,
) -> Section {
    Section::new(name, priority, cap_chars, keep)
        .holding(items)
        .remarked(remark)
}

fn mode(brief: &AmbientBrief<'_>) -> String {
    let reaches_out = !brief.tools.is_empty() || !brief.tool_turns.is_empty();
    Template::AmbientMode.render(context! {
        name => transcript::speaker(&brief.settings.identity.name),
        outside_rule => reaches_out.then(outside_rule),
    })
}

fn thought(brief: &AmbientBrief<'_>) -> String {
    let Some(held) = &brief.held else {
        return Template::AmbientThought.render(context! { held => false });
    };
    let written: Vec<&str> = held.text.lines().filter(|line| !line.trim().is_empty()).collect();
    let lines: Vec<String> = match written.as_slice() {
        [] => vec!["(no words)".to_owned()],
        [only] => vec![plain(only, usize::MAX)],
        several => several.iter().map(|line| quoted(line, usize::MAX)).collect(),
    };
    Template::AmbientThought.render(context! {
        held => true,
        lines => lines,
        media_kind => held.media.map(|wish| wish.kind.name()),
        media_prompt => held.media.map(|wish| plain(&wish.prompt, MEDIA_PROMPT_CHARS_MAX)),
        held_for => in_words(held.held_for),
        expires_in => in_words(held.expires_in),
        channel => named(held.channel, NAME_CHARS_MAX),
        look => held.revisions + 1,
        reason => plain(held.reason, REASON_CHARS_MAX),
        messages_since => held.messages_since,
    })
}

fn interests(brief: &AmbientBrief<'_>) -> Vec<String> {
    let words = brief.interests.iter().take(INTERESTS_MAX);
    let words: Vec<String> = words.map(|word| plain(word, NAME_CHARS_MAX)).collect();
    if words.is_empty() {
        return Vec::new();
    }
    vec![quoted(&words.join(", "), 500 - 2)]
}

fn capabilities(brief: &AmbientBrief<'_>) -> String {
    let tools: Vec<String> = brief.tools.iter().take(TOOLS_LISTED_MAX).map(tool_line).collect();
    let media: Vec<&str> = brief.media.iter().map(|kind| described(*kind)).collect();
    Template::AmbientCapabilities.render(context! {
        tools => tools,
        looked_up => !brief.tool_turns.is_empty(),
        media => media,
        links_max => brief.settings.discovery.max_links_per_post,
        posts_left => brief.posts_left_today,
    })
}

/// A tool by its name and the first sentence of what it does.
fn tool_line(tool: &ToolSpec) -> String {
    let description = plain(&tool.description, usize::MAX);
    let first = description.split_inclusive(". ").next().unwrap_or_default();
    plain(&format!("{}: {}", tool.name, first.trim_end()), TOOL_CHARS_MAX)
}

fn described(kind: MediaKind) -> &'static str {
    match kind {
        MediaKind::Image => "an image (made from your prompt)",
        MediaKind::Video => "a video clip (made from your prompt)",
        MediaKind::Gif => "a GIF (found by your prompt)",
    }
}

fn task(brief: &AmbientBrief<'_>) -> String {
    let in_quotes = |text: &str| format!("\"{text}\"");
    let rooms = brief.channels.iter().take(CHANNELS_LISTED_MAX);
    let rooms: Vec<String> = rooms
        .map(|channel| in_quotes(&named(&channel.room, NAME_CHARS_MAX)))
        .collect();
    let kinds: Vec<String> = brief.media.iter().map(|kind| in_quotes(kind.name())).collect();
    Template::AmbientTask.render(context! {
        date => transcript::date(brief.now),
        time => transcript::clock(brief.now),
        screen_of => brief.frame.map(|screen| transcript::speaker(screen.shared_by)),
        held => brief.held.is_some(),
        tools => !brief.tools.is_empty(),
        looked_up => !brief.tool_turns.is_empty(),
        first_channel => rooms.first().map_or("\"\"", String::as_str),
        channels => if rooms.is_empty() { "\"\"".to_owned() } else { rooms.join(" or ") },
        media => kinds.join(", "),
    })
}
