//! What the usual models cost at their makers' own addresses: list prices as last known in November 2026. They change;
//! what is not known here is not guessed, nor what somebody else's server costs.

use serde_json::Value;

use super::service::{Api, Service};

/// Hearing, in millionths of a dollar a minute; how the name begins, the first that fits counts.
const HEARING: [(Api, &str, f64); 7] = [
    (Api::OpenAi, "gpt-transcribe", 4_500.0),
    (Api::OpenAi, "gpt-4o-mini-transcribe", 3_000.0),
    (Api::OpenAi, "gpt-4o-transcribe", 6_000.0),
    (Api::OpenAi, "whisper-1", 6_000.0),
    (Api::ElevenLabs, "scribe_v1", 6_667.0),
    (Api::ElevenLabs, "scribe_v2_realtime", 8_000.0),
    (Api::ElevenLabs, "scribe_v2", 6_667.0),
];

/// Dollars for a million tokens of text in, sound in and text out, which are millionths of a dollar for one.
const HEARING_TOKENS: [(&str, f64, f64, f64); 2] = [
    ("gpt-4o-mini-transcribe", 1.25, 3.0, 5.0),
    ("gpt-4o-transcribe", 2.5, 6.0, 10.0),
];

/// Speaking, in millionths of a dollar a character.
const SPEAKING: [(Api, &str, f64); 7] = [
    (Api::OpenAi, "tts-1-hd", 30.0),
    (Api::OpenAi, "tts-1", 15.0),
    (Api::ElevenLabs, "eleven_flash", 50.0),
    (Api::ElevenLabs, "eleven_turbo", 50.0),
    (Api::ElevenLabs, "eleven_multilingual", 100.0),
    (Api::ElevenLabs, "eleven_v3", 100.0),
    (Api::ElevenLabs, "eleven_monolingual", 100.0),
];

/// Models that are paid by the minute of sound they make, in millionths of a dollar, and for their characters.
const SPEAKING_MINUTES: [(&str, f64, f64); 1] = [("gpt-4o-mini-tts", 15_000.0, 0.15)];

/// What understanding a clip cost; nought at a server in the house.
pub(crate) fn heard_cost(service: &Service, model: &str, seconds: f64, answer: &Value) -> Option<u64> {
    if service.is_free {
        return Some(0);
    }
    if !service.is_makers {
        return None;
    }
    if let Some(cost) = by_tokens(model, &answer["usage"]) {
        return Some(cost);
    }
    let seconds = answer["usage"]["seconds"].as_f64().unwrap_or(seconds);
    let (_, _, a_minute) = HEARING
        .iter()
        .find(|(api, name, _)| *api == service.api && model.starts_with(name))?;
    Some((seconds / 60.0 * a_minute).ceil() as u64)
}

fn by_tokens(model: &str, usage: &Value) -> Option<u64> {
    let (_, text_in, sound_in, text_out) =
        HEARING_TOKENS.iter().find(|(name, ..)| model.starts_with(name))?;
    let output = usage["output_tokens"].as_u64()?;
    let input = usage["input_tokens"].as_u64()?;
    let text = usage["input_token_details"]["text_tokens"]
        .as_u64()
        .unwrap_or(0)
        .min(input);
    let cost = output as f64 * text_out + text as f64 * text_in + (input - text) as f64 * sound_in;
    Some(cost.ceil() as u64)
}

/// What saying so many characters cost, which took so long to say; nought at a server in the house.
pub(crate) fn spoken_cost(service: &Service, model: &str, characters: u64, seconds: f64) -> Option<u64> {
    if service.is_free {
        return Some(0);
    }
    if !service.is_makers {
        return None;
    }
    let minutes = SPEAKING_MINUTES
        .iter()
        .find(|(name, ..)| service.api == Api::OpenAi && model.starts_with(name));
    if let Some((_, a_minute, a_character)) = minutes {
        let cost = seconds / 60.0 * a_minute + characters as f64 * a_character;
        return Some(cost.ceil() as u64);
    }
    let (_, _, a_character) = SPEAKING
        .iter()
        .find(|(api, name, _)| *api == service.api && model.starts_with(name))?;
    Some((characters as f64 * a_character).ceil() as u64)
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
