//! The machine sleeps for hours: thoughts and caps go by the time that passed, not by timers that stood still.

use mind::reasons::InitiativeSkip;
use mind::{JournalEntry, JournalEvent};
use runtime::Running;
use serde_json::{Value, json};
use vocabulary::Span;

use crate::given::Home;

fn thought(action: &str, text: &str) -> Value {
    json!({"action": action, "text": text, "channel": "lounge", "reason": "it is new"})
}

async fn home(posts_per_day: u64) -> Home {
    Home::with(json!({
        "initiative.text.eagerness": 100,
        "initiative.text.minMinutesBetweenPosts": 1,
        "initiative.text.maxPostsPerDay": posts_per_day,
        "permissions.replies.discoveryChannelIds": ["lounge"],
    }))
    .await
}

fn is_post(line: &JournalEntry) -> bool {
    matches!(line.event, JournalEvent::InitiativePost { .. })
}

fn is_skip(line: &JournalEntry, wanted: InitiativeSkip) -> bool {
    matches!(&line.event, JournalEvent::InitiativeSkip { reason, .. } if *reason == wanted)
}

/// A community that holds a thought, two minutes after it began.
async fn holding(home: &Home) -> Running {
    home.model
        .thinks_next(thought("hold", "Ferries are slow ships for people in no hurry."));
    let (running, _) = home.start().await;
    home.clock.pass(Span::minutes(2));
    home.line("a thought is held", |line| is_skip(line, InitiativeSkip::Held))
        .await;
    running
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_held_thought_is_over_as_soon_as_the_machine_wakes_from_a_night() {
    let home = home(3).await;
    let running = holding(&home).await;
    home.model
        .thinks_next(thought("post_now", "It must not say this."));
    home.clock.pass(Span::hours(8));
    let woken = home.clock.elapsed_span();
    let expired = home
        .line("the thought is over", |line| {
            is_skip(line, InitiativeSkip::Expired)
        })
        .await;
    assert_eq!(
        expired.moment.0, woken.0,
        "at once, and by the clock that counts sleep"
    );
    let before = home
        .journal()
        .await
        .into_iter()
        .filter(|line| line.seq < expired.seq);
    assert!(
        !before.into_iter().any(|line| is_post(&line)),
        "it was not said in between"
    );
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_held_thought_is_posted_after_a_nap_that_it_outlives() {
    let home = home(3).await;
    let running = holding(&home).await;
    let held_at = home.clock.elapsed_span();
    home.model.thinks_next(thought(
        "post_now",
        "Ferries are slow ships for people in no hurry.",
    ));
    home.clock.pass(Span::minutes(20));
    let posted = home.line("it is posted", is_post).await;
    let JournalEvent::InitiativePost { held_for, .. } = posted.event else {
        unreachable!("it was looked for");
    };
    assert_eq!(held_for, Span(home.clock.elapsed_span().0 - held_at.0));
    assert_eq!(held_for, Span::minutes(20), "the nap counts");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_daily_cap_is_free_again_after_thirty_hours_of_sleep() {
    let home = home(1).await;
    home.model
        .thinks_next(thought("post_now", "The first ferry leaves at six."));
    let (running, _) = home.start().await;
    home.clock.pass(Span::minutes(2));
    let first = home.line("it is posted", is_post).await;
    home.model
        .thinks_next(thought("post_now", "The night train is blue."));
    for _ in 0..5 {
        home.clock.pass(Span::minutes(2));
        tokio::time::sleep(std::time::Duration::from_millis(60)).await;
    }
    home.line("the cap stops it", |line| {
        let stopped = matches!(
            &line.event,
            JournalEvent::AmbientTickDecided { gate: Some(gate), .. } if gate.name() == "daily_cap"
        );
        stopped && line.seq > first.seq
    })
    .await;
    let posts = home.journal().await.iter().filter(|line| is_post(line)).count();
    assert_eq!(posts, 1, "one a day");
    home.clock.pass(Span::hours(30));
    let woken = home.clock.elapsed_span();
    let second = home
        .line("it is posted again", |line| is_post(line) && line.seq > first.seq)
        .await;
    assert_eq!(second.moment.0, woken.0, "{second:?}");
    running.stop().await;
}
