//! A service that drops, lies, repeats, stalls, goes on after it was stopped and mixes everything up: whatever it does, each
//! clip and each text ends once, and nothing is said from its beginning twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use vocabulary::Moment;

use super::tests::brief;
use super::*;
use crate::event::{ResponseOutcome, Usage};
use crate::wire::{Dialect, Reading};

/// What the world does next: what, about which, and after how long.
type Act = (u8, u8, u16);

/// A service that does what it is told to, or not.
#[derive(Default)]
struct World {
    now: u64,
    generation: u64,
    texts: u64,
    clips: u64,
    items: u64,
    /// What was taken and has not ended.
    open: BTreeSet<(bool, u64)>,
    ended: BTreeSet<(bool, u64)>,
    unwanted: BTreeSet<(bool, u64)>,
    /// Texts with the connection on which they were heard.
    sounded: BTreeMap<u64, u64>,
    asked: Vec<u64>,
    frames: u64,
}

impl World {
    fn take_in(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Open { generation } => self.generation = generation,
                Output::Send(Command::Utter { number, .. }) => {
                    assert!(
                        !self.sounded.contains_key(&number),
                        "text {number} is asked for after it was heard of"
                    );
                    self.asked.push(number);
                }
                Output::Sound { number, .. } => {
                    assert!(
                        !self.ended.contains(&(false, number)),
                        "sound of text {number} after its end"
                    );
                    assert!(
                        !self.unwanted.contains(&(false, number)),
                        "sound of text {number} after it was stopped"
                    );
                    let on = *self.sounded.entry(number).or_insert(self.generation);
                    assert_eq!(
                        on, self.generation,
                        "text {number} goes on with another connection"
                    );
                }
                Output::Heard { clip, .. } => self.over((true, clip)),
                Output::Said { number, .. } => self.over((false, number)),
                _ => {}
            }
        }
    }

    fn over(&mut self, what: (bool, u64)) {
        assert!(self.open.remove(&what), "{what:?} ends, and was not open");
        assert!(self.ended.insert(what), "{what:?} ends twice");
    }

    fn told(&mut self, session: &mut Session, generation: u64, event: ServiceEvent, repeats: bool) {
        self.frames += 1;
        let reading = Reading {
            id: Some(format!("event_{}", self.frames)),
            events: vec![event],
        };
        for _ in 0..=usize::from(repeats) {
            let reading = reading.clone();
            let outputs = session.step(Moment(self.now), Input::Told { generation, reading });
            self.take_in(outputs);
        }
    }

    fn act(&mut self, session: &mut Session, (what, which, after): Act, has_names: bool) {
        self.now += u64::from(after);
        let now = Moment(self.now);
        let number = u64::from(which) % (self.texts + 1);
        let response = has_names.then(|| format!("r{number}"));
        // Old connections speak up, too.
        let generation = if which % 11 == 0 {
            self.generation.saturating_sub(1)
        } else {
            self.generation
        };
        let repeats = which % 7 == 0;
        let fault = |kind| ServiceFault::new(kind, "a storm");
        match what % 20 {
            0 | 1 => {
                self.texts += 1;
                let number = self.texts;
                self.open.insert((false, number));
                let text = "Some words to be said aloud.".to_owned();
                let outputs = session.step(now, Input::Say { number, text });
                self.take_in(outputs);
            }
            2 => {
                self.clips += 1;
                let clip = self.clips;
                self.open.insert((true, clip));
                let samples: Arc<[i16]> = vec![0; 8_000].into();
                let outputs = session.step(now, Input::Hear { clip, samples });
                self.take_in(outputs);
            }
            3 => {
                if self.open.remove(&(false, number)) {
                    self.unwanted.insert((false, number));
                }
                let outputs = session.step(now, Input::Unsay { number });
                self.take_in(outputs);
            }
            4 => {
                let clip = u64::from(which) % (self.clips + 1);
                if self.open.remove(&(true, clip)) {
                    self.unwanted.insert((true, clip));
                }
                let outputs = session.step(now, Input::Unhear { clip });
                self.take_in(outputs);
            }
            5 | 6 => {
                let outputs = session.step(now, Input::Opened { generation });
                self.take_in(outputs);
                self.told(session, generation, ServiceEvent::Greeted, repeats);
                self.told(session, generation, ServiceEvent::Ready, repeats);
            }
            7 => {
                let kinds = [
                    FaultKind::Passing,
                    FaultKind::Busy,
                    FaultKind::Key,
                    FaultKind::SessionOver,
                ];
                let fault = fault(kinds[usize::from(which) % kinds.len()]);
                let outputs = session.step(now, Input::Gone { generation, fault });
                self.take_in(outputs);
            }
            8 => {
                self.items += 1;
                let item = format!("i{}", self.items);
                self.told(session, generation, ServiceEvent::Committed { item }, repeats);
            }
            9 | 10 => {
                let item = has_names.then(|| format!("i{}", u64::from(which) % (self.items + 1)));
                let words = ServiceEvent::Transcript {
                    item,
                    text: Some("words".to_owned()),
                    usage: Usage::default(),
                };
                self.told(session, generation, words, repeats);
            }
            11 => {
                let response = format!("r{number}");
                let number = (which % 2 == 0).then_some(number);
                self.told(
                    session,
                    generation,
                    ServiceEvent::Began { response, number },
                    repeats,
                );
            }
            12..=14 => {
                let samples = vec![1; 480];
                let sound = ServiceEvent::Sound {
                    response,
                    samples,
                    marks: Vec::new(),
                };
                self.told(session, generation, sound, repeats);
            }
            15 | 16 => {
                let outcomes = [
                    ResponseOutcome::Whole,
                    ResponseOutcome::Whole,
                    ResponseOutcome::Cancelled,
                    ResponseOutcome::Failed(fault(FaultKind::Passing)),
                ];
                let outcome = outcomes[usize::from(which) % outcomes.len()].clone();
                let usage = Usage::default();
                let ended = ServiceEvent::Ended {
                    response,
                    outcome,
                    usage,
                };
                self.told(session, generation, ended, repeats);
            }
            17 => {
                let kinds = [
                    FaultKind::Moot,
                    FaultKind::NoSound,
                    FaultKind::Refused,
                    FaultKind::Busy,
                    FaultKind::Quota,
                ];
                let fault = fault(kinds[usize::from(which) % kinds.len()]);
                self.told(session, generation, ServiceEvent::Fault(fault), repeats);
            }
            18 => {
                let left = vocabulary::Span(u64::from(after));
                self.told(session, generation, ServiceEvent::GoingAway { left }, repeats);
            }
            _ => {
                let outputs = session.step(now, Input::Tick);
                self.take_in(outputs);
            }
        }
    }

    /// The service is silent from now on: everything comes to its end by time alone.
    fn calm(&mut self, session: &mut Session) {
        for _ in 0..200 {
            if self.open.is_empty() && session.is_idle() {
                return;
            }
            self.now = session.wakes_at().map_or(self.now, |at| at.0.max(self.now));
            let outputs = session.step(Moment(self.now), Input::Tick);
            self.take_in(outputs);
        }
        panic!("{:?} never end", self.open);
    }
}

proptest! {
    #![proptest_config(hostile::cases(400))]
    #[test]
    fn every_clip_and_text_ends_once_whatever_the_service_does(
        acts in prop::collection::vec((any::<u8>(), any::<u8>(), 0..4_000_u16), 1..160),
        dialect in prop::sample::select(vec![
            Dialect::OpenAi, Dialect::Xai, Dialect::Gemini, Dialect::ElevenLabsEars, Dialect::ElevenLabsMouth,
        ]),
    ) {
        let mut session = Session::new(brief(dialect));
        let mut world = World::default();
        let has_names = matches!(dialect, Dialect::OpenAi | Dialect::Xai | Dialect::ElevenLabsMouth);
        for act in acts {
            world.act(&mut session, act, has_names);
        }
        world.calm(&mut session);
    }
}
