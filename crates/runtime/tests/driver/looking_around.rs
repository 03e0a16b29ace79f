//! The daily look at which models there are, and what an answer shows of one: it is told to whoever watches, once.

use std::sync::Arc;
use std::time::Duration;

use runtime::live::{LiveEvent, Numbered};
use serde_json::json;
use tokio::sync::broadcast;
use tokio::time::{advance, pause, resume, timeout};
use vocabulary::Span;

use crate::given::{Home, said};

const LOOKED_FOR_EVERY: Duration = Duration::from_secs(3_600);

/// Lets an hour pass, and waits until the look that falls into it is over.
async fn an_hour(home: &Home) {
    let mut looks = home.model.looks();
    looks.mark_unchanged();
    pause();
    advance(LOOKED_FOR_EVERY + Duration::from_secs(1)).await;
    resume();
    let looked = timeout(Duration::from_secs(20), looks.changed()).await;
    looked.expect("it looks around").expect("the model is there");
}

/// What a page is told of the models next.
async fn told(live: &mut broadcast::Receiver<Arc<Numbered>>) -> Vec<String> {
    loop {
        let next = timeout(Duration::from_secs(20), live.recv()).await;
        let event = next.expect("something is told").expect("the feed is there");
        if let LiveEvent::Model { status } = &event.event {
            let warnings = status.warnings.iter();
            return warnings.map(|warning| warning.text.clone()).collect();
        }
    }
}

#[tokio::test]
async fn what_becomes_true_of_a_model_is_pushed_to_pages_when_a_look_around_finds_it() {
    let home = Home::with(json!({"initiative.text.enabled": false})).await;
    let (running, _gate) = home.start().await;
    let (_, mut live) = running.handle.live().subscribe(None);
    // There is nothing to tell.
    an_hour(&home).await;
    home.model.will_be_found("it ends on 2027-01-14");
    an_hour(&home).await;
    assert_eq!(told(&mut live).await, ["it ends on 2027-01-14"]);
    // It is known by then.
    an_hour(&home).await;
    home.model.will_be_found("it has shut down");
    an_hour(&home).await;
    assert_eq!(
        told(&mut live).await,
        ["it ends on 2027-01-14", "it has shut down"]
    );
}

#[tokio::test]
async fn what_an_answer_shows_of_a_model_is_pushed_to_pages() {
    let home = Home::with(json!({"initiative.text.enabled": false})).await;
    let (running, _gate) = home.start().await;
    let (_, mut live) = running.handle.live().subscribe(None);
    home.model.will_be_learnt("it takes no tools");
    let heard = running.handle.accept(said(1, "alice", "Denizen, are you there?"));
    heard.await.expect("it is heard");
    home.clock.pass(Span::minutes(1));
    assert_eq!(told(&mut live).await, ["it takes no tools"]);
}
