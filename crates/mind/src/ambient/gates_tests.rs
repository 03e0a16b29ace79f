//! The gates one by one, and in their order.

use vocabulary::Span;

use super::{AmbientGate, GateQuestion, Verdict, decide};

/// Nothing stands against a fresh thought.
fn open() -> GateQuestion {
    GateQuestion {
        enabled: true,
        channels: 2,
        existing: 2,
        posts: 2,
        max_posts: 3,
        budget: None,
        active: false,
        thinking: false,
        held: None,
        rest: Span::seconds(30),
        considered: Some(Span::minutes(30)),
        gap: Span::minutes(30),
        busy: false,
    }
}

/// Shuts one gate.
type Shut = fn(&mut GateQuestion);

const IN_ORDER: [(AmbientGate, Shut); 9] = [
    (AmbientGate::Disabled, |question| question.enabled = false),
    (AmbientGate::NoChannels, |question| question.channels = 0),
    (AmbientGate::UnknownChannels, |question| question.existing = 0),
    (AmbientGate::DailyCap, |question| {
        question.posts = question.max_posts
    }),
    (AmbientGate::BudgetTokens, |question| {
        question.budget = Some(AmbientGate::BudgetTokens);
    }),
    (AmbientGate::AttentionActive, |question| question.active = true),
    (AmbientGate::ThinkingAlready, |question| question.thinking = true),
    (AmbientGate::HeldTooYoung, |question| {
        question.held = Some(Span(29_999));
    }),
    (AmbientGate::Gap, |question| {
        question.considered = Some(Span(30 * 60_000 - 1));
    }),
];

#[test]
fn with_everything_open_a_fresh_thought_may_be_looked_for() {
    assert_eq!(decide(&open()), Verdict::Fresh);
    let never = GateQuestion {
        considered: None,
        ..open()
    };
    assert_eq!(decide(&never), Verdict::Fresh);
}

#[test]
fn each_gate_stops_a_tick_by_itself() {
    for (gate, shut) in IN_ORDER {
        let mut question = open();
        shut(&mut question);
        assert_eq!(decide(&question), Verdict::Stop(gate));
    }
}

#[test]
fn of_several_shut_gates_the_first_is_named() {
    for first in 0..IN_ORDER.len() {
        let mut question = open();
        for (_, shut) in &IN_ORDER[first..] {
            shut(&mut question);
        }
        assert_eq!(decide(&question), Verdict::Stop(IN_ORDER[first].0));
    }
}

#[test]
fn the_order_of_the_names_is_the_order_of_the_gates() {
    assert!(IN_ORDER.is_sorted_by_key(|(gate, _)| *gate));
}

#[test]
fn a_held_thought_waits_for_neither_gap_nor_chance() {
    let held = GateQuestion {
        held: Some(Span::seconds(30)),
        considered: Some(Span::ZERO),
        ..open()
    };
    assert_eq!(decide(&held), Verdict::Revisit);
}

#[test]
fn no_posts_allowed_is_a_shut_gate() {
    let none = GateQuestion {
        posts: 0,
        max_posts: 0,
        ..open()
    };
    assert_eq!(decide(&none), Verdict::Stop(AmbientGate::DailyCap));
}

#[test]
fn what_is_in_the_way_stops_a_look_at_what_is_held_as_well_as_a_fresh_one() {
    let busy = GateQuestion { busy: true, ..open() };
    assert_eq!(decide(&busy), Verdict::Stop(AmbientGate::RoomBusy));
    let held = GateQuestion {
        held: Some(Span::minutes(1)),
        ..busy
    };
    assert_eq!(decide(&held), Verdict::Stop(AmbientGate::RoomBusy));
}
