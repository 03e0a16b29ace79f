//! A notice is confirmed, sent again and told of in the journal, like everything else that is said.

use settings::Settings;
use vocabulary::{Author, AuthorKind, Forget, Message, Moment, Now, PersonId, RoomId, Span, WallTime};

use crate::{
    Answer, Delivery, Effect, Forgotten, Genesis, Input, JournalEvent, MemoryEvent, Mind, RoomWish,
    ShellEvent, Step,
};

const NOW: Moment = Moment(1_000_000);

fn at(moment: Moment) -> Now {
    Now {
        moment,
        wall: WallTime(1_700_000_000_000),
    }
}

fn mind() -> Mind {
    Mind::new(Genesis::first("local", "denizen", 1))
}

/// Somebody wanted something forgotten, and it is done: the room is told so.
fn forgotten(mind: &mut Mind, settings: &Settings) -> Step {
    let message = Message {
        id: "m1".into(),
        room: "lounge".into(),
        author: Author {
            id: "p1".into(),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text: "hello".to_owned(),
        at: WallTime(1_700_000_000_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    };
    let _ = mind.step(at(NOW), Input::message_arrived(message), settings);
    let done = Forgotten {
        what: Forget::Turns(Vec::new()),
        names: Vec::new(),
        texts: Vec::new(),
        turn_ids: Vec::new(),
        gems: 0,
        turns: 1,
        asked_in: Some(RoomId::new("lounge")),
        failure: None,
    };
    mind.step(
        at(NOW),
        Input::Memory(MemoryEvent::Forgotten(Box::new(done))),
        settings,
    )
}

fn sent(step: &Step) -> Vec<Delivery> {
    let deliveries = step.effects.iter().filter_map(|effect| match effect {
        Effect::Room(_, RoomWish::Send(delivery)) => Some(delivery.clone()),
        _ => None,
    });
    deliveries.collect()
}

fn lines(step: &Step) -> Vec<&'static str> {
    let lines = step.effects.iter().filter_map(|effect| match effect {
        Effect::Journal(entry) => Some(entry.event.name()),
        _ => None,
    });
    lines.collect()
}

#[test]
fn a_notice_that_a_room_does_not_confirm_is_sent_again_under_the_same_id() {
    let (mut mind, settings) = (mind(), Settings::default());
    let step = forgotten(&mut mind, &settings);
    let first = sent(&step);
    assert_eq!(first.len(), 1);
    assert!(
        lines(&step).contains(&"text_delivery_started"),
        "{:?}",
        lines(&step)
    );
    let late = NOW + Span::seconds(60);
    let step = mind.step(at(late), Input::Shell(ShellEvent::WakeReached), &settings);
    assert_eq!(lines(&step), ["text_delivery_failed"]);
    let again = step.wake.expect("it is tried again").at;
    let step = mind.step(at(again), Input::Shell(ShellEvent::WakeReached), &settings);
    assert_eq!(sent(&step), first);
    let message = first[0].as_message(PersonId::new("denizen"), "Denizen", WallTime(0));
    let confirmed = Input::Answer(Answer::MessageSent {
        delivery: first[0].id.clone(),
        message,
    });
    let step = mind.step(at(again), confirmed, &settings);
    assert_eq!(lines(&step), ["sent_message"]);
    assert_eq!(step.wake, None, "nothing is under way any more");
}

#[test]
fn a_notice_that_a_room_refuses_for_good_is_given_up_and_the_journal_says_so() {
    let (mut mind, settings) = (mind(), Settings::default());
    let first = sent(&forgotten(&mut mind, &settings));
    let refused = Input::Answer(Answer::SendFailed {
        delivery: first[0].id.clone(),
        detail: "no such channel".to_owned(),
        retryable: false,
    });
    let step = mind.step(at(NOW), refused, &settings);
    let failed = step.effects.iter().any(|effect| {
        matches!(effect, Effect::Journal(entry)
            if matches!(&entry.event, JournalEvent::DeliveryFailed { retry_in: None, .. }))
    });
    assert!(failed, "{:?}", lines(&step));
    assert_eq!(step.wake, None);
}

#[test]
fn a_notice_under_way_survives_a_restart() {
    let (mut mind, settings) = (mind(), Settings::default());
    let first = sent(&forgotten(&mut mind, &settings));
    let kept = serde_json::to_string(&mind).expect("plain data");
    let mut mind: Mind = serde_json::from_str(&kept).expect("plain data");
    let restarted = Input::Shell(ShellEvent::Restarted {
        down_for: Span::seconds(5),
    });
    let step = mind.step(at(NOW), restarted, &settings);
    assert_eq!(sent(&step), first);
}
