//! Reads rooms aloud by local voices, has the local ears hear them, and writes down what they understood.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use audio::{FRAME, pcm};
use clap::Args;
use mind::addressing::written_for_name;
use recall::Table;
use runtime::ports::{HeardSpeech, Hearing as _, SoundFrame, Speech as _, SpokenSound};
use speech::{Ears, EarsChoice, EarsEngine, Mouth, MouthChoice, MouthEngine, SpeechKeys};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use vocabulary::{PersonId, Span};

use super::heard::{HeardLine, HeardRoom};
use super::kokoro::Kokoro;
use super::rooms::{Half, Line, NAME, Room, read_rooms};

/// Silence after what is said, in frames: the ears take a speech for finished in it.
const SILENCE: usize = 60;
/// Voices of those who call Denizen, or whose words sound like its name: one list for each time that a room is read. None
/// is in the rooms for tuning and in those for judging.
const TUNE: [&[&str]; 2] = [
    &[
        "kokoro:af_heart",
        "kokoro:am_adam",
        "kokoro:bf_emma",
        "kokoro:bm_george",
    ],
    &["piper:", "espeak:en-us", "builtin:", "espeak:en-gb+f3"],
];
const JUDGE: [&[&str]; 2] = [
    &[
        "kokoro:am_michael",
        "kokoro:af_bella",
        "kokoro:bm_lewis",
        "kokoro:af_sarah",
    ],
    &[
        "kokoro:am_eric",
        "kokoro:af_nova",
        "kokoro:bf_lily",
        "kokoro:am_onyx",
    ],
];
/// Voices of everybody else, which are quick to make.
const BYSTANDERS: [&str; 3] = ["piper:", "builtin:", "espeak:en-us"];

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Where the transcripts are written; what is there already is kept, and only the rest is made.
    file: PathBuf,
    /// The folder with the rooms.
    #[arg(long, default_value = "crates/bench/questions")]
    rooms: PathBuf,
    /// Only these rooms.
    #[arg(long, value_enum)]
    half: Option<Half>,
    #[command(flatten)]
    pub parts: Parts,
    /// A folder with Kokoro's model and voices.
    #[arg(long, env = "DENIZEN_KOKORO_MODEL", value_name = "FOLDER")]
    kokoro: PathBuf,
}

/// The local ears and voices that are on this machine.
#[derive(Debug, Clone, Args)]
pub struct Parts {
    /// A folder with a Moonshine model.
    #[arg(long, env = "DENIZEN_EARS_MODEL", value_name = "FOLDER")]
    pub ears: Option<PathBuf>,
    /// A folder with a Piper voice.
    #[arg(long, env = "DENIZEN_VOICE_MODEL", value_name = "FOLDER")]
    pub voice: Option<PathBuf>,
    /// The library of ONNX Runtime.
    #[arg(long, env = "ORT_DYLIB_PATH", value_name = "FILE")]
    pub library: Option<PathBuf>,
}

impl Parts {
    /// The ears, where they are here and work; else why not.
    pub fn ears(&self) -> Result<Ears, String> {
        let Some(folder) = &self.ears else {
            return Err("no ears are installed: DENIZEN_EARS_MODEL names no folder".to_owned());
        };
        let choice = EarsChoice {
            engine: EarsEngine::Moonshine,
            folder: Some(folder.clone()),
            library: self.library.clone(),
            partials: false,
            ..EarsChoice::default()
        };
        let ears = Ears::new(&choice, &SpeechKeys::default());
        match ears.status() {
            status if status.ready => Ok(ears),
            status => Err(status.detail),
        }
    }

    /// One of the product's voices, by a name such as `espeak:en-us`.
    pub fn mouth(&self, name: &str) -> Result<Mouth, String> {
        self.mouth_at(name, 1.0)
    }

    /// The same, as fast as that.
    fn mouth_at(&self, name: &str, pace: f32) -> Result<Mouth, String> {
        let (engine, voice) = name.split_once(':').unwrap_or((name, ""));
        let (engine, path) = match engine {
            "piper" => (MouthEngine::Piper, self.voice.clone()),
            "espeak" => (MouthEngine::Espeak, None),
            _ => (MouthEngine::BuiltIn, None),
        };
        let choice = MouthChoice {
            engine,
            voice: voice.to_owned(),
            path,
            library: self.library.clone(),
            pace,
            fall_back: false,
            ..MouthChoice::default()
        };
        let mouth = Mouth::new(&choice, &SpeechKeys::default());
        match mouth.status() {
            status if status.ready => Ok(mouth),
            status => Err(status.detail),
        }
    }
}

/// Makes the file of transcripts, or goes on with it.
pub fn run(options: &Options) -> anyhow::Result<()> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?
        .block_on(make(options))
}

async fn make(options: &Options) -> anyhow::Result<()> {
    let ears = options.parts.ears().map_err(anyhow::Error::msg)?;
    let kokoro = Kokoro::load(&options.kokoro, options.parts.library.as_deref())?;
    let there = match options.file.exists() {
        true => super::heard::read(&options.file)?,
        false => Vec::new(),
    };
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(&options.file)?;
    learn(options, &ears).await?;
    let mut all = there.clone();
    let mut mouths = BTreeMap::new();
    let rooms = read_rooms(&options.rooms)?;
    let wanted = |room: &&Room| options.half.is_none_or(|half| half == room.half);
    for room in rooms.iter().filter(wanted) {
        let readings: &[&[&str]] = match room.half {
            Half::Tune => &TUNE,
            Half::Judge => &JUDGE,
        };
        for (reading, voices) in readings.iter().enumerate() {
            let find = |reading| {
                all.iter()
                    .find(|heard| heard.room == room.id && heard.reading == reading)
            };
            if find(reading).is_some() {
                continue;
            }
            let mut reader = Reader {
                mouths: &mut mouths,
                ears: &ears,
                kokoro: &kokoro,
                parts: &options.parts,
                voices,
            };
            let heard = reader.read(room, reading, find(0)).await?;
            writeln!(file, "{}", serde_json::to_string(&heard)?)?;
            println!("{} ({reading}): {} lines", room.id, room.lines.len());
            all.push(heard);
        }
    }
    Ok(())
}

/// Finds out how the ears write the name, by the Piper voice alone, and writes that down beside the transcripts.
async fn learn(options: &Options, ears: &Ears) -> anyhow::Result<()> {
    let file = options.file.with_file_name("spellings.json");
    if file.exists() {
        return Ok(());
    }
    let mut found = BTreeSet::new();
    for pace in [0.8, 0.9, 1.0, 1.15] {
        let mouth = options
            .parts
            .mouth_at("piper:", pace)
            .map_err(anyhow::Error::msg)?;
        let trials = speech::try_name(NAME, ears, &mouth)
            .await
            .map_err(anyhow::Error::msg)?;
        for trial in trials {
            println!("{} → {}", trial.said, trial.heard);
            let written = written_for_name(&trial.said, &trial.heard, NAME);
            found.extend(written.into_iter().filter(|word| !Table::builtin().is_word(word)));
        }
    }
    std::fs::write(&file, serde_json::to_string(&found)? + "\n")?;
    Ok(())
}

/// Who reads, and who hears.
struct Reader<'a> {
    mouths: &'a mut BTreeMap<String, Mouth>,
    ears: &'a Ears,
    kokoro: &'a Kokoro,
    parts: &'a Parts,
    voices: &'a [&'a str],
}

impl Reader<'_> {
    /// Reads a room; what bystanders said in the first reading is not said again.
    async fn read(
        &mut self,
        room: &Room,
        reading: usize,
        first: Option<&HeardRoom>,
    ) -> anyhow::Result<HeardRoom> {
        let mut people: Vec<&str> = Vec::new();
        let mut lines = Vec::new();
        // Not every room begins with the same voice.
        let begin = room.id.bytes().map(usize::from).sum::<usize>();
        for (number, line) in room.lines.iter().enumerate() {
            let place = people.iter().position(|by| *by == line.by).unwrap_or_else(|| {
                people.push(&line.by);
                people.len() - 1
            });
            let place = begin + place;
            let calls = |other: &Line| other.by == line.by && other.meant == Some(true);
            let is_central = room.id.starts_with("sound-") || room.lines.iter().any(calls);
            let voice = match is_central {
                _ if line.by == NAME => "",
                true => self.voices[place % self.voices.len()],
                false => BYSTANDERS[place % BYSTANDERS.len()],
            };
            let again = first
                .filter(|_| !is_central)
                .map(|first| first.lines[number].clone());
            lines.push(match again {
                Some(line) => line,
                None => self.line(line, voice).await?,
            });
        }
        Ok(HeardRoom {
            room: room.id.clone(),
            half: room.half,
            reading,
            lines,
        })
    }

    async fn line(&mut self, line: &Line, voice: &str) -> anyhow::Result<HeardLine> {
        let mut heard = HeardLine {
            by: line.by.clone(),
            said: line.says.clone(),
            heard: line.says.clone(),
            voice: voice.to_owned(),
            milliseconds: 0,
            meant: line.meant,
        };
        if !voice.is_empty() {
            let sound = match voice.strip_prefix("kokoro:") {
                Some(name) => self.kokoro.say(&line.says, name)?,
                None => {
                    let mouth = match self.mouths.entry(voice.to_owned()) {
                        Entry::Occupied(there) => there.into_mut(),
                        Entry::Vacant(free) => {
                            free.insert(self.parts.mouth(voice).map_err(anyhow::Error::msg)?)
                        }
                    };
                    spoken(mouth, &line.says).await?
                }
            };
            heard.milliseconds = (sound.len() / 48) as u64;
            heard.heard = understood(self.ears, &sound).await?.text;
        }
        Ok(heard)
    }
}

/// What a mouth makes of a text.
pub async fn spoken(mouth: &Mouth, text: &str) -> anyhow::Result<Vec<i16>> {
    let (sentences, waiting) = mpsc::channel(1);
    sentences.send(text.to_owned()).await?;
    drop(sentences);
    let (sound, mut sounds) = mpsc::channel::<SpokenSound>(64);
    let collecting = async {
        let mut samples = Vec::new();
        while let Some(piece) = sounds.recv().await {
            pcm::read(&piece.frame.samples, &mut samples);
        }
        samples
    };
    let speaking = mouth.speak("", waiting, sound, CancellationToken::new());
    let (said, samples) = tokio::join!(speaking, collecting);
    ensure!(said.fault.is_none(), "{:?}", said.fault);
    Ok(samples)
}

/// What ears make of a sound: its words, and how long the last of them took after the speech was over.
#[derive(Clone, Debug, Default)]
pub struct Understanding {
    pub text: String,
    pub took: Span,
}

/// Has ears listen to a sound and the silence after it.
pub async fn understood(ears: &Ears, sound: &[i16]) -> anyhow::Result<Understanding> {
    let frames = sound.len().div_ceil(FRAME) + SILENCE;
    let (to_ears, listening) = mpsc::channel(frames);
    for number in 0..frames {
        let from = (number * FRAME).min(sound.len());
        let mut samples = sound[from..(from + FRAME).min(sound.len())].to_vec();
        samples.resize(FRAME, 0);
        let frame = SoundFrame {
            samples: samples.iter().flat_map(|sample| sample.to_le_bytes()).collect(),
            at: Span(20 * number as u64),
        };
        to_ears.send(frame).await?;
    }
    drop(to_ears);
    let (heard, mut told) = mpsc::channel(64);
    let person = PersonId::from("somebody");
    let listening = ears.listen(&person, listening, heard, CancellationToken::new());
    let collecting = async {
        let mut all = Understanding::default();
        while let Some(said) = told.recv().await {
            if let HeardSpeech::Utterance(utterance) = said {
                if !all.text.is_empty() {
                    all.text.push(' ');
                }
                all.text.push_str(utterance.text.trim());
                all.took = utterance.took;
            }
        }
        all
    };
    let (listened, all) = tokio::join!(listening, collecting);
    listened.context("the ears broke off")?;
    Ok(all)
}
