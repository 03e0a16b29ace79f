//! What must have gone on, told from outside: when ticks were due, which runs there were, what was held, and whether
//! somebody was talking with Denizen. Made of inputs, settings and the journal; the mind's own state is not asked.

use std::collections::BTreeMap;

use mind::addressing::AddressReason;
use mind::ambient::gates::AmbientGate;
use mind::ambient::{InitiativeSkip, RunOutcome, TICK};
use mind::{Input, JournalEvent, ShellEvent};
use settings::Settings;
use vocabulary::{Moment, RoomId, Span, TurnId};

use crate::trace::{Stepped, Trace};

pub(super) const DAY: Span = Span::hours(24);

/// A tick, or the receipt for being switched off.
#[derive(Clone, Debug)]
pub(super) struct Tick {
    pub at: Moment,
    /// What the newest receipt says about it.
    pub ran: bool,
    pub revisits: bool,
    pub gate: Option<AmbientGate>,
    pub roll: Option<(u64, u64)>,
    pub before: Standing,
}

/// How things stood just before a tick.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    pub enabled: bool,
    pub channels: usize,
    pub posts: u64,
    pub max_posts: u64,
    pub active: bool,
    pub thinking: bool,
    pub held: Option<Held>,
    pub considered: Option<Moment>,
    pub gap: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub created: Moment,
    pub looked_at: Moment,
    pub looks: u64,
    /// People wrote in the pool since it took its present form.
    pub written: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Run {
    pub turn: TurnId,
    pub trial: bool,
    pub revisits: bool,
    pub started: Moment,
    pub ended: Option<(Moment, RunOutcome)>,
    pub ends: usize,
}

/// How things stood after each step.
#[derive(Clone, Copy, Debug)]
pub(super) struct After {
    pub active: bool,
    pub held: Option<Held>,
    /// The held thought is being looked at.
    pub looking: bool,
}

#[derive(Debug, Default)]
pub(super) struct Replay {
    pub ticks: Vec<Tick>,
    /// Receipts that were due.
    pub due: u64,
    pub runs: BTreeMap<TurnId, Run>,
    pub after: Vec<After>,
    /// Steps that wrote receipts although none was due.
    pub unexpected: Vec<Moment>,
}

/// What a receipt says.
#[derive(Clone, Copy, Debug)]
struct Decided {
    ran: bool,
    revisits: bool,
    gate: Option<AmbientGate>,
    roll: Option<(u64, u64)>,
}

#[derive(Debug, Default)]
struct State {
    next: Option<Moment>,
    exchanged: Option<Moment>,
    posts: Vec<Moment>,
    held: Option<Held>,
    considered: Option<Moment>,
    /// The newest receipt.
    newest: Option<Decided>,
}

impl Replay {
    pub fn of(trace: &Trace) -> Self {
        let mut replay = Self::default();
        let mut state = State::default();
        for step in &trace.steps {
            replay.step(step, &mut state);
        }
        replay
    }

    fn step(&mut self, step: &Stepped, state: &mut State) {
        let (now, settings) = (step.now.moment, &step.settings);
        if let Input::Shell(ShellEvent::Restarted { .. }) = step.input {
            state.next = state.next.map(|_| now + TICK);
        }
        exchanges(step, state);
        let off = !settings.initiative.enabled || pool(settings).is_empty();
        let due = match (off, state.next) {
            // No tick, but a receipt: it was switched off, or lost its last channel.
            (true, Some(_)) => {
                state.next = None;
                true
            }
            (false, None) => {
                state.next = Some(now + TICK);
                false
            }
            (false, Some(at)) if at <= now => {
                state.next = Some(now + TICK);
                true
            }
            (true, None) | (false, Some(_)) => false,
        };
        self.due += u64::from(due);
        // What a step does to thoughts under way comes before its tick.
        let mut before = None;
        for entry in step.journal() {
            if let JournalEvent::AmbientTickDecided {
                ran,
                gate,
                revisits,
                roll,
                below,
                repeated,
            } = &entry.event
            {
                if !due {
                    self.unexpected.push(now);
                }
                before.get_or_insert_with(|| self.standing(now, settings, state));
                if *repeated == 0 {
                    state.newest = Some(Decided {
                        ran: *ran,
                        revisits: *revisits,
                        gate: *gate,
                        roll: roll.zip(*below),
                    });
                }
                continue;
            }
            if let (JournalEvent::MessageReceived { .. }, Some(held)) = (&entry.event, &mut state.held) {
                let room = entry.scope.room.as_ref();
                held.written |= room.is_some_and(|room| pool(settings).contains(room));
            }
            self.take(&entry.event, entry.scope.turn, now, state);
        }
        if let (true, Some(decided)) = (due, state.newest) {
            let before = before.unwrap_or_else(|| self.standing(now, settings, state));
            self.ticks.push(Tick {
                at: now,
                ran: decided.ran,
                revisits: decided.revisits,
                gate: decided.gate,
                roll: decided.roll,
                before,
            });
        }
        let looking = self.open().any(|run| run.revisits);
        self.after.push(After {
            active: is_active(now, settings, state),
            held: state.held,
            looking,
        });
    }

    fn standing(&self, now: Moment, settings: &Settings, state: &State) -> Standing {
        Standing {
            enabled: settings.initiative.enabled,
            channels: pool(settings).len(),
            posts: state.posts.iter().filter(|at| now.since(**at) < DAY).count() as u64,
            max_posts: settings.initiative.max_posts_per_day,
            active: is_active(now, settings, state),
            thinking: self.open().next().is_some(),
            held: state.held,
            considered: state.considered,
            gap: Span::minutes(settings.initiative.min_minutes_between_posts),
        }
    }

    fn open(&self) -> impl Iterator<Item = &Run> {
        self.runs.values().rev().take(4).filter(|run| run.ended.is_none())
    }

    fn take(&mut self, event: &JournalEvent, turn: Option<TurnId>, now: Moment, state: &mut State) {
        let run = turn.and_then(|turn| self.runs.get_mut(&turn));
        let looks = run.as_ref().is_some_and(|run| run.revisits && !run.trial);
        match event {
            JournalEvent::AmbientRunStarted { trial, revisits, .. } => {
                let Some(turn) = turn else { return };
                if !trial && !revisits {
                    state.considered = Some(now);
                }
                self.runs.insert(
                    turn,
                    Run {
                        turn,
                        trial: *trial,
                        revisits: *revisits,
                        started: now,
                        ended: None,
                        ends: 0,
                    },
                );
            }
            JournalEvent::AmbientRunEnded { outcome, .. } => {
                if let Some(run) = run {
                    run.ended = Some((now, *outcome));
                    run.ends += 1;
                }
                if let Some(held) = &mut state.held
                    && looks
                {
                    held.looked_at = now;
                    held.looks += 1;
                }
            }
            JournalEvent::InitiativePost { .. } => {
                state.posts.push(now);
                if looks {
                    state.considered = Some(now);
                    state.held = None;
                }
            }
            JournalEvent::InitiativeSkip { reason, .. } => match reason {
                InitiativeSkip::Held => {
                    let (created, count) = state
                        .held
                        .filter(|_| looks)
                        .map_or((now, 1), |held| (held.created, held.looks));
                    state.held = Some(Held {
                        created,
                        looked_at: now,
                        looks: count,
                        written: false,
                    });
                }
                InitiativeSkip::Expired | InitiativeSkip::DroppedByOperator | InitiativeSkip::Forgotten => {
                    state.held = None;
                }
                InitiativeSkip::Dropped
                | InitiativeSkip::RepeatsItself
                | InitiativeSkip::SharedBefore
                | InitiativeSkip::SendFailed
                    if looks =>
                {
                    state.held = None;
                }
                _ => {}
            },
            _ => {}
        }
    }
}

/// The channels that may be posted to.
pub(super) fn pool(settings: &Settings) -> Vec<RoomId> {
    let replies = &settings.replies;
    let allowed = |id: &&String| {
        !replies.blocked_channel_ids.contains(id)
            && (replies.allowed_channel_ids.is_empty() || replies.allowed_channel_ids.contains(id))
    };
    let named = replies.discovery_channel_ids.iter().filter(allowed);
    named.map(|id| RoomId::new(id.as_str())).collect()
}

fn is_active(now: Moment, settings: &Settings, state: &State) -> bool {
    let lasts = Span::seconds(settings.attention.active_seconds);
    state.exchanged.is_some_and(|at| now.since(at) < lasts)
}

/// Somebody spoke to it, or it replied.
fn exchanges(step: &Stepped, state: &mut State) {
    let mut addressed = false;
    for entry in step.journal() {
        match &entry.event {
            JournalEvent::AdmissionDecided { allow, address, .. } => {
                addressed = *allow && *address != AddressReason::LlmDecides;
            }
            JournalEvent::MessageQueued { .. } if addressed => state.exchanged = Some(step.now.moment),
            // A notice answers nobody.
            JournalEvent::SentMessage {
                trigger_message_ids, ..
            } if trigger_message_ids.is_empty() => {}
            JournalEvent::SentReply { .. } | JournalEvent::SentMessage { .. } => {
                state.exchanged = Some(step.now.moment);
            }
            _ => {}
        }
    }
}
