//! `denizen setup`: from nothing to a place where Denizen lives.

use std::io::{BufRead, IsTerminal, Write, stdin, stdout};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use discord::rest::DISCORD_API;
use discord_rooms::{
    BotCheckup, BotFolder, BotToken, TOKEN_VARIABLES, check_up, invite_link, missing_permissions,
};
use secrecy::SecretString;
use storage::DataLock;
use vocabulary::text::plain_line;

use super::block_on;

#[derive(Debug, Args)]
pub struct SetupOptions {
    #[command(subcommand)]
    place: SetupPlace,
}

#[derive(Debug, Subcommand)]
pub enum SetupPlace {
    /// Give Denizen the token of a Discord bot: it is checked, and what is still to be done is told.
    Discord(DiscordSetup),
}

#[derive(Debug, Args)]
pub struct DiscordSetup {
    /// Ask for a token, though there is one already.
    #[arg(long)]
    again: bool,
    /// Start Denizen as soon as nothing is left to do, without asking.
    #[arg(long)]
    start: bool,
    /// Where Discord's REST interface is, or that of a server that speaks it.
    #[arg(long, env = "DENIZEN_DISCORD_API", value_name = "ADDRESS", default_value = DISCORD_API)]
    discord_api: String,
}

const BEFORE: &str = "Denizen needs a bot of its own, which you make once:
  1. Open https://discord.com/developers/applications and choose New Application.
  2. Under Bot, switch on the Message Content Intent, and save.
  3. Under Bot, choose Reset Token and copy what is shown.
";

pub fn run(data: &Path, options: &SetupOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let SetupPlace::Discord(options) = &options.place;
    let folder = BotFolder::of(data);
    let (token, is_new) = token(&folder, options.again)?;
    let api = options.discord_api.as_str();
    let found = block_on(async { Ok(check_up(api, &token.secret).await?) })?;
    println!(
        "The token is good: it is that of the bot {}.",
        shown(found.bot.shown())
    );
    if is_new {
        let path = folder.keep_token(&token.secret)?;
        println!("It is kept in {}, which only you can read.", path.display());
        let of_environment = TOKEN_VARIABLES
            .into_iter()
            .find(|name| std::env::var(name).is_ok_and(|value| !value.trim().is_empty()));
        if let Some(name) = of_environment {
            println!("But {name} is set, and counts before it: take it out of the environment.");
        }
    } else {
        println!("It comes from {}.", token.origin);
    }
    let is_ready = tell(&found);
    if let Some(holder) = DataLock::holder(data)? {
        let then = match is_new {
            true => ": stop it and start it again, so that it goes to Discord with this token",
            false => " already",
        };
        let (folder, process) = (data.display(), holder.process);
        println!("A Denizen runs on {folder} (process {process}){then}.");
    } else if is_ready && (options.start || wants_start()?) {
        return Err(start(data, api));
    } else {
        println!(
            "To start: `denizen run --data {}`. Then mention it in a channel, or write to it directly.",
            data.display()
        );
    }
    Ok(match is_ready {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Whether whoever sits there wants it started.
fn wants_start() -> anyhow::Result<bool> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Ok(false);
    }
    print!("Start it now? It runs until Ctrl-C. [Y/n] ");
    stdout().flush()?;
    let mut answer = String::new();
    let is_answered = stdin().lock().read_line(&mut answer)? > 0;
    let answer = answer.trim().to_lowercase();
    Ok(is_answered && matches!(answer.as_str(), "" | "y" | "yes"))
}

/// `denizen run` in this process's place; why not, where that did not work.
fn start(data: &Path, api: &str) -> anyhow::Error {
    println!("Starting. Mention it in a channel, or write to it directly.");
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return error.into(),
    };
    let mut run = Command::new(program);
    run.arg("--data").arg(data).args(["run", "--discord-api", api]);
    anyhow::Error::new(run.exec()).context("it could not be started")
}

/// What is there already, or what is typed or piped in; and whether it is new.
fn token(folder: &BotFolder, again: bool) -> anyhow::Result<(BotToken, bool)> {
    if !again && let Some(token) = folder.token(|name| std::env::var(name).ok())? {
        return Ok((token, false));
    }
    let is_terminal = stdin().is_terminal();
    if is_terminal {
        print!("{BEFORE}Paste the token here (it is not shown), and press Enter: ");
        stdout().flush()?;
    }
    let hidden = is_terminal.then(Unshown::begin);
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line);
    drop(hidden);
    if is_terminal {
        println!();
    }
    read.context("the token could not be read")?;
    if line.trim().is_empty() {
        bail!(
            "there is no token. Set DENIZEN_DISCORD_TOKEN, or paste one where you are asked for it\n{}",
            BEFORE.trim_end()
        );
    }
    let token = BotToken {
        secret: SecretString::from(line.trim().to_owned()),
        origin: "what you gave".to_owned(),
    };
    Ok((token, true))
}

/// While this is held, what is typed is not shown.
struct Unshown;

impl Unshown {
    fn begin() -> Self {
        Self::set("-echo");
        Self
    }

    /// Where there is no such command, what is typed is seen by whoever types it.
    fn set(what: &str) {
        let _ = Command::new("stty").arg(what).stdin(Stdio::inherit()).status();
    }
}

impl Drop for Unshown {
    fn drop(&mut self) {
        Self::set("echo");
    }
}

/// What is still to be done; true where nothing is but to start.
fn tell(found: &BotCheckup) -> bool {
    let missing = found.missing_intents();
    if missing.is_empty() {
        println!("The intents that it needs are switched on.");
    } else {
        println!(
            "To do: switch on {} under {}, and save.",
            missing.join(" and "),
            found.portal()
        );
    }
    if found.guilds.is_empty() {
        println!("The bot is in no server yet.");
    }
    for guild in &found.guilds {
        match missing_permissions(guild).as_slice() {
            [] => println!("It is in the server {}.", shown(&guild.name)),
            missing => println!(
                "It is in the server {}, and lacks there: {}.",
                shown(&guild.name),
                missing.join(", ")
            ),
        }
    }
    println!(
        "To invite it, open this as somebody who manages a server; it asks for what Denizen needs, and nothing else:\n  {}",
        invite_link(found.application.id)
    );
    missing.is_empty()
}

fn shown(name: &str) -> String {
    plain_line(name, 60)
}
