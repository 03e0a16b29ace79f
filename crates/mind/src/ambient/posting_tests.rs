//! A post goes through the outbox of its room, is there once, and the cycle hears of its end however it comes.

use settings::Settings;
use vocabulary::{
    AskId, AskOutcome, Finish, ModelAnswer, Moment, Now, PersonId, RoomFacts, RoomId, Span, Usage, WallTime,
};

use crate::{Answer, Delivery, Effect, Genesis, Input, Mind, RoomEvent, RoomWish, ShellEvent, Step};

const START: Moment = Moment(1_000_000);
const THOUGHT: &str =
    r#"{"action":"post_now","text":"Who bakes tomorrow?","channel":"lobby","reason":"bread"}"#;

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.replies.discovery_channel_ids = vec!["lobby".to_owned()];
    settings.initiative.eagerness = 100;
    settings.memory.enabled = false;
    settings.discovery_sources.hacker_news = false;
    settings
}

/// A mind, and what time it is for it.
struct Life {
    mind: Mind,
    settings: Settings,
    now: Moment,
    wake: Option<Moment>,
}

impl Life {
    fn step(&mut self, input: Input) -> Step {
        let now = Now {
            moment: self.now,
            wall: WallTime(1_700_000_000_000),
        };
        let step = self.mind.step(now, input, &self.settings);
        self.wake = step.wake.map(|wake| wake.at);
        step
    }

    /// Sleeps until it wants to be woken.
    fn sleep(&mut self) -> Step {
        self.now = self.wake.expect("it wants to be woken");
        self.step(Input::Shell(ShellEvent::WakeReached))
    }

    fn restart(&mut self) -> Step {
        let kept = crate::snapshot::keep(&self.mind);
        self.mind = crate::snapshot::read(&kept).expect("it was just written");
        self.now = self.now + Span::seconds(5);
        self.step(Input::Shell(ShellEvent::Restarted {
            down_for: Span::seconds(5),
        }))
    }

    fn confirm(&mut self, delivery: &Delivery) -> Step {
        let message = delivery.as_message(PersonId::new("denizen"), "Denizen", WallTime(0));
        self.step(Input::Answer(Answer::MessageSent {
            delivery: delivery.id.clone(),
            message,
        }))
    }

    fn posts(&self) -> usize {
        let now = Now {
            moment: self.now,
            wall: WallTime(0),
        };
        self.mind.ambient(now, &self.settings).posts.len()
    }
}

/// It has thought of something, and the post is on its way.
fn posting() -> (Life, Delivery) {
    let mind = Mind::new(Genesis::first("local", "denizen", 1));
    let mut life = Life {
        mind,
        settings: settings(),
        now: START,
        wake: None,
    };
    let lobby = RoomId::new("lobby");
    let facts = RoomFacts::undescribed(lobby.clone());
    let _ = life.step(Input::Room(lobby, RoomEvent::Described(facts)));
    let asked = life.sleep();
    let ask = asked.effects.iter().find_map(|effect| match effect {
        Effect::Ask(asking) => Some(asking.ask),
        _ => None,
    });
    let step = life.step(answered(ask.expect("a thought is asked for")));
    let sent = sent(&step);
    assert_eq!(sent.len(), 1, "{:?}", lines(&step));
    (life, sent[0].clone())
}

fn answered(ask: AskId) -> Input {
    Input::Answer(Answer::AskEnded {
        ask,
        outcome: AskOutcome::Answered(ModelAnswer {
            provider: "test".to_owned(),
            model: "test".to_owned(),
            text: THOUGHT.to_owned(),
            tool_calls: Vec::new(),
            carried: None,
            finish: Finish::Complete,
            cap: None,
            usage: Usage::default(),
            first_text: None,
            took: Span::ZERO,
            tries: 1,
        }),
    })
}

fn sent(step: &Step) -> Vec<Delivery> {
    let deliveries = step.effects.iter().filter_map(|effect| match effect {
        Effect::Room(_, RoomWish::Send(delivery)) => Some(delivery.clone()),
        _ => None,
    });
    deliveries.collect()
}

fn lines(step: &Step) -> Vec<&'static str> {
    let lines = step.effects.iter().filter_map(|effect| match effect {
        Effect::Journal(entry) => Some(entry.event.name()),
        _ => None,
    });
    lines.collect()
}

#[test]
fn a_post_whose_confirmation_is_lost_is_sent_again_under_the_same_id_and_counted_once() {
    let (mut life, first) = posting();
    let late = life.sleep();
    assert_eq!(life.now, START + Span::seconds(120));
    assert!(
        lines(&late).contains(&"text_delivery_failed"),
        "{:?}",
        lines(&late)
    );
    let again = life.sleep();
    assert_eq!(sent(&again), std::slice::from_ref(&first));
    assert!(lines(&life.confirm(&first)).contains(&"initiative_post"));
    // The word of the first sending comes after all.
    assert!(!lines(&life.confirm(&first)).contains(&"initiative_post"));
    assert_eq!(life.posts(), 1);
}

#[test]
fn a_post_under_way_is_sent_again_after_a_restart_and_counted_once() {
    let (mut life, first) = posting();
    assert_eq!(sent(&life.restart()), std::slice::from_ref(&first));
    assert!(lines(&life.confirm(&first)).contains(&"ambient_run_ended"));
    assert_eq!(life.posts(), 1);
}

#[test]
fn a_room_that_ends_takes_its_post_along_and_the_cycle_goes_on() {
    let (mut life, first) = posting();
    let ended = life.step(Input::Room(RoomId::new("lobby"), RoomEvent::Ended));
    let told = lines(&ended);
    assert_eq!(told[..2], ["room_ended", "text_delivery_failed"]);
    assert!(told.ends_with(&["initiative_skip", "ambient_run_ended"]));
    assert!(!lines(&life.confirm(&first)).contains(&"initiative_post"));
    assert_eq!(life.posts(), 0);
}
