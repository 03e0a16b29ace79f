//! There are never more than so many, and it is the oldest turns that are let go.

use mind::{Answer, Delivery, Input};
use vocabulary::{AskId, DeliveryId, PersonId, RoomId, TurnId, WallTime};

use super::{OPEN_MAX, OpenDeliveries};

fn delivery(turn: u64) -> Delivery {
    Delivery {
        // Not in the order of turns: it is not the name that counts.
        id: id(turn),
        room: RoomId::new("lounge"),
        turn: TurnId(turn),
        ask: AskId(turn + 1_000),
        text: "hello".to_owned(),
        reply_to: None,
        may_notify: Vec::new(),
        attachments: Vec::new(),
        spoken: false,
        sign: false,
    }
}

fn id(turn: u64) -> DeliveryId {
    DeliveryId::new(format!("{}-of-turn-{turn}", turn % 7))
}

#[test]
fn a_delivery_that_arrives_is_known_once() {
    let mut open = OpenDeliveries::default();
    open.open(&delivery(3));
    let known = open.get(&id(3)).map(|delivery| (delivery.turn, delivery.ask));
    assert_eq!(known, Some((TurnId(3), AskId(1_003))));
    open.arrived(&Input::Answer(Answer::MessageSent {
        delivery: id(3),
        message: delivery(3).as_message(PersonId::new("denizen"), "Denizen", WallTime(0)),
    }));
    assert_eq!(open.get(&id(3)), None);
}

#[test]
fn deliveries_that_never_arrive_make_way_the_oldest_turn_first() {
    let mut open = OpenDeliveries::default();
    let most = OPEN_MAX as u64;
    for turn in 1..=most + 40 {
        open.open(&delivery(turn));
        assert!(open.0.len() <= OPEN_MAX, "{} after turn {turn}", open.0.len());
    }
    let known = |turn: u64| open.0.contains_key(&id(turn));
    assert!((1..=40).all(|turn| !known(turn)), "the oldest are let go");
    assert!((41..=most + 40).all(known), "the rest is known");
}

#[test]
fn a_delivery_that_is_sent_again_takes_no_more_room() {
    let mut open = OpenDeliveries::default();
    for turn in 1..=OPEN_MAX as u64 {
        open.open(&delivery(turn));
    }
    open.open(&delivery(OPEN_MAX as u64));
    assert!(open.get(&id(1)).is_some(), "nothing had to make way");
}
