//! ElevenLabs' socket of agents: one answers what it is written, and what it hears when that ends.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};

use crate::desk::{Mischief, Reply};
use crate::server::{Heard, Seat, send};
use crate::tone;

const PACE: Duration = Duration::from_millis(15);
/// Samples a second of what an agent says, where nobody has chosen otherwise.
const RATE: usize = 16_000;
/// An agent takes the end of a second and a half for the end of a turn.
const TURN_BYTES: usize = RATE * 2 * 3 / 2;

#[derive(Default)]
struct Agent {
    is_begun: bool,
    heard: usize,
    saying: Option<VecDeque<Vec<i16>>>,
    /// Counts what it sends, as clients have it.
    events: u64,
    sent: usize,
    stalls: bool,
    call: Option<String>,
}

pub(crate) async fn serve(seat: Seat, mut socket: WebSocket) {
    let mut agent = Agent::default();
    loop {
        let is_saying = agent.saying.is_some() && !agent.stalls;
        let frames = tokio::select! {
            biased;
            heard = seat.next(&mut socket) => match heard {
                Heard::Frame(frame) => match agent.hear(&frame, &seat) {
                    Ok(frames) => frames,
                    Err(why) => {
                        let frame = CloseFrame { code: 1008, reason: why.into() };
                        let _ = socket.send(Message::Close(Some(frame))).await;
                        return;
                    }
                },
                Heard::Over => return,
            },
            () = tokio::time::sleep(PACE), if is_saying => match agent.speak(&seat) {
                Some(frames) => frames,
                None => return,
            },
        };
        for frame in frames {
            if !send(&mut socket, &frame).await {
                return;
            }
        }
    }
}

impl Agent {
    fn hear(&mut self, frame: &Value, seat: &Seat) -> Result<Vec<Value>, String> {
        let mut frames = Vec::new();
        if let Some(sound) = frame["user_audio_chunk"].as_str() {
            self.heard += tone::bytes_of(sound).ok_or("Invalid message received: audio")?;
            if self.heard >= TURN_BYTES {
                self.heard = 0;
                let words = seat.desk.next_words();
                let event = json!({"user_transcript": words, "event_id": self.event()});
                frames.push(json!({"type": "user_transcript", "user_transcription_event": event}));
                self.answer(seat, &mut frames);
            }
            return Ok(frames);
        }
        let text = || frame["text"].as_str().unwrap_or_default();
        match frame["type"].as_str().unwrap_or_default() {
            "conversation_initiation_client_data" if !self.is_begun => {
                self.is_begun = true;
                let prompt = &frame["conversation_config_override"]["agent"]["prompt"]["prompt"];
                seat.desk
                    .know(seat.connection, "system", prompt.as_str().unwrap_or_default());
                let event = json!({
                    "conversation_id": seat.id("conv"), "agent_output_audio_format": "pcm_16000",
                    "user_input_audio_format": "pcm_16000",
                });
                frames.push(json!({
                    "type": "conversation_initiation_metadata",
                    "conversation_initiation_metadata_event": event,
                }));
                let ping = json!({"event_id": self.event(), "ping_ms": 20});
                frames.push(json!({"type": "ping", "ping_event": ping}));
            }
            _ if !self.is_begun => return Err("Invalid message received: it has not begun".to_owned()),
            "pong" | "user_activity" => {}
            "contextual_update" => seat.desk.know(seat.connection, "context", text()),
            "user_message" => {
                seat.desk.know(seat.connection, "user", text());
                self.interrupt(&mut frames);
                self.answer(seat, &mut frames);
            }
            "client_tool_result" => {
                if self.call.take().as_deref() != frame["tool_call_id"].as_str() {
                    return Err("Invalid message received: no such tool call".to_owned());
                }
                let result = frame["result"].as_str().unwrap_or_default();
                seat.desk.know(seat.connection, "result", result);
                self.answer(seat, &mut frames);
            }
            other => return Err(format!("Invalid message received: {other}")),
        }
        Ok(frames)
    }

    fn event(&mut self) -> u64 {
        self.events += 1;
        self.events
    }

    fn interrupt(&mut self, frames: &mut Vec<Value>) {
        if self.saying.take().is_some() {
            let event = json!({"event_id": self.event()});
            frames.push(json!({"type": "interruption", "interruption_event": event}));
        }
    }

    fn answer(&mut self, seat: &Seat, frames: &mut Vec<Value>) {
        match seat.desk.next_reply() {
            Reply::Words(words) => {
                seat.desk.know(seat.connection, "agent", &words);
                let event = json!({"agent_response": words, "event_id": self.event()});
                frames.push(json!({"type": "agent_response", "agent_response_event": event}));
                self.saying = Some(tone::pieces_at(&words, RATE).into());
                self.sent = 0;
            }
            Reply::Call { name, arguments } => {
                let id = seat.id("tool");
                let call = json!({
                    "tool_name": name, "tool_call_id": id, "parameters": arguments, "event_id": self.event(),
                });
                frames.push(json!({"type": "client_tool_call", "client_tool_call": call}));
                self.call = Some(id);
            }
        }
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
        let event = self.event();
        match self.saying.as_mut().and_then(VecDeque::pop_front) {
            Some(piece) => {
                let audio = json!({"audio_base_64": tone::encoded(&piece), "event_id": event});
                Some(vec![json!({"type": "audio", "audio_event": audio})])
            }
            None => {
                self.saying = None;
                let complete = json!({"event_id": event});
                Some(vec![json!({
                    "type": "agent_response_complete", "agent_response_complete_event": complete,
                })])
            }
        }
    }
}
