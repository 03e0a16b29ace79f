//! What a reply takes of the smallest program that can give one, measured as Denizen is.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;

use super::taken::Taken;
use super::{AFTERWARDS, Options, Room, WARMING, row};
use crate::process::{Server, TOKEN};

/// Prints its row, and how much more Denizen's reply takes; `ours` is that, in milliseconds of the processor.
pub async fn beside(data: &Path, model: &str, options: &Options, ours: Option<f64>) -> anyhow::Result<()> {
    let server = begin(data, model)?;
    let mut room = Room::open(&format!("{}/api", server.url), TOKEN).await?;
    for _ in 0..WARMING {
        room.is_answered().await?;
    }
    tokio::time::sleep(AFTERWARDS).await;
    let before = Taken::by(&server).await?;
    let mut seen = Vec::new();
    for _ in 0..options.replies {
        seen.push(room.is_answered().await?);
    }
    tokio::time::sleep(AFTERWARDS).await;
    let taken = Taken::by(&server).await?.since(before);
    println!(" plain {}", row(&taken, &mut seen));
    let theirs = taken.processor_ms_of(options.replies);
    let times = ours.map_or(String::new(), |ours| {
        format!(
            ": a reply in the first row takes {:.1} times that",
            ours / theirs.max(1e-9)
        )
    });
    println!(
        "(plain: the smallest program of the same crates, which writes question and answer with a wait each, streams the answer and shows both to the page, takes {theirs:.2} ms of CPU{times})"
    );
    server.end()
}

fn begin(data: &Path, model: &str) -> anyhow::Result<Server> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["plain-room", "--model", model, "--data"])
        .arg(data)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let told = child.stdout.take();
    let mut server = Server::of(child, String::new());
    BufReader::new(told.context("it tells no address")?).read_line(&mut server.url)?;
    server.url.truncate(server.url.trim_end().len());
    Ok(server)
}
