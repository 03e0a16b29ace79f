//! Whether what an engine understood was said: by the voice that was there.

use audio::segment::{DropReason, Evidence};
use runtime::ports::{HeardSpeech, Utterance};
use vocabulary::{Span, UnheardReason};

use super::phantoms::{is_loop, is_phantom};
use super::transcriber::{Transcript, Understood};

/// The quickest people say so many characters in a second of voice.
const CHARACTERS_A_SECOND_MAX: f32 = 30.0;
/// With this much voice a phantom's words are taken as said.
const ENOUGH_VOICE_SHARE: f32 = 0.5;
/// As far above the room's noise a voice stands out.
const ENOUGH_ABOVE_NOISE_DECIBELS: f32 = 10.0;
/// An engine this sure that nobody spoke has made it up.
const NO_SPEECH_SURE: f32 = 0.6;
/// The longest transcript of a clip.
const CHARACTERS_MAX: usize = 2_000;

/// A clip on its way to words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipFacts {
    pub(crate) evidence: Evidence,
    pub(crate) silence: Span,
    /// When it was whole.
    pub(crate) whole_at: tokio::time::Instant,
}

/// What is told of a clip that an engine was asked about.
pub(crate) fn judge(facts: &ClipFacts, understood: Understood, engine: &str) -> HeardSpeech {
    let spoken = span(facts.evidence.spoken);
    let missed = |reason, detail: String, cost| HeardSpeech::Missed {
        reason,
        detail,
        spoken,
        cost_micro_dollars: cost,
    };
    let transcript = match understood.result {
        Ok(transcript) => transcript,
        Err(trouble) => return missed(trouble.reason, trouble.detail, None),
    };
    let cost = transcript.cost_micro_dollars;
    let text = words(&transcript.text);
    if text.is_empty() {
        return missed(
            UnheardReason::Empty,
            format!("{engine} understood no words"),
            cost,
        );
    }
    if is_made_up(&text, &facts.evidence, &transcript) {
        let detail =
            format!("{engine} wrote what models write in silence, and there was too little voice for it");
        return missed(UnheardReason::Hallucinated, detail, cost);
    }
    HeardSpeech::Utterance(Utterance {
        text,
        spoken,
        silence: facts.silence,
        took: span(understood.at.saturating_duration_since(facts.whole_at)),
        engine: engine.to_owned(),
        cost_micro_dollars: cost,
    })
}

/// What is told of a clip that no engine was asked about.
pub(crate) fn dropped(reason: DropReason, evidence: &Evidence) -> HeardSpeech {
    let (reason, detail) = match reason {
        DropReason::TooShort => (UnheardReason::TooShort, "too short for a word"),
        DropReason::TooLittleVoice => (UnheardReason::NoVoice, "noise rather than voice"),
        DropReason::NotAboveNoise => (UnheardReason::NoVoice, "no louder than the noise of the room"),
        DropReason::TooQuiet => (UnheardReason::NoVoice, "too quiet to be meant for anybody"),
    };
    HeardSpeech::Missed {
        reason,
        detail: detail.to_owned(),
        spoken: span(evidence.spoken),
        cost_micro_dollars: Some(0),
    }
}

/// The words of a transcript, without what engines write about sounds: `[BLANK_AUDIO]`, `(music)`, `♪`.
pub(crate) fn words(text: &str) -> String {
    let mut words = String::new();
    let mut closing: Option<char> = None;
    for character in text.chars().take(CHARACTERS_MAX) {
        match (closing, character) {
            (Some(end), character) if character == end => closing = None,
            (Some(_), _) | (None, '♪' | '♫' | '\u{FFFD}') => {}
            (None, '[') => closing = Some(']'),
            (None, '(') => closing = Some(')'),
            (None, '{') => closing = Some('}'),
            (None, '*') => closing = Some('*'),
            (None, character) if vocabulary::text::is_invisible(character) => {}
            (None, character) if character.is_control() => words.push(' '),
            (None, character) => words.push(character),
        }
    }
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.chars().any(char::is_alphanumeric) {
        true => words,
        false => String::new(),
    }
}

fn is_made_up(text: &str, evidence: &Evidence, transcript: &Transcript) -> bool {
    let needed = text.chars().count() as f32 / CHARACTERS_A_SECOND_MAX;
    let voiced = evidence.voiced.as_secs_f32();
    if is_loop(text) {
        return true;
    }
    if !is_phantom(text) {
        // Nobody speaks that fast; twice that is certainly not said.
        return voiced * 2.0 < needed;
    }
    let stands_out = evidence.level.0 - evidence.noise.0 >= ENOUGH_ABOVE_NOISE_DECIBELS;
    let is_doubted = transcript.no_speech.is_some_and(|sure| sure >= NO_SPEECH_SURE);
    is_doubted || !stands_out || voiced < needed || evidence.voiced_share() < ENOUGH_VOICE_SHARE
}

pub(crate) fn span(duration: std::time::Duration) -> Span {
    Span(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
#[path = "judging_tests.rs"]
mod tests;
