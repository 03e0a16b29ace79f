use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use vocabulary::{Author, AuthorKind, CapturedTurn, Place, Record, Scores, TurnKind, WallTime};

use super::*;

/// Fails as often as it is told to, then judges everything as sure.
struct Moody {
    failures: AtomicUsize,
    judges: usize,
}

#[async_trait]
impl Reranker for Moody {
    fn name(&self) -> String {
        "moody".to_owned()
    }

    async fn judge(&self, _: &str, _: &[Found]) -> Result<Option<Vec<f64>>, MemoryFault> {
        let failures = &self.failures;
        let fails = failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        match fails {
            Ok(_) => Err(failed("out of order")),
            Err(_) => Ok(Some(vec![0.9; self.judges])),
        }
    }
}

/// Never comes to an end.
struct Stuck;

#[async_trait]
impl Reranker for Stuck {
    fn name(&self) -> String {
        "stuck".to_owned()
    }

    async fn judge(&self, _: &str, _: &[Found]) -> Result<Option<Vec<f64>>, MemoryFault> {
        std::future::pending().await
    }
}

/// Fails once and has no time after that.
struct Busy {
    failed: AtomicBool,
}

#[async_trait]
impl Reranker for Busy {
    fn name(&self) -> String {
        "busy".to_owned()
    }

    async fn judge(&self, _: &str, _: &[Found]) -> Result<Option<Vec<f64>>, MemoryFault> {
        match self.failed.swap(true, Ordering::Relaxed) {
            true => Ok(None),
            false => Err(failed("out of order")),
        }
    }
}

fn found() -> Found {
    Found {
        record: Record::Turn(CapturedTurn {
            id: "a".into(),
            place: Place {
                community: "local".into(),
                room: "lounge".into(),
                private: false,
            },
            session: "s".into(),
            number: 1,
            speaker: Author {
                id: "alice".into(),
                name: "Alice".to_owned(),
                kind: AuthorKind::Person,
            },
            kind: TurnKind::Typed,
            text: "the gate is blue".to_owned(),
            at: WallTime(0),
        }),
        scores: Scores {
            confidence: 0.3,
            ..Scores::default()
        },
        matched: Vec::new(),
        through: Vec::new(),
    }
}

fn moody(failures: usize, judges: usize) -> Judging {
    Judging::new(Arc::new(Moody {
        failures: failures.into(),
        judges,
    }))
}

async fn sure(judging: &Judging) -> f64 {
    let mut finds = [found()];
    judging.judge("the gate", &mut finds).await;
    finds[0].scores.confidence
}

#[tokio::test]
async fn what_cannot_be_judged_stays_as_sure_as_it_was_and_the_status_says_why() {
    let judging = moody(1, 1);
    assert_eq!(sure(&judging).await, 0.3);
    let trouble = judging.trouble().expect("it failed");
    assert!(
        trouble.contains("moody") && trouble.contains("out of order"),
        "{trouble}"
    );
    assert_eq!(sure(&judging).await, 0.9);
    assert_eq!(judging.trouble(), None);
}

#[tokio::test]
async fn a_judge_that_leaves_some_out_is_not_believed() {
    let judging = moody(0, 3);
    assert_eq!(sure(&judging).await, 0.3);
    assert!(
        judging
            .trouble()
            .is_some_and(|trouble| trouble.contains("left some out"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_judge_that_is_stuck_is_gone_on_without() {
    let judging = Judging::new(Arc::new(Stuck));
    assert_eq!(sure(&judging).await, 0.3);
    assert!(
        judging
            .trouble()
            .is_some_and(|trouble| trouble.contains("too long"))
    );
}

#[tokio::test]
async fn nobody_is_asked_about_nothing() {
    let judging = moody(1, 0);
    judging.judge("the gate", &mut []).await;
    judging.judge("  ", &mut [found()]).await;
    assert_eq!(judging.trouble(), None);
}

#[tokio::test]
async fn one_that_is_busy_is_no_trouble_and_what_was_found_stays_as_sure_as_it_was() {
    let failed = AtomicBool::new(true);
    let judging = Judging::new(Arc::new(Busy { failed }));
    assert_eq!(sure(&judging).await, 0.3);
    assert_eq!(judging.trouble(), None);
    assert_eq!(judging.standing().failed_at, None);
}

#[tokio::test]
async fn one_that_failed_and_is_busy_is_still_in_trouble() {
    let failed = AtomicBool::new(false);
    let judging = Judging::new(Arc::new(Busy { failed }));
    for _ in 0..2 {
        assert_eq!(sure(&judging).await, 0.3);
        assert!(
            judging
                .trouble()
                .is_some_and(|trouble| trouble.contains("out of order"))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn it_is_said_to_work_again_after_a_calm_minute() {
    let judging = moody(1, 1);
    assert_eq!(sure(&judging).await, 0.3);
    let warned = |judging: &Judging| judging.standing().failed_at.is_some();
    assert!(warned(&judging));
    assert_eq!(sure(&judging).await, 0.9);
    assert_eq!(judging.trouble(), None);
    assert!(warned(&judging), "it would not be warned of another failure yet");
    tokio::time::advance(CALM).await;
    assert_eq!(sure(&judging).await, 0.9);
    assert!(!warned(&judging));
}

#[tokio::test]
async fn one_that_could_not_be_opened_is_in_trouble_for_good() {
    let judging = Judging::unopened(&MemoryFault::Refused("there is no model.onnx".to_owned()));
    for _ in 0..2 {
        assert_eq!(
            judging.trouble().as_deref(),
            Some("What is found is not judged: there is no model.onnx.")
        );
        assert_eq!(sure(&judging).await, 0.3);
    }
}
