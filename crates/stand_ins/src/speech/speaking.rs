//! Tones in place of speech, as long as the text, in the shapes of each service.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::json;

use super::{AskedAboutSpeech, elevenlabs_refusal, openai_refusal};

const RATE: usize = 24_000;
/// A character takes so many samples: 60 ms.
const A_CHARACTER: usize = RATE * 60 / 1_000;

fn tone(characters: usize) -> Vec<u8> {
    (0..characters * A_CHARACTER)
        .map(|place| ((place as f64 * 0.115).sin() * 8_000.0) as i16)
        .flat_map(i16::to_le_bytes)
        .collect()
}

fn in_pieces(pieces: Vec<Vec<u8>>, mime: &'static str) -> Response {
    let pieces = pieces
        .into_iter()
        .map(|piece| Ok::<_, std::io::Error>(Bytes::from(piece)));
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    ([("content-type", mime)], body).into_response()
}

/// `POST /v1/audio/speech`.
pub(super) fn openai(asked: &AskedAboutSpeech) -> Response {
    let field = |name: &str| asked.body[name].as_str().unwrap_or_default();
    for name in ["model", "input", "voice"] {
        if field(name).is_empty() {
            let text = format!("Missing required parameter: '{name}'.");
            return openai_refusal(400, "missing_required_parameter", &text);
        }
    }
    let characters = field("input").chars().count();
    if characters > 4_096 {
        return openai_refusal(
            400,
            "string_above_max_length",
            "String should have at most 4096 characters",
        );
    }
    let speed = asked.body["speed"].as_f64().unwrap_or(1.0);
    if !(0.25..=4.0).contains(&speed) {
        return openai_refusal(400, "invalid_value", "speed must be between 0.25 and 4.0");
    }
    let tone = tone(characters);
    match field("response_format") {
        // Cut in the midst of a sample, as networks do.
        "pcm" => in_pieces(tone.chunks(1_001).map(<[u8]>::to_vec).collect(), "audio/pcm"),
        "wav" => {
            let mut head = Vec::from(*b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\x01\0");
            head.extend((RATE as u32).to_le_bytes());
            head.extend((2 * RATE as u32).to_le_bytes());
            head.extend(*b"\x02\0\x10\0data\xff\xff\xff\xff");
            let pieces = [head].into_iter().chain(tone.chunks(1_001).map(<[u8]>::to_vec));
            in_pieces(pieces.collect(), "audio/wav")
        }
        "" | "mp3" => in_pieces(
            vec![b"ID3\x04\0\0\0\0\0\0-the-rest-of-an-mp3".to_vec()],
            "audio/mpeg",
        ),
        other => openai_refusal(400, "invalid_value", &format!("Invalid value: '{other}'.")),
    }
}

/// `POST /v1/text-to-speech/{voice}/stream/with-timestamps`.
pub(super) fn elevenlabs(asked: &AskedAboutSpeech, voice: &str, query: &str) -> Response {
    if voice.len() != 20 {
        let text = format!("A voice with the voice_id {voice} was not found.");
        return elevenlabs_refusal(404, "voice_not_found", &text);
    }
    if !query.contains("output_format=pcm_24000") {
        return elevenlabs_refusal(
            400,
            "unsupported_output_format",
            "this double speaks pcm_24000 only",
        );
    }
    let text = asked.body["text"].as_str().unwrap_or_default();
    if !asked.body["model_id"]
        .as_str()
        .unwrap_or_default()
        .starts_with("eleven_")
        || text.is_empty()
    {
        return elevenlabs_refusal(400, "invalid_parameters", "text and model_id are required");
    }
    let characters: Vec<char> = text.chars().collect();
    let second = A_CHARACTER as f64 / RATE as f64;
    let lines = characters.chunks(12).enumerate().map(|(chunk, characters)| {
        let start = |place: usize| (chunk * 12 + place) as f64 * second;
        let line = json!({
            "audio_base64": STANDARD.encode(tone(characters.len())),
            "alignment": {
                "characters": characters.iter().map(char::to_string).collect::<Vec<_>>(),
                "character_start_times_seconds": (0..characters.len()).map(start).collect::<Vec<_>>(),
                "character_end_times_seconds": (1..=characters.len()).map(start).collect::<Vec<_>>(),
            },
            "normalized_alignment": null,
        });
        format!("{line}\n").into_bytes()
    });
    in_pieces(lines.collect(), "application/json")
}
