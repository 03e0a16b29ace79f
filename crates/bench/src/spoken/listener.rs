//! The real mind in the voice of a room, by a clock of its own: people speak, it decides, and what it says is heard.

use std::collections::VecDeque;

use mind::admission::VoiceAdmissionReason;
use mind::{
    Answer, Effect, Genesis, Input, JournalEvent, Mind, Recollection, RoomEvent, RoomWish, ShellEvent,
};
use settings::{Document, Settings};
use vocabulary::{
    AskOutcome, Author, AuthorKind, DeliveryId, Message, MessageId, Moment, Now, PersonId, RoomId, Span,
    WallTime,
};

use crate::turn::answer;

const LOUNGE: &str = "lounge";
const DENIZEN: &str = "local-denizen";
/// Between two people who speak: longer than the gate waits for whoever may go on.
const PAUSE: Span = Span::seconds(4);
/// How long a silence ends a speech, and how long ears take.
const SILENCE: Span = Span(700);
const EARS_TAKE: Span = Span(300);
/// How long an answer is heard.
const ANSWER: Span = Span::seconds(2);

/// What the gate made of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub allow: bool,
    pub reason: VoiceAdmissionReason,
    pub near_name: bool,
}

/// A room with voice, and Denizen in it.
pub struct Listener {
    mind: Mind,
    settings: Settings,
    now: Now,
    wake: Option<Moment>,
    heard: usize,
    /// What it says when it is asked next.
    answer: String,
    /// Whether what it says is heard to its end at once.
    plays: bool,
    saying: Option<DeliveryId>,
    verdicts: Vec<(MessageId, Verdict)>,
}

/// Nothing is greeted, looked up or thought of: what is left is the gate. `spellings` is how ears write the name.
fn settings(spellings: &[String]) -> Settings {
    let mut document = Document::default();
    for key in [
        "voice.joinGreetingSeconds",
        "context.maxRelevantMessages",
        "memory.maxUserFacts",
        "memory.maxRelevantFacts",
        "memory.maxVoiceFacts",
    ] {
        document.set(key, 0.into());
    }
    document.set("voice.thoughts.enabled", false.into());
    document.set("voice.replyDecisionLlm.enabled", false.into());
    document.set("llm.provider", "anthropic".into());
    document.set("voice.nameSpellings", spellings.into());
    Settings::read(&document).expect("these values are within their limits")
}

impl Listener {
    /// A room in which these people are, and Denizen with them.
    pub fn new<'a>(people: impl IntoIterator<Item = &'a str>, spellings: &[String]) -> Self {
        let mut listener = Self {
            mind: Mind::new(Genesis::first("bench", PersonId::new(DENIZEN), 1)),
            settings: settings(spellings),
            now: Now {
                moment: Moment(0),
                wall: WallTime(1_762_000_000_000),
            },
            wake: None,
            heard: 0,
            answer: String::new(),
            plays: true,
            saying: None,
            verdicts: Vec::new(),
        };
        for name in people {
            listener.happened(RoomEvent::PersonJoined(author(name)));
        }
        listener.pass(Span::seconds(10));
        listener
    }

    /// What it says is heard, and goes on, until something stops it.
    pub fn never_done(mut self) -> Self {
        self.plays = false;
        self
    }

    /// Somebody says something, of which ears understand this; what the gate makes of it. Asked, Denizen answers so.
    pub fn hear(&mut self, name: &str, text: &str, spoken: Span, answer: &str) -> Option<Verdict> {
        self.answer = answer.to_owned();
        let (person, id) = (author(name).id, MessageId::new(format!("m{}", self.heard)));
        self.heard += 1;
        self.happened(RoomEvent::SpeechStarted {
            person: person.clone(),
        });
        self.pass(Span(spoken.0 + SILENCE.0));
        self.happened(RoomEvent::SpeechEnded { person });
        self.pass(EARS_TAKE);
        if !text.trim().is_empty() {
            let message = Message {
                id: id.clone(),
                room: RoomId::new(LOUNGE),
                author: author(name),
                text: text.to_owned(),
                at: self.now.wall,
                reply_to: None,
                mentions: Vec::new(),
                attachments: Vec::new(),
                reply_to_author: None,
                spoken: true,
                sign: false,
            };
            self.happened(RoomEvent::UtteranceHeard {
                message,
                spoken,
                silence: SILENCE,
                took: EARS_TAKE,
            });
        }
        self.pass(PAUSE);
        let of_it = |(of, _): &&(MessageId, Verdict)| *of == id;
        self.verdicts
            .iter()
            .rev()
            .find(of_it)
            .map(|(_, verdict)| *verdict)
    }

    /// Somebody has spoken over it for so long; whether it fell silent.
    pub fn is_stopped_by(&mut self, name: &str, spoken: Span) -> bool {
        let person = author(name).id;
        let event = RoomEvent::SpeechContinues { person, spoken };
        let input = Input::Room(RoomId::new(LOUNGE), event);
        let step = self.mind.step(self.now, input, &self.settings);
        step.effects
            .iter()
            .any(|effect| matches!(effect, Effect::Room(_, RoomWish::StopSpeaking)))
    }

    /// Whether something of it is being heard.
    pub fn is_saying(&self) -> bool {
        self.saying.is_some()
    }

    /// Somebody begins to speak.
    pub fn begins(&mut self, name: &str) {
        let person = author(name).id;
        self.happened(RoomEvent::SpeechStarted { person });
    }

    fn happened(&mut self, event: RoomEvent) {
        self.step(Input::Room(RoomId::new(LOUNGE), event));
    }

    fn pass(&mut self, span: Span) {
        let until = self.now.moment + span;
        while let Some(at) = self.wake.filter(|at| *at <= until) {
            self.go_to(at.max(self.now.moment));
            self.wake = None;
            self.step(Input::Shell(ShellEvent::WakeReached));
        }
        self.go_to(until);
    }

    fn go_to(&mut self, at: Moment) {
        self.now.wall.0 += i64::try_from(at.since(self.now.moment).0).unwrap_or_default();
        self.now.moment = at;
    }

    /// One step, and all that follows from what it wants at once.
    fn step(&mut self, input: Input) {
        let mut waiting = VecDeque::from([input]);
        while let Some(input) = waiting.pop_front() {
            let step = self.mind.step(self.now, input, &self.settings);
            self.wake = step.wake.map(|wake| wake.at);
            for effect in step.effects {
                self.perform(effect, &mut waiting);
            }
        }
    }

    fn perform(&mut self, effect: Effect, waiting: &mut VecDeque<Input>) {
        let room = |event| Input::Room(RoomId::new(LOUNGE), event);
        match effect {
            Effect::Journal(entry) => {
                if let JournalEvent::VoiceTurnAddressing {
                    allow,
                    reason,
                    near_name,
                    ..
                } = entry.event
                {
                    let verdict = Verdict {
                        allow,
                        reason,
                        near_name,
                    };
                    let all = entry.scope.messages.into_iter();
                    self.verdicts.extend(all.map(|id| (id, verdict)));
                }
            }
            Effect::Ask(asking) => waiting.push_back(Input::Answer(Answer::AskEnded {
                ask: asking.ask,
                outcome: AskOutcome::Answered(answer(&self.answer)),
            })),
            Effect::Recall(query) => waiting.push_back(Input::Answer(Answer::Recalled {
                recall: query.recall,
                found: Recollection::default(),
            })),
            Effect::Room(_, RoomWish::JoinVoice) => {
                waiting.push_back(room(RoomEvent::VoiceJoined {
                    hears: true,
                    speaks: true,
                    sounds: Vec::new(),
                }));
            }
            Effect::Room(_, RoomWish::Send(delivery) | RoomWish::WriteDown { delivery, .. }) => {
                let message = delivery.as_message(PersonId::new(DENIZEN), "Denizen", self.now.wall);
                waiting.push_back(Input::Answer(Answer::MessageSent {
                    delivery: delivery.id,
                    message,
                }));
            }
            Effect::Room(_, RoomWish::Speak { delivery, last, .. }) => {
                if self.saying.as_ref() != Some(&delivery) {
                    self.saying = Some(delivery.clone());
                    waiting.push_back(room(RoomEvent::PlaybackStarted {
                        delivery: delivery.clone(),
                    }));
                }
                if last && self.plays {
                    self.go_to(self.now.moment + ANSWER);
                    self.saying = None;
                    waiting.push_back(room(RoomEvent::PlaybackEnded {
                        delivery,
                        cut_after: None,
                    }));
                }
            }
            _ => {}
        }
    }
}

fn author(name: &str) -> Author {
    Author {
        id: PersonId::new(format!("local:{}", name.to_lowercase())),
        name: name.to_owned(),
        kind: AuthorKind::Person,
    }
}
