//! When notes would have been taken of a screen with other settings: the note-taker's own rules over frames that were seen.

use mind::watch::activity::{Activity, Thresholds};
use mind::watch::allowance::{Allowance, CallKind};
use mind::watch::attention::Attention;
use mind::watch::note::NoteTrigger;
use mind::watch::note_cadence::{NoteDecision, NoteQuestion, decide};
use serde::Serialize;
use settings::{StreamWatchSettings, ThresholdMode};
use vocabulary::{ChangeScore, FrameId, Moment};

/// A frame that was seen.
#[derive(Clone, Copy, Debug)]
pub struct PastFrame {
    pub at: Moment,
    pub frame: FrameId,
    pub change: ChangeScore,
    /// A watch began with it.
    pub begins_watch: bool,
}

/// What would have been done, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// Every note that would have been taken.
    pub looks: Vec<Look>,
    /// The lines each frame was held against, where they follow the screen.
    pub lines: Vec<LinesAt>,
}

/// A note that would have been taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Look {
    pub at: Moment,
    pub trigger: NoteTrigger,
    pub frame: FrameId,
}

/// The lines that scores were held against at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinesAt {
    pub at: Moment,
    #[serde(flatten)]
    pub lines: Thresholds,
}

/// Steps the note-taker through frames that were seen, and on until `until`; its model answers at once and never fails.
pub fn what_if(frames: &[PastFrame], until: Moment, settings: &StreamWatchSettings) -> WhatIf {
    let follows_screen = settings.threshold_mode == ThresholdMode::Relative;
    let (mut taker, mut answer) = (NoteTaker::default(), WhatIf::default());
    for (index, seen) in frames.iter().enumerate() {
        if seen.begins_watch {
            taker.begin_watch();
        }
        taker.attention.see(seen.at, &seen.change, settings);
        taker.newest = Some(seen.frame);
        let next = frames.get(index + 1).map_or(until, |next| next.at);
        taker.go_on(seen.at, next, settings, &mut answer.looks);
        if follows_screen {
            let lines = taker.attention.thresholds(settings);
            answer.lines.push(LinesAt { at: seen.at, lines });
        }
    }
    answer
}

/// What the note-taker has in mind between two frames.
#[derive(Default)]
struct NoteTaker {
    attention: Attention,
    newest: Option<FrameId>,
    described: Option<FrameId>,
    last_attempt: Option<Moment>,
    allowance: Allowance,
}

impl NoteTaker {
    fn begin_watch(&mut self) {
        *self = Self {
            last_attempt: self.last_attempt,
            allowance: self.allowance,
            ..Self::default()
        };
    }

    /// Takes every note that is due from `now` on, and before another frame comes at `next`.
    fn go_on(&mut self, now: Moment, next: Moment, settings: &StreamWatchSettings, looks: &mut Vec<Look>) {
        let mut now = now;
        while let Some(frame) = self.newest {
            match decide(&self.question(now, settings), settings) {
                NoteDecision::Take(trigger) => {
                    looks.push(Look {
                        at: now,
                        trigger,
                        frame,
                    });
                    self.attention.attempted();
                    self.described = Some(frame);
                    self.last_attempt = Some(now);
                    self.allowance.spend(now, CallKind::Note, settings);
                }
                NoteDecision::Hold { until: Some(due), .. } if due < next => now = due,
                NoteDecision::Hold { .. } => return,
            }
        }
    }

    fn question(&self, now: Moment, settings: &StreamWatchSettings) -> NoteQuestion {
        NoteQuestion {
            now,
            fresh_frame: self.newest != self.described,
            urgent: self.attention.urgent(),
            activity: self.attention.activity().unwrap_or(Activity::Static),
            frozen: self.attention.is_frozen(),
            last_attempt: self.last_attempt,
            in_flight: false,
            failures: 0,
            unpaid_until: None,
            allowed_at: self.allowance.next(CallKind::Note, settings),
        }
    }
}

#[cfg(test)]
#[path = "what_if_tests.rs"]
mod tests;
