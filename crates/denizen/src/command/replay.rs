//! `denizen replay`: the same journal again, or what other settings would have changed.

mod telling;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::Args;
use mind::{Input, RoomEvent};
use runtime::ports::Recording;
use runtime::replay::{self, Comparison, ScreenDecisions, ThoughtDecisions, VoiceThoughtDecisions};
use settings::{Knob, Settings};
use vocabulary::text::{counted, plain_line};
use vocabulary::{Message, MessageId};

use super::Overrides;
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
    let replayed = told_of(recording, "replaying inputs", |stepped| {
        replay::again_telling(recording, stepped)
    })?;
    for entry in &replayed.journal {
        println!("{}", serde_json::to_string(entry)?);
    }
    let (inputs, all) = (recording.inputs.len(), replayed.journal.len());
    match replay::compared(recording, &replayed) {
        Comparison::Same => {
            eprintln!("replayed {inputs} inputs: all {all} journal lines are the recorded ones");
        }
        Comparison::TakenMeanwhile {
            inputs: newest,
            lines,
        } => {
            let recorded = recording.journal.len();
            eprintln!(
                "replayed {inputs} inputs: all {recorded} journal lines of the recording are the same. It was taken \
                 while its newest was being decided on: {} to {} that it does not hold yet",
                match newest {
                    1 => "the last input led".to_owned(),
                    newest => format!("the last {newest} inputs led"),
                },
                counted(lines, "line"),
            );
        }
        Comparison::GoesOn { lines } => {
            eprintln!(
                "the recording goes on for {} more",
                counted(lines, "journal line")
            );
            return Ok(ExitCode::FAILURE);
        }
        Comparison::DiffersAt { line } => {
            let recorded = recording.journal.get(line).map(serde_json::to_string);
            let recorded = recorded.transpose()?.unwrap_or_else(|| "nothing more".to_owned());
            eprintln!(
                "the journal differs from the recorded one at line {}; recorded was:\n{recorded}",
                line + 1
            );
            eprintln!(
                "Was it recorded by another version? This is {}, the recording is by {}.",
                env!("CARGO_PKG_VERSION"),
                recording.segment.version
            );
            return Ok(ExitCode::FAILURE);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints what would have fared otherwise, side by side: messages and what was said aloud, who spoke over it, when it was
/// in voice, frames of shared screens, and how often it would have thought by itself; and which of the settings act where a
/// replay does not reach.
fn compare(recording: &Recording, overrides: &Overrides) -> anyhow::Result<ExitCode> {
    let given = parse(overrides)?;
    let untold: Vec<String> = given
        .iter()
        .filter_map(|(knob, _)| Some(format!("{} {}.", knob.key, knob.acts.untold()?)))
        .collect();
    let is_any_told = untold.len() < given.len();
    let overrides = given.into_iter().map(|(knob, value)| (knob.key, value)).collect();
    let before = told_of(recording, "as it was: inputs", |stepped| {
        replay::with_settings_telling(recording, Vec::new(), stepped)
    })?;
    let after = told_of(recording, "with these settings: inputs", |stepped| {
        replay::with_settings_telling(recording, overrides, stepped)
    })?;
    let messages = replay::differences(&before, &after);
    let frames = replay::screen_differences(&before, &after);
    let thoughts = (ThoughtDecisions::of(&before), ThoughtDecisions::of(&after));
    let told = [
        (!messages.is_empty()).then(|| telling::messages(&messages, &said(recording))),
        telling::stays(&replay::stay_differences(&before, &after)),
        telling::spoken_over(&replay::spoken_over_differences(recording, &before, &after)),
        telling::voice_thoughts(
            &VoiceThoughtDecisions::of(&before),
            &VoiceThoughtDecisions::of(&after),
        ),
        (!frames.is_empty())
            .then(|| telling::frames(&frames, ScreenDecisions::of(&before), ScreenDecisions::of(&after))),
        (thoughts.0 != thoughts.1).then(|| telling::thoughts(&thoughts.0, &thoughts.1)),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    match (told.is_empty(), is_any_told) {
        (false, _) => print!("{}", told.join("\n")),
        (true, true) if untold.is_empty() => println!("No decision would have differed."),
        (true, true) => println!("By the other settings no decision would have differed."),
        // Nothing that was decided hangs on what was set: that is no answer.
        (true, false) => {}
    }
    if !told.is_empty() && !untold.is_empty() {
        println!();
    }
    untold.iter().for_each(|line| println!("{line}"));
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

/// Who wrote or said each message, where, and how it began.
fn said(recording: &Recording) -> BTreeMap<&MessageId, String> {
    let messages = recording
        .inputs
        .iter()
        .filter_map(|recorded| match &recorded.input {
            Input::Room(
                _,
                RoomEvent::MessageArrived(message) | RoomEvent::UtteranceHeard { message, .. },
            ) => Some(message),
            _ => None,
        });
    let told = |message: &Message| {
        let text = plain_line(&message.text, TEXT_CHARS_MAX);
        let how = if message.spoken { " aloud" } else { "" };
        format!("{}{how} in {}: “{text}”", message.author.name, message.room)
    };
    messages.map(|message| (&message.id, told(message))).collect()
}

fn parse(overrides: &Overrides) -> anyhow::Result<Vec<(Knob, serde_json::Value)>> {
    overrides
        .set
        .iter()
        .map(|given| {
            let (key, value) = given
                .split_once('=')
                .ok_or_else(|| anyhow!("--set {given}: write it as --set KEY=VALUE"))?;
            let knob = Settings::knob(key.trim())?;
            let value = knob.parse_typed(value)?;
            Ok((knob, value))
        })
        .collect()
}
