//! One process in many servers of a local Discord: what each costs, how soon all have caught up after a start, and whether
//! anything of one server ever shows in another.

mod model;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use discord_double::{Double, DoubleOptions};
use serde_json::{Value, json};

use crate::process::{Program, Server, client, start_with};
use model::{InstantModel, answer, question, word, words_in};

const BOT: &str = "bot:denizen";
/// Whoever has not answered by then does not answer.
const PATIENCE: Duration = Duration::from_secs(1_800);
/// What is said between two questions, for nobody in particular.
const CHATTER: usize = 3;

#[derive(Debug, Args)]
pub struct Options {
    /// Servers that the bot is in.
    #[arg(long, default_value_t = 1_000, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..))]
    servers: usize,
    /// Questions that are asked in each, with three remarks before each of them.
    #[arg(long, default_value_t = 3, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    questions: usize,
    /// Messages that people write in a second, in all servers together; 0 is as fast as it goes.
    #[arg(long, default_value_t = 200)]
    pace: u64,
    #[command(flatten)]
    program: Program,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    let data = std::env::temp_dir().join(format!("denizen-bench-servers-{}", std::process::id()));
    let measured = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(options, &data));
    std::fs::remove_dir_all(&data).ok();
    measured
}

async fn measure(options: &Options, data: &Path) -> anyhow::Result<()> {
    let program = options.program.path()?;
    let alone = of_a_few(&program, &data.join("alone")).await?;
    let many = data.join("many");
    let stage = Stage::new(&program, &many, options.servers).await?;
    println!("{} servers in one process", options.servers);
    let (process, healthy) = stage.start(&program).await?;
    let began = Instant::now();
    stage.all_are_there(&process).await?;
    println!(
        "first start: healthy after {} ms, in all servers {} ms later, {:.1} s of processor time",
        healthy.as_millis(),
        began.elapsed().as_millis(),
        process.processor_time()?.as_secs_f64()
    );
    tokio::time::sleep(Duration::from_secs(2)).await;
    let idle = process.resident_kib()?;
    println!(
        "resident memory: {:.1} MB before anything was said, {:.0} KB a server beyond a process with one",
        idle as f64 / 1_024.0,
        idle.saturating_sub(alone) as f64 / (options.servers - 1) as f64
    );
    println!(
        "open files {}, threads {}",
        process.open_files()?,
        process.threads()?
    );

    let before = process.processor_time()?;
    let began = Instant::now();
    let messages = stage.talk(options).await;
    stage.all_are_answered(options.questions).await?;
    let (took, worked) = (began.elapsed(), process.processor_time()? - before);
    let busy = process.resident_kib()?;
    println!(
        "{messages} messages, {} answers in {:.1} s: {:.2} ms of processor time a message",
        options.questions * options.servers,
        took.as_secs_f64(),
        worked.as_secs_f64() * 1e3 / messages as f64,
    );
    println!(
        "resident memory: {:.1} MB after that, {:.0} KB a server",
        busy as f64 / 1_024.0,
        busy.saturating_sub(alone) as f64 / (options.servers - 1) as f64
    );
    process.end()?;

    // Somebody asks in every server while nobody is there.
    for server in 1..=options.servers {
        stage.say(
            server,
            "alice",
            &format!("<@{}> {}", stage.bot, question(server, options.questions)),
        );
    }
    let (process, healthy) = stage.start(&program).await?;
    let began = Instant::now();
    stage.all_are_answered(options.questions + 1).await?;
    println!(
        "second start: healthy after {} ms; caught up, and what was asked meanwhile answered in all servers, {:.1} s later, {:.1} s of processor time",
        healthy.as_millis(),
        began.elapsed().as_secs_f64(),
        process.processor_time()?.as_secs_f64()
    );
    let found = stage.cross_talk();
    println!("things of one server that showed in another: {}", found.len());
    for line in found.iter().take(20) {
        println!("    {line}");
    }
    ensure!(found.is_empty(), "servers hear each other");
    process.end()
}

/// The memory of a process that is in one server.
async fn of_a_few(program: &Path, data: &Path) -> anyhow::Result<u64> {
    let stage = Stage::new(program, data, 1).await?;
    let (process, _) = stage.start(program).await?;
    stage.all_are_there(&process).await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let resident = process.resident_kib()?;
    process.end()?;
    Ok(resident)
}

/// A Discord with servers, a model, and the data folder of the process under test.
struct Stage<'a> {
    double: Double,
    model: InstantModel,
    data: &'a Path,
    bot: String,
    /// The one channel of each server, the first first.
    channels: Vec<String>,
}

impl<'a> Stage<'a> {
    async fn new(program: &Path, data: &'a Path, servers: usize) -> anyhow::Result<Self> {
        let double = Double::start(DoubleOptions {
            guilds: servers,
            ..DoubleOptions::default()
        })
        .await?;
        let control = |verb: &str, wish: Value| double.control(verb, wish).map_err(anyhow::Error::msg);
        // Whoever measures is not to measure waiting.
        control("gateway", json!({"identify_spacing": 0}))?;
        control("limits", json!({"on": false}))?;
        let bot = control("user", json!({"name": "denizen", "bot": true}))?;
        let state = control("state", json!({}))?;
        let mut channels = BTreeMap::new();
        for guild in state["guilds"].as_array().into_iter().flatten() {
            let name = guild["name"].as_str().unwrap_or_default();
            let number: usize = name.trim_start_matches("Guild ").parse()?;
            let channel = guild["channels"].as_array().and_then(|channels| channels.first());
            let channel = channel.and_then(|channel| channel["id"].as_str());
            channels.insert(number, channel.context("a server without a channel")?.to_owned());
        }
        let model = InstantModel::default();
        let base = model.serve().await?;
        std::fs::create_dir_all(data)?;
        let file = data.with_extension("settings");
        let settings = json!({
            "llm.provider": "compatible", "llm.compatibleBaseUrl": base, "llm.model": "instant",
            "activity.replyCoalesceWindowSeconds": 0, "activity.minSecondsBetweenMessages": 0,
            "activity.maxMessagesPerHour": 1000, "permissions.allowInitiativeReplies": false,
            "addressing.followupEnabled": false, "memory.enabled": false,
        });
        std::fs::write(&file, settings.to_string())?;
        let mut command = Command::new(program);
        command
            .args(["settings", "migrate"])
            .arg(&file)
            .arg("--data")
            .arg(data);
        let saved = command.stdout(Stdio::null()).status()?;
        ensure!(saved.success(), "the settings of the bench were not taken");
        Ok(Self {
            bot: bot["id"].as_str().context("an account without an id")?.to_owned(),
            channels: channels.into_values().collect(),
            double,
            model,
            data,
        })
    }

    async fn start(&self, program: &Path) -> anyhow::Result<(Server, Duration)> {
        let api = self.double.api();
        let environment = [
            ("DENIZEN_DISCORD_TOKEN", BOT),
            ("DENIZEN_DISCORD_API", api.as_str()),
        ];
        start_with(program, self.data, &environment).await
    }

    /// Waits until there is a community for each server.
    async fn all_are_there(&self, process: &Server) -> anyhow::Result<()> {
        let client = client()?;
        let began = Instant::now();
        let mut there = 0;
        while began.elapsed() < PATIENCE {
            let list = client
                .get(format!("{}/api/communities", process.url))
                .send()
                .await?;
            let list: Value = serde_json::from_slice(&list.bytes().await?)?;
            let communities = list["communities"].as_array().into_iter().flatten();
            let on_discord = communities.filter_map(|one| one["id"].as_str()?.strip_prefix("discord-"));
            there = on_discord
                .filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
                .count();
            if there >= self.channels.len() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        bail!("it came into {there} of {} servers", self.channels.len())
    }

    fn say(&self, server: usize, who: &str, text: &str) {
        let post = json!({"as": who, "channel": self.channels[server - 1], "content": text});
        self.double.control("post", post).expect("the double takes it");
    }

    /// People talk in all servers, a line in each and then the next; how many lines there were.
    async fn talk(&self, options: &Options) -> usize {
        let mut said = 0;
        let mut next = tokio::time::Instant::now();
        for number in 0..options.questions {
            for line in 0..=CHATTER {
                for server in 1..=self.channels.len() {
                    if line < CHATTER {
                        let text = format!(
                            "line {line} of {number}, of {}, for nobody in particular",
                            word(server)
                        );
                        self.say(server, "bob", &text);
                    } else {
                        self.say(
                            server,
                            "alice",
                            &format!("<@{}> {}", self.bot, question(server, number)),
                        );
                    }
                    said += 1;
                    if let Some(pause) = 1_000_000_u64.checked_div(options.pace) {
                        next += Duration::from_micros(pause);
                        tokio::time::sleep_until(next).await;
                    }
                }
            }
        }
        said
    }

    /// What the bot has said in a server.
    fn answers(&self, server: usize) -> Vec<String> {
        let place = json!({"channel": self.channels[server - 1]});
        let messages = self
            .double
            .control("messages", place)
            .expect("the double takes it");
        let messages = messages.as_array().cloned().unwrap_or_default();
        let own = messages
            .iter()
            .filter(|message| message["author"]["id"] == self.bot.as_str());
        own.filter_map(|message| message["content"].as_str().map(str::to_owned))
            .collect()
    }

    async fn all_are_answered(&self, questions: usize) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut waiting: Vec<usize> = (1..=self.channels.len()).collect();
        while began.elapsed() < PATIENCE {
            waiting.retain(|server| self.answers(*server).len() < questions);
            if waiting.is_empty() {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let some: Vec<_> = waiting
            .iter()
            .take(5)
            .map(|server| (server, self.answers(*server)))
            .collect();
        bail!(
            "in {} servers not everything was answered: {some:?}",
            waiting.len()
        )
    }

    /// Whatever is not in its place: a word of another server, a question answered twice or not at all.
    fn cross_talk(&self) -> Vec<String> {
        let mut found = self.model.asked(|asked| asked.mixed.clone());
        for server in 1..=self.channels.len() {
            let own = word(server);
            let mut answers = self.answers(server);
            for said in &answers {
                if words_in(said).iter().any(|found| *found != own) {
                    found.push(format!("{own}: {said}"));
                }
            }
            let all = answers.len();
            let mut wanted: Vec<String> = (0..all).map(|number| answer(&own, &number.to_string())).collect();
            wanted.sort();
            answers.sort();
            if answers != wanted {
                found.push(format!("{own} has {answers:?}"));
            }
        }
        found
    }
}
