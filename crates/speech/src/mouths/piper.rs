//! Piper voices in this process: sounds from espeak-ng, the voice by ONNX Runtime.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use onnx::{Graph, Numbers};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::parts::parts;
use super::voicebox::{Loudness, Sound, Voicebox, send};
use super::{espeak, phonemes};
use crate::choice::knobs;
use crate::models::Models;
use crate::speakable::Tongue;
use crate::trouble::Trouble;

/// A description larger than this is something else.
const DESCRIPTION_BYTES_MAX: u64 = 4 << 20;
/// A text that has more sounds than this is cut.
const SOUNDS_MAX: usize = 4_000;
/// So many speakers are named to somebody who named none of them.
const NAMED_MAX: usize = 8;

/// The files of a voice.
#[derive(Clone, Debug)]
pub(crate) struct VoiceFiles {
    pub(crate) model: PathBuf,
    pub(crate) name: String,
    pub(crate) description: Description,
}

/// What the makers of a voice wrote about it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Description {
    pub(crate) audio: DescribedAudio,
    #[serde(default)]
    espeak: DescribedEspeak,
    #[serde(default)]
    inference: DescribedInference,
    phoneme_id_map: BTreeMap<String, Vec<i64>>,
    #[serde(default)]
    phoneme_type: Option<String>,
    #[serde(default)]
    speaker_id_map: BTreeMap<String, i64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DescribedAudio {
    pub(crate) sample_rate: u32,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct DescribedEspeak {
    #[serde(default)]
    voice: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
struct DescribedInference {
    noise_scale: f32,
    length_scale: f32,
    noise_w: f32,
}

impl Default for DescribedInference {
    fn default() -> Self {
        Self {
            noise_scale: 0.667,
            length_scale: 1.0,
            noise_w: 0.8,
        }
    }
}

impl VoiceFiles {
    /// The voice of a folder: `NAME.onnx` beside `NAME.onnx.json`. For a person, why there is none.
    pub(crate) fn find(path: &Path) -> Result<Self, String> {
        if path.is_file() {
            return Self::read(path.to_owned());
        }
        Self::read(Self::model_in(path)?)
    }

    fn model_in(folder: &Path) -> Result<PathBuf, String> {
        let listed = fs::read_dir(folder).map_err(|error| {
            format!(
                "{} is {}, which cannot be read: {error}",
                knobs::MOUTH_PATH,
                folder.display()
            )
        })?;
        let mut models: Vec<PathBuf> = listed
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "onnx"))
            .filter(|path| describing(path).is_file())
            .collect();
        models.sort();
        models.into_iter().next().ok_or_else(|| {
            format!(
                "there is no Piper voice in {}: a voice is NAME.onnx beside NAME.onnx.json. Set {} to a folder with one; `denizen models install voice` gets one",
                folder.display(),
                knobs::MOUTH_PATH
            )
        })
    }

    /// The speaker of a voice that has several: a name that none of them has is a mistake.
    pub(crate) fn speaker(&self, name: &str) -> Result<Option<i64>, String> {
        let speakers = &self.description.speaker_id_map;
        if name.trim().is_empty() {
            return Ok(None);
        }
        if let Some(speaker) = speakers.get(name.trim()) {
            return Ok(Some(*speaker));
        }
        let known: Vec<&str> = speakers.keys().take(NAMED_MAX).map(String::as_str).collect();
        match known.is_empty() {
            true => Err(format!(
                "{} is {name:?}, and the voice {} has one speaker. Empty it",
                knobs::MOUTH_VOICE,
                self.name
            )),
            false => Err(format!(
                "{} is {name:?}, and no speaker of {} is called that. Some are: {}",
                knobs::MOUTH_VOICE,
                self.name,
                known.join(", ")
            )),
        }
    }

    /// The name under which what it says is written down.
    pub(crate) fn engine(&self) -> String {
        format!("piper:{}", self.name)
    }

    /// The language that it speaks, where it says so.
    pub(crate) fn tongue(&self) -> Option<Tongue> {
        let voice = self.description.espeak.voice.as_str();
        (!voice.is_empty()).then(|| Tongue::of(voice))
    }

    fn read(model: PathBuf) -> Result<Self, String> {
        let file = describing(&model);
        let bad = |detail: String| {
            format!(
                "{} cannot be used: {detail}. Fetch the voice again",
                file.display()
            )
        };
        let size = file.metadata().map_err(|error| bad(error.to_string()))?.len();
        if size > DESCRIPTION_BYTES_MAX {
            return Err(bad("it is too large".to_owned()));
        }
        let text = fs::read(&file).map_err(|error| bad(error.to_string()))?;
        let description: Description =
            serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
        if description
            .phoneme_type
            .as_deref()
            .is_some_and(|kind| kind != "espeak")
        {
            return Err(bad("its sounds are not those of espeak-ng".to_owned()));
        }
        let name = model
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(Self {
            model,
            name,
            description,
        })
    }
}

fn describing(model: &Path) -> PathBuf {
    let mut name = model.as_os_str().to_owned();
    name.push(".json");
    PathBuf::from(name)
}

/// A Piper voice that is ready to speak.
#[derive(Debug)]
pub(crate) struct Piper {
    files: VoiceFiles,
    graph: Arc<Graph>,
    espeak: PathBuf,
    pace: f32,
    /// Who speaks where nobody is named.
    speaker: i64,
}

impl Piper {
    /// Loads the voice, unless somebody has it; takes a second.
    pub(crate) fn load(
        files: VoiceFiles,
        library: Option<&Path>,
        models: &Models,
        espeak: PathBuf,
        pace: f32,
        speaker: Option<i64>,
    ) -> Result<Self, String> {
        let graph = models.voice(&files.model, library)?;
        for input in ["input", "input_lengths", "scales"] {
            if !graph.inputs().contains_key(input) {
                return Err(graph
                    .unsuitable(format!("it has no input named {input}"))
                    .to_string());
            }
        }
        Ok(Self {
            files,
            graph,
            espeak,
            pace,
            speaker: speaker.unwrap_or(0),
        })
    }
}

#[async_trait]
impl Voicebox for Piper {
    fn engine(&self) -> String {
        self.files.engine()
    }

    async fn say(&self, text: &str, voice: &str, sound: &mpsc::Sender<Sound>) -> Result<(), Trouble> {
        let description = &self.files.description;
        let language = match description.espeak.voice.as_str() {
            "" => "en-us",
            language => language,
        };
        let sounds = espeak::sounds(&self.espeak, language, text).await?;
        let speaker = self
            .files
            .speaker(voice)
            .map_err(Trouble::lasting)?
            .unwrap_or(self.speaker);
        let scales = vec![
            description.inference.noise_scale,
            description.inference.length_scale / self.pace.clamp(0.5, 2.0),
            description.inference.noise_w,
        ];
        let (mut loudness, mut left) = (Loudness::default(), SOUNDS_MAX);
        for part in parts(&sounds) {
            let mut numbers = phonemes::numbers(part, &description.phoneme_id_map);
            numbers.truncate(left);
            left -= numbers.len();
            if numbers.is_empty() {
                break;
            }
            let (graph, scales) = (Arc::clone(&self.graph), scales.clone());
            let made = tokio::task::spawn_blocking(move || wave(&graph, numbers, scales, speaker)).await;
            let made = made.unwrap_or_else(|_| Err(Trouble::broken("the Piper voice")))?;
            let samples = loudness.samples(&made);
            if !send(&samples, description.audio.sample_rate, sound).await {
                break;
            }
        }
        Ok(())
    }

    fn one_at_a_time(&self) -> bool {
        true
    }
}

fn wave(graph: &Graph, numbers: Vec<i64>, scales: Vec<f32>, speaker: i64) -> Result<Vec<f32>, Trouble> {
    let length = numbers.len();
    let odd = |detail: String| Trouble::from(graph.failed(detail));
    let input = Numbers::integers(&[1, length], numbers).map_err(odd)?;
    let lengths = Numbers::integers(&[1], vec![length as i64]).map_err(odd)?;
    let scales = Numbers::floats(&[3], scales).map_err(odd)?;
    let speaker = Numbers::integers(&[1], vec![speaker]).map_err(odd)?;
    let mut inputs = vec![
        ("input", &input),
        ("input_lengths", &lengths),
        ("scales", &scales),
    ];
    if graph.inputs().contains_key("sid") {
        inputs.push(("sid", &speaker));
    }
    let given = graph.run(&inputs)?;
    let output = graph.outputs().first().and_then(|name| given.get(name));
    let output = output.ok_or_else(|| odd("it gave nothing".to_owned()))?;
    Ok(output.block().map_err(odd)?.numbers)
}
