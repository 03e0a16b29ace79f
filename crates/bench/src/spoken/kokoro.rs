//! Kokoro: many natural voices of one model, for making speech. The product does not have it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, anyhow, ensure};
use audio::resample::Resampler;
use onnx::{Graph, Numbers};
use serde_json::Value;

/// Samples a second of what it makes.
const RATE: u32 = 24_000;
/// Numbers of a style; a voice has one for each length of text.
const STYLE: usize = 256;

/// A model with its voices.
pub struct Kokoro {
    graph: Graph,
    pieces: BTreeMap<char, i64>,
    folder: PathBuf,
}

impl Kokoro {
    /// Loads a folder with `kokoro-q8.onnx` (or `model.onnx`), `tokenizer.json` and `voices`.
    pub fn load(folder: &Path, library: Option<&Path>) -> anyhow::Result<Self> {
        let file = ["kokoro-q8.onnx", "model.onnx", "onnx/model_quantized.onnx"]
            .map(|name| folder.join(name))
            .into_iter()
            .find(|file| file.exists())
            .with_context(|| format!("there is no Kokoro model in {}", folder.display()))?;
        let tokenizer: Value = serde_json::from_slice(&std::fs::read(folder.join("tokenizer.json"))?)?;
        let vocabulary = tokenizer["model"]["vocab"]
            .as_object()
            .context("tokenizer.json has no vocabulary")?;
        let pieces = vocabulary.iter().filter_map(|(piece, number)| {
            let mut letters = piece.chars();
            let (first, None) = (letters.next()?, letters.next()) else {
                return None;
            };
            Some((first, number.as_i64()?))
        });
        Ok(Self {
            graph: Graph::load(&file, library, "reading aloud")?,
            pieces: pieces.collect(),
            folder: folder.to_owned(),
        })
    }

    /// A text in a voice such as `af_heart`, at 48,000 samples a second.
    pub fn say(&self, text: &str, voice: &str) -> anyhow::Result<Vec<i16>> {
        let language = if voice.starts_with('a') { "en-us" } else { "en-gb" };
        let sounds = sounds(text, language)?;
        let mut numbers = vec![0];
        numbers.extend(sounds.chars().filter_map(|sound| self.pieces.get(&sound)));
        let bytes = std::fs::read(self.folder.join(format!("voices/{voice}.bin")))
            .with_context(|| format!("Kokoro has no voice called {voice} here"))?;
        let floats: Vec<f32> = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        let at = (numbers.len() - 1) * STYLE;
        ensure!(
            floats.len() >= at + STYLE,
            "a text too long for the voice {voice}"
        );
        numbers.push(0);
        let broken = |why: String| anyhow!(why);
        let given = self.graph.run(&[
            (
                "input_ids",
                &Numbers::integers(&[1, numbers.len()], numbers.clone()).map_err(broken)?,
            ),
            (
                "style",
                &Numbers::floats(&[1, STYLE], floats[at..at + STYLE].to_vec()).map_err(broken)?,
            ),
            ("speed", &Numbers::floats(&[1], vec![1.0]).map_err(broken)?),
        ])?;
        let wave = given
            .values()
            .next()
            .context("it gave nothing")?
            .block()
            .map_err(broken)?;
        let samples: Vec<i16> = wave
            .numbers
            .iter()
            .map(|sample| (sample.clamp(-1.0, 1.0) * 32_000.0) as i16)
            .collect();
        Ok(Resampler::convert(RATE, audio::RATE, &samples)?)
    }
}

/// What espeak-ng says a text sounds like, clause by clause, with the marks between them.
fn sounds(text: &str, language: &str) -> anyhow::Result<String> {
    let mut sounds = String::new();
    for clause in text.split_inclusive(|letter: char| ",.!?;:".contains(letter)) {
        let words = clause.trim_end_matches(|letter: char| ",.!?;: ".contains(letter));
        let mark = clause
            .trim_end()
            .chars()
            .last()
            .filter(|mark| !mark.is_alphanumeric());
        if !words.chars().any(char::is_alphanumeric) {
            continue;
        }
        let output = Command::new("espeak-ng")
            .args(["-q", "--ipa", "-v", language, "--", words.trim()])
            .output()
            .context("espeak-ng is not installed (apt install espeak-ng)")?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !sounds.is_empty() {
            sounds.push(' ');
        }
        sounds.push_str(&said.split_whitespace().collect::<Vec<_>>().join(" "));
        sounds.extend(mark);
    }
    Ok(sounds
        .replace('r', "ɹ")
        .replace('x', "k")
        .replace('ʲ', "j")
        .replace('ɬ', "l"))
}
