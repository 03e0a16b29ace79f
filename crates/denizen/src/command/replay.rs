//! `denizen replay`: the same journal again, or what other settings would have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use mind::{Input, RoomEvent};
use runtime::ports::Recording;
use runtime::replay::{self, Difference, ScreenDecisions, ScreenDifference, ThoughtDecisions};
use settings::Settings;
use vocabulary::text::{counted, plain_line};
use vocabulary::{Message, MessageId};

use super::Overrides;
use super::colour::Colour;
use super::progress::Progress;

/// What is shown of a message's words.
const TEXT_CHARS_MAX: usize = 100;

#[derive(Debug, Args)]
pub struct ReplayOptions {
    /// A recording, as `denizen recording` or the settings page saves it.
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
}

pub fn run(options: &ReplayOptions) -> anyhow::Result<ExitCode> {
    let file =
        File::open(&options.file).with_context(|| format!("cannot open {}", options.file.display()))?;
    let mut progress = Progress::new("bytes read");
    let bytes = file.metadata().map_or(0, |about| about.len()) as usize;
    let recording = runtime::recording::read(BufReader::new(progress.reading(file, bytes)))
        .with_context(|| format!("cannot read {}", options.file.display()));
    progress.done();
    let recording = recording?;
    if options.overrides.set.is_empty() {
        same_again(&recording)
    } else {
        compare(&recording, &options.overrides)
    }
}

/// Prints the journal that the inputs give, and says whether it is the recorded one.
fn same_again(recording: &Recording) -> anyhow::Result<ExitCode> {
    let journal = told_of(recording, "replaying inputs", |stepped| {
        replay::again_telling(recording, stepped)
    })?;
    let mut differs = None;
    for (index, entry) in journal.iter().enumerate() {
        let line = serde_json::to_string(entry)?;
        let recorded = recording
            .journal
            .get(index)
            .map(serde_json::to_string)
            .transpose()?;
        if differs.is_none() && recorded.as_deref() != Some(&line) {
            differs = Some((index, recorded));
        }
        println!("{line}");
    }
    match differs {
        None if journal.len() == recording.journal.len() => {
            eprintln!(
                "replayed {} inputs: all {} journal lines are the recorded ones",
                recording.inputs.len(),
                journal.len()
            );
            Ok(ExitCode::SUCCESS)
        }
        None => {
            eprintln!(
                "the recording goes on for {} journal lines more",
                recording.journal.len() - journal.len()
            );
            Ok(ExitCode::FAILURE)
        }
        Some((index, recorded)) => {
            let recorded = recorded.unwrap_or_else(|| "nothing more".to_owned());
            eprintln!(
                "the journal differs from the recorded one at line {}; recorded was:\n{recorded}",
                index + 1
            );
            eprintln!(
                "Was it recorded by another version? This is {}, the recording is by {}.",
                env!("CARGO_PKG_VERSION"),
                recording.segment.version
            );
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Prints which messages would have fared otherwise, which frames of shared screens, and how often it would have thought by
/// itself, side by side.
fn compare(recording: &Recording, overrides: &Overrides) -> anyhow::Result<ExitCode> {
    let overrides = parse(overrides)?;
    let before = told_of(recording, "as it was: inputs", |stepped| {
        replay::with_settings_telling(recording, Vec::new(), stepped)
    })?;
    let after = told_of(recording, "with these settings: inputs", |stepped| {
        replay::with_settings_telling(recording, overrides, stepped)
    })?;
    let messages = replay::differences(&before, &after);
    let frames = replay::screen_differences(&before, &after);
    let thoughts = (ThoughtDecisions::of(&before), ThoughtDecisions::of(&after));
    if messages.is_empty() && frames.is_empty() && thoughts.0 == thoughts.1 {
        println!("No decision would have differed.");
        return Ok(ExitCode::SUCCESS);
    }
    if !messages.is_empty() {
        print_messages(&messages, &said(recording));
    }
    if !frames.is_empty() {
        let blank_line = if messages.is_empty() { "" } else { "\n" };
        print!("{blank_line}");
        print_frames(&frames, ScreenDecisions::of(&before), ScreenDecisions::of(&after));
    }
    if thoughts.0 != thoughts.1 {
        let blank_line = if messages.is_empty() && frames.is_empty() {
            ""
        } else {
            "\n"
        };
        print!("{blank_line}");
        print_thoughts(&thoughts.0, &thoughts.1);
    }
    Ok(ExitCode::SUCCESS)
}

/// Replays, and tells how far it is.
fn told_of<R>(
    recording: &Recording,
    what: &'static str,
    replay: impl FnOnce(&mut dyn FnMut(usize)) -> R,
) -> R {
    let mut progress = Progress::new(what);
    let total = Some(recording.inputs.len());
    let replayed = replay(&mut |stepped| progress.at(stepped, total));
    progress.done();
    replayed
}

/// Who wrote each message, where, and how it began.
fn said(recording: &Recording) -> BTreeMap<&MessageId, String> {
    let messages = recording
        .inputs
        .iter()
        .filter_map(|recorded| match &recorded.input {
            Input::Room(_, RoomEvent::MessageArrived(message)) => Some(message),
            _ => None,
        });
    let told = |message: &Message| {
        let text = plain_line(&message.text, TEXT_CHARS_MAX);
        format!("{} in {}: “{text}”", message.author.name, message.room)
    };
    messages.map(|message| (&message.id, told(message))).collect()
}

fn print_messages(differences: &[Difference], said: &BTreeMap<&MessageId, String>) {
    let count = |changed: bool| {
        differences
            .iter()
            .filter(|one| one.changes_outcome() == changed)
            .count()
    };
    let (changed, otherwise) = (count(true), count(false));
    let changed_words = match changed {
        0 => "No message".to_owned(),
        changed => counted(changed, "message"),
    };
    let others = match otherwise {
        0 => String::new(),
        others => format!(
            ", and {} to the same for another reason",
            counted(others, "message")
        ),
    };
    println!("{changed_words} would have come to something else{others}:\n");
    let colour = Colour::of_stdout();
    for (place, difference) in differences.iter().enumerate() {
        let Difference {
            message,
            before,
            after,
            ..
        } = difference;
        // What comes to something else stands first.
        if place == changed && changed > 0 {
            println!("\nThe same, for another reason:\n");
        }
        let words = said
            .get(message)
            .map_or_else(|| message.to_string(), String::clone);
        println!("{}  ({message})", colour.bold(&words));
        println!(
            "    as it was             {:<44} {}",
            before.outcome, before.admission
        );
        println!(
            "    with these settings   {:<44} {}",
            colour.changed(&after.outcome),
            after.admission
        );
    }
}

fn print_frames(differences: &[ScreenDifference], before: ScreenDecisions, after: ScreenDecisions) {
    println!("On shared screens:\n");
    println!("{:<38} {:<52} with these settings", "", "as it was");
    let count = |what: &str, before: usize, after: usize| println!("{what:<38} {before:<52} {after}");
    count("notes asked for", before.notes, after.notes);
    count("comments considered", before.considered, after.considered);
    count("comments made", before.comments, after.comments);
    println!();
    let or_nothing = |word: &str| {
        if word.is_empty() {
            "–".to_owned()
        } else {
            word.to_owned()
        }
    };
    for difference in differences {
        println!(
            "{:<38} {:<52} {}",
            format!("{}, frame {}", difference.room, difference.frame),
            or_nothing(&difference.before),
            or_nothing(&difference.after)
        );
    }
}

fn print_thoughts(before: &ThoughtDecisions, after: &ThoughtDecisions) {
    println!("Thoughts of its own:\n");
    println!("{:<38} {:<52} with these settings", "", "as it was");
    let count = |what: &str, before: u64, after: u64| println!("{what:<38} {before:<52} {after}");
    count("looked for or at a thought", before.thoughts, after.thoughts);
    count("posted", before.posted, after.posted);
    count("held", before.held, after.held);
    count("dropped", before.dropped, after.dropped);
    count("failed", before.failed, after.failed);
    let gates: BTreeSet<&str> = before
        .stopped
        .keys()
        .chain(after.stopped.keys())
        .copied()
        .collect();
    let stopped = |of: &ThoughtDecisions, gate: &str| of.stopped.get(gate).copied().unwrap_or_default();
    for gate in gates {
        let what = format!("minutes stopped by {gate}");
        count(&what, stopped(before, gate), stopped(after, gate));
    }
}

fn parse(overrides: &Overrides) -> anyhow::Result<Vec<(String, serde_json::Value)>> {
    overrides
        .set
        .iter()
        .map(|given| {
            let (key, value) = given
                .split_once('=')
                .ok_or_else(|| anyhow!("--set {given}: write it as --set KEY=VALUE"))?;
            let knob = Settings::knob(key.trim())?;
            Ok((knob.key.clone(), knob.parse_typed(value)?))
        })
        .collect()
}
