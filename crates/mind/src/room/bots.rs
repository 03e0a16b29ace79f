//! Talk with other programs, where it is allowed at all: so many answers, and then it is broken off.

use serde::{Deserialize, Serialize};
use vocabulary::{Message, Moment, Span};

use super::Room;
use super::arrival::{judged, limits};
use crate::addressing::FollowupLimits;
use crate::admission::text::forces_reply;
use crate::reasons::DropReason;
use crate::step_context::StepContext;

/// How a room's talk with other programs stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BotTalk {
    /// Answers since the last pause.
    answers: u64,
    last_call: Option<Moment>,
}

impl BotTalk {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether one more call is answered. The pause that ends it all begins with the last call, answered or not: two
    /// programs that go on calling each other stay broken off.
    fn takes(&mut self, now: Moment, most: u64, pause: Span) -> bool {
        if self.last_call.is_none_or(|last| now.since(last) >= pause) {
            self.answers = 0;
        }
        self.last_call = Some(now);
        let takes = self.answers < most;
        self.answers += u64::from(takes);
        takes
    }
}

/// Why a message of another program is only read; none: it is answered as a person's would be.
pub(super) fn only_read(room: &mut Room, message: &Message, step: &StepContext<'_>) -> Option<DropReason> {
    let (permissions, activity) = (&step.settings.permissions, &step.settings.activity);
    if !permissions.allow_answering_bots {
        return Some(DropReason::OtherBot);
    }
    // A program does not go on with an exchange: it calls, or it is not meant.
    let limits = FollowupLimits {
        enabled: false,
        ..limits(step.settings)
    };
    let signal = judged(room, message, limits, step);
    if !signal.triggered || !forces_reply(signal.reason) {
        return Some(DropReason::UncalledByBot);
    }
    let pause = Span::minutes(activity.bot_pause_minutes);
    let takes = room.bots.takes(step.moment(), activity.max_bot_replies, pause);
    (!takes).then_some(DropReason::BotLimit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_broken_off_and_stays_so_while_calls_go_on() {
        let (mut talk, pause) = (BotTalk::default(), Span::minutes(10));
        let minute = |minute: u64| Moment::default() + Span::minutes(minute);
        let takes: Vec<bool> = [0, 1, 2, 8, 17, 26, 36]
            .map(|at| talk.takes(minute(at), 2, pause))
            .to_vec();
        assert_eq!(takes, [true, true, false, false, false, false, true]);
    }
}
