//! One room's compaction, stepped by hand: what the tests beside this file work with.

use settings::Settings;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, CommunityId, Finish, JournalSeq, ModelAnswer, Moment, Now,
    PersonId, RoomId, Span, TurnId, Usage, WallTime,
};

use super::{Compaction, Place};
use crate::addressing::Identity;
use crate::context::timeline::{Modality, Timeline};
use crate::effect::Effect;
use crate::journal::JournalEvent;
use crate::step_context::flight::Flights;
use crate::step_context::{Counters, Dice, Ledger, StepContext};

/// One room's compaction, stepped by hand.
pub(super) struct Bench {
    pub compaction: Compaction,
    pub timeline: Timeline,
    pub settings: Settings,
    counters: Counters,
    pub flights: Flights,
    seq: JournalSeq,
    pub now: Moment,
    pub effects: Vec<Effect>,
}

pub(super) fn bench() -> Bench {
    Bench {
        compaction: Compaction::default(),
        timeline: Timeline::default(),
        settings: Settings::default(),
        counters: Counters::default(),
        flights: Flights::default(),
        seq: JournalSeq::default(),
        now: Moment(0),
        effects: Vec::new(),
    }
}

/// A room in which so many turns were said, and a run was begun.
pub(super) fn folding(turns: u64) -> Bench {
    let mut bench = bench();
    bench.say(turns);
    bench.consider();
    assert_eq!(bench.names(), ["voice_context_compaction_started"]);
    bench
}

impl Bench {
    pub fn with(
        &mut self,
        act: impl FnOnce(&mut Compaction, &mut Timeline, Place<'_>, &mut StepContext<'_>),
    ) {
        let (community, room) = (CommunityId::from("c"), RoomId::from("lounge"));
        let identity = Identity::new(PersonId::from("d"), "Denizen", &[]);
        let now = Now {
            moment: self.now,
            wall: WallTime(1_762_000_000_000 + self.now.0 as i64),
        };
        let mut step = StepContext {
            settings: &self.settings,
            identity: &identity,
            ledger: Ledger::new(now, &community, &mut self.seq),
            counters: &mut self.counters,
            dice: &mut Dice::seeded(1),
            flights: &mut self.flights,
            outside: &crate::step_context::Capabilities::default(),
            deliveries: &mut crate::parcel::Deliveries::default(),
            outgoing: Vec::new(),
            context_used: None,
            exchange: None,
        };
        let place = Place {
            room: &room,
            turn: TurnId(1),
        };
        act(&mut self.compaction, &mut self.timeline, place, &mut step);
        self.effects = step.ledger.into_effects();
    }

    pub fn say(&mut self, count: u64) {
        for _ in 0..count {
            let number = self.timeline.next_seq().0;
            let (folding, at) = (self.compaction.folding_until(), WallTime(1_762_000_000_000));
            let text = format!("turn {number} of the game");
            let dropped = self
                .timeline
                .push("Alice", at, Modality::Typed, &text, None, folding);
            assert_eq!(dropped.0, 0);
        }
    }

    pub fn consider(&mut self) {
        self.with(|compaction, timeline, place, step| compaction.consider(timeline, place, step));
    }

    pub fn note(&mut self, text: &str) {
        self.with(|compaction, _, place, step| compaction.hold_note("James", text, place, step));
    }

    pub fn end(&mut self, outcome: AskOutcome) {
        self.with(|compaction, timeline, place, step| compaction.ask_ended(outcome, timeline, place, step));
    }

    pub fn answer(&mut self, text: &str) {
        self.end(answered(text, Finish::Complete));
    }

    pub fn fail(&mut self, kind: AskFailureKind) {
        let detail = "as tested".to_owned();
        self.end(AskOutcome::Failed(AskFailure {
            kind,
            detail,
            retry_after: None,
        }));
    }

    pub fn after(&mut self, seconds: u64) {
        self.now = self.now + Span::seconds(seconds);
        self.with(|compaction, timeline, place, step| compaction.advance(timeline, place, step));
    }

    pub fn events(&self) -> Vec<&JournalEvent> {
        let entries = self.effects.iter().filter_map(|effect| match effect {
            Effect::Journal(entry) => Some(&entry.event),
            _ => None,
        });
        entries.collect()
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.events().iter().map(|event| event.name()).collect()
    }

    /// What the model was asked in the last step.
    pub fn asked(&self) -> Option<(AskId, String)> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Ask(asking) => {
                let sections = asking.request.sections.iter();
                let texts: Vec<&str> = sections.map(|section| section.text.as_str()).collect();
                Some((asking.ask, texts.join("\n")))
            }
            _ => None,
        })
    }

    /// Cursor, oldest turn that stands, turns that stand.
    pub fn place(&self) -> (u64, u64, usize) {
        let timeline = &self.timeline;
        (
            self.compaction.cursor().0,
            timeline.first_seq().0,
            timeline.turns().len(),
        )
    }
}

pub(super) fn answered(text: &str, finish: Finish) -> AskOutcome {
    AskOutcome::Answered(ModelAnswer {
        provider: "openai".to_owned(),
        model: "small".to_owned(),
        text: text.to_owned(),
        finish,
        tool_calls: Vec::new(),
        usage: Usage::default(),
        first_text: None,
        took: Span::seconds(1),
        tries: 1,
    })
}

/// So many characters of whole sentences, all about what was said.
pub(super) fn sentences(characters: usize) -> String {
    let sentence = "Alice spoke of the game. ";
    let text = sentence.repeat(characters / sentence.len() + 1);
    let mut text: String = text.chars().take(characters - 1).collect();
    text.push('.');
    text
}
