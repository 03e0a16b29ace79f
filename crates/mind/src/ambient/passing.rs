//! A thought takes a while, and the world goes on: somebody begins to talk with Denizen, or the operator changes their
//! mind. Before each question and before a post it is seen whether the moment has passed.

use vocabulary::RoomId;

use super::run::{Draft, Run};
use super::thought::{HELD_AT_MOST, Refined};
use super::{Ambient, Around, pool};
use crate::step_context::StepContext;

impl Ambient {
    /// Why no (further) question is to be asked; a trial asks whatever happens.
    pub(super) fn no_moment_to_ask(
        &self,
        run: &Run,
        around: Around<'_>,
        step: &StepContext<'_>,
    ) -> Option<&'static str> {
        let talks = self.waits_for_quiet(run, around, step);
        self.switched_off(run, step)
            .or(talks.then_some("somebody began to talk with it"))
    }

    /// Why it is not to be posted there any more.
    pub(super) fn no_moment_to_post(
        &self,
        run: &Run,
        room: &RoomId,
        step: &StepContext<'_>,
    ) -> Option<&'static str> {
        let (settings, now) = (step.settings, step.moment());
        let against = match () {
            () if run.trial => None,
            () if !pool::eligible(settings).contains(room) => {
                Some("its channel may not be posted to any more")
            }
            () if self.posts.meter(0, now).used >= settings.initiative.max_posts_per_day => {
                Some("no more posts are allowed in 24 hours")
            }
            () if now.since(run.started) >= HELD_AT_MOST => Some("it is too old by now"),
            () => None,
        };
        self.switched_off(run, step).or(against)
    }

    /// Whether a post has to wait because somebody talks with it.
    pub(super) fn waits_for_quiet(&self, run: &Run, around: Around<'_>, step: &StepContext<'_>) -> bool {
        let active = around.attention.active(step.moment(), &step.settings.attention);
        active.is_some() && !run.trial
    }

    /// Holds what was to be posted.
    pub(super) fn hold_draft(&mut self, run: Run, draft: Draft, step: &mut StepContext<'_>) {
        let Some(revision) = run.decision.clone() else {
            return;
        };
        let refined = Refined {
            text: revision.text.clone(),
            room: draft.room,
            media: draft.media,
            reason: "somebody began to talk with it while it thought".to_owned(),
            revision,
        };
        self.hold(run, refined, step);
    }

    /// Why nothing at all is to come of a thought any more.
    pub(super) fn switched_off(&self, run: &Run, step: &StepContext<'_>) -> Option<&'static str> {
        match () {
            () if run.trial => None,
            () if !step.settings.initiative.enabled => Some("thoughts of its own were switched off"),
            () if pool::eligible(step.settings).is_empty() => Some("no channel may be posted to any more"),
            () => None,
        }
    }
}
