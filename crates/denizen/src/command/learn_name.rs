//! `denizen learn-name`: finds out how the ears write Denizen's name, and keeps that where it counts as the name.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;
use mind::addressing::written_for_name;
use recall::Table;
use runtime::ports::SpeechEngines as _;
use serde_json::json;
use settings::{Settings, TranscriptionProvider};
use storage::Sqlite;

use super::block_on;
use super::settings::{Saved, tell_when};
use crate::house::speech_of;

/// How fast the name is said; ears write it differently each time.
const PACES: [f64; 4] = [0.8, 0.9, 1.0, 1.15];
const KEY: &str = "voice.nameSpellings";

#[derive(Debug, Args)]
pub struct LearnNameOptions {
    /// Only say what would be kept.
    #[arg(long)]
    dry_run: bool,
}

pub fn run(data: &Path, community: Option<&str>, options: &LearnNameOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let store = Sqlite::open(data)?;
    block_on(async {
        let saved = Saved::open(&store, community).await?;
        let mut effective = saved.effective();
        let settings = read(&effective)?;
        let provider = settings.stt_pipeline.transcription_provider;
        if matches!(
            provider,
            TranscriptionProvider::OpenAi | TranscriptionProvider::ElevenLabs
        ) {
            bail!(
                "voice.sttPipeline.transcriptionProvider is a service that is paid for what it hears. Set {KEY} by hand: \
                 `denizen settings set {KEY} Denison,Denizan`"
            );
        }
        let name = settings.identity.name.clone();
        let engines = speech_of(data);
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        let (mut tries, mut right) = (0, 0);
        for pace in PACES {
            effective.set("voice.sttPipeline.ttsSpeed", json!(pace));
            let chosen = engines.chosen(&read(&effective)?).await;
            if !chosen.ears_standing.works {
                let remedy = chosen.ears_standing.remedy.unwrap_or_default();
                bail!(
                    "there are no ears to learn with: {}. {remedy}",
                    chosen.ears_standing.detail
                );
            }
            if !chosen.mouth_standing.works {
                let remedy = chosen.mouth_standing.remedy.unwrap_or_default();
                bail!(
                    "there is no voice to say it: {}. {remedy}",
                    chosen.mouth_standing.detail
                );
            }
            if tries == 0 {
                println!(
                    "{} says \"{name}\" to {}",
                    chosen.mouth_standing.engine, chosen.ears_standing.engine
                );
            }
            let trials = speech::try_name(&name, &*chosen.ears, &*chosen.mouth).await;
            for trial in trials.map_err(|why| anyhow!(why))? {
                tries += 1;
                right += usize::from(trial.heard.to_lowercase().contains(&name.to_lowercase()));
                println!("  {}\n    {}", trial.said, trial.heard);
                let written = written_for_name(&trial.said, &trial.heard, &name);
                for word in written.into_iter().filter(|word| !Table::builtin().is_word(word)) {
                    *found.entry(word).or_default() += 1;
                }
            }
        }
        println!("heard as it is written in {right} of {tries} sentences");
        let spellings: Vec<&String> = found.keys().collect();
        if spellings.is_empty() {
            println!("nothing else that can only be the name was written for it; {KEY} stays as it is");
            return Ok(ExitCode::SUCCESS);
        }
        let shown: Vec<String> = found
            .iter()
            .map(|(word, times)| format!("{word} ({times})"))
            .collect();
        println!("also written for it, and no ordinary word: {}", shown.join(", "));
        if options.dry_run {
            println!("nothing was saved (--dry-run)");
            return Ok(ExitCode::SUCCESS);
        }
        let mut document = saved.document().clone();
        document.set(KEY, json!(spellings));
        saved.save(document).await?;
        println!("{KEY} has them now: said aloud, each counts as the name where nobody is called so");
        tell_when(data);
        Ok(ExitCode::SUCCESS)
    })
}

fn read(document: &settings::Document) -> anyhow::Result<Settings> {
    Settings::read(document).map_err(|errors| {
        let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow!("the settings cannot be read:\n{}", problems.join("\n"))
    })
}
