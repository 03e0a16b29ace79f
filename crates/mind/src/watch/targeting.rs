//! Whose screen is watched: one at most, and nobody's is guessed when several share.

use std::collections::BTreeMap;

use vocabulary::{RoomId, Share, ShareEnd, ShareId};

use super::attention::Attention;
use super::recap::Recap;
use super::state::{Commentary, SHARES_MAX, Sharing, Watch, Watched};
use super::tally::NewMark;
use super::view::MarkKind;
use crate::effect::{Effect, RoomWish};
use crate::journal::{JournalEvent, Scope};
use crate::reasons::{CancelReason, UnwatchCause, WatchCause};
use crate::step_context::StepContext;

impl Watch {
    pub fn share_started(&mut self, share: Share, step: &mut StepContext<'_>) {
        if self.shares.iter().any(|known| known.share.share == share.share) || self.shares.len() >= SHARES_MAX
        {
            return;
        }
        let room = share.room.clone();
        let event = JournalEvent::ShareStarted {
            share: share.share.clone(),
            person: share.person.clone(),
            shared_by: share.name.clone(),
            source: share.source,
            shares: self.shares.len() + 1,
        };
        step.ledger.write(Scope::room(&room), event);
        self.shares.push(Sharing {
            share,
            since: step.now(),
            frames: 0,
        });
        self.settle(&room, step);
    }

    pub fn share_ended(&mut self, room: &RoomId, id: &ShareId, reason: ShareEnd, step: &mut StepContext<'_>) {
        let Some(place) = self.shares.iter().position(|known| known.share.share == *id) else {
            return;
        };
        if self.watched.as_ref().is_some_and(|watched| watched.share == *id) {
            let cause = if reason == ShareEnd::Restarted {
                UnwatchCause::Restarted
            } else {
                UnwatchCause::ShareEnded
            };
            self.unwatch(room, cause, step);
        }
        let ended = self.shares.remove(place);
        let event = JournalEvent::ShareEnded {
            share: id.clone(),
            reason,
            lasted: step.moment().since(ended.since.moment),
            frames: ended.frames,
        };
        step.ledger.write(Scope::room(room), event);
        if self.shares.is_empty() {
            self.nobody = false;
        }
        self.settle(room, step);
    }

    /// Somebody chose whose screen is watched.
    pub fn chosen(&mut self, room: &RoomId, id: Option<&ShareId>, step: &mut StepContext<'_>) {
        let known = |id: &&ShareId| self.shares.iter().any(|known| known.share.share == **id);
        let id = match id {
            Some(id) => match Some(id).filter(known) {
                Some(id) => Some(id.clone()),
                // It has ended meanwhile.
                None => return,
            },
            None => None,
        };
        if self.watched.as_ref().map(|watched| &watched.share) == id.as_ref() && self.nobody == id.is_none() {
            return;
        }
        self.nobody = id.is_none();
        if self.watched.as_ref().map(|watched| &watched.share) != id.as_ref() {
            self.unwatch(room, UnwatchCause::Retargeted, step);
        }
        if let Some(id) = id.filter(|_| step.settings.stream_watch.enabled) {
            self.watch(room, &id, WatchCause::Chosen, step);
        }
    }

    /// The process is back; a link does not outlive it.
    pub fn restarted(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        // What was asked and said is lost with the process that asked and said it.
        self.run = None;
        self.commentary.run = None;
        self.commentary.speaking = None;
        let shares: Vec<ShareId> = self
            .shares
            .iter()
            .map(|known| known.share.share.clone())
            .collect();
        self.nobody = true;
        for share in shares {
            self.share_ended(room, &share, ShareEnd::Restarted, step);
        }
        self.nobody = false;
    }

    /// Brings what is watched in line with who shares and with the settings.
    pub(super) fn settle(&mut self, room: &RoomId, step: &mut StepContext<'_>) {
        if !step.settings.stream_watch.enabled {
            self.left_open = 0;
            return self.unwatch(room, UnwatchCause::SwitchedOff, step);
        }
        let mut left_open = 0;
        match self.shares.as_slice() {
            _ if self.watched.is_some() || self.nobody => {}
            [] => {}
            [only] => {
                let id = only.share.share.clone();
                self.watch(room, &id, WatchCause::OnlyOne, step);
            }
            shares => {
                left_open = shares.len();
                if left_open != self.left_open {
                    let event = JournalEvent::WatchTargetUnclear { shares: left_open };
                    step.ledger.write(Scope::room(room), event);
                }
            }
        }
        self.left_open = left_open;
    }

    fn watch(&mut self, room: &RoomId, id: &ShareId, because: WatchCause, step: &mut StepContext<'_>) {
        if self.watched.is_some() {
            return;
        }
        let Some(sharing) = self.shares.iter().find(|known| known.share.share == *id) else {
            return;
        };
        let shared_by = sharing.share.name.clone();
        self.generation += 1;
        let event = JournalEvent::WatchStarted {
            share: id.clone(),
            shared_by: shared_by.clone(),
            generation: self.generation,
            because,
        };
        step.ledger.write(Scope::room(room), event);
        step.ledger.want(Effect::Room(
            room.clone(),
            RoomWish::WatchScreen { share: id.clone() },
        ));
        self.mark(step, MarkKind::WatchStarted, None, &shared_by);
        self.watched = Some(Watched {
            share: id.clone(),
            shared_by,
            since: step.moment(),
            attention: Attention::default(),
            newest: None,
            described: None,
            held: BTreeMap::new(),
            recap: Recap::default(),
        });
        // A new screen is seen for the first time; how long ago something was last said still counts.
        self.commentary = Commentary {
            last_considered: self.commentary.last_considered,
            failures: self.commentary.failures,
            speaking: self.commentary.speaking.take(),
            ..Commentary::default()
        };
    }

    /// Stops watching: what is under way belongs to the watch that ends, and its recap is offered to memory.
    fn unwatch(&mut self, room: &RoomId, because: UnwatchCause, step: &mut StepContext<'_>) {
        let Some(watched) = self.watched.take() else {
            return;
        };
        self.give_up(room, CancelReason::Unwatched, step);
        let lasted = step.moment().since(watched.since);
        let recap = watched.recap.text(&watched.shared_by, lasted);
        let event = JournalEvent::WatchEnded {
            share: watched.share,
            generation: self.generation,
            because,
            lasted,
            notes: watched.recap.notes,
            recap_characters: recap.as_ref().map_or(0, |text| text.chars().count()),
        };
        step.ledger.write(Scope::room(room), event);
        step.ledger
            .want(Effect::Room(room.clone(), RoomWish::UnwatchScreen));
        self.mark(step, MarkKind::WatchEnded, None, &watched.shared_by);
        if let Some(text) = recap {
            step.ledger.want(Effect::OfferToMemory {
                room: room.clone(),
                text,
                seen_with: Some(watched.shared_by),
            });
        }
    }

    /// Nobody waits for what was asked any more.
    pub(super) fn give_up(&mut self, room: &RoomId, why: CancelReason, step: &mut StepContext<'_>) {
        let note = self.run.take().map(|run| run.ask);
        let comment = self.commentary.run.take().map(|run| run.ask);
        for ask in note.into_iter().chain(comment) {
            step.ledger.want(Effect::CancelAsk { ask });
            let event = JournalEvent::AskCancelled { ask, why };
            step.ledger.write(Scope::room(room), event);
        }
        self.commentary.waiting = None;
    }

    pub(super) fn mark(
        &mut self,
        step: &StepContext<'_>,
        kind: MarkKind,
        frame: Option<vocabulary::FrameId>,
        text: &str,
    ) {
        let mark = NewMark {
            kind,
            frame,
            trigger: None,
            text,
        };
        self.marks.add(step.now(), mark);
    }
}
