//! `denizen-discord-double [--port N] [--guilds N] [--shards N] [--heartbeat MS]`: prints its address and runs until it
//! is stopped.

use discord_double::{Double, DoubleOptions};

const USAGE: &str = "usage: denizen-discord-double [--port N] [--guilds N] [--shards N] [--heartbeat MS]";

fn read(mut words: impl Iterator<Item = String>) -> Result<DoubleOptions, String> {
    let mut options = DoubleOptions::default();
    while let Some(word) = words.next() {
        let value = words
            .next()
            .ok_or_else(|| format!("{word} needs a value\n{USAGE}"))?;
        let wrong = |_| format!("{word}: {value:?} is no number that fits\n{USAGE}");
        match word.as_str() {
            "--port" => options.port = value.parse().map_err(wrong)?,
            "--guilds" => options.guilds = value.parse().map_err(wrong)?,
            "--shards" => options.shards = value.parse().map_err(wrong)?,
            "--heartbeat" => options.heartbeat_interval = value.parse().map_err(wrong)?,
            _ => return Err(format!("{word:?} is no option\n{USAGE}")),
        }
    }
    Ok(options)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = match read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(wrong) => {
            eprintln!("{wrong}");
            std::process::exit(2);
        }
    };
    let double = Double::start(options).await?;
    println!("{}", double.address());
    tokio::signal::ctrl_c().await?;
    Ok(())
}
