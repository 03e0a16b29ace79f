//! `denizen-bench talk`: a running process is asked aloud, with the local ears and voice; how long the first sound of its
//! answer takes from the end of what was said, phase by phase, and how many words the ears get wrong.

use std::path::Path;

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};

use crate::aloud;
use crate::process::{Program, Server, client, start};
use crate::spoken::making::{Parts, spoken};
use crate::spoken::rooms::NAME;
use crate::spoken::words::WordErrors;

/// What is asked, one after the other.
const QUESTIONS: [&str; 12] = [
    "Denizen, what is the capital of France?",
    "Denizen, how long does an egg take?",
    "Denizen, which day comes after Tuesday?",
    "Denizen, can you tell me a short story?",
    "Denizen, who painted the ceiling of that chapel?",
    "Denizen, how many people live in Norway?",
    "Denizen, is it going to rain tomorrow?",
    "Denizen, what did we talk about yesterday?",
    "Denizen, what should I cook tonight?",
    "Denizen, where did I leave my keys?",
    "Denizen, how far away is the moon?",
    "Denizen, do you know a good book?",
];

/// Seconds that whoever asks is silent for, and listens.
const LISTENS_FOR: usize = 7;

#[derive(Debug, Args)]
pub struct Options {
    /// How many questions are asked.
    #[arg(long, default_value_t = QUESTIONS.len(), value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    questions: usize,
    #[command(flatten)]
    parts: Parts,
    #[command(flatten)]
    program: Program,
}

/// One phase of an answer.
struct Phase {
    what: &'static str,
    milliseconds: Vec<u64>,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    if let Err(why) = options.parts.ears() {
        println!("end of speech to first sound: not measured, because {why}");
        return Ok(());
    }
    let data = std::env::temp_dir().join(format!("denizen-bench-talk-{}", std::process::id()));
    let measured = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(options, &data));
    std::fs::remove_dir_all(&data).ok();
    measured
}

async fn measure(options: &Options, data: &Path) -> anyhow::Result<()> {
    let program = options.program.path()?;
    let voice = match &options.parts.voice {
        Some(_) => "piper:",
        None => "builtin:",
    };
    configure(&program, data, &options.parts)?;
    let mouth = options.parts.mouth(voice).map_err(anyhow::Error::msg)?;
    let mut files = Vec::new();
    let questions: Vec<&str> = QUESTIONS
        .iter()
        .copied()
        .cycle()
        .take(options.questions)
        .collect();
    for (number, question) in questions.iter().enumerate() {
        let file = data.join(format!("question{number}.wav"));
        let mut sound = spoken(&mouth, question).await?;
        sound.resize(sound.len() + LISTENS_FOR * audio::RATE as usize, 0);
        std::fs::write(&file, audio::wav::write(&sound, audio::RATE))?;
        files.push(file);
    }
    let (server, _) = start(&program, data).await?;
    // Somebody asks all of it, one question after the other.
    let ann = vec!["Ann"; files.len()];
    aloud::say(&program, data, (&files, &ann), &["--in-turn"]).await?;
    let journal = journal(&server).await?;
    print(&journal, voice, questions.len());
    let heard = heard(&server).await?;
    // As a whole: what was heard in two pieces, or not at all, is not held against the questions after it.
    let (asked, heard) = (questions.join(" "), heard.join(" "));
    let errors = WordErrors::of(&asked, &heard);
    let besides = WordErrors::besides(NAME, &asked, &heard);
    println!(
        "    the ears got {} of {} words of the questions wrong ({:.1} %), {} of {} besides its name ({:.1} %)",
        errors.wrong,
        errors.said,
        errors.percent(),
        besides.wrong,
        besides.said,
        besides.percent()
    );
    Ok(())
}

/// Its answers are made up at once, and it says nothing by itself.
fn configure(program: &Path, data: &Path, parts: &Parts) -> anyhow::Result<()> {
    let settings = json!({
        "llm.provider": "offline",
        "memory.enabled": false,
        "voice.joinGreetingSeconds": 0,
        "voice.thoughts.enabled": false,
    });
    aloud::configure(program, data, parts, settings)
}

/// What a process answers to a question.
pub async fn get(server: &Server, path: &str) -> anyhow::Result<Value> {
    let response = client()?.get(format!("{}{path}", server.url)).send().await?;
    Ok(serde_json::from_str(&response.error_for_status()?.text().await?)?)
}

/// Everything a process has written down.
pub async fn journal(server: &Server) -> anyhow::Result<Vec<Value>> {
    let mut lines = Vec::new();
    let mut after = 0;
    loop {
        let mut page = get(server, &format!("/api/journal?after={after}&limit=1000")).await?;
        let Some(entries) = page["entries"].as_array_mut().filter(|all| !all.is_empty()) else {
            return Ok(lines);
        };
        lines.append(entries);
        after = page["next"].as_u64().context("a page says what comes next")?;
    }
}

/// What was understood, in its order.
async fn heard(server: &Server) -> anyhow::Result<Vec<String>> {
    let messages = get(server, "/api/rooms/lounge/messages?limit=100").await?;
    let messages = messages["messages"].as_array().cloned().unwrap_or_default();
    let spoken = messages
        .iter()
        .filter(|message| message["spoken"] == true && message["author"]["kind"] == "person");
    Ok(spoken
        .map(|message| message["text"].as_str().unwrap_or_default().to_owned())
        .collect())
}

fn print(journal: &[Value], voice: &str, asked: usize) {
    let named = |name: &'static str| journal.iter().filter(move |line| line["name"] == name);
    let number = |line: &Value, field: &str| line["data"][field].as_u64().unwrap_or_default();
    let all = |name, field| -> Vec<u64> { named(name).map(|line| number(line, field)).collect() };
    let between = |later: &str, sooner: &str| -> Vec<u64> {
        named("voice_answer_heard")
            .map(|line| number(line, later).saturating_sub(number(line, sooner)))
            .collect()
    };
    let whole = all("voice_answer_heard", "heard");
    println!(
        "end of speech to first sound, {asked} questions aloud to a running process, {} answered; ears: Moonshine, voice: {}",
        whole.len(),
        voice.trim_end_matches(':')
    );
    let phases = [
        (
            "silence that ends a turn (voice.endOfSpeechMs)",
            all("voice_utterance_heard", "silence"),
        ),
        ("ears", all("voice_utterance_heard", "took")),
        (
            "from the end of speech to the decision, in all",
            all("voice_answer_heard", "decided"),
        ),
        ("until a model is asked", between("asked", "decided")),
        (
            "until it has a first sentence (made up at once)",
            between("firstSentence", "asked"),
        ),
        (
            "until the first sound of it is heard",
            between("heard", "firstSentence"),
        ),
        ("in all", whole),
    ];
    for (what, milliseconds) in phases {
        Phase { what, milliseconds }.print();
    }
}

impl Phase {
    fn print(mut self) {
        self.milliseconds.sort_unstable();
        let at = |percent: usize| {
            let last = self.milliseconds.len().saturating_sub(1);
            let place = (self.milliseconds.len() * percent / 100).min(last);
            self.milliseconds.get(place).copied().unwrap_or_default()
        };
        println!("    {:<52} p50 {:>6} ms  p95 {:>6} ms", self.what, at(50), at(95));
    }
}
