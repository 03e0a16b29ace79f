//! The socket of Gemini's Live API.

use std::collections::VecDeque;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};

use crate::desk::{Mischief, Reply};
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
    /// It answers out of its own head; else it only listens, or reads aloud.
    thinks: bool,
    /// What was said before is told first, and not answered.
    awaits_history: bool,
    /// A call whose result is to come.
    call: Option<String>,
    /// It speaks on, and ends its turn, while what it has called is being done: unless it is told to wait.
    goes_on: bool,
    /// What came of a call is answered when it has said what it is saying.
    owes_reply: bool,
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
                        let code = if why.contains("is not found for API version") { 1008 } else { 1007 };
                        let frame = CloseFrame { code, reason: why.into() };
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
            if let Some(call) = self.call.take_if(|_| !self.goes_on) {
                frames.push(json!({"toolCallCancellation": {"ids": [call]}}));
                frames.push(json!({"serverContent": {"interrupted": true}}));
                frames.push(json!({"serverContent": {"turnComplete": true}}));
            }
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
        if let Some(text) = input["text"].as_str() {
            if !self.is_active {
                return Err("Request contains an invalid argument: text outside of an activity.".to_owned());
            }
            seat.desk.know(seat.connection, "user", text);
        }
        self.told(frame, seat, &mut frames)?;
        if input.get("activityEnd").is_some() {
            self.is_active = false;
            if self.transcribes {
                for words in tone::words(&seat.desk.next_words()) {
                    frames.push(json!({"serverContent": {"inputTranscription": {"text": words}}}));
                }
            }
            match self.thinks {
                true => self.reply(seat, &mut frames),
                false => self.begin("Hm.", seat),
            }
        }
        let content = &frame["clientContent"];
        if content["turnComplete"] == true && !self.awaits_history {
            self.interrupt(&mut frames);
            let text = content["turns"][0]["parts"][0]["text"]
                .as_str()
                .unwrap_or_default();
            self.begin(text, seat);
        }
        if content["turnComplete"] == true {
            self.awaits_history = false;
        }
        Ok(frames)
    }

    /// What is told besides what people say: history, instructions, and what calls came to.
    fn told(&mut self, frame: &Value, seat: &Seat, frames: &mut Vec<Value>) -> Result<(), String> {
        if self.awaits_history {
            for turn in frame["clientContent"]["turns"].as_array().into_iter().flatten() {
                let text = turn["parts"][0]["text"].as_str().unwrap_or_default();
                seat.desk
                    .know(seat.connection, turn["role"].as_str().unwrap_or_default(), text);
            }
        }
        if let Some(update) = frame.get("contextUpdate")
            && let Some(text) = update["systemInstruction"]["parts"][0]["text"].as_str()
        {
            seat.desk.know(seat.connection, "system", text);
            self.goes_on = goes_on(&update["tools"]["tools"]);
        }
        for response in frame["toolResponse"]["functionResponses"]
            .as_array()
            .into_iter()
            .flatten()
        {
            if self.call.is_none() || response["id"].as_str() != self.call.as_deref() {
                return Err("Request contains an invalid argument: no such call.".to_owned());
            }
            self.call = None;
            seat.desk
                .know(seat.connection, "result", &response["response"].to_string());
            match self.saying.is_some() {
                true => self.owes_reply = true,
                false => self.reply(seat, frames),
            }
        }
        Ok(())
    }

    fn reply(&mut self, seat: &Seat, frames: &mut Vec<Value>) {
        match seat.desk.next_reply() {
            Reply::Words(words) => {
                seat.desk.know(seat.connection, "model", &words);
                self.begin(&words, seat);
            }
            Reply::Call { name, arguments } => {
                let id = seat.id("call");
                let call = json!({"id": id, "name": name, "args": arguments});
                frames.push(json!({"toolCall": {"functionCalls": [call]}}));
                self.call = Some(id);
                if self.goes_on {
                    self.begin("One moment, please.", seat);
                }
            }
        }
    }

    fn set_up(&mut self, setup: &Value, seat: &Seat) -> Result<Vec<Value>, String> {
        let model = setup["model"].as_str().unwrap_or_default();
        if self.is_set_up || !model.starts_with("models/") {
            return Err("Request contains an invalid argument: model.".to_owned());
        }
        if seat.desk.goes_wrong(Mischief::UnknownModelOnceSetUp) {
            return Err(format!(
                "{model} is not found for API version v1beta, or is not supported for bidiGenerateContent."
            ));
        }
        self.is_set_up = true;
        let generation = &setup["generationConfig"];
        let instructions = setup["systemInstruction"]["parts"][0]["text"]
            .as_str()
            .unwrap_or_default();
        self.thinks =
            generation.get("maxOutputTokens").is_none() && !instructions.contains("You are a voice, not");
        self.awaits_history = setup["historyConfig"]["initialHistoryInClientContent"] == true;
        self.goes_on = goes_on(&setup["tools"]);
        seat.desk.know(seat.connection, "system", instructions);
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
        self.owes_reply = false;
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
            let mut frames = vec![
                json!({"serverContent": {"generationComplete": true}}),
                json!({
                    "serverContent": {"turnComplete": true},
                    "usageMetadata": {
                        "promptTokenCount": 20, "responseTokenCount": 30, "totalTokenCount": 50,
                        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 20}],
                        "responseTokensDetails": [{"modality": "AUDIO", "tokenCount": 30}],
                    },
                }),
            ];
            if std::mem::take(&mut self.owes_reply) {
                self.reply(seat, &mut frames);
            }
            return Some(frames);
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

/// Whether it goes on speaking while what it calls is being done, as Gemini 3.8 does unless each tool says otherwise.
fn goes_on(tools: &Value) -> bool {
    let tools = tools.as_array().into_iter().flatten();
    let mut declared = tools.flat_map(|tool| tool["functionDeclarations"].as_array().into_iter().flatten());
    declared.any(|declared| declared["behavior"] != "BLOCKING")
}
