//! What the script says of thoughts: what the thinking model decides, what feeds have, what becomes of pictures.

use serde_json::{Value, json};
use vocabulary::{FeedFamily, FeedItem, FeedSource, Span, WallTime};

use super::cue::{Act, Cue, USUAL, act};
use super::gems;
use super::words::Words;
use crate::trace::WALL_START;

/// A line about thoughts.
#[derive(Clone, Debug)]
pub enum ThoughtCue {
    Thinker(Span, Act),
    ThinkerAlways(Span, Act),
    /// What memory holds for the next thought.
    Knows(mind::Recollection),
    /// From now on there is this, too.
    Feed(FeedItem),
    /// How the next look around goes.
    Looking(Look),
    /// How the next picture goes.
    Making(Make),
}

#[derive(Clone, Copy, Debug)]
pub enum Look {
    Takes(Span),
    Fails,
    Never,
}

#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// It is made after so long, for so many millionths of a dollar.
    Takes(Span, Option<u64>),
    Fails,
    Refused,
    Never,
}

/// Reads a line about thoughts; none if it is about something else.
pub(super) fn read(words: &mut Words<'_>) -> Result<Option<Cue>, String> {
    let cue = if words.eat("thinker always") {
        let (after, act) = thinker(words)?;
        ThoughtCue::ThinkerAlways(after, act)
    } else if words.eat("thinker knows") {
        ThoughtCue::Knows(gems::knows(words)?)
    } else if words.eat("thinker") {
        let (after, act) = thinker(words)?;
        ThoughtCue::Thinker(after, act)
    } else if words.eat("the feed has") {
        ThoughtCue::Feed(item(words)?)
    } else if words.eat("the feed fails") {
        ThoughtCue::Looking(Look::Fails)
    } else if words.eat("the feed never answers") {
        ThoughtCue::Looking(Look::Never)
    } else if words.eat("the feed takes") {
        ThoughtCue::Looking(Look::Takes(words.expect_span()?))
    } else if words.eat("making") {
        ThoughtCue::Making(making(words)?)
    } else {
        return Ok(None);
    };
    Ok(Some(Cue::Thought(Box::new(cue))))
}

/// `posts "words" in lobby [because "why"] [with image "what"] [replying to m3] [taking 900 tokens] [costing 0.02 dollars]`,
/// the same with `says` (aloud), `holds`, `drops [because "why"]`, or whatever a model can do.
fn thinker(words: &mut Words<'_>) -> Result<(Span, Act), String> {
    let action = match () {
        () if words.eat("posts") => "post_now",
        () if words.eat("says") => "say",
        () if words.eat("holds") => "hold",
        () if words.eat("drops") => "drop",
        () => {
            let (after, act) = act(words)?;
            return Ok((after, taking(act, words)?));
        }
    };
    let after = match words.eat("after") {
        true => words.expect_span()?,
        false => USUAL,
    };
    let text = match action {
        "drop" => String::new(),
        _ => words.expect_quoted()?,
    };
    let mut answer = json!({"action": action, "text": text, "channel": "", "reason": ""});
    if words.eat("in") {
        answer["channel"] = json!(words.take().unwrap_or_default());
    }
    if words.eat("because") {
        answer["reason"] = json!(words.expect_quoted()?);
    }
    if words.eat("with") {
        let kind = words.take().unwrap_or_default();
        answer["media"] = json!({"kind": kind, "prompt": words.expect_quoted()?});
    }
    if words.eat("replying to") {
        answer["reply_to"] = json!(words.take().unwrap_or_default());
    }
    let act = taking(Act::Writes(vec![answer.to_string()]), words)?;
    Ok((
        after,
        match words.eat("even if nobody waits") {
            true => Act::Anyway(Box::new(act)),
            false => act,
        },
    ))
}

fn taking(act: Act, words: &mut Words<'_>) -> Result<Act, String> {
    let (mut tokens, mut cost) = (0, None);
    if words.eat("taking") {
        tokens = words.expect_number()?;
        words.eat("tokens");
    }
    if words.eat("costing") {
        cost = Some(dollars(words)?);
    }
    Ok(match (tokens, cost) {
        (0, None) => act,
        _ => Act::Taking(Box::new(act), tokens, cost),
    })
}

/// `0.02 dollars` in millionths.
fn dollars(words: &mut Words<'_>) -> Result<u64, String> {
    let word = words.take().unwrap_or_default();
    let number: f64 = word
        .parse()
        .map_err(|_| format!("expected dollars such as 0.02, found {word:?}"))?;
    words.eat("dollars");
    Ok((number * 1_000_000.0).round() as u64)
}

/// `"Title" at https://… from rss:https://… [3h old] [not safe for work]`.
fn item(words: &mut Words<'_>) -> Result<FeedItem, String> {
    let title = words.expect_quoted()?;
    if !words.eat("at") {
        return Err("expected `at` and the address of the item".to_owned());
    }
    let url = words.take().unwrap_or_default().to_owned();
    if !words.eat("from") {
        return Err("expected `from` and the source, such as rss:https://a.example/feed".to_owned());
    }
    let source = source(words.take().unwrap_or_default())?;
    let age = words.peek().and_then(super::words::span);
    if age.is_some() {
        words.take();
        words.eat("old");
    }
    Ok(FeedItem {
        source,
        url,
        title,
        summary: String::new(),
        author: None,
        published_at: age.map(|age| WallTime(WALL_START.0 - age.0 as i64)),
        points: None,
        comments: None,
        popularity: 0.5,
        nsfw: words.eat("not safe for work"),
    })
}

/// `rss:https://a.example/feed`, `reddit:gardening`.
pub(super) fn source(word: &str) -> Result<FeedSource, String> {
    let (family, name) = word.split_once(':').unwrap_or((word, ""));
    let known = FeedFamily::ALL.into_iter().find(|known| known.name() == family);
    let family =
        known.ok_or_else(|| format!("expected a source such as reddit:gardening, found {word:?}"))?;
    Ok(FeedSource {
        family,
        name: name.to_owned(),
    })
}

fn making(words: &mut Words<'_>) -> Result<Make, String> {
    if words.eat("fails") {
        return Ok(Make::Fails);
    }
    if words.eat("is refused") {
        return Ok(Make::Refused);
    }
    if words.eat("never ends") {
        return Ok(Make::Never);
    }
    if words.eat("takes") {
        let after = words.expect_span()?;
        let cost = match words.eat("costing") {
            true => Some(dollars(words)?),
            false => None,
        };
        return Ok(Make::Takes(after, cost));
    }
    Err("expected `making takes 5s [costing 0.04 dollars]`, `making fails`, `making is refused` or `making never ends`".to_owned())
}

/// The arguments of a call that the script writes as one text: of whichever tool, it is the one that is wanted.
pub(super) fn arguments(tool: &str, text: &str) -> Value {
    match source(text) {
        Ok(source) if tool.starts_with("discovery_source_") => {
            json!({"family": source.family.name(), "name": source.name, "reason": "it fits"})
        }
        _ => json!({"words": text, "query": text, "url": text, "prompt": text}),
    }
}
