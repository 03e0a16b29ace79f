//! A service that drops, lies, repeats, stalls, goes on after it was stopped and mixes everything up: whatever it does, each
//! clip and each answer ends once, and nothing is said from its beginning twice.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use vocabulary::ToolCall;

use super::tests::brief;
use super::*;
use crate::event::{ResponseOutcome, ServiceEvent, Usage};
use crate::wire::{Dialect, Reading};

/// What the world does next: what, about which, and after how long.
type Act = (u8, u8, u16);

#[derive(Default)]
struct World {
    now: u64,
    generation: u64,
    answers: u64,
    clips: u64,
    items: u64,
    frames: u64,
    holds: bool,
    /// What was taken and has not ended: clips, and answers.
    open: BTreeSet<(bool, u64)>,
    ended: BTreeSet<(bool, u64)>,
    stopped: BTreeSet<u64>,
    /// Answers with the connection on which they were heard.
    sounded: BTreeMap<u64, u64>,
    last: u64,
}

impl World {
    fn take_in(&mut self, outputs: Vec<NativeOutput>) {
        for output in outputs {
            match output {
                NativeOutput::Open { generation } => self.generation = generation,
                NativeOutput::Send(Command::Answer { number, .. }) => {
                    assert!(
                        !self.sounded.contains_key(&number),
                        "answer {number} is asked for after it was heard of"
                    );
                    assert!(
                        self.open.contains(&(false, number)),
                        "answer {number} is asked for, and nobody wants it"
                    );
                }
                NativeOutput::Sound { number, .. } => {
                    assert!(
                        self.open.contains(&(false, number)),
                        "sound of answer {number} after its end"
                    );
                    assert!(
                        !self.stopped.contains(&number),
                        "sound of answer {number} after it was stopped"
                    );
                    let on = *self.sounded.entry(number).or_insert(self.generation);
                    assert_eq!(
                        on, self.generation,
                        "answer {number} goes on with another connection"
                    );
                }
                NativeOutput::Words { number, .. } | NativeOutput::Call { number, .. } => {
                    assert!(
                        self.open.contains(&(false, number)),
                        "more of answer {number} after its end"
                    );
                    assert!(
                        !self.stopped.contains(&number),
                        "more of answer {number} after it was stopped"
                    );
                }
                NativeOutput::Heard { clip, .. } => self.over((true, clip)),
                NativeOutput::Over { number, .. } => self.over((false, number)),
                _ => {}
            }
        }
    }

    fn over(&mut self, what: (bool, u64)) {
        assert!(self.open.remove(&what), "{what:?} ends, and was not open");
        assert!(self.ended.insert(what), "{what:?} ends twice");
    }

    fn does(&mut self, session: &mut NativeSession, input: NativeInput) {
        let outputs = session.step(Moment(self.now), input);
        self.take_in(outputs);
    }

    fn told(&mut self, session: &mut NativeSession, generation: u64, event: ServiceEvent, repeats: bool) {
        self.frames += 1;
        let reading = Reading {
            id: Some(format!("event_{}", self.frames)),
            events: vec![event],
        };
        for _ in 0..=usize::from(repeats) {
            let reading = reading.clone();
            self.does(session, NativeInput::Told { generation, reading });
        }
    }

    fn act(&mut self, session: &mut NativeSession, (what, which, after): Act, has_names: bool) {
        self.now += u64::from(after);
        // Old connections speak up, too.
        let generation = self.generation.saturating_sub(u64::from(which % 11 == 0));
        let repeats = which % 7 == 0;
        let number = u64::from(which) % (self.answers + 1);
        let response = has_names.then(|| format!("r{number}"));
        let fault = |kind| ServiceFault::new(kind, "a storm");
        match what % 22 {
            0 | 1 => {
                self.answers += 1;
                let number = self.answers;
                self.stopped.insert(self.last);
                self.last = number;
                self.open.insert((false, number));
                let hint = String::new();
                self.does(session, NativeInput::Answer { number, hint });
            }
            2 | 3 => {
                self.clips += 1;
                let clip = self.clips;
                if !self.holds {
                    self.open.insert((true, clip));
                }
                let samples: Arc<[i16]> = vec![0; 8_000].into();
                let who = "Ada".to_owned();
                let heard = Span(500);
                self.does(
                    session,
                    NativeInput::Hear {
                        clip,
                        who,
                        samples,
                        heard,
                    },
                );
            }
            4 => {
                let clip = u64::from(which) % (self.clips + 1);
                let words = (which % 3 != 0).then(|| "words".to_owned());
                if self.holds {
                    self.does(session, NativeInput::Understood { clip, words });
                }
            }
            5 => {
                self.stopped.insert(self.last);
                self.does(
                    session,
                    NativeInput::Stop {
                        heard: Span(u64::from(which)),
                    },
                );
            }
            6 => {
                if self.open.contains(&(false, number)) {
                    self.stopped.insert(number);
                }
                self.does(session, NativeInput::LetGo { number });
            }
            7 | 8 => {
                self.does(session, NativeInput::Opened { generation });
                self.told(session, generation, ServiceEvent::Greeted, repeats);
                self.told(session, generation, ServiceEvent::Ready, repeats);
            }
            9 => {
                let kinds = [
                    FaultKind::Passing,
                    FaultKind::Busy,
                    FaultKind::Key,
                    FaultKind::SessionOver,
                ];
                let fault = fault(kinds[usize::from(which) % kinds.len()]);
                self.does(session, NativeInput::Gone { generation, fault });
            }
            10 => {
                self.items += 1;
                let item = format!("i{}", self.items);
                self.told(session, generation, ServiceEvent::Committed { item }, repeats);
            }
            11 => {
                let item = has_names.then(|| format!("i{}", u64::from(which) % (self.items + 1)));
                let text = (which % 5 != 0).then(|| "words".to_owned());
                let usage = Usage::default();
                self.told(
                    session,
                    generation,
                    ServiceEvent::Transcript { item, text, usage },
                    repeats,
                );
            }
            12 => {
                let named = format!("r{number}");
                let number = (which % 2 == 0).then_some(number);
                let began = ServiceEvent::Began {
                    response: named.clone(),
                    number,
                };
                self.told(session, generation, began, repeats);
                let item = format!("a{which}");
                let voiced = ServiceEvent::Voiced {
                    response: has_names.then_some(named),
                    item,
                };
                self.told(session, generation, voiced, repeats);
            }
            13 | 14 => {
                let (samples, marks) = (vec![1; 480], Vec::new());
                let sound = ServiceEvent::Sound {
                    response: response.clone(),
                    samples,
                    marks,
                };
                self.told(session, generation, sound, repeats);
                let text = "words ".to_owned();
                self.told(
                    session,
                    generation,
                    ServiceEvent::Said { response, text },
                    repeats,
                );
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
                self.told(
                    session,
                    generation,
                    ServiceEvent::Ended {
                        response,
                        outcome,
                        usage,
                    },
                    repeats,
                );
            }
            17 => {
                let call = ToolCall {
                    id: format!("call_{which}"),
                    name: "look_up".to_owned(),
                    arguments: serde_json::json!({}),
                };
                let called = ServiceEvent::Called {
                    response: response.clone(),
                    call,
                };
                self.told(session, generation, called, repeats);
                if !has_names {
                    let usage = Usage::default();
                    self.told(
                        session,
                        generation,
                        ServiceEvent::Paused { response, usage },
                        repeats,
                    );
                }
                let result = ToolResult {
                    call_id: format!("call_{}", which % 3),
                    name: "look_up".to_owned(),
                    text: "something".to_owned(),
                    failed: false,
                };
                self.does(session, NativeInput::Results(vec![result]));
            }
            18 => {
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
            19 => {
                let left = Span(u64::from(after));
                self.told(session, generation, ServiceEvent::GoingAway { left }, repeats);
                let handle = (which % 2 == 0).then(|| format!("h{which}"));
                self.told(session, generation, ServiceEvent::Resumable { handle }, repeats);
            }
            20 => match which % 5 {
                4 => self.told(session, generation, ServiceEvent::Turned, repeats),
                0 => self.told(session, generation, ServiceEvent::Interrupted, repeats),
                1 => {
                    self.stopped.insert(self.last);
                    self.does(session, NativeInput::BeginAnew);
                }
                2 => self.does(session, NativeInput::Tell("Somebody came in.".to_owned())),
                _ => {
                    let text = format!("Be number {which}.");
                    let being = NativeInstructions {
                        text,
                        tools: Vec::new(),
                    };
                    self.does(session, NativeInput::Instruct(Arc::new(being)));
                }
            },
            _ => self.does(session, NativeInput::Tick),
        }
    }

    /// The service is silent from now on: everything comes to its end by time alone.
    fn calm(&mut self, session: &mut NativeSession) {
        for _ in 0..300 {
            if self.open.is_empty() && session.is_idle() {
                return;
            }
            self.now = session.wakes_at().map_or(self.now, |at| at.0.max(self.now));
            self.does(session, NativeInput::Tick);
        }
        panic!("{:?} never end", self.open);
    }
}

proptest! {
    #![proptest_config(hostile::cases(500))]
    #[test]
    fn every_clip_and_answer_ends_once_whatever_the_service_does(
        acts in prop::collection::vec((any::<u8>(), any::<u8>(), 0..4_000_u16), 1..200),
        dialect in prop::sample::select(vec![
            Dialect::OpenAi, Dialect::Xai, Dialect::Gemini, Dialect::ElevenLabsAgent,
        ]),
    ) {
        let brief = brief(dialect);
        let has_names = brief.truncates();
        let mut world = World { holds: brief.holds(), ..World::default() };
        let mut session = NativeSession::new(brief);
        for act in acts {
            world.act(&mut session, act, has_names);
        }
        world.calm(&mut session);
    }
}
