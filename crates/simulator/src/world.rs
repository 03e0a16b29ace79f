//! A world around one mind: carries time, wishes and their outcomes, and can crash and come back.

mod acting;
mod performing;
mod talking;

use std::collections::BTreeSet;
use std::sync::Arc;

use mind::ambient::view::AmbientView;
use mind::context::compaction::SessionView;
use mind::snapshot;
use mind::watch::view::WatchView;
use mind::{
    Answer, Delivery, Effect, Genesis, Input, JournalEntry, MemoryEvent, Mind, RoomEvent, ShellEvent, Wake,
};
use settings::{Document, SettingError, Settings};
use vocabulary::{AskId, CommunityId, DeliveryId, Moment, Now, RoomId, Span, WallTime};

use crate::agenda::Agenda;
use crate::deed::Deed;
use crate::director::Director;
use crate::memory::Remembered;
use crate::platform::{DENIZEN, Platform};
use crate::screens::Screens;
use crate::trace::{SessionSketch, Stepped, Trace, WALL_START, rooms_of};
use crate::voices::{VoiceTick, Voices};

#[derive(Clone, Debug)]
enum Happening<C> {
    Deed(Deed<C>),
    /// The answer to a wish made in a life of the process.
    Outcome(u64, Input),
    /// Something in the voice of a room, begun in a life of the process.
    Voice(u64, RoomId, VoiceTick),
    Landing(u64, Box<Delivery>, bool),
    Confirmed(u64, DeliveryId),
    Echoed(u64, DeliveryId),
    BackUp(Span, usize),
    SpuriousWake,
    /// The state is written down and read back, and nothing else happens.
    Snapshot,
}

/// A mind that wants to be woken so often without any time between has lost its way, and would take all memory.
const WAKES_IN_A_ROW_MAX: usize = 1_000;

/// A world and the mind in it.
#[derive(Debug)]
pub struct World<D: Director> {
    pub director: D,
    pub platform: Platform,
    pub screens: Screens,
    pub voices: Voices,
    pub trace: Trace,
    mind: Mind,
    document: Document,
    settings: Arc<Settings>,
    settings_version: u64,
    now: Moment,
    wake: Option<Wake>,
    agenda: Agenda<Happening<D::Cue>>,
    /// How often the process was started; outcomes of an earlier life never arrive.
    life: u64,
    down_until: Option<Moment>,
    /// Wakes without any time between them.
    wakes_in_a_row: usize,
    /// Asks whose answers are dropped, as a well-behaved shell does.
    cancelled: BTreeSet<AskId>,
    stubborn: BTreeSet<AskId>,
    /// Rooms that the platform has told of.
    described: BTreeSet<RoomId>,
    /// It is lived through to be compared with another life: the lines of its journal, which are all that is kept of it.
    again: Option<Vec<JournalEntry>>,
    /// What a restart finds was not written down and read back.
    keeps_its_mind: bool,
}

impl<D: Director> World<D> {
    /// A world with these settings; the seed is the mind's own.
    pub fn new(director: D, document: Document, seed: u64) -> Result<Self, Vec<SettingError>> {
        let community = Remembered::default().community;
        Self::of_community(community, director, document, seed)
    }

    /// The world of one community of several.
    pub fn of_community(
        community: CommunityId,
        director: D,
        document: Document,
        seed: u64,
    ) -> Result<Self, Vec<SettingError>> {
        let settings = Arc::new(Settings::read(&document)?);
        let genesis = Genesis::first(community.clone(), DENIZEN, seed);
        Ok(Self {
            director,
            platform: Platform::default(),
            screens: Screens::default(),
            voices: Voices::default(),
            mind: Mind::new(genesis.clone()),
            trace: Trace {
                genesis: Some(genesis),
                saved_settings: vec![document.clone()],
                memory: Remembered::of(community),
                ..Trace::default()
            },
            document,
            settings,
            settings_version: 0,
            now: Moment::default(),
            wake: None,
            agenda: Agenda::default(),
            life: 0,
            down_until: None,
            wakes_in_a_row: 0,
            cancelled: BTreeSet::new(),
            stubborn: BTreeSet::new(),
            described: BTreeSet::new(),
            again: None,
            keeps_its_mind: false,
        })
    }

    /// Keeps the journal alone from here on. `keeps_its_mind`: it comes back from restarts with the mind as it was, where
    /// the life that it is compared with reads what was written down.
    pub(crate) fn lives_again(&mut self, keeps_its_mind: bool) {
        self.again = Some(Vec::new());
        self.keeps_its_mind = keeps_its_mind;
    }

    /// The journal of a life that is compared with another.
    pub(crate) fn into_journal(self) -> Vec<JournalEntry> {
        self.again.unwrap_or_default()
    }

    pub fn plan(&mut self, at: Moment, deed: Deed<D::Cue>) {
        self.agenda.plan(at, Happening::Deed(deed));
    }

    /// Wakes the mind although it did not ask for it.
    pub fn plan_spurious_wake(&mut self, at: Moment) {
        self.agenda.plan(at, Happening::SpuriousWake);
    }

    /// Writes the state down and reads it back.
    pub fn plan_snapshot(&mut self, at: Moment) {
        self.agenda.plan(at, Happening::Snapshot);
    }

    /// A room's session as it is now.
    pub fn session(&self, room: &RoomId) -> Option<SessionView> {
        self.mind.session(room, &self.settings)
    }

    /// A room's watch as it is now.
    pub fn watch(&self, room: &RoomId) -> Option<WatchView> {
        let now = Now {
            moment: self.now,
            wall: self.wall(),
        };
        self.mind.watch(room, now, &self.settings)
    }

    /// Its own thoughts as they are now.
    pub fn ambient(&self) -> AmbientView {
        let now = Now {
            moment: self.now,
            wall: self.wall(),
        };
        self.mind.ambient(now, &self.settings)
    }

    pub fn now(&self) -> Moment {
        self.now
    }

    /// Runs until nothing is left to happen, or until `end`.
    pub fn run(&mut self, end: Moment) {
        while self.advance(end) {}
        self.trace.busy_rooms = self.mind.busy_rooms();
        self.trace.ambient = Some(self.ambient());
    }

    /// Runs for so long beyond `until`, or beyond the end of what keeps the process down or the machine asleep.
    pub fn run_on(&mut self, until: Moment, longer: Span) {
        self.run(until);
        let up = self.down_until.unwrap_or_default();
        self.run(self.now.max(until).max(up) + longer);
    }

    fn advance(&mut self, end: Moment) -> bool {
        let wake = self.wake.filter(|_| self.down_until.is_none());
        let planned = self.agenda.next_at();
        // What the mind wanted for this moment comes before what happens in it, so that an extra wake at the same
        // moment makes no difference.
        match (wake, planned) {
            (Some(wake), _) if planned.is_none_or(|at| wake.at <= at) => {
                if wake.at > end {
                    return false;
                }
                self.wakes_in_a_row = if wake.at > self.now {
                    0
                } else {
                    self.wakes_in_a_row + 1
                };
                assert!(
                    self.wakes_in_a_row < WAKES_IN_A_ROW_MAX,
                    "the mind asks again and again to be woken at {:?}, for {:?}",
                    self.now,
                    wake.reason
                );
                self.now = self.now.max(wake.at);
                self.step(Input::Shell(ShellEvent::WakeReached));
            }
            (_, Some(at)) if at <= end => {
                self.now = self.now.max(at);
                if let Some(happening) = self.agenda.take_next() {
                    self.happen(happening);
                }
            }
            _ => return false,
        }
        true
    }

    fn happen(&mut self, happening: Happening<D::Cue>) {
        match happening {
            Happening::Deed(deed) => match self.down_until {
                // The platform keeps what happens meanwhile, and tells it afterwards.
                Some(up) => self.agenda.plan(up, Happening::Deed(deed)),
                None => self.carry_out(deed),
            },
            Happening::Outcome(life, input) => {
                let unwanted = match &input {
                    Input::Answer(Answer::AskEnded { ask, .. })
                    | Input::Answer(Answer::AskProgressed { ask, .. }) => self.cancelled.contains(ask),
                    _ => false,
                };
                if life == self.life && !unwanted {
                    self.step(input);
                }
            }
            Happening::Voice(life, room, tick) => talking::voice_tick(self, life, room, tick),
            Happening::Landing(life, delivery, survives_crash) => {
                if life == self.life || survives_crash {
                    let at = self.wall();
                    self.platform.deliver(&delivery, at);
                }
            }
            Happening::Confirmed(life, delivery) => {
                let message = self.platform.delivered(&delivery).cloned();
                if let (true, Some(message)) = (life == self.life, message) {
                    self.step(Input::Answer(Answer::MessageSent { delivery, message }));
                }
            }
            Happening::Echoed(life, delivery) => {
                let message = self.platform.delivered(&delivery).cloned();
                if let (true, Some(message)) = (life == self.life, message) {
                    self.step(Input::message_arrived(message));
                }
            }
            Happening::BackUp(down_for, repeats) => {
                self.down_until = None;
                self.step(Input::Shell(ShellEvent::Restarted { down_for }));
                let turns = self.trace.memory.waiting.clone();
                if !turns.is_empty() {
                    self.step(Input::Memory(MemoryEvent::TurnsBuffered { turns }));
                }
                // Whoever is in the voice of a room is told of anew.
                for (room, person) in self.voices.everybody() {
                    self.step(Input::Room(room, RoomEvent::PersonJoined(person.author())));
                }
                for message in self.platform.newest_of_others(repeats) {
                    self.step(Input::message_arrived(message));
                }
            }
            Happening::SpuriousWake if self.down_until.is_none() => {
                self.step(Input::Shell(ShellEvent::WakeReached))
            }
            Happening::SpuriousWake => {}
            Happening::Snapshot => self.write_down_and_read_back(),
        }
    }

    fn write_down_and_read_back(&mut self) {
        let written = snapshot::keep(&self.mind);
        match snapshot::read(&written) {
            Ok(read) => {
                // Equal states are written alike.
                let is_same = read == self.mind;
                if !is_same && snapshot::keep(&read) != written {
                    let at = self.now;
                    let remark = format!("at {at:?} the state read back differs from the state written");
                    self.trace.broken_snapshots.push(remark);
                }
                self.mind = read;
            }
            Err(error) => self.trace.broken_snapshots.push(error.to_string()),
        }
    }

    fn wall(&self) -> WallTime {
        WallTime(WALL_START.0 + self.now.0 as i64)
    }

    fn step(&mut self, input: Input) {
        let now = Now {
            moment: self.now,
            wall: self.wall(),
        };
        let settings = self.settings.clone();
        let captured = self.trace.memory.capture(&self.mind, &input, &settings, now.wall);
        self.tell_of(captured);
        if self.again.is_some() {
            return self.step_again(now, input);
        }
        let step = self.mind.step(now, input.clone(), &self.settings);
        self.wake = step.wake;
        for effect in &step.effects {
            self.perform(effect);
        }
        let mut sessions = Vec::new();
        for room in rooms_of(&input, &step.effects) {
            if let Some(session) = self.mind.session_outline(room, &self.settings) {
                let room = room.clone();
                sessions.push(SessionSketch { room, session });
            }
        }
        self.trace.steps.push(Stepped {
            now,
            input,
            effects: step.effects,
            wake: step.wake,
            settings: self.settings.clone(),
            sessions,
        });
    }

    /// As [`World::step`], and nothing but the journal is kept of it.
    fn step_again(&mut self, now: Now, input: Input) {
        let step = self.mind.step(now, input, &self.settings);
        self.wake = step.wake;
        for effect in step.effects {
            self.perform(&effect);
            if let (Effect::Journal(entry), Some(journal)) = (effect, &mut self.again) {
                journal.push(*entry);
            }
        }
    }
}
