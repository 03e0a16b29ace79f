//! `denizen models`: what is known of language models, how to know more, and models for this machine.

mod local;
mod refresh;
mod telling;
mod voices;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use providers::{Breadth, Keys, Models, choices, inventory, lists, look_closer, try_gone_again};
use runtime::ports::Language;
use serde_json::{Value, json};
use storage::DataLock;
use weights::Shelf;

use ::settings::Settings;

use super::{block_on, saved_settings};
use crate::catalogue;
use crate::client::Client;

#[derive(Debug, Args)]
pub struct ModelsOptions {
    #[command(subcommand)]
    action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub enum ModelsAction {
    /// List the models in use and those preferred: price, length, abilities, when they end, and where each fact is from.
    List {
        /// All models of the catalogue and of the providers' lists.
        #[arg(long)]
        all: bool,
        /// Only those that run on this machine: ears, voices, meanings, eyes.
        #[arg(long, conflicts_with_all = ["all", "offline"])]
        local: bool,
        /// Do not ask the providers for their lists.
        #[arg(long)]
        offline: bool,
        /// Print them as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Get a model for this machine: `ears`, `voice`, `turn`, `memory`, `screen`, or one by its name. Without a name: what there is, or with --from everything that lies there.
    Install {
        /// What it is for, or which.
        names: Vec<String>,
        /// Take the files from this folder instead of the network: as they are, or the archives that hold them.
        #[arg(long, value_name = "FOLDER")]
        from: Option<PathBuf>,
    },
    /// Read installed models through: is each what it should be?
    Verify {
        /// Only these.
        names: Vec<String>,
        /// Print what was found as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Ask the providers which models they have; with --from, take a newer catalogue into the data folder.
    Refresh {
        /// A catalogue to take: a file, or an https address. It is checked first, and the one before is kept beside it.
        #[arg(long, value_name = "FILE|URL")]
        from: Option<String>,
        /// Print what was found as JSON.
        #[arg(long)]
        json: bool,
    },
}

pub fn run(data: &Path, options: &ModelsOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    match &options.action {
        ModelsAction::List {
            local: true, json, ..
        } => {
            let shelf = Shelf::of(data);
            match json {
                true => println!("{}", serde_json::to_string_pretty(&local::as_json(&shelf))?),
                false => print!("{}", local::table(&shelf)),
            }
            Ok(ExitCode::SUCCESS)
        }
        ModelsAction::List {
            all, offline, json, ..
        } => {
            let settings = saved_settings(data)?;
            block_on(list(data, &settings, (*all, *offline, *json)))
        }
        ModelsAction::Install { names, from } => {
            let settings = saved_settings(data)?;
            block_on(local::install(data, &settings, names, from.clone()))
        }
        ModelsAction::Verify { names, json } => local::verify(data, names, *json),
        ModelsAction::Refresh { from, json } => {
            let settings = saved_settings(data)?;
            block_on(async {
                let taken = match from {
                    Some(from) => Some(refresh::take(data, from).await?),
                    None => None,
                };
                asked(data, &settings, taken, *json).await
            })
        }
    }
}

fn models(data: &Path) -> anyhow::Result<Models> {
    let keys = Keys::from_env_and_file(|name| std::env::var(name).ok(), &data.join("keys.toml"))
        .context("keys.toml")?;
    Ok(Models::new(keys).knowing(catalogue::of(data)?).as_found_in(data))
}

async fn list(
    data: &Path,
    settings: &Settings,
    (all, offline, as_json): (bool, bool, bool),
) -> anyhow::Result<ExitCode> {
    let models = models(data)?;
    if !offline {
        models.configure(settings).await;
        look_closer(&models, settings).await;
    }
    let breadth = if all { Breadth::All } else { Breadth::Relevant };
    let rows = inventory(&models, breadth, settings);
    let lists = lists(&models, settings);
    if as_json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
        for list in lists.iter().filter(|list| list.problem.is_some()) {
            eprintln!("{}", telling::listing(list));
        }
        eprint!("{}", telling::remarks(&models.catalogue()));
    } else {
        print!("{}", telling::table(&rows));
        println!();
        print!("{}", telling::choices(&choices(&models, settings)));
        for list in lists.iter().filter(|list| list.problem.is_some()) {
            println!("! {}", telling::listing(list));
        }
        println!("{}", telling::source(&models.catalogue()));
        print!("{}", telling::remarks(&models.catalogue()));
        println!("\nOn this machine (ears, voices, meanings, eyes):");
        print!("{}", local::table(&Shelf::of(data)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Has the Denizen that runs on the folder look as well, and says so.
async fn running_looks_again(data: &Path) -> String {
    match DataLock::holder(data) {
        Ok(Some(holder)) if holder.door.is_some() => {}
        _ => {
            try_gone_again(data);
            return "A Denizen that runs looks by itself once a day.".to_owned();
        }
    }
    let looking = async {
        let client = Client::of_folder(data, None).await?;
        client.post::<Value>("/api/model/detect", &json!({})).await
    };
    match looking.await {
        Ok(status) => format!(
            "The Denizen that runs has looked again, too: replies by {} {}",
            status["provider"].as_str().unwrap_or_default(),
            status["model"].as_str().unwrap_or_default()
        ),
        Err(error) => format!("! the Denizen that runs could not be told to look again: {error:#}"),
    }
}

async fn asked(
    data: &Path,
    settings: &Settings,
    taken: Option<refresh::Taken>,
    as_json: bool,
) -> anyhow::Result<ExitCode> {
    let models = models(data)?;
    // What is forgotten with it is not told once more.
    models.detect(settings).await;
    let status = models.status(settings);
    let found_lists = lists(&models, settings);
    let chosen = choices(&models, settings);
    // Whoever wrote a script wants to know that nothing was learnt.
    let in_vain = !found_lists.is_empty() && found_lists.iter().all(|list| list.problem.is_some());
    let code = if in_vain {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    };
    if as_json {
        let warnings: Vec<&str> = status
            .warnings
            .iter()
            .map(|warning| warning.text.as_str())
            .collect();
        let shown = json!({
            "catalogue": taken.as_ref().map(refresh::Taken::as_json),
            "lists": found_lists, "choices": chosen, "provider": status.provider, "model": status.model,
            "smallModel": status.small_model, "warnings": warnings,
        });
        println!("{}", serde_json::to_string_pretty(&shown)?);
        eprintln!("{}", running_looks_again(data).await);
        return Ok(code);
    }
    if let Some(taken) = &taken {
        print!("{}", taken.told());
    }
    if found_lists.is_empty() {
        println!(
            "nobody was asked: there is no key, and no model server was found. {}",
            status.how_to_change
        );
    }
    for list in &found_lists {
        println!("{}", telling::listing(list));
    }
    print!("{}", telling::choices(&chosen));
    for warning in &status.warnings {
        println!("! {}", warning.text);
    }
    println!("{}", running_looks_again(data).await);
    Ok(code)
}
