//! Models that run on this machine: which there are, getting them, and whether they are whole.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ::settings::Settings;
use anyhow::{Context, bail};
use serde_json::{Value, json};
use vocabulary::text::counted;
use weights::{Catalogue, FileState, Installer, Model, ModelState, Purpose, Shelf, Stage, WeightFault};

use super::super::progress::Progress;
use super::voices;
use crate::house::speech_of;

const MEGABYTE: u64 = 1_000_000;

/// A model a line: what it is for, how large, under which licence, and whether it is here.
pub fn table(shelf: &Shelf) -> String {
    let catalogue = Catalogue::built_in();
    let width = catalogue
        .models
        .iter()
        .map(|model| model.name.len())
        .max()
        .unwrap_or(0);
    let mut told = format!(
        "{:<8}{:<width$}  {:>7}  {:<14}  {}\n",
        "for", "name", "size", "here", "what it is (licence)"
    );
    for model in &catalogue.models {
        let purpose = model.serves.map_or("all", Purpose::name);
        let _ = writeln!(
            told,
            "{purpose:<8}{:<width$}  {:>7}  {:<14}  {} ({})",
            model.name,
            size(model.bytes()),
            state(shelf.state(model)),
            model.title,
            model.licence
        );
    }
    told.push_str(
        "Get one with `denizen models install ears` (or voice, turn, memory, screen, or a name).\n",
    );
    told
}

pub fn as_json(shelf: &Shelf) -> Value {
    let rows = Catalogue::built_in().models.iter().map(|model| {
        json!({
            "name": model.name, "for": model.serves.map(Purpose::name), "title": model.title, "needs": model.needs,
            "bytes": model.bytes(), "licence": model.licence, "home": model.home,
            "state": state(shelf.state(model)), "folder": shelf.folder(model),
        })
    });
    rows.collect()
}

/// Installs models and those they need, with how far.
pub async fn install(
    data: &Path,
    settings: &Settings,
    names: &[String],
    from: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    let shelf = Shelf::of(data);
    if names.is_empty() && from.is_none() {
        print!("{}", table(&shelf));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(folder) = from.as_ref().filter(|folder| !folder.is_dir()) {
        bail!("--from {} is no folder", folder.display());
    }
    let catalogue = Catalogue::built_in();
    let installer = Installer::new(shelf.clone(), from.clone());
    let models = match (names, &from) {
        ([], Some(folder)) => catalogue.wanted(&lying_in(folder, &installer, catalogue)?)?,
        _ => catalogue.wanted(names)?,
    };
    let mut missing = Vec::new();
    for model in &models {
        match install_one(&installer, &shelf, model).await {
            // Whoever has to fetch files elsewhere is told of all of them at once.
            Err(error) if matches!(error.downcast_ref(), Some(WeightFault::NotInFolder { .. })) => {
                missing.push(format!("{error:#}"));
            }
            installed => installed?,
        }
    }
    if !missing.is_empty() {
        bail!("{}", missing.join("\n"));
    }
    // What is left there does no harm, and is used or removed by the next time.
    let _ = installer.tidy();
    let mut lines: Vec<String> = models.iter().flat_map(|model| how_to_use(model)).collect();
    lines.extend(voices::in_use(&speech_of(data), &shelf, &models, settings).await);
    for line in lines {
        println!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The models of a folder, where none is named; a folder without any is refused.
fn lying_in(folder: &Path, installer: &Installer, catalogue: &Catalogue) -> anyhow::Result<Vec<String>> {
    let found = installer.recognised(catalogue).into_iter();
    let names: Vec<String> = found.map(|model| model.name.clone()).collect();
    if names.is_empty() {
        bail!(
            "no model that is known lies in {} or a folder of it. `denizen models install` shows which there are, and `denizen models install NAME --from {}` names the files that it takes",
            folder.display(),
            folder.display()
        );
    }
    println!("in {}: {}", folder.display(), names.join(", "));
    Ok(names)
}

async fn install_one(installer: &Installer, shelf: &Shelf, model: &Model) -> anyhow::Result<()> {
    if shelf.state(model) == ModelState::Missing {
        println!(
            "{}: {} ({}, {})",
            model.name,
            model.title,
            size(model.bytes()),
            model.licence
        );
    }
    let mut progress = Progress::new("downloading, in kB");
    let mut kept = 0;
    let done = installer
        .install(model, |file, stage| match stage {
            Stage::Kept => kept += 1,
            Stage::Replaced(why) => progress.remark(&format!("  {} is had anew: {why}", file.path)),
            Stage::Downloading { bytes, of } => {
                progress.at((bytes / 1_000) as usize, Some((of / 1_000) as usize));
            }
            Stage::Checking => {}
            Stage::PassedOver { source, why } => {
                progress.remark(&format!("  {} not from {source}: {why}", file.path));
            }
            Stage::Installed => {
                progress.remark(&format!("  {} is here, and is what it should be", file.path))
            }
        })
        .await;
    progress.done();
    done.with_context(|| format!("{} is not installed", model.name))?;
    if kept == model.files().count() {
        println!("{}: was here already, and is whole", model.name);
    }
    Ok(())
}

/// Reads every installed file through.
pub fn verify(data: &Path, names: &[String], as_json: bool) -> anyhow::Result<ExitCode> {
    let shelf = Shelf::of(data);
    let catalogue = Catalogue::built_in();
    let models: Vec<&Model> = match names.is_empty() {
        true => {
            let there =
                |model: &&Model| matches!(shelf.state(model), ModelState::Installed | ModelState::Partly);
            catalogue.models.iter().filter(there).collect()
        }
        false => catalogue.wanted(names)?,
    };
    let mut wrong = 0;
    let mut rows = Vec::new();
    for model in &models {
        for file in model.files() {
            let mut progress = Progress::new("reading, in MB");
            let found = shelf.check(model, file, |bytes| {
                progress.at(
                    (bytes / MEGABYTE) as usize,
                    Some((file.bytes / MEGABYTE) as usize),
                );
            });
            progress.done();
            let found = found.with_context(|| format!("{} of {} cannot be read", file.path, model.name))?;
            let (ok, said) = match found {
                FileState::Whole => (true, "whole".to_owned()),
                FileState::Missing => (false, "missing".to_owned()),
                FileState::Wrong(why) => (false, why),
            };
            wrong += usize::from(!ok);
            rows.push(json!({ "model": model.name, "file": file.path, "ok": ok, "found": said }));
            if !as_json {
                println!(
                    "{} {}/{}: {said}",
                    if ok { "ok" } else { "!!" },
                    model.name,
                    file.path
                );
            }
        }
    }
    if as_json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else if models.is_empty() {
        println!("no model is installed. `denizen models install` shows which there are.");
    } else if wrong > 0 {
        let names: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        println!(
            "Not right: {}. `denizen models install {}` gets what is missing or wrong anew.",
            counted(wrong, "file"),
            names.join(" ")
        );
    }
    Ok(if wrong > 0 {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// What is left to do, so that it is used.
fn how_to_use(model: &Model) -> Vec<String> {
    let mut lines = Vec::new();
    match model.serves {
        Some(Purpose::Ears) => lines.push(
            "Ears: used by the next voice session, unless voice.sttPipeline.transcriptionProvider names others."
                .to_owned(),
        ),
        Some(Purpose::Turn) => lines.push(
            "Ends of turns: used by the next voice session, unless voice.sttPipeline.endOfTurn is silence.".to_owned(),
        ),
        Some(Purpose::Memory) => lines.push(
            "Memory: switch it on with `denizen settings set memory.embedding.provider onnx` and start again; what is there is embedded anew."
                .to_owned(),
        ),
        Some(Purpose::Screen) => {
            lines.push("Screens: used from the next frame, where no model can see.".to_owned());
        }
        // Of voices only one is used.
        Some(Purpose::Voice) | None => {}
    }
    if let Some(program) = model.beside.as_deref().filter(|program| !is_on_path(program)) {
        lines.push(format!(
            "! {} also takes the program {program}, which is not here: `apt install {program}`, or your system's way.",
            model.name
        ));
    }
    lines
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

fn state(state: ModelState) -> &'static str {
    match state {
        ModelState::Missing => "no",
        ModelState::Partly => "in part",
        ModelState::Installed => "installed",
        ModelState::NotForThisSystem => "not for here",
    }
}

fn size(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(MEGABYTE))
}
