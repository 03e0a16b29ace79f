//! Reading a whole answer: silence is a typed outcome, and no trace of its token ever reaches a room.

use gist::{aloud, silence};
use serde::{Deserialize, Serialize};

use super::emoji::first_emoji;
use super::envelope::{Envelope, read_envelope};
use super::script::{Cast, own_line};
use super::tool_marks::{without_tool_marks, without_tool_marks_so_far};

/// Why no reply was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The model chose silence.
    LlmSkip,
    /// The model gave nothing to say.
    EmptyReply,
    /// Nothing to say was left once pictures and other media were taken out.
    EmptyReplyAfterMedia,
    /// The model or its provider declined.
    Refused,
    /// The gate said no when the message arrived.
    NotAdmitted,
    /// The gate said yes at first, and no right before generation.
    NoLongerAdmitted,
    /// The classifier thought it was not meant for Denizen.
    NotAddressed,
    /// Denizen has written enough in this room for an hour.
    HourlyCap,
    /// Too much was waiting already.
    QueueFull,
    /// Every message of the burst was taken back.
    MessageDeleted,
    /// The model could not be had, and the tries are used up.
    ModelFailed,
    /// Nothing is left of what may be spent today.
    BudgetSpent,
    /// The model is left alone for longer than anybody waits in a room.
    ModelResting,
    /// The room could not be written to, and the tries are used up.
    SendFailed,
    /// The room is gone.
    RoomEnded,
    /// Somebody wants nothing said in the room for a while.
    Quiet,
    /// The model chose a reaction where it could have none.
    ReactionNotOpen,
}

/// What an answer without tool calls means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyOutcome {
    Say(String),
    /// The model chose silence, and perhaps said why.
    Skip {
        why: String,
    },
    /// The model's whole answer is an emoji under the message, and perhaps it said why.
    React {
        emoji: String,
        why: String,
    },
    Empty,
    /// There was only media markup, which this room does not take.
    EmptyAfterMedia,
}

/// An answer, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    pub outcome: ReplyOutcome,
    /// What was put right about it, if anything.
    pub repaired: Option<&'static str>,
}

/// Reads an answer. `owed`: a reply is required, so words beside a silence token win over the token.
pub fn read_answer(answer: &str, own_name: &str, owed: bool) -> Reading {
    let answer = without_reasoning(answer);
    let Some(envelope) = read_envelope(answer) else {
        let silent = |text: &str| silence::is_bare(text, owed);
        return read_words(answer, own_name, owed, silent);
    };
    read_typed(&envelope, own_name, owed)
}

/// Reads the answer of a small model that was asked plainly: its own line and nobody else's, or silence.
pub(crate) fn read_plain(answer: &str, cast: Cast<'_>, question: &str, owed: bool) -> Reading {
    let answer = without_reasoning(answer);
    if read_envelope(answer).is_some() {
        return read_answer(answer, cast.own_name, owed);
    }
    let line = own_line(answer, cast, question);
    let left_out = line.lines().count() < answer.trim().lines().count();
    let line = match silence::after_plain(line) {
        Some(_) if !owed => {
            return Reading {
                outcome: ReplyOutcome::Skip { why: String::new() },
                repaired: None,
            };
        }
        Some(rest) => rest,
        None => line,
    };
    let reading = read_answer(line, cast.own_name, owed);
    let repaired = left_out.then_some("lines of a script around its own were left out");
    Reading {
        repaired: reading.repaired.or(repaired),
        ..reading
    }
}

/// Reads what was heard of somebody who thinks and speaks elsewhere and writes along, whole or cut: what of it is words.
/// Marks of silence, of tools and for eyes are none, also where they were said.
pub fn read_heard(heard: &str, own_name: &str) -> String {
    let heard = without_tool_marks_so_far(silence::before_unfinished(heard));
    match read_answer(&heard, own_name, true).outcome {
        ReplyOutcome::Say(words) => aloud::words(&words),
        _ => String::new(),
    }
}

/// Reads a typed answer, the same way.
pub(crate) fn read_typed(envelope: &Envelope, own_name: &str, owed: bool) -> Reading {
    let Envelope { text, reason, .. } = envelope;
    let reading = if envelope.reacts {
        read_reaction(text, reason, own_name, owed)
    } else if envelope.silent {
        let text = clean(text, own_name).0;
        // A model that was told it must reply may put its words beside the wrong action.
        let (outcome, repaired) = if owed && !text.is_empty() && !silence::is_bare(&text, owed) {
            let beside = "words beside a silence that was not open to it";
            (ReplyOutcome::Say(text), Some(beside))
        } else {
            (ReplyOutcome::Skip { why: reason.clone() }, None)
        };
        Reading { outcome, repaired }
    } else {
        // A typed "no" is an answer, not a silence; "[No response]" is one, typed or not.
        read_words(text, own_name, owed, |text| silence::is_spelled_out(text, true))
    };
    Reading {
        repaired: reading.repaired.or(envelope.repaired),
        ..reading
    }
}

/// Whoever is owed words is not given an emoji; words in place of one are said.
fn read_reaction(text: &str, reason: &str, own_name: &str, owed: bool) -> Reading {
    let (outcome, repaired) = match first_emoji(text) {
        Some(emoji) if owed => {
            let why = format!("it would have reacted with {emoji}, and words are owed");
            (ReplyOutcome::Skip { why }, None)
        }
        Some(emoji) => {
            let why = reason.to_owned();
            (ReplyOutcome::React { emoji, why }, None)
        }
        None => {
            let reading = read_words(text, own_name, owed, |text| silence::is_spelled_out(text, true));
            let said = matches!(reading.outcome, ReplyOutcome::Say(_));
            (
                reading.outcome,
                said.then_some("words in place of a reaction were said"),
            )
        }
    };
    Reading { outcome, repaired }
}

fn read_words(words: &str, own_name: &str, owed: bool, means_silence: impl Fn(&str) -> bool) -> Reading {
    if words.trim().is_empty() {
        return Reading {
            outcome: ReplyOutcome::Empty,
            repaired: None,
        };
    }
    let (text, had_token) = clean(words, own_name);
    if text.is_empty() && !had_token {
        return Reading {
            outcome: ReplyOutcome::Empty,
            repaired: Some("tags around no tool were left out"),
        };
    }
    // In "**[SKIP]**" the asterisks are no words.
    let only_marks = text.chars().all(|letter| letter.is_ascii_punctuation());
    if means_silence(&text) || (had_token && only_marks) {
        let spelled_out = !had_token && silence::is_spelled_out(&text, owed);
        let why = if spelled_out {
            format!("it wrote “{text}”, which says that it has nothing to say")
        } else {
            String::new()
        };
        return Reading {
            outcome: ReplyOutcome::Skip { why },
            repaired: None,
        };
    }
    if had_token && !owed {
        let repaired = Some("words around a silence token were dropped with it");
        return Reading {
            outcome: ReplyOutcome::Skip { why: String::new() },
            repaired,
        };
    }
    if text.chars().all(is_no_word) {
        return Reading {
            outcome: ReplyOutcome::Empty,
            repaired: None,
        };
    }
    let spoken = without_media(&text);
    if spoken.is_empty() {
        return Reading {
            outcome: ReplyOutcome::EmptyAfterMedia,
            repaired: None,
        };
    }
    let repaired = had_token.then_some("a silence token was cut out of a reply that was owed");
    Reading {
        outcome: ReplyOutcome::Say(spoken),
        repaired,
    }
}

/// Marks that say nothing by themselves; faces, and a question mark, may be an answer.
fn is_no_word(letter: char) -> bool {
    letter.is_whitespace() || ".,!…·-–—*#`'\"“”‘’«»[](){}|~".contains(letter)
}

/// Without tags around tools, without silence tokens and without a transcript-style "Name:" in front; and whether a token was there.
fn clean(words: &str, own_name: &str) -> (String, bool) {
    let words = without_tool_marks(words);
    let (text, had_token) = silence::without_tokens(&words);
    (
        without_own_name(text.trim(), own_name).trim().to_owned(),
        had_token,
    )
}

/// What remains after a leading block of visible reasoning, which some servers leave in the text.
pub(crate) fn without_reasoning(answer: &str) -> &str {
    match (
        answer.trim_start().starts_with("<think>"),
        answer.find("</think>"),
    ) {
        (true, Some(end)) => &answer[end + "</think>".len()..],
        (true, None) => "",
        (false, _) => answer,
    }
}

/// Models imitate the transcript they were shown: `[12:03] Denizen: hello` becomes `hello`.
pub(crate) fn without_own_name<'a>(text: &'a str, own_name: &str) -> &'a str {
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('[')
        && let Some((stamp, after)) = after.split_once(']')
        && stamp.len() <= 5
        && stamp
            .chars()
            .all(|letter| letter.is_ascii_digit() || letter == ':')
    {
        rest = after.trim_start();
    }
    match rest.get(..own_name.len()) {
        Some(head) if head.eq_ignore_ascii_case(own_name) => match rest[own_name.len()..].strip_prefix(':') {
            Some(said) => said.trim_start(),
            None => text,
        },
        _ => text,
    }
}

/// Pictures a model pretends to send, as Markdown images, are not words.
fn without_media(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("![") {
        let picture = &rest[start..];
        let end = picture
            .find("](")
            .and_then(|middle| picture[middle..].find(')').map(|end| middle + end + 1));
        let Some(end) = end else { break };
        kept.push_str(&rest[..start]);
        rest = &picture[end..];
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}
