//! The socket of Gemini's Live API.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};

use crate::desk::Mischief;
use crate::server::{Heard, Seat, send};
use crate::tone;

const PACE: Duration = Duration::from_millis(15);

#[derive(Default)]
struct Session {
    is_set_up: bool,
    transcribes: bool,
    tells_words: bool,
    is_active: bool,
    heard: usize,
    saying: Option<VecDeque<(Vec<i16>, String)>>,
    sent: usize,
    stalls: bool,
    repeats: bool,
}

pub(crate) async fn serve(seat: Seat, mut socket: WebSocket) {
    let mut session = Session::default();
    loop {
        let is_saying = session.saying.is_some() && !session.stalls;
        let frames = tokio::select! {
            biased;
            heard = seat.next(&mut socket) => match heard {
                Heard::Frame(frame) => match session.hear(&camel(frame), &seat) {
                    Ok(frames) => frames,
                    Err(why) => {
                        let frame = CloseFrame { code: 1007, reason: why.into() };
                        let _ = socket.send(Message::Close(Some(frame))).await;
                        return;
                    }
                },
                Heard::Over => return,
            },
            () = tokio::time::sleep(PACE), if is_saying => match session.speak(&seat) {
                Some(frames) => frames,
                None => return,
            },
        };
        for frame in frames {
            let times = if session.repeats { 2 } else { 1 };
            for _ in 0..times {
                if !send(&mut socket, &frame).await {
                    return;
                }
            }
        }
        if session.heard > 0 && !session.is_active && seat.desk.goes_wrong(Mischief::DropOnCommit) {
            return;
        }
    }
}

/// The API takes names written either way, and Google's own client writes some in one way and some in the other.
fn camel(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let named = |name: String| {
                let mut parts = name.split('_');
                let first = parts.next().unwrap_or_default().to_owned();
                parts.fold(first, |name, part| {
                    let mut letters = part.chars();
                    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
                    name + &first.into_iter().chain(letters).collect::<String>()
                })
            };
            let fields = fields.into_iter();
            Value::Object(fields.map(|(name, value)| (named(name), camel(value))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(camel).collect()),
        other => other,
    }
}

impl Session {
    fn hear(&mut self, frame: &Value, seat: &Seat) -> Result<Vec<Value>, String> {
        if let Some(setup) = frame.get("setup") {
            return self.set_up(setup, seat);
        }
        if !self.is_set_up {
            return Err("Request contains an invalid argument: setup must be first.".to_owned());
        }
        let mut frames = Vec::new();
        let input = &frame["realtimeInput"];
        if input.get("activityStart").is_some() {
            self.interrupt(&mut frames);
            (self.is_active, self.heard) = (true, 0);
        }
        if let Some(data) = input["audio"]["data"].as_str() {
            let mime = input["audio"]["mimeType"].as_str().unwrap_or_default();
            if !self.is_active || !mime.starts_with("audio/pcm") {
                return Err("Request contains an invalid argument: audio outside of an activity.".to_owned());
            }
            self.heard += tone::bytes_of(data).ok_or("Request contains an invalid argument: audio.")?;
        }
        if input.get("activityEnd").is_some() {
            self.is_active = false;
            if self.transcribes {
                for words in tone::words(&seat.desk.next_words()) {
                    frames.push(json!({"serverContent": {"inputTranscription": {"text": words}}}));
                }
            }
            self.begin("Hm.", seat);
        }
        let content = &frame["clientContent"];
        if content["turnComplete"] == true {
            self.interrupt(&mut frames);
            let text = content["turns"][0]["parts"][0]["text"]
                .as_str()
                .unwrap_or_default();
            self.begin(text, seat);
        }
        Ok(frames)
    }

    fn set_up(&mut self, setup: &Value, seat: &Seat) -> Result<Vec<Value>, String> {
        let model = setup["model"].as_str().unwrap_or_default();
        if self.is_set_up || !model.starts_with("models/") {
            return Err("Request contains an invalid argument: model.".to_owned());
        }
        self.is_set_up = true;
        self.transcribes = setup.get("inputAudioTranscription").is_some();
        self.tells_words = setup.get("outputAudioTranscription").is_some();
        let mut frames = vec![json!({"setupComplete": {"sessionId": seat.id("session")}})];
        if setup.get("sessionResumption").is_some() {
            frames.push(
                json!({"sessionResumptionUpdate": {"newHandle": seat.id("handle"), "resumable": true}}),
            );
        }
        if seat.desk.goes_wrong(Mischief::GoAway) {
            frames.push(json!({"goAway": {"timeLeft": "5s"}}));
        }
        Ok(frames)
    }

    /// Whatever is said when something new comes is over.
    fn interrupt(&mut self, frames: &mut Vec<Value>) {
        if self.saying.take().is_some() {
            frames.push(json!({"serverContent": {"interrupted": true}}));
            frames.push(json!({"serverContent": {"turnComplete": true}}));
        }
    }

    fn begin(&mut self, text: &str, seat: &Seat) {
        let text = match seat.desk.goes_wrong(Mischief::Depart) {
            true => "Certainly! Here is something else entirely that nobody has asked for.",
            false => text,
        };
        self.repeats = seat.desk.goes_wrong(Mischief::Repeat);
        let mut words = tone::words(text).into_iter();
        let pieces = tone::pieces(text);
        self.saying = Some(
            pieces
                .into_iter()
                .map(|piece| (piece, words.next().unwrap_or_default()))
                .collect(),
        );
        self.sent = 0;
    }

    /// One more piece; none where the connection breaks.
    fn speak(&mut self, seat: &Seat) -> Option<Vec<Value>> {
        if seat.desk.goes_wrong(Mischief::StallInSpeech) {
            self.stalls = true;
            return Some(Vec::new());
        }
        if self.sent >= 2 && seat.desk.goes_wrong(Mischief::DropInSpeech) {
            return None;
        }
        self.sent += 1;
        let piece = self.saying.as_mut().and_then(VecDeque::pop_front);
        let Some((samples, word)) = piece else {
            self.saying = None;
            self.repeats = false;
            return Some(vec![
                json!({"serverContent": {"generationComplete": true}}),
                json!({
                    "serverContent": {"turnComplete": true},
                    "usageMetadata": {
                        "promptTokenCount": 20, "responseTokenCount": 30, "totalTokenCount": 50,
                        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 20}],
                        "responseTokensDetails": [{"modality": "AUDIO", "tokenCount": 30}],
                    },
                }),
            ]);
        };
        let data = json!({"mimeType": "audio/pcm;rate=24000", "data": tone::encoded(&samples)});
        let mut frames =
            vec![json!({"serverContent": {"modelTurn": {"role": "model", "parts": [{"inlineData": data}]}}})];
        if self.tells_words && !word.is_empty() {
            frames.push(json!({"serverContent": {"outputTranscription": {"text": word}}}));
        }
        Some(frames)
    }
}
