//! `denizen doctor`: is everything in order, and if not, what to do.

mod asking;
mod communities;
mod discord;
mod ending;
mod findings;
mod folded;
mod grid;
mod speech;
mod storage_health;
mod thoughts;
mod thresholds;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use ::discord::rest::DISCORD_API;
use clap::Args;
use ocr::Readers;
use providers::{Finding, Keys, Models, Provider, Trial, may_see, well};
use runtime::memory::OnOtherEmbedder;
use runtime::ports::{Language, MemoryFault, Store, WhoseTurns};
use runtime::questions::Surroundings;
use serde_json::{Value, json};
use settings::Settings;
use storage::Sqlite;
use vocabulary::AskPurpose;
use vocabulary::text::counted;
use weights::{Purpose, Shelf};

use self::findings::{Mark, bad, good, noted};
use super::block_on;
use super::colour::Colour;
use super::progress::Busy;
use crate::catalogue;
use crate::memory::DataFolder;
use crate::outbound::Outbound;

#[derive(Debug, Args)]
pub struct DoctorOptions {
    /// Also ask for each purpose what Denizen itself would ask (tools, typed answers, a picture), and print a table of what
    /// works and what one costs. It may cost a cent.
    #[arg(long)]
    deep: bool,
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
    /// Say that this machine's clock is right, where retention does not believe it since it jumped.
    #[arg(long)]
    trust_clock: bool,
    /// Where Discord's REST interface is, or that of a server that speaks it.
    #[arg(long, env = "DENIZEN_DISCORD_API", value_name = "ADDRESS", default_value = DISCORD_API)]
    discord_api: String,
}

/// Everything that was looked at.
#[derive(Default)]
struct Examination {
    findings: Vec<Finding>,
    /// None where nothing was to be tried.
    trials: Option<Vec<Trial>>,
}

impl Examination {
    fn marks(&self) -> impl Iterator<Item = Mark> {
        // What goes wrong for many purposes in the same way is one thing to be done.
        let trials = self.trials.as_deref().map(grid::wrong).unwrap_or_default();
        let trials = trials.into_iter().map(|alike| Mark::of_trial(alike[0]));
        self.findings.iter().map(Mark::of).chain(trials)
    }

    fn count(&self, mark: Mark) -> usize {
        self.marks().filter(|other| *other == mark).count()
    }
}

pub fn run(data: &Path, options: &DoctorOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    let busy = Busy::with("looking at storage");
    let found = block_on(examine(data, options, &busy))?;
    drop(busy);
    let (problems, notes) = (found.count(Mark::Broken), found.count(Mark::Noted));
    match options.json {
        true => println!("{}", serde_json::to_string_pretty(&as_json(&found))?),
        false => tell(&found),
    }
    let colour = Colour::of_stdout();
    match (problems, notes) {
        _ if options.json => {}
        (0, 0) => println!("\n{}", colour.good("Everything is in order.")),
        (0, _) => println!(
            "\nEverything works; {} could be better ({}).",
            counted(notes, "thing"),
            colour.changed("!")
        ),
        _ => println!("\n{} ({}).", counted(problems, "problem"), colour.bad("!!")),
    }
    Ok(if problems == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn tell(found: &Examination) {
    let (colour, columns) = (Colour::of_stdout(), grid::columns());
    let longest = found.findings.iter().map(|finding| finding.what.chars().count());
    // What is narrow has no room for two columns.
    let width = match grid::is_narrow(columns) {
        true => 0,
        false => longest.max().unwrap_or(0),
    };
    let mut told = String::new();
    for finding in &found.findings {
        let mark = Mark::of(finding).shown(colour);
        let what = match width {
            0 => format!("{}:", finding.what),
            _ => finding.what.clone(),
        };
        told.push_str(&format!("{mark} {what:<width$} {}\n", finding.detail));
        if let Some(remedy) = &finding.remedy {
            told.push_str(&format!("{:width$}     → {remedy}\n", ""));
        }
    }
    if let Some(trials) = &found.trials {
        told.push_str(&format!("\n{}", grid::told(trials, columns, colour)));
    }
    print!("{}", folded::folded(&told, columns));
}

fn as_json(found: &Examination) -> Value {
    let findings = found.findings.iter().map(|finding| {
        json!({
            "what": finding.what, "mark": Mark::of(finding).name(),
            "detail": finding.detail, "remedy": finding.remedy,
        })
    });
    json!({
        "problems": found.count(Mark::Broken),
        "notes": found.count(Mark::Noted),
        "findings": findings.collect::<Vec<_>>(),
        "trials": found.trials,
    })
}

async fn examine(data: &Path, options: &DoctorOptions, busy: &Busy) -> anyhow::Result<Examination> {
    let mut findings = Vec::new();
    let mut trials = None;
    let mut settings = Settings::default();
    let mut opened = None;
    match Sqlite::open(data) {
        Ok(store) => {
            if options.trust_clock {
                store.believe_clock(runtime::wall()).await?;
            }
            findings.extend(storage_health::examine(data, &store).await);
            findings.push(match store.base_settings().await {
                Ok(saved) => match Settings::read(&saved.document) {
                    Ok(read) => {
                        settings = read;
                        good("settings", format!("version {}, all values valid", saved.version))
                    }
                    Err(errors) => {
                        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
                        bad(
                            "settings",
                            list.join("; "),
                            "run `denizen settings migrate`, or reset what is named",
                        )
                    }
                },
                Err(error) => bad("settings", error.to_string(), "see storage"),
            });
            opened = Some((store, findings.len()));
        }
        Err(error) => findings.push(bad(
            "storage",
            error.to_string(),
            "choose another folder with --data, or restore it from a copy",
        )),
    }
    let world = Outbound::open(data);
    let mut known_models = None;
    match Keys::from_env_and_file(|name| std::env::var(name).ok(), &data.join("keys.toml")) {
        Ok(keys) => {
            busy.now("looking at memory");
            findings.extend(memory(data, &settings, &keys).await);
            busy.now("looking for models");
            let mut models = Models::new(keys).as_found_in(data);
            match catalogue::of(data) {
                Ok(known) => models = models.knowing(known),
                Err(error) => findings.push(bad(
                    "catalogue",
                    format!("{error:#}"),
                    "correct the file, or remove it; until then the built-in catalogue counts for a Denizen that starts, and one that runs goes on with what it had",
                )),
            }
            models.configure(&settings).await;
            findings.extend(models.examine(&settings).await);
            busy.now("looking at ears, voice and what reads screens");
            findings.extend(screens(data, &models, settings.clone()).await?);
            findings.extend(speech::examine(data, &settings).await);
            if options.deep {
                // What the tools are is known once their servers are up.
                busy.now("reading feeds, and looking at tools and media");
                findings.extend(thoughts::examine(&world, &settings).await);
                busy.now("asking the models what Denizen would ask");
                let around = Surroundings {
                    tools: runtime::outside_tools(&world.outbound.toolboxes, &settings).await,
                    media: world.outbound.studio.can_make(&settings),
                    ..Surroundings::default()
                };
                let store = opened.as_ref().map(|(store, _)| store);
                let tried = communities::try_all(store, &models, &settings, around).await;
                findings.extend(asking::tell_running_of(data, &well(&tried), (&settings, &models)).await);
                trials = Some(tried);
            }
            known_models = Some(models);
        }
        Err(error) => findings.push(bad("keys", error.to_string(), "correct the file, or remove it")),
    }
    if trials.is_none() {
        busy.now("reading feeds, and looking at tools and media");
        findings.extend(thoughts::examine(&world, &settings).await);
    }
    world.leave().await;
    busy.now("asking Discord");
    findings.extend(discord::examine(data, &options.discord_api).await);
    if let Some((store, _)) = &opened {
        findings.extend(discord::named(store).await);
    }
    if let Some((store, place)) = opened {
        busy.now("asking the Denizen that runs");
        let known = &findings[..place];
        let well = well(trials.as_deref().unwrap_or_default());
        let models = (&settings, known_models.as_ref(), well.as_slice());
        let asking = asking::examine(data, &store, models, known).await;
        findings.splice(place..place, asking);
    }
    Ok(Examination { findings, trials })
}

/// Who takes notes on shared screens, and who reads what stands on them where no model sees.
async fn screens(data: &Path, models: &Models, settings: Settings) -> anyhow::Result<Vec<Finding>> {
    let watch = &settings.stream_watch;
    if !watch.enabled {
        return Ok(vec![good(
            "screens",
            "switched off (voice.streamWatch.enabled)".to_owned(),
        )]);
    }
    let choice = settings.model_choice(watch.note_provider, &watch.note_model);
    let taker = models.who_answers(&choice, AskPurpose::ScreenNote, &settings);
    let sees = may_see(models, &choice, AskPurpose::ScreenNote, &settings);
    let mut findings = vec![match &taker {
        Ok((Provider::Offline, _)) => good(
            "notes on screens",
            "no model that sees is set; what can be read is noted".to_owned(),
        ),
        Ok((provider, model)) if !sees => good(
            "notes on screens",
            format!("{provider} model `{model}` cannot see pictures; what can be read is noted"),
        ),
        Ok((provider, model)) => good(
            "notes on screens",
            format!("{provider} model `{model}`, which has to be one that sees"),
        ),
        Err(failure) => bad(
            "notes on screens",
            "nobody can take them".to_owned(),
            &failure.detail,
        ),
    }];
    findings.extend(thresholds::without_effect(watch));
    if matches!(taker, Ok((Provider::Offline, _))) || !sees {
        // Models are loaded to see whether they can be.
        let readers =
            Readers::of_this_machine().with_installed(Shelf::of(data).installed_for(Purpose::Screen));
        let report = tokio::task::spawn_blocking(move || readers.report(&settings)).await?;
        findings.push(Finding {
            what: "text on screens".to_owned(),
            ok: report.ok,
            detail: report.detail,
            remedy: report.remedy,
        });
    }
    Ok(findings)
}

/// Where memory is kept, whether it can be reached, and who tells what texts mean.
async fn memory(data: &Path, settings: &Settings, keys: &Keys) -> Vec<Finding> {
    if !settings.memory.enabled {
        return vec![good("memory", "switched off (memory.enabled)".to_owned())];
    }
    let Ok(sqlite) = Sqlite::open(data) else {
        return Vec::new();
    };
    let folder = DataFolder {
        data: data.to_owned(),
        sqlite: Arc::new(sqlite),
        settings: settings.clone(),
        keys: keys.clone(),
    };
    let mut findings = vec![match folder.embedder().await {
        Ok(embedder) => {
            let identity = embedder.identity();
            good(
                "embedder",
                format!("{} with {} dimensions", identity.name, identity.dimensions),
            )
        }
        // Nothing is broken meanwhile.
        Err(fault) => noted(
            "embedder",
            fault.to_string(),
            "until then memory is searched by words alone; see memory.embedding in the settings",
        ),
    }];
    match folder.reranker().await {
        Ok(None) => {}
        Ok(Some(reranker)) => findings.push(good("reranker", reranker.name())),
        // Nothing is broken meanwhile.
        Err(fault) => findings.push(noted(
            "reranker",
            fault.to_string(),
            "until then how sure a memory is goes by words and meaning alone; see memory.reranker in the settings",
        )),
    }
    // Whoever judges was opened above.
    findings.push(match folder.open_unjudged(OnOtherEmbedder::Refuse).await {
        Ok(service) => {
            let status = service.status(&WhoseTurns::All).await;
            match status.trouble {
                None => good(
                    "memory",
                    format!(
                        "{}; {}; {} gems of {} turns",
                        status.store, status.buffer, status.stats.gems, status.stats.turns
                    ),
                ),
                Some(trouble) => bad(
                    "memory",
                    trouble,
                    "messages are kept and answered meanwhile; see memory.store in the settings",
                ),
            }
        }
        // The next start makes the vectors anew by itself.
        Err(fault @ MemoryFault::OtherEmbedder { .. }) => {
            good("memory", format!("{fault}. `denizen run` does so by itself"))
        }
        Err(fault) => bad("memory", fault.to_string(), "see memory.store in the settings"),
    });
    findings
}
