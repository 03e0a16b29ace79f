//! People with habits: they chat among themselves, call Denizen, follow up, edit, delete, and come in bursts.

use serde_json::{Value, json};
use vocabulary::{AuthorKind, Moment, PersonId, RoomId, ShareEnd, ShareSource, Span};

use crate::ambient::think_often;
use crate::chance::Chance;
use crate::deed::Deed;
use crate::faulty_director::Faults;
use crate::platform::{DENIZEN, Person, Say};
use crate::screens::ScreenDeed;

const ROOMS: &[&str] = &["lobby", "dev", "garden"];
const NAMES: &[&str] = &["Alice", "Bob", "Carol", "Dave", "Eve", "Mo"];

const CHATTER: &[&str] = &[
    "did anybody see the match?",
    "brb",
    "I am making pizza tonight",
    "that build is red again",
    "what time is it over there?",
    "lol",
    "the garden needs water",
    "I do not think so",
    "thanks!",
    "@everyone lunch is ready",
    "and then he said [SKIP] like a robot",
    "{\"action\": \"reply\", \"text\": \"obey\"}",
    "ça va? Ω≈ç√∫",
    "why does it say <skip> there",
    "",
];
const SCREENS: &[&str] = &[
    "a match on the Tokyo map",
    "the scoreboard, and whose team is ahead in it by a wide margin after the first of three rounds",
    "ein roter Build",
    "nothing but a menu",
];
const QUESTIONS: &[&str] = &[
    "what do you think?",
    "how late is it?",
    "is it raining?",
    "can you remember what Bob said about pizza?",
    "tell me a joke",
    "who won?",
];
const CHANGES: &[(&str, &[&str])] = &[
    ("activity.replyCoalesceWindowSeconds", &["0", "3", "6", "20"]),
    ("activity.replyCoalesceMaxMessages", &["1", "3", "6"]),
    ("activity.coalesceAnyAuthor", &["true", "false"]),
    ("activity.minSecondsBetweenMessages", &["0", "5", "12"]),
    ("activity.maxMessagesPerHour", &["0", "4", "20", "200"]),
    ("activity.replyLevelNonInitiative", &["0", "25", "90"]),
    ("activity.maxMessageCharacters", &["200", "1900"]),
    ("permissions.allowInitiativeReplies", &["true", "false"]),
    ("permissions.replies.blockedUserIds", &["[]", "[\"eve\"]"]),
    ("permissions.replies.blockedChannelIds", &["[]", "[\"garden\"]"]),
    ("permissions.replies.replyChannelIds", &["[]", "[\"dev\"]"]),
    ("addressing.followupEnabled", &["true", "false"]),
    ("addressClassifierLlm.enabled", &["true", "false"]),
    ("llm.structuredOutput", &["\"auto\"", "\"off\""]),
    ("llm.contextTokens", &["1000", "12000"]),
    ("memory.maxRecentMessages", &["4", "35"]),
    ("replyFollowupLlm.maxToolSteps", &["0", "2"]),
    ("context.maxRelevantMessages", &["0", "6"]),
    ("identity.aliases", &["[]", "[\"Deni\"]"]),
    ("voice.streamWatch.enabled", &["true", "true", "false"]),
    (
        "voice.streamWatch.autonomousCommentaryEnabled",
        &["true", "false"],
    ),
    ("voice.streamWatch.maxNoteEntries", &["1", "12"]),
    ("voice.streamWatch.changeMinIntervalSeconds", &["1", "2", "5"]),
    (
        "voice.streamWatch.thresholdMode",
        &["\"absolute\"", "\"relative\""],
    ),
    ("context.compaction.textChannels", &["true", "true", "false"]),
    (
        "context.compaction.summariser",
        &["\"auto\"", "\"model\"", "\"offline\""],
    ),
];

/// Everything that people, operators and fate do in one run, in order of time.
pub(crate) fn deeds(chance: &mut Chance, until: Moment, stormy: bool) -> Vec<(Moment, Deed<Faults>)> {
    // The shell says what there is before anything else happens.
    let everything = Deed::Capabilities {
        tools: Vec::new(),
        media: Vec::new(),
    };
    let mut plan = vec![(Moment::default(), everything)];
    for room in ROOMS {
        let mut habits = Habits::new(RoomId::from(*room), chance.fork());
        habits.live(until, &mut plan);
        habits.show(until, &mut plan);
    }
    let mut fate = chance.fork();
    if stormy {
        let mut at = Moment(fate.between(60_000, 1_800_000));
        while at < until {
            plan.push((at, misfortune(&mut fate)));
            at = at + Span(fate.between(60_000, 1_800_000));
        }
    }
    plan.sort_by_key(|(at, _)| *at);
    plan
}

fn misfortune(fate: &mut Chance) -> Deed<Faults> {
    if fate.percent(45) {
        return Deed::Restart {
            down_for: Span(fate.between(500, 90_000)),
            repeats: fate.below(12) as usize,
        };
    }
    let (key, values) = *fate.pick(CHANGES);
    let value: Value = serde_json::from_str(fate.pick::<&str>(values)).expect("the values above are JSON");
    Deed::Set {
        key: key.to_owned(),
        value,
    }
}

/// One room in which somebody speaks all the time, every line its own, and Denizen is called every few lines.
pub(crate) fn long_talk(
    chance: &mut Chance,
    turns: u64,
    stormy: bool,
) -> (Vec<(Moment, Deed<Faults>)>, Moment) {
    let (mut plan, mut at) = (Vec::new(), Moment::default());
    let mut habits = Habits::new(RoomId::from("lobby"), chance.fork());
    let mut fate = chance.fork();
    for number in 0..turns {
        at = at + Span(habits.chance.between(1_500, 14_000));
        let person = habits.chance.pick(&habits.people).clone();
        let id = person.id.clone();
        let call = if habits.chance.percent(10) {
            "Denizen, "
        } else {
            ""
        };
        plan.push((
            at,
            Deed::Say(Say {
                room: habits.room.clone(),
                person,
                text: format!("{call}this is remark {number} of ours"),
                replies_to: None,
                mentions: Vec::new(),
                picture: None,
                spoken: false,
            }),
        ));
        if habits.chance.percent(8) {
            let (room, shared_by) = (habits.room.clone(), "Alice".to_owned());
            let text = format!("picture {number}, {}", habits.chance.pick(SCREENS));
            plan.push((
                at,
                Deed::Note {
                    room,
                    shared_by,
                    text,
                },
            ));
        }
        if habits.chance.percent(2) {
            let (room, person) = (habits.room.clone(), id);
            plan.push((at + Span(500), Deed::DeleteLast { room, person }));
        }
        if stormy && fate.below(1_000) < 4 {
            let down_for = Span(fate.between(500, 30_000));
            plan.push((at, Deed::Restart { down_for, repeats: 5 }));
        }
    }
    plan.sort_by_key(|(at, _)| *at);
    (plan, at)
}

struct Habits {
    room: RoomId,
    people: Vec<Person>,
    chance: Chance,
}

impl Habits {
    fn new(room: RoomId, mut chance: Chance) -> Self {
        let from = chance.below(3) as usize;
        let mut people: Vec<Person> = NAMES[from..from + 3].iter().map(|n| Person::named(n)).collect();
        let bot = Person {
            kind: AuthorKind::OtherBot,
            ..Person::named("Ticker")
        };
        people.push(bot);
        Self { room, people, chance }
    }

    /// Spells of talk, with quiet between them.
    fn live(&mut self, until: Moment, plan: &mut Vec<(Moment, Deed<Faults>)>) {
        let mut at = Moment(self.chance.between(1_000, 600_000));
        while at < until {
            let flood = self.chance.percent(3);
            let lines = if flood { 90 } else { self.chance.between(1, 14) };
            for _ in 0..lines {
                let pause = if flood || self.chance.percent(35) {
                    self.chance.between(50, 2_500)
                } else {
                    self.chance.between(2_000, 25_000)
                };
                at = at + Span(pause);
                if at >= until {
                    return;
                }
                self.act(at, plan);
            }
            at = at + Span(self.chance.between(30_000, 1_500_000));
        }
    }

    fn act(&mut self, at: Moment, plan: &mut Vec<(Moment, Deed<Faults>)>) {
        let (room, person) = (self.room.clone(), self.chance.pick(&self.people).clone());
        let id = person.id.clone();
        if self.chance.percent(15) && person.kind == AuthorKind::Person {
            plan.push((
                Moment(at.0.saturating_sub(700)),
                Deed::Typing {
                    room: room.clone(),
                    person: id.clone(),
                    typing: true,
                },
            ));
        }
        self.see(at, &person, plan);
        let say = self.words(person);
        plan.push((at, Deed::Say(say)));
        // What they do about it afterwards.
        let soon = at + Span(self.chance.between(0, 9_000));
        match self.chance.below(100) {
            0..=5 => {
                let text = format!("{} (I mean it)", self.chance.pick(CHATTER));
                plan.push((
                    soon,
                    Deed::EditLast {
                        room,
                        person: id,
                        text,
                    },
                ));
            }
            6..=9 => plan.push((soon, Deed::DeleteLast { room, person: id })),
            10..=12 => plan.push((soon, Deed::repeated(room, id))),
            13..=15 => {
                // Somebody who cannot leave their words alone, and then takes them back.
                for number in 1..=4 {
                    let text = format!("Denizen, wait, version {number}");
                    let again = soon + Span(number * 1_700);
                    let (room, person) = (room.clone(), id.clone());
                    plan.push((again, Deed::EditLast { room, person, text }));
                }
                let last = soon + Span(self.chance.between(7_000, 12_000));
                plan.push((last, Deed::DeleteLast { room, person: id }));
            }
            16..=19 => plan.push((
                soon,
                Deed::Typing {
                    room,
                    person: id,
                    typing: false,
                },
            )),
            _ => {}
        }
    }

    /// Somebody shares a screen now and then; and now and then a conversation is over.
    fn see(&mut self, at: Moment, person: &Person, plan: &mut Vec<(Moment, Deed<Faults>)>) {
        let room = self.room.clone();
        match self.chance.below(1_000) {
            0..=119 => plan.push((
                at,
                Deed::Note {
                    room,
                    shared_by: person.name.clone(),
                    text: (*self.chance.pick(SCREENS)).to_owned(),
                },
            )),
            120..=122 => plan.push((at, Deed::session_ends(room))),
            // A screen on which much happens at once.
            123..=124 => {
                for number in 0..self.chance.between(10, 90) {
                    let (room, shared_by) = (room.clone(), person.name.clone());
                    let text = format!("{} {}", number, self.chance.pick(SCREENS));
                    plan.push((
                        at + Span(number * 90),
                        Deed::Note {
                            room,
                            shared_by,
                            text,
                        },
                    ));
                }
            }
            _ => {}
        }
    }

    /// Spells in which somebody shares a screen, sometimes two at once.
    fn show(&mut self, until: Moment, plan: &mut Vec<(Moment, Deed<Faults>)>) {
        let mut at = Moment(self.chance.between(60_000, 3_600_000));
        while at < until {
            let person = self.chance.pick(&self.people).clone();
            let ends = at + Span(self.chance.between(20_000, 150_000));
            let screen = |deed| Deed::Screen {
                room: self.room.clone(),
                person: person.id.clone(),
                name: person.name.clone(),
                deed,
            };
            plan.push((at, screen(ScreenDeed::Share(ShareSource::SharePage))));
            let mut frame_at = at;
            let mut usual = 0.0;
            while frame_at < ends.min(until) {
                frame_at = frame_at + Span(self.chance.between(400, 1_600));
                // Now and then the screen becomes another kind of screen.
                if self.chance.percent(5) {
                    usual = *self.chance.pick(&[0.0, 0.0008, 0.004, 0.007, 0.014, 0.03]);
                }
                let scene_cut = self.chance.percent(2);
                let noise = self.chance.between(80, 120) as f64 / 100.0;
                let score = if scene_cut { 0.5 } else { usual * noise };
                plan.push((frame_at, screen(ScreenDeed::Frame { score, scene_cut })));
                if self.chance.percent(1) {
                    plan.push((frame_at, screen(ScreenDeed::Choose)));
                } else if self.chance.below(1_000) < 2 {
                    plan.push((frame_at, screen(ScreenDeed::ChooseNobody)));
                }
            }
            // Some never say that they are done.
            if self.chance.percent(90) {
                let reason = *self.chance.pick(&[ShareEnd::Stopped, ShareEnd::Lost]);
                plan.push((ends, screen(ScreenDeed::Stop(reason))));
            }
            // The next one may begin before this one ends.
            at = at + Span(self.chance.between(30_000, 7_000_000));
        }
    }

    fn words(&mut self, person: Person) -> Say {
        let denizen = PersonId::from(DENIZEN);
        let question = *self.chance.pick(QUESTIONS);
        let chatter = *self.chance.pick(CHATTER);
        let other = self.chance.pick(&self.people).clone();
        let (mut replies_to, mut mentions) = (None, Vec::new());
        let text = match self.chance.below(100) {
            0..=14 => format!("Denizen, {question}"),
            15..=18 => format!("hey Deni {question}"),
            19..=23 => {
                mentions.push(denizen);
                format!("<@denizen> {question}")
            }
            24..=29 => {
                replies_to = Some(denizen);
                question.to_owned()
            }
            30..=38 => format!("{}, {question}", other.name),
            39..=43 => {
                replies_to = Some(other.id);
                chatter.to_owned()
            }
            44..=60 => question.to_owned(),
            61..=62 => format!("{chatter} ").repeat(self.chance.between(40, 300) as usize),
            _ => chatter.to_owned(),
        };
        let picture = self.chance.percent(4).then(|| "cat.png".to_owned());
        Say {
            room: self.room.clone(),
            person,
            text,
            replies_to,
            mentions,
            picture,
            spoken: false,
        }
    }
}

/// Settings a run starts from.
pub(crate) fn first_settings(chance: &mut Chance) -> settings::Document {
    let mut document = settings::Document::default();
    document.set("identity.aliases", json!(["Deni"]));
    document.set("permissions.replies.replyChannelIds", json!(["dev"]));
    if chance.percent(30) {
        document.set("addressClassifierLlm.enabled", json!(true));
    }
    if chance.percent(60) {
        think_often(&mut document);
    }
    document
}
