//! `denizen-bench`: figures that can be had again, each beside a naive way of doing the same in the same run.
//!
//! A program of its own, so that none of it ships in the product.

mod admission;
mod aloud;
mod chat;
mod communities;
mod compaction;
mod connections;
mod frames;
mod golden;
mod hour;
mod machine;
mod memory;
mod process;
mod realtime;
mod reply;
mod rooms;
mod servers;
mod spoken;
mod talk;
mod turn;
mod voice;
mod watch;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::{Parser, Subcommand};
use serde::de::DeserializeOwned;
use vocabulary::{Author, AuthorKind, Message, MessageId, PersonId, RoomId, WallTime};

/// Measures Denizen: quality on files of conversations, time and memory on made-up ones.
#[derive(Debug, Parser)]
#[command(name = "denizen-bench", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Debug, Subcommand)]
enum Bench {
    /// How well the gate tells what is meant for Denizen, on real rooms (newline-delimited JSON, a message a line).
    Admission {
        #[command(flatten)]
        options: admission::Options,
    },
    /// How well a model answers in a room, and with how many calls (newline-delimited JSON, a question a line).
    Chat {
        #[command(flatten)]
        options: chat::Options,
    },
    /// Memory and start-up time of many communities in one process, and whether they ever hear each other.
    Communities {
        #[command(flatten)]
        options: communities::Options,
    },
    /// How much of long conversations their rolling summaries still tell (a JSON list of conversations with questions).
    Compaction {
        #[command(flatten)]
        options: compaction::Options,
    },
    /// Memory of an open connection to a running process, and time of a request on a new one and on a kept one.
    Connections {
        #[command(flatten)]
        options: connections::Options,
    },
    /// Golden files of the schema that this build writes; they are made before the schema is raised.
    Golden {
        #[command(flatten)]
        options: golden::Options,
    },
    /// What an hour of talk in a room of four costs: calls, tokens, money, processor and disk.
    Hour {
        #[command(flatten)]
        options: hour::Options,
    },
    /// Serves a model that answers at once, for others to be measured with; it ends with its input.
    InstantModel,
    /// How well memory finds the turns that answer questions (a JSON list of conversations with questions).
    Memory {
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        file: Option<PathBuf>,
        #[command(flatten)]
        options: memory::Options,
    },
    /// How long memory takes to find something among very many gems, and how much room they take.
    MemoryScale {
        #[command(flatten)]
        options: memory::scale::Options,
    },
    /// What a reply costs through the running program: processor, disk and time; and messages a second, and memory.
    Reply {
        #[command(flatten)]
        options: reply::Options,
    },
    /// The smallest program that can reply, for Denizen to be measured beside; it ends with its input.
    PlainRoom {
        #[command(flatten)]
        options: reply::plain::Options,
    },
    /// CPU time of a gate decision, of a whole text turn, and of assembling a prompt.
    Turn {
        #[command(flatten)]
        options: turn::Options,
    },
    /// CPU time of a step in a community of many rooms, beside one of a single room.
    Rooms {
        #[command(flatten)]
        options: rooms::Options,
    },
    /// Start-up time and memory of a running process.
    Process {
        #[command(flatten)]
        options: process::Options,
    },
    /// One process in many servers of a local Discord: memory and processor time of each, and whether they hear each other.
    Servers {
        #[command(flatten)]
        options: servers::Options,
    },
    /// Time to score a frame and to decode one, beside a naive way and beside ffmpeg.
    Frames {
        #[command(flatten)]
        options: frames::Options,
    },
    /// CPU of listening to several speakers, beside a network that looks at every moment of every track.
    Voice {
        #[command(flatten)]
        options: voice::Options,
    },
    /// What a conversation at a realtime service adds to each piece of sound, and its processor time, beside a plain client.
    Realtime {
        #[command(flatten)]
        options: realtime::Options,
    },
    /// Has local voices read rooms aloud and local ears hear them, and writes down what they understood.
    ReadAloud {
        #[command(flatten)]
        options: spoken::making::Options,
    },
    /// How well it is told who is meant, by what ears understood of rooms that were read aloud.
    Spoken {
        #[command(flatten)]
        options: spoken::judging::Options,
    },
    /// How long an answer aloud takes, phase by phase, with the local ears and voice.
    Talk {
        #[command(flatten)]
        options: talk::Options,
    },
    /// How much of what happens on a screen is noted, how soon, and for how many looks of a vision model.
    Watch {
        #[command(flatten)]
        options: watch::Options,
    },
}

impl Bench {
    /// Whether what it prints depends on where it runs, and is for people.
    fn prints_figures(&self) -> bool {
        match self {
            // The model of `chat` is somebody else's, and may run anywhere.
            Self::Chat { .. }
            | Self::Golden { .. }
            | Self::ReadAloud { .. }
            | Self::InstantModel
            | Self::PlainRoom { .. } => false,
            Self::Memory { options, .. } => !options.json,
            _ => true,
        }
    }
}

fn main() -> ExitCode {
    let bench = Cli::parse().bench;
    if bench.prints_figures() {
        println!("{}", machine::circumstances());
    }
    match run(bench) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("denizen-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(bench: Bench) -> anyhow::Result<()> {
    match bench {
        Bench::Admission { options } => admission::bench(&options)?,
        Bench::Chat { options } => chat::run(&options)?,
        Bench::Communities { options } => communities::run(options)?,
        Bench::Compaction { options } => compaction::run(&options)?
            .iter()
            .for_each(|report| print!("{report}")),
        Bench::Connections { options } => connections::run(&options)?,
        Bench::Golden { options } => golden::run(&options)?,
        Bench::Hour { options } => hour::run(&options)?,
        Bench::InstantModel => hour::model::serve()?,
        Bench::Memory { file, options } => {
            let Some(file) = file else {
                let folder = options.all.clone().unwrap_or_default();
                print!("{}", memory::run_all(&folder, &options)?);
                return Ok(());
            };
            let report = memory::run(&file, &options)?;
            if options.json {
                println!("{:#}", report.json());
            } else {
                print!("{report}");
            }
            ensure!(
                report.leaks == 0,
                "{} turns were found from a conversation they are no part of",
                report.leaks
            );
        }
        Bench::MemoryScale { options } => memory::scale::run(options)?,
        Bench::Reply { options } => reply::run(&options)?,
        Bench::PlainRoom { options } => reply::plain::serve(&options)?,
        Bench::Turn { options } => turn::run(&options)?,
        Bench::Rooms { options } => rooms::run(&options),
        Bench::Process { options } => process::run(&options)?,
        Bench::Servers { options } => servers::run(&options)?,
        Bench::Frames { options } => frames::run(options)?,
        Bench::Voice { options } => voice::run(&options)?,
        Bench::Realtime { options } => realtime::run(&options)?,
        Bench::ReadAloud { options } => spoken::making::run(&options)?,
        Bench::Spoken { options } => spoken::judging::run(&options)?,
        Bench::Talk { options } => talk::run(&options)?,
        Bench::Watch { options } => watch::run(&options),
    }
    Ok(())
}

/// The median over `rounds` rounds of the time of one call; each call tells what of its time counts.
fn median_time(rounds: usize, calls: usize, mut call: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| (0..calls).map(|_| call()).sum::<Duration>() / u32::try_from(calls).unwrap_or(u32::MAX))
        .collect();
    times.sort();
    times[times.len() / 2]
}

/// The nth message of a bench, by one of seven people.
fn nth_message(number: usize, room: RoomId, text: &str, at: WallTime) -> Message {
    let speaker = number % 7;
    Message {
        id: MessageId::new(format!("m{number}")),
        room,
        author: Author {
            id: PersonId::new(format!("local:person{speaker}")),
            name: format!("Person{speaker}"),
            kind: AuthorKind::Person,
        },
        text: text.to_owned(),
        at,
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

/// How long some work takes.
fn timed(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

fn microseconds(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}

fn ratio(naive: Duration, ours: Duration) -> String {
    format!("{:.1}×", naive.as_secs_f64() / ours.as_secs_f64().max(1e-12))
}

/// Reads a file of conversations; `shape` says what each must have.
fn read_list<T: DeserializeOwned>(file: &Path, shape: &str) -> anyhow::Result<Vec<T>> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("cannot read the conversations {}: check the path", file.display()))?;
    let written: Vec<T> = serde_json::from_str(&text).with_context(|| {
        format!(
            "{} holds no conversations: it must be a JSON list of objects with {shape}",
            file.display()
        )
    })?;
    ensure!(
        !written.is_empty(),
        "{} holds an empty list: name a file with at least one conversation",
        file.display()
    );
    Ok(written)
}
