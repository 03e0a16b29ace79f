//! Gemini's Live API as ears, and as a mouth. It answers whatever it hears, so ears and mouth are connections of their own:
//! what the ears would say is thrown away, and what the mouth says is the text it was given.

use serde_json::{Value, json};

use super::reading::{count, encoded, name, seconds, sound, text};
use super::{Part, READER, SessionBrief, gemini_mind};
use crate::command::Command;
use crate::event::{ResponseOutcome, ServiceEvent, Usage};

pub(super) const PATH: &str = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";

/// What a model is told that has nothing to do but to listen.
const LISTENER: &str = "You only listen. Whatever you hear, answer with one short syllable and nothing else.";
/// What the ears may say before they are stopped: it is paid for, and nobody hears it.
const LISTENER_TOKENS_MAX: u64 = 8;
/// From so much on the service folds what was said before: nobody needs it.
const CONTEXT_TOKENS: u64 = 8_000;

pub(super) fn write(brief: &SessionBrief, command: &Command) -> Vec<Value> {
    match command {
        Command::SetUp { resume } => vec![json!({"setup": set_up(brief, resume.as_deref())})],
        Command::Append { samples } => {
            let mime = format!("audio/pcm;rate={}", brief.hears_at());
            vec![
                json!({"realtimeInput": {"activityStart": {}}}),
                json!({"realtimeInput": {"audio": {"mimeType": mime, "data": encoded(samples)}}}),
            ]
        }
        Command::Commit => vec![json!({"realtimeInput": {"activityEnd": {}}})],
        Command::Utter { text, .. } => vec![json!({
            "clientContent": {
                "turns": [{"role": "user", "parts": [{"text": text}]}],
                "turnComplete": true,
            },
        })],
        // What comes next interrupts it; there is nothing else to say.
        Command::Cancel { .. } | Command::Forget { .. } => Vec::new(),
        other => gemini_mind::write(brief, other),
    }
}

pub(super) fn model(brief: &SessionBrief) -> String {
    match brief.model.starts_with("models/") {
        true => brief.model.clone(),
        false => format!("models/{}", brief.model),
    }
}

fn set_up(brief: &SessionBrief, resume: Option<&str>) -> Value {
    let model = model(brief);
    let hears = brief.part == Part::Ears;
    let mut generation = json!({"responseModalities": ["AUDIO"]});
    if hears {
        generation["maxOutputTokens"] = json!(LISTENER_TOKENS_MAX);
    }
    if !brief.voice.is_empty() && !hears {
        generation["speechConfig"] =
            json!({"voiceConfig": {"prebuiltVoiceConfig": {"voiceName": brief.voice}}});
    }
    let mut setup = json!({
        "model": model,
        "generationConfig": generation,
        "systemInstruction": {"parts": [{"text": if hears { LISTENER } else { READER }}]},
        "realtimeInputConfig": {"automaticActivityDetection": {"disabled": true}},
        "contextWindowCompression": {"triggerTokens": CONTEXT_TOKENS.to_string(), "slidingWindow": {}},
        "sessionResumption": match resume {
            Some(handle) => json!({"handle": handle}),
            None => json!({}),
        },
    });
    if hears {
        let mut transcription = json!({});
        if !brief.language.is_empty() {
            transcription["languageCodes"] = json!([brief.language]);
        }
        if !brief.hints.is_empty() {
            transcription["customVocabulary"] = json!(brief.hints);
        }
        setup["inputAudioTranscription"] = transcription;
    } else {
        setup["outputAudioTranscription"] = json!({});
    }
    setup
}

/// One frame may tell several things.
pub(super) fn read(frame: &Value) -> Vec<ServiceEvent> {
    let mut events = Vec::new();
    if frame.get("setupComplete").is_some() {
        events.push(ServiceEvent::Ready);
    }
    if let Some(update) = frame.get("sessionResumptionUpdate") {
        let resumable = update["resumable"].as_bool().unwrap_or(false);
        events.push(ServiceEvent::Resumable {
            handle: name(&update["newHandle"]).filter(|_| resumable),
        });
    }
    if let Some(going) = frame.get("goAway") {
        events.push(ServiceEvent::GoingAway {
            left: seconds(&going["timeLeft"]).unwrap_or_default(),
        });
    }
    let usage = usage(&frame["usageMetadata"]);
    content(&frame["serverContent"], usage, &mut events);
    gemini_mind::calls(&frame["toolCall"], usage, &mut events);
    let dropped = frame["toolCallCancellation"]["ids"]
        .as_array()
        .into_iter()
        .flatten();
    let ids: Vec<String> = dropped.filter_map(name).collect();
    if !ids.is_empty() {
        events.push(ServiceEvent::CallsDropped { ids });
    }
    if events.is_empty() {
        events.push(ServiceEvent::Other);
    }
    events
}

fn content(content: &Value, usage: Usage, events: &mut Vec<ServiceEvent>) {
    if let Some(words) = text(&content["inputTranscription"]["text"]) {
        events.push(ServiceEvent::Partial {
            item: None,
            text: words,
            whole: false,
        });
    }
    if let Some(words) = text(&content["outputTranscription"]["text"]) {
        events.push(ServiceEvent::Said {
            response: None,
            text: words,
        });
    }
    for part in content["modelTurn"]["parts"].as_array().into_iter().flatten() {
        let samples = sound(&part["inlineData"]["data"]);
        if !samples.is_empty() {
            events.push(ServiceEvent::Sound {
                response: None,
                samples,
                marks: Vec::new(),
            });
        }
    }
    if content["interrupted"].as_bool().unwrap_or(false) {
        events.push(ServiceEvent::Interrupted);
    }
    // Models that reason for long say something in between, and tell that they are still at it.
    let goes_on = content["interactionStatus"].as_str() == Some("IN_PROGRESS");
    let is_over = content["turnComplete"].as_bool().unwrap_or(false);
    if is_over && goes_on && usage != Usage::default() {
        events.push(ServiceEvent::Spent { usage });
    }
    // One comes for each turn, also for one that was interrupted: by that the next clip is told from this one.
    if is_over && !goes_on {
        events.push(ServiceEvent::Transcript {
            item: None,
            text: None,
            usage,
        });
        events.push(ServiceEvent::Ended {
            response: None,
            outcome: ResponseOutcome::Whole,
            usage,
        });
    }
}

fn usage(usage: &Value) -> Usage {
    let of = |details: &Value, modality: &str| {
        let counts = details.as_array().into_iter().flatten();
        counts
            .filter(|of| of["modality"].as_str() == Some(modality))
            .map(|of| count(&of["tokenCount"]))
            .fold(0_u64, u64::saturating_add)
    };
    let (prompt, response) = (&usage["promptTokensDetails"], &usage["responseTokensDetails"]);
    let (text_in, sound_in) = (of(prompt, "TEXT"), of(prompt, "AUDIO"));
    // Not all that was read is told by its kind, and what was thought is told apart.
    let rest = count(&usage["promptTokenCount"]).saturating_sub(text_in.saturating_add(sound_in));
    let thoughts = count(&usage["thoughtsTokenCount"]);
    Usage {
        text_in: text_in.saturating_add(rest),
        sound_in,
        text_out: of(response, "TEXT").saturating_add(thoughts),
        sound_out: of(response, "AUDIO"),
        text_cached: of(&usage["cacheTokensDetails"], "TEXT"),
        sound_cached: of(&usage["cacheTokensDetails"], "AUDIO"),
        seconds: None,
    }
}
