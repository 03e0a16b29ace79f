//! A recording of an evening with thoughts of its own, stepped again with other settings.

use mind::{Answer, Effect, Genesis, Input, Mind, RoomEvent, RoomWish, ShellEvent, Wake};
use runtime::ports::{RecordedInput, Recording, Segment};
use runtime::replay::{self, ThoughtDecisions};
use serde_json::{json, value::RawValue};
use settings::{Document, Settings};
use vocabulary::{
    AskOutcome, CommunityId, FeedHarvest, Finish, ModelAnswer, Moment, Now, PersonId, RoomFacts, RoomId,
    Span, Usage, WallTime,
};

/// An evening in an empty room, where it thinks once an hour, has nothing to say, and once posts something.
fn evening() -> Recording {
    let mut document = Document::default();
    document.set(
        "permissions.replies.discoveryChannelIds".to_owned(),
        json!(["lounge"]),
    );
    document.set("initiative.text.eagerness".to_owned(), json!(100));
    document.set("initiative.text.minMinutesBetweenPosts".to_owned(), json!(60));
    let settings = Settings::read(&document).unwrap();
    let mut mind = Mind::new(Genesis::first("local", "denizen", 7));
    let state = RawValue::from_string(serde_json::to_string(&mind).unwrap()).unwrap();
    let mut recording = Recording {
        segment: Segment {
            community: CommunityId::new("local"),
            version: "0".to_owned(),
            started_at: WallTime(0),
            first_input: 1,
            state,
            settings_version: 0,
            settings: document,
        },
        inputs: Vec::new(),
        journal: Vec::new(),
        settings: Vec::new(),
    };
    let start = Input::Shell(ShellEvent::CapabilitiesChanged {
        tools: Vec::new(),
        media: Vec::new(),
    });
    let lounge = RoomFacts::undescribed(RoomId::new("lounge"));
    let described = Input::Room(lounge.id.clone(), RoomEvent::Described(lounge));
    let mut pending = vec![(Moment(1), described), (Moment(2), start)];
    let mut wake: Option<Wake> = None;
    let mut asked = 0;
    let end = Moment(0) + Span::hours(6);
    loop {
        let due = pending
            .iter()
            .map(|(at, _)| *at)
            .chain(wake.map(|wake| wake.at))
            .min();
        let Some(at) = due.filter(|at| *at < end) else {
            return recording;
        };
        let input = match pending.iter().position(|(due, _)| *due == at) {
            Some(index) => pending.remove(index).1,
            None => Input::Shell(ShellEvent::WakeReached),
        };
        let now = Now {
            moment: at,
            wall: WallTime(at.0 as i64),
        };
        recording.inputs.push(RecordedInput {
            stepped_before: None,
            seq: recording.inputs.len() as u64 + 1,
            now,
            input: input.clone(),
        });
        let step = mind.step(now, input, &settings);
        wake = step.wake;
        for effect in step.effects {
            let answer = match effect {
                Effect::Journal(entry) => {
                    recording.journal.push(*entry);
                    continue;
                }
                Effect::GatherSurroundings(gather) => Input::Answer(Answer::SurroundingsGathered {
                    gather: gather.gather,
                    found: FeedHarvest::default(),
                }),
                Effect::Ask(asking) => {
                    asked += 1;
                    let action = if asked == 2 { "post_now" } else { "drop" };
                    Input::Answer(Answer::AskEnded {
                        ask: asking.ask,
                        outcome: AskOutcome::Answered(thought(action)),
                    })
                }
                Effect::Room(_, RoomWish::Send(delivery)) => Input::Answer(Answer::MessageSent {
                    message: delivery.as_message(PersonId::new("denizen"), "Denizen", now.wall),
                    delivery: delivery.id,
                }),
                _ => continue,
            };
            pending.push((at + Span::seconds(1), answer));
        }
    }
}

fn thought(action: &str) -> ModelAnswer {
    let answer = json!({
        "action": action, "text": "The comet is back.", "channel": "lounge", "replyTo": null, "media": null, "reason": "why not"
    });
    ModelAnswer {
        provider: "test".to_owned(),
        model: "m".to_owned(),
        text: answer.to_string(),
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

#[test]
fn the_same_settings_think_the_same() {
    let recording = evening();
    let recorded = ThoughtDecisions::of(&recording.journal);
    assert_eq!((recorded.posted, recorded.thoughts), (1, 6));
    let again = replay::with_settings(&recording, Vec::new()).unwrap();
    assert_eq!(ThoughtDecisions::of(&again).posted, 1);
    assert_eq!(replay::again(&recording).unwrap(), recording.journal);
}

#[test]
fn a_shorter_gap_shows_how_often_it_would_have_thought() {
    let recording = evening();
    let overrides = vec![("initiative.text.minMinutesBetweenPosts".to_owned(), 20.into())];
    let after = ThoughtDecisions::of(&replay::with_settings(&recording, overrides).unwrap());
    let before = ThoughtDecisions::of(&recording.journal);
    assert!(after.thoughts >= 2 * before.thoughts, "{before:?} {after:?}");
    assert_eq!(after.posted, 1, "the same words are not posted twice");
}
