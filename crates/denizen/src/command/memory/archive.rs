//! `denizen memory export` and `import`: everything that is remembered, as a file and back.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use runtime::memory::OnOtherEmbedder;
use runtime::memory::archive::{Writing, take_in};
use storage::create_private;
use vocabulary::text::counted;

use super::Whose;
use super::access::{Here, StoreAccess};
use crate::command::progress::Progress;

pub async fn export(data: &Path, whose: &Whose, file: Option<&Path>) -> anyhow::Result<ExitCode> {
    let door = StoreAccess::open(data, whose).await?;
    let mut out: Box<dyn Write> = match file {
        Some(path) => {
            let file = create_private(path).with_context(|| format!("cannot write {}", path.display()))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(BufWriter::new(stdout().lock())),
    };
    let mut progress = Progress::new("writing");
    let written = match door {
        StoreAccess::Local(here) => {
            let mut written = 0;
            let mut writing = Writing::of(here.service.records().clone());
            while let Some((lines, records)) = writing.next().await? {
                out.write_all(lines.as_bytes())?;
                written += records;
                progress.at(written, None);
            }
            written
        }
        StoreAccess::Remote(client) => {
            let mut lines = 0;
            client
                .download("/api/memory/export", &mut out, |piece| {
                    lines += piece.iter().filter(|byte| **byte == b'\n').count();
                    progress.at(lines, None);
                })
                .await?;
            lines.saturating_sub(1)
        }
    };
    out.flush()?;
    progress.done();
    let place = file.map_or_else(String::new, |path| format!(" to {}", path.display()));
    eprintln!(
        "{} written{place}. It holds what people said: share it with care.",
        counted(written, "record")
    );
    Ok(ExitCode::SUCCESS)
}

pub async fn import(data: &Path, file: &Path) -> anyhow::Result<ExitCode> {
    let from: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
        Box::new(BufReader::new(opened))
    };
    let Some(here) = Here::open(data, OnOtherEmbedder::Refuse).await? else {
        bail!(
            "a Denizen runs on {}, and only one may write to it. Stop it, import, and start it again",
            data.display()
        );
    };
    let mut progress = Progress::new("lines read");
    let taken = take_in(here.service.records(), from, |lines| progress.at(lines, None)).await;
    progress.done();
    let taken = taken.with_context(|| file.display().to_string())?;
    for problem in &taken.problems {
        eprintln!("line {}: not taken in, because {}", problem.line, problem.reason);
    }
    println!(
        "{} and {} taken in, {} there already, {} rejected",
        counted(taken.gems, "gem"),
        counted(taken.turns, "turn"),
        taken.known,
        counted(taken.rejected, "line")
    );
    Ok(if taken.rejected == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
