//! Receipts: every tick is told once, and equal ones in a row are one.

use settings::Settings;
use vocabulary::{CommunityId, JournalSeq, Moment, Now, PersonId, Span, TurnId, WallTime};

use super::super::gates::AmbientGate;
use super::{RECEIPTS_MAX, ReceiptBook, Ticked};
use crate::addressing::Identity;
use crate::effect::Effect;
use crate::journal::JournalEvent;
use crate::step_context::{Capabilities, Counters, Dice, Downtimes, Ledger, StepContext};

fn stopped(gate: AmbientGate) -> Ticked {
    Ticked::stopped(gate, None)
}

fn ran(turn: u64) -> Ticked {
    Ticked {
        gate: None,
        revisits: false,
        roll: None,
        turn: Some(TurnId(turn)),
    }
}

/// Writes a tick at a minute; says what the lines of the journal count.
fn write(book: &mut ReceiptBook, ticked: Ticked, minute: u64) -> Vec<(Option<AmbientGate>, u64)> {
    let (settings, community) = (Settings::default(), CommunityId::from("c"));
    let identity = Identity::new(PersonId::from("d"), "Denizen", &[]);
    let moment = Moment::default() + Span::minutes(minute);
    let now = Now {
        moment,
        wall: WallTime(moment.0 as i64),
    };
    let (mut seq, mut counters) = (JournalSeq::default(), Counters::default());
    let mut step = StepContext {
        settings: &settings,
        identity: &identity,
        ledger: Ledger::new(now, &community, &mut seq),
        counters: &mut counters,
        dice: &mut Dice::seeded(1),
        flights: &mut crate::step_context::flight::Flights::default(),
        outside: &Capabilities::default(),
        downtimes: &Downtimes::default(),
        spending: &mut crate::spending::SpendingBook::default(),
        rests: &mut crate::spending::ModelRests::default(),
        media: &mut crate::media::MediaBook::default(),
        deliveries: &mut crate::parcel::Deliveries::default(),
        outgoing: Vec::new(),
        reports: Vec::new(),
        context_used: None,
        exchange: None,
        thoughts: &mut crate::spending::ThoughtSpending::default(),
        aloud: Vec::new(),
        active_until: None,
        unlistened: &mut crate::step_context::Unlistened::default(),
    };
    book.write(ticked, &mut step);
    let lines = step.ledger.into_effects().into_iter();
    lines
        .filter_map(|effect| match effect {
            Effect::Journal(entry) => match entry.event {
                JournalEvent::AmbientTickDecided { gate, repeated, .. } => Some((gate, repeated)),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

#[test]
fn equal_ticks_in_a_row_are_told_when_something_else_happens() {
    let mut book = ReceiptBook::default();
    let gap = Some(AmbientGate::Gap);
    assert_eq!(write(&mut book, stopped(AmbientGate::Gap), 1), [(gap, 0)]);
    assert_eq!(write(&mut book, stopped(AmbientGate::Gap), 2), []);
    assert_eq!(write(&mut book, stopped(AmbientGate::Gap), 3), []);
    let lines = write(&mut book, stopped(AmbientGate::AttentionActive), 4);
    assert_eq!(lines, [(gap, 2), (Some(AmbientGate::AttentionActive), 0)]);
    let receipts = book.newest_first();
    assert_eq!((receipts[0].ticks, receipts[1].ticks), (1, 3));
    assert_eq!(receipts[1].last_at, WallTime(180_000));
}

#[test]
fn two_runs_in_a_row_are_two_receipts() {
    let mut book = ReceiptBook::default();
    assert_eq!(write(&mut book, ran(1), 1), [(None, 0)]);
    assert_eq!(write(&mut book, ran(2), 2), [(None, 0)]);
    book.came_of(TurnId(1), "hold");
    let receipts = book.newest_first();
    assert_eq!(receipts[1].action.as_deref(), Some("hold"));
    assert_eq!(receipts[0].action, None);
}

#[test]
fn a_row_over_days_is_one_receipt_and_still_knows_its_gate() {
    let mut book = ReceiptBook::default();
    for minute in 1..=1_600 {
        write(&mut book, stopped(AmbientGate::Gap), minute);
    }
    let lines = write(&mut book, ran(1), 1_601);
    assert_eq!(lines, [(Some(AmbientGate::Gap), 1_599), (None, 0)]);
}

#[test]
fn only_so_many_are_kept_and_the_hours_of_a_day_are_counted() {
    let mut book = ReceiptBook::default();
    for minute in 1..=2_000 {
        let gate = if minute % 2 == 0 {
            AmbientGate::Gap
        } else {
            AmbientGate::Eagerness
        };
        write(&mut book, stopped(gate), minute);
    }
    assert_eq!(book.newest_first().len(), RECEIPTS_MAX);
    let ticks: u64 = book
        .stopped(Moment::default() + Span::minutes(2_000))
        .values()
        .sum();
    assert!(
        (1_380..=1_440).contains(&ticks),
        "{ticks} ticks in a day or a little less"
    );
}
