//! Models, rooms and stores that do as the script says, in order; and the usual thing where it says nothing.

use std::collections::VecDeque;

use mind::{Asking, Delivery, Gather, Gathering, RecallQuery, Recollection, ToolRun};
use serde_json::json;
use vocabulary::{
    AskOutcome, AskPurpose, FeedHarvest, Finish, MediaOrder, MediaOutcome, OutputShape, Span, ToolCall, Usage,
};

use super::cue::{Act, Cue, USUAL};
use super::gems;
use super::thinker::Thinker;
use super::thinking::arguments;
use crate::answers::{answered, failed};
use crate::director::{AskPlan, Director, SendPlan, StorePlan};
use crate::platform::Platform;
use crate::summaries;

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
    recall_for: Vec<(String, Option<(Span, Recollection)>)>,
    tool: VecDeque<Option<(Span, String, bool)>>,
    thinker: Thinker,
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
            Cue::RecallFor(words, found) => self.recall_for.push((words, found)),
            Cue::Tool(found) => self.tool.push_back(found),
            Cue::Thought(cue) => self.thinker.cue(*cue),
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
            AskPurpose::AmbientThought | AskPurpose::VoiceThought => self.thinker.act(),
            AskPurpose::VoiceReplyDecision => {
                let no = Act::Writes(vec!["NO".to_owned()]);
                self.classifier.pop_front().unwrap_or((USUAL, no))
            }
            AskPurpose::TextReply
            | AskPurpose::TextReplyFollowup
            | AskPurpose::VoiceReply
            | AskPurpose::VoiceReplyFollowup => {
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
        if let Some(found) = self.thinker.recall(query) {
            return Some((Span::ZERO, found));
        }
        // What is known before gems are made is not what the script speaks of.
        if query.gems_only {
            return nothing;
        }
        let fitting = self
            .recall_for
            .iter()
            .find(|(words, _)| query.words.contains(words));
        let (after, mut found) = match fitting {
            Some((_, found)) => found.clone()?,
            None => self.recall.pop_front().unwrap_or(nothing)?,
        };
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

    fn gather(&mut self, gather: &Gather) -> Vec<(Span, FeedHarvest)> {
        self.thinker.gather(gather)
    }

    fn make(&mut self, order: &MediaOrder) -> Vec<(Span, MediaOutcome)> {
        self.thinker.make(order)
    }
}

/// What a model has written when it is cut.
const CUT_TOKENS: u64 = 600;

fn play(after: Span, act: Act, asking: &Asking) -> AskPlan {
    let typed = matches!(asking.request.output, OutputShape::Json { .. });
    let envelope = |action: &str, text: &str, reason: &str, notes: &[String]| match asking.request.purpose {
        AskPurpose::ScreenNote => {
            json!({"note": text, "why": reason, "nothing_new": action == "skip"}).to_string()
        }
        AskPurpose::ScreenCommentary => {
            let action = if action == "reply" { "say" } else { action };
            json!({"action": action, "text": text, "reason": reason, "notes": notes}).to_string()
        }
        _ => json!({"action": action, "text": text, "reason": reason}).to_string(),
    };
    let whole = |text: String, calls, finish| AskPlan {
        ends: vec![(after, answered(text, calls, finish, after))],
        ..AskPlan::default()
    };
    match act {
        Act::Answers(text) if typed => whole(envelope("reply", &text, "", &[]), Vec::new(), Finish::Complete),
        Act::Answers(text) => whole(text, Vec::new(), Finish::Complete),
        Act::Tells { text, why, notes } if typed => {
            let action = if text.is_empty() { "skip" } else { "reply" };
            let text = envelope(action, &text, &why, &notes);
            whole(text, Vec::new(), Finish::Complete)
        }
        Act::Tells { text, notes, .. } => {
            let notes: String = notes.iter().map(|note| format!(" [[NOTE: {note}]]")).collect();
            whole(format!("{text}{notes}"), Vec::new(), Finish::Complete)
        }
        Act::Taking(act, tokens, cost) => {
            let mut plan = play(after, *act, asking);
            for (_, outcome) in &mut plan.ends {
                if let AskOutcome::Answered(answer) = outcome {
                    answer.usage = Usage {
                        input_tokens: tokens,
                        cost_micro_dollars: cost,
                        ..Usage::default()
                    };
                }
            }
            plan
        }
        Act::Anyway(act) => AskPlan {
            ignores_cancel: true,
            ..play(after, *act, asking)
        },
        Act::Skips(why) if typed => whole(envelope("skip", "", &why, &[]), Vec::new(), Finish::Complete),
        Act::Skips(_) => whole("[SKIP]".to_owned(), Vec::new(), Finish::Complete),
        Act::Cut(text, finish) => {
            let mut plan = whole(text, Vec::new(), finish);
            for (_, outcome) in &mut plan.ends {
                if let AskOutcome::Answered(answer) = outcome {
                    answer.usage.output_tokens = CUT_TOKENS;
                    answer.cap = Some(asking.request.max_output_tokens);
                }
            }
            plan
        }
        Act::Declines => whole(String::new(), Vec::new(), Finish::Refused),
        Act::Writes(pieces) => {
            let plan = whole(pieces.concat(), Vec::new(), Finish::Complete);
            streamed(plan, pieces, after)
        }
        Act::Fails(kind, retry_after) => AskPlan {
            ends: vec![(after, failed(kind, retry_after))],
            ..AskPlan::default()
        },
        Act::Never => AskPlan::default(),
        Act::Calls(pieces, calls) => {
            let calls = calls
                .into_iter()
                .enumerate()
                .map(|(number, (name, words))| ToolCall {
                    id: format!("call-{}", number + 1),
                    arguments: arguments(&name, &words),
                    name,
                });
            let plan = whole(pieces.concat(), calls.collect(), Finish::ToolCalls);
            streamed(plan, pieces, after)
        }
    }
}

/// Has the words of an answer come piece by piece, in equal steps of the time it takes.
fn streamed(plan: AskPlan, pieces: Vec<String>, after: Span) -> AskPlan {
    let count = pieces.len() as u64 + 1;
    let timed = pieces.into_iter().enumerate();
    AskPlan {
        pieces: timed
            .map(|(index, piece)| (Span(after.0 * (index as u64 + 1) / count), piece))
            .collect(),
        ..plan
    }
}
