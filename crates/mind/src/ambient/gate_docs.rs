//! What each gate of a thought is called and goes by, for those who show it.

use serde::{Deserialize, Serialize};

use super::gates::AmbientGate;

/// Gates that are shown alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GateKind {
    Off,
    Channels,
    Attention,
    Posts,
    Budget,
    Gap,
    Held,
    Chance,
    Busy,
}

/// A gate, in a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GateDoc {
    /// Its name in the journal.
    pub gate: String,
    pub kind: GateKind,
    pub title: String,
    /// The settings it goes by.
    pub settings: Vec<String>,
}

/// Every gate, in the order in which they are tried.
pub fn gate_docs() -> Vec<GateDoc> {
    use AmbientGate as Gate;
    let doc = |gate: Gate, kind, title: &str, settings: &[&str]| GateDoc {
        gate: gate.name().to_owned(),
        kind,
        title: title.to_owned(),
        settings: settings.iter().map(|key| (*key).to_owned()).collect(),
    };
    vec![
        doc(
            Gate::Disabled,
            GateKind::Off,
            "Switched off",
            &["initiative.text.enabled"],
        ),
        doc(
            Gate::NoChannels,
            GateKind::Channels,
            "No channel",
            &["permissions.replies.discoveryChannelIds"],
        ),
        doc(
            Gate::UnknownChannels,
            GateKind::Channels,
            "No such channel",
            &["permissions.replies.discoveryChannelIds"],
        ),
        doc(
            Gate::DailyCap,
            GateKind::Posts,
            "Posts of the day",
            &["initiative.text.maxPostsPerDay"],
        ),
        doc(
            Gate::BudgetCalls,
            GateKind::Budget,
            "Budget: calls",
            &["initiative.budget.maxCallsPerDay"],
        ),
        doc(
            Gate::BudgetTokens,
            GateKind::Budget,
            "Budget: tokens",
            &["initiative.budget.maxTokensPerDay"],
        ),
        doc(
            Gate::BudgetCost,
            GateKind::Budget,
            "Budget: dollars",
            &["initiative.budget.maxDollarsPerDay"],
        ),
        doc(
            Gate::AttentionActive,
            GateKind::Attention,
            "In a conversation",
            &["attention.activeSeconds"],
        ),
        doc(Gate::ThinkingAlready, GateKind::Busy, "Busy thinking", &[]),
        doc(Gate::HeldTooYoung, GateKind::Held, "Looked at just now", &[]),
        doc(
            Gate::Gap,
            GateKind::Gap,
            "Time between thoughts",
            &["initiative.text.minMinutesBetweenPosts"],
        ),
        doc(
            Gate::RoomBusy,
            GateKind::Busy,
            "The room is busy",
            &[
                "activity.minSecondsBetweenMessages",
                "activity.maxMessagesPerHour",
            ],
        ),
        doc(
            Gate::Eagerness,
            GateKind::Chance,
            "Chance",
            &["initiative.text.eagerness"],
        ),
    ]
}

#[cfg(test)]
mod tests {
    use settings::Settings;

    use super::gate_docs;

    #[test]
    fn every_setting_that_a_gate_goes_by_is_there() {
        let knobs = Settings::knobs();
        for key in gate_docs().iter().flat_map(|doc| &doc.settings) {
            assert!(knobs.iter().any(|knob| knob.key == *key), "{key}");
        }
    }
}
