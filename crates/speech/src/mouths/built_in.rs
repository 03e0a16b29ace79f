//! The voice inside the binary: small, quick, understood, and not pretty. English only.

use std::sync::{Arc, LazyLock, OnceLock};

use async_trait::async_trait;
use flite_rs::{Engine, Flow};
use tokio::sync::mpsc;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::voicebox::{Sound, Voicebox};
use crate::trouble::Trouble;

/// The better of the two voices that come with the engine.
const VOICE: &str = "kal16";
/// Samples that are handed on at a time: a tenth of a second.
const PIECE: usize = 1_600;

/// Reading its tables takes longer than speaking, so there is one for all.
static ENGINE: LazyLock<Option<Arc<Engine>>> = LazyLock::new(|| {
    let mut engine = Engine::try_new().ok()?;
    engine.select_voice(VOICE);
    Some(Arc::new(engine))
});

/// Speaks without anything being installed.
#[derive(Clone)]
pub(crate) struct BuiltIn {
    /// 1 is the voice's own pace.
    pace: f32,
    /// With a pace of its own, which is set on the engine; made when it is first needed.
    paced: Arc<OnceLock<Option<Engine>>>,
}

impl BuiltIn {
    pub(crate) fn new(pace: f32) -> Self {
        Self {
            pace,
            paced: Arc::default(),
        }
    }

    fn engine(&self) -> Option<&Engine> {
        if (self.pace - 1.0).abs() < 0.01 {
            return ENGINE.as_deref();
        }
        let paced = self.paced.get_or_init(|| {
            let mut paced = Engine::try_new().ok()?;
            paced.select_voice(VOICE);
            paced.set_duration_stretch(1.0 / self.pace.clamp(0.5, 2.0));
            Some(paced)
        });
        paced.as_ref()
    }
}

#[async_trait]
impl Voicebox for BuiltIn {
    fn engine(&self) -> String {
        "built-in".to_owned()
    }

    async fn say(&self, text: &str, _voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let text = text.to_owned();
        let sound = sound.clone();
        let voice = self.clone();
        let said = tokio::task::spawn_blocking(move || speak(&text, &voice, &sound)).await;
        said.unwrap_or_else(|_| Err(Trouble::broken("the built-in voice")))
    }
}

fn speak(text: &str, voice: &BuiltIn, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
    let engine = voice
        .engine()
        .ok_or_else(|| Trouble::lasting("the built-in voice is damaged; install Denizen again"))?;
    let (text, origins) = folded(text);
    if !text.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return Err(Trouble::lasting(
            "the built-in voice knows no letters but those of English. Choose espeak for voice.sttPipeline.ttsProvider",
        ));
    }
    let text = text.as_str();
    let rate = engine.sample_rate();
    let mut marks = marks(engine, text);
    for (_, characters) in &mut marks {
        *characters = origins
            .get(characters.saturating_sub(1))
            .copied()
            .unwrap_or(*characters);
    }
    let mut waiting: Vec<i16> = Vec::with_capacity(2 * PIECE);
    let mut wanted = true;
    engine.synthesize_streaming(text, |period| {
        waiting.extend_from_slice(period);
        if waiting.len() >= PIECE {
            let piece = Sound {
                rate,
                samples: std::mem::take(&mut waiting),
                marks: std::mem::take(&mut marks),
            };
            wanted = sound.blocking_send(piece).is_ok();
        }
        if wanted { Flow::Continue } else { Flow::Stop }
    });
    if wanted {
        let _ = sound.blocking_send(Sound {
            rate,
            samples: waiting,
            marks,
        });
    }
    Ok(())
}

/// A text in the letters that the voice knows, for it leaves out all others; and, for each of its characters, how many of the
/// text are said with it.
fn folded(text: &str) -> (String, Vec<usize>) {
    let mut folded = String::new();
    let mut origins = Vec::new();
    for (place, character) in text.chars().enumerate() {
        let plain = match character {
            'ß' => "ss".to_owned(),
            'æ' | 'Æ' => "ae".to_owned(),
            'œ' | 'Œ' => "oe".to_owned(),
            'ø' | 'Ø' => "o".to_owned(),
            'ł' | 'Ł' => "l".to_owned(),
            'đ' | 'Đ' | 'ð' | 'Ð' => "d".to_owned(),
            'þ' | 'Þ' => "th".to_owned(),
            'ı' => "i".to_owned(),
            '’' | '‘' => "'".to_owned(),
            character if character.is_ascii() => character.to_string(),
            character => character
                .nfkd()
                .filter(|part| !is_combining_mark(*part))
                .collect(),
        };
        for part in plain.chars() {
            folded.push(part);
            origins.push(place + 1);
        }
    }
    (folded, origins)
}

/// When each word is over, in seconds, with the characters until its end.
fn marks(engine: &Engine, text: &str) -> Vec<(f64, usize)> {
    let language = engine.language();
    let mut marks = Vec::new();
    let mut characters = 0;
    let mut before = 0.0;
    for sentence in flite_rs::text::sentences(text) {
        let utterance = flite_rs::pipeline::analyse(&language, &sentence, engine.params());
        let items: Vec<_> = utterance.iter_relation("Token").collect();
        for (place, token) in sentence.iter().enumerate() {
            for part in [
                &token.whitespace,
                &token.prepunctuation,
                &token.name,
                &token.punctuation,
            ] {
                characters += part.chars().count();
            }
            // A token of which nothing is said ends with the one before.
            let word = items.get(place).and_then(|item| utterance.last_daughter(*item));
            let path = "R:SylStructure.daughtern.daughtern.R:Segment.end";
            let end = word.map_or(0.0, |word| flite_rs::ffeature::eval_f32(&utterance, word, path));
            if end > 0.0 {
                marks.push((before + f64::from(end), characters));
            }
        }
        let last = utterance.iter_relation("Segment").last();
        before += last.map_or(0.0, |last| f64::from(utterance.feature_f32(last, "end")));
    }
    marks
}

#[cfg(test)]
#[path = "built_in_tests.rs"]
mod tests;
