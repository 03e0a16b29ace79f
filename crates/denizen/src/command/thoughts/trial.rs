//! `denizen thoughts think`: a trial, shown while it goes on.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use mind::ambient::view::{RunStage, RunView};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::telling;
use crate::client::Client;

/// How often it is looked how far it is.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// How long the trial may take to begin.
const BEGINS_WITHIN: Duration = Duration::from_secs(20);
/// How often in a row Denizen may fail to say how far it is.
const FAILURES_MAX: u32 = 5;

#[derive(Debug, Deserialize)]
struct Trial {
    trial: Option<RunView>,
}

pub async fn run(client: &Client, as_json: bool) -> anyhow::Result<ExitCode> {
    let before: Trial = client.get("/api/ambient").await?;
    client.post::<Value>("/api/ambient/think", &json!({})).await?;
    if !as_json {
        println!("it thinks now, to show what it would say; nothing is posted");
    }
    let ended = follow(client, before.trial.as_ref(), !as_json).await?;
    match as_json {
        true => println!("{}", serde_json::to_string_pretty(&ended)?),
        false => print!("\n{}", telling::outcome(&ended)),
    }
    Ok(match ended.stage {
        RunStage::Failed => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}

/// Looks until the trial after this one has ended, and tells each step once.
async fn follow(client: &Client, before: Option<&RunView>, aloud: bool) -> anyhow::Result<RunView> {
    let (asked, mut told, mut failures) = (Instant::now(), 0, 0);
    loop {
        let looked = client.get::<Trial>("/api/ambient").await;
        let trial = match looked {
            Ok(view) => {
                failures = 0;
                view.trial
            }
            Err(error) if failures == FAILURES_MAX => return Err(error),
            Err(_) => {
                failures += 1;
                None
            }
        };
        match trial.filter(|trial| !is_same(trial, before)) {
            Some(trial) => {
                for step in trial.steps.iter().skip(told).filter(|_| aloud) {
                    let after = telling::after(step.at, trial.started_at);
                    println!("{after:>9}  {:<9} {}", step.kind.name(), step.words);
                }
                told = told.max(trial.steps.len());
                if trial.ended_at.is_some() {
                    return Ok(trial);
                }
            }
            None if told == 0 && asked.elapsed() > BEGINS_WITHIN => bail!(
                "it was asked to think and did not begin. `denizen thoughts` shows what it is at; its log may say more"
            ),
            None => {}
        }
        sleep(LOOK_EVERY).await;
    }
}

fn is_same(trial: &RunView, before: Option<&RunView>) -> bool {
    before.is_some_and(|before| (before.turn, before.started_at) == (trial.turn, trial.started_at))
}
