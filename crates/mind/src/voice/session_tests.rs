//! For how long somebody is the one it talks with, and how long a call goes on.

use vocabulary::{JournalSeq, MessageId, PersonId};

use super::*;

fn called(ended: Moment) -> Utterance {
    Utterance {
        message: MessageId::new("1"),
        person: PersonId::new("alice"),
        direct: true,
        bare_name: true,
        near_name: false,
        names_somebody_else: false,
        goes_elsewhere: false,
        spoken_of: false,
        focused: false,
        last_answered: false,
        answers_question: false,
        score: None,
        spoken: Span(600),
        ended,
        heard: ended + Span(900),
        cause: JournalSeq(1),
    }
}

#[test]
fn the_one_it_talks_with_is_so_for_twenty_seconds() {
    let (alice, bob) = (PersonId::new("alice"), PersonId::new("bob"));
    let mut session = VoiceSession::default();
    session.focus_on(&alice, Moment(1_000));
    assert!(session.is_focused_on(&alice, Moment(21_000)));
    assert!(!session.is_focused_on(&alice, Moment(21_001)));
    assert!(!session.is_focused_on(&bob, Moment(1_000)));
}

#[test]
fn whoever_said_its_bare_name_has_three_seconds_to_go_on() {
    let alice = PersonId::new("alice");
    let mut session = VoiceSession::default();
    session.called(&called(Moment(1_000)));
    assert!(session.was_called_by(&alice, Moment(4_000)));
    assert!(!session.was_called_by(&alice, Moment(4_001)));
    assert!(!session.was_called_by(&PersonId::new("bob"), Moment(2_000)));
    let question = Utterance {
        bare_name: false,
        ..called(Moment(5_000))
    };
    session.called(&question);
    assert!(!session.was_called_by(&alice, Moment(6_000)));
}
