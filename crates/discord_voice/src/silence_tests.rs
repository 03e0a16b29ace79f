//! The library that has a call's keys writes them into the log; nothing of that gets anywhere.

use std::sync::{Arc, Mutex};

use tracing::span::{Attributes, Id, Record};
use tracing::{Dispatch, Event, Metadata, Subscriber, dispatcher};

use crate::bench::Bench;
use crate::privacy::PrivateGroup;

/// Notes who writes, at every level.
struct Ear(Arc<Mutex<Vec<String>>>);

impl Subscriber for Ear {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut heard = self.0.lock().expect("nobody panics");
        heard.push(event.metadata().target().to_owned());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn written(does: impl FnOnce()) -> Vec<String> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    dispatcher::with_default(&Dispatch::new(Ear(Arc::clone(&heard))), does);
    let heard = heard.lock().expect("nobody panics");
    heard.clone()
}

#[test]
fn nothing_that_the_encryption_says_reaches_a_log() {
    let alone = written(|| drop(PrivateGroup::new(1, 20).begin(1)));
    assert!(
        alone.iter().any(|target| target.starts_with("davey")),
        "it writes where nobody holds it back: {alone:?}"
    );
    let in_a_call = written(|| {
        let mut bench = Bench::new();
        bench.open();
        bench.hello();
        bench.ready();
        bench.discovered();
        assert_eq!(bench.described(1).binary.len(), 1, "it has a group");
    });
    assert_eq!(in_a_call, [""; 0]);
}
