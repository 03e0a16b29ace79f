//! A room's watch as its page shows it.

use settings::Settings;
use vocabulary::{AskId, Moment, Now, Span};

use super::attention::Attention;
use super::commentary::{CommentaryDecision, CommentaryGate, FloorState, ShutGate};
use super::note_cadence::NoteDecision;
use super::state::Watch;
use super::view::{AskingView, CommentaryView, GateView, NoteTakerView, SeenFrame, ShareView, WatchView};

impl Watch {
    pub fn view(&self, now: Now, surroundings: &FloorState, settings: &Settings) -> WatchView {
        let screen = &settings.stream_watch;
        let watched = self.watched.as_ref();
        let newest = watched.and_then(|watched| watched.newest);
        let unseen = Attention::default();
        let attention = watched.map_or(&unseen, |watched| &watched.attention);
        WatchView {
            enabled: screen.enabled,
            shares: self
                .shares
                .iter()
                .map(|known| ShareView {
                    share: known.share.share.clone(),
                    person: known.share.person.clone(),
                    name: known.share.name.clone(),
                    source: known.share.source,
                    since: known.since.wall,
                    watched: watched.is_some_and(|watched| watched.share == known.share.share),
                    frames: known.frames,
                })
                .collect(),
            watched: watched.map(|watched| watched.share.clone()),
            generation: self.generation,
            newest: newest.map(|newest| SeenFrame {
                at: newest.at,
                glimpse: newest.glimpse,
            }),
            activity: attention.activity(),
            threshold_mode: screen.threshold_mode.to_string(),
            thresholds: attention.thresholds(screen),
            notes: self.notes.iter().cloned().collect(),
            note_taker: self.note_taker_view(now.moment, settings),
            commentary: self.commentary_view(now.moment, surroundings, settings),
            calls: self
                .calls
                .view(now.moment, watched.map(|watched| now.moment.since(watched.since))),
            marks: self.marks.view(now.moment),
        }
    }

    fn note_taker_view(&self, now: Moment, settings: &Settings) -> NoteTakerView {
        let run = self.run.as_ref();
        let (held_by, due_in) = match self.note_decision(now, &settings.stream_watch) {
            None => (None, None),
            Some(NoteDecision::Take(_)) => (None, Some(Span::ZERO)),
            Some(NoteDecision::Hold { reason, until }) => {
                (Some(reason.name().to_owned()), until.map(|at| at.since(now)))
            }
        };
        NoteTakerView {
            asking: run.map(|run| asking(run.ask, run.started, now)),
            held_by,
            due_in,
            failures: self.failures,
            last_failure: self.last_failure.clone(),
        }
    }

    fn commentary_view(&self, now: Moment, surroundings: &FloorState, settings: &Settings) -> CommentaryView {
        let commentary = &self.commentary;
        let shut = surroundings.shut(now);
        let due_in = match self.commentary_decision(now, settings) {
            CommentaryDecision::Due(_) => Some(Span::ZERO),
            CommentaryDecision::Wait { until } => until.map(|at| at.since(now)),
        };
        let mut gates: Vec<GateView> = CommentaryGate::ALL
            .into_iter()
            .map(|gate| self.gate_view(gate, &shut, now))
            .collect();
        let watching = self.in_view().is_some();
        gates.push(GateView {
            gate: "nothing_new".to_owned(),
            shut: watching && commentary.considered && !commentary.anything_new,
            held_for: Span::ZERO,
            opens_in: None,
        });
        CommentaryView {
            enabled: settings.stream_watch.autonomous_commentary_enabled,
            asking: commentary
                .run
                .as_ref()
                .map(|run| asking(run.ask, run.started, now)),
            waiting: commentary
                .waiting
                .as_ref()
                .map(|waiting| waiting.trigger.name().to_owned()),
            waiting_for: commentary
                .waiting
                .as_ref()
                .map(|waiting| now.since(waiting.since)),
            gates,
            due_in: due_in.filter(|_| watching && commentary.waiting.is_none()),
        }
    }

    fn gate_view(&self, gate: CommentaryGate, shut: &[ShutGate], now: Moment) -> GateView {
        let closed = shut.iter().find(|shut| shut.gate == gate);
        let waiting = self.commentary.waiting.as_ref();
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

fn asking(ask: AskId, started: Moment, now: Moment) -> AskingView {
    AskingView {
        ask,
        running_for: now.since(started),
    }
}
