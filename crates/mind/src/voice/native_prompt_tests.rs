//! What a realtime service is told that thinks for itself: how much, in which order, and what goes first.

use settings::Settings;
use vocabulary::{Author, AuthorKind, Message, MessageId, SectionFate, WallTime};

use super::*;
use crate::input::ServiceEvents;

fn said(number: i64, text: &str) -> Message {
    Message {
        id: MessageId::new(format!("m{number}")),
        room: "lounge".into(),
        author: Author {
            id: "ann".into(),
            name: "Ann".to_owned(),
            kind: AuthorKind::Person,
        },
        text: text.to_owned(),
        at: WallTime(number * 1_000),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: true,
        sign: false,
    }
}

fn people() -> VoicePeople {
    let mut people = VoicePeople::default();
    for name in ["Ann", "Bob"] {
        let author = Author {
            id: name.into(),
            name: name.to_owned(),
            kind: AuthorKind::Person,
        };
        people.join(&author, WallTime(0));
    }
    people
}

/// What is told when the service began to listen at that second.
fn told_at(since: i64, messages: &[Message], memory: &[&str], summary: &str, persona: &str) -> Standing {
    let mut settings = Settings::default();
    settings.identity.persona = persona.to_owned();
    let mut link = NativeLink::new(ServiceEvents::default(), WallTime(since * 1_000));
    link.memory = memory.iter().map(|fact| (*fact).to_owned()).collect();
    let window: Vec<&Message> = messages.iter().collect();
    standing(&StandingBrief {
        room: "lounge",
        settings: &settings,
        people: &people(),
        link: &link,
        summary,
        window: &window,
    })
}

fn fate(standing: &Standing, name: &str) -> SectionFate {
    let section = standing.sections.iter().find(|section| section.name == name);
    section.expect("a section of that name").fate
}

#[test]
fn the_summary_stands_between_what_is_known_of_people_and_what_was_said_before() {
    let messages: Vec<Message> = (0..20)
        .map(|number| said(number, &format!("line {number}.")))
        .collect();
    let told = told_at(
        100,
        &messages,
        &["Ann keeps bees."],
        "They planned a trip.",
        "You are dry.",
    );
    let at = |text: &str| {
        told.text
            .find(text)
            .unwrap_or_else(|| panic!("{text:?} in {}", told.text))
    };
    assert!(at("You are dry.") < at("Ann, Bob"));
    assert!(at("Ann, Bob") < at("Ann keeps bees."));
    assert!(at("Ann keeps bees.") < at("Session conversation summary:\nThey planned a trip."));
    assert!(at("They planned a trip.") < at("Ann: line 0."));
    assert!(at("Ann: line 0.") < at("Ann: line 19."));
}

#[test]
fn what_the_service_has_heard_itself_is_not_told_again() {
    let messages: Vec<Message> = (0..10)
        .map(|number| said(number, &format!("line {number}.")))
        .collect();
    let told = told_at(4, &messages, &[], "", "");
    assert!(told.text.contains("line 3."));
    assert!(!told.text.contains("line 4."));
}

#[test]
fn it_reads_the_same_as_long_as_nothing_of_it_changes() {
    let mut messages: Vec<Message> = (0..4).map(|number| said(number, "before.")).collect();
    let before = told_at(10, &messages, &["Ann keeps bees."], "A trip.", "");
    messages.push(said(30, "after."));
    assert_eq!(
        told_at(10, &messages, &["Ann keeps bees."], "A trip.", ""),
        before
    );
}

#[test]
fn however_much_there_is_it_fits_and_no_word_is_cut() {
    let long = "Wonderfully elaborate sentences follow each other here. ".repeat(12);
    let messages: Vec<Message> = (0..200).map(|number| said(number, &long)).collect();
    let facts: Vec<String> = (0..60)
        .map(|number| format!("Ann told {number} elaborate stories."))
        .collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    for wordy in [1, 40, 400] {
        let summary = "They elaborate on sentences. ".repeat(wordy);
        let persona = "You follow each other wonderfully. ".repeat(wordy);
        let told = told_at(1_000, &messages, &facts, &summary, &persona);
        let chars = told.text.chars().count();
        assert!(
            chars <= INSTRUCTIONS_CHARS_MAX - TURN_CHARS_MAX,
            "{chars} characters"
        );
        // Every word that has one of these beginnings is one of these words.
        let words = [
            "Wonderfully",
            "elaborate",
            "sentences.",
            "sentences",
            "wonderfully.",
            "stories.",
        ];
        let known = ["Wond", "elab", "sentences", "wond", "stor"];
        for word in told.text.split_whitespace() {
            let is_one = known.iter().any(|beginning| word.starts_with(beginning));
            assert!(!is_one || words.contains(&word), "{word:?} is cut");
            assert!(
                !word.starts_with("laborate") && !word.starts_with("onderfully"),
                "{word:?} is cut"
            );
        }
    }
}

#[test]
fn what_is_older_goes_first_then_the_summary_then_what_is_known_of_people() {
    let line =
        "So many words were said in this one line that there is hardly any room left for more. ".repeat(2);
    let messages: Vec<Message> = (0..60).map(|number| said(number, &line)).collect();
    let facts: Vec<String> = (0..40)
        .map(|number| format!("Ann told story {number}, which is long and winding and worth hearing twice."))
        .collect();
    let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
    let summary = "They went on about everything there is to go on about. ".repeat(20);
    let told = told_at(1_000, &messages, &facts, &summary, "");
    assert_eq!(fate(&told, "older_continuity"), SectionFate::Dropped);
    assert_ne!(fate(&told, "newest_turns"), SectionFate::Dropped);
    assert_ne!(fate(&told, "participant_memory"), SectionFate::Dropped);
    let kept = |name: &str| {
        let section = told.sections.iter().find(|section| section.name == name);
        section.map_or(0, |section| section.kept_chars)
    };
    assert!(
        kept("newest_turns") > kept("participant_memory"),
        "{:?}",
        told.sections
    );
    assert!(
        kept("participant_memory") >= kept("session_summary"),
        "{:?}",
        told.sections
    );
}
