//! `denizen memory search`.

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::json;
use vocabulary::Kinds;

use super::Whose;
use super::access::{StoreAccess, Wanted};
use super::telling;

#[derive(Debug, Args)]
pub struct SearchOptions {
    /// A question or plain words.
    #[arg(required = true)]
    words: Vec<String>,
    /// Only what is about or by this person, by id.
    #[arg(long, value_name = "ID")]
    person: Option<String>,
    /// See what this room would see; without it everything is seen.
    #[arg(long, value_name = "ROOM")]
    room: Option<String>,
    /// What to look for.
    #[arg(long, value_enum, default_value_t = KindsWanted::Both)]
    kinds: KindsWanted,
    /// Also what does not hold any more.
    #[arg(long)]
    superseded: bool,
    /// How many at most.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=100))]
    limit: u16,
    /// Print what was found as newline-delimited JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindsWanted {
    Gems,
    Turns,
    Both,
}

pub async fn run(data: &Path, whose: &Whose, options: &SearchOptions) -> anyhow::Result<ExitCode> {
    let door = StoreAccess::open(data, whose).await?;
    let searched = door
        .search(Wanted {
            words: options.words.join(" "),
            person: options.person.clone(),
            room: options.room.clone(),
            kinds: match options.kinds {
                KindsWanted::Gems => Kinds::Gems,
                KindsWanted::Turns => Kinds::Turns,
                KindsWanted::Both => Kinds::Both,
            },
            superseded: options.superseded,
            limit: usize::from(options.limit),
        })
        .await?;
    if options.json {
        for found in &searched.found {
            println!("{}", json!(found));
        }
        return Ok(ExitCode::SUCCESS);
    }
    for (index, found) in searched.found.iter().enumerate() {
        println!("{}", telling::found(index + 1, found, searched.threshold));
    }
    if searched.found.is_empty() {
        println!("nothing that is remembered fits");
    }
    if let Some(remark) = &searched.remark {
        eprintln!("{remark}");
    }
    Ok(ExitCode::SUCCESS)
}
