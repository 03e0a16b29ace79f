//! The socket of OpenAI's Realtime API, and of xAI's, which has the same events and a way of its own to have a text said.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::ws::WebSocket;
use serde_json::{Value, json};

use crate::desk::{Mischief, Reply};
use crate::openai_saying::Saying;
use crate::server::{Heard, Seat, Vendor, send};
use crate::tone;

/// Between two pieces of sound: faster than they are heard, and slow enough to be stopped in the midst.
const PACE: Duration = Duration::from_millis(15);

pub(crate) struct Session {
    pub(crate) vendor: Vendor,
    pub(crate) seat: Seat,
    pub(crate) session: Value,
    /// The name of what it was sent last.
    pub(crate) about: Value,
    pub(crate) buffered: usize,
    pub(crate) saying: VecDeque<Saying>,
    pub(crate) out: Vec<Value>,
    pub(crate) repeats: bool,
    pub(crate) breaks: bool,
    pub(crate) stalls: bool,
    /// Items of the conversation.
    pub(crate) items: Vec<crate::openai_talk::Item>,
    /// Words that come after others.
    pub(crate) late: Vec<Value>,
}

pub(crate) async fn serve(vendor: Vendor, seat: Seat, mut socket: WebSocket) {
    let mut session = Session {
        vendor,
        session: json!({
            "type": "realtime", "object": "realtime.session", "id": seat.id("sess"), "model": "gpt-realtime-1.5",
            "output_modalities": ["audio"], "instructions": "", "tools": [], "tool_choice": "auto",
            "max_output_tokens": "inf", "expires_at": 2_000_000_000,
            "audio": {
                "input": {"format": {"type": "audio/pcm", "rate": 24_000}, "turn_detection": {"type": "server_vad"}},
                "output": {"format": {"type": "audio/pcm", "rate": 24_000}, "voice": "marin", "speed": 1.0},
            },
        }),
        seat,
        about: Value::Null,
        buffered: 0,
        saying: VecDeque::new(),
        out: Vec::new(),
        repeats: false,
        breaks: false,
        stalls: false,
        items: Vec::new(),
        late: Vec::new(),
    };
    if vendor == Vendor::Xai {
        let conversation = json!({"id": session.seat.id("conv"), "object": "realtime.conversation"});
        session.tell("conversation.created", json!({"conversation": conversation}));
    }
    let created = session.session.clone();
    session.tell("session.created", json!({"session": created}));
    loop {
        for frame in std::mem::take(&mut session.out) {
            let times = if session.repeats { 2 } else { 1 };
            if frame["type"] == "response.output_audio.delta" {
                session.seat.desk.sound(session.seat.connection);
            }
            for _ in 0..times {
                if !send(&mut socket, &frame).await {
                    return;
                }
            }
        }
        if session.breaks {
            return;
        }
        let is_saying = !session.saying.is_empty() && !session.stalls;
        tokio::select! {
            biased;
            heard = session.seat.next(&mut socket) => match heard {
                Heard::Frame(frame) => session.hear(&frame),
                Heard::Over => return,
            },
            () = tokio::time::sleep(PACE), if is_saying => session.speak(),
        }
    }
}

impl Session {
    pub(crate) fn tell(&mut self, kind: &str, more: Value) {
        let mut frame = json!({"type": kind, "event_id": self.seat.id("event")});
        if let (Some(frame), Value::Object(more)) = (frame.as_object_mut(), more) {
            frame.extend(more);
        }
        self.out.push(frame);
    }

    pub(crate) fn complain(&mut self, kind: &str, code: &str, message: &str) {
        let about = self.about.clone();
        let error = json!({"type": kind, "code": code, "message": message, "param": null, "event_id": about});
        self.tell("error", json!({"error": error}));
    }

    fn hear(&mut self, frame: &Value) {
        self.about = frame["event_id"].clone();
        match frame["type"].as_str().unwrap_or_default() {
            "session.update" => self.update(&frame["session"]),
            "input_audio_buffer.append" => match frame["audio"].as_str().and_then(tone::bytes_of) {
                Some(bytes) => self.buffered += bytes,
                None => self.complain("invalid_request_error", "invalid_value", "Invalid 'audio'."),
            },
            "input_audio_buffer.commit" => self.commit(),
            "input_audio_buffer.clear" => {
                self.buffered = 0;
                self.tell("input_audio_buffer.cleared", json!({}));
            }
            "response.create" => self.respond(&frame["response"]),
            "response.cancel" => self.cancel(frame["response_id"].as_str()),
            "conversation.item.create" => match &frame["item"] {
                item if self.vendor == Vendor::Xai && item["type"] == "force_message" => {
                    let text = item["content"][0]["text"].as_str().unwrap_or_default().to_owned();
                    self.begin(&text, json!(null), false);
                }
                item => self.create(item),
            },
            "conversation.item.delete" => {
                let item = frame["item_id"].as_str().unwrap_or_default().to_owned();
                self.items.retain(|kept| kept.id != item);
                match self.seat.desk.forget(self.seat.connection, &item) {
                    true => self.tell("conversation.item.deleted", json!({"item_id": item})),
                    false => self.complain(
                        "invalid_request_error",
                        "item_delete_invalid_item_id_not_found",
                        "Item not found.",
                    ),
                }
            }
            "conversation.item.truncate" => self.truncate(frame),
            other => {
                let message = format!("Invalid value: '{other}'.");
                self.complain("invalid_request_error", "invalid_value", &message);
            }
        }
    }

    fn update(&mut self, wanted: &Value) {
        if self.vendor == Vendor::OpenAi && wanted["type"] != "realtime" {
            return self.complain(
                "invalid_request_error",
                "missing_required_parameter",
                "Missing required parameter: 'session.type'.",
            );
        }
        if self.seat.desk.goes_wrong(Mischief::RateLimit) {
            return self.complain("rate_limit_error", "rate_limit_exceeded", "Rate limit reached.");
        }
        if self.seat.desk.goes_wrong(Mischief::NoQuota) {
            return self.complain(
                "insufficient_quota",
                "insufficient_quota",
                "You exceeded your current quota, please check your plan and billing details.",
            );
        }
        if self.seat.desk.goes_wrong(Mischief::UnknownModelOnceSetUp) {
            self.breaks = true;
            return self.complain(
                "invalid_request_error",
                "model_not_found",
                "The model does not exist.",
            );
        }
        if self.seat.desk.goes_wrong(Mischief::UnknownEars) {
            let error = json!({
                "type": "invalid_request_error", "code": "model_not_found", "message": "The model does not exist.",
                "param": "session.audio.input.transcription.model", "event_id": null,
            });
            return self.tell("error", json!({"error": error}));
        }
        if let Some(wrong) = crate::openai_talk::wrong_tool(&wanted["tools"]) {
            return self.complain("invalid_request_error", "invalid_value", &wrong);
        }
        merge(&mut self.session, wanted);
        let session = self.session.clone();
        self.tell("session.updated", json!({"session": session}));
    }

    fn commit(&mut self) {
        // Less than 100 ms of sound is refused.
        if std::mem::take(&mut self.buffered) < 4_800 {
            return self.complain(
                "invalid_request_error",
                "input_audio_buffer_commit_empty",
                "buffer too small",
            );
        }
        if self.seat.desk.goes_wrong(Mischief::DropOnCommit) {
            self.breaks = true;
            return;
        }
        let item = self.seat.id("item");
        self.seat.desk.remember(self.seat.connection, &item);
        self.tell(
            "input_audio_buffer.committed",
            json!({"item_id": item, "previous_item_id": null}),
        );
        let added = json!({
            "id": item, "object": "realtime.item", "type": "message", "status": "completed", "role": "user",
            "content": [{"type": "input_audio", "transcript": null}],
        });
        self.tell(
            "conversation.item.added",
            json!({"item": added, "previous_item_id": null}),
        );
        if self.seat.desk.goes_wrong(Mischief::FailTranscript) {
            let error = json!({"type": "transcription_error", "code": "audio_unintelligible", "message": "The audio could not be transcribed."});
            return self.tell(
                "conversation.item.input_audio_transcription.failed",
                json!({"item_id": item, "content_index": 0, "error": error}),
            );
        }
        let words = self.seat.desk.next_words();
        self.keep(&item, "user", &words, 0);
        self.tell(
            "conversation.item.input_audio_transcription.delta",
            json!({"item_id": item, "content_index": 0, "delta": words}),
        );
        let whole = json!({
            "item_id": item, "content_index": 0, "transcript": words,
            "usage": {"type": "duration", "seconds": 2.0},
        });
        if self.seat.desk.goes_wrong(Mischief::SwapTranscripts) {
            return self.late.push(whole);
        }
        let late = std::mem::take(&mut self.late);
        for whole in std::iter::once(whole).chain(late) {
            self.tell("conversation.item.input_audio_transcription.completed", whole);
        }
    }

    fn respond(&mut self, response: &Value) {
        if self.seat.desk.goes_wrong(Mischief::RefuseText) {
            return self.complain("invalid_request_error", "invalid_value", "That cannot be said.");
        }
        let is_out_of_band = response["conversation"] == "none";
        if !is_out_of_band && self.saying.iter().any(|saying| !saying.is_out_of_band) {
            return self.complain(
                "invalid_request_error",
                "conversation_already_has_active_response",
                "Conversation already has an active response in progress.",
            );
        }
        let metadata = response["metadata"].clone();
        if is_out_of_band {
            let text = response["input"][0]["content"][0]["text"].as_str();
            return self.begin(text.unwrap_or("Hello."), metadata, true);
        }
        if self.seat.desk.goes_wrong(Mischief::RefuseAnswer) {
            return self.complain(
                "invalid_request_error",
                "invalid_value",
                "That cannot be answered.",
            );
        }
        match self.seat.desk.next_reply() {
            Reply::Words(words) => self.begin(&words, metadata, false),
            Reply::Call { name, arguments } => self.call(&name, &arguments, metadata),
        }
    }
}

/// Puts what is wanted over what is there.
fn merge(into: &mut Value, wanted: &Value) {
    match (into, wanted) {
        (Value::Object(into), Value::Object(wanted)) => {
            for (key, value) in wanted {
                merge(into.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (into, wanted) => *into = wanted.clone(),
    }
}
