//! What a conversation at a realtime service takes: time that it adds to each piece of sound on its way in and out, and
//! processor time, beside a plain client that does nothing but read and write frames. The service is the double of the tests,
//! on threads of its own; all conversations together have one thread.

mod plain;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::realtime::{Realtime, RealtimeKeys};
use anyhow::{Context, ensure};
use clap::Args;
use realtime_double::{ServiceDouble, Vendor};
use runtime::ports::{
    NativeClip, NativeConversation, NativeInstructions, NativePiece, RealtimeService, RealtimeServices as _,
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::Barrier;
use tokio::time::timeout;

/// What is heard in a turn: three seconds.
const CLIP_SECONDS: usize = 3;
/// What is said in one: some three seconds, in pieces of 100 ms.
const ANSWER: &str = "It is half past three, and the kettle is on the stove.";

/// A session that fails holds up all others for no longer.
const GATE_WITHIN: Duration = Duration::from_secs(120);

#[derive(Debug, Args)]
pub struct Options {
    /// Conversations at once.
    #[arg(long, default_value_t = 50, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=500))]
    sessions: usize,
    /// Turns of each: a clip is heard, an answer is said.
    #[arg(long, default_value_t = 6, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_000))]
    turns: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Denizen,
    Plain,
}

/// All sessions begin a turn at once, which is the worst that can happen to them: a clip is there for each when the last
/// of them has come to the gate, whenever its turn comes then.
#[derive(Debug)]
struct Gate {
    all: Barrier,
    last_came: Mutex<Instant>,
}

impl Gate {
    fn new(sessions: usize) -> Self {
        Self {
            all: Barrier::new(sessions),
            last_came: Mutex::new(Instant::now()),
        }
    }

    async fn opens(&self) -> anyhow::Result<Instant> {
        *self.last_came.lock().expect("nobody panics with it") = Instant::now();
        timeout(GATE_WITHIN, self.all.wait())
            .await
            .context("another session did not come to its next turn")?;
        Ok(*self.last_came.lock().expect("nobody panics with it"))
    }
}

/// When pieces of sound came, by session, and from when on clips were sent.
#[derive(Debug, Default)]
struct Times {
    heard: Vec<Instant>,
    sent: Vec<Instant>,
    turns: usize,
}

/// What was measured of a number of sessions.
struct Measured {
    /// From when a clip was given to when each piece of it had arrived, and from when a piece was sent to when it was there.
    up: Vec<Duration>,
    down: Vec<Duration>,
    processor: Duration,
    wall: Duration,
    whole: usize,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    fetching::service::install_tls();
    let serving = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let double = serving.block_on(ServiceDouble::start(Vendor::OpenAi));
    double.replies_always(ANSWER);
    println!(
        "{:>8} {:<8} {:>17} {:>17} {:>15} {:>16}",
        "sessions", "client", "up p50/p95 ms", "down p50/p95 ms", "CPU a turn ms", "CPU of a core %"
    );
    let mut numbers = vec![1, options.sessions];
    numbers.dedup();
    for sessions in numbers {
        for way in [Way::Denizen, Way::Plain] {
            double.clear();
            let measured = measure(way, &double, sessions, options.turns)?;
            let turns = sessions * options.turns;
            let (up, down) = (percentiles(measured.up)?, percentiles(measured.down)?);
            println!(
                "{sessions:>8} {:<8} {:>17} {:>17} {:>15.2} {:>16.1}  {}",
                match way {
                    Way::Denizen => "denizen",
                    Way::Plain => "plain",
                },
                format!("{:.2} / {:.2}", up.0, up.1),
                format!("{:.2} / {:.2}", down.0, down.1),
                measured.processor.as_secs_f64() * 1e3 / turns as f64,
                measured.processor.as_secs_f64() / measured.wall.as_secs_f64() * 100.0,
                match measured.whole == turns {
                    true => "all whole".to_owned(),
                    false => format!("{} of {turns} whole", measured.whole),
                }
            );
        }
    }
    println!(
        "A turn is {CLIP_SECONDS} s heard and {:.1} s said; the double speaks 6.7 times as fast as people do.",
        ANSWER.chars().count() as f64 * 0.06
    );
    drop(double);
    Ok(())
}

fn percentiles(mut times: Vec<Duration>) -> anyhow::Result<(f64, f64)> {
    ensure!(!times.is_empty(), "nothing was measured");
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    Ok((at(50), at(95)))
}

/// What this thread has taken of the processor.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn measure(way: Way, double: &ServiceDouble, sessions: usize, turns: usize) -> anyhow::Result<Measured> {
    // One thread has all of them: what it takes is theirs.
    let one = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let clip: Arc<[i16]> = (0..16_000 * CLIP_SECONDS)
        .map(|at| (at % 160) as i16 * 40)
        .collect();
    let service = service(double)?;
    let gate = Arc::new(Gate::new(sessions));
    let (before, began) = (processor(), Instant::now());
    let times: Vec<anyhow::Result<Times>> = one.block_on(async {
        let talking = (0..sessions).map(|number| {
            let (service, clip, url) = (service.clone(), clip.clone(), double.url("/v1"));
            let gate = gate.clone();
            tokio::spawn(async move {
                match way {
                    Way::Denizen => denizen(service, clip, number, turns, &gate).await,
                    Way::Plain => plain::talk(&url, &clip, number, turns, &gate).await,
                }
            })
        });
        let mut times = Vec::new();
        for task in talking.collect::<Vec<_>>() {
            times.push(task.await.map_err(anyhow::Error::from).and_then(|times| times));
        }
        times
    });
    let (processor, wall) = (processor() - before, began.elapsed());
    drop(service);
    let mut measured = Measured {
        up: Vec::new(),
        down: Vec::new(),
        processor,
        wall,
        whole: 0,
    };
    let (connections, received) = (connections(double), double.received());
    for (number, times) in times.into_iter().enumerate() {
        let times = times?;
        let connection = connections.get(&number).context("nobody was named there")?;
        let of_it = received
            .iter()
            .filter(|received| received.connection == *connection);
        let appended: Vec<Instant> = of_it
            .filter(|received| received.frame["type"] == "input_audio_buffer.append")
            .map(|received| received.at)
            .collect();
        let pieces = appended.len() / times.sent.len().max(1);
        // The first turn connects, and does not count.
        for (sent, arrived) in times.sent.iter().zip(appended.chunks(pieces.max(1))).skip(1) {
            measured
                .up
                .extend(arrived.iter().map(|at| at.saturating_duration_since(*sent)));
        }
        let spoken = double.sounded().into_iter().filter(|(on, _)| on == connection);
        for ((_, spoken), heard) in spoken.zip(&times.heard) {
            measured.down.push(heard.saturating_duration_since(spoken));
        }
        measured.whole += times.turns;
    }
    Ok(measured)
}

/// The connection of each session, by who was named on it.
fn connections(double: &ServiceDouble) -> BTreeMap<usize, u64> {
    let received = double.received();
    let named = received.iter().filter_map(|received| {
        let text = received.frame["item"]["content"][0]["text"].as_str()?;
        let number = text.strip_prefix("Person ")?.split(' ').next()?.parse().ok()?;
        Some((number, received.connection))
    });
    named.collect()
}

fn service(double: &ServiceDouble) -> anyhow::Result<Arc<dyn RealtimeService>> {
    let mut document = Document::default();
    document.set("voice.realtimeProvider", json!("openai"));
    document.set("voice.openaiRealtime.baseUrl", json!(double.url("/v1")));
    let settings = Settings::read(&document).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let realtime = Realtime::new(RealtimeKeys::default());
    realtime.chosen(&settings).map_err(anyhow::Error::msg)
}

async fn denizen(
    service: Arc<dyn RealtimeService>,
    clip: Arc<[i16]>,
    number: usize,
    turns: usize,
    gate: &Gate,
) -> anyhow::Result<Times> {
    let conversation: Arc<dyn NativeConversation> = service.converse().context("it does not think")?;
    conversation.instruct(NativeInstructions {
        text: "Be kind.".to_owned(),
        tools: Vec::new(),
    });
    let mut times = Times::default();
    for turn in 0..=turns {
        let clip = NativeClip {
            speakers: vec![format!("Person {number}")],
            samples: clip.clone(),
            wants_words: true,
        };
        let sent = gate.opens().await?;
        let deadline = tokio::time::Instant::now() + Duration::from_secs(30);
        let heard = conversation.hear(clip, deadline).await;
        heard.map_err(|fault| anyhow::anyhow!(fault.fault.detail))?;
        times.sent.push(sent);
        if turn == 0 {
            continue;
        }
        let mut pieces = conversation.answer(String::new());
        while let Some(piece) = pieces.recv().await {
            match piece {
                NativePiece::Sound(_) => times.heard.push(Instant::now()),
                NativePiece::Over(over) => times.turns += usize::from(over.is_ok()),
                NativePiece::Words(_) | NativePiece::Call(_) | NativePiece::Spent(_) => {}
            }
        }
    }
    Ok(times)
}
