//! The mind itself: routes each input to the faculty it concerns, and takes the soonest wake.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskId, CommunityId, DeliveryId, Forget, FrameId, JournalSeq, Now, PersonId, RoomId, TurnId,
};

use crate::addressing::Identity;
use crate::ambient::view::AmbientView;
use crate::ambient::{Ambient, Around};
use crate::attention::Attention;
use crate::desk::{Counters, Desk, Outside};
use crate::dice::Dice;
use crate::effect::Step;
use crate::input::{Forgotten, Input};
use crate::journal::{JournalEvent, Ledger, Scope};
use crate::memory::gems::scrub::ScrubBrief;
use crate::memory::triggers::SessionEnding;
use crate::memory::{Memory, forgotten_notice};
use crate::text::{SessionView, TextRoom};
use crate::watch::view::WatchView;

/// What a mind starts from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Genesis {
    pub community: CommunityId,
    /// Denizen's own id on this community's platform.
    pub denizen: PersonId,
    pub seed: u64,
    /// Greatest numbers an earlier mind of this community gave out; zero for the first.
    #[serde(default)]
    pub last_journal: JournalSeq,
    #[serde(default)]
    pub last_turn: TurnId,
    #[serde(default)]
    pub last_ask: AskId,
}

/// One community's mind. Its state is plain data: it can be kept, restored and compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mind {
    community: CommunityId,
    denizen: PersonId,
    journal_seq: JournalSeq,
    counters: Counters,
    dice: Dice,
    rooms: BTreeMap<RoomId, TextRoom>,
    #[serde(default)]
    memory: Memory,
    #[serde(default)]
    ambient: Ambient,
    #[serde(default)]
    outside: Outside,
    #[serde(default)]
    attention: Attention,
    /// Made from the settings, kept between steps because making it ready costs more than a step.
    #[serde(skip)]
    identity: Option<Identity>,
}

impl Mind {
    pub fn new(genesis: Genesis) -> Self {
        let counters = Counters {
            turn: genesis.last_turn,
            ask: genesis.last_ask,
            ..Counters::default()
        };
        Self {
            community: genesis.community,
            denizen: genesis.denizen,
            journal_seq: genesis.last_journal,
            counters,
            dice: Dice::seeded(genesis.seed),
            rooms: BTreeMap::new(),
            memory: Memory::default(),
            ambient: Ambient::default(),
            outside: Outside::default(),
            attention: Attention::default(),
            identity: None,
        }
    }

    /// Takes in one thing that happened and says what to do about it.
    pub fn step(&mut self, now: Now, input: Input, settings: &Settings) -> Step {
        let identity = match self.identity.take() {
            Some(known) if known.is_for(&settings.identity.name, &settings.identity.aliases) => known,
            _ => Identity::new(
                self.denizen.clone(),
                &settings.identity.name,
                &settings.identity.aliases,
            ),
        };
        if let Input::CapabilitiesChanged { tools, media } = &input {
            self.outside = Outside {
                tools: tools.clone(),
                media: media.clone(),
            };
        }
        let mut desk = Desk {
            settings,
            identity: &identity,
            ledger: Ledger::new(now, &self.community, &mut self.journal_seq),
            counters: &mut self.counters,
            dice: &mut self.dice,
            outside: &self.outside,
            context_used: None,
            exchange: None,
        };
        let mut faculties = Faculties {
            rooms: &mut self.rooms,
            memory: &mut self.memory,
            ambient: &mut self.ambient,
            attention: &self.attention,
        };
        route(&mut faculties, input, &mut desk);
        for room in self.rooms.values_mut() {
            room.advance(&mut desk);
        }
        if let Some(room) = desk.exchange.take() {
            self.attention.exchanged(room, desk.moment());
        }
        let around = Around {
            rooms: &self.rooms,
            attention: &self.attention,
        };
        self.ambient.advance(around, &mut desk);
        if let Some((room, context)) = desk.context_used.take() {
            self.memory.room_used_context(&room, context, &desk);
        }
        self.memory.advance(&mut desk);
        let wake = self
            .rooms
            .values()
            .filter_map(|room| room.next_wake(desk.settings))
            .chain(self.memory.next_wake(desk.settings))
            .chain(self.ambient.next_wake())
            .min();
        let effects = desk.ledger.into_effects();
        self.identity = Some(identity);
        Step { effects, wake }
    }

    /// Denizen's own id here.
    pub fn denizen(&self) -> &PersonId {
        &self.denizen
    }

    /// The number of the newest journal line.
    pub fn journal_seq(&self) -> JournalSeq {
        self.journal_seq
    }

    /// The greatest number of a frame that was seen.
    pub fn last_frame(&self) -> FrameId {
        self.counters.frame
    }

    /// A room's session, for its page; none where nothing was ever said.
    pub fn session(&self, room: &RoomId, settings: &Settings) -> Option<SessionView> {
        self.rooms
            .get(room)
            .map(|room| room.session_view(settings.compaction.text_channels))
    }

    /// A room's watch, for its page; none where nothing ever happened.
    pub fn watch(&self, room: &RoomId, now: Now, settings: &Settings) -> Option<WatchView> {
        self.rooms.get(room).map(|room| room.watch_view(now, settings))
    }

    /// Its own thoughts, for their page.
    pub fn ambient(&self, now: Now, settings: &Settings) -> AmbientView {
        let around = Around {
            rooms: &self.rooms,
            attention: &self.attention,
        };
        self.ambient.view(around, now, settings, &self.outside)
    }

    /// Whether a delivery is a post of its own accord.
    pub fn posts_by_itself(&self, delivery: &DeliveryId) -> bool {
        self.ambient.posts(delivery)
    }

    /// How many conversations of a room have ended; part of the name of the one that goes on.
    pub fn sessions_ended(&self, room: &RoomId) -> u64 {
        self.rooms.get(room).map_or(0, TextRoom::sessions_ended)
    }

    /// Rooms in which something is waiting or under way.
    pub fn busy_rooms(&self) -> usize {
        self.rooms.values().filter(|room| room.is_busy()).count()
    }
}

/// Whom an input may concern.
struct Faculties<'a> {
    rooms: &'a mut BTreeMap<RoomId, TextRoom>,
    memory: &'a mut Memory,
    ambient: &'a mut Ambient,
    attention: &'a Attention,
}

fn route(faculties: &mut Faculties<'_>, input: Input, desk: &mut Desk<'_>) {
    let Faculties {
        rooms,
        memory,
        ambient,
        attention,
    } = faculties;
    match input {
        Input::MessageArrived(message) => {
            let id = message.room.clone();
            let known = rooms.get(&id).is_some_and(|room| room.has(&message.id));
            ambient.message_arrived(&message, known, desk);
            let ending = rooms
                .entry(id.clone())
                .or_insert_with(|| TextRoom::new(id.clone()))
                .message_arrived(message, desk);
            if let Some(ending) = ending {
                memory.room_ended(&id, ending, desk);
            }
        }
        Input::MessageEdited { room, id, text } => {
            memory.edited(id.as_str(), &text);
            if let Some(room) = rooms.get_mut(&room) {
                room.message_edited(&id, text, desk);
            }
        }
        Input::MessageDeleted { room, id } => {
            memory.deleted(id.as_str(), desk);
            if let Some(room) = rooms.get_mut(&room) {
                room.message_deleted(&id, desk);
            }
        }
        Input::TypingChanged { room, person, typing } => {
            // The sign comes before the first message of a room does.
            rooms
                .entry(room.clone())
                .or_insert_with(|| TextRoom::new(room))
                .typing_changed(person, typing, desk);
        }
        Input::MessageSent { delivery, message } => {
            ambient.message_sent(&delivery, &message, desk);
            // It may be the first to write in a room.
            rooms
                .entry(message.room.clone())
                .or_insert_with(|| TextRoom::new(message.room.clone()))
                .message_sent(&delivery, message, desk);
        }
        Input::SendFailed {
            delivery,
            detail,
            retryable,
        } => {
            ambient.send_failed(&delivery, &detail, retryable, desk);
            for room in rooms.values_mut() {
                room.send_failed(&delivery, &detail, retryable, desk);
            }
        }
        Input::AskProgressed { ask, text } => {
            if let Some(room) = rooms.values_mut().find(|room| room.waits_for_ask(ask)) {
                room.ask_progressed(&text, desk);
            }
        }
        Input::AskEnded { ask, outcome } if memory.waits_for_ask(ask) => memory.ask_ended(outcome, desk),
        Input::AskEnded { ask, outcome } if ambient.waits_for_ask(ask) => {
            ambient.ask_ended(ask, outcome, Around { rooms, attention }, desk);
        }
        Input::AskEnded { ask, outcome } if rooms.values().any(|room| room.compacts_with(ask)) => {
            if let Some(room) = rooms.values_mut().find(|room| room.compacts_with(ask)) {
                room.compaction_ended(outcome, desk);
            }
        }
        Input::AskEnded { ask, outcome } if rooms.values().any(|room| room.sees_with(ask)) => {
            if let Some(room) = rooms.values_mut().find(|room| room.sees_with(ask)) {
                room.screen_ask_ended(ask, outcome, desk);
            }
        }
        Input::AskEnded { ask, outcome } => match rooms.values_mut().find(|room| room.waits_for_ask(ask)) {
            Some(room) => room.ask_ended(ask, outcome, desk),
            None => {
                desk.ledger
                    .note(Scope::default(), JournalEvent::AskDiscarded { ask });
            }
        },
        Input::Recalled { recall, found } => {
            memory.recalled(recall, &found, desk);
            ambient.recalled(recall, &found, Around { rooms, attention }, desk);
            for room in rooms.values_mut() {
                room.recalled(recall, &found, desk);
            }
        }
        Input::ToolEnded { run, result } => {
            ambient.tool_ended(run, &result, Around { rooms, attention }, desk);
            for room in rooms.values_mut() {
                room.tool_ended(run, &result, desk);
            }
        }
        Input::NoteTaken {
            room,
            shared_by,
            text,
        } => {
            rooms
                .entry(room.clone())
                .or_insert_with(|| TextRoom::new(room))
                .note_taken(&shared_by, &text, desk);
        }
        Input::ShareStarted(share) => {
            // A screen can be shared before the first message of a room is written.
            rooms
                .entry(share.room.clone())
                .or_insert_with(|| TextRoom::new(share.room.clone()))
                .share_started(share, desk);
        }
        Input::FrameArrived { room, share, glimpse } => {
            desk.counters.frame = desk.counters.frame.max(glimpse.frame);
            if let Some(room) = rooms.get_mut(&room) {
                room.frame_arrived(&share, glimpse, desk);
            }
        }
        Input::ShareEnded { room, share, reason } => {
            if let Some(room) = rooms.get_mut(&room) {
                room.share_ended(&share, reason, desk);
            }
        }
        Input::WatchChosen { room, share } => {
            if let Some(room) = rooms.get_mut(&room) {
                room.watch_chosen(share.as_ref(), desk);
            }
        }
        Input::FrameRefused {
            room,
            share,
            reason,
            detail,
            folded,
        } => {
            let event = JournalEvent::FrameRefused {
                share,
                reason,
                detail,
                folded,
            };
            desk.ledger.note(Scope::room(&room), event);
        }
        Input::SessionEnded { room: id } => {
            if let Some(room) = rooms.get_mut(&id) {
                room.session_ended(desk);
            }
            memory.room_ended(&id, SessionEnding::Ended, desk);
        }
        Input::TurnsBuffered { turns } => memory.turns_buffered(turns, desk),
        Input::ContextUsed { session, context } => memory.context_used(&session, context, desk),
        Input::ConversationEnded { session } => memory.conversation_ended(&session),
        Input::GemsStored { extraction, outcome } => memory.gems_stored(extraction, outcome, desk),
        Input::Forgotten(forgotten) => {
            ambient.forget(&forgotten, desk);
            forget(rooms, memory, &forgotten, desk);
        }
        Input::RequestRefused {
            method,
            path,
            status,
            code,
            folded,
        } => {
            let event = JournalEvent::RequestRefused {
                method,
                path,
                status,
                code,
                folded,
            };
            desk.ledger.note(Scope::default(), event);
        }
        Input::SettingsChanged { version, changed } => {
            desk.ledger.note(
                Scope::default(),
                JournalEvent::SettingsChanged { version, changed },
            );
        }
        Input::Restarted { down_for } => {
            let under_way = rooms.values().map(TextRoom::under_way);
            let (asks_lost, deliveries_repeated) =
                under_way.fold((0, 0), |(a, d), (asks, sends)| (a + asks, d + sends));
            let event = JournalEvent::Restarted {
                down_for,
                asks_lost: asks_lost + memory.asks_under_way() + ambient.asks_under_way(),
                deliveries_repeated,
            };
            let cause = desk.ledger.note(Scope::default(), event);
            for room in rooms.values_mut() {
                room.restarted(cause, desk);
            }
            memory.restarted(desk);
            ambient.restarted(Around { rooms, attention }, desk);
        }
        Input::ShutdownRequested => {
            let at = desk.now().wall;
            desk.ledger
                .note(Scope::default(), JournalEvent::ShutdownRequested { at });
        }
        Input::CapabilitiesChanged { tools, media } => {
            let tools = tools.into_iter().map(|tool| tool.spec.name).collect();
            let event = JournalEvent::CapabilitiesChanged { tools, media };
            desk.ledger.note(Scope::default(), event);
        }
        Input::SurroundingsGathered { gather, found } => {
            ambient.surroundings_gathered(gather, found, Around { rooms, attention }, desk);
        }
        Input::MediaEnded { media, outcome } => {
            ambient.media_ended(media, outcome, Around { rooms, attention }, desk);
        }
        Input::ReactionChanged {
            room,
            message,
            person,
            emoji,
            added,
        } => {
            let event = JournalEvent::ReactionChanged {
                person: person.clone(),
                added,
            };
            desk.ledger.note(Scope::room(&room).about(&message), event);
            ambient.reaction_changed(&message, (&person, &emoji), added, desk);
        }
        Input::ThinkNow => ambient.think_now(Around { rooms, attention }, desk),
        Input::ThoughtDropped => ambient.thought_dropped(desk),
        Input::SourceDropped { source } => ambient.source_dropped(&source, desk),
        Input::WakeReached => {}
    }
}

/// Something is gone from memory: it goes from the conversations and their summaries too.
fn forget(
    rooms: &mut BTreeMap<RoomId, TextRoom>,
    memory: &mut Memory,
    forgotten: &Forgotten,
    desk: &mut Desk<'_>,
) {
    let turns = Forget::Turns(forgotten.turn_ids.clone());
    for what in [&forgotten.what, &turns] {
        memory.forget(what, desk);
    }
    let brief = ScrubBrief {
        names: &forgotten.names,
        texts: &forgotten.texts,
    };
    let mut summaries = 0;
    for room in rooms.values_mut() {
        summaries += usize::from(room.forget(forgotten, &brief, desk));
    }
    let scope = forgotten
        .asked_in
        .as_ref()
        .map_or_else(Scope::default, Scope::room);
    let event = JournalEvent::MemoryForgotten {
        kind: kind_of(&forgotten.what).to_owned(),
        gems: forgotten.gems,
        turns: forgotten.turns,
        summaries,
        failure: forgotten.failure.clone(),
    };
    desk.ledger.note(scope, event);
    if let Some(room) = forgotten.asked_in.as_ref().and_then(|room| rooms.get_mut(room)) {
        room.forgetting_ended(forgotten);
        room.notice(&forgotten_notice(forgotten), desk);
    }
}

fn kind_of(what: &Forget) -> &'static str {
    match what {
        Forget::Person { .. } => "person",
        Forget::Gems(_) => "gems",
        Forget::Turns(_) => "turns",
        Forget::Session(_) => "session",
        Forget::Room { .. } => "room",
    }
}
