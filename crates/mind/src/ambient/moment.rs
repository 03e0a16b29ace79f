//! A thought takes a while, and the world goes on: somebody begins to talk with Denizen, or the operator changes their
//! mind. Before each question and before a post it is seen whether the moment has passed.

use vocabulary::{Moment, RoomId};

use super::posts::Posts;
use super::run::Run;
use super::thought::HELD_AT_MOST;
use super::{RoomsInView, pool};
use crate::reasons::{CommentaryGate, PassedMoment};
use crate::step_context::StepContext;

/// Why no (further) question is to be asked; a trial asks whatever happens.
pub(super) fn passed_for_asking(
    run: &Run,
    rooms: RoomsInView<'_>,
    step: &StepContext<'_>,
) -> Option<PassedMoment> {
    let talks = waits_for_quiet(run, rooms, step);
    switched_off(run, step).or(talks.then_some(PassedMoment::SomebodyTalks))
}

/// Why it is not to be posted there any more.
pub(super) fn passed_for_posting(
    run: &Run,
    room: &RoomId,
    posts: &Posts,
    rooms: RoomsInView<'_>,
    step: &StepContext<'_>,
) -> Option<PassedMoment> {
    let (settings, now): (_, Moment) = (step.settings, step.moment());
    let against = match () {
        () if run.trial => None,
        () if !pool::eligible(settings).contains(room) => Some(PassedMoment::ChannelShut),
        () if rooms.room(room).is_none() => Some(PassedMoment::ChannelShut),
        () if posts.meter(0, now).used >= settings.initiative.max_posts_per_day => {
            Some(PassedMoment::DailyCap)
        }
        () if now.since(run.started) >= HELD_AT_MOST => Some(PassedMoment::TooOld),
        () => None,
    };
    switched_off(run, step).or(against)
}

/// Why a post has to wait; a trial waits for nothing.
pub(super) fn has_to_wait(
    run: &Run,
    room: &RoomId,
    rooms: RoomsInView<'_>,
    step: &StepContext<'_>,
) -> Option<&'static str> {
    if run.trial {
        return None;
    }
    if waits_for_quiet(run, rooms, step) {
        return Some("somebody began to talk with it while it thought");
    }
    rooms.in_the_way(room).map(|shut| match shut.gate {
        CommentaryGate::QuietWindow => "somebody was writing when it was to be posted",
        CommentaryGate::QueuedWork => "somebody waited for a reply when it was to be posted",
        CommentaryGate::Playback => "a message of its own was on its way when it was to be posted",
        CommentaryGate::Spacing => "it had just written when it was to be posted",
        CommentaryGate::HourlyCap => "it had written enough for an hour when it was to be posted",
        CommentaryGate::ChannelNotAllowed | CommentaryGate::CommentaryOff | CommentaryGate::CallCap => {
            "it could not be posted there then"
        }
    })
}

/// Whether a post has to wait because somebody talks with it.
pub(super) fn waits_for_quiet(run: &Run, rooms: RoomsInView<'_>, step: &StepContext<'_>) -> bool {
    rooms.exchange(step.moment(), step.settings).is_some() && !run.trial
}

/// Why nothing at all is to come of a thought any more.
pub(super) fn switched_off(run: &Run, step: &StepContext<'_>) -> Option<PassedMoment> {
    match () {
        () if run.trial => None,
        () if !step.settings.initiative.enabled => Some(PassedMoment::SwitchedOff),
        () if pool::eligible(step.settings).is_empty() => Some(PassedMoment::NoChannels),
        () => None,
    }
}
