//! Many communities in one process: how much memory each takes while nobody talks, how soon they are all there after a
//! start, and whether anything of one ever shows in another.

mod cross_talk;
mod scripted;
mod town;

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;

use cross_talk::{Listening, Seen};
use town::{Ground, marker};

#[derive(Debug, Clone, Copy, Args)]
pub struct Options {
    /// How many communities there are, the default one included.
    #[arg(long, default_value_t = 200, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(2..))]
    pub communities: usize,
    /// Messages that are written in each.
    #[arg(long, default_value_t = 3)]
    pub messages: usize,
}

/// What came of it.
#[derive(Debug)]
pub struct Report {
    pub communities: usize,
    /// Adding all but the default one, one after the other.
    pub added_in: Duration,
    /// From nothing to all of them running, on a folder that has them.
    pub started_in: Duration,
    pub idle_bytes_each: u64,
    pub messages: usize,
    pub replies: usize,
    pub asks: usize,
    pub events: usize,
    pub turns: usize,
    /// What showed up where it does not belong; there must be nothing.
    pub cross_talk: Vec<String>,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let report = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?
        .block_on(measure(options))?;
    println!("{} communities in one process", report.communities);
    println!(
        "  added one after the other in {} ms",
        report.added_in.as_millis()
    );
    println!("  all running {} ms after a start", report.started_in.as_millis());
    println!(
        "  resident memory of an idle one: {:.2} MB",
        report.idle_bytes_each as f64 / 1_048_576.0
    );
    println!(
        "  {} messages, {} replies, {} model calls, {} live events, {} remembered turns",
        report.messages, report.replies, report.asks, report.events, report.turns
    );
    println!(
        "  things of one that showed in another: {}",
        report.cross_talk.len()
    );
    for found in report.cross_talk.iter().take(20) {
        println!("    {found}");
    }
    ensure!(report.cross_talk.is_empty(), "communities hear each other");
    Ok(())
}

/// Adds communities, starts anew with all of them, talks in all of them at random, and looks for what does not belong.
pub async fn measure(options: Options) -> anyhow::Result<Report> {
    let ground = Ground::new()?;
    let began = Instant::now();
    let town = ground.open().await?;
    ground.settle_in(&town, options.communities).await?;
    let added_in = began.elapsed();
    town.stop().await;
    drop(town);

    let before = resident_bytes()?;
    let began = Instant::now();
    let town = ground.open().await?;
    let started_in = began.elapsed();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let idle_bytes_each = resident_bytes()?.saturating_sub(before) / options.communities as u64;

    let everybody = town.list();
    ensure!(
        everybody.len() == options.communities,
        "{} of {} communities came back",
        everybody.len(),
        options.communities
    );
    let listening = Listening::to(&everybody);
    ground.talk(&town, options.messages).await?;
    let mut seen = Seen::default();
    let replies = seen.rooms(&everybody, options.messages).await?;
    ground.change_everything(&town).await?;
    seen.settings(&everybody).await?;
    seen.journals(&everybody).await?;
    let turns = seen.memories(&everybody).await?;
    let asks = seen.requests(&ground.model.requests());
    let events = seen.events(listening);
    seen.forgetting(&everybody).await?;
    seen.removal(&town).await?;
    town.stop().await;
    Ok(Report {
        communities: options.communities,
        added_in,
        started_in,
        idle_bytes_each,
        messages: options.messages * options.communities,
        replies,
        asks,
        events,
        turns,
        cross_talk: seen.cross_talk,
    })
}

/// The markers in a text, each the number of a community.
fn markers(text: &str) -> impl Iterator<Item = usize> {
    let found = text.match_indices(marker::PREFIX);
    let numbers = found.filter_map(|(at, prefix)| {
        let rest = &text[at + prefix.len()..];
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    });
    numbers.collect::<Vec<_>>().into_iter()
}

fn resident_bytes() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1));
    Ok(kib.context("no VmRSS in /proc")?.parse::<u64>()? * 1_024)
}

#[cfg(test)]
#[path = "communities_tests.rs"]
mod communities_tests;
