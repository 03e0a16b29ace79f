//! What a mind asks models under some settings, each question as it will be asked: played out in a room where nobody is.
//! `doctor` tries them.

use std::collections::VecDeque;

use mind::{
    Answer, Effect, Genesis, Input, MemoryEvent, Mind, OperatorWish, Recollection, RoomEvent, RoomWish,
    ShellEvent,
};
use serde_json::json;
use settings::Settings;
use vocabulary::{
    AskOutcome, AskPurpose, Attachment, AttachmentId, Author, AuthorKind, CapturedTurn, ChangeScore,
    CommunityId, FeedHarvest, Finish, FrameId, Glimpse, MediaKind, Message, MessageId, ModelAnswer,
    ModelRequest, Moment, Now, OutsideTool, PersonId, PictureKind, Place, ReplyModel, RoomFacts, RoomId,
    SessionId, Share, ShareId, ShareSource, Span, ToolCall, ToolResult, TurnKey, TurnKind, Usage, WallTime,
};

use crate::clock;

const ROOM: &str = "trial";
const DENIZEN: &str = "denizen";
/// Steps of one scene at most; far more than any takes.
const STEPS_MAX: usize = 600;
/// Nothing that a scene waits for is further off.
const HORIZON: Span = Span::hours(2);
/// Between two lines.
const PAUSE: Span = Span::seconds(20);
/// Lines that are more than are kept word for word, by a good deal.
const LONG_CONVERSATION: usize = 75;
/// What is said in it, so that there is something to sum up and to remember.
const TALK: [(&str, &str); 4] = [
    ("Robin", "The train to Bern leaves at 17:42 from platform 9."),
    ("Alice", "I have tickets for two, my sister Mara comes along."),
    ("Robin", "I cannot eat nuts, so no cake from the station please."),
    ("Alice", "Fine, we meet under the big clock then."),
];

/// What a mind is told of the world before it asks anything.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    pub reply_model: Option<ReplyModel>,
    pub tools: Vec<OutsideTool>,
    pub media: Vec<MediaKind>,
}

/// The questions that are asked under these settings, one for each purpose that is in use. Pictures in them have ids of
/// their own; whoever asks brings the bytes of a PNG.
pub fn asked_under(settings: &Settings, around: &Surroundings) -> Vec<ModelRequest> {
    let settings = unhindered(settings);
    let mut found: Vec<ModelRequest> = Vec::new();
    for scene in [talk, unclear, long_talk, remembering, screen, thought] {
        let mut stage = Stage::new(&settings, around);
        scene(&mut stage);
        for request in stage.asked {
            if !found.iter().any(|known| known.purpose == request.purpose) {
                found.push(request);
            }
        }
    }
    found.sort_by_key(|request| request.purpose);
    found
}

/// The same settings without what only says when, where and how often: a question is the same whenever it is asked.
fn unhindered(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    let usual = Settings::default();
    let speaks_by_itself = !settings.replies.discovery_channel_ids.is_empty();
    settings.activity = usual.activity;
    settings.permissions = usual.permissions;
    settings.attention = usual.attention;
    settings.spending_per_day = usual.spending_per_day;
    settings.spending_percent = usual.spending_percent;
    settings.initiative_budget = usual.initiative_budget;
    settings.replies = usual.replies;
    // Without a channel for them it never has a thought.
    settings.initiative.enabled &= speaks_by_itself;
    settings.replies.discovery_channel_ids = vec![ROOM.to_owned()];
    settings
}

/// Somebody asks something and shows a picture; where tools are on offer, one of them is used.
fn talk(stage: &mut Stage<'_>) {
    for (name, words) in TALK {
        stage.say(name, words);
    }
    let name = stage.settings.identity.name.clone();
    let mut message = stage.message(
        "Alice",
        &format!("{name}, this is a trial: which colour is this?"),
    );
    message.attachments.push(Attachment {
        id: AttachmentId::new("trial-picture"),
        mime: "image/png".to_owned(),
        name: "square.png".to_owned(),
        bytes: 200,
        description: String::new(),
    });
    stage.step(Input::message_arrived(message));
    stage.settle();
}

/// Somebody asks, and nobody knows whom.
fn unclear(stage: &mut Stage<'_>) {
    stage.say("Robin", "does somebody know when the train leaves?");
    stage.say("Alice", "and could somebody say it again?");
}

fn long_talk(stage: &mut Stage<'_>) {
    for (name, words) in TALK.iter().cycle().take(LONG_CONVERSATION) {
        stage.say(name, words);
    }
    let name = stage.settings.identity.name.clone();
    stage.say("Alice", &format!("{name}, when do we meet?"));
}

fn remembering(stage: &mut Stage<'_>) {
    let most = usize::try_from(stage.settings.memory.batch_size).unwrap_or(TALK.len());
    let turns = TALK.iter().cycle().take(most.max(TALK.len())).enumerate();
    let at = stage.now.wall;
    let turns = turns.map(|(number, (name, words))| CapturedTurn {
        id: TurnKey::new(format!("t{number}")),
        place: Place {
            community: CommunityId::home(),
            room: RoomId::new(ROOM),
            private: false,
        },
        session: SessionId::new("trial"),
        number: number as u64 + 1,
        speaker: author(name),
        kind: TurnKind::Typed,
        text: (*words).to_owned(),
        at,
    });
    let turns = turns.collect();
    stage.step(Input::Memory(MemoryEvent::TurnsBuffered { turns }));
    stage.settle();
}

fn screen(stage: &mut Stage<'_>) {
    let share = ShareId::new("trial-share");
    stage.step(Input::share_started(Share {
        share: share.clone(),
        room: RoomId::new(ROOM),
        person: author("Alice").id,
        name: "Alice".to_owned(),
        source: ShareSource::FrameApi,
    }));
    for number in 1..=20 {
        stage.pass(Span::seconds(3));
        let glimpse = Glimpse {
            frame: FrameId(number),
            kind: PictureKind::Png,
            width: 64,
            height: 64,
            change: ChangeScore {
                score: 0.2,
                ema: 0.2,
                scene_cut: number == 10,
                region: None,
            },
        };
        let share = share.clone();
        let seen = RoomEvent::FrameArrived { share, glimpse };
        stage.step(Input::Room(RoomId::new(ROOM), seen));
        stage.settle_for(Span::seconds(3));
    }
}

fn thought(stage: &mut Stage<'_>) {
    for (name, words) in TALK {
        stage.say(name, words);
    }
    if stage.settings.initiative.enabled {
        stage.pass(Span::hours(1));
        stage.step(Input::Operator(OperatorWish::ThinkNow));
        stage.settle();
    }
}

/// A mind in a room where nobody is, and what it has asked.
struct Stage<'a> {
    settings: &'a Settings,
    mind: Mind,
    now: Now,
    wake: Option<Moment>,
    waiting: VecDeque<Effect>,
    said: usize,
    asked: Vec<ModelRequest>,
}

impl<'a> Stage<'a> {
    fn new(settings: &'a Settings, around: &Surroundings) -> Self {
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
        let room = RoomId::new(ROOM);
        let facts = RoomFacts::undescribed(room.clone());
        stage.step(Input::Room(room, RoomEvent::Described(facts)));
        stage
    }

    fn message(&mut self, name: &str, text: &str) -> Message {
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

    fn say(&mut self, name: &str, text: &str) {
        self.pass(PAUSE);
        let message = self.message(name, text);
        self.step(Input::message_arrived(message));
        self.settle_for(PAUSE);
    }

    fn pass(&mut self, time: Span) {
        self.now.moment = self.now.moment + time;
        self.now.wall = WallTime(self.now.wall.0 + i64::try_from(time.0).unwrap_or(i64::MAX));
    }

    fn step(&mut self, input: Input) {
        let step = self.mind.step(self.now, input, self.settings);
        self.wake = step.wake.map(|wake| wake.at);
        self.waiting.extend(step.effects);
    }

    fn settle(&mut self) {
        self.settle_for(HORIZON);
    }

    /// Carries out what is wanted until nothing more is, or so much time has passed.
    fn settle_for(&mut self, patience: Span) {
        let until = self.now.moment + patience;
        for _ in 0..STEPS_MAX {
            if let Some(effect) = self.waiting.pop_front() {
                if let Some(answer) = self.carried_out(effect) {
                    self.step(Input::Answer(answer));
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

fn author(name: &str) -> Author {
    Author {
        id: PersonId::new(format!("trial:{}", name.to_lowercase())),
        name: name.to_owned(),
        kind: AuthorKind::Person,
    }
}

/// What lets a scene go on: a look-up where one is offered to a first reply, words otherwise.
fn answer_to(request: &ModelRequest) -> ModelAnswer {
    let looks_up = request.purpose == AskPurpose::TextReply;
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

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
