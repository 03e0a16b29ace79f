//! A run as a recording, and files as they are kept.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use mind::{Mind, snapshot};
use runtime::ports::{RecordedInput, Recording, SavedSettings, Segment};
use runtime::{recording, replay};
use serde_json::value::RawValue;
use simulator::{Stepped, Trace};

/// Writes a packed file.
pub fn pack(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let to = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
    let mut packing = GzEncoder::new(to, Compression::best());
    packing.write_all(bytes)?;
    packing.finish()?;
    Ok(())
}

/// The first so many inputs of a run as a recording with their journal; stepped again, they give that journal.
pub fn recorded(trace: &Trace, title: &str, inputs_max: usize) -> anyhow::Result<Vec<u8>> {
    let genesis = trace.genesis.clone().context("a run has a beginning")?;
    let first = trace.steps.first().context("nothing happened")?;
    let mut versions = trace.saved_settings.iter().zip(0..);
    let (settings, settings_version) = versions.next().context("a run has settings")?;
    let steps = &trace.steps[..trace.steps.len().min(inputs_max)];
    let inputs = steps.iter().zip(1..).map(|(step, seq)| RecordedInput {
        seq,
        now: step.now,
        stepped_before: None,
        input: step.input.clone(),
    });
    let recording = Recording {
        segment: Segment {
            community: genesis.community.clone(),
            version: title.to_owned(),
            started_at: first.now.wall,
            first_input: 1,
            state: RawValue::from_string(snapshot::keep(&Mind::new(genesis)))?,
            settings_version,
            settings: settings.clone(),
        },
        inputs: inputs.collect(),
        journal: steps.iter().flat_map(Stepped::journal).cloned().collect(),
        settings: versions
            .map(|(document, version)| SavedSettings {
                version,
                document: document.clone(),
            })
            .collect(),
    };
    let mut written = Vec::new();
    recording::write(&recording, &mut written)?;
    let again = replay::again(&recording::read(&*written)?)?;
    ensure!(
        again == recording.journal,
        "{title}: stepped again, it gives another journal"
    );
    Ok(written)
}
