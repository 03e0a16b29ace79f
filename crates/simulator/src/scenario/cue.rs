//! Lines about models, rooms and stores: what each will do when it is asked.

use mind::Recollection;
use serde_json::json;
use vocabulary::{AskFailureKind, Author, AuthorKind, Finish, Message, RoomId, Span};

use super::gems;
use super::thinking::{self, ThoughtCue};
use super::words::Words;
use crate::director::{SendPlan, SendReport, StorePlan};
use crate::trace::WALL_START;

/// How long a model takes where the script does not say.
pub(super) const USUAL: Span = Span::seconds(1);

/// A line about models, rooms or stores.
#[derive(Clone, Debug)]
pub enum Cue {
    Model(Span, Act),
    /// From now on, whenever nothing else was said.
    ModelAlways(Span, Act),
    Classifier(Span, Act),
    Summariser(Span, Act),
    SummariserAlways(Span, Act),
    Extractor(Span, Act),
    ExtractorAlways(Span, Act),
    NoteTaker(Span, Act),
    NoteTakerAlways(Span, Act),
    Commentator(Span, Act),
    CommentatorAlways(Span, Act),
    Storing(StorePlan),
    Sending(SendPlan),
    Recall(Option<(Span, Recollection)>),
    /// Whenever these words are looked for.
    RecallFor(String, Option<(Span, Recollection)>),
    Tool(Option<(Span, String, bool)>),
    Thought(Box<ThoughtCue>),
}

/// What a model does.
#[derive(Clone, Debug)]
pub enum Act {
    Answers(String),
    /// An answer with why, and what is noted beside it.
    Tells {
        text: String,
        why: String,
        notes: Vec<String>,
    },
    Skips(String),
    /// Just these pieces, whatever was asked for.
    Writes(Vec<String>),
    Declines,
    /// It gets so far, and is cut at its length or stopped.
    Cut(String, Finish),
    Fails(AskFailureKind, Option<Span>),
    Never,
    /// Words before it, and the calls.
    Calls(Vec<String>, Vec<(String, String)>),
    /// Does so, and says what it took: tokens, and millionths of a dollar.
    Taking(Box<Act>, u64, Option<u64>),
    /// Does so although nobody waits for it any more.
    Anyway(Box<Act>),
}

/// Reads a line about models, rooms or stores; none if it is about something else.
pub(super) fn read_cue(words: &mut Words<'_>) -> Result<Option<Cue>, String> {
    if let Some(cue) = thinking::read(words)? {
        return Ok(Some(cue));
    }
    let cue = if words.eat("model always") {
        let (after, act) = act(words)?;
        Cue::ModelAlways(after, act)
    } else if words.eat("model") {
        let (after, act) = act(words)?;
        Cue::Model(after, act)
    } else if words.eat("classifier") {
        let (after, act) = act(words)?;
        Cue::Classifier(after, act)
    } else if words.eat("summariser always") {
        let (after, act) = act(words)?;
        Cue::SummariserAlways(after, act)
    } else if words.eat("summariser") {
        let (after, act) = act(words)?;
        Cue::Summariser(after, act)
    } else if words.eat("extractor always") {
        let (after, act) = gems::extractor(words)?;
        Cue::ExtractorAlways(after, act)
    } else if words.eat("extractor") {
        let (after, act) = gems::extractor(words)?;
        Cue::Extractor(after, act)
    } else if words.eat("notetaker always") {
        let (after, act) = act(words)?;
        Cue::NoteTakerAlways(after, act)
    } else if words.eat("notetaker") {
        let (after, act) = act(words)?;
        Cue::NoteTaker(after, act)
    } else if words.eat("commentator always") {
        let (after, act) = act(words)?;
        Cue::CommentatorAlways(after, act)
    } else if words.eat("commentator") {
        let (after, act) = act(words)?;
        Cue::Commentator(after, act)
    } else if words.eat("storing") {
        Cue::Storing(gems::storing(words)?)
    } else if words.eat("sending") {
        Cue::Sending(sending(words)?)
    } else if words.eat("recall for") {
        let sought = words.expect_quoted()?;
        Cue::RecallFor(sought, recall(words)?)
    } else if words.eat("recall") {
        Cue::Recall(recall(words)?)
    } else if words.eat("tool") {
        Cue::Tool(tool(words)?)
    } else {
        return Ok(None);
    };
    Ok(Some(cue))
}

pub(super) fn act(words: &mut Words<'_>) -> Result<(Span, Act), String> {
    let verb = words.take().unwrap_or_default();
    if verb == "never" && words.eat("answers") {
        return Ok((USUAL, Act::Never));
    }
    let after = if words.eat("after") {
        words.expect_span()?
    } else {
        USUAL
    };
    let act = match verb {
        "answers" => answer(words)?,
        "skips" if words.eat("noting") => Act::Tells {
            text: String::new(),
            why: String::new(),
            notes: texts(words)?,
        },
        "skips" if words.eat("because") => Act::Skips(words.expect_quoted()?),
        "skips" => Act::Skips(String::new()),
        "writes" => {
            let pieces = texts(words)?;
            match words.eat("and calls") {
                true => Act::Calls(pieces, calls(words)?),
                false => Act::Writes(pieces),
            }
        }
        "says" if words.eat("raw") => Act::Writes(texts(words)?),
        "declines" => Act::Declines,
        "is" if words.eat("cut after") => Act::Cut(words.expect_quoted()?, Finish::Length),
        "is" if words.eat("stopped after") => Act::Cut(words.expect_quoted()?, Finish::Refused),
        "fails" if words.eat("with") => {
            let word = words.take().unwrap_or_default();
            let kind = serde_json::from_value(json!(word)).map_err(|_| {
                format!(
                    "expected a kind of failure such as timed_out, rate_limited or refused, found {word:?}"
                )
            })?;
            let wait = if words.eat("wait") {
                Some(words.expect_span()?)
            } else {
                None
            };
            Act::Fails(kind, wait)
        }
        "judges" => {
            let word = words.take().unwrap_or_default();
            let confidence: f64 = word
                .parse()
                .map_err(|_| format!("expected a confidence, found {word:?}"))?;
            let answer = json!({"addressed": confidence >= 0.5, "confidence": confidence});
            Act::Writes(vec![answer.to_string()])
        }
        "calls" => Act::Calls(Vec::new(), calls(words)?),
        other => {
            return Err(format!(
                "expected answers, skips, writes, says raw, declines, fails with, judges, calls or never answers, found {other:?}"
            ));
        }
    };
    Ok((
        after,
        match words.eat("even if nobody waits") {
            true => Act::Anyway(Box::new(act)),
            false => act,
        },
    ))
}

/// `search_messages "pizza" "pasta"`: a tool, and what it is called with.
fn calls(words: &mut Words<'_>) -> Result<Vec<(String, String)>, String> {
    let tool = words.take().unwrap_or_default().to_owned();
    // Some tools want nothing to be said.
    let texts = match words.peek().is_some_and(|word| word.starts_with('"')) {
        true => texts(words)?,
        false => vec![String::new()],
    };
    Ok(texts.into_iter().map(|text| (tool.clone(), text)).collect())
}

/// `"words" [because "why"] [noting "this" "and this"]`.
fn answer(words: &mut Words<'_>) -> Result<Act, String> {
    let text = words.expect_quoted()?;
    let why = match words.eat("because") {
        true => words.expect_quoted()?,
        false => String::new(),
    };
    let notes = match words.eat("noting") {
        true => texts(words)?,
        false => Vec::new(),
    };
    Ok(match why.is_empty() && notes.is_empty() {
        true => Act::Answers(text),
        false => Act::Tells { text, why, notes },
    })
}

/// One or more quoted texts; `"ab" times 300` repeats.
fn texts(words: &mut Words<'_>) -> Result<Vec<String>, String> {
    let mut texts = vec![words.expect_quoted()?];
    while let Some(text) = words.quoted() {
        texts.push(text);
    }
    if words.eat("times") {
        let times = words.expect_number()?.min(5_000) as usize;
        texts = vec![texts.concat().repeat(times)];
    }
    Ok(texts)
}

fn sending(words: &mut Words<'_>) -> Result<SendPlan, String> {
    if words.eat("fails for good") {
        return Ok(SendPlan::failed(Span::ZERO, false));
    }
    if words.eat("fails") {
        return Ok(SendPlan::failed(Span::ZERO, true));
    }
    if words.eat("takes") {
        return Ok(SendPlan::prompt(words.expect_span()?));
    }
    if words.eat("lands at once and is confirmed after") {
        let reported = words.expect_span()?;
        let echoed = words.eat("but echoed at once").then_some(Span::ZERO);
        return Ok(SendPlan {
            reported,
            echoed,
            ..SendPlan::prompt(Span::ZERO)
        });
    }
    if words.eat("lands at once and is reported failed") {
        return Ok(SendPlan {
            report: SendReport::Failed { retryable: true },
            ..SendPlan::prompt(Span::ZERO)
        });
    }
    if words.eat("lands at once and is never confirmed") {
        return Ok(SendPlan {
            report: SendReport::Nothing,
            ..SendPlan::prompt(Span::ZERO)
        });
    }
    Err("expected `sending fails`, `sending fails for good`, `sending takes 3s`, `sending lands at once and is confirmed after 3s [but echoed at once]`, `sending lands at once and is reported failed` or `sending lands at once and is never confirmed`".to_owned())
}

fn recall(words: &mut Words<'_>) -> Result<Option<(Span, Recollection)>, String> {
    if words.eat("never answers") {
        return Ok(None);
    }
    if words.eat("takes") {
        return Ok(Some((words.expect_span()?, Recollection::default())));
    }
    if words.eat("fails") {
        let failure = Some("the store is locked".to_owned());
        let messages = Vec::new();
        return Ok(Some((
            Span::ZERO,
            Recollection {
                messages,
                failure,
                ..Recollection::default()
            },
        )));
    }
    if words.eat("knows") {
        return Ok(Some((Span::ZERO, gems::knows(words)?)));
    }
    if words.eat("finds") {
        let texts = texts(words)?;
        let name = if words.eat("by") {
            words.take().unwrap_or_default()
        } else {
            "bob"
        };
        let messages = texts.into_iter().enumerate().map(|(number, text)| Message {
            id: format!("old-{}", number + 1).as_str().into(),
            room: RoomId::from(""),
            author: Author {
                id: name.into(),
                name: name.to_owned(),
                kind: AuthorKind::Person,
            },
            text,
            // Two days before the scenario.
            at: vocabulary::WallTime(WALL_START.0 - 2 * 86_400_000),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: false,
            sign: false,
        });
        let messages = messages.collect();
        return Ok(Some((
            Span::ZERO,
            Recollection {
                messages,
                failure: None,
                ..Recollection::default()
            },
        )));
    }
    Err("expected `recall finds \"words\" by bob`, `recall knows \"words\" about bob`, `recall takes 5s`, `recall fails` or `recall never answers`".to_owned())
}

fn tool(words: &mut Words<'_>) -> Result<Option<(Span, String, bool)>, String> {
    if words.eat("never answers") {
        return Ok(None);
    }
    if words.eat("finds") {
        let after = match words.eat("after") {
            true => words.expect_span()?,
            false => Span::ZERO,
        };
        return Ok(Some((after, words.expect_quoted()?, false)));
    }
    if words.eat("fails") {
        return Ok(Some((Span::ZERO, "the store is locked".to_owned(), true)));
    }
    Err("expected `tool finds [after 5s] \"words\"`, `tool fails` or `tool never answers`".to_owned())
}
