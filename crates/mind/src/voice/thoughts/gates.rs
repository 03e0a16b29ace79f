//! Whether something may be thought of now: the gates in their order. Those that last come first, chance last.

use crate::reasons::{AmbientGate, VoiceThoughtGate};

/// What the gates look at. Chance is not among it: it is only rolled for when all of this lets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThoughtQuestion {
    pub enabled: bool,
    pub has_voice: bool,
    pub eagerness: u64,
    /// People who are there; of those, who is listened to; and of those, to whom it may speak.
    pub people: usize,
    pub listened_to: usize,
    pub permitted: usize,
    /// Somebody waits for an answer, or it is speaking.
    pub answers: bool,
    /// Somebody talks with it, here or elsewhere.
    pub active: bool,
    /// How many it has said in this session, and how many it may.
    pub said: u64,
    pub max: u64,
    /// Nobody has done anything since the last one.
    pub unanswered: bool,
    /// What the budget of thoughts says.
    pub budget: Option<AmbientGate>,
}

/// Asks the gates; none: nothing is in the way but chance.
pub(super) fn shut(question: &ThoughtQuestion) -> Option<VoiceThoughtGate> {
    Some(match () {
        () if !question.enabled => VoiceThoughtGate::Disabled,
        () if !question.has_voice => VoiceThoughtGate::NoVoice,
        () if question.eagerness == 0 => VoiceThoughtGate::Eagerness,
        () if question.people == 0 => VoiceThoughtGate::EmptyRoom,
        () if question.listened_to == 0 => VoiceThoughtGate::NotListenedTo,
        () if question.permitted == 0 => VoiceThoughtGate::NotPermitted,
        () if question.answers => VoiceThoughtGate::ReplyUnderWay,
        () if question.active => VoiceThoughtGate::AttentionActive,
        () if question.said >= question.max => VoiceThoughtGate::SessionCap,
        () if question.unanswered => VoiceThoughtGate::Unanswered,
        () => {
            return question.budget.map(|gate| match gate {
                AmbientGate::BudgetTokens => VoiceThoughtGate::BudgetTokens,
                AmbientGate::BudgetCost => VoiceThoughtGate::BudgetCost,
                _ => VoiceThoughtGate::BudgetCalls,
            });
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{ThoughtQuestion, shut};
    use crate::reasons::{AmbientGate, VoiceThoughtGate};

    const OPEN: ThoughtQuestion = ThoughtQuestion {
        enabled: true,
        has_voice: true,
        eagerness: 50,
        people: 2,
        listened_to: 2,
        permitted: 2,
        answers: false,
        active: false,
        said: 0,
        max: 6,
        unanswered: false,
        budget: None,
    };

    #[test]
    fn each_gate_stops_what_the_ones_before_it_let_pass() {
        assert_eq!(shut(&OPEN), None);
        type Shuts = (fn(&mut ThoughtQuestion), VoiceThoughtGate);
        // From the last to the first: each goes before all that were shut already.
        let gates: [Shuts; 11] = [
            (
                |asked| asked.budget = Some(AmbientGate::BudgetCost),
                VoiceThoughtGate::BudgetCost,
            ),
            (|asked| asked.unanswered = true, VoiceThoughtGate::Unanswered),
            (|asked| asked.max = 0, VoiceThoughtGate::SessionCap),
            (|asked| asked.active = true, VoiceThoughtGate::AttentionActive),
            (|asked| asked.answers = true, VoiceThoughtGate::ReplyUnderWay),
            (|asked| asked.permitted = 0, VoiceThoughtGate::NotPermitted),
            (|asked| asked.listened_to = 0, VoiceThoughtGate::NotListenedTo),
            (|asked| asked.people = 0, VoiceThoughtGate::EmptyRoom),
            (|asked| asked.eagerness = 0, VoiceThoughtGate::Eagerness),
            (|asked| asked.has_voice = false, VoiceThoughtGate::NoVoice),
            (|asked| asked.enabled = false, VoiceThoughtGate::Disabled),
        ];
        let mut asked = OPEN;
        for (shuts, gate) in gates {
            shuts(&mut asked);
            assert_eq!(shut(&asked), Some(gate));
        }
    }
}
