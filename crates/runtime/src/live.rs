//! Live events for pages: numbered, kept for a while, so that a page that lost its connection can catch up.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use mind::JournalEntry;
use mind::voice::view::{VoicePerson, VoicePresence};
use serde::Serialize;
use tokio::sync::broadcast;
use vocabulary::{AskId, CommunityId, DeliveryId, MessageId, PersonId, RoomId, ShareId, TurnId};

use crate::figures::TownFigures;
use crate::ports::{AskSummary, LanguageStatus, Reaction, StoredMessage};
use crate::screens::Sample;

/// Something a page may want to know at once.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum LiveEvent {
    /// A new message, durable.
    Message {
        message: StoredMessage,
    },
    MessageEdited {
        room: RoomId,
        id: MessageId,
        text: String,
    },
    MessageDeleted {
        room: RoomId,
        id: MessageId,
    },
    /// What is under a message now.
    Reactions {
        room: RoomId,
        id: MessageId,
        reactions: Vec<Reaction>,
    },
    /// Who is typing, Denizen included.
    Typing {
        room: RoomId,
        person: PersonId,
        name: String,
        typing: bool,
    },
    /// What Denizen has written so far; the message follows, or the draft is dropped.
    Draft {
        room: RoomId,
        turn: TurnId,
        text: String,
    },
    DraftDropped {
        room: RoomId,
        turn: TurnId,
    },
    Journal {
        entry: JournalEntry,
    },
    /// A model call started or ended.
    Ask {
        ask: AskId,
        summary: Option<AskSummary>,
    },
    Settings {
        version: u64,
    },
    Model {
        status: LanguageStatus,
    },
    /// A frame of a watched screen was seen. Passing: not kept for those who come back.
    Frame {
        room: RoomId,
        share: ShareId,
        sample: Sample,
    },
    /// Who is in the voice of a room, and whether Denizen is.
    VoicePeople {
        room: RoomId,
        presence: VoicePresence,
        people: Vec<VoicePerson>,
    },
    /// Somebody began to speak, or fell silent.
    VoiceSpeaking {
        room: RoomId,
        person: PersonId,
        speaking: bool,
    },
    /// What somebody is saying, as far as it is understood; `final`: what they said. Passing until then.
    VoiceTranscript {
        room: RoomId,
        /// The message it becomes; until then that of the speech.
        id: MessageId,
        person: PersonId,
        name: String,
        text: String,
        #[serde(rename = "final")]
        is_final: bool,
    },
    /// What Denizen is saying; `heard`: so much of it was, and it is over.
    VoiceSaying {
        room: RoomId,
        delivery: DeliveryId,
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        heard: Option<String>,
    },
    /// What was shown may be gone: a page loads everything anew.
    Reset {},
}

/// An event with its number and its community; numbers grow, across restarts too.
#[derive(Clone, Debug, Serialize)]
pub struct Numbered {
    #[serde(skip)]
    pub id: u64,
    pub community: CommunityId,
    #[serde(flatten)]
    pub event: LiveEvent,
}

/// What a page missed.
#[derive(Debug)]
pub enum Missed {
    /// These, in order (perhaps none).
    Events(Vec<Arc<Numbered>>),
    /// More than is kept: the page should load everything anew.
    TooMany,
}

/// How many events are kept for those who come back.
const KEPT_EVENTS_MAX: usize = 2_000;
/// How many of them are looked through for a message that was just written; so many are kept where no page ever listened.
const LOOKED_BACK_MAX: usize = 256;
/// How far a reader may fall behind before it has to start anew.
const READER_LAG_MAX: usize = 1_024;

/// The feed of a community, which every page of it reads.
#[derive(Clone, Debug)]
pub struct LiveFeed {
    community: CommunityId,
    kept: Arc<Mutex<Kept>>,
    figures: TownFigures,
}

#[derive(Debug)]
struct Kept {
    /// None before the first page came: a community that nobody looks at needs no room for readers.
    sender: Option<broadcast::Sender<Arc<Numbered>>>,
    next_id: u64,
    first_id: u64,
    events: VecDeque<Arc<Numbered>>,
}

impl LiveFeed {
    /// `first_id` must be beyond any number an earlier process gave: wall-clock microseconds will do.
    pub fn new(community: CommunityId, first_id: u64) -> Self {
        let kept = Kept {
            sender: None,
            next_id: first_id,
            first_id,
            events: VecDeque::new(),
        };
        Self {
            community,
            kept: Arc::new(Mutex::new(kept)),
            figures: TownFigures::default(),
        }
    }

    /// … whose journal lines are counted there.
    #[must_use]
    pub(crate) fn counted_by(mut self, figures: TownFigures) -> Self {
        self.figures = figures;
        self
    }

    /// Tells everybody.
    pub fn publish(&self, event: LiveEvent) {
        if let LiveEvent::Journal { entry } = &event {
            self.figures.note(entry);
        }
        let mut kept = self.kept();
        let numbered = Arc::new(Numbered {
            id: kept.next_id,
            community: self.community.clone(),
            event,
        });
        kept.next_id += 1;
        // Nobody comes back who was never there: a community that nobody looks at keeps little of what happened in it.
        let kept_max = match kept.sender {
            Some(_) => KEPT_EVENTS_MAX,
            None => LOOKED_BACK_MAX,
        };
        if kept.events.len() == kept_max {
            kept.events.pop_front();
        }
        kept.events.push_back(numbered.clone());
        // Under the lock, so that a subscriber sees each event either as missed or as live.
        kept.send(numbered);
    }

    /// Tells everybody who listens now; for what comes often and is worth nothing later. It has a number like any other.
    pub fn publish_passing(&self, event: LiveEvent) {
        let mut kept = self.kept();
        let id = kept.next_id;
        kept.next_id += 1;
        let community = self.community.clone();
        kept.send(Arc::new(Numbered { id, community, event }));
    }

    /// Lets go of everything kept, and has every page load anew: something in it was forgotten.
    pub fn begin_anew(&self) {
        {
            let mut kept = self.kept();
            kept.events.clear();
            kept.first_id = kept.next_id + 1;
        }
        self.publish(LiveEvent::Reset {});
    }

    /// Subscribes; with the last number seen, also says what was missed.
    pub fn subscribe(&self, last_seen: Option<u64>) -> (Missed, broadcast::Receiver<Arc<Numbered>>) {
        let mut kept = self.kept();
        let sender = kept
            .sender
            .get_or_insert_with(|| broadcast::Sender::new(READER_LAG_MAX));
        let receiver = sender.subscribe();
        let Some(last_seen) = last_seen else {
            return (Missed::Events(Vec::new()), receiver);
        };
        let oldest = kept.events.front().map_or(kept.next_id, |event| event.id);
        let whole = last_seen + 1 >= oldest && last_seen + 1 >= kept.first_id && last_seen < kept.next_id;
        let missed = if whole {
            Missed::Events(
                kept.events
                    .iter()
                    .filter(|event| event.id > last_seen)
                    .cloned()
                    .collect(),
            )
        } else {
            Missed::TooMany
        };
        (missed, receiver)
    }

    /// A message as it was published lately; none where it was not, or where anything was changed about it since.
    pub fn message_lately(&self, id: &MessageId) -> Option<StoredMessage> {
        let kept = self.kept();
        for numbered in kept.events.iter().rev().take(LOOKED_BACK_MAX) {
            match &numbered.event {
                LiveEvent::Message { message } if message.message.id == *id => return Some(message.clone()),
                LiveEvent::MessageEdited { id: other, .. }
                | LiveEvent::MessageDeleted { id: other, .. }
                | LiveEvent::Reactions { id: other, .. }
                    if other == id =>
                {
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    /// The number the next event will have.
    pub fn next_id(&self) -> u64 {
        self.kept().next_id
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("no holder of this lock can panic")
    }
}

impl Kept {
    /// No reader is no error.
    fn send(&self, numbered: Arc<Numbered>) {
        if let Some(sender) = &self.sender {
            let _ = sender.send(numbered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KEPT_EVENTS_MAX, LOOKED_BACK_MAX, LiveEvent, LiveFeed, Missed};
    use vocabulary::CommunityId;

    #[test]
    fn what_happens_is_kept_for_pages_that_come_back_once_one_has_listened() {
        let feed = LiveFeed::new(CommunityId::home(), 1);
        let happen =
            |events: usize| (0..events).for_each(|_| feed.publish(LiveEvent::Settings { version: 1 }));
        let kept = || feed.kept().events.len();
        happen(2 * KEPT_EVENTS_MAX);
        assert_eq!(kept(), LOOKED_BACK_MAX);
        let last = feed.next_id() - 1;
        let (missed, receiver) = feed.subscribe(Some(last));
        assert!(matches!(missed, Missed::Events(events) if events.is_empty()));
        drop(receiver);
        happen(KEPT_EVENTS_MAX - LOOKED_BACK_MAX);
        let (missed, _) = feed.subscribe(Some(last));
        assert!(
            matches!(missed, Missed::Events(events) if events.len() == KEPT_EVENTS_MAX - LOOKED_BACK_MAX)
        );
        assert!(matches!(feed.subscribe(Some(1)).0, Missed::TooMany));
        happen(10);
        assert_eq!(kept(), KEPT_EVENTS_MAX);
    }
}
