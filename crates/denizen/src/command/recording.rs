//! `denizen recording` and `denizen export`: what was kept, as a file.

use std::io::{BufWriter, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use runtime::ports::Store;
use storage::{Sqlite, create_private};

use super::progress::Busy;
use super::{block_on, known_community};

#[derive(Debug, Args)]
pub struct RecordingOptions {
    /// Where to write it; standard output without it.
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// The stretch that holds this input; the newest without it.
    #[arg(long, value_name = "SEQ")]
    holding: Option<u64>,
}

pub fn run(data: &Path, community: Option<&str>, options: &RecordingOptions) -> anyhow::Result<ExitCode> {
    let store = Sqlite::open_read_only(data)?;
    let busy = Busy::with("reading what was recorded");
    let recording = block_on(async {
        let community = known_community(&store, community).await?;
        Ok(store.recording(&community, options.holding).await?)
    })?;
    busy.now("writing the recording");
    let Some(recording) = recording else {
        bail!(
            "nothing was recorded in {} yet, or it is older than storage.keepRecordingsDays",
            data.display()
        );
    };
    match &options.out {
        Some(path) => {
            let file = create_private(path).with_context(|| format!("cannot write {}", path.display()))?;
            let mut out = BufWriter::new(file);
            runtime::recording::write(&recording, &mut out)?;
            out.flush()?;
            drop(busy);
            eprintln!(
                "{} inputs written to {}. It holds what people wrote: share it with care.",
                recording.inputs.len(),
                path.display()
            );
        }
        None => {
            drop(busy);
            let mut out = BufWriter::new(stdout().lock());
            runtime::recording::write(&recording, &mut out)?;
            out.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

pub fn export(data: &Path, file: &Path) -> anyhow::Result<ExitCode> {
    let store = Sqlite::open_read_only(data)?;
    let busy = Busy::with("copying the database");
    block_on(async { Ok(store.export_copy(file).await?) })?;
    drop(busy);
    eprintln!("a copy of the database is at {}", file.display());
    Ok(ExitCode::SUCCESS)
}
