//! A week of the whole adapter for Discord in which everything goes wrong that can: shards, requests, rooms, mind and store are
//! the real ones, the server is the local Discord over its sockets, and the clock leaps from one timer to the next. It is to
//! show that whoever calls Denizen is answered, and once.

mod ledger;
mod life;
mod model;
mod weather;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use discord_double::{Double, DoubleOptions};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use ledger::Ledger;
use life::Life;
use model::THOUGHT;
use weather::{Chance, Weather};

const HOUR: Duration = Duration::from_secs(3_600);
/// The longest leap.
const STEP: Duration = Duration::from_secs(5);
const MOMENT: Duration = Duration::from_millis(1);
const CHANNELS: [&str; 4] = ["general", "kitchen", "garage", "garden"];
/// Nobody asks a third time before somebody has answered: of what was missed, two calls of a channel are answered.
const OPEN_MAX: usize = 2;

/// Lets time pass. The disk knows nothing of a clock that leaps, so now and then it is given a moment of real time, in which
/// the clock stands still.
async fn pass(time: Duration, real: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        sleep(STEP.min(end - Instant::now())).await;
        let waited = tokio::task::spawn_blocking(move || std::thread::sleep(real));
        waited.await.expect("nothing but sleep");
    }
}

/// How far the clock has leapt: everything in this process goes by it.
fn ahead() -> Duration {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    // Threads without a runtime do not see the clock that leaps; they have what the others saw last.
    static SEEN: AtomicU64 = AtomicU64::new(0);
    let since = BEGAN.get_or_init(Instant::now).elapsed();
    let since = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    Duration::from_millis(SEEN.fetch_max(since, Ordering::Relaxed).max(since))
}

/// The Discord of the week, and who asks there.
struct Stage {
    double: Double,
    bot: String,
    guild: String,
    ledger: Ledger,
}

impl Stage {
    async fn new() -> Self {
        let double = Double::start(DoubleOptions::default())
            .await
            .expect("a free port");
        let control = |verb: &str, wish| double.control(verb, wish).expect("the control API takes it");
        for name in &CHANNELS[1..] {
            control("channel", json!({"name": name}));
        }
        let bot = control("user", json!({"name": "denizen", "bot": true}))["id"].clone();
        let guild = control("state", json!({}))["guilds"][0]["id"].clone();
        Self {
            bot: bot.as_str().expect("an id").to_owned(),
            guild: guild.as_str().expect("an id").to_owned(),
            double,
            ledger: Ledger::default(),
        }
    }

    #[track_caller]
    fn control(&self, verb: &str, wish: Value) -> Value {
        self.double.control(verb, wish).expect("the control API takes it")
    }

    /// What the bot has written, by id.
    fn written(&self) -> Vec<(String, String)> {
        let messages = CHANNELS.map(|channel| self.control("messages", json!({"channel": channel})));
        let messages = messages
            .iter()
            .flat_map(|page| page.as_array().expect("messages"));
        let own = messages.filter(|message| message["author"]["id"] == self.bot.as_str());
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        own.map(|message| (text(&message["id"]), text(&message["content"])))
            .collect()
    }

    /// Somebody asks in a channel, unless two still wait there.
    async fn ask(&mut self, channel: usize, life: &Life) {
        self.ledger.read_on(life, &self.guild).await;
        if self.ledger.open(channel) >= OPEN_MAX {
            return;
        }
        let content = format!("<@{}> question {}?", self.bot, self.ledger.asked.len());
        let said = json!({"as": "alice", "channel": CHANNELS[channel], "content": content});
        let id = self.control("post", said)["id"].clone();
        self.ledger.asks(channel, id.as_str().expect("an id").to_owned());
    }

    fn chat(&self, channel: usize) {
        let said =
            json!({"as": "bob", "channel": CHANNELS[channel], "content": "and nobody is meant by this"});
        self.control("post", said);
    }
}

/// So many days from a seed: people ask, things go wrong, and now and then the process is started anew.
async fn days_of_faults(seed: u64, days: u32) {
    let mut stage = Stage::new().await;
    let mut chance = Chance::new(seed);
    let mut weather = Weather::default();
    // In memory, where there is such a place: the less a write takes, the less of the week passes meanwhile.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
    let folder = folder.expect("a folder");
    let mut life = Life::begin(folder.path(), &stage.double.api(), &[]).await;
    let began = Instant::now();
    while began.elapsed() < HOUR * 24 * days {
        pass(Duration::from_millis(chance.below(240_000)), MOMENT).await;
        match chance.below(20) {
            0..9 => stage.ask(chance.index(CHANNELS.len()), &life).await,
            9..13 => stage.chat(chance.index(CHANNELS.len())),
            13..19 => weather.strike(&mut chance, |verb, wish| stage.control(verb, wish)),
            _ if chance.below(12) == 0 => {
                life.end().await;
                // Nobody is there for a while.
                pass(Duration::from_millis(chance.below(1_200_000)), MOMENT).await;
                life = Life::begin(folder.path(), &stage.double.api(), &[]).await;
                weather.restarts += 1;
            }
            _ => {}
        }
    }
    // The last hours are calm.
    stage.control("mend", json!({}));
    pass(HOUR * 3, MOMENT).await;
    let health = life.standing();
    stage.ledger.read_on(&life, &stage.guild).await;
    let written = stage.written();
    let mut wrong = stage.ledger.wrong(&written);
    for (number, told) in &mut wrong {
        if let Some(asked) = number.and_then(|number| stage.ledger.asked.get(number)) {
            let after = asked.at.duration_since(began).as_secs();
            let why = life.why(&stage.guild, &asked.id).await;
            told.push_str(&format!(
                ", in {} after {after} s: {why:?}",
                CHANNELS[asked.channel]
            ));
        }
    }
    life.end().await;
    let asked = stage.ledger.asked.len();
    println!(
        "seed {seed}: {asked} questions, {} answers, {weather:?}, {health}",
        written.len()
    );
    assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}\n{:#?}", weather.told);
    assert!(asked > 100 * days as usize, "people asked {asked} times");
    assert!(weather.has_been_bad(days), "{weather:?}");
}

/// From now on hours pass in seconds.
fn leap() {
    fetching::service::install_tls();
    runtime::run_ahead(ahead);
    discord_double::run_ahead(ahead);
}

#[tokio::test(start_paused = true)]
async fn a_reaction_and_a_reply_to_what_it_posted_are_what_came_of_it() {
    leap();
    let stage = Stage::new().await;
    let state = stage.control("state", json!({}));
    let channels = state["guilds"][0]["channels"].as_array().expect("channels");
    let general = channels.iter().find(|channel| channel["name"] == "general");
    let general = general.expect("it is there")["id"].clone();
    let folder = tempfile::tempdir().expect("a folder");
    let settings = [
        ("initiative.text.eagerness", json!(100)),
        ("initiative.text.allowActiveCuriosity", json!(false)),
        ("permissions.replies.discoveryChannelIds", json!([general])),
    ];
    let life = Life::begin(folder.path(), &stage.double.api(), &settings).await;
    let mut post = None;
    // A thought whose look around was overtaken by the clock is had again hours later.
    for _ in 0..24 * 60 {
        pass(Duration::from_secs(60), MOMENT * 2).await;
        let said = stage.control("messages", json!({"channel": "general"}));
        let said = said.as_array().expect("messages").clone();
        post = said.into_iter().find(|message| message["content"] == THOUGHT);
        if post.is_some() {
            break;
        }
    }
    let Some(post) = post else {
        let lines = life.journal(&stage.guild, None).await;
        panic!("it posts nothing of its own accord: {lines:#?}");
    };
    let post = post["id"].clone();
    let reaction = json!({"as": "alice", "channel": "general", "message": post, "emoji": "🎉"});
    stage.control("react", reaction.clone());
    came_of_it(&life, &stage.guild, (1, 0)).await;
    stage.control(
        "post",
        json!({"as": "bob", "channel": "general", "reply_to": post, "content": "where is it?"}),
    );
    came_of_it(&life, &stage.guild, (1, 1)).await;
    // What is taken back does not count any more.
    stage.control("unreact", reaction);
    came_of_it(&life, &stage.guild, (0, 1)).await;
    life.end().await;
}

/// Waits until so many reactions and replies are counted for a post.
async fn came_of_it(life: &Life, guild: &str, (reactions, replies): (u64, u64)) {
    for _ in 0..400 {
        pass(Duration::from_secs(1), Duration::from_millis(20)).await;
        let counted = life.journal(guild, Some("ambient_outcome_counted")).await;
        let came = counted
            .last()
            .map(|line| line["data"].clone())
            .unwrap_or_default();
        if (came["reactions"].as_u64(), came["replies"].as_u64()) == (Some(reactions), Some(replies)) {
            return;
        }
    }
    let lines = life.journal(guild, None).await;
    panic!("{reactions} reactions and {replies} replies are not counted: {lines:#?}");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_arrived_unseen_before_an_outage_is_not_there_twice_after_it() {
    leap();
    let mut stage = Stage::new().await;
    let folder = tempfile::tempdir().expect("a folder");
    let life = Life::begin(folder.path(), &stage.double.api(), &[]).await;
    pass(Duration::from_secs(60), MOMENT * 5).await;
    // It is written and nobody says so; then nothing can be written for longer than Discord knows a mark.
    let route = "POST /channels/*/messages";
    let fault = |status, times, carried_out| json!({"kind": "status", "status": status, "route": route, "times": times, "carried_out": carried_out});
    stage.control("fault", fault(502, 1, true));
    stage.control("fault", fault(503, 100_000, false));
    stage.ask(0, &life).await;
    pass(Duration::from_secs(1), MOMENT * 50).await;
    // And the gateway does not tell of it.
    stage.control("fault", json!({"kind": "zombie"}));
    pass(Duration::from_secs(60), MOMENT * 5).await;
    stage.control("fault", json!({"kind": "hush"}));
    stage.control("fault", json!({"kind": "drop"}));
    // On a slow machine fewer tries are made in the same leaps.
    let mut failed = Vec::new();
    for minute in 1..=40 {
        pass(Duration::from_secs(60), MOMENT * 3).await;
        failed = life.journal(&stage.guild, Some("text_delivery_failed")).await;
        if minute >= 15 && failed.len() > 3 {
            break;
        }
    }
    assert!(failed.len() > 3, "{failed:#?}");
    stage.control("mend", json!({}));
    pass(Duration::from_secs(300), MOMENT * 5).await;
    stage.ledger.read_on(&life, &stage.guild).await;
    let written = stage.written();
    assert_eq!(stage.ledger.wrong(&written), [], "{written:?}");
    life.end().await;
}

#[tokio::test(start_paused = true)]
async fn in_a_day_of_faults_whoever_calls_is_answered_once() {
    leap();
    days_of_faults(1, 1).await;
}

#[tokio::test(start_paused = true)]
#[ignore = "it takes minutes: run it by hand, with any WEEK_SEED"]
async fn in_a_week_of_faults_whoever_calls_is_answered_once() {
    leap();
    let seed = std::env::var("WEEK_SEED").ok().and_then(|seed| seed.parse().ok());
    let days = std::env::var("WEEK_DAYS").ok().and_then(|days| days.parse().ok());
    days_of_faults(seed.unwrap_or(1), days.unwrap_or(7)).await;
}
