//! The session of a room: looking at it, ending it, and noting what was seen beside it.

use mind::context::compaction::SessionView;
use mind::context::compaction::{FinishedRun, RunView};
use mind::context::notes::PendingNote;
use mind::log::{Modality, TimelineTurn};
use mind::{Input, RoomEvent};
use reqwest::Method;
use serde_json::{Value, json};
use vocabulary::{AskId, NoteSeq, RoomId, Span, TurnSeq, WallTime};

use crate::caller::answer;
use crate::driver::{House, open, open_with};

const SESSION: &str = "/api/rooms/lounge/session";
const NOTES: &str = "/api/rooms/lounge/notes";

/// A session in which something of every kind is there.
pub fn long_session() -> SessionView {
    SessionView {
        enabled: true,
        summary: "Alice and Bob planned tea.".into(),
        summarised_at: Some(WallTime(900)),
        cursor: 10,
        turns: 12,
        verbatim: vec![
            turn(10, Modality::Typed, Some("alice-001")),
            turn(11, Modality::Note, None),
        ],
        pending_notes: vec![PendingNote {
            seq: NoteSeq(4),
            at: WallTime(950),
            shared_by: "Bob".into(),
            text: "a kettle".into(),
        }],
        run: Some(RunView {
            ask: AskId(9),
            cursor: TurnSeq(10),
            turns: 2,
            notes: 1,
            condensing: false,
        }),
        finished: vec![FinishedRun {
            at: WallTime(900),
            took: Span(2_400),
            old_cursor: TurnSeq(0),
            new_cursor: TurnSeq(10),
            ask: None,
            summariser: "offline".into(),
            turns: vec!["Alice: tea?".into()],
            notes: vec!["Bob shared: a teapot".into()],
            summary: "Alice and Bob planned tea.".into(),
        }],
        recent_window: 50,
        batch_size: 10,
        summary_chars_max: 1_200,
    }
}

fn turn(seq: u64, modality: Modality, message: Option<&str>) -> TimelineTurn {
    TimelineTurn {
        seq: TurnSeq(seq),
        speaker: "Alice".into(),
        at: WallTime(950),
        modality,
        text: "who brings milk?".into(),
        message: message.map(Into::into),
    }
}

fn heard(house: &House) -> Vec<Input> {
    house.store.kept().heard.clone()
}

#[tokio::test]
async fn a_session_is_shown_as_the_mind_has_it() {
    let lounge = |store: &crate::stand_ins::MemoryStore| {
        store
            .kept()
            .sessions
            .insert(RoomId::from("lounge"), long_session());
    };
    let house = open_with(lounge, 10, false).await;
    let shown = house.caller.get(SESSION).await.ok(200);
    assert_eq!(
        shown,
        json!({
            "enabled": true, "summary": "Alice and Bob planned tea.", "summarisedAt": 900, "cursor": 10, "turns": 12,
            "verbatim": [
                {"seq": 10, "speaker": "Alice", "at": 950, "modality": "typed", "text": "who brings milk?", "message": "alice-001"},
                {"seq": 11, "speaker": "Alice", "at": 950, "modality": "note", "text": "who brings milk?"},
            ],
            "pendingNotes": [{"seq": 4, "at": 950, "sharedBy": "Bob", "text": "a kettle"}],
            "run": {"ask": 9, "cursor": 10, "turns": 2, "notes": 1, "condensing": false},
            "finished": [{"at": 900, "took": 2400, "oldCursor": 0, "newCursor": 10, "ask": null, "summariser": "offline",
                "turns": ["Alice: tea?"], "notes": ["Bob shared: a teapot"], "summary": "Alice and Bob planned tea."}],
            "recentWindow": 50, "batchSize": 10, "summaryCharsMax": 1200
        })
    );
}

#[tokio::test]
async fn where_nothing_was_said_the_session_is_empty_and_says_whether_it_would_be_folded() {
    let house = open().await;
    let empty = |enabled: bool| {
        json!({
            "enabled": enabled, "summary": "", "summarisedAt": null, "cursor": 0, "turns": 0, "verbatim": [],
            "pendingNotes": [], "run": null, "finished": [], "recentWindow": 50, "batchSize": 10, "summaryCharsMax": 1200
        })
    };
    assert_eq!(house.caller.get(SESSION).await.ok(200), empty(true));
    switch_off(&house).await;
    assert_eq!(house.caller.get(SESSION).await.ok(200), empty(false));
}

#[tokio::test]
async fn sessions_of_rooms_that_are_not_there_are_refused() {
    let house = open().await;
    let note = json!({"text": "a kettle"});
    let get = house.caller.get("/api/rooms/attic/session").await;
    get.refused(404, "unknown_room");
    let end = house.caller.request(Method::POST, "/api/rooms/attic/session/end");
    answer(end).await.refused(404, "unknown_room");
    let noted = house.caller.post("/api/rooms/attic/notes", &note).await;
    noted.refused(404, "unknown_room");
    assert_eq!(heard(&house), []);
}

#[tokio::test]
async fn ending_a_session_needs_no_body() {
    let house = open().await;
    let end = house
        .caller
        .request(Method::POST, "/api/rooms/lounge/session/end");
    assert_eq!(answer(end).await.ok(202), Value::Null);
    let room = RoomId::from("lounge");
    assert_eq!(heard(&house), [Input::Room(room, RoomEvent::SessionEnded)]);
}

#[tokio::test]
async fn notes_are_taken_with_or_without_somebody_who_shared_them() {
    let house = open().await;
    let whole = "é".repeat(400);
    for (body, shared_by, text) in [
        (
            json!({"sharedBy": " Bob ", "text": " a kettle\n"}),
            "Bob",
            "a kettle",
        ),
        (json!({"text": whole}), "", whole.as_str()),
        (json!({"sharedBy": null, "text": "steam"}), "", "steam"),
    ] {
        house.caller.post(NOTES, &body).await.ok(204);
        let note = Input::Room(
            RoomId::from("lounge"),
            RoomEvent::NoteTaken {
                shared_by: shared_by.into(),
                text: text.into(),
            },
        );
        assert_eq!(heard(&house).last(), Some(&note));
    }
}

#[tokio::test]
async fn what_cannot_be_a_note_is_refused_with_a_remedy() {
    let house = open().await;
    for text in ["", " \n", "a\u{0}b"] {
        let answer = house.caller.post(NOTES, &json!({"text": text})).await;
        answer.refused(422, "invalid_note");
    }
    let long = json!({"text": "é".repeat(401)});
    let problem = house.caller.post(NOTES, &long).await.refused(422, "invalid_note");
    assert!(problem.contains("400") && problem.contains("401"), "{problem}");
    for name in ["x".repeat(41), "a\u{7}b".into()] {
        let note = json!({"text": "a kettle", "sharedBy": name});
        let answer = house.caller.post(NOTES, &note).await;
        answer.refused(422, "invalid_author");
    }
    let nothing = house.caller.post(NOTES, &json!({"sharedBy": "Bob"})).await;
    nothing.refused(422, "invalid_field");
    let more = json!({"text": "a", "author": "Bob"});
    house
        .caller
        .post(NOTES, &more)
        .await
        .refused(422, "unknown_field");
    assert_eq!(heard(&house), []);
}

#[tokio::test]
async fn a_note_that_would_be_lost_is_not_taken() {
    let house = open().await;
    switch_off(&house).await;
    let before = heard(&house);
    let answer = house.caller.post(NOTES, &json!({"text": "a kettle"})).await;
    let problem = answer.refused(409, "compaction_off");
    assert!(problem.contains("context.compaction.textChannels"), "{problem}");
    assert_eq!(heard(&house), before);
}

#[tokio::test]
async fn a_community_that_stops_says_so_instead_of_showing_an_empty_session() {
    let mut house = open().await;
    house.stop_driver().await;
    house.caller.get(SESSION).await.refused(503, "stopping");
    let end = house
        .caller
        .request(Method::POST, "/api/rooms/lounge/session/end");
    answer(end).await.refused(503, "stopping");
    let note = house.caller.post(NOTES, &json!({"text": "a kettle"})).await;
    note.refused(503, "stopping");
}

async fn switch_off(house: &House) {
    let change = json!({"changes": {"context.compaction.textChannels": false}});
    let request = house.caller.with_json(Method::PUT, "/api/settings", &change);
    answer(request.header("if-match", "\"0\"")).await.ok(200);
}
