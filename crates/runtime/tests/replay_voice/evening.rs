//! Alice, who is alone with Denizen: what is recorded of an evening.

use mind::{Answer, Effect, Genesis, Input, Mind, RoomEvent, RoomWish, ShellEvent, Wake};
use runtime::ports::{RecordedInput, Recording, Segment};
use serde_json::{json, value::RawValue};
use settings::{Document, Settings};
use vocabulary::{
    AskOutcome, AskPurpose, Author, AuthorKind, CommunityId, DeliveryId, Finish, Message, MessageId,
    ModelAnswer, Moment, Now, PersonId, RoomFacts, RoomId, Span, Usage, VoiceLoss, WallTime,
};

/// A character takes this long to be said.
const A_CHARACTER: u64 = 70;
const STORY: &str =
    "Once upon a time there was a fox. He lived in a very deep and very dark forest. Nobody knew him.";

fn lounge() -> RoomId {
    RoomId::new("lounge")
}

fn alice() -> Author {
    Author {
        id: PersonId::new("local:alice"),
        name: "Alice".to_owned(),
        kind: AuthorKind::Person,
    }
}

/// Alice, who is alone with it, asks something without a name, asks for a story and speaks over it, and is silent for long.
pub struct Evening {
    mind: Mind,
    settings: Settings,
    recording: Recording,
    pending: Vec<(Moment, Input)>,
    wake: Option<Wake>,
    /// What is being said: from when on, until when, and how many characters.
    saying: Option<(DeliveryId, Moment, Moment, usize)>,
}

impl Evening {
    pub fn recorded() -> Recording {
        Self::spoken_over(1_200, 1_200)
    }

    /// Alice speaks so long over the story, and so much of that is voice.
    pub fn spoken_over(lasts: u64, voiced: u64) -> Recording {
        let mut document = Document::default();
        for (key, value) in [
            ("voice.joinGreetingSeconds", json!(0)),
            ("voice.inactivitySeconds", json!(1_200)),
            ("voice.thoughts.enabled", json!(true)),
            ("voice.thoughts.maxPerSession", json!(1)),
            ("voice.thoughts.eagerness", json!(100)),
            ("voice.thoughts.silenceSeconds", json!(30)),
        ] {
            document.set(key.to_owned(), value);
        }
        let mind = Mind::new(Genesis::first("local", "denizen", 7));
        let segment = Segment {
            community: CommunityId::new("local"),
            version: "0".to_owned(),
            started_at: WallTime(0),
            first_input: 1,
            state: RawValue::from_string(serde_json::to_string(&mind).unwrap()).unwrap(),
            settings_version: 0,
            settings: document.clone(),
        };
        let mut evening = Self {
            mind,
            settings: Settings::read(&document).unwrap(),
            recording: Recording {
                segment,
                inputs: Vec::new(),
                journal: Vec::new(),
                settings: Vec::new(),
            },
            pending: Vec::new(),
            wake: None,
            saying: None,
        };
        evening.arrange(lasts, voiced);
        evening.run();
        evening.recording
    }

    fn arrange(&mut self, lasts: u64, voiced: u64) {
        let start = ShellEvent::CapabilitiesChanged {
            tools: Vec::new(),
            media: Vec::new(),
        };
        self.pending.push((Moment(1), Input::Shell(start)));
        self.at(2, RoomEvent::Described(RoomFacts::undescribed(lounge())));
        self.at(100, RoomEvent::PersonJoined(alice()));
        self.says("u1", 5_000, (2_000, 2_000), "what is the capital of France");
        self.says("u2", 20_000, (1_500, 1_500), "Denizen, tell me a story");
        // While the story is told.
        self.says("u3", 25_000, (lasts, voiced), "no, another one");
        self.at(600_000, RoomEvent::PersonLeft { person: alice().id });
    }

    fn at(&mut self, moment: u64, event: RoomEvent) {
        self.pending.push((Moment(moment), Input::Room(lounge(), event)));
    }

    fn says(&mut self, id: &str, from: u64, (lasts, voiced): (u64, u64), text: &str) {
        let person = alice().id;
        self.at(
            from,
            RoomEvent::SpeechStarted {
                person: person.clone(),
            },
        );
        // The ears tell it while Denizen is heard; this run leaves them out where it is not.
        for spoken in (100..=voiced).step_by(100) {
            let person = person.clone();
            let spoken = Span(spoken);
            self.at(from + spoken.0, RoomEvent::SpeechContinues { person, spoken });
        }
        self.at(from + lasts + 700, RoomEvent::SpeechEnded { person });
        let message = Message {
            id: MessageId::from(id),
            room: lounge(),
            author: alice(),
            text: text.to_owned(),
            at: WallTime(from as i64),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: true,
            sign: false,
        };
        let heard = RoomEvent::UtteranceHeard {
            message,
            spoken: Span(lasts),
            silence: Span(700),
            took: Span(100),
        };
        self.at(from + lasts + 800, heard);
    }

    fn run(&mut self) {
        loop {
            let pending = self.pending.iter().map(|(at, _)| *at);
            let due = pending.chain(self.wake.map(|wake| wake.at)).min();
            let Some(at) = due.filter(|at| *at < Moment(620_000)) else {
                return;
            };
            let input = match self.pending.iter().position(|(due, _)| *due == at) {
                Some(index) => self.pending.remove(index).1,
                None => Input::Shell(ShellEvent::WakeReached),
            };
            let is_heard = self
                .saying
                .as_ref()
                .is_some_and(|(_, from, to, _)| *from <= at && at < *to);
            if matches!(&input, Input::Room(_, RoomEvent::SpeechContinues { .. })) && !is_heard {
                continue;
            }
            self.step(at, input);
        }
    }

    fn step(&mut self, at: Moment, input: Input) {
        let now = Now {
            moment: at,
            wall: WallTime(at.0 as i64),
        };
        self.recording.inputs.push(RecordedInput {
            stepped_before: None,
            seq: self.recording.inputs.len() as u64 + 1,
            now,
            input: input.clone(),
        });
        let step = self.mind.step(now, input, &self.settings);
        self.wake = step.wake;
        for effect in step.effects {
            match effect {
                Effect::Journal(entry) => self.recording.journal.push(*entry),
                Effect::Recall(query) => {
                    let (recall, found) = (query.recall, mind::Recollection::default());
                    self.answer(at + Span(5), Answer::Recalled { recall, found });
                }
                Effect::Ask(asking) => {
                    let text = match asking.request.purpose {
                        AskPurpose::VoiceThought => {
                            json!({"action": "say", "text": "The comet is back.", "reason": ""}).to_string()
                        }
                        _ if at < Moment(15_000) => "It is Paris.".to_owned(),
                        _ => STORY.to_owned(),
                    };
                    let ask = asking.ask;
                    let piece = text.split_inclusive(". ").next().unwrap_or_default().to_owned();
                    let progress = Answer::AskProgressed { ask, text: piece };
                    self.answer(at + Span(600), progress);
                    let outcome = AskOutcome::Answered(answered(text));
                    self.answer(at + Span(1_500), Answer::AskEnded { ask, outcome });
                }
                Effect::CancelAsk { ask } => self.pending.retain(|(_, input)| {
                    !matches!(input, Input::Answer(Answer::AskEnded { ask: open, .. } | Answer::AskProgressed { ask: open, .. }) if *open == ask)
                }),
                Effect::Room(_, wish) => self.wished(at, now.wall, wish),
                _ => {}
            }
        }
    }

    fn answer(&mut self, at: Moment, answer: Answer) {
        self.pending.push((at, Input::Answer(answer)));
    }

    fn wished(&mut self, at: Moment, wall: WallTime, wish: RoomWish) {
        match wish {
            RoomWish::JoinVoice => self.at(
                at.0 + 200,
                RoomEvent::VoiceJoined {
                    hears: true,
                    speaks: true,
                    sounds: Vec::new(),
                },
            ),
            RoomWish::LeaveVoice => {
                let (reason, detail) = (VoiceLoss::Asked, String::new());
                self.at(at.0 + 10, RoomEvent::VoiceLeft { reason, detail });
            }
            RoomWish::Send(delivery) | RoomWish::WriteDown { delivery, .. } => {
                let message = delivery.as_message(PersonId::new("denizen"), "Denizen", wall);
                let delivery = delivery.id;
                self.answer(at + Span(5), Answer::MessageSent { delivery, message });
            }
            RoomWish::Speak {
                delivery,
                sentence,
                last,
                ..
            } => {
                let began = at + Span(250);
                if self.saying.as_ref().is_none_or(|(open, ..)| *open != delivery) {
                    self.saying = Some((delivery.clone(), began, began, 0));
                    let delivery = delivery.clone();
                    self.at(began.0, RoomEvent::PlaybackStarted { delivery });
                }
                if let Some((_, _, ends, characters)) = &mut self.saying {
                    *ends = *ends + Span(A_CHARACTER * sentence.chars().count() as u64);
                    *characters += sentence.chars().count();
                    let ends = ends.0;
                    if last {
                        let cut_after = None;
                        self.at(ends, RoomEvent::PlaybackEnded { delivery, cut_after });
                    }
                }
            }
            RoomWish::StopSpeaking => {
                if let Some((delivery, began, _, characters)) = self.saying.take() {
                    let said = at.since(began).0 / A_CHARACTER;
                    let cut_after = Some((said as usize).min(characters));
                    self.at(at.0 + 20, RoomEvent::PlaybackEnded { delivery, cut_after });
                }
            }
            _ => {}
        }
    }
}

fn answered(text: String) -> ModelAnswer {
    ModelAnswer {
        provider: "test".to_owned(),
        model: "m".to_owned(),
        text,
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took: Span::seconds(1),
        tries: 1,
    }
}
