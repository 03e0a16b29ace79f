//! Promises to forget: what somebody wants forgotten and nobody has said to be done. They outlive the process, and the
//! room they were made in.

use serde::{Deserialize, Serialize};
use vocabulary::{Forget, RoomId};

use crate::effect::Effect;
use crate::input::Forgotten;
use crate::step_context::StepContext;

/// Promises that are kept in mind at once.
const PROMISES_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Promises {
    open: Vec<Promise>,
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

    /// The process is back, and may have ended in the middle of it. To forget twice does no harm.
    pub fn restarted(&self, step: &mut StepContext<'_>) {
        for promise in &self.open {
            promise.ask_for_it(step);
        }
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
