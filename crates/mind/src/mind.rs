//! The mind itself: each input goes to the faculty it concerns, then time moves all of them on, and the soonest wake is taken.

mod known_rooms;
mod ready;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use settings::Settings;
use vocabulary::{
    AskAllowance, AskId, AskPurpose, CommunityId, FrameId, JournalSeq, MessageId, ModelChoice, Now, PersonId,
    ReplyModel, RoomFacts, RoomId, TurnId, WallTime,
};

use self::ready::Ready;
use crate::addressing::Identity;
use crate::ambient::view::AmbientView;
use crate::ambient::{Ambient, RoomsInView};
use crate::attention::Attention;
use crate::context::compaction::{SessionOutline, SessionView};
use crate::effect::{Step, Wake, WakeReason};
use crate::input::Input;
use crate::memory::Memory;
use crate::parcel::Deliveries;
use crate::promises::{Promises, Waking};
use crate::prompt::Profile;
use crate::reasons::AgainRefusal;
use crate::replies::AskUnderWay;
use crate::room::Rooms;
use crate::routing::{Faculties, give_up_overdue, hand_out, restarted, route};
use crate::spending::view::{SpendingView, view as spending_view};
use crate::spending::{Foreseen, ModelRests, SpendingBook};
use crate::step_context::flight::Flights;
use crate::step_context::{Capabilities, Counters, Dice, Downtimes, Ledger, StepContext, Unlistened};
use crate::voice::view::VoiceView;
use crate::watch::view::WatchView;

/// Numbers are given out one by one, so that nobody ever comes near this.
const NUMBERS_MAX: u64 = 1 << 62;

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

impl Genesis {
    /// The first mind of a community: numbers begin at one.
    pub fn first(community: impl Into<CommunityId>, denizen: impl Into<PersonId>, seed: u64) -> Self {
        Self {
            community: community.into(),
            denizen: denizen.into(),
            seed,
            last_journal: JournalSeq::default(),
            last_turn: TurnId::default(),
            last_ask: AskId::default(),
        }
    }
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
    #[serde(default)]
    flights: Flights,
    rooms: Rooms,
    #[serde(default)]
    promises: Promises,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    waking: Option<Waking>,
    #[serde(default)]
    memory: Memory,
    #[serde(default)]
    ambient: Ambient,
    #[serde(default)]
    outside: Capabilities,
    #[serde(default, skip_serializing_if = "Downtimes::is_empty")]
    downtimes: Downtimes,
    #[serde(default)]
    attention: Attention,
    #[serde(default)]
    deliveries: Deliveries,
    #[serde(default)]
    spending: SpendingBook,
    #[serde(default)]
    rests: ModelRests,
    #[serde(default, skip_serializing_if = "Unlistened::is_empty")]
    unlistened: Unlistened,
    /// Made from the settings, kept between steps because making it ready costs more than a step.
    #[serde(skip)]
    identity: Ready,
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
            flights: Flights::default(),
            rooms: Rooms::default(),
            promises: Promises::default(),
            waking: None,
            memory: Memory::default(),
            ambient: Ambient::default(),
            outside: Capabilities::default(),
            downtimes: Downtimes::default(),
            attention: Attention::default(),
            deliveries: Deliveries::default(),
            spending: SpendingBook::default(),
            rests: ModelRests::default(),
            unlistened: Unlistened::default(),
            identity: Ready::default(),
        }
    }

    /// Takes in one thing that happened and says what to do about it.
    pub fn step(&mut self, now: Now, input: Input, settings: &Settings) -> Step {
        let (names, heard_as) = (&settings.identity, &settings.voice.name_spellings);
        let identity = match self.identity.0.take() {
            Some(known) if known.is_for(&names.name, &names.aliases, heard_as) => known,
            _ => Identity::new(self.denizen.clone(), &names.name, &names.aliases).heard_as(heard_as),
        };
        self.outside.learn(&input);
        self.downtimes.learn(now, &input);
        self.spending.turn_page(now);
        // Replies count in it, too; states have it among what thoughts keep.
        let mut media = std::mem::take(&mut self.ambient.media);
        let mut thoughts = std::mem::take(&mut self.ambient.spending);
        let active = self.attention.active(now.moment, &settings.attention);
        let mut step = StepContext {
            settings,
            identity: &identity,
            ledger: Ledger::new(now, &self.community, &mut self.journal_seq),
            counters: &mut self.counters,
            dice: &mut self.dice,
            flights: &mut self.flights,
            spending: &mut self.spending,
            rests: &mut self.rests,
            media: &mut media,
            outside: &self.outside,
            downtimes: &self.downtimes,
            deliveries: &mut self.deliveries,
            outgoing: Vec::new(),
            reports: Vec::new(),
            context_used: None,
            exchange: None,
            thoughts: &mut thoughts,
            aloud: Vec::new(),
            active_until: active.map(|exchange| now.moment + exchange.ends_in),
            unlistened: &mut self.unlistened,
        };
        let mut faculties = Faculties {
            rooms: &mut self.rooms,
            memory: &mut self.memory,
            ambient: &mut self.ambient,
            promises: &mut self.promises,
            waking: &mut self.waking,
            attention: &self.attention,
        };
        route(&mut faculties, input, &mut step);
        faculties.rooms.heed_choices(&mut step);
        if let Some(waking) = *faculties.waking {
            // What was promised to be forgotten comes before anything that a model could be told.
            if !faculties.promises.are_kept() && now.moment < waking.until {
                let effects = step.ledger.into_effects();
                let (at, reason) = (waking.until, WakeReason::ForgettingDeadline);
                self.ambient.media = media;
                self.ambient.spending = thoughts;
                self.identity.0 = Some(identity);
                return Step {
                    effects,
                    wake: Some(Wake { at, reason }),
                };
            }
            *faculties.waking = None;
            restarted(&mut faculties, waking.down_for, &mut step);
            hand_out(faculties.rooms, faculties.ambient, &mut step);
        }
        give_up_overdue(&mut faculties, &mut step);
        self.rooms.advance(&mut step);
        hand_out(&mut self.rooms, &mut self.ambient, &mut step);
        if let Some(room) = step.exchange.take() {
            self.attention.exchanged(room, step.moment());
        }
        let rooms = RoomsInView::new(&self.rooms, &self.attention, now, settings);
        self.ambient.advance(rooms, &mut step);
        hand_out(&mut self.rooms, &mut self.ambient, &mut step);
        if let Some((room, context)) = step.context_used.take() {
            self.memory.room_used_context(&room, context, &step);
        }
        self.memory.advance(&self.rooms, &mut step);
        self.rooms.settle(step.settings);
        let wakes = self.rooms.next_wake().into_iter();
        let wake = wakes
            .chain(self.memory.next_wake(step.settings))
            .chain(self.ambient.next_wake())
            .chain(step.flights.next_wake())
            .min();
        let effects = step.ledger.into_effects();
        self.spending.count_saved(&effects, settings);
        self.ambient.media = media;
        self.ambient.spending = thoughts;
        self.identity.0 = Some(identity);
        Step { effects, wake }
    }

    /// Takes a room over as it was kept, where it fits whole; else it is opened empty. Whether it did.
    pub(crate) fn take_room(&mut self, id: &str, kept: &serde_json::Value) -> bool {
        self.rooms.take_over(RoomId::new(id), kept)
    }

    /// Uses no number again that was used before, whatever the state knows of it.
    pub fn count_on(&mut self, journal: JournalSeq, turn: TurnId, ask: AskId) {
        self.journal_seq = self.journal_seq.max(journal);
        self.counters.turn = self.counters.turn.max(turn);
        self.counters.ask = self.counters.ask.max(ask);
    }

    /// Whether there are numbers left to give out.
    pub(crate) fn can_count_on(&self) -> bool {
        let counters = &self.counters;
        let given = [
            self.journal_seq.0,
            counters.turn.0,
            counters.ask.0,
            counters.recall.0,
            counters.tool_run.0,
            counters.gather.0,
            counters.media.0,
        ];
        given.iter().all(|given| *given < NUMBERS_MAX)
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

    /// Whoever writes the replies, as it was told.
    pub fn reply_model(&self) -> Option<&ReplyModel> {
        self.outside.reply_model.as_ref()
    }

    /// What questions may take on top of their words and answers, as it was told.
    pub fn allowances(&self) -> &BTreeMap<AskPurpose, AskAllowance> {
        &self.outside.allowances
    }

    /// Whom questions go to, as it was told.
    pub fn asked_models(&self) -> &BTreeMap<AskPurpose, ModelChoice> {
        &self.outside.models
    }

    /// Providers that do not accept the key, as far as it knows.
    pub fn refused_keys(&self) -> impl Iterator<Item = &str> {
        self.rests.refused_keys()
    }

    /// A room's session, for its page; none where nothing was ever said.
    pub fn session(&self, room: &RoomId, settings: &Settings) -> Option<SessionView> {
        self.rooms.get(room).map(|room| room.view().session(settings))
    }

    /// A room's session in numbers; none where nothing was ever said.
    pub fn session_outline(&self, room: &RoomId, settings: &Settings) -> Option<SessionOutline> {
        let room = self.rooms.get(room)?;
        Some(room.view().session_outline(settings))
    }

    /// A room's watch, for its page; none where nothing ever happened.
    pub fn watch(&self, room: &RoomId, now: Now, settings: &Settings) -> Option<WatchView> {
        self.rooms.get(room).map(|room| room.view().watch(now, settings))
    }

    /// A room's voice, for its page; none where nothing ever happened.
    pub fn voice(&self, room: &RoomId) -> Option<VoiceView> {
        self.rooms.get(room).map(|room| room.view().voice())
    }

    /// Until when nothing is to be said in a room, where somebody wants that; `None` within: until somebody ends it.
    pub fn quiet_until(&self, room: &RoomId, now: Now) -> Option<Option<WallTime>> {
        self.rooms.get(room)?.view().quiet_until(now.moment)
    }

    /// Its own thoughts, for their page.
    pub fn ambient(&self, now: Now, settings: &Settings) -> AmbientView {
        let rooms = RoomsInView::new(&self.rooms, &self.attention, now, settings);
        self.ambient.view(rooms, now, settings, &self.outside)
    }

    /// What was spent today, for its page.
    pub fn spending(&self, now: Now, settings: &Settings) -> SpendingView {
        let foreseen = Foreseen {
            allowances: &self.outside.allowances,
            reply_tokens: Profile::of(settings, self.reply_model()).reply_tokens_max(settings),
        };
        let rests = (&self.spending, &self.rests);
        spending_view(rests, &self.outside.models, &foreseen, now, settings)
    }

    /// The question to a model that a message of a room waits for, if there is one.
    pub fn ask_under_way(&self, room: &RoomId, message: &MessageId, now: Now) -> Option<AskUnderWay> {
        let room = self.rooms.get(room)?;
        room.view().ask_under_way(message, &self.flights, now)
    }

    /// Why a message cannot be answered on an operator's wish; none: it can.
    pub fn again_refused(&self, room: &RoomId, message: &MessageId) -> Option<AgainRefusal> {
        let unknown = Some(AgainRefusal::NotInConversation);
        (self.rooms.get(room)).map_or(unknown, |room| room.again_refused(message))
    }

    /// A copy that knows one room, and has nothing under way outside: for what-ifs.
    pub(crate) fn with_room_alone(&self, room: &RoomId) -> Self {
        let mut ambient = Ambient::default();
        ambient.media.clone_from(&self.ambient.media);
        Self {
            community: self.community.clone(),
            denizen: self.denizen.clone(),
            journal_seq: self.journal_seq,
            counters: self.counters.clone(),
            dice: self.dice.clone(),
            flights: Flights::default(),
            rooms: self.rooms.alone(room),
            promises: Promises::default(),
            waking: None,
            memory: Memory::default(),
            ambient,
            outside: self.outside.clone(),
            downtimes: self.downtimes.clone(),
            attention: self.attention.clone(),
            deliveries: self.deliveries.clone(),
            spending: self.spending.clone(),
            rests: self.rests.clone(),
            unlistened: self.unlistened.clone(),
            identity: Ready::default(),
        }
    }

    #[cfg(test)]
    pub(crate) fn rooms(&self) -> &Rooms {
        &self.rooms
    }

    /// Every room that is there, as its platform describes it.
    pub fn described_rooms(&self) -> impl Iterator<Item = RoomFacts> {
        self.rooms.iter().map(|(_, room)| room.view().described())
    }

    /// Whether it is saying something, in any room.
    pub fn is_saying(&self) -> bool {
        self.rooms.iter().any(|(_, room)| room.view().is_saying())
    }

    /// Rooms in which something is waiting or under way.
    pub fn busy_rooms(&self) -> usize {
        self.rooms.iter().filter(|(_, room)| room.is_busy()).count()
    }
}

#[cfg(test)]
#[path = "waking_tests.rs"]
mod waking_tests;
