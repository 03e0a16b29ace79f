//! `denizen-bench reply`: what one reply costs through the running program, with a model on loopback that answers at once.

mod floor;
mod listening;
pub mod plain;
mod taken;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use serde_json::{Value, json};

use crate::hour::model;
use crate::process::{Program, Server, client, settle_settings, start};
use listening::{Seen, Stream};
use taken::Taken;

/// Pages that one credential may have open.
const LISTENING_EACH: usize = 40;
/// Messages that are written at the same time, where it is only looked at how many are taken in.
const WRITERS: usize = 16;
/// Whatever follows a reply (memory, what is written later) is done by then, and counted with it.
const AFTERWARDS: Duration = Duration::from_millis(1_500);
/// Replies in a room before those that are counted: connections are made and statements are read.
const WARMING: usize = 5;

#[derive(Debug, Args)]
pub struct Options {
    /// Messages that the room has before, one row each.
    #[arg(long, value_delimiter = ',', default_values_t = [10, 1_000, 10_000])]
    histories: Vec<usize>,
    /// Rooms that are busy at once, one row each.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 10, 100])]
    rooms: Vec<usize>,
    /// Replies that are measured, in each row.
    #[arg(long, default_value_t = 100, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    replies: usize,
    /// Messages after which memory is looked at.
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
    messages: Vec<usize>,
    /// Whether the smallest program that can reply is measured beside it.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    floor: bool,
    #[command(flatten)]
    program: Program,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(options))
}

async fn measure(options: &Options) -> anyhow::Result<()> {
    let program = options.program.path()?;
    let data = std::env::temp_dir().join(format!("denizen-bench-reply-{}", std::process::id()));
    let model = model::start().await?;
    let measured = async {
        println!("a reply in one room, by the messages it has; a model that answers at once\n{HEADER}");
        let ours = one_room(&program, &data.join("one"), &model, options).await?;
        if options.floor {
            floor::beside(&data.join("plain"), &model, options, ours).await?;
        }
        println!("\na reply while several rooms are busy, each in a community of its own\n{HEADER}");
        many_rooms(&program, &data.join("many"), &model, options).await?;
        println!("\nmessages that are said to nobody ({WRITERS} writers)");
        only_messages(&program, &data.join("messages"), &model, options).await
    };
    let measured = measured.await;
    std::fs::remove_dir_all(&data).ok();
    measured
}

const HEADER: &str = "          user ms   system ms   fsyncs   commits   writes   kB written      first draft ms            sent ms\n                                                                            p50      p95         p50      p95";

/// Prints a row for each history; what a reply of the first took of the processor, in milliseconds.
async fn one_room(
    program: &Path,
    data: &Path,
    model: &str,
    options: &Options,
) -> anyhow::Result<Option<f64>> {
    let server = begin(program, data, model).await?;
    let api = format!("{}/api", server.url);
    let mut written = 0;
    let mut first = None;
    let listener = token(&server, 0).await?;
    let mut room = Room::open(&api, &listener).await?;
    for _ in 0..WARMING {
        room.is_answered().await?;
    }
    for &history in &options.histories {
        fill(&api, written..history).await?;
        written = written.max(history);
        tokio::time::sleep(AFTERWARDS).await;
        // A page that fell behind meanwhile is loaded again.
        room.stream = Stream::open(&format!("{api}/events"), &listener).await?;
        // What it begins with after so many messages is not this reply's.
        room.is_answered().await?;
        let before = Taken::by(&server).await?;
        let mut seen = Vec::new();
        for _ in 0..options.replies {
            seen.push(room.is_answered().await?);
        }
        tokio::time::sleep(AFTERWARDS).await;
        let taken = Taken::by(&server).await?.since(before);
        println!("{history:>6} {}", row(&taken, &mut seen));
        first = first.or(Some(taken.processor_ms_of(seen.len())));
    }
    server.end()?;
    Ok(first)
}

async fn many_rooms(program: &Path, data: &Path, model: &str, options: &Options) -> anyhow::Result<()> {
    let server = begin(program, data, model).await?;
    let most = options.rooms.iter().copied().max().unwrap_or_default();
    let client = client()?;
    let mut rooms = Vec::new();
    let mut listener = String::new();
    for number in 0..most {
        let id = format!("room-{number}");
        let communities = format!("{}/api/communities", server.url);
        let answer = post(&client, &communities, &json!({ "id": id })).send().await?;
        ensure!(
            answer.status().is_success(),
            "no community: {}",
            answer.text().await?
        );
        if number % LISTENING_EACH == 0 {
            listener = token(&server, number).await?;
        }
        let api = format!("{}/api/communities/{id}", server.url);
        let mut room = Room::open(&api, &listener).await?;
        room.is_answered().await?;
        rooms.push(room);
    }
    for &busy in &options.rooms {
        tokio::time::sleep(AFTERWARDS).await;
        let before = Taken::by(&server).await?;
        let each = options.replies.div_ceil(busy);
        let mut working = tokio::task::JoinSet::new();
        for mut room in rooms.drain(..busy) {
            working.spawn(async move {
                let mut seen = Vec::new();
                for _ in 0..each {
                    seen.push(room.is_answered().await?);
                }
                anyhow::Ok((room, seen))
            });
        }
        let mut seen = Vec::new();
        while let Some(done) = working.join_next().await {
            let (room, here) = done??;
            rooms.insert(0, room);
            seen.extend(here);
        }
        tokio::time::sleep(AFTERWARDS).await;
        let taken = Taken::by(&server).await?.since(before);
        println!("{busy:>6} {}", row(&taken, &mut seen));
    }
    server.end()
}

async fn only_messages(program: &Path, data: &Path, model: &str, options: &Options) -> anyhow::Result<()> {
    let server = begin(program, data, model).await?;
    tokio::time::sleep(AFTERWARDS).await;
    println!("memory idle: {}", server.memory()?);
    let api = format!("{}/api", server.url);
    let mut written = 0;
    for &messages in &options.messages {
        let began = Instant::now();
        fill(&api, written..messages).await?;
        let took = began.elapsed();
        tokio::time::sleep(AFTERWARDS).await;
        println!(
            "memory after {messages} messages: {}; accepted: {:.0} a second",
            server.memory()?,
            messages.saturating_sub(written) as f64 / took.as_secs_f64()
        );
        written = written.max(messages);
    }
    server.end()
}

/// A process whose rooms answer at once, by a model that does.
async fn begin(program: &Path, data: &Path, model: &str) -> anyhow::Result<Server> {
    let settings = json!({
        "llm.provider": "compatible",
        "llm.compatibleBaseUrl": model,
        "llm.model": "bench",
        "activity.replyCoalesceWindowSeconds": 0,
        "activity.minSecondsBetweenMessages": 0,
        "activity.maxMessagesPerHour": 1_000,
        "permissions.allowInitiativeReplies": false,
    });
    settle_settings(program, data, &settings)?;
    Ok(start(program, data).await?.0)
}

/// A token to listen with.
async fn token(server: &Server, number: usize) -> anyhow::Result<String> {
    let wanted = json!({ "role": "reader", "label": format!("bench {number}") });
    let asked = post(&client()?, &format!("{}/api/access", server.url), &wanted);
    let answer: Value = serde_json::from_str(&asked.send().await?.text().await?)?;
    let token = answer["token"].as_str().context("no token was made")?;
    Ok(token.to_owned())
}

fn post(client: &reqwest::Client, address: &str, body: &Value) -> reqwest::RequestBuilder {
    let request = client.post(address).header("content-type", "application/json");
    request.body(body.to_string())
}

/// A room that is asked and listened to.
struct Room {
    client: reqwest::Client,
    address: String,
    stream: Stream,
    asked: usize,
}

impl Room {
    async fn open(api: &str, token: &str) -> anyhow::Result<Self> {
        Ok(Self {
            client: client()?,
            address: format!("{api}/rooms/lounge/messages"),
            stream: Stream::open(&format!("{api}/events"), token).await?,
            asked: 0,
        })
    }

    /// Asks something, and waits until the answer is there.
    async fn is_answered(&mut self) -> anyhow::Result<Seen> {
        self.asked += 1;
        let text = format!("Denizen, where did we leave box number {}?", self.asked);
        let body = json!({ "author": "Asker", "text": text });
        let (answer, seen) = tokio::join!(
            post(&self.client, &self.address, &body).send(),
            self.stream.reply()
        );
        let answer = answer?;
        ensure!(
            answer.status() == 201,
            "a question was answered with {}",
            answer.status()
        );
        seen
    }
}

/// Writes messages that are said to nobody.
async fn fill(api: &str, numbers: std::ops::Range<usize>) -> anyhow::Result<()> {
    let client = client()?;
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (client, address, numbers) = (
            client.clone(),
            format!("{api}/rooms/lounge/messages"),
            numbers.clone(),
        );
        writers.spawn(async move {
            for number in numbers.skip(writer).step_by(WRITERS) {
                let text = format!("this is message {number} about the release and the flaky test");
                let body = json!({ "author": format!("Person{}", number % 7), "text": text });
                loop {
                    let answer = post(&client, &address, &body).send().await?;
                    match answer.status().as_u16() {
                        201 => break,
                        503 => tokio::time::sleep(Duration::from_millis(50)).await,
                        other => anyhow::bail!("a message was answered with status {other}"),
                    }
                }
            }
            Ok(())
        });
    }
    while let Some(done) = writers.join_next().await {
        done??;
    }
    Ok(())
}

/// One line of figures, each of one reply.
fn row(taken: &Taken, seen: &mut [Seen]) -> String {
    let replies = seen.len().max(1) as f64;
    let each = |count: u64| count as f64 / replies;
    let counted = |count: Option<u64>| count.map_or("-".to_owned(), |count| format!("{:.1}", each(count)));
    let mut of = |time: fn(&Seen) -> Duration, share: f64| {
        seen.sort_by_key(time);
        let place = (seen.len() as f64 * share) as usize;
        seen.get(place.min(seen.len().saturating_sub(1)))
            .map_or(0.0, |seen| time(seen).as_secs_f64() * 1e3)
    };
    let draft: fn(&Seen) -> Duration = |seen| seen.draft;
    let sent: fn(&Seen) -> Duration = |seen| seen.sent;
    format!(
        "{:>10.2} {:>11.2} {:>8} {:>9} {:>8.0} {:>12.1} {:>10.1} {:>8.1} {:>11.1} {:>8.1}",
        taken.user.as_secs_f64() * 1e3 / replies,
        taken.system.as_secs_f64() * 1e3 / replies,
        counted(taken.waits),
        counted(taken.commits),
        each(taken.write_calls),
        each(taken.written) / 1e3,
        of(draft, 0.5),
        of(draft, 0.95),
        of(sent, 0.5),
        of(sent, 0.95),
    )
}
