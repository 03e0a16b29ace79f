//! The socket of OpenAI's Realtime API, and of xAI's, which has the same events and a way of its own to have a text said.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::ws::WebSocket;
use serde_json::{Value, json};

use crate::desk::Mischief;
use crate::server::{Heard, Seat, Vendor, send};
use crate::tone;

/// Between two pieces of sound: faster than they are heard, and slow enough to be stopped in the midst.
const PACE: Duration = Duration::from_millis(15);

/// What is being said.
struct Saying {
    response: String,
    item: String,
    pieces: VecDeque<Vec<i16>>,
    words: VecDeque<String>,
    metadata: Value,
    is_out_of_band: bool,
    sent: usize,
    /// It was to stop, and goes on for a while.
    goes_on: usize,
    is_cancelled: bool,
}

struct Session {
    vendor: Vendor,
    seat: Seat,
    session: Value,
    buffered: usize,
    saying: VecDeque<Saying>,
    out: Vec<Value>,
    repeats: bool,
    breaks: bool,
    stalls: bool,
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
        buffered: 0,
        saying: VecDeque::new(),
        out: Vec::new(),
        repeats: false,
        breaks: false,
        stalls: false,
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
    fn tell(&mut self, kind: &str, more: Value) {
        let mut frame = json!({"type": kind, "event_id": self.seat.id("event")});
        if let (Some(frame), Value::Object(more)) = (frame.as_object_mut(), more) {
            frame.extend(more);
        }
        self.out.push(frame);
    }

    fn complain(&mut self, kind: &str, code: &str, message: &str) {
        let error = json!({"type": kind, "code": code, "message": message, "param": null, "event_id": null});
        self.tell("error", json!({"error": error}));
    }

    fn hear(&mut self, frame: &Value) {
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
            "conversation.item.create" => self.create(&frame["item"]),
            "conversation.item.delete" => {
                let item = frame["item_id"].as_str().unwrap_or_default().to_owned();
                match self.seat.desk.forget(self.seat.connection, &item) {
                    true => self.tell("conversation.item.deleted", json!({"item_id": item})),
                    false => self.complain(
                        "invalid_request_error",
                        "item_delete_invalid_item_id_not_found",
                        "Item not found.",
                    ),
                }
            }
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
        self.tell(
            "conversation.item.input_audio_transcription.delta",
            json!({"item_id": item, "content_index": 0, "delta": words}),
        );
        self.tell(
            "conversation.item.input_audio_transcription.completed",
            json!({
                "item_id": item, "content_index": 0, "transcript": words,
                "usage": {"type": "duration", "seconds": 2.0},
            }),
        );
    }

    fn create(&mut self, item: &Value) {
        let text = item["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        if self.vendor == Vendor::Xai && item["type"] == "force_message" {
            return self.begin(&text, json!(null), false);
        }
        let id = self.seat.id("item");
        self.seat.desk.remember(self.seat.connection, &id);
        let mut added = item.clone();
        added["id"] = json!(id);
        added["object"] = json!("realtime.item");
        added["status"] = json!("completed");
        self.tell(
            "conversation.item.added",
            json!({"item": added, "previous_item_id": null}),
        );
    }

    fn respond(&mut self, response: &Value) {
        if self.seat.desk.goes_wrong(Mischief::RefuseText) {
            return self.complain("invalid_request_error", "invalid_value", "That cannot be said.");
        }
        let text = response["input"][0]["content"][0]["text"]
            .as_str()
            .unwrap_or("Hello.")
            .to_owned();
        let is_out_of_band = response["conversation"] == "none";
        if !is_out_of_band && self.saying.iter().any(|saying| !saying.is_out_of_band) {
            return self.complain(
                "invalid_request_error",
                "conversation_already_has_active_response",
                "Conversation already has an active response in progress.",
            );
        }
        self.begin(&text, response["metadata"].clone(), is_out_of_band);
    }

    fn begin(&mut self, text: &str, metadata: Value, is_out_of_band: bool) {
        let text = match self.seat.desk.goes_wrong(Mischief::Depart) {
            true => "Certainly! Here is something else entirely that nobody has asked for.",
            false => text,
        };
        self.repeats = self.seat.desk.goes_wrong(Mischief::Repeat);
        let (response, item) = (self.seat.id("resp"), self.seat.id("item"));
        if !is_out_of_band {
            self.seat.desk.remember(self.seat.connection, &item);
        }
        let begun = self.response(&response, "in_progress", &metadata, is_out_of_band);
        self.tell("response.created", json!({"response": begun}));
        let added = json!({
            "id": item, "object": "realtime.item", "type": "message", "status": "in_progress",
            "role": "assistant", "content": [],
        });
        self.tell(
            "response.output_item.added",
            json!({"response_id": response, "output_index": 0, "item": added}),
        );
        if !is_out_of_band {
            self.tell(
                "conversation.item.added",
                json!({"item": added, "previous_item_id": null}),
            );
        }
        self.saying.push_back(Saying {
            response,
            item,
            pieces: tone::pieces(text).into(),
            words: tone::words(text).into(),
            metadata,
            is_out_of_band,
            sent: 0,
            goes_on: 0,
            is_cancelled: false,
        });
    }

    fn response(&self, id: &str, status: &str, metadata: &Value, is_out_of_band: bool) -> Value {
        json!({
            "id": id, "object": "realtime.response", "status": status, "status_details": null, "output": [],
            "conversation_id": if is_out_of_band { json!(null) } else { json!("conv_1") },
            "output_modalities": ["audio"], "max_output_tokens": "inf", "metadata": metadata,
        })
    }

    /// One more piece of what is being said.
    fn speak(&mut self) {
        if self.seat.desk.goes_wrong(Mischief::StallInSpeech) {
            self.stalls = true;
            return;
        }
        let breaks = self.saying.front().is_some_and(|saying| saying.sent >= 2)
            && self.seat.desk.goes_wrong(Mischief::DropInSpeech);
        if breaks {
            self.breaks = true;
            return;
        }
        let Some(saying) = self.saying.front_mut() else {
            return;
        };
        let (response, item) = (saying.response.clone(), saying.item.clone());
        let more = |key: &str, value: Value| {
            let mut more =
                json!({"response_id": response, "item_id": item, "output_index": 0, "content_index": 0});
            more[key] = value;
            more
        };
        let (word, piece) = (saying.words.pop_front(), saying.pieces.pop_front());
        saying.sent += 1;
        if saying.is_cancelled {
            saying.goes_on = saying.goes_on.saturating_sub(1);
        }
        let is_over = (word.is_none() && piece.is_none()) || (saying.is_cancelled && saying.goes_on == 0);
        if let Some(word) = word {
            let word = more("delta", json!(word));
            self.tell("response.output_audio_transcript.delta", word);
        }
        if let Some(piece) = piece {
            let piece = more("delta", json!(tone::encoded(&piece)));
            self.tell("response.output_audio.delta", piece);
        }
        if is_over && let Some(saying) = self.saying.pop_front() {
            self.end(&saying);
        }
    }

    fn end(&mut self, saying: &Saying) {
        let status = if saying.is_cancelled {
            "cancelled"
        } else {
            "completed"
        };
        let mut done = self.response(&saying.response, status, &saying.metadata, saying.is_out_of_band);
        done["usage"] = json!({
            "total_tokens": 260, "input_tokens": 120, "output_tokens": 140,
            "input_token_details": {"text_tokens": 120, "audio_tokens": 0, "cached_tokens": 0},
            "output_token_details": {"text_tokens": 20, "audio_tokens": 120},
        });
        if saying.is_cancelled {
            done["status_details"] = json!({"type": "cancelled", "reason": "client_cancelled"});
        }
        if !saying.is_cancelled {
            let of = json!({"response_id": saying.response, "item_id": saying.item, "output_index": 0, "content_index": 0});
            self.tell("response.output_audio.done", of);
        }
        self.tell("response.done", json!({"response": done}));
        let limits = json!([{"name": "tokens", "limit": 40_000, "remaining": 39_000, "reset_seconds": 1.5}]);
        self.tell("rate_limits.updated", json!({"rate_limits": limits}));
        self.repeats = false;
    }

    fn cancel(&mut self, response: Option<&str>) {
        let goes_on = self.seat.desk.goes_wrong(Mischief::GoOnAfterCancel);
        let saying = self.saying.iter_mut().find(|saying| {
            response.is_none_or(|response| saying.response == response) && !saying.is_cancelled
        });
        match saying {
            Some(saying) => {
                saying.is_cancelled = true;
                saying.goes_on = if goes_on { 12 } else { 1 };
            }
            None => self.complain(
                "invalid_request_error",
                "response_cancel_not_active",
                "Cancellation failed: no active response found",
            ),
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
