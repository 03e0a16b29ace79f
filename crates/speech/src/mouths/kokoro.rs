//! Kokoro voices in this process: sounds from espeak-ng, the voice by ONNX Runtime.
//!
//! One network has all voices; a voice is a table of styles, a row for each length of a text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use onnx::{Graph, Numbers};
use tokio::sync::mpsc;

use super::espeak;
use super::kokoro_sounds::{SOUNDS_MAX, adapted, numbers, pieces};
use super::parts::parts;
use super::voicebox::{Loudness, Sound, Voicebox, send};
use crate::choice::knobs;
use crate::models::Models;
use crate::speakable::Tongue;
use crate::trouble::Trouble;

/// Samples a second of every voice.
const RATE: u32 = 24_000;
/// Numbers of a style.
const STYLE: usize = 256;
const VOICE_BYTES: u64 = (SOUNDS_MAX * STYLE * 4) as u64;
/// The voice that its makers like best.
const USUAL: &str = "af_heart";
/// So many voices are named to somebody who named none of them.
const NAMED_MAX: usize = 12;

/// The network, in the order in which it is looked for: where its export has it, and by itself.
const MODELS: [&str; 6] = [
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
    "kokoro-quantized.onnx",
    "kokoro-q8.onnx",
    "model.onnx",
    "onnx/model.onnx",
];

/// The files of the network and of its voices.
#[derive(Clone, Debug)]
pub(crate) struct KokoroFiles {
    pub(crate) model: PathBuf,
    voices: BTreeMap<String, PathBuf>,
}

/// What a voice speaks, by the first letter of its name: the language as espeak-ng has it.
fn language_of(voice: &str) -> Option<&'static str> {
    match voice.bytes().next()? {
        b'a' => Some("en-us"),
        b'b' => Some("en-gb"),
        b'e' => Some("es"),
        b'f' => Some("fr-fr"),
        b'h' => Some("hi"),
        b'i' => Some("it"),
        b'p' => Some("pt-br"),
        // Of Chinese and Japanese espeak-ng knows no sounds that it takes.
        _ => None,
    }
}

impl KokoroFiles {
    /// Those of a folder, or of the folder that a file is in. For a person, what is missing.
    pub(crate) fn find(path: &Path) -> Result<Self, String> {
        let (folder, model) = match path.is_file() {
            true => (path.parent().unwrap_or(path), Some(path.to_owned())),
            false => {
                let found = MODELS.iter().map(|name| path.join(name));
                (path, found.into_iter().find(|file| file.is_file()))
            }
        };
        let lacks = |what: &str| {
            format!(
                "there is no {what} in {}. A Kokoro folder holds {} and voices such as {USUAL}.bin, there or in its folder `voices`. Set {} to one; `denizen models install kokoro` gets one",
                folder.display(),
                MODELS[0],
                knobs::MOUTH_PATH
            )
        };
        let model = model.ok_or_else(|| lacks(MODELS[0]))?;
        let voices: BTreeMap<String, PathBuf> = [folder.join("voices"), folder.to_owned()]
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter_map(|file| Some((voice_name(&file)?, file)))
            .collect();
        match voices.is_empty() {
            true => Err(lacks("voice")),
            false => Ok(Self { model, voices }),
        }
    }

    /// The voice of a name; without one, the usual one of the language.
    pub(crate) fn voice(&self, name: &str, tongue: &Tongue) -> Result<&str, String> {
        let name = name.trim();
        let names = || self.voices.keys().map(String::as_str);
        if name.is_empty() {
            let fits = |voice: &&str| {
                language_of(voice).is_some_and(|language| Tongue::of(language).is_same_language(tongue))
            };
            let usual = names().find(|voice| *voice == USUAL).filter(fits);
            return usual.or_else(|| names().find(fits)).ok_or_else(|| {
                format!(
                    "no Kokoro voice that is here speaks {}. Choose another voice for {}",
                    tongue.tag(),
                    knobs::MOUTH
                )
            });
        }
        names().find(|voice| *voice == name).ok_or_else(|| {
            let known: Vec<&str> = names().take(NAMED_MAX).collect();
            format!(
                "{} is {name:?}, and no voice that is here is called that. Some are: {}",
                knobs::MOUTH_VOICE,
                known.join(", ")
            )
        })
    }

    /// The language that a voice speaks.
    pub(crate) fn tongue(voice: &str) -> Option<Tongue> {
        language_of(voice).map(Tongue::of)
    }

    fn styles(&self, voice: &str) -> Result<Vec<f32>, String> {
        let file = self.voices.get(voice).ok_or("the voice is gone")?;
        let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let numbers = bytes.as_chunks::<4>().0.iter();
        Ok(numbers.map(|number| f32::from_le_bytes(*number)).collect())
    }
}

/// The name of a voice, where a file is one that can be spoken with.
fn voice_name(file: &Path) -> Option<String> {
    let is_voice = file.extension()? == "bin" && file.metadata().ok()?.len() == VOICE_BYTES;
    let name = file.file_stem()?.to_str()?.to_owned();
    (is_voice && language_of(&name).is_some()).then_some(name)
}

/// The name under which what a voice says is written down.
pub(crate) fn engine_of(voice: &str) -> String {
    format!("kokoro:{voice}")
}

/// Kokoro, ready to speak.
#[derive(Debug)]
pub(crate) struct Kokoro {
    files: KokoroFiles,
    graph: Arc<Graph>,
    espeak: PathBuf,
    pace: f32,
    /// Who speaks where nobody is named.
    voice: String,
}

impl Kokoro {
    /// Loads the network, unless somebody has it; takes a second.
    pub(crate) fn load(
        files: KokoroFiles,
        library: Option<&Path>,
        models: &Models,
        espeak: PathBuf,
        pace: f32,
        voice: String,
    ) -> Result<Self, String> {
        let graph = models.voice(&files.model, library)?;
        for input in ["input_ids", "style", "speed"] {
            if !graph.inputs().contains_key(input) {
                let detail = format!("it has no input named {input}");
                return Err(graph.unsuitable(detail).to_string());
            }
        }
        Ok(Self {
            files,
            graph,
            espeak,
            pace: pace.clamp(0.5, 2.0),
            voice,
        })
    }
}

#[async_trait]
impl Voicebox for Kokoro {
    fn engine(&self) -> String {
        engine_of(&self.voice)
    }

    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let voice = match voice.trim() {
            "" => self.voice.as_str(),
            named => self
                .files
                .voice(named, &Tongue::of(""))
                .map_err(Trouble::lasting)?,
        };
        let language = language_of(voice).unwrap_or("en-us");
        let sounds = adapted(&espeak::sounds(&self.espeak, language, text).await?, language);
        let styles = self.files.styles(voice).map_err(Trouble::lasting)?;
        let parts: Vec<Vec<i64>> = parts(&sounds).into_iter().map(numbers).collect();
        let mut loudness = Loudness::default();
        for piece in parts.iter().flat_map(|part| pieces(part)) {
            // A row for each length, from none on.
            let row = piece.len().min(SOUNDS_MAX - 1) * STYLE;
            let style = styles.get(row..row + STYLE).unwrap_or_default().to_vec();
            let (graph, piece, pace) = (Arc::clone(&self.graph), piece.to_vec(), self.pace);
            let made = tokio::task::spawn_blocking(move || wave(&graph, &piece, style, pace)).await;
            let made = made.unwrap_or_else(|_| Err(Trouble::broken("the Kokoro voice")))?;
            let samples = loudness.samples(&made);
            if !send(&samples, RATE, sound).await {
                break;
            }
        }
        Ok(())
    }

    fn one_at_a_time(&self) -> bool {
        true
    }
}

fn wave(graph: &Graph, sounds: &[i64], style: Vec<f32>, pace: f32) -> Result<Vec<f32>, Trouble> {
    let odd = |detail: String| Trouble::from(graph.failed(detail));
    // Silence before and behind.
    let numbers: Vec<i64> = [&[0], sounds, &[0]].concat();
    let ids = Numbers::integers(&[1, numbers.len()], numbers).map_err(odd)?;
    let style = Numbers::floats(&[1, STYLE], style).map_err(odd)?;
    let speed = Numbers::floats(&[1], vec![pace]).map_err(odd)?;
    let given = graph.run(&[("input_ids", &ids), ("style", &style), ("speed", &speed)])?;
    let output = graph.outputs().first().and_then(|name| given.get(name));
    let output = output.ok_or_else(|| odd("it gave nothing".to_owned()))?;
    Ok(output.block().map_err(odd)?.numbers)
}

#[cfg(test)]
#[path = "kokoro_tests.rs"]
mod tests;
