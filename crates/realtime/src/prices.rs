//! What the usual models cost at their makers' own addresses: list prices as last known in November 2026. What is not known
//! here is not guessed.

use crate::event::Usage;
use crate::wire::openai_mind::ANSWER_TOKENS_MAX;

/// Dollars for a million tokens of text in, sound in, text out and sound out; how the name begins, the first that fits
/// counts.
const TOKENS: [(&str, [f64; 4]); 8] = [
    ("gpt-realtime-2.1-mini", [0.6, 10.0, 2.4, 20.0]),
    ("gpt-realtime-mini", [0.6, 10.0, 2.4, 20.0]),
    ("gpt-realtime-2", [4.0, 32.0, 24.0, 64.0]),
    ("gpt-realtime-1.5", [4.0, 32.0, 16.0, 64.0]),
    ("gpt-realtime", [4.0, 32.0, 16.0, 64.0]),
    ("gpt-4o-mini-transcribe", [1.25, 3.0, 5.0, 0.0]),
    ("gpt-4o-transcribe", [2.5, 6.0, 10.0, 0.0]),
    ("gemini-3.8-live", [0.75, 3.0, 4.5, 12.0]),
];
/// The same of text and sound that it had read before; Gemini's asks as much for that.
const CACHED: [(&str, [f64; 2]); 4] = [
    ("gpt-realtime-2.1-mini", [0.06, 0.3]),
    ("gpt-realtime-mini", [0.06, 0.3]),
    ("gpt-realtime", [0.4, 0.4]),
    ("gemini-3.8-live", [0.75, 3.0]),
];
/// Hearing, in millionths of a dollar a minute.
const MINUTES: [(&str, f64); 7] = [
    ("gpt-transcribe", 4_500.0),
    ("gpt-4o-mini-transcribe", 3_000.0),
    ("gpt-4o-transcribe", 6_000.0),
    ("gpt-realtime-whisper", 17_000.0),
    ("whisper-1", 6_000.0),
    ("scribe_v2_realtime", 8_000.0),
    // Until it tells how many tokens that were.
    ("gemini-3.8-live", 6_000.0),
];
/// A connection, in millionths of a dollar a minute, whatever is heard and said on it.
const CONNECTED: [(&str, f64); 2] = [("grok-voice-think-fast-1", 50_000.0), ("grok-voice", 80_000.0)];
/// The most of a connection that one answer keeps open: nobody listens for longer, and then it is let go of.
const CONNECTED_SECONDS_MAX: f64 = 270.0;
/// Speaking, in millionths of a dollar a character.
const CHARACTERS: [(&str, f64); 4] = [
    ("eleven_flash", 50.0),
    ("eleven_turbo", 50.0),
    ("eleven_multilingual", 100.0),
    ("eleven_v3", 100.0),
];
/// Tokens that a character of text has.
const TOKENS_A_CHARACTER: f64 = 0.25;
/// Tokens of what a model is told besides the text.
const INSTRUCTION_TOKENS: f64 = 90.0;

/// Tokens that a second of what is said has, that a second of what people say has, and that an answer has at most.
fn sound_tokens(model: &str) -> [f64; 3] {
    match model.contains("gemini") {
        // It is stopped after three minutes.
        true => [25.0, 32.0, 4_500.0],
        false => [20.0, 10.0, ANSWER_TOKENS_MAX as f64],
    }
}

/// What so long a connection costs, where that is what is paid for.
fn connected(model: &str, seconds: f64) -> Option<u64> {
    by_name(&CONNECTED, model).map(|a_minute| (seconds / 60.0 * a_minute).ceil() as u64)
}

fn by_name<T: Copy>(table: &[(&str, T)], model: &str) -> Option<T> {
    table
        .iter()
        .find(|(name, _)| model.trim_start_matches("models/").starts_with(name))
        .map(|(_, price)| *price)
}

/// What understanding so many seconds cost, by what the service says it used where it does.
pub(crate) fn heard(model: &str, seconds: f64, usage: Option<Usage>) -> Option<u64> {
    if let (Some(prices), Some(usage)) = (by_name(&TOKENS, model), usage)
        && usage.sound_in > 0
    {
        return Some(tokens(prices, usage));
    }
    let seconds = usage.and_then(|usage| usage.seconds).unwrap_or(seconds);
    if let Some(cost) = connected(model, seconds) {
        return Some(cost);
    }
    by_name(&MINUTES, model).map(|a_minute| (seconds / 60.0 * a_minute).ceil() as u64)
}

/// What saying so many characters costs, which take so many seconds.
pub(crate) fn spoken(model: &str, characters: u64, seconds: f64) -> Option<u64> {
    if let Some(a_character) = by_name(&CHARACTERS, model) {
        return Some((characters as f64 * a_character).ceil() as u64);
    }
    if let Some(cost) = connected(model, seconds) {
        return Some(cost);
    }
    let [text_in, _, text_out, sound_out] = by_name(&TOKENS, model)?;
    let text = characters as f64 * TOKENS_A_CHARACTER;
    let [a_second, ..] = sound_tokens(model);
    let cost = (text + INSTRUCTION_TOKENS) * text_in + text * text_out + seconds * a_second * sound_out;
    Some(cost.ceil() as u64)
}

/// What it said it used for saying something.
pub(crate) fn used(model: &str, usage: Usage) -> Option<u64> {
    if let Some(seconds) = usage.seconds {
        return connected(model, seconds);
    }
    let prices = by_name(&TOKENS, model)?;
    (usage.sound_out > 0).then(|| tokens(prices, usage))
}

/// What an answer in a conversation cost, by what the service says it used.
pub(crate) fn answered(model: &str, usage: Usage) -> Option<u64> {
    if let Some(seconds) = usage.seconds {
        return connected(model, seconds);
    }
    let prices = by_name(&TOKENS, model)?;
    let [text_cached, sound_cached] = by_name(&CACHED, model)?;
    let (kept_text, kept_sound) = (
        usage.text_cached.min(usage.text_in),
        usage.sound_cached.min(usage.sound_in),
    );
    let fresh = Usage {
        text_in: usage.text_in - kept_text,
        sound_in: usage.sound_in - kept_sound,
        ..usage
    };
    let kept = kept_text as f64 * text_cached + kept_sound as f64 * sound_cached;
    Some(tokens(prices, fresh) + kept.ceil() as u64)
}

/// The most that an answer can cost which is based on so many characters and so many seconds.
pub(crate) fn answer(model: &str, characters: u64, heard: f64) -> Option<u64> {
    if let Some(cost) = connected(model, CONNECTED_SECONDS_MAX) {
        return Some(cost);
    }
    let [text_in, sound_in, _, sound_out] = by_name(&TOKENS, model)?;
    by_name(&CACHED, model)?;
    let text = characters as f64 * TOKENS_A_CHARACTER + INSTRUCTION_TOKENS;
    let [_, a_second, answer_max] = sound_tokens(model);
    let cost = text * text_in + heard * a_second * sound_in + answer_max * sound_out;
    Some(cost.ceil() as u64)
}

fn tokens([text_in, sound_in, text_out, sound_out]: [f64; 4], usage: Usage) -> u64 {
    let cost = usage.text_in as f64 * text_in
        + usage.sound_in as f64 * sound_in
        + usage.text_out as f64 * text_out
        + usage.sound_out as f64 * sound_out;
    cost.ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_counted_and_what_is_not_is_not_guessed() {
        let usage = Usage {
            text_in: 100,
            sound_out: 200,
            text_out: 10,
            ..Usage::default()
        };
        assert_eq!(used("gpt-realtime-1.5", usage), Some(400 + 160 + 12_800));
        assert_eq!(used("another-voice", usage), None);
        assert_eq!(heard("gpt-transcribe", 60.0, None), Some(4_500));
        let kept = Usage {
            text_in: 100,
            text_cached: 90,
            sound_in: 1_000,
            sound_cached: 800,
            ..usage
        };
        assert_eq!(
            answered("gpt-realtime-1.5", kept),
            Some(40 + 6_400 + 160 + 12_800 + 356)
        );
        assert_eq!(answered("gpt-4o-transcribe", kept), None);
        let most = answer("gpt-realtime-1.5", 5_200, 60.0).expect("it is known");
        assert!((150_000..160_000).contains(&most), "{most}");
        let heard_by_tokens = Usage {
            sound_in: 100,
            text_out: 10,
            ..Usage::default()
        };
        assert_eq!(heard("gpt-4o-transcribe", 60.0, Some(heard_by_tokens)), Some(700));
        assert_eq!(heard("another-voice", 60.0, None), None);
        assert_eq!(spoken("eleven_flash_v2_5", 100, 7.0), Some(5_000));
        let estimated = spoken("gpt-realtime-1.5", 140, 10.0).expect("it is known");
        assert!((13_000..15_000).contains(&estimated), "{estimated}");
    }
    #[test]
    fn gemini_is_paid_by_tokens_of_each_kind_thoughts_included() {
        let usage = Usage {
            text_in: 357,
            sound_in: 165,
            text_out: 136,
            sound_out: 42,
            ..Usage::default()
        };
        let paid = (357.0_f64 * 0.75 + 165.0 * 3.0 + 136.0 * 4.5 + 42.0 * 12.0).ceil() as u64;
        assert_eq!(answered("gemini-3.8-live", usage), Some(paid));
        assert_eq!(used("gemini-3.8-live", usage), Some(paid));
        assert_eq!(heard("gemini-3.8-live", 4.0, Some(usage)), Some(paid));
        assert_eq!(heard("gemini-3.8-live", 60.0, None), Some(6_000));
        let most = answer("gemini-3.8-live", 5_200, 60.0).expect("it is known");
        assert!((60_000..62_000).contains(&most), "{most}");
        assert_eq!(answered("gemini-9-live", usage), None, "nobody guesses");
    }

    #[test]
    fn xai_is_paid_by_the_minute_of_a_connection() {
        let usage = Usage {
            sound_out: 200,
            seconds: Some(30.0),
            ..Usage::default()
        };
        assert_eq!(heard("grok-voice-latest", 3.0, Some(usage)), Some(40_000));
        assert_eq!(used("grok-voice-think-fast-1.0", usage), Some(25_000));
        assert_eq!(answered("grok-voice-latest", usage), Some(40_000));
        assert_eq!(spoken("grok-voice-latest", 100, 6.0), Some(8_000));
        assert_eq!(answer("grok-voice-latest", 5_200, 60.0), Some(360_000));
    }
}
