//! Models that think, feeds and makers of pictures: mostly well, sometimes failing, late, double, mute or lying.

use mind::{Asking, Gather};
use serde_json::json;
use vocabulary::{
    AskFailureKind, AskOutcome, ContentPart, FeedHarvest, Finish, MediaOrder, MediaOutcome, Span, ToolCall,
};

use super::{FAILURES, FaultyDirector};
use crate::ambient::{calls, made, odd_thought, surroundings, thought, usage};
use crate::answers::{answered, failed, odd};
use crate::director::AskPlan;

impl FaultyDirector {
    /// Whom a message is for, as a small model says.
    pub(super) fn classifier(&mut self) -> String {
        if self.fault("classifier_garbage", 8) {
            return odd(&mut self.chance);
        }
        // Odd fractions on purpose: they must survive being written down.
        let confidence = self.chance.below(1_000_003) as f64 / 1_000_003.0;
        json!({"addressed": self.chance.percent(60), "confidence": confidence}).to_string()
    }

    /// A model that is asked what it is thinking.
    pub(super) fn think(&mut self, asking: &Asking) -> AskPlan {
        let mut took = self.seconds(1, 6);
        if self.fault("thought_slow", 8) {
            took = self.seconds(15, 70);
        }
        let offered = !asking.request.tools.is_empty();
        // Some do not stop looking things up, whatever they are told.
        let for_ever = self.fault("thought_calls_for_ever", 6);
        let looks = for_ever || (self.chance.percent(30) && offered);
        // Some cannot let go of a thought, and hold it until it is over.
        let is_fresh = !words_of(asking).contains("Your current thought:");
        if is_fresh {
            self.clings = self.chance.percent(12);
        }
        let text = if self.clings && !is_fresh {
            thought(true, &mut self.chance)
        } else if self.fault("thought_odd", 15) {
            odd_thought(&mut self.chance)
        } else {
            thought(false, &mut self.chance)
        };
        let (text, calls) = match looks {
            true => (String::new(), calls(&mut self.chance)),
            false => (text, Vec::new()),
        };
        let lies = self.fault("thought_lies_about_usage", 2);
        let usage = usage(words_of(asking).chars().count(), lies, &mut self.chance);
        let mut outcome = answered(text, calls, Finish::Complete, took);
        if let AskOutcome::Answered(answer) = &mut outcome {
            answer.usage = usage;
        }
        let mut plan = AskPlan {
            ends: vec![(took, outcome)],
            pieces: Vec::new(),
            ignores_cancel: self.chance.percent(30),
        };
        if self.clings && !is_fresh {
            return plan;
        }
        if self.fault("thought_failed", 10) {
            let kind = match self.chance.percent(20) {
                true => AskFailureKind::Unavailable,
                false => *self.chance.pick(FAILURES),
            };
            plan.ends = vec![(took, failed(kind, None))];
        } else if self.fault("thought_never", 4) {
            plan.ends.clear();
        } else if self.fault("thought_late", 4) {
            plan.ends[0].0 = Span(asking.request.deadline.0 + self.seconds(6, 90).0);
            plan.ignores_cancel = true;
        } else if self.fault("thought_twice", 6) {
            let again = plan.ends[0].clone();
            let wait = self.seconds(0, 90);
            plan.ends.push((Span(again.0.0 + wait.0), again.1));
            plan.ignores_cancel = true;
        }
        plan
    }

    pub(super) fn look_around(&mut self, gather: &Gather) -> Vec<(Span, FeedHarvest)> {
        let after = self.seconds(0, 6);
        let failing = if self.is_stormy { 15 } else { 0 };
        let found = surroundings(&gather.wish, failing, &mut self.chance);
        if self.fault("feed_nothing", 10) {
            return vec![(after, FeedHarvest::default())];
        }
        if self.fault("feed_never", 5) {
            return Vec::new();
        }
        if self.fault("feed_late", 6) {
            return vec![(self.seconds(13, 200), found)];
        }
        if self.fault("feed_twice", 5) {
            let again = (Span(after.0 + self.seconds(0, 9).0), found.clone());
            return vec![(after, found), again];
        }
        vec![(after, found)]
    }

    /// A picture is wanted for a reply, where one can be had; now and then without words, or under an id that is taken.
    pub(super) fn picture_call(&mut self, asking: &Asking) -> Option<ToolCall> {
        let tools = asking.request.tools.iter().map(|tool| tool.name.as_str());
        let pictures: Vec<&str> = tools
            .filter(|tool| ["make_picture", "find_gif"].contains(tool))
            .collect();
        if pictures.is_empty() || self.chance.percent(40) {
            return None;
        }
        let words = if self.chance.percent(10) {
            " "
        } else {
            "a cat on a bicycle"
        };
        Some(ToolCall {
            id: if self.chance.percent(10) {
                "call-0"
            } else {
                "call-picture"
            }
            .to_owned(),
            name: (*self.chance.pick(&pictures)).to_owned(),
            arguments: json!({"prompt": words, "query": words}),
        })
    }

    pub(super) fn make_media(&mut self, order: &MediaOrder) -> Vec<(Span, MediaOutcome)> {
        let after = self.seconds(1, 40);
        let outcome = made(order, &mut self.chance);
        let failure = |refused| MediaOutcome::Failed {
            detail: "as simulated".to_owned(),
            refused,
        };
        if self.fault("media_failed", 15) {
            return vec![(after, failure(false))];
        }
        if self.fault("media_refused", 10) {
            return vec![(after, failure(true))];
        }
        if self.fault("media_never", 6) {
            return Vec::new();
        }
        if self.fault("media_late", 8) {
            return vec![(Span(order.deadline.0 + self.seconds(6, 90).0), outcome)];
        }
        if self.fault("media_twice", 6) {
            let again = (Span(after.0 + self.seconds(0, 30).0), outcome.clone());
            return vec![(after, outcome), again];
        }
        vec![(after, outcome)]
    }
}

/// What the model has to read.
fn words_of(asking: &Asking) -> String {
    let mut words = asking.request.system.clone();
    for part in asking.request.turns.iter().flat_map(|turn| &turn.parts) {
        match part {
            ContentPart::Text(text) => words.push_str(text),
            ContentPart::ToolResult(result) => words.push_str(&result.text),
            _ => {}
        }
    }
    words
}
