//! Expectations about thoughts of its own at the end: what is held, what was posted, what became of its sources.

use mind::ambient::view::AmbientView;
use vocabulary::FeedSource;

use super::expected::{Expected, Wanted, Wrong};
use super::thinking::source;
use super::words::Words;

/// One line of such a block.
pub(super) type AmbientLine = Expected<AmbientWanted>;

#[derive(Debug)]
pub(super) enum AmbientWanted {
    /// A thought, and the channel it is for.
    Holds(String, Option<String>),
    HoldsNothing,
    Looks(usize),
    /// The picture it is to come with.
    Wants(String, String),
    WantsNothing,
    Posts(usize),
    /// Where nothing is in the way; else the gate.
    Stopped(Option<String>),
    /// What the last trial would have posted, and what is said of it.
    Trial(String),
    /// What a source did: shown, shared, reactions, replies.
    Source(FeedSource, bool, [u64; 4]),
    NoSource(FeedSource),
}

impl Wanted for AmbientWanted {
    fn read(words: &mut Words<'_>) -> Result<Self, String> {
        if words.eat("holds nothing") {
            return Ok(AmbientWanted::HoldsNothing);
        }
        if words.eat("wants nothing") {
            return Ok(AmbientWanted::WantsNothing);
        }
        if words.eat("stopped by nothing") {
            return Ok(AmbientWanted::Stopped(None));
        }
        if words.eat("stopped by") {
            return Ok(AmbientWanted::Stopped(words.take().map(str::to_owned)));
        }
        if words.eat("no source") {
            return Ok(AmbientWanted::NoSource(source(words.take().unwrap_or_default())?));
        }
        Ok(match words.take().unwrap_or_default() {
            "holds" => {
                let text = words.expect_quoted()?;
                let room = words
                    .eat("in")
                    .then(|| words.take().unwrap_or_default().to_owned());
                AmbientWanted::Holds(text, room)
            }
            "looks" => AmbientWanted::Looks(words.expect_number()? as usize),
            "wants" => {
                let kind = words.take().unwrap_or_default().to_owned();
                AmbientWanted::Wants(kind, words.expect_quoted()?)
            }
            "posts" => AmbientWanted::Posts(words.expect_number()? as usize),
            "trial" => AmbientWanted::Trial(words.expect_quoted()?),
            "source" => {
                let source = source(words.take().unwrap_or_default())?;
                let own = words.eat("of its own");
                let mut tally = [0; 4];
                for (place, word) in ["shown", "shared", "reactions", "replies"].iter().enumerate() {
                    if words.eat(word) {
                        tally[place] = words.expect_number()?;
                    }
                }
                AmbientWanted::Source(source, own, tally)
            }
            other => {
                return Err(format!(
                    "expected holds, looks, wants, posts, stopped by, trial, source or no source, found {other:?}"
                ));
            }
        })
    }
}

pub(super) fn check(lines: &[AmbientLine], view: &AmbientView) -> Result<(), Wrong> {
    match lines.iter().find(|line| !line.wanted.holds(view)) {
        None => Ok(()),
        Some(wrong) => {
            let mut shown = view.clone();
            shown.receipts.truncate(3);
            shown.tools.clear();
            let shown = serde_json::to_string_pretty(&shown).expect("a view is plain data");
            Err((
                wrong.line,
                format!("`{}` does not hold. Its thoughts:\n{shown}", wrong.written),
            ))
        }
    }
}

impl AmbientWanted {
    fn holds(&self, view: &AmbientView) -> bool {
        let thought = view.thought.as_ref();
        let media = thought.and_then(|thought| thought.media.as_ref());
        match self {
            AmbientWanted::Holds(text, room) => thought.is_some_and(|thought| {
                thought.text == *text && room.as_deref().is_none_or(|room| thought.room.as_str() == room)
            }),
            AmbientWanted::HoldsNothing => thought.is_none(),
            AmbientWanted::Looks(count) => thought.is_some_and(|thought| thought.history.len() == *count),
            AmbientWanted::Wants(kind, prompt) => {
                media.is_some_and(|wish| wish.kind.name() == kind && wish.prompt == *prompt)
            }
            AmbientWanted::WantsNothing => thought.is_some() && media.is_none(),
            AmbientWanted::Posts(count) => view.posts.len() == *count,
            AmbientWanted::Stopped(gate) => view.stopped_by.as_ref().map(|stop| &stop.gate) == gate.as_ref(),
            AmbientWanted::Trial(text) => {
                let trial = view.trial.as_ref();
                trial.is_some_and(|trial| trial.post.as_deref() == Some(text) || trial.outcome == *text)
            }
            AmbientWanted::Source(source, own, [shown, shared, reactions, replies]) => {
                let known = view.sources.iter().find(|known| known.source == *source);
                known.is_some_and(|known| {
                    let tally = &known.tally;
                    known.own == *own
                        && [tally.shown, tally.shared, tally.reactions, tally.replies]
                            == [*shown, *shared, *reactions, *replies]
                })
            }
            AmbientWanted::NoSource(source) => !view.sources.iter().any(|known| known.source == *source),
        }
    }
}
