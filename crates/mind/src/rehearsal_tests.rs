//! What a message would come to, and that nothing of it stays.

use serde_json::json;
use settings::{Document, Settings};
use vocabulary::{AskPurpose, Author, AuthorKind, Message, MessageId, Moment, Now, RoomId, Span, WallTime};

use super::{Rehearsal, WouldDo};
use crate::input::{Input, Recollection, ShellEvent};
use crate::journal::JournalEvent;
use crate::mind::{Genesis, Mind};

fn mind() -> Mind {
    Mind::new(Genesis::first("local", "denizen", 1))
}

fn at(seconds: u64) -> Now {
    Now {
        moment: Moment(seconds * 1_000),
        wall: WallTime(1_760_000_000_000 + seconds as i64 * 1_000),
    }
}

fn message(id: &str, author: &str, text: &str) -> Message {
    Message {
        id: MessageId::from(id),
        room: RoomId::from("lounge"),
        author: Author {
            id: author.into(),
            name: author.to_owned(),
            kind: AuthorKind::Person,
        },
        text: text.to_owned(),
        at: WallTime(1_760_000_000_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

/// Plays it to the end; nothing is found.
fn played(mind: &Mind, text: &str, settings: &Settings) -> Rehearsal {
    let mut rehearsal = Rehearsal::of(mind, at(100), message("dry-run", "alice", text), settings);
    while rehearsal.wants().is_some() {
        rehearsal.recalled(Recollection::default(), settings);
    }
    rehearsal
}

#[test]
fn a_message_by_name_comes_to_a_question_and_leaves_the_mind_as_it_was() {
    let (mut mind, settings) = (mind(), Settings::default());
    let _ = mind.step(
        at(0),
        Input::message_arrived(message("m1", "bob", "I brought scones")),
        &settings,
    );
    let before = mind.clone();
    let rehearsal = played(&mind, "Denizen, what did Bob bring?", &settings);
    assert_eq!(rehearsal.outcome(), WouldDo::AskForReply);
    assert_eq!(mind, before);
    let request = rehearsal.request().expect("a reply would be asked for");
    assert_eq!(request.purpose, AskPurpose::TextReply);
    let recent = request
        .sections
        .iter()
        .find(|section| section.name == "recent_messages");
    assert!(recent.is_some_and(|section| section.text.contains("scones")));
    let current = request
        .sections
        .iter()
        .find(|section| section.name == "current_turn");
    assert!(current.is_some_and(|section| section.text.contains("what did Bob bring?")));
    assert!(rehearsal.after() > Span::ZERO, "a burst has to close first");
}

#[test]
fn what_is_not_addressed_stays_unanswered_and_says_why() {
    let rehearsal = played(&mind(), "lovely weather", &Settings::default());
    assert_eq!(rehearsal.outcome(), WouldDo::StaySilent);
    assert!(rehearsal.request().is_none());
    let names: Vec<&str> = rehearsal.lines().iter().map(|line| line.event.name()).collect();
    assert_eq!(
        names,
        ["text_message_received", "text_admission_decided", "reply_skipped"]
    );
}

#[test]
fn where_it_is_unclear_the_classifier_would_be_asked() {
    let mut document = Document::default();
    document.set("addressClassifierLlm.enabled", json!(true));
    let settings = Settings::read(&document).expect("a known key");
    let rehearsal = played(&mind(), "lovely weather", &settings);
    assert_eq!(rehearsal.outcome(), WouldDo::AskWhetherMeant);
}

#[test]
fn a_reply_under_way_comes_first() {
    let (mut mind, settings) = (mind(), Settings::default());
    let step = mind.step(
        at(0),
        Input::message_arrived(message("m1", "bob", "Denizen, hello")),
        &settings,
    );
    let wake = step.wake.expect("the burst closes");
    let now = Now {
        moment: wake.at,
        ..at(0)
    };
    let _ = mind.step(now, Input::Shell(ShellEvent::WakeReached), &settings);
    assert_eq!(
        played(&mind, "Denizen, and me?", &settings).outcome(),
        WouldDo::Wait
    );
}

#[test]
fn a_command_would_be_obeyed_and_is_not() {
    let (mind, settings) = (mind(), Settings::default());
    let rehearsal = played(&mind, "/new", &settings);
    assert_eq!(rehearsal.outcome(), WouldDo::Obey);
    let taken = |line: &crate::JournalEntry| matches!(line.event, JournalEvent::CommandTaken { .. });
    assert!(rehearsal.lines().iter().any(taken));
    assert_eq!(played(&mind, "/forget me", &settings).outcome(), WouldDo::Obey);
}
