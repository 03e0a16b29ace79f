//! Two lanes into the mind: what must survive a crash is written before it is stepped; a reflex is stepped at once.

use mind::{Answer, Effect, Input, MemoryEvent, RoomEvent, RoomWish};

/// How an input goes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Written, then stepped: once it is accepted, it is acted on, come what may.
    Durable,
    /// Stepped, then written with the next batch: fast, and lost if the process ends within a moment.
    Reflex,
}

impl Lane {
    /// The lane of an input.
    pub fn of(input: &Input) -> Self {
        match input {
            Input::Room(_, event) => Self::of_room_event(event),
            // A piece of an answer that is still being written: after a crash the model is asked again.
            Input::Answer(Answer::AskProgressed { .. }) => Lane::Reflex,
            Input::Answer(_) | Input::Memory(_) | Input::Operator(_) | Input::Shell(_) => Lane::Durable,
        }
    }

    fn of_room_event(event: &RoomEvent) -> Self {
        match event {
            RoomEvent::TypingChanged { .. }
            | RoomEvent::SpeechStarted { .. }
            | RoomEvent::SpeechContinues { .. }
            | RoomEvent::SpeechPartial { .. }
            | RoomEvent::SpeechEnded { .. }
            | RoomEvent::PlaybackStarted { .. }
            | RoomEvent::PlaybackProgressed { .. }
            | RoomEvent::PlaybackEnded { .. }
            | RoomEvent::PlaybackFailed { .. } => Lane::Reflex,
            RoomEvent::Described(_)
            | RoomEvent::Ended
            | RoomEvent::MessageArrived(_)
            | RoomEvent::MessageMissed(_)
            | RoomEvent::CaughtUp
            | RoomEvent::MessageEdited { .. }
            | RoomEvent::MessageDeleted { .. }
            | RoomEvent::ReactionChanged { .. }
            | RoomEvent::ReactionFailed { .. }
            | RoomEvent::QuietChosen { .. }
            | RoomEvent::PersonJoined(_)
            | RoomEvent::PersonLeft { .. }
            | RoomEvent::UtteranceHeard { .. }
            | RoomEvent::UtteranceMissed { .. }
            | RoomEvent::VoiceAsked { .. }
            | RoomEvent::SpeechPaid { .. }
            | RoomEvent::VoiceLoads
            | RoomEvent::VoiceServiceStands { .. }
            | RoomEvent::VoiceServiceKnows(_)
            | RoomEvent::SpeakersOverlapped { .. }
            | RoomEvent::VoiceJoined { .. }
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
            | RoomEvent::SessionEnded => Lane::Durable,
        }
    }
}

/// Whether an input comes again where a power cut has taken it back, and all that followed from it: what was found is looked
/// up again, a delivery goes out again under the same id, turns wait in the buffer, gems are stored again under their ids.
pub(crate) fn comes_again(input: &Input) -> bool {
    matches!(
        input,
        Input::Answer(Answer::Recalled { .. } | Answer::MessageSent { .. } | Answer::GemsStored { .. })
            | Input::Memory(MemoryEvent::TurnsBuffered { .. })
    )
}

/// Whether a wish of a reflex may be carried out before the reflex is on disk: nothing of it stays.
pub(crate) fn is_reflex_effect(effect: &Effect) -> bool {
    match effect {
        Effect::Room(_, wish) => match wish {
            RoomWish::ShowTyping { .. }
            | RoomWish::ShowDraft { .. }
            | RoomWish::DropDraft { .. }
            | RoomWish::StopSpeaking => true,
            RoomWish::Send(_)
            | RoomWish::React { .. }
            | RoomWish::WatchScreen { .. }
            | RoomWish::UnwatchScreen
            | RoomWish::JoinVoice
            | RoomWish::LeaveVoice
            | RoomWish::Speak { .. }
            | RoomWish::Listen { .. }
            | RoomWish::PlaySound { .. }
            | RoomWish::InstructService { .. }
            | RoomWish::TellService { .. }
            | RoomWish::WriteDown { .. } => false,
        },
        // What is not said any more need not be written to its end, and nothing stays of it.
        Effect::CancelAsk { .. } => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use mind::{Answer, Input, Recollection, ShellEvent};
    use vocabulary::RecallId;

    use super::comes_again;

    #[test]
    fn only_what_happens_again_by_itself_need_not_be_waited_for() {
        let found = Input::Answer(Answer::Recalled {
            recall: RecallId(1),
            found: Recollection::default(),
        });
        assert!(comes_again(&found));
        // Whoever sends an answer must find it again, word for word.
        let asked = Input::Answer(Answer::AskEnded {
            ask: vocabulary::AskId(1),
            outcome: vocabulary::AskOutcome::Failed(vocabulary::AskFailure::new(
                vocabulary::AskFailureKind::TimedOut,
                "it took too long",
            )),
        });
        assert!(!comes_again(&asked));
        assert!(!comes_again(&Input::Shell(ShellEvent::WakeReached)));
    }
}
