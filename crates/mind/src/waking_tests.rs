//! After a crash: what was promised to be forgotten comes before anything that a model is told.

use settings::Settings;
use vocabulary::{
    AskPurpose, Author, AuthorKind, ContentPart, Forget, Message, Moment, Now, RoomId, Span, WallTime,
};

use crate::{Effect, Forgotten, Genesis, Input, MemoryEvent, Mind, RoomEvent, ShellEvent};

struct World {
    mind: Mind,
    seconds: u64,
    messages: u64,
}

impl World {
    fn step(&mut self, after: u64, input: Input) -> Vec<Effect> {
        self.seconds += after;
        let now = Now {
            moment: Moment(self.seconds * 1_000),
            wall: WallTime(self.seconds as i64 * 1_000),
        };
        self.mind.step(now, input, &settings()).effects
    }

    fn says(&mut self, name: &str, text: &str) -> Vec<Effect> {
        self.messages += 1;
        let message = Message {
            id: format!("m{}", self.messages).as_str().into(),
            room: "lobby".into(),
            author: Author {
                id: name.into(),
                name: name.to_owned(),
                kind: AuthorKind::Person,
            },
            text: text.to_owned(),
            at: WallTime(self.seconds as i64 * 1_000),
            reply_to: None,
            mentions: Vec::new(),
            attachments: Vec::new(),
            reply_to_author: None,
            spoken: false,
            sign: false,
        };
        self.step(
            1,
            Input::Room(RoomId::new("lobby"), RoomEvent::MessageArrived(message)),
        )
    }

    fn wakes(&mut self, after: u64) -> Vec<Effect> {
        self.step(after, Input::Shell(ShellEvent::WakeReached))
    }

    fn restarts(&mut self) -> Vec<Effect> {
        let down_for = Span::seconds(2);
        self.step(2, Input::Shell(ShellEvent::Restarted { down_for }))
    }
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.memory.enabled = false;
    settings.context.max_relevant_messages = 0;
    settings
}

/// What models are given to read for replies.
fn prompts(effects: &[Effect]) -> Vec<String> {
    let asked = effects.iter().filter_map(|effect| match effect {
        Effect::Ask(asking) if asking.request.purpose == AskPurpose::TextReply => Some(&asking.request),
        _ => None,
    });
    asked
        .map(|request| {
            let parts = request.turns.iter().flat_map(|turn| &turn.parts);
            let texts = parts.filter_map(|part| match part {
                ContentPart::Text(text) => Some(text.as_str()),
                _ => None,
            });
            std::iter::once(request.system.as_str()).chain(texts).collect()
        })
        .collect()
}

fn wanted(effects: &[Effect]) -> Vec<Forget> {
    let wanted = effects.iter().filter_map(|effect| match effect {
        Effect::Forget { what, .. } => Some(what.clone()),
        _ => None,
    });
    wanted.collect()
}

/// Alice wants to be forgotten, Bob waits for an answer, and the process ends.
fn crashed() -> (World, Forget) {
    let mut world = World {
        mind: Mind::new(Genesis::first("local", "denizen", 1)),
        seconds: 100,
        messages: 0,
    };
    world.says("alice", "my locker is number 77");
    world.says("alice", "/forget me");
    world.says("bob", "Denizen, which locker was it?");
    let effects = world.says("alice", "/forget me yes");
    let [what] = &wanted(&effects)[..] else {
        panic!("it is promised: {effects:?}");
    };
    (world, what.clone())
}

fn forgotten(what: Forget) -> Input {
    Input::Memory(MemoryEvent::Forgotten(Box::new(Forgotten {
        what,
        names: vec!["alice".to_owned()],
        texts: vec!["my locker is number 77".to_owned()],
        turn_ids: Vec::new(),
        gems: 0,
        turns: 0,
        asked_in: Some("lobby".into()),
        failure: None,
    })))
}

#[test]
fn what_was_promised_to_be_forgotten_comes_before_any_prompt() {
    let (mut world, what) = crashed();
    let effects = world.restarts();
    assert_eq!(wanted(&effects), std::slice::from_ref(&what));
    assert!(prompts(&effects).is_empty(), "{effects:?}");
    for _ in 0..10 {
        assert!(prompts(&world.wakes(2)).is_empty(), "it is not forgotten yet");
    }
    let mut asked = prompts(&world.step(1, forgotten(what)));
    asked.extend(prompts(&world.wakes(10)));
    let [prompt] = &asked[..] else {
        panic!("Bob is answered, once: {asked:?}");
    };
    assert!(
        prompt.contains("which locker was it?") && !prompt.contains("77"),
        "{prompt}"
    );
}

#[test]
fn a_store_that_never_says_whether_it_has_forgotten_does_not_silence_the_room_for_ever() {
    let (mut world, _) = crashed();
    world.restarts();
    assert!(prompts(&world.wakes(30)).is_empty());
    let asked: Vec<String> = (0..4).flat_map(|_| prompts(&world.wakes(20))).collect();
    assert_eq!(asked.len(), 1, "{asked:?}");
}

#[test]
fn without_a_promise_nothing_waits_after_a_restart() {
    let mut world = World {
        mind: Mind::new(Genesis::first("local", "denizen", 1)),
        seconds: 100,
        messages: 0,
    };
    world.says("bob", "Denizen, which locker was it?");
    let mut asked = prompts(&world.restarts());
    asked.extend(prompts(&world.wakes(10)));
    assert_eq!(asked.len(), 1);
}
