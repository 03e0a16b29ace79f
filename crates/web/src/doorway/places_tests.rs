use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::super::line::{Seat, SeatState};
use super::{Limits, Place, Places};

fn places() -> Arc<Places> {
    Arc::new(Places::new(Limits {
        everybody: 6,
        strangers: 4,
        from_one_address: 2,
        from_this_machine: 3,
        patience: Duration::ZERO,
    }))
}

fn from(places: &Arc<Places>, address: &str) -> Arc<Seat> {
    let address: IpAddr = address.parse().unwrap();
    match Places::take(places, address) {
        Place::Yours(seat) => seat,
        other => panic!("{other:?}"),
    }
}

fn is_there(places: &Places, seat: &Seat) -> bool {
    let taken = places.taken.lock().unwrap();
    taken
        .seats
        .values()
        .any(|other| std::ptr::eq(&raw const **other, seat))
}

#[test]
fn of_one_address_the_oldest_that_asked_nothing_goes_first() {
    let places = places();
    let [asked, silent] = [from(&places, "192.0.2.1"), from(&places, "192.0.2.1")];
    asked.set(SeatState::Answered);
    let newest = from(&places, "192.0.2.1");
    assert!(!is_there(&places, &silent));
    assert!(is_there(&places, &asked) && is_there(&places, &newest));
}

#[test]
fn one_network_of_ipv6_counts_as_one_address_and_a_mapped_address_as_its_own() {
    let places = places();
    let first = from(&places, "2001:db8::1");
    from(&places, "2001:db8::2");
    from(&places, "2001:db8::3:4");
    assert!(!is_there(&places, &first));
    let plain = from(&places, "192.0.2.1");
    from(&places, "::ffff:192.0.2.1");
    from(&places, "192.0.2.1");
    assert!(!is_there(&places, &plain));
}

#[test]
fn strangers_never_take_every_place_and_this_machine_never_those_of_all_strangers() {
    let places = places();
    let local: Vec<_> = (0..4).map(|_| from(&places, "127.0.0.1")).collect();
    assert!(!is_there(&places, &local[0]) && is_there(&places, &local[1]));
    for number in 1..=20 {
        from(&places, &format!("192.0.2.{number}"));
    }
    assert_eq!(places.taken.lock().unwrap().seats.len(), 4);
}

#[test]
fn who_has_shown_a_credential_stays_while_strangers_come() {
    let places = places();
    let known: Vec<_> = (0..5).map(|_| from(&places, "192.0.2.1")).collect();
    for seat in &known {
        seat.admit();
    }
    // Each was admitted only after the next had come, so the first ones are gone already.
    let admitted: Vec<_> = known.iter().filter(|seat| is_there(&places, seat)).collect();
    for number in 1..=20 {
        from(&places, &format!("198.51.100.{number}"));
    }
    assert!(!admitted.is_empty());
    assert!(admitted.iter().all(|seat| is_there(&places, seat)));
}

#[test]
fn when_every_place_is_taken_only_those_who_are_not_answered_go() {
    let places = places();
    let known: Vec<_> = (0..6)
        .map(|_| {
            let seat = from(&places, "192.0.2.1");
            seat.admit();
            seat.set(SeatState::Answered);
            seat
        })
        .collect();
    let refused = Places::take(&places, "192.0.2.9".parse().unwrap());
    assert!(matches!(refused, Place::None), "{refused:?}");
    known[3].set(SeatState::Idle);
    from(&places, "192.0.2.9");
    assert!(!is_there(&places, &known[3]));
    assert_eq!(known.iter().filter(|seat| is_there(&places, seat)).count(), 5);
}

#[test]
fn whoever_came_only_now_may_ask_before_they_go() {
    let places = Arc::new(Places::new(Limits {
        everybody: 6,
        strangers: 4,
        from_one_address: 1,
        from_this_machine: 3,
        patience: Duration::from_secs(3_600),
    }));
    let first = from(&places, "192.0.2.1");
    let address = "192.0.2.1".parse().unwrap();
    assert!(matches!(Places::take(&places, address), Place::InAMoment));
    first.set(SeatState::Idle);
    assert!(matches!(Places::take(&places, address), Place::Yours(_)));
    assert!(!is_there(&places, &first));
}
