//! Messages of a room: what an input changes about them, and what the pages are told.

use std::collections::BTreeSet;

use mind::{Answer, Effect, Input, RoomEvent, RoomWish};
use vocabulary::{Message, MessageId, RoomId, WallTime};

use super::Driver;
use crate::live::LiveEvent;
use crate::ports::{Committed, MessageChange, RecordedInput, StoredMessage};

/// Something that is shown to the pages as it is stored.
#[derive(Debug)]
pub(super) enum Shown {
    /// A new message: which of the changes it is, and as it is stored if nothing else happens to it.
    Added(usize, Box<StoredMessage>),
    /// A message that has to be read first.
    Message(MessageId),
    Reactions(MessageId),
}

impl Shown {
    pub fn of(changes: &[MessageChange]) -> Vec<Self> {
        // What is changed or taken back in the same write is shown as it stands after it.
        let is_new_only = changes
            .iter()
            .all(|change| matches!(change, MessageChange::Added { .. }));
        let shown = changes
            .iter()
            .enumerate()
            .filter_map(|(index, change)| match change {
                MessageChange::Added { message, turn, ask } if is_new_only => {
                    let stored = StoredMessage {
                        seq: 0,
                        message: Message {
                            reply_to_author: None,
                            ..message.clone()
                        },
                        edited_at: None,
                        turn: *turn,
                        ask: *ask,
                        reactions: Vec::new(),
                    };
                    Some(Shown::Added(index, Box::new(stored)))
                }
                MessageChange::Added { message, .. } => Some(Shown::Message(message.id.clone())),
                MessageChange::Reacted { message, .. } => Some(Shown::Reactions(message.clone())),
                MessageChange::Edited { .. } | MessageChange::Deleted { .. } => None,
            });
        shown.collect()
    }
}

impl Driver {
    /// What an input changes about the messages of its room.
    pub(super) fn change_of(&self, recorded: &RecordedInput) -> Option<MessageChange> {
        let at = recorded.now.wall;
        match &recorded.input {
            Input::Room(_, event) => change_in_room(event, at),
            Input::Answer(Answer::MessageSent { delivery, message }) => {
                let open = self.open_deliveries.get(delivery);
                let (turn, ask) = open.map(|delivery| (delivery.turn, delivery.ask)).unzip();
                Some(MessageChange::Added {
                    message: message.clone(),
                    turn,
                    ask,
                })
            }
            Input::Answer(
                Answer::SendFailed { .. }
                | Answer::AskProgressed { .. }
                | Answer::AskEnded { .. }
                | Answer::Recalled { .. }
                | Answer::ToolEnded { .. }
                | Answer::SurroundingsGathered { .. }
                | Answer::MediaEnded { .. }
                | Answer::GemsStored { .. },
            )
            | Input::Memory(_)
            | Input::Operator(_)
            | Input::Shell(_) => None,
        }
    }

    /// Tells the pages what is stored now. A message that is gone by then has nothing to tell.
    pub(super) async fn publish_stored(&self, shown: Vec<Shown>, committed: &Committed) {
        for shown in shown {
            let (id, is_message) = match shown {
                Shown::Added(index, mut message) => {
                    if let Some(Some(place)) = committed.places.get(index) {
                        message.seq = *place;
                        self.performer.publish(LiveEvent::Message { message: *message });
                        continue;
                    }
                    // It was there before, perhaps otherwise.
                    (message.message.id, true)
                }
                Shown::Message(id) => (id, true),
                Shown::Reactions(id) => (id, false),
            };
            let message = match self.store.message(&self.community, &id).await {
                Ok(Some(message)) => message,
                Ok(None) => continue,
                Err(error) => {
                    tracing::warn!(%error, "a stored message could not be read back for the pages");
                    continue;
                }
            };
            self.performer.publish(match is_message {
                true => LiveEvent::Message { message },
                false => LiveEvent::Reactions {
                    room: message.message.room,
                    id: message.message.id,
                    reactions: message.reactions,
                },
            });
        }
    }

    /// Tells the pages who is in the voice of a room, once the mind knows.
    pub(super) fn publish_presence(&self, room: &RoomId) {
        if let Some(voice) = self.mind.voice(room) {
            self.performer.publish(LiveEvent::VoicePeople {
                room: room.clone(),
                presence: voice.presence,
                people: voice.people,
            });
        }
    }

    /// Tells the pages of a change that is told as it came.
    pub(super) fn publish_change(&self, input: &Input) {
        let Input::Room(room, event) = input else { return };
        let told = match event {
            RoomEvent::MessageEdited { id, text } => LiveEvent::MessageEdited {
                room: room.clone(),
                id: id.clone(),
                text: text.clone(),
            },
            RoomEvent::MessageDeleted { id } => LiveEvent::MessageDeleted {
                room: room.clone(),
                id: id.clone(),
            },
            _ => return,
        };
        self.performer.publish(told);
    }
}

/// The room in whose voice an input may change who is there.
pub(super) fn presence_changed(input: &Input) -> Option<RoomId> {
    match input {
        Input::Room(
            room,
            RoomEvent::PersonJoined(_)
            | RoomEvent::PersonLeft { .. }
            | RoomEvent::VoiceAsked { .. }
            | RoomEvent::VoiceLoads
            | RoomEvent::VoiceServiceStands { .. }
            | RoomEvent::VoiceServiceKnows(_)
            | RoomEvent::SpeakersOverlapped { .. }
            | RoomEvent::VoiceJoined { .. }
            | RoomEvent::VoiceLeft { .. }
            | RoomEvent::ListeningChosen { .. },
        ) => Some(room.clone()),
        _ => None,
    }
}

/// Those rooms, and the ones in whose voice the mind has changed what pages show: who is listened to, or that it comes or
/// goes. People may want that in words.
pub(super) fn presence_shown(changed: Option<RoomId>, effects: &[Effect]) -> BTreeSet<RoomId> {
    let wanted = effects.iter().filter_map(|effect| match effect {
        Effect::Room(room, RoomWish::Listen { .. } | RoomWish::JoinVoice | RoomWish::LeaveVoice) => {
            Some(room.clone())
        }
        _ => None,
    });
    changed.into_iter().chain(wanted).collect()
}

/// The message whose words an input changes, and the new ones; none where it is taken back.
pub(crate) fn changed_words(recorded: &RecordedInput) -> Option<(MessageId, Option<String>)> {
    let Input::Room(_, event) = &recorded.input else {
        return None;
    };
    match change_in_room(event, recorded.now.wall)? {
        MessageChange::Edited { id, text, .. } => Some((id, Some(text))),
        MessageChange::Deleted { id, .. } => Some((id, None)),
        // What is new is captured with its input.
        MessageChange::Added { .. } | MessageChange::Reacted { .. } => None,
    }
}

/// What somebody said who is not listened to is stored nowhere, not even among the inputs: only that something was said.
pub(super) fn take_words_out(input: &mut Input) {
    match input {
        Input::Room(_, RoomEvent::UtteranceHeard { message, .. }) => message.text.clear(),
        Input::Room(_, RoomEvent::SpeechPartial { text, .. }) => text.clear(),
        _ => {}
    }
}

fn change_in_room(event: &RoomEvent, at: WallTime) -> Option<MessageChange> {
    match event {
        RoomEvent::UtteranceHeard { message, .. } if message.text.trim().is_empty() => None,
        RoomEvent::MessageArrived(message)
        | RoomEvent::MessageMissed(message)
        | RoomEvent::UtteranceHeard { message, .. } => Some(MessageChange::Added {
            message: message.clone(),
            turn: None,
            ask: None,
        }),
        RoomEvent::MessageEdited { id, text } => Some(MessageChange::Edited {
            id: id.clone(),
            text: text.clone(),
            at,
        }),
        RoomEvent::MessageDeleted { id } => Some(MessageChange::Deleted { id: id.clone(), at }),
        RoomEvent::ReactionChanged {
            message,
            person,
            emoji,
            added,
        } => Some(MessageChange::Reacted {
            message: message.clone(),
            person: person.clone(),
            emoji: emoji.clone(),
            added: *added,
            at,
        }),
        RoomEvent::Described(_)
        | RoomEvent::CaughtUp
        | RoomEvent::ReactionFailed { .. }
        | RoomEvent::QuietChosen { .. }
        | RoomEvent::Ended
        | RoomEvent::TypingChanged { .. }
        | RoomEvent::PersonJoined(_)
        | RoomEvent::PersonLeft { .. }
        | RoomEvent::SpeechStarted { .. }
        | RoomEvent::SpeechEnded { .. }
        | RoomEvent::SpeechContinues { .. }
        | RoomEvent::SpeechPartial { .. }
        | RoomEvent::UtteranceMissed { .. }
        | RoomEvent::VoiceLoads
        | RoomEvent::VoiceServiceStands { .. }
        | RoomEvent::VoiceServiceKnows(_)
        | RoomEvent::SpeakersOverlapped { .. }
        | RoomEvent::VoiceJoined { .. }
        | RoomEvent::VoiceAsked { .. }
        | RoomEvent::SpeechPaid { .. }
        | RoomEvent::PlaybackProgressed { .. }
        | RoomEvent::VoiceLeft { .. }
        | RoomEvent::ListeningChosen { .. }
        | RoomEvent::SoundPlayed { .. }
        | RoomEvent::SoundFailed { .. }
        | RoomEvent::PlaybackFailed { .. }
        | RoomEvent::PlaybackStarted { .. }
        | RoomEvent::PlaybackEnded { .. }
        | RoomEvent::NoteTaken { .. }
        | RoomEvent::ShareStarted(_)
        | RoomEvent::FrameArrived { .. }
        | RoomEvent::ShareEnded { .. }
        | RoomEvent::WatchChosen { .. }
        | RoomEvent::FrameRefused { .. }
        | RoomEvent::SessionEnded => None,
    }
}
