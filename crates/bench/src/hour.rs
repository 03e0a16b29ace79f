//! `denizen-bench hour`: four people talk for some minutes to a running process; what an hour of that costs in calls,
//! tokens, money, processor and disk, beside a participant that answers everything that is said.

pub mod model;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Json;
use clap::Args;
use serde_json::{Value, json};
use stand_ins::speech::SpeechServices;

use crate::aloud;
use crate::process::{Program, start};
use crate::spoken::making::{Parts, spoken};
use crate::talk::journal;

const PEOPLE: [&str; 4] = ["Ann", "Bob", "Cleo", "Dan"];
/// What is said, over and over: one line in six is said to Denizen, as in the public rooms that were looked at.
const LINES: [&str; 18] = [
    "So did you get the tickets for Saturday, Bob?",
    "Not yet, they were out of the cheap ones.",
    "Denizen, when does the museum open on a Saturday?",
    "I could ask my sister, she works there.",
    "That would be great, thank you.",
    "We should still book a table for dinner.",
    "Dan, are you coming along, or do you have to work?",
    "I have to work until four, but then I am free.",
    "What should we bring for the picnic, Denizen?",
    "I can make a potato salad.",
    "And I bring the blanket and something to drink.",
    "Last time we forgot the cups.",
    "Cleo, could you drive? My car is at the garage.",
    "Sure, but somebody has to sit in the back with the dog.",
    "Hey Denizen, how long does it take to drive to the lake?",
    "The dog likes you, so that is settled.",
    "Did you see the match yesterday?",
    "Only the second half, and it was rather dull.",
];
/// Somebody speaks after so much silence; of a minute, about two thirds are speech.
const PAUSE_SECONDS: f64 = 1.6;
/// What a naive participant is given: how it is to behave, and the newest lines.
const NAIVE_RULES_TOKENS: u64 = 150;
const NAIVE_LINES: u64 = 50;
const CHARS_PER_TOKEN: u64 = 4;

#[derive(Debug, Args)]
pub struct Options {
    /// Seconds that they talk for; what they cost is told for an hour.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u64).range(5..=3_600))]
    seconds: u64,
    /// Dollars for a million tokens that a model reads.
    #[arg(long, default_value_t = 1.0)]
    dollars_in: f64,
    /// Dollars for a million tokens that a model writes.
    #[arg(long, default_value_t = 5.0)]
    dollars_out: f64,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    program: Program,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    let data = std::env::temp_dir().join(format!("denizen-bench-hour-{}", std::process::id()));
    let measured = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(options, &data));
    std::fs::remove_dir_all(&data).ok();
    print!("{}", measured?.table(options));
    Ok(())
}

/// What was asked of models for one purpose.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    calls: u64,
    read: u64,
    written: u64,
}

/// What some minutes came to.
#[derive(Debug)]
struct Measured {
    seconds: f64,
    ears: String,
    voice: &'static str,
    said: usize,
    heard: u64,
    characters: u64,
    answered: u64,
    by_purpose: BTreeMap<String, Asked>,
    processor: Duration,
    /// Of the same process while nobody is there.
    idle: Duration,
    disk: u64,
}

async fn measure(options: &Options, data: &Path) -> anyhow::Result<Measured> {
    let program = options.program.path()?;
    let voice = match &options.parts.voice {
        Some(_) => "piper",
        None => "builtin",
    };
    std::fs::create_dir_all(data)?;
    let recorded = record(options, voice, data).await?;
    let local = options.parts.ears().is_ok();
    let ears = SpeechServices::start("mhm").await;
    for line in &recorded.said {
        ears.then(Json(json!({ "text": line })));
    }
    let address = (!local).then_some(ears.address.as_str());
    configure(&program, data, &model::start().await?, address, &options.parts)?;
    // What is made once, at the first start, is not the hour's.
    start(&program, data).await?.0.end()?;
    let disk = bytes_in(data);
    let (server, _) = start(&program, data).await?;
    let seconds = options.seconds as f64;
    let began = server.processor_time()?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let idle = (server.processor_time()? - began).mul_f64(seconds / 2.0);
    let before = server.processor_time()?;
    // All of them are in the room from the beginning to the end.
    aloud::say(&program, data, (&recorded.files, &PEOPLE), &[]).await?;
    let processor = server.processor_time()? - before;
    let journal = journal(&server).await?;
    server.end()?;
    let disk = bytes_in(data).saturating_sub(disk);
    let named = |name: &'static str| journal.iter().filter(move |line| line["name"] == name);
    let number = |line: &Value, field: &str| line["data"][field].as_u64().unwrap_or_default();
    let mut by_purpose: BTreeMap<String, Asked> = BTreeMap::new();
    for line in named("ask_completed") {
        let purpose = line["data"]["purpose"].as_str().unwrap_or_default();
        let asked = by_purpose.entry(purpose.to_owned()).or_default();
        asked.calls += 1;
        asked.read += number(line, "inputTokens");
        asked.written += number(line, "outputTokens");
    }
    Ok(Measured {
        seconds,
        ears: match local {
            true => "Moonshine, on this machine".to_owned(),
            false => "a server that was told the words".to_owned(),
        },
        voice,
        said: recorded.said.len(),
        heard: named("voice_utterance_heard").count() as u64,
        characters: named("voice_utterance_heard")
            .map(|line| number(line, "characters"))
            .sum(),
        answered: named("voice_answer_heard").count() as u64,
        by_purpose,
        processor,
        idle,
        disk,
    })
}

/// What was recorded: a file a person, and what is said in all of them, in its order.
struct Recorded {
    files: Vec<PathBuf>,
    said: Vec<String>,
}

/// Each has a microphone, which is silent while others speak.
async fn record(options: &Options, voice: &str, data: &Path) -> anyhow::Result<Recorded> {
    let mouth = options.parts.mouth(voice).map_err(anyhow::Error::msg)?;
    let length = options.seconds as usize * audio::RATE as usize;
    let pause = (PAUSE_SECONDS * f64::from(audio::RATE)) as usize;
    let mut sounds = Vec::new();
    for line in LINES {
        sounds.push(spoken(&mouth, line).await?);
    }
    let mut tracks = vec![vec![0_i16; length]; PEOPLE.len()];
    let mut said = Vec::new();
    let mut at = 2 * pause;
    for number in 0.. {
        let sound = &sounds[number % LINES.len()];
        if at + sound.len() + pause > length {
            break;
        }
        tracks[number % PEOPLE.len()][at..at + sound.len()].copy_from_slice(sound);
        said.push(LINES[number % LINES.len()].to_owned());
        at += sound.len() + pause;
    }
    let mut files = Vec::new();
    for (name, track) in PEOPLE.iter().zip(&tracks) {
        let file = data.join(format!("{name}.wav"));
        std::fs::write(&file, audio::wav::write(track, audio::RATE))?;
        files.push(file);
    }
    Ok(Recorded { files, said })
}

/// Without ears of its own it is told by a server what it hears.
fn configure(
    program: &Path,
    data: &Path,
    model: &str,
    ears: Option<&str>,
    parts: &Parts,
) -> anyhow::Result<()> {
    let mut settings = json!({ "llm.provider": "compatible", "llm.compatibleBaseUrl": model });
    if let Some(address) = ears {
        settings["voice.sttPipeline.transcriptionProvider"] = json!("compatible");
        settings["voice.sttPipeline.transcriptionUrl"] = json!(format!("{address}/v1"));
        settings["voice.sttPipeline.transcriptionPath"] = json!("");
    }
    aloud::configure(program, data, parts, settings)
}

fn bytes_in(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_in(&entry.path()),
        Ok(about) => about.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

impl Measured {
    fn table(&self, options: &Options) -> String {
        let hours = 3_600.0 / self.seconds;
        let an_hour = |count: u64| count as f64 * hours;
        let all = self
            .by_purpose
            .values()
            .fold(Asked::default(), |sum, asked| Asked {
                calls: sum.calls + asked.calls,
                read: sum.read + asked.read,
                written: sum.written + asked.written,
            });
        let dollars = |read: f64, written: f64| {
            (read * options.dollars_in + written * options.dollars_out) / 1_000_000.0
        };
        // It answers all of it, as long as Denizen does, and is shown the newest lines.
        let turns = an_hour(self.heard);
        let line = self.characters as f64 / self.heard.max(1) as f64 / CHARS_PER_TOKEN as f64 + 6.0;
        let replies = self.by_purpose.get("voice_reply").copied().unwrap_or_default();
        let words = replies.written as f64 / replies.calls.max(1) as f64;
        let naive_read = turns * (NAIVE_RULES_TOKENS as f64 + NAIVE_LINES as f64 * (line + words) / 2.0);
        let naive_written = turns * words;
        let mut table = format!(
            "an hour of talk among {} people, from {:.0} s of {} lines to a running process; ears: {}, voice: {}\n",
            PEOPLE.len(),
            self.seconds,
            self.said,
            self.ears,
            self.voice,
        );
        let mut row = |what: &str, ours: String, naive: String| {
            let _ = writeln!(table, "    {what:<46} {ours:>12} {naive:>20}");
        };
        row("", "denizen".to_owned(), "answering every turn".to_owned());
        row("turns heard", format!("{turns:.0}"), format!("{turns:.0}"));
        row(
            "answered aloud",
            format!("{:.0}", an_hour(self.answered)),
            format!("{turns:.0}"),
        );
        row(
            "calls of a model",
            format!("{:.0}", an_hour(all.calls)),
            format!("{turns:.0}"),
        );
        for (purpose, asked) in &self.by_purpose {
            row(
                &format!("  {purpose}"),
                format!("{:.0}", an_hour(asked.calls)),
                String::new(),
            );
        }
        row(
            "tokens read",
            format!("{:.0}", an_hour(all.read)),
            format!("{naive_read:.0}"),
        );
        row(
            "tokens written",
            format!("{:.0}", an_hour(all.written)),
            format!("{naive_written:.0}"),
        );
        row(
            &format!(
                "dollars ({} and {} a million)",
                options.dollars_in, options.dollars_out
            ),
            format!("{:.3}", dollars(an_hour(all.read), an_hour(all.written))),
            format!("{:.3}", dollars(naive_read, naive_written)),
        );
        row(
            "seconds of a processor",
            format!("{:.0}", self.processor.as_secs_f64() * hours),
            String::new(),
        );
        row(
            "  of which while nobody is there",
            format!("{:.0}", self.idle.as_secs_f64() * hours),
            String::new(),
        );
        row(
            "kilobytes on disk",
            format!("{:.0}", an_hour(self.disk) / 1_000.0),
            String::new(),
        );
        table.push_str("(answering every turn: one call a turn, which is shown rules of 150 tokens and the newest 50 lines; it was not run)\n");
        table
    }
}
