//! `denizen memory reembed`: every vector anew, with the embedder of the settings.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use runtime::memory::{MemoryService, OnOtherEmbedder};
use runtime::ports::WhoseTurns;
use serde_json::Value;

use super::Whose;
use super::access::{Here, asked};
use crate::client::Client;
use crate::command::progress::Progress;

const LOOK_EVERY: Duration = Duration::from_millis(200);

pub async fn run(data: &Path, whose: &Whose) -> anyhow::Result<ExitCode> {
    match Here::open(data, OnOtherEmbedder::Reembed).await? {
        Some(here) => embed_here(&here.service).await?,
        None => follow(&asked(data, whose).await?).await?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn embed_here(service: &MemoryService) -> anyhow::Result<()> {
    let mut progress = Progress::new("embedding");
    let mut trouble = String::new();
    let embedding = service.vectors().embed_the_rest();
    tokio::pin!(embedding);
    loop {
        tokio::select! {
            done = &mut embedding => {
                done?;
                break;
            }
            () = tokio::time::sleep(LOOK_EVERY) => {
                if let Some(far) = service.vectors().progress() {
                    progress.at(far.done, Some(far.total));
                    let said = far.trouble.unwrap_or_default();
                    if !said.is_empty() && said != trouble {
                        progress.remark(&format!("waiting to try again: {said}"));
                    }
                    trouble = said;
                }
            }
        }
    }
    progress.done();
    let status = service.status(&WhoseTurns::All).await;
    let by = status
        .embedder
        .map_or_else(|| "nobody".to_owned(), |embedder| embedder.name);
    println!("every vector is by {by} now");
    Ok(())
}

/// A running Denizen embeds by itself when it starts with another embedder; here its progress is watched.
async fn follow(client: &Client) -> anyhow::Result<()> {
    let mut progress = Progress::new("embedding");
    let by = loop {
        let status: Value = client.get("/api/memory/status").await?;
        let far = &status["reembedding"];
        if far.is_null() {
            break status["embedder"]["name"].as_str().unwrap_or("nobody").to_owned();
        }
        let number = |name: &str| usize::try_from(far[name].as_u64().unwrap_or(0)).unwrap_or(usize::MAX);
        progress.at(number("done"), Some(number("total")));
        tokio::time::sleep(LOOK_EVERY).await;
    };
    progress.done();
    println!(
        "the Denizen that runs on this folder embeds by itself: every vector is by {by}. A changed memory.embedding takes effect when it starts again"
    );
    Ok(())
}
