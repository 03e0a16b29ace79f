//! Commentary as its page shows it: what it waits for, and which gates are shut.

use settings::StreamWatchSettings;
use vocabulary::{Moment, Span};

use super::super::commentary::{CommentaryDecision, CommentaryGate, FloorState, ShutGate};
use super::super::view::{AskingView, CommentaryView, GateView};
use super::Commentator;

impl Commentator {
    pub fn view(
        &self,
        now: Moment,
        has_frame: bool,
        floor: &FloorState,
        settings: &StreamWatchSettings,
    ) -> CommentaryView {
        let shut = self.gates(floor, settings).shut(now);
        let due_in = match self.decide(now, has_frame, settings) {
            CommentaryDecision::Due(_) => Some(Span::ZERO),
            CommentaryDecision::Wait { until } => until.map(|at| at.since(now)),
        };
        let gates = CommentaryGate::ALL.into_iter();
        let mut gates: Vec<GateView> = gates.map(|gate| self.gate_view(gate, &shut, now)).collect();
        gates.push(GateView {
            gate: "nothing_new".to_owned(),
            shut: has_frame && self.considered && !self.anything_new,
            held_for: Span::ZERO,
            opens_in: None,
        });
        let waiting = self.waiting.as_ref();
        CommentaryView {
            enabled: settings.autonomous_commentary_enabled,
            asking: self.run.as_ref().map(|run| AskingView {
                ask: run.ask,
                running_for: now.since(run.started),
            }),
            saying: self.speaking.is_some(),
            waiting: waiting.map(|waiting| waiting.trigger.name().to_owned()),
            waiting_for: waiting.map(|waiting| now.since(waiting.since)),
            gates,
            due_in: due_in.filter(|_| has_frame && waiting.is_none()),
        }
    }

    fn gate_view(&self, gate: CommentaryGate, shut: &[ShutGate], now: Moment) -> GateView {
        let closed = shut.iter().find(|shut| shut.gate == gate);
        let waiting = self.waiting.as_ref();
        let before = waiting.and_then(|waiting| waiting.held.get(&gate).copied());
        let since = waiting
            .filter(|_| closed.is_some())
            .map(|waiting| now.since(waiting.looked));
        GateView {
            gate: gate.name().to_owned(),
            shut: closed.is_some(),
            held_for: Span(before.unwrap_or_default().0 + since.unwrap_or_default().0),
            opens_in: closed.and_then(|shut| shut.until).map(|at| at.since(now)),
        }
    }
}
