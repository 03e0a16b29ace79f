//! One room's compaction, stepped by hand: what the tests beside this file work with.

use settings::Settings;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, Author, AuthorKind, CommunityId, Finish, JournalSeq,
    Message, MessageId, ModelAnswer, Moment, Now, PersonId, RoomId, Span, Usage, WallTime,
};

use super::Compaction;
use crate::addressing::Identity;
use crate::effect::Effect;
use crate::journal::JournalEvent;
use crate::step_context::flight::{Flights, interrupted, timed_out};
use crate::step_context::{Capabilities, Counters, Dice, Ledger, StepContext};

/// One room's compaction, stepped by hand.
pub(super) struct Bench {
    pub compaction: Compaction,
    pub settings: Settings,
    counters: Counters,
    pub flights: Flights,
    seq: JournalSeq,
    pub now: Moment,
    pub effects: Vec<Effect>,
    pub outside: Capabilities,
}

pub(super) fn bench() -> Bench {
    Bench {
        compaction: Compaction::new(RoomId::from("lounge")),
        settings: Settings::default(),
        counters: Counters::default(),
        flights: Flights::default(),
        seq: JournalSeq::default(),
        now: Moment(0),
        effects: Vec::new(),
        outside: Capabilities::default(),
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
    pub fn with(&mut self, act: impl FnOnce(&mut Compaction, &mut StepContext<'_>)) {
        let community = CommunityId::from("c");
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
            outside: &self.outside,
            downtimes: &crate::step_context::Downtimes::default(),
            spending: &mut crate::spending::SpendingBook::default(),
            rests: &mut crate::spending::ModelRests::default(),
            media: &mut crate::media::MediaBook::default(),
            deliveries: &mut crate::parcel::Deliveries::default(),
            outgoing: Vec::new(),
            reports: Vec::new(),
            context_used: None,
            exchange: None,
            thoughts: &mut crate::spending::ThoughtSpending::default(),
            aloud: Vec::new(),
            active_until: None,
            unlistened: &mut crate::step_context::Unlistened::default(),
        };
        act(&mut self.compaction, &mut step);
        self.effects = step.ledger.into_effects();
    }

    pub fn say(&mut self, count: u64) {
        for _ in 0..count {
            let number = self.compaction.log.next_seq().0;
            self.say_words("Alice", &format!("turn {number} of the game"));
        }
    }

    /// Somebody says something; what comes of it is in `effects`.
    pub fn say_words(&mut self, name: &str, text: &str) {
        let number = self.compaction.log.next_seq().0;
        let message = Message {
            id: MessageId::new(format!("m{number}")),
            room: RoomId::from("lounge"),
            author: Author {
                id: PersonId::new(name.to_lowercase()),
                name: name.to_owned(),
                kind: AuthorKind::Person,
            },
            text: text.to_owned(),
            at: WallTime(1_762_000_000_000),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: false,
            sign: false,
        };
        self.with(|compaction, step| compaction.take_in(message, |_| false, step));
    }

    pub fn consider(&mut self) {
        self.with(Compaction::consider);
    }

    pub fn note(&mut self, text: &str) {
        self.with(|compaction, step| compaction.hold_note("James", text, step));
    }

    pub fn end(&mut self, outcome: AskOutcome) {
        self.with(|compaction, step| {
            let under_way = compaction.run_under_way().map(|run| run.ask);
            if let Some(flight) = under_way.and_then(|ask| step.flights.land(ask)) {
                compaction.ask_ended(flight, outcome, step);
            }
        });
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
            usage: None,
            tries: 1,
        }));
    }

    pub fn after(&mut self, seconds: u64) {
        self.now = self.now + Span::seconds(seconds);
        let overdue = self.flights.overdue_asks(self.now);
        if overdue.is_empty() {
            self.effects.clear();
        } else {
            self.end(timed_out());
        }
    }

    pub fn restart(&mut self) {
        self.end(interrupted());
    }

    /// The lines about folding; those about the questions themselves are the same for every purpose.
    pub fn events(&self) -> Vec<&JournalEvent> {
        let entries = self.effects.iter().filter_map(|effect| match effect {
            Effect::Journal(entry) => Some(&entry.event),
            _ => None,
        });
        entries
            .filter(|event| !event.name().starts_with("ask_"))
            .collect()
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
        let log = &self.compaction.log;
        let oldest = log.verbatim().next().map_or(log.next_seq(), |said| said.seq);
        (log.cursor().0, oldest.0, log.verbatim().len())
    }
}

pub(super) fn answered(text: &str, finish: Finish) -> AskOutcome {
    AskOutcome::Answered(ModelAnswer {
        provider: "openai".to_owned(),
        model: "small".to_owned(),
        text: text.to_owned(),
        finish,
        tool_calls: Vec::new(),
        carried: None,
        cap: None,
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
