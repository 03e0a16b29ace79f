//! Whether what an engine understood was said: by the voice that was there.

use audio::segment::{DropReason, Evidence};
use runtime::ports::{HeardSpeech, Utterance};
use vocabulary::{Span, UnheardReason};

use super::phantoms::{Phantom, phantom, shortened};
use super::transcriber::{Transcript, Understood};
use super::wording::words;

/// The quickest people say so many characters in a second of voice.
const CHARACTERS_A_SECOND_MAX: f32 = 30.0;
/// With this much voice a phantom's words are taken as said.
const ENOUGH_VOICE_SHARE: f32 = 0.5;
/// As far above the room's noise a voice stands out.
const ENOUGH_ABOVE_NOISE_DECIBELS: f32 = 10.0;
/// People do thank and say goodbye, beside a fan as well.
const ENOUGH_FOR_A_WORD_DECIBELS: f32 = 6.0;
/// An engine this sure that nobody spoke has made it up.
const NO_SPEECH_SURE: f32 = 0.6;

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
        Err(trouble) => {
            let cost = (!understood.may_cost).then_some(0);
            return missed(trouble.reason, trouble.detail, cost);
        }
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
        text: shortened(&text).unwrap_or(text),
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
        DropReason::NotAboveNoise => (
            UnheardReason::NoVoice,
            "no louder than the noise of the room. Whoever was not heard may come nearer to the microphone",
        ),
        DropReason::TooQuiet => (
            UnheardReason::NoVoice,
            "too quiet to be meant for anybody. Whoever was not heard may turn the microphone up",
        ),
    };
    HeardSpeech::Missed {
        reason,
        detail: detail.to_owned(),
        spoken: span(evidence.spoken),
        cost_micro_dollars: Some(0),
    }
}

fn is_made_up(text: &str, evidence: &Evidence, transcript: &Transcript) -> bool {
    let needed = text.chars().count() as f32 / CHARACTERS_A_SECOND_MAX;
    let voiced = evidence.voiced.as_secs_f32();
    let above = evidence.level.0 - evidence.noise.0;
    let doubt = transcript.no_speech.map(|sure| sure >= NO_SPEECH_SURE);
    let lacks_voice = voiced < needed || evidence.voiced_share() < ENOUGH_VOICE_SHARE;
    match phantom(text) {
        // Nobody speaks that fast; twice that is certainly not said.
        None => voiced * 2.0 < needed,
        // An engine doubts every short clip, so its doubt alone is none.
        Some(Phantom::Courtesy) => {
            doubt.unwrap_or(true) && (lacks_voice || above < ENOUGH_FOR_A_WORD_DECIBELS)
        }
        Some(Phantom::Credits | Phantom::Loop) => {
            doubt == Some(true) || lacks_voice || above < ENOUGH_ABOVE_NOISE_DECIBELS
        }
    }
}

pub(crate) fn span(duration: std::time::Duration) -> Span {
    Span(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
#[path = "judging_tests.rs"]
mod tests;
