//! Promises to forget: what somebody wants forgotten and nobody has said to be done. They outlive the process, and the
//! room they were made in.

use serde::{Deserialize, Serialize};
use vocabulary::{Forget, Moment, RoomId, Span};

use crate::effect::Effect;
use crate::input::Forgotten;
use crate::step_context::StepContext;

/// How long a process that is back waits for what was promised to be forgotten before it does anything else.
const FORGETTING_FIRST: Span = Span::minutes(1);
/// Promises that are kept in mind at once.
const PROMISES_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Promises {
    open: Vec<Promise>,
}

/// The process is back, and what was promised to be forgotten comes first: until then nothing is taken up again, so that
/// no model is told of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Waking {
    pub down_for: Span,
    /// Whoever forgets may be unable to say so; the community is not silent for ever.
    pub until: Moment,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Promise {
    what: Forget,
    asked_in: RoomId,
}

impl Promise {
    fn ask_for_it(&self, step: &mut StepContext<'_>) {
        step.ledger.want(Effect::Forget {
            what: self.what.clone(),
            asked_in: self.asked_in.clone(),
        });
    }
}

impl Promises {
    /// Asks for it, and keeps in mind that it was asked for.
    pub fn make(&mut self, what: Forget, asked_in: RoomId, step: &mut StepContext<'_>) {
        let promise = Promise { what, asked_in };
        promise.ask_for_it(step);
        if self.open.len() < PROMISES_MAX && !self.open.contains(&promise) {
            self.open.push(promise);
        }
    }

    /// The process is back, and may have ended in the middle of it. To forget twice does no harm. Whether that comes
    /// before everything else.
    pub fn restarted(&self, down_for: Span, step: &mut StepContext<'_>) -> Option<Waking> {
        for promise in &self.open {
            promise.ask_for_it(step);
        }
        let until = step.moment() + FORGETTING_FIRST;
        (!self.open.is_empty()).then_some(Waking { down_for, until })
    }

    /// Whether all of them are kept.
    pub fn are_kept(&self) -> bool {
        self.open.is_empty()
    }

    /// Whoever asked is told how it went. A failure is told as well, and does not say of what: it is the oldest's.
    pub fn ended(&mut self, forgotten: &Forgotten) {
        let Some(room) = &forgotten.asked_in else { return };
        let is_it = |promise: &Promise| {
            promise.asked_in == *room && (forgotten.failure.is_some() || promise.what == forgotten.what)
        };
        if let Some(place) = self.open.iter().position(is_it) {
            self.open.remove(place);
        }
    }
}

#[cfg(test)]
mod promises_tests {
    use super::*;

    fn promise(person: &str, room: &str) -> Promise {
        Promise {
            what: Forget::Person {
                person: person.into(),
                name: person.to_owned(),
                community: None,
            },
            asked_in: room.into(),
        }
    }

    fn told(what: Forget, failure: Option<&str>) -> Forgotten {
        Forgotten {
            what,
            names: Vec::new(),
            texts: Vec::new(),
            turn_ids: Vec::new(),
            gems: 0,
            turns: 0,
            asked_in: Some("lounge".into()),
            failure: failure.map(str::to_owned),
        }
    }

    #[test]
    fn a_failure_ends_one_promise_and_leaves_those_of_others() {
        let (alice, bob, carol) = (
            promise("alice", "lounge"),
            promise("bob", "lounge"),
            promise("carol", "dev"),
        );
        let mut promises = Promises {
            open: vec![carol.clone(), alice, bob.clone()],
        };
        promises.ended(&told(Forget::Turns(Vec::new()), Some("the disk is full")));
        assert_eq!(promises.open, [carol.clone(), bob.clone()]);
        promises.ended(&told(bob.what, None));
        assert_eq!(promises.open, [carol]);
    }
}
