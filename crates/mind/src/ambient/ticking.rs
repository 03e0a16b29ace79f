//! The tick: once a minute it is seen whether a thought may be looked at or looked for. A tick that was missed is missed.

use settings::Settings;
use vocabulary::{Now, Span};

use super::gates::{self, AmbientGate, GateQuestion, Verdict};
use super::receipts::Ticked;
use super::run::Run;
use super::thought::rest;
use super::{Ambient, Around, TICK, pool};
use crate::effect::{Wake, WakeReason};
use crate::step_context::StepContext;

impl Ambient {
    /// Does what time has made due.
    pub fn advance(&mut self, around: Around<'_>, step: &mut StepContext<'_>) {
        let now = step.moment();
        self.spending.prune(now);
        self.advance_run(around, step);
        // A look that has just ended may have outlasted the thought.
        self.expire(step);
        let (initiative, channels) = (&step.settings.initiative, pool::eligible(step.settings));
        let off = match () {
            () if !initiative.enabled => Some(AmbientGate::Disabled),
            () if channels.is_empty() => Some(AmbientGate::NoChannels),
            () => None,
        };
        match (off, self.next_tick) {
            (Some(_), None) => {}
            (Some(gate), Some(_)) => {
                self.next_tick = None;
                self.receipts.write(stopped(gate, None), step);
            }
            (None, None) => self.next_tick = Some(now + TICK),
            (None, Some(at)) if at <= now => {
                self.next_tick = Some(now + TICK);
                self.tick(around, step);
            }
            (None, Some(_)) => {}
        }
    }

    fn tick(&mut self, around: Around<'_>, step: &mut StepContext<'_>) {
        let question = self.question(around, step.now(), step.settings);
        let (revisits, roll) = match gates::decide(&question) {
            Verdict::Stop(gate) => {
                self.receipts.write(stopped(gate, None), step);
                return;
            }
            Verdict::Revisit => (true, None),
            Verdict::Fresh => {
                let (roll, below) = (step.dice.roll(), step.settings.initiative.eagerness);
                if roll >= below {
                    let ticked = stopped(AmbientGate::Eagerness, Some((roll, below)));
                    self.receipts.write(ticked, step);
                    return;
                }
                (false, Some((roll, below)))
            }
        };
        let turn = step.counters.turn.take_next();
        let ticked = Ticked {
            gate: None,
            revisits,
            roll,
            turn: Some(turn),
        };
        let cause = self.receipts.write(ticked, step);
        self.begin(turn, false, revisits, cause, around, step);
    }

    /// What the gates look at now.
    pub(super) fn question(&self, around: Around<'_>, now: Now, settings: &Settings) -> GateQuestion {
        let (initiative, moment) = (&settings.initiative, now.moment);
        let expected = self.spending.expected(settings.llm.max_output_tokens);
        GateQuestion {
            enabled: initiative.enabled,
            channels: pool::eligible(settings).len(),
            posts: self.posts.meter(0, moment).used,
            max_posts: initiative.max_posts_per_day,
            budget: self
                .spending
                .refuses(expected, &settings.initiative_budget, moment),
            active: around.attention.active(moment, &settings.attention).is_some(),
            thinking: self.run.is_some(),
            held: self.held.as_ref().map(|held| moment.since(held.looked_at)),
            rest: self
                .held
                .as_ref()
                .map_or(Span::ZERO, |held| rest(held.looks, held.messages_since > 0)),
            considered: self.considered.map(|at| moment.since(at)),
            gap: gap(settings),
        }
    }

    pub fn next_wake(&self) -> Option<Wake> {
        let tick = self.next_tick.map(|at| Wake {
            at,
            reason: WakeReason::AmbientTick,
        });
        // While it is being looked at, the look decides.
        let looks = self.run.as_ref().is_some_and(|run| run.revisits);
        let expiry = self.held.as_ref().filter(|_| !looks).map(|held| Wake {
            at: held.expires,
            reason: WakeReason::AmbientTick,
        });
        let run = self.run.as_ref().and_then(Run::next_wake);
        [tick, expiry, run].into_iter().flatten().min()
    }
}

/// The shortest time between two looks for a fresh thought.
pub(super) fn gap(settings: &Settings) -> Span {
    Span::minutes(settings.initiative.min_minutes_between_posts)
}

fn stopped(gate: AmbientGate, roll: Option<(u64, u64)>) -> Ticked {
    Ticked {
        gate: Some(gate),
        revisits: false,
        roll,
        turn: None,
    }
}
