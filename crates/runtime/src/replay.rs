//! Steps a recording again: as it was, byte for byte; or with other settings, to see what would have differed.

mod answers;
mod fates;
mod mouth;
mod screen_decisions;
mod thought_decisions;

use mind::{
    Answer, Asking, Effect, Input, JournalEntry, JournalEvent, MemoryEvent, Mind, RoomEvent, RoomWish,
    ShellEvent, Wake,
};
use serde_json::Value;
use thiserror::Error;
use vocabulary::{MediaOutcome, MessageId, Moment, Now, Span, VoiceLoss, WallTime};

use self::answers::RecordedAnswers;
use self::mouth::Mouth;
use crate::community::SettingsBook;
use crate::ports::{Recording, SavedSettings};

pub use fates::{Difference, Fate, differences};
pub use screen_decisions::{ScreenDecisions, ScreenDifference, screen_differences};
pub use thought_decisions::ThoughtDecisions;

/// A recording that cannot be stepped.
#[derive(Debug, Error)]
pub enum ReplayError {
    #[error(
        "the recording's state is of another shape ({0}). Replay it with the version of Denizen that wrote it: {1}"
    )]
    OtherShape(String, String),
}

/// Steps the inputs again exactly as they were recorded; the journal this gives.
pub fn again(recording: &Recording) -> Result<Vec<JournalEntry>, ReplayError> {
    again_telling(recording, |_| {})
}

/// The same, telling after each input how many were stepped.
pub fn again_telling(
    recording: &Recording,
    mut stepped: impl FnMut(usize),
) -> Result<Vec<JournalEntry>, ReplayError> {
    let mut mind = restored(recording)?;
    let mut book = SettingsBook::new(versions(recording));
    let mut journal = Vec::new();
    for (index, recorded) in recording.inputs.iter().enumerate() {
        book.turn_to(&recorded.input);
        let step = mind.step(recorded.now, recorded.input.clone(), &book.settings);
        journal.extend(lines(step.effects).0);
        stepped(index + 1);
    }
    Ok(journal)
}

/// Steps the same happenings with some settings replaced.
///
/// Time is the replay's own: a mind with other settings wants waking at other moments. A question that was asked of
/// a model then is answered as it was then, after the same time; one that was not stays open. A question about a shared
/// screen is no question about a message: it is answered as the one asked nearest to it in time was.
pub fn with_settings(
    recording: &Recording,
    overrides: Vec<(String, Value)>,
) -> Result<Vec<JournalEntry>, ReplayError> {
    with_settings_telling(recording, overrides, |_| {})
}

/// The same, telling after each input how many were stepped.
pub fn with_settings_telling(
    recording: &Recording,
    overrides: Vec<(String, Value)>,
    mut stepped: impl FnMut(usize),
) -> Result<Vec<JournalEntry>, ReplayError> {
    let mut rerun = Rerun {
        mind: restored(recording)?,
        book: SettingsBook::with_overrides(versions(recording), overrides),
        answers: RecordedAnswers::of(recording),
        mouth: Mouth::default(),
        pending: Vec::new(),
        journal: Vec::new(),
        wake: None,
        now: Now::default(),
    };
    for (index, recorded) in recording.inputs.iter().enumerate() {
        stepped(index + 1);
        if rerun.now == Now::default() {
            rerun.now = recorded.now;
        }
        rerun.run_until(recorded.now);
        if is_happening(&recorded.input) {
            rerun.book.turn_to(&recorded.input);
            rerun.step(recorded.now, recorded.input.clone());
        }
    }
    if let Some(last) = recording.inputs.last() {
        let later = Span::minutes(10);
        let wall = WallTime(last.now.wall.0 + i64::try_from(later.0).unwrap_or(0));
        rerun.run_until(Now {
            moment: last.now.moment + later,
            wall,
        });
    }
    Ok(rerun.journal)
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
            | RoomEvent::VoiceJoined { .. }
            | RoomEvent::VoiceLeft {
                reason: VoiceLoss::Asked | VoiceLoss::Refused,
                ..
            } => false,
            RoomEvent::Described(_)
            | RoomEvent::Ended
            | RoomEvent::MessageArrived(_)
            | RoomEvent::MessageMissed(_)
            | RoomEvent::CaughtUp
            | RoomEvent::MessageEdited { .. }
            | RoomEvent::MessageDeleted { .. }
            | RoomEvent::ReactionChanged { .. }
            | RoomEvent::TypingChanged { .. }
            | RoomEvent::VoiceAsked { .. }
            | RoomEvent::PersonJoined(_)
            | RoomEvent::PersonLeft { .. }
            | RoomEvent::SpeechStarted { .. }
            | RoomEvent::SpeechEnded { .. }
            | RoomEvent::SpeechContinues { .. }
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

struct Rerun {
    mind: Mind,
    book: SettingsBook,
    answers: RecordedAnswers,
    mouth: Mouth,
    /// What the world will answer, and when.
    pending: Vec<(Moment, Input)>,
    journal: Vec<JournalEntry>,
    wake: Option<Wake>,
    now: Now,
}

impl Rerun {
    /// Does everything that falls due before the next recorded happening.
    fn run_until(&mut self, until: Now) {
        // A mind that kept wanting to be woken at once would be a bug; this bound keeps a replay finite even then.
        const STEPS_MAX: usize = 100_000;
        for _ in 0..STEPS_MAX {
            let answer = self.pending.iter().map(|(at, _)| *at).min();
            let next = answer.into_iter().chain(self.wake.map(|wake| wake.at)).min();
            let Some(at) = next.filter(|at| *at < until.moment) else {
                break;
            };
            let ahead = at.since(self.now.moment);
            let wall = WallTime(self.now.wall.0 + i64::try_from(ahead.0).unwrap_or(0));
            let now = Now {
                moment: at.max(self.now.moment),
                wall,
            };
            match self
                .pending
                .iter()
                .position(|(due, _)| Some(*due) == answer && *due == at)
            {
                Some(index) => {
                    let (_, input) = self.pending.remove(index);
                    self.step(now, input);
                }
                None => self.step(now, Input::Shell(ShellEvent::WakeReached)),
            }
        }
        self.now = until;
    }

    fn step(&mut self, now: Now, input: Input) {
        self.now = now;
        let step = self.mind.step(now, input, &self.book.settings);
        self.wake = step.wake;
        let (journal, wishes) = lines(step.effects);
        for wish in wishes {
            self.answer(now.moment, wish, &journal);
        }
        self.journal.extend(journal);
    }

    /// The world's answer to a wish: as recorded where it is known, at once where it does not matter.
    fn answer(&mut self, at: Moment, wish: Effect, journal: &[JournalEntry]) {
        match wish {
            Effect::Ask(asking) => {
                let is_it = |entry: &&JournalEntry| matches!(entry.event, JournalEvent::AskStarted { ask, .. } if ask == asking.ask);
                let about = journal.iter().find(is_it).map(|entry| &entry.scope.messages[..]);
                self.answer_ask(at, &asking, about.unwrap_or_default());
            }
            Effect::CancelAsk { ask } => {
                self.pending
                    .retain(|(_, input)| !matches!(input, Input::Answer(Answer::AskEnded { ask: open, .. }) if *open == ask));
            }
            Effect::Recall(query) => {
                self.pending.push((
                    at,
                    Input::Answer(Answer::Recalled {
                        recall: query.recall,
                        found: mind::Recollection::default(),
                    }),
                ));
            }
            Effect::Room(_, RoomWish::Send(delivery)) => {
                let message = delivery.as_message(
                    self.mind.denizen().clone(),
                    &self.book.settings.identity.name,
                    self.now.wall,
                );
                self.pending.push((
                    at,
                    Input::Answer(Answer::MessageSent {
                        delivery: delivery.id,
                        message,
                    }),
                ));
            }
            Effect::Room(_, RoomWish::WriteDown { delivery, at: said }) => {
                let name = &self.book.settings.identity.name;
                let message = delivery.as_message(self.mind.denizen().clone(), name, said);
                let delivery = delivery.id;
                let sent = Answer::MessageSent { delivery, message };
                self.pending.push((at, Input::Answer(sent)));
            }
            Effect::Room(
                room,
                wish @ (RoomWish::JoinVoice
                | RoomWish::LeaveVoice
                | RoomWish::Speak { .. }
                | RoomWish::StopSpeaking
                | RoomWish::Listen { .. }
                | RoomWish::PlaySound { .. }),
            ) => self.pending.extend(self.mouth.answer(at, &room, wish)),
            Effect::GatherSurroundings(gather) => {
                let gather = gather.gather;
                let found = self.answers.surroundings(gather).unwrap_or_default();
                self.pending
                    .push((at, Input::Answer(Answer::SurroundingsGathered { gather, found })));
            }
            Effect::MakeMedia(order) => {
                let outcome = MediaOutcome::Failed {
                    detail: "a replay makes no media".to_owned(),
                    refused: false,
                };
                let media = order.media;
                self.pending
                    .push((at, Input::Answer(Answer::MediaEnded { media, outcome })));
            }
            Effect::RunTool(run) => {
                let result = crate::performer::tool_failed(&run, "a replay runs no tools".to_owned());
                self.pending
                    .push((at, Input::Answer(Answer::ToolEnded { run: run.run, result })));
            }
            Effect::StoreGems(gathering) => {
                let added = gathering.gems.iter().map(|gathered| gathered.gem.gem_id.clone());
                let stored = mind::StoredGems {
                    added: added.collect(),
                    ..mind::StoredGems::default()
                };
                self.pending.push((
                    at,
                    Input::Answer(Answer::GemsStored {
                        extraction: gathering.extraction,
                        outcome: mind::StoringOutcome::Stored(stored),
                    }),
                ));
            }
            Effect::OfferToMemory { .. }
            | Effect::Forget { .. }
            | Effect::Room(
                _,
                RoomWish::ShowTyping { .. }
                | RoomWish::ShowDraft { .. }
                | RoomWish::DropDraft { .. }
                | RoomWish::WatchScreen { .. }
                | RoomWish::UnwatchScreen,
            )
            | Effect::Journal(_) => {}
        }
    }

    fn answer_ask(&mut self, at: Moment, asking: &Asking, asked_about: &[MessageId]) {
        let known = self.answers.answer(at, asking, asked_about);
        if let Some((took, outcome)) = known {
            self.pending.push((
                at + took,
                Input::Answer(Answer::AskEnded {
                    ask: asking.ask,
                    outcome,
                }),
            ));
        }
    }
}
