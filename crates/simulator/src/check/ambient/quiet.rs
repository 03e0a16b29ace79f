//! Nothing is asked or posted of its own accord while somebody talks with Denizen, while it is switched off, or where it
//! may not post.

use std::collections::BTreeSet;

use mind::{Effect, RoomWish};
use vocabulary::{AskPurpose, TurnId};

use super::super::Report;
use super::replay::{Replay, pool};
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, replay: &Replay, report: &mut Report) {
    let mut sent: BTreeSet<TurnId> = BTreeSet::new();
    for (step, after) in trace.steps.iter().zip(&replay.after) {
        let (at, settings) = (step.now.moment, &step.settings);
        let pool = pool(settings);
        for effect in &step.effects {
            let (turn, room, deed) = match effect {
                Effect::Ask(asking) if asking.request.purpose == AskPurpose::AmbientThought => {
                    (asking.turn, None, "asks")
                }
                Effect::Room(_, RoomWish::Send(delivery))
                    if replay.runs.contains_key(&delivery.turn) && sent.insert(delivery.turn) =>
                {
                    (delivery.turn, Some(&delivery.room), "posts")
                }
                _ => continue,
            };
            if replay.runs.get(&turn).is_some_and(|run| run.trial) {
                continue;
            }
            if after.active {
                let what = format!("thought {turn} {deed} while somebody talks with it");
                report.add("quiet_in_an_exchange", at, what);
            }
            if !settings.initiative.enabled || pool.is_empty() {
                let what = format!("thought {turn} {deed} although it is switched off or has no channel");
                report.add("quiet_when_off", at, what);
            }
            if room.is_some_and(|room| !pool.contains(room)) {
                let what = format!("thought {turn} {deed} in {room:?}, and the pool is {pool:?}");
                report.add("posts_in_the_pool", at, what);
            }
        }
    }
}
