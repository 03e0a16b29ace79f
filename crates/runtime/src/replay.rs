//! Steps a recording again: as it was, byte for byte; or with other settings, to see what would have differed.

mod answers;
mod compared;
mod fates;
mod mouth;
mod rerun;
mod screen_decisions;
mod speeches;
mod thought_decisions;
mod voice_decisions;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use mind::{Effect, Input, JournalEntry, MemoryEvent, Mind, RoomEvent, ShellEvent};
use serde_json::Value;
use thiserror::Error;
use vocabulary::{AskId, TurnId, VoiceLoss};

use self::rerun::Rerun;
use crate::community::SettingsBook;
use crate::ports::{Recording, SavedSettings};

pub use compared::{Comparison, compared};
pub use fates::{Difference, Fate, NOT_KNOWN, differences};
pub use screen_decisions::{ScreenDecisions, ScreenDifference, screen_differences};
pub use thought_decisions::ThoughtDecisions;
pub use voice_decisions::{
    SpokenOver, VoiceStays, VoiceThoughtDecisions, spoken_over_differences, stay_differences,
};

/// What happened in a rerun: its journal, and what the journal does not tell.
#[derive(Clone, Debug, Default)]
pub struct Rerunning {
    pub journal: Vec<JournalEntry>,
    /// Questions that nobody asked then: what a model would have said is not known.
    pub not_known: BTreeSet<AskId>,
    /// What was said aloud, by the turn that said it.
    pub aloud: BTreeMap<TurnId, String>,
}

impl Deref for Rerunning {
    type Target = [JournalEntry];

    fn deref(&self) -> &[JournalEntry] {
        &self.journal
    }
}

/// A recording that cannot be stepped.
#[derive(Debug, Error)]
pub enum ReplayError {
    #[error(
        "the recording's state is of another shape ({0}). Replay it with the version of Denizen that wrote it: {1}"
    )]
    OtherShape(String, String),
}

/// What the inputs of a recording led to when they were stepped again.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    pub journal: Vec<JournalEntry>,
    /// How many lines there were once each input was stepped.
    pub lines_by_input: Vec<usize>,
}

/// Steps the inputs again exactly as they were recorded; the journal this gives.
pub fn again(recording: &Recording) -> Result<Vec<JournalEntry>, ReplayError> {
    Ok(again_telling(recording, |_| {})?.journal)
}

/// The same, telling after each input how many were stepped.
pub fn again_telling(recording: &Recording, mut stepped: impl FnMut(usize)) -> Result<Replayed, ReplayError> {
    let mut mind = restored(recording)?;
    let mut book = SettingsBook::new(versions(recording));
    let mut replayed = Replayed::default();
    for (index, recorded) in recording.inputs.iter().enumerate() {
        book.turn_to(&recorded.input);
        let step = mind.step(recorded.now, recorded.input.clone(), &book.settings);
        replayed.journal.extend(lines(step.effects).0);
        replayed.lines_by_input.push(replayed.journal.len());
        stepped(index + 1);
    }
    Ok(replayed)
}

/// Steps the same happenings with some settings replaced.
///
/// Time is the replay's own: a mind with other settings wants waking at other moments. A question that was asked of
/// a model then is answered as it was then, piece by piece and after the same time; one that was not stays open, and is
/// remembered as one whose answer is not known. A question about no message, such as one about a shared screen, is
/// answered as the one asked nearest to it in time was. Denizen is let into voice, and heard, as it was then; whoever
/// spoke, spoke.
pub fn with_settings(
    recording: &Recording,
    overrides: Vec<(String, Value)>,
) -> Result<Rerunning, ReplayError> {
    with_settings_telling(recording, overrides, |_| {})
}

/// The same, telling after each input how many were stepped.
pub fn with_settings_telling(
    recording: &Recording,
    overrides: Vec<(String, Value)>,
    mut stepped: impl FnMut(usize),
) -> Result<Rerunning, ReplayError> {
    let book = SettingsBook::with_overrides(versions(recording), overrides);
    let mut rerun = Rerun::new(restored(recording)?, book, recording);
    for (index, recorded) in recording.inputs.iter().enumerate() {
        stepped(index + 1);
        rerun.happens(recorded, is_happening(&recorded.input));
    }
    Ok(rerun.ended(recording.inputs.last().map(|last| last.now)))
}

fn restored(recording: &Recording) -> Result<Mind, ReplayError> {
    let segment = &recording.segment;
    mind::snapshot::read(segment.state.get())
        .map_err(|error| ReplayError::OtherShape(error.to_string(), segment.version.clone()))
}

/// The settings at the start come first; the recording holds later versions.
fn versions(recording: &Recording) -> Vec<SavedSettings> {
    let segment = &recording.segment;
    let first = SavedSettings {
        version: segment.settings_version,
        document: segment.settings.clone(),
    };
    let later = recording
        .settings
        .iter()
        .filter(|saved| saved.version != segment.settings_version)
        .cloned();
    std::iter::once(first).chain(later).collect()
}

fn lines(effects: Vec<Effect>) -> (Vec<JournalEntry>, Vec<Effect>) {
    let mut journal = Vec::new();
    let mut wishes = Vec::new();
    for effect in effects {
        match effect {
            Effect::Journal(entry) => journal.push(*entry),
            wish => wishes.push(wish),
        }
    }
    (journal, wishes)
}

/// Whether an input comes from the world, not from what the mind wanted of it.
fn is_happening(input: &Input) -> bool {
    match input {
        Input::Room(_, event) => match event {
            // They follow from what is played, which is the mind's wish.
            RoomEvent::PlaybackStarted { .. }
            | RoomEvent::PlaybackEnded { .. }
            | RoomEvent::PlaybackFailed { .. }
            | RoomEvent::PlaybackProgressed { .. }
            | RoomEvent::SpeechPaid { .. }
            | RoomEvent::VoiceLoads
            | RoomEvent::ReactionFailed { .. }
            | RoomEvent::VoiceServiceStands { .. }
            | RoomEvent::VoiceServiceKnows(_)
            | RoomEvent::SpeakersOverlapped { .. }
            | RoomEvent::VoiceJoined { .. }
            | RoomEvent::VoiceLeft {
                reason: VoiceLoss::Asked | VoiceLoss::Refused,
                ..
            }
            // It is told while Denizen is heard, which is the mind's wish, too.
            | RoomEvent::SpeechContinues { .. } => false,
            RoomEvent::Described(_)
            | RoomEvent::Ended
            | RoomEvent::MessageArrived(_)
            | RoomEvent::MessageMissed(_)
            | RoomEvent::CaughtUp
            | RoomEvent::MessageEdited { .. }
            | RoomEvent::MessageDeleted { .. }
            | RoomEvent::ReactionChanged { .. }
            | RoomEvent::QuietChosen { .. }
            | RoomEvent::TypingChanged { .. }
            | RoomEvent::VoiceAsked { .. }
            | RoomEvent::PersonJoined(_)
            | RoomEvent::PersonLeft { .. }
            | RoomEvent::SpeechStarted { .. }
            | RoomEvent::SpeechEnded { .. }
            | RoomEvent::SpeechPartial { .. }
            | RoomEvent::UtteranceHeard { .. }
            | RoomEvent::UtteranceMissed { .. }
            | RoomEvent::VoiceLeft { .. }
            | RoomEvent::ListeningChosen { .. }
            | RoomEvent::SoundPlayed { .. }
            | RoomEvent::SoundFailed { .. }
            | RoomEvent::NoteTaken { .. }
            | RoomEvent::ShareStarted(_)
            | RoomEvent::FrameArrived { .. }
            | RoomEvent::ShareEnded { .. }
            | RoomEvent::WatchChosen { .. }
            | RoomEvent::FrameRefused { .. }
            | RoomEvent::SessionEnded => true,
        },
        Input::Memory(event) => match event {
            MemoryEvent::TurnsBuffered { .. }
            | MemoryEvent::ContextUsed { .. }
            | MemoryEvent::ConversationEnded { .. }
            | MemoryEvent::Forgotten(_) => true,
        },
        Input::Operator(_) => true,
        Input::Shell(event) => match event {
            ShellEvent::WakeReached => false,
            ShellEvent::CapabilitiesChanged { .. }
            | ShellEvent::ReplyModelChanged { .. }
            | ShellEvent::AllowancesChanged { .. }
            | ShellEvent::ModelsChanged { .. }
            | ShellEvent::KeyAccepted { .. }
            | ShellEvent::RequestRefused { .. }
            | ShellEvent::SettingsChanged { .. }
            | ShellEvent::ModelMoved { .. }
            | ShellEvent::CatalogueChanged { .. }
            | ShellEvent::Restarted { .. }
            | ShellEvent::StateSalvaged { .. }
            | ShellEvent::ShutdownRequested => true,
        },
        Input::Answer(_) => false,
    }
}
