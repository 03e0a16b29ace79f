//! Moonshine: a small model that understands English on this machine, by ONNX Runtime.
//!
//! The encoder hears the whole clip at once; the decoder then writes one token at a time, each time with what it has
//! written before, whose keys and values it keeps.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use onnx::{Graph, Numbers, Wording};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::transcriber::{Transcriber, Transcript};
use crate::trouble::Trouble;

/// Clips that are understood at a time: more would each take longer.
pub(crate) const AT_ONCE: usize = 4;
const BEGIN: i64 = 1;
const END: i64 = 2;
/// People say no more tokens in a second; whoever writes more goes round in circles.
const TOKENS_A_SECOND: f32 = 6.5;
/// Shorter sound than this the encoder cannot take: a tenth of a second.
const SAMPLES_MIN: usize = 1_600;
/// Longer sound than this it was not made for.
const SAMPLES_MAX: usize = 30 * audio::EAR_RATE as usize;
const PAST: &str = "past_key_values.";

/// Files of a folder with the model; the second is where the exports of others have them.
const ENCODERS: [&str; 4] = [
    "encoder_model.onnx",
    "encoder_model_quantized.onnx",
    "onnx/encoder_model.onnx",
    "onnx/encoder_model_quantized.onnx",
];
const DECODERS: [&str; 4] = [
    "decoder_model_merged.onnx",
    "decoder_model_merged_quantized.onnx",
    "onnx/decoder_model_merged.onnx",
    "onnx/decoder_model_merged_quantized.onnx",
];

/// Understands English on this machine.
#[derive(Debug)]
pub(crate) struct Moonshine {
    parts: Arc<Parts>,
    name: String,
    places: Arc<Semaphore>,
}

#[derive(Debug)]
struct Parts {
    encoder: Graph,
    decoder: Graph,
    wording: Wording,
}

/// Which file of a folder is there; for a person, what is missing.
pub(crate) fn files(folder: &Path) -> Result<[std::path::PathBuf; 3], String> {
    let find = |names: &[&str]| {
        let found = names
            .iter()
            .map(|name| folder.join(name))
            .find(|path| path.is_file());
        found.ok_or_else(|| {
            format!(
                "there is no {} in {}. A Moonshine folder holds encoder_model.onnx, decoder_model_merged.onnx and tokenizer.json, as its export on Hugging Face does. `denizen models install ears` gets one",
                names[0],
                folder.display()
            )
        })
    };
    Ok([find(&ENCODERS)?, find(&DECODERS)?, find(&["tokenizer.json"])?])
}

impl Moonshine {
    /// Loads the model of a folder; takes a second.
    pub(crate) fn load(folder: &Path, library: Option<&Path>) -> Result<Self, String> {
        let [encoder, decoder, tokenizer] = files(folder)?;
        let beside = folder.join(format!(
            "{}onnxruntime{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        ));
        let library = library.or_else(|| beside.is_file().then_some(beside.as_path()));
        let load = |file: &Path| {
            Graph::load(file, library, "understanding speech").map_err(|error| error.to_string())
        };
        let encoder = load(&encoder)?;
        let decoder = load(&decoder)?;
        let wording = Wording::load(&tokenizer).map_err(|error| error.to_string())?;
        let takes = |graph: &Graph, name: &str| match graph.inputs().contains_key(name) {
            true => Ok(()),
            false => Err(graph
                .unsuitable(format!("it has no input named {name}"))
                .to_string()),
        };
        takes(&encoder, "input_values")?;
        takes(&decoder, "encoder_hidden_states")?;
        takes(&decoder, "use_cache_branch")?;
        let parts = Parts {
            encoder,
            decoder,
            wording,
        };
        // One that cannot run should say so now.
        let silence = vec![0; audio::EAR_RATE as usize];
        parts
            .transcribe(&silence, &AtomicBool::new(false))
            .map_err(|trouble| trouble.detail)?;
        Ok(Self {
            parts: Arc::new(parts),
            name: name_of(folder),
            places: Arc::new(Semaphore::new(AT_ONCE)),
        })
    }

    /// Clips that it understands at a time, whoever they are of.
    pub(crate) fn places(&self) -> Arc<Semaphore> {
        Arc::clone(&self.places)
    }
}

/// The name under which the model of a folder is written down.
pub(crate) fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    match name.to_lowercase().contains("moonshine") {
        true => name.into_owned(),
        false => format!("moonshine:{name}"),
    }
}

/// Tells a thread that nobody waits for it any more.
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[async_trait]
impl Transcriber for Moonshine {
    fn engine(&self) -> String {
        self.name.clone()
    }

    fn is_free(&self) -> bool {
        true
    }

    async fn transcribe(&self, clip: Arc<[i16]>, _deadline: Instant) -> Result<Transcript, Trouble> {
        let parts = Arc::clone(&self.parts);
        let given_up = Arc::new(AtomicBool::new(false));
        let _guard = GivenUp(Arc::clone(&given_up));
        let text = tokio::task::spawn_blocking(move || parts.transcribe(&clip, &given_up)).await;
        Ok(Transcript {
            text: text.unwrap_or_else(|_| Err(Trouble::broken("Moonshine")))?,
            no_speech: None,
            cost_micro_dollars: Some(0),
        })
    }
}

impl Parts {
    fn transcribe(&self, clip: &[i16], given_up: &AtomicBool) -> Result<String, Trouble> {
        let mut sound: Vec<f32> = clip
            .iter()
            .take(SAMPLES_MAX)
            .map(|sample| f32::from(*sample) / 32_768.0)
            .collect();
        let seconds = sound.len() as f32 / audio::EAR_RATE as f32;
        sound.resize(sound.len().max(SAMPLES_MIN), 0.0);
        let odd = |detail: String| Trouble::from(self.encoder.failed(detail));
        let length = sound.len();
        let input = Numbers::floats(&[1, length], sound).map_err(odd)?;
        if given_up.load(Ordering::Relaxed) {
            return Ok(String::new());
        }
        let mut heard = self.encoder.run(&[("input_values", &input)])?;
        let heard = heard
            .remove("last_hidden_state")
            .ok_or_else(|| odd("it gave nothing named last_hidden_state".to_owned()))?;
        let tokens_max = (seconds * TOKENS_A_SECOND).ceil() as usize + 4;
        let tokens = self.write(&heard, tokens_max, given_up)?;
        Ok(self.wording.words(&tokens)?)
    }

    fn write(&self, heard: &Numbers, tokens_max: usize, given_up: &AtomicBool) -> Result<Vec<u32>, Trouble> {
        let odd = |detail: String| Trouble::from(self.decoder.failed(detail));
        let mut past = self.empty_past().map_err(odd)?;
        let mut tokens: Vec<u32> = Vec::new();
        let mut last = BEGIN;
        while tokens.len() < tokens_max && !given_up.load(Ordering::Relaxed) {
            let is_first = tokens.is_empty();
            let ids = Numbers::integers(&[1, 1], vec![last]).map_err(odd)?;
            let cached = Numbers::flag(!is_first).map_err(odd)?;
            let mut inputs: Vec<(&str, &Numbers)> = vec![
                ("input_ids", &ids),
                ("encoder_hidden_states", heard),
                ("use_cache_branch", &cached),
            ];
            inputs.extend(past.iter().map(|(name, numbers)| (name.as_str(), numbers)));
            let mut given = self.decoder.run(&inputs)?;
            let scores = given
                .remove("logits")
                .ok_or_else(|| odd("it gave nothing named logits".to_owned()))?
                .block()
                .map_err(odd)?;
            for (name, numbers) in given {
                let Some(name) = name.strip_prefix("present.") else {
                    continue;
                };
                // What it kept of the sound is complete after the first step, and empty after the others.
                if is_first || !name.contains("encoder") {
                    past.insert(format!("{PAST}{name}"), numbers);
                }
            }
            let best = best(&scores.numbers, scores.shape.last().copied().unwrap_or(0));
            last = best.ok_or_else(|| odd("it gave no scores".to_owned()))?;
            if last == END {
                break;
            }
            tokens.push(u32::try_from(last).unwrap_or(0));
        }
        Ok(tokens)
    }

    /// Before the first token nothing is past; the shapes are the model's own.
    fn empty_past(&self) -> Result<BTreeMap<String, Numbers>, String> {
        let mut past = BTreeMap::new();
        for (name, shape) in self.decoder.inputs() {
            if !name.starts_with(PAST) {
                continue;
            }
            let [_, heads, _, size] = shape[..] else {
                return Err(format!("its input {name} has an unusual shape"));
            };
            let (Ok(heads), Ok(size)) = (usize::try_from(heads), usize::try_from(size)) else {
                return Err(format!("its input {name} does not say how large it is"));
            };
            past.insert(name.clone(), Numbers::floats(&[1, heads, 0, size], Vec::new())?);
        }
        Ok(past)
    }
}

/// The token with the highest score, of the last place.
fn best(scores: &[f32], size: usize) -> Option<i64> {
    let scores = scores.get(scores.len().checked_sub(size)?..)?;
    let (token, _) = scores
        .iter()
        .enumerate()
        .max_by(|(_, left), (_, right)| left.total_cmp(right))?;
    i64::try_from(token).ok()
}

#[cfg(test)]
#[path = "moonshine_tests.rs"]
mod tests;
