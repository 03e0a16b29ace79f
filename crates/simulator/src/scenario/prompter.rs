//! Models, rooms and stores that do as the script says, in order; and the usual thing where it says nothing.

use std::collections::VecDeque;

use mind::{Asking, Delivery, Gathering, RecallQuery, Recollection, ToolRun};
use serde_json::json;
use vocabulary::{
    AskFailureKind, AskPurpose, Author, AuthorKind, Finish, Message, OutputShape, RoomId, Span, ToolCall,
};

use super::gems;
use super::words::Words;
use crate::answers::{answered, failed};
use crate::director::{AskPlan, Director, SendPlan, SendReport, StorePlan};
use crate::platform::Platform;
use crate::summaries;
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
    Tool(Option<(Span, String, bool)>),
}

/// What a model does.
#[derive(Clone, Debug)]
pub enum Act {
    Answers(String),
    Skips(String),
    /// Just these pieces, whatever was asked for.
    Writes(Vec<String>),
    Declines,
    Fails(AskFailureKind, Option<Span>),
    Never,
    Calls(Vec<(String, String)>),
}

/// The director of a scenario.
#[derive(Debug, Default)]
pub struct Prompter {
    model: VecDeque<(Span, Act)>,
    always: Option<(Span, Act)>,
    classifier: VecDeque<(Span, Act)>,
    summariser: VecDeque<(Span, Act)>,
    summariser_always: Option<(Span, Act)>,
    extractor: VecDeque<(Span, Act)>,
    extractor_always: Option<(Span, Act)>,
    note_taker: VecDeque<(Span, Act)>,
    note_taker_always: Option<(Span, Act)>,
    /// Notes that were taken where the script says nothing.
    views: usize,
    commentator: VecDeque<(Span, Act)>,
    commentator_always: Option<(Span, Act)>,
    storing: VecDeque<StorePlan>,
    sending: VecDeque<SendPlan>,
    recall: VecDeque<Option<(Span, Recollection)>>,
    tool: VecDeque<Option<(Span, String, bool)>>,
}

impl Director for Prompter {
    type Cue = Cue;

    fn cue(&mut self, cue: Cue) {
        match cue {
            Cue::Model(after, act) => self.model.push_back((after, act)),
            Cue::ModelAlways(after, act) => self.always = Some((after, act)),
            Cue::Classifier(after, act) => self.classifier.push_back((after, act)),
            Cue::Summariser(after, act) => self.summariser.push_back((after, act)),
            Cue::SummariserAlways(after, act) => self.summariser_always = Some((after, act)),
            Cue::Extractor(after, act) => self.extractor.push_back((after, act)),
            Cue::ExtractorAlways(after, act) => self.extractor_always = Some((after, act)),
            Cue::NoteTaker(after, act) => self.note_taker.push_back((after, act)),
            Cue::NoteTakerAlways(after, act) => self.note_taker_always = Some((after, act)),
            Cue::Commentator(after, act) => self.commentator.push_back((after, act)),
            Cue::CommentatorAlways(after, act) => self.commentator_always = Some((after, act)),
            Cue::Storing(plan) => self.storing.push_back(plan),
            Cue::Sending(plan) => self.sending.push_back(plan),
            Cue::Recall(found) => self.recall.push_back(found),
            Cue::Tool(found) => self.tool.push_back(found),
        }
    }

    fn ask(&mut self, asking: &Asking) -> AskPlan {
        let (after, act) = match asking.request.purpose {
            AskPurpose::AddressClassifier => {
                let no = Act::Writes(vec![json!({"addressed": false, "confidence": 0.1}).to_string()]);
                self.classifier.pop_front().unwrap_or((USUAL, no))
            }
            AskPurpose::ContextCompaction => {
                let said = self.summariser.pop_front();
                let said = said.or_else(|| self.summariser_always.clone());
                said.unwrap_or_else(|| (USUAL, Act::Answers(summaries::sound(asking))))
            }
            AskPurpose::GemExtraction => {
                let said = self
                    .extractor
                    .pop_front()
                    .or_else(|| self.extractor_always.clone());
                said.unwrap_or_else(|| (USUAL, Act::Writes(vec![gems::none()])))
            }
            AskPurpose::ScreenNote => {
                let said = self.note_taker.pop_front();
                let said = said.or_else(|| self.note_taker_always.clone());
                said.unwrap_or_else(|| {
                    self.views += 1;
                    (USUAL, Act::Answers(format!("view {}", self.views)))
                })
            }
            AskPurpose::ScreenCommentary => {
                let said = self.commentator.pop_front();
                let said = said.or_else(|| self.commentator_always.clone());
                said.unwrap_or((USUAL, Act::Skips(String::new())))
            }
            AskPurpose::TextReply | AskPurpose::TextReplyFollowup => {
                let said = self.model.pop_front().or_else(|| self.always.clone());
                said.unwrap_or((USUAL, Act::Answers("Okay.".to_owned())))
            }
        };
        play(after, act, asking)
    }

    fn send(&mut self, _: &Delivery) -> SendPlan {
        self.sending.pop_front().unwrap_or(SendPlan::prompt(Span::ZERO))
    }

    fn recall(&mut self, query: &RecallQuery, _: &Platform) -> Option<(Span, Recollection)> {
        let nothing = Some((Span::ZERO, Recollection::default()));
        // What is known before gems are made is not what the script speaks of.
        if query.gems_only {
            return nothing;
        }
        let (after, mut found) = self.recall.pop_front().unwrap_or(nothing)?;
        for message in &mut found.messages {
            message.room = query.room.clone();
        }
        Some((after, found))
    }

    fn store(&mut self, _: &Gathering) -> StorePlan {
        self.storing.pop_front().unwrap_or(StorePlan::prompt())
    }

    fn tool(&mut self, _: &ToolRun) -> Option<(Span, String, bool)> {
        let nothing = Some((Span::ZERO, "nothing was found".to_owned(), false));
        self.tool.pop_front().unwrap_or(nothing)
    }
}

fn play(after: Span, act: Act, asking: &Asking) -> AskPlan {
    let typed = matches!(asking.request.output, OutputShape::Json { .. });
    let envelope = |action: &str, text: &str, reason: &str| match asking.request.purpose {
        AskPurpose::ScreenNote => {
            json!({"note": text, "why": reason, "nothing_new": action == "skip"}).to_string()
        }
        AskPurpose::ScreenCommentary => {
            let action = if action == "reply" { "say" } else { action };
            json!({"action": action, "text": text, "reason": reason, "notes": []}).to_string()
        }
        _ => json!({"action": action, "text": text, "reason": reason}).to_string(),
    };
    let whole = |text: String, calls, finish| AskPlan {
        ends: vec![(after, answered(text, calls, finish, after))],
        ..AskPlan::default()
    };
    match act {
        Act::Answers(text) if typed => whole(envelope("reply", &text, ""), Vec::new(), Finish::Complete),
        Act::Answers(text) => whole(text, Vec::new(), Finish::Complete),
        Act::Skips(why) if typed => whole(envelope("skip", "", &why), Vec::new(), Finish::Complete),
        Act::Skips(_) => whole("[SKIP]".to_owned(), Vec::new(), Finish::Complete),
        Act::Declines => whole(String::new(), Vec::new(), Finish::Refused),
        Act::Writes(pieces) => {
            let count = pieces.len() as u64 + 1;
            let mut plan = whole(pieces.concat(), Vec::new(), Finish::Complete);
            let timed = pieces.into_iter().enumerate();
            plan.pieces = timed
                .map(|(index, piece)| (Span(after.0 * (index as u64 + 1) / count), piece))
                .collect();
            plan
        }
        Act::Fails(kind, retry_after) => AskPlan {
            ends: vec![(after, failed(kind, retry_after))],
            ..AskPlan::default()
        },
        Act::Never => AskPlan::default(),
        Act::Calls(calls) => {
            let calls = calls
                .into_iter()
                .enumerate()
                .map(|(number, (name, words))| ToolCall {
                    id: format!("call-{}", number + 1),
                    name,
                    arguments: json!({"words": words, "query": words}),
                });
            whole(String::new(), calls.collect(), Finish::ToolCalls)
        }
    }
}

/// Reads a line about models, rooms or stores; none if it is about something else.
pub(super) fn read_cue(words: &mut Words<'_>) -> Result<Option<Cue>, String> {
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
        "answers" => Act::Answers(words.expect_quoted()?),
        "skips" if words.eat("because") => Act::Skips(words.expect_quoted()?),
        "skips" => Act::Skips(String::new()),
        "writes" => Act::Writes(texts(words)?),
        "says" if words.eat("raw") => Act::Writes(texts(words)?),
        "declines" => Act::Declines,
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
        "calls" => {
            let tool = words.take().unwrap_or_default().to_owned();
            let texts = texts(words)?;
            Act::Calls(texts.into_iter().map(|text| (tool.clone(), text)).collect())
        }
        other => {
            return Err(format!(
                "expected answers, skips, writes, says raw, declines, fails with, judges, calls or never answers, found {other:?}"
            ));
        }
    };
    Ok((after, act))
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
        return Ok(Some((Span::ZERO, words.expect_quoted()?, false)));
    }
    if words.eat("fails") {
        return Ok(Some((Span::ZERO, "the store is locked".to_owned(), true)));
    }
    Err("expected `tool finds \"words\"`, `tool fails` or `tool never answers`".to_owned())
}
