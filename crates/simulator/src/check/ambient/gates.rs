//! The gates, in their order: each is named only where it is shut and all before it are open. Whether a budget is used up
//! is another checker's business.

use mind::ambient::gates::AmbientGate;
use vocabulary::Span;

use super::super::Report;
use super::replay::{Held, Replay, Tick};

/// A held thought is left alone for half a minute, after the first looks; then longer each time, up to five minutes amid
/// talk and a quarter of an hour in silence.
fn left_alone(held: Held) -> Span {
    let most = if held.written { 300 } else { 900 };
    let seconds = (0..held.looks.saturating_sub(2)).try_fold(30_u64, |so_far, _| so_far.checked_mul(2));
    Span::seconds(seconds.unwrap_or(most).min(most))
}

pub(super) fn check(replay: &Replay, report: &mut Report) {
    for tick in &replay.ticks {
        if let Some(what) = wrong(tick) {
            let said = tick.gate.map_or("to think", AmbientGate::name);
            let what = format!("the tick decides {said}, and {what}");
            report.add("gates_in_order", tick.at, what);
        }
    }
}

fn wrong(tick: &Tick) -> Option<String> {
    let before = &tick.before;
    let shut = [
        (AmbientGate::Disabled, !before.enabled),
        (AmbientGate::NoChannels, before.channels == 0),
        (AmbientGate::DailyCap, before.posts >= before.max_posts),
        (AmbientGate::AttentionActive, before.active),
        (AmbientGate::ThinkingAlready, before.thinking),
        (
            AmbientGate::HeldTooYoung,
            before
                .held
                .is_some_and(|held| tick.at.since(held.looked_at) < left_alone(held)),
        ),
        (
            AmbientGate::Gap,
            before.held.is_none() && before.considered.is_some_and(|at| tick.at.since(at) < before.gap),
        ),
    ];
    let is_budget = |gate: AmbientGate| {
        matches!(
            gate,
            AmbientGate::BudgetCalls | AmbientGate::BudgetTokens | AmbientGate::BudgetCost
        )
    };
    // How a room is at that moment is another checker's business too.
    let is_busy = |gate: AmbientGate| gate == AmbientGate::RoomBusy;
    for (gate, is_shut) in shut {
        match tick.gate {
            Some(said) if said == gate && is_shut => return None,
            Some(said) if said == gate => return Some("that gate is open".to_owned()),
            Some(AmbientGate::UnknownChannels) if gate > AmbientGate::UnknownChannels => return None,
            Some(said) if is_budget(said) && gate >= AmbientGate::AttentionActive => return None,
            _ if is_shut => return Some(format!("{} is shut before it", gate.name())),
            _ => {}
        }
    }
    match (tick.gate, tick.roll, before.held) {
        (Some(gate), None, _) if is_busy(gate) => None,
        (Some(AmbientGate::Eagerness), Some((roll, below)), None) if roll >= below => None,
        (None, None, Some(_)) if tick.revisits => None,
        (None, Some((roll, below)), None) if roll < below && !tick.revisits => None,
        other => Some(format!("that fits neither the roll nor what is held: {other:?}")),
    }
}
