//! Every checker of thoughts can fail: sound weeks are doctored, and the right property must be found broken.

use std::sync::{Arc, LazyLock};

use mind::ambient::gates::AmbientGate;
use mind::ambient::{InitiativeSkip, RunOutcome};
use mind::{Effect, Input, JournalEntry, JournalEvent, RoomWish, ShellEvent};
use serde_json::Value;
use settings::{Document, Settings};
use vocabulary::{MediaKind, Moment, RoomId, Span};

use super::super::check;
use crate::scenario::read;
use crate::trace::Trace;

/// A thought that is held, looked at again and posted with a GIF, one whose GIF fails, and a trial.
static SOUND: LazyLock<Trace> = LazyLock::new(|| {
    let text = r#"## T
```settings
{"permissions": {"replies": {"discoveryChannelIds": ["lobby"]}}, "initiative": {"text": {"eagerness": 100, "minMinutesBetweenPosts": 3}, "discovery": {"allowReplyGifs": true}}}
```
```script
00:00 out there are gif
00:01 alice says "so quiet here"
thinker holds "One." in lobby
thinker posts "One!" in lobby with gif "one"
thinker posts "Two." in lobby with gif "two"
thinker drops because "of the trial"
making takes 2s
making fails
06:30 think now
10:30 the end
```
```journal
initiative_post media=gif
ambient_media_failed
initiative_post media=none
ambient_run_ended outcome=trial
```
"#;
    let scenarios = read("page.md", text).expect("the page is right");
    scenarios[0].run().expect("nothing is wrong with this run")
});

fn entries(trace: &mut Trace) -> impl Iterator<Item = &mut JournalEntry> {
    let effects = trace.steps.iter_mut().flat_map(|step| &mut step.effects);
    effects.filter_map(|effect| match effect {
        Effect::Journal(entry) => Some(&mut **entry),
        _ => None,
    })
}

/// Lets the first effects of a kind happen again, so much later.
fn again(trace: &mut Trace, after: Span, wanted: impl Fn(&Effect) -> bool) {
    let place = trace
        .steps
        .iter()
        .position(|step| step.effects.iter().any(&wanted));
    let place = place.expect("there is such an effect");
    let mut step = trace.steps[place].clone();
    step.effects.retain(&wanted);
    step.input = Input::Shell(ShellEvent::WakeReached);
    step.now.moment = step.now.moment + after;
    let at = trace
        .steps
        .iter()
        .position(|other| other.now.moment > step.now.moment);
    let at = at.unwrap_or(trace.steps.len());
    trace.steps.insert(at, step);
}

fn named(name: &'static str) -> impl Fn(&Effect) -> bool {
    move |effect| matches!(effect, Effect::Journal(entry) if entry.event.name() == name)
}

fn set(trace: &mut Trace, key: &str, value: Value) {
    let mut document = Document::from_json(
        r#"{"permissions": {"replies": {"discoveryChannelIds": ["lobby"]}}, "initiative": {"text": {"eagerness": 100, "minMinutesBetweenPosts": 3}, "discovery": {"allowReplyGifs": true}}}"#,
    )
    .expect("the document is right");
    document.set(key, value);
    let settings = Arc::new(Settings::read(&document).expect("the setting is right"));
    for step in &mut trace.steps {
        step.settings = settings.clone();
    }
}

#[track_caller]
fn finds(property: &str, doctor: impl FnOnce(&mut Trace)) {
    let mut trace = SOUND.clone();
    assert_eq!(check(&trace), Vec::new());
    doctor(&mut trace);
    let found: Vec<&str> = check(&trace).iter().map(|violation| violation.property).collect();
    assert!(found.contains(&property), "expected {property}, found {found:?}");
}

#[test]
fn a_tick_without_a_receipt_is_found() {
    finds("one_receipt_per_tick", |trace| {
        let tick = named("ambient_tick_decided");
        let step = trace.steps.iter_mut().find(|step| step.effects.iter().any(&tick));
        step.expect("there is a tick")
            .effects
            .retain(|effect| !tick(effect));
    });
}

#[test]
fn a_tick_between_two_others_is_found() {
    finds("ticks_a_minute_apart", |trace| {
        again(trace, Span::seconds(30), named("ambient_tick_decided"));
    });
}

#[test]
fn a_gate_that_is_open_and_named_all_the_same_is_found() {
    finds("gates_in_order", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::AmbientTickDecided { gate: Some(gate), .. } = &mut entry.event {
                *gate = AmbientGate::AttentionActive;
            }
        }
    });
}

#[test]
fn a_shut_gate_that_is_passed_over_is_found() {
    finds("gates_in_order", |trace| {
        set(trace, "initiative.text.maxPostsPerDay", Value::from(0));
    });
}

#[test]
fn a_thought_that_never_ends_or_ends_twice_is_found() {
    let end = named("ambient_run_ended");
    finds("run_ends_once", |trace| {
        for step in &mut trace.steps {
            step.effects.retain(|effect| !end(effect));
        }
    });
    finds("run_ends_once", |trace| {
        again(trace, Span::seconds(5), named("ambient_run_ended"))
    });
}

#[test]
fn two_questions_at_once_are_found() {
    finds("one_thought_at_a_time", |trace| {
        again(trace, Span(300), |effect| matches!(effect, Effect::Ask(_)));
    });
}

#[test]
fn a_question_of_no_thought_is_found() {
    finds("asks_of_a_run", |trace| {
        again(trace, Span::seconds(30), |effect| {
            matches!(effect, Effect::Ask(_))
        });
    });
}

#[test]
fn a_reply_in_the_turn_of_a_thought_is_found() {
    finds("turn_of_its_own", |trace| {
        let entry = entries(trace).find(|entry| entry.event.name() == "initiative_post");
        entry.expect("there is a post").event = JournalEvent::TurnEnded {
            outcome: mind::reasons::TurnOutcome::Sent,
            took: Span::ZERO,
            llm1_ms: None,
            followup_ms: None,
        };
    });
}

#[test]
fn a_trial_that_leaves_a_trace_is_found() {
    finds("trial_leaves_no_trace", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::AmbientRunStarted { trial, .. } = &mut entry.event {
                *trial = true;
            }
        }
    });
    finds("trial_stays_one", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::AmbientRunEnded { outcome, .. } = &mut entry.event {
                *outcome = RunOutcome::Trial;
            }
        }
    });
}

#[test]
fn a_thought_that_is_held_for_too_long_is_found() {
    finds("held_two_hours_at_most", |trace| {
        // Its look never comes, and somebody writes three hours later.
        let held = trace
            .steps
            .iter()
            .position(|step| step.effects.iter().any(named("initiative_skip")));
        let mut late = trace.steps[1].clone();
        late.effects.clear();
        late.now.moment = Moment::default() + Span::hours(3);
        trace.steps.truncate(held.expect("one is held") + 1);
        trace.steps.push(late);
    });
}

#[test]
fn a_fresh_thought_beside_a_held_one_is_found() {
    let fresh = |trace: &mut Trace| {
        for entry in entries(trace) {
            if let JournalEvent::AmbientRunStarted { revisits, .. } = &mut entry.event {
                *revisits = false;
            }
            if let JournalEvent::AmbientTickDecided { revisits, .. } = &mut entry.event {
                *revisits = false;
            }
        }
    };
    finds("held_before_fresh", fresh);
    finds("gap_between_thoughts", fresh);
}

#[test]
fn a_second_held_thought_is_found() {
    finds("one_held_at_most", |trace| {
        // The look at it becomes a fresh thought that is held too.
        let looks = |entry: &JournalEntry| {
            matches!(
                entry.event,
                JournalEvent::AmbientRunStarted { revisits: true, .. }
            )
        };
        let entry = entries(trace)
            .find(|entry| looks(entry))
            .expect("it is looked at");
        let turn = entry.scope.turn;
        if let JournalEvent::AmbientRunStarted { revisits, .. } = &mut entry.event {
            *revisits = false;
        }
        for entry in entries(trace).filter(|entry| entry.scope.turn == turn) {
            if let JournalEvent::InitiativePost { ask, .. } = entry.event {
                entry.event = JournalEvent::InitiativeSkip {
                    reason: InitiativeSkip::Held,
                    detail: String::new(),
                    ask: Some(ask),
                    revisions: 1,
                };
            }
        }
    });
}

#[test]
fn a_post_too_many_is_found() {
    finds("posts_per_day", |trace| {
        set(trace, "initiative.text.maxPostsPerDay", Value::from(1));
    });
}

#[test]
fn a_gif_too_many_is_found() {
    finds("media_per_day", |trace| {
        set(trace, "initiative.discovery.maxGifsPerDay", Value::from(1));
    });
    finds("media_per_day", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::AmbientMediaWanted { kind, .. } = &mut entry.event {
                *kind = MediaKind::Video;
            }
        }
    });
}

#[test]
fn a_question_beyond_the_budget_is_found() {
    for (key, value) in [
        ("maxCallsPerDay", Value::from(2)),
        ("maxTokensPerDay", Value::from(100)),
        ("maxDollarsPerDay", Value::from(0.0)),
    ] {
        finds("budget_of_a_day", |trace| {
            set(trace, &format!("initiative.budget.{key}"), value);
        });
    }
    finds("budget_of_a_day", |trace| {
        for entry in entries(trace) {
            if let JournalEvent::AskCompleted {
                cost_micro_dollars, ..
            } = &mut entry.event
            {
                *cost_micro_dollars = Some(u64::MAX);
            }
        }
    });
}

#[test]
fn a_post_where_it_may_not_post_is_found() {
    finds("posts_in_the_pool", |trace| {
        for effect in trace.steps.iter_mut().flat_map(|step| &mut step.effects) {
            if let Effect::Room(_, RoomWish::Send(delivery)) = effect {
                delivery.room = RoomId::from("kitchen");
            }
        }
    });
    finds("quiet_when_off", |trace| {
        set(trace, "initiative.text.enabled", Value::from(false));
    });
}

#[test]
fn a_thought_in_the_midst_of_an_exchange_is_found() {
    finds("quiet_in_an_exchange", |trace| {
        let tick = entries(trace).find(|entry| entry.event.name() == "ambient_outcome_counted");
        assert!(tick.is_none(), "nothing came back for a post here");
        // A message of the room is made a reply of Denizen's, a moment before it thinks.
        let before = named("ambient_run_started");
        let place = trace
            .steps
            .iter()
            .position(|step| step.effects.iter().any(&before));
        let place = place.expect("there is a thought");
        let mut entry = entries(trace).next().expect("there is a line").clone();
        entry.event = JournalEvent::SentMessage {
            message: "denizen-9".into(),
            trigger_message_ids: vec!["alice-1".into()],
            characters: 1,
            part: 1,
            parts: 1,
        };
        trace.steps[place]
            .effects
            .insert(0, Effect::Journal(Box::new(entry)));
    });
}

#[test]
fn words_that_are_lost_with_their_picture_are_found() {
    finds("words_outlive_pictures", |trace| {
        let failed = entries(trace).find(|entry| entry.event.name() == "ambient_media_failed");
        let turn = failed.expect("one GIF failed").scope.turn;
        for entry in entries(trace).filter(|entry| entry.scope.turn == turn) {
            if let JournalEvent::AmbientRunEnded { outcome, .. } = &mut entry.event {
                *outcome = RunOutcome::Dropped;
            }
        }
    });
}

#[test]
fn a_post_that_is_told_twice_is_found() {
    finds("posted_once", |trace| {
        again(trace, Span(5), named("initiative_post"))
    });
}
