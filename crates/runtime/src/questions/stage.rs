//! The stage on which the questions of a mind are found out: it is told what it asks for, and answered at once.

use std::collections::VecDeque;

use mind::{Answer, Effect, Genesis, Input, Mind, Recollection, RoomEvent, RoomWish, ShellEvent};
use serde_json::json;
use settings::Settings;
use vocabulary::{
    AskAllowance, AskOutcome, AskPurpose, Author, AuthorKind, CommunityId, FeedHarvest, Finish, Message,
    MessageId, ModelAnswer, ModelRequest, Moment, Now, PersonId, RoomFacts, RoomId, Span, ToolCall,
    ToolResult, Usage, WallTime,
};

use super::{PAUSE, ROOM, Surroundings};
use crate::clock;

const DENIZEN: &str = "denizen";
/// Steps of one scene at most; far more than any takes.
const STEPS_MAX: usize = 600;
/// Nothing that a scene waits for is further off.
const HORIZON: Span = Span::hours(2);

/// A mind in a room where nobody is, and what it has asked.
pub(super) struct Stage<'a> {
    pub(super) settings: &'a Settings,
    mind: Mind,
    pub(super) now: Now,
    wake: Option<Moment>,
    waiting: VecDeque<Effect>,
    said: usize,
    pub(super) asked: Vec<ModelRequest>,
}

impl<'a> Stage<'a> {
    pub(super) fn new(settings: &'a Settings, around: &Surroundings) -> Self {
        let mut stage = Self {
            settings,
            mind: Mind::new(Genesis::first(CommunityId::home(), PersonId::new(DENIZEN), 1)),
            now: Now {
                moment: Moment(0),
                wall: clock::wall(),
            },
            wake: None,
            waiting: VecDeque::new(),
            said: 0,
            asked: Vec::new(),
        };
        let (tools, media) = (around.tools.clone(), around.media.clone());
        stage.step(Input::Shell(ShellEvent::CapabilitiesChanged { tools, media }));
        let model = around.reply_model.clone();
        stage.step(Input::Shell(ShellEvent::ReplyModelChanged { model }));
        // What they cost does not matter: nobody pays for what is only found out.
        let reads = around.reads.iter().map(|(purpose, tokens)| {
            let known = AskAllowance {
                reads_tokens: Some(*tokens),
                ..AskAllowance::default()
            };
            (*purpose, known)
        });
        let allowances = reads.collect();
        stage.step(Input::Shell(ShellEvent::AllowancesChanged { allowances }));
        let room = RoomId::new(ROOM);
        let facts = RoomFacts::undescribed(room.clone());
        stage.step(Input::Room(room, RoomEvent::Described(facts)));
        stage
    }

    pub(super) fn message(&mut self, name: &str, text: &str) -> Message {
        self.said += 1;
        Message {
            id: MessageId::new(format!("m{}", self.said)),
            room: RoomId::new(ROOM),
            author: author(name),
            text: text.to_owned(),
            at: self.now.wall,
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: false,
            sign: false,
        }
    }

    pub(super) fn say(&mut self, name: &str, text: &str) {
        self.pass(PAUSE);
        let message = self.message(name, text);
        self.step(Input::message_arrived(message));
        self.settle_for(PAUSE);
    }

    /// Two people go into the voice of the room, and have it come.
    pub(super) fn gather(&mut self) {
        let (person, come) = (None, true);
        for event in [
            RoomEvent::PersonJoined(author("Alice")),
            RoomEvent::PersonJoined(author("Robin")),
            RoomEvent::VoiceAsked { person, come },
        ] {
            self.step(Input::Room(RoomId::new(ROOM), event));
        }
        self.settle_for(PAUSE);
    }

    pub(super) fn say_aloud(&mut self, name: &str, text: &str) {
        self.pass(PAUSE);
        let spoken = Span::seconds(2);
        let person = || author(name).id;
        let room = RoomId::new(ROOM);
        let started = RoomEvent::SpeechStarted { person: person() };
        self.step(Input::Room(room.clone(), started));
        self.settle_for(spoken);
        self.pass(spoken);
        let ended = RoomEvent::SpeechEnded { person: person() };
        self.step(Input::Room(room.clone(), ended));
        let message = Message {
            spoken: true,
            ..self.message(name, text)
        };
        let heard = RoomEvent::UtteranceHeard {
            message,
            spoken,
            silence: Span::ZERO,
            took: Span(1),
        };
        self.step(Input::Room(room, heard));
        self.settle_for(PAUSE);
    }

    pub(super) fn pass(&mut self, time: Span) {
        self.now.moment = self.now.moment + time;
        self.now.wall = WallTime(self.now.wall.0 + i64::try_from(time.0).unwrap_or(i64::MAX));
    }

    pub(super) fn step(&mut self, input: Input) {
        let step = self.mind.step(self.now, input, self.settings);
        self.wake = step.wake.map(|wake| wake.at);
        self.waiting.extend(step.effects);
    }

    pub(super) fn settle(&mut self) {
        self.settle_for(HORIZON);
    }

    /// Carries out what is wanted until nothing more is, or so much time has passed.
    pub(super) fn settle_for(&mut self, patience: Span) {
        let until = self.now.moment + patience;
        for _ in 0..STEPS_MAX {
            if let Some(effect) = self.waiting.pop_front() {
                match effect {
                    Effect::Room(room, RoomWish::JoinVoice) => self.step(Input::Room(room, is_there())),
                    effect => {
                        if let Some(answer) = self.carried_out(effect) {
                            self.step(Input::Answer(answer));
                        }
                    }
                }
                continue;
            }
            let Some(at) = self.wake.filter(|at| *at <= until) else {
                return;
            };
            self.pass(at.since(self.now.moment));
            self.step(Input::Shell(ShellEvent::WakeReached));
        }
    }

    fn carried_out(&mut self, effect: Effect) -> Option<Answer> {
        match effect {
            Effect::Ask(asking) => {
                let outcome = AskOutcome::Answered(answer_to(&asking.request));
                self.asked.push(asking.request);
                Some(Answer::AskEnded {
                    ask: asking.ask,
                    outcome,
                })
            }
            Effect::Recall(query) => Some(Answer::Recalled {
                recall: query.recall,
                found: Recollection::default(),
            }),
            Effect::RunTool(run) => Some(Answer::ToolEnded {
                run: run.run,
                result: ToolResult {
                    call_id: run.call.id.clone(),
                    name: run.call.name.clone(),
                    text: "Nothing was found.".to_owned(),
                    failed: false,
                },
            }),
            Effect::GatherSurroundings(gather) => Some(Answer::SurroundingsGathered {
                gather: gather.gather,
                found: FeedHarvest::default(),
            }),
            Effect::Room(_, RoomWish::Send(delivery)) => {
                let name = &self.settings.identity.name;
                let message = delivery.as_message(PersonId::new(DENIZEN), name, self.now.wall);
                Some(Answer::MessageSent {
                    delivery: delivery.id,
                    message,
                })
            }
            _ => None,
        }
    }
}

/// It hears and speaks.
fn is_there() -> RoomEvent {
    RoomEvent::VoiceJoined {
        hears: true,
        speaks: true,
        sounds: Vec::new(),
    }
}

pub(super) fn author(name: &str) -> Author {
    Author {
        id: PersonId::new(format!("trial:{}", name.to_lowercase())),
        name: name.to_owned(),
        kind: AuthorKind::Person,
    }
}

/// What lets a scene go on: a look-up where one is offered to a first reply, words otherwise.
fn answer_to(request: &ModelRequest) -> ModelAnswer {
    let looks_up = matches!(request.purpose, AskPurpose::TextReply | AskPurpose::VoiceReply);
    let tool = request.tools.first().filter(|_| looks_up);
    ModelAnswer {
        provider: "trial".to_owned(),
        model: "trial".to_owned(),
        text: match tool {
            Some(_) => String::new(),
            None => "[SKIP]".to_owned(),
        },
        carried: None,
        tool_calls: tool
            .map(|tool| ToolCall {
                id: "trial-call".to_owned(),
                name: tool.name.clone(),
                arguments: json!({"query": "red square", "url": "https://example.com/"}),
            })
            .into_iter()
            .collect(),
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took: Span(1),
        tries: 1,
    }
}
