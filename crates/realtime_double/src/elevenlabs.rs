//! The sockets of ElevenLabs: one hears, and one speaks several texts at once, each in a context of its own.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};

use crate::desk::Mischief;
use crate::server::{Heard, Seat, send};
use crate::tone;

const PACE: Duration = Duration::from_millis(15);

pub(crate) async fn hear(seat: Seat, mut socket: WebSocket) {
    let config = json!({
        "sample_rate": 16_000, "audio_format": "pcm_16000", "model_id": "scribe_v2_realtime",
        "vad_commit_strategy": false, "include_timestamps": false,
    });
    let started =
        json!({"message_type": "session_started", "session_id": seat.id("session"), "config": config});
    if !send(&mut socket, &started).await {
        return;
    }
    let mut bytes = 0;
    while let Heard::Frame(frame) = seat.next(&mut socket).await {
        let sound = frame["audio_base_64"].as_str().and_then(tone::bytes_of);
        let answer = match (frame["message_type"].as_str(), sound) {
            (Some("input_audio_chunk"), Some(more)) => {
                bytes += more;
                match frame["commit"] == true {
                    true if seat.desk.goes_wrong(Mischief::DropOnCommit) => return,
                    true if seat.desk.goes_wrong(Mischief::FailTranscript) => {
                        json!({"message_type": "transcriber_error", "error": "The audio could not be transcribed."})
                    }
                    true if std::mem::take(&mut bytes) < 3_200 => {
                        json!({"message_type": "insufficient_audio_activity", "error": "Too little audio."})
                    }
                    true => json!({"message_type": "committed_transcript", "text": seat.desk.next_words()}),
                    false => continue,
                }
            }
            _ => json!({"message_type": "input_error", "error": "Invalid message."}),
        };
        if !send(&mut socket, &answer).await {
            return;
        }
    }
}

/// A text in the making.
struct Context {
    id: String,
    pieces: VecDeque<Vec<i16>>,
    characters: VecDeque<char>,
    is_closed: bool,
    is_begun: bool,
    sent: usize,
}

pub(crate) async fn speak(seat: Seat, mut socket: WebSocket) {
    let mut contexts: Vec<Context> = Vec::new();
    let mut stalls = false;
    loop {
        let is_saying = !stalls
            && contexts
                .iter()
                .any(|context| context.is_begun || context.is_closed);
        let frame = tokio::select! {
            biased;
            heard = seat.next(&mut socket) => match heard {
                Heard::Frame(frame) if lacks_model(&frame, &seat) => {
                    let frame = CloseFrame { code: 1008, reason: "model_not_found: there is no such model.".into() };
                    let _ = socket.send(Message::Close(Some(frame))).await;
                    return;
                }
                Heard::Frame(frame) => written(&mut contexts, &frame, &seat),
                Heard::Over => return,
            },
            () = tokio::time::sleep(PACE), if is_saying => {
                if seat.desk.goes_wrong(Mischief::StallInSpeech) {
                    stalls = true;
                    continue;
                }
                let sent = contexts.iter().map(|context| context.sent).max().unwrap_or(0);
                if sent >= 2 && seat.desk.goes_wrong(Mischief::DropInSpeech) {
                    return;
                }
                said(&mut contexts)
            }
        };
        if let Some(frame) = frame
            && !send(&mut socket, &frame).await
        {
            return;
        }
    }
}

/// Whether a text shows that there is no such model.
fn lacks_model(frame: &Value, seat: &Seat) -> bool {
    let text = frame["text"].as_str().unwrap_or_default();
    !text.trim().is_empty() && seat.desk.goes_wrong(Mischief::UnknownModelOnceSetUp)
}

fn written(contexts: &mut Vec<Context>, frame: &Value, seat: &Seat) -> Option<Value> {
    let id = frame["context_id"].as_str().unwrap_or("default").to_owned();
    if !contexts.iter().any(|context| context.id == id) {
        contexts.push(Context {
            id: id.clone(),
            pieces: VecDeque::new(),
            characters: VecDeque::new(),
            is_closed: false,
            is_begun: false,
            sent: 0,
        });
    }
    let context = contexts.iter_mut().find(|context| context.id == id)?;
    if frame["close_context"] == true {
        context.is_closed = true;
        return None;
    }
    let text = frame["text"].as_str().unwrap_or_default();
    if !text.trim().is_empty() && seat.desk.goes_wrong(Mischief::RefuseText) {
        contexts.retain(|context| context.id != id);
        return Some(json!({"error": "That cannot be said.", "code": 1008, "contextId": id}));
    }
    if !text.trim().is_empty() {
        context.pieces.extend(tone::pieces(text.trim()));
        context.characters.extend(text.trim().chars());
    }
    context.is_begun |= frame["flush"] == true;
    None
}

/// One more piece of the oldest text.
fn said(contexts: &mut Vec<Context>) -> Option<Value> {
    let place = contexts
        .iter()
        .position(|context| context.is_begun || context.is_closed)?;
    let context = &mut contexts[place];
    let id = context.id.clone();
    if let Some(piece) = context.pieces.pop_front() {
        context.sent += 1;
        // A character takes 60 ms: of a piece of 100 ms there is one, or there are two.
        let count = if context.sent.is_multiple_of(3) { 1 } else { 2 };
        let last = context.pieces.is_empty();
        let mut characters = Vec::new();
        while let Some(character) = (characters.len() < count || last)
            .then(|| context.characters.pop_front())
            .flatten()
        {
            characters.push(character.to_string());
        }
        let starts: Vec<_> = (0..characters.len()).map(|at| at * 50).collect();
        let durations = vec![50; characters.len()];
        let alignment =
            json!({"chars": characters, "charStartTimesMs": starts, "charDurationsMs": durations});
        return Some(json!({
            "audio": tone::encoded(&piece), "contextId": id, "alignment": alignment, "normalizedAlignment": alignment,
        }));
    }
    let is_closed = context.is_closed;
    context.is_begun = false;
    is_closed.then(|| {
        contexts.remove(place);
        json!({"isFinal": true, "contextId": id})
    })
}

/// The older socket, for one text: the vendor's own client has this one.
pub(crate) async fn speak_one(seat: Seat, mut socket: WebSocket) {
    let mut text = String::new();
    while let Heard::Frame(frame) = seat.next(&mut socket).await {
        match frame["text"].as_str() {
            Some("") => break,
            Some(more) => text.push_str(more),
            None => {}
        }
    }
    for piece in tone::pieces(text.trim()) {
        if !send(
            &mut socket,
            &json!({"audio": tone::encoded(&piece), "isFinal": null}),
        )
        .await
        {
            return;
        }
    }
    let _ = send(&mut socket, &json!({"isFinal": true})).await;
    let frame = CloseFrame {
        code: 1000,
        reason: "".into(),
    };
    let _ = socket.send(Message::Close(Some(frame))).await;
}
