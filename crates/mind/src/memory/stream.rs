//! One conversation as memory sees it: the turns of which no gems were made yet.

use serde::{Deserialize, Serialize};
use settings::MemorySettings;
use vocabulary::{CapturedTurn, CommunityId, Moment, Place, RoomId, Span, TurnKey, TurnKind};

use crate::journal::Scope;

use super::triggers::{
    ContextUse, ExtractionDecision, ExtractionQuestion, ExtractionSkip, SessionEnding, TALK_PAUSE, decide,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stream {
    pub place: Place,
    /// Oldest first.
    pub pending: Vec<CapturedTurn>,
    pub last_turn_at: Moment,
    pub context: Option<ContextUse>,
    /// The use of context has led to a run; it leads to the next one after it has fallen below the threshold.
    pub context_heeded: bool,
    pub ended: Option<SessionEnding>,
    /// Something happened to it since the last look; looks without an occasion are not worth a line.
    pub news: bool,
    /// Why no gems were made at the last look, and how often that was said again.
    pub skipped: Option<(ExtractionSkip, u64)>,
}

impl Stream {
    pub fn new(place: Place, now: Moment) -> Self {
        Self {
            place,
            pending: Vec::new(),
            last_turn_at: now,
            context: None,
            context_heeded: false,
            ended: None,
            news: false,
            skipped: None,
        }
    }

    pub fn is_of(&self, community: &CommunityId, room: &RoomId) -> bool {
        self.place.community == *community && self.place.room == *room
    }

    /// Takes a turn in, once.
    pub fn take_in(&mut self, turn: CapturedTurn, now: Moment) -> bool {
        if self.pending.iter().any(|known| known.id == turn.id) {
            return false;
        }
        self.last_turn_at = now;
        self.news = true;
        self.pending.push(turn);
        true
    }

    pub fn context_used(&mut self, context: ContextUse, threshold: f64) {
        if context.share() < threshold {
            self.context_heeded = false;
        }
        self.context = Some(context);
    }

    pub fn decide(
        &self,
        now: Moment,
        in_flight: bool,
        resting: bool,
        settings: &MemorySettings,
    ) -> ExtractionDecision {
        decide(&ExtractionQuestion {
            enabled: settings.enabled,
            pending: self.pending.len(),
            spoken: self.is_talk(),
            since_last_turn: now.since(self.last_turn_at),
            context: self.context.filter(|_| !self.context_heeded),
            ended: self.ended,
            in_flight,
            resting,
            batch_size: settings.batch_size as usize,
            idle_timeout: idle_timeout(settings),
            context_threshold: settings.context_threshold,
        })
    }

    /// Whether the newest turns were said aloud; what was seen meanwhile is no interruption.
    fn is_talk(&self) -> bool {
        let mut said = self.pending.iter().rev();
        let newest = said.find(|turn| turn.kind != TurnKind::ScreenNote);
        newest.is_some_and(|turn| turn.kind == TurnKind::Spoken)
    }

    /// When it counts as idle, or its talk as having paused; none where nothing waits.
    pub fn idle_at(&self, settings: &MemorySettings) -> Option<Moment> {
        let is_batch = self.pending.len() >= settings.batch_size as usize;
        let after = match is_batch && self.is_talk() {
            true => TALK_PAUSE.min(idle_timeout(settings)),
            false => idle_timeout(settings),
        };
        (settings.enabled && !self.pending.is_empty()).then(|| self.last_turn_at + after)
    }

    pub fn forget(&mut self, turns: &[TurnKey]) {
        self.pending.retain(|turn| !turns.contains(&turn.id));
    }

    /// What lines about it are about.
    pub fn scope(&self) -> Scope {
        Scope::room(&self.place.room)
    }

    /// Whether nothing more will come of it.
    pub fn is_spent(&self) -> bool {
        self.pending.is_empty()
    }
}

fn idle_timeout(settings: &MemorySettings) -> Span {
    Span::minutes(settings.idle_timeout_minutes)
}
