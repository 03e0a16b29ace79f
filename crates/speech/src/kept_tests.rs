use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use super::*;

static MADE: AtomicUsize = AtomicUsize::new(0);

fn making(make: impl FnOnce() -> String + Send + 'static) -> Making<String> {
    Making {
        make: Box::new(make),
        broken: || "broken".to_owned(),
        is_whole: |made| !made.starts_with("no "),
    }
}

fn is_ready(kept: &Kept<u8, String>, choice: u8) -> bool {
    matches!(kept.look(&choice), Seen::Ready(_))
}

#[tokio::test]
async fn what_was_begun_is_kept_although_whoever_asked_has_gone() {
    let kept: Kept<u8, String> = Kept::default();
    assert!(matches!(kept.look(&1), Seen::Unasked), "a look makes nothing");
    let (go, wait) = mpsc::channel::<()>();
    let slow = kept.get(
        1,
        making(move || {
            MADE.fetch_add(1, Ordering::SeqCst);
            wait.recv().expect("it may go on");
            "ears".to_owned()
        }),
    );
    // As somebody does who leaves the room before the model is loaded.
    assert!(
        tokio::time::timeout(Duration::from_millis(50), slow)
            .await
            .is_err()
    );
    assert!(matches!(kept.look(&1), Seen::Making));
    let second = kept.get(1, making(|| unreachable!("one is under way")));
    go.send(()).expect("it waits");
    assert_eq!(*second.await, "ears");
    assert!(is_ready(&kept, 1));
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn those_in_use_stay_and_of_the_others_the_newest() {
    let kept: Kept<u8, String> = Kept::default();
    let used = kept.get(0, making(|| "used".to_owned())).await;
    for choice in 1..=5 {
        kept.get(choice, making(|| "left".to_owned())).await;
    }
    // The last is still held by whoever made it.
    kept.get(5, making(|| unreachable!())).await;
    let ready: Vec<u8> = (0..=5).filter(|choice| is_ready(&kept, *choice)).collect();
    assert!(
        ready.contains(&0) && ready.contains(&5) && ready.len() <= 4,
        "{ready:?}"
    );
    assert_eq!(*used, "used");
}

#[tokio::test]
async fn what_is_lacking_is_tried_again_and_what_breaks_off_is_told() {
    let kept: Kept<u8, String> = Kept::default();
    assert_eq!(*kept.get(1, making(|| "no model".to_owned())).await, "no model");
    assert!(matches!(kept.look(&1), Seen::Lacking(why) if *why == "no model"));
    assert_eq!(*kept.get(1, making(|| "ears".to_owned())).await, "ears");
    assert!(is_ready(&kept, 1));
    assert_eq!(*kept.get(2, making(|| panic!("on purpose"))).await, "broken");
}
