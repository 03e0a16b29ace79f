use vocabulary::{AskId, AskPurpose, GatherId, JournalSeq, Moment, RecallId, RoomId};

use super::{Flight, Flights, LookUp, Owner};
use crate::effect::{Wake, WakeReason};
use crate::journal::Scope;

fn flight(ask: u64, owner: Owner, deadline: u64) -> Flight {
    Flight {
        ask: AskId(ask),
        owner,
        purpose: AskPurpose::TextReply,
        launched: Moment(0),
        deadline: Moment(deadline),
        choice: None,
        scope: Scope::default(),
        lost: false,
    }
}

fn lounge() -> RoomId {
    RoomId::new("lounge")
}

fn aloft() -> Flights {
    Flights {
        asks: vec![
            flight(3, Owner::Ambient, 900),
            flight(4, Owner::Replies(lounge()), 500),
            flight(9, Owner::Folding(lounge()), 700),
        ],
        look_ups: Vec::new(),
        ..Flights::default()
    }
}

#[test]
fn an_answer_finds_whoever_asked_once() {
    let mut flights = aloft();
    assert_eq!(flights.owner(AskId(4)), Some(&Owner::Replies(lounge())));
    assert_eq!(flights.land(AskId(4)).map(|flight| flight.ask), Some(AskId(4)));
    assert_eq!(flights.land(AskId(4)), None);
    assert_eq!(flights.owner(AskId(5)), None);
    assert_eq!(flights.asks(), 2);
}

#[test]
fn the_first_deadline_is_the_wake() {
    let mut flights = aloft();
    let wake = |at, reason| {
        Some(Wake {
            at: Moment(at),
            reason,
        })
    };
    assert_eq!(flights.next_wake(), wake(500, WakeReason::AskDeadline));
    flights.expect(LookUp::Gather(GatherId(1)), Owner::Ambient, Moment(400));
    assert_eq!(flights.next_wake(), wake(400, WakeReason::GatherDeadline));
    assert_eq!(flights.overdue_asks(Moment(499)), []);
    assert_eq!(flights.overdue_asks(Moment(700)), [AskId(4), AskId(9)]);
    assert_eq!(
        flights.overdue_look_ups(Moment(400)),
        [LookUp::Gather(GatherId(1))]
    );
}

#[test]
fn a_look_up_is_found_once_and_by_its_kind() {
    let mut flights = Flights::default();
    flights.expect(LookUp::Recall(RecallId(2)), Owner::Memory, Moment(9));
    flights.expect(LookUp::Gather(GatherId(2)), Owner::Ambient, Moment(9));
    flights.expect(LookUp::Recall(RecallId(1)), Owner::Ambient, Moment(9));
    assert_eq!(flights.found(LookUp::Gather(GatherId(1))), None);
    assert_eq!(flights.found(LookUp::Recall(RecallId(2))), Some(Owner::Memory));
    assert_eq!(flights.found(LookUp::Recall(RecallId(2))), None);
    assert_eq!(flights.found(LookUp::Gather(GatherId(2))), Some(Owner::Ambient));
}

#[test]
fn a_restart_loses_everything_and_names_itself_as_the_cause() {
    let mut flights = aloft();
    flights.expect(LookUp::Recall(RecallId(2)), Owner::Memory, Moment(9));
    let lost = flights.lose_all(JournalSeq(77));
    let asks: Vec<u64> = lost.iter().map(|flight| flight.ask.0).collect();
    assert_eq!(asks, [4, 9, 3], "the reply hears of it first, then the summary");
    assert!(
        lost.iter()
            .all(|flight| flight.scope.cause == Some(JournalSeq(77)))
    );
    assert_eq!(flights, Flights::default());
}

#[test]
fn what_is_under_way_survives_being_written_down() {
    let mut flights = aloft();
    flights.expect(LookUp::Recall(RecallId(2)), Owner::Memory, Moment(9));
    let kept = serde_json::to_value(&flights).expect("plain data");
    assert_eq!(serde_json::from_value::<Flights>(kept).ok(), Some(flights));
}
