//! What OpenAI's Realtime API, or xAI's, says: piece by piece, until it is over or is to stop.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::desk::Mischief;
use crate::openai::Session;
use crate::tone;

/// What is being said.
pub(crate) struct Saying {
    response: String,
    item: String,
    pieces: VecDeque<Vec<i16>>,
    words: VecDeque<String>,
    metadata: Value,
    pub(crate) is_out_of_band: bool,
    sent: usize,
    said: String,
    samples: usize,
    /// It was to stop, and goes on for a while.
    goes_on: usize,
    is_cancelled: bool,
}

impl Session {
    pub(crate) fn begin(&mut self, text: &str, metadata: Value, is_out_of_band: bool) {
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
        self.tell(
            "response.content_part.added",
            json!({
                "response_id": response, "item_id": item, "output_index": 0, "content_index": 0,
                "part": {"type": "audio", "transcript": ""},
            }),
        );
        self.saying.push_back(Saying {
            response,
            item,
            pieces: tone::pieces(text).into(),
            words: tone::words(text).into(),
            metadata,
            is_out_of_band,
            sent: 0,
            said: String::new(),
            samples: 0,
            goes_on: 0,
            is_cancelled: false,
        });
    }

    pub(crate) fn response(&self, id: &str, status: &str, metadata: &Value, is_out_of_band: bool) -> Value {
        json!({
            "id": id, "object": "realtime.response", "status": status, "status_details": null, "output": [],
            "conversation_id": if is_out_of_band { json!(null) } else { json!("conv_1") },
            "output_modalities": ["audio"], "max_output_tokens": "inf", "metadata": metadata,
        })
    }

    /// One more piece of what is being said.
    pub(crate) fn speak(&mut self) {
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
        saying.said.push_str(word.as_deref().unwrap_or_default());
        saying.samples += piece.as_ref().map_or(0, Vec::len);
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
            "input_token_details": {
                "text_tokens": 120, "audio_tokens": 0, "cached_tokens": 20,
                "cached_tokens_details": {"text_tokens": 20, "audio_tokens": 0},
            },
            "output_token_details": {"text_tokens": 20, "audio_tokens": 120},
        });
        if saying.is_cancelled {
            done["status_details"] = json!({"type": "cancelled", "reason": "client_cancelled"});
        }
        self.done(saying, &mut done);
        self.tell("response.done", json!({"response": done}));
        let limits = json!([{"name": "tokens", "limit": 40_000, "remaining": 39_000, "reset_seconds": 1.5}]);
        self.tell("rate_limits.updated", json!({"rate_limits": limits}));
        self.repeats = false;
    }

    pub(crate) fn is_saying(&self, item: &str) -> bool {
        self.saying.iter().any(|saying| saying.item == item)
    }

    /// What was said is whole, or cut short: the ends of its parts.
    fn done(&mut self, saying: &Saying, done: &mut Value) {
        let of = |more: Value| {
            let mut of = json!({"response_id": saying.response, "item_id": saying.item, "output_index": 0, "content_index": 0});
            if let (Some(of), Value::Object(more)) = (of.as_object_mut(), more) {
                of.extend(more);
            }
            of
        };
        let part = json!({"type": "audio", "transcript": saying.said});
        self.tell("response.output_audio.done", of(json!({})));
        self.tell(
            "response.output_audio_transcript.done",
            of(json!({"transcript": saying.said})),
        );
        self.tell("response.content_part.done", of(json!({"part": part})));
        let status = if saying.is_cancelled {
            "incomplete"
        } else {
            "completed"
        };
        let item = json!({
            "id": saying.item, "object": "realtime.item", "type": "message", "status": status, "role": "assistant",
            "content": [{"type": "output_audio", "transcript": saying.said}],
        });
        self.tell(
            "response.output_item.done",
            json!({"response_id": saying.response, "output_index": 0, "item": item}),
        );
        if !saying.is_out_of_band {
            self.keep(
                &saying.item,
                "assistant",
                &saying.said,
                saying.samples * 1_000 / tone::RATE,
            );
            self.tell(
                "conversation.item.done",
                json!({"item": item, "previous_item_id": null}),
            );
        }
        done["output"] = json!([item]);
    }

    pub(crate) fn cancel(&mut self, response: Option<&str>) {
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
