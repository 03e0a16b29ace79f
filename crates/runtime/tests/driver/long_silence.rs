//! A room that talks for long without addressing it: whatever was said is in the summary or word for word in the window.

use mind::context::compaction::SessionView;
use runtime::Handle;
use serde_json::json;
use vocabulary::{RoomId, Span};

use crate::given::{Home, ROOM, said};

const MESSAGES: usize = 5_000;
/// Messages that come in at once.
const AT_ONCE: usize = 50;

async fn session(handle: &Handle) -> SessionView {
    let session = handle.session(RoomId::new(ROOM)).await;
    session.expect("something was said")
}

/// Turns that a reply would neither be told of in the summary nor word for word.
fn missing(view: &SessionView) -> Vec<u64> {
    let told = |number: &u64| view.verbatim.iter().any(|turn| turn.seq.0 == *number);
    (view.cursor..view.turns).filter(|number| !told(number)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_five_thousand_messages_that_were_not_meant_for_it_none_is_lost() {
    let home = Home::with(json!({"initiative.text.enabled": false})).await;
    let (running, _gate) = home.start().await;
    let handle = running.handle.clone();
    for first in (0..MESSAGES).step_by(AT_ONCE) {
        let saying = (first..first + AT_ONCE).map(|number| {
            let who = ["alice", "bob", "carol"][number % 3];
            handle.accept(said(
                number,
                who,
                &format!("ferry number {number} is late again, alas"),
            ))
        });
        for accepted in futures_util::future::join_all(saying).await {
            accepted.expect("it is on disk");
        }
        home.clock.pass(Span::seconds(30));
        let view = session(&handle).await;
        assert_eq!(
            missing(&view),
            Vec::<u64>::new(),
            "after {} messages",
            first + AT_ONCE
        );
    }
    // What is being folded comes to an end.
    for _ in 0..500 {
        home.clock.pass(Span::seconds(5));
        if session(&handle).await.run.is_none() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let view = session(&handle).await;
    assert_eq!((view.turns, missing(&view)), (MESSAGES as u64, Vec::new()));
    assert!(view.cursor > 4_000, "most of it is folded: {}", view.cursor);
    assert!(!view.summary.is_empty());
    drop(handle);
    running.stop().await;
}
