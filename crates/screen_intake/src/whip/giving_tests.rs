use std::sync::Mutex;

use async_trait::async_trait;
use runtime::ports::Seen;
use vocabulary::{ShareEnd, ShareId};

use super::*;
use crate::whip::OutletRefused;

/// A share that refuses every frame with an odd number.
#[derive(Default)]
struct Picky {
    refuses_to_begin: bool,
    is_unwatched: bool,
    offered: Mutex<Vec<ChangeScore>>,
}

#[async_trait]
impl Outlet for Picky {
    fn share(&self) -> ShareId {
        ShareId::new("picky")
    }

    fn is_watched(&self) -> bool {
        !self.is_unwatched
    }

    async fn begin(&self) -> Result<(), OutletRefused> {
        match self.refuses_to_begin {
            true => Err(OutletRefused("no".to_owned())),
            false => Ok(()),
        }
    }

    async fn frame(&self, exposure: Exposure) -> Result<(), OutletRefused> {
        let mut offered = self.offered.lock().expect("nobody panics");
        offered.push(exposure.seen.change);
        match offered.len() % 2 {
            1 => Err(OutletRefused("too soon".to_owned())),
            _ => Ok(()),
        }
    }

    fn touch(&self) {}

    async fn end(&self, _: ShareEnd) {}

    async fn ended(&self) {}
}

fn exposure(score: f64) -> Exposure {
    let change = ChangeScore {
        score,
        ema: score / 2.0,
        scene_cut: score >= 0.4,
        region: None,
    };
    Exposure {
        jpeg: vec![1].into(),
        seen: Seen {
            width: 1,
            height: 1,
            change,
        },
    }
}

async fn give(outlet: Arc<Picky>, scores: &[f64]) -> Given {
    let (sender, receiver) = mpsc::channel(scores.len());
    for score in scores {
        sender.send(exposure(*score)).await.expect("there is room");
    }
    drop(sender);
    run(outlet, receiver).await
}

#[tokio::test]
async fn what_a_refused_frame_had_to_tell_is_told_with_the_next() {
    let outlet = Arc::new(Picky::default());
    assert_eq!(give(outlet.clone(), &[0.5, 0.1, 0.2, 0.3]).await, Given::All);
    let offered = outlet.offered.lock().expect("nobody panics");
    let told: Vec<(f64, bool)> = offered
        .iter()
        .map(|change| (change.score, change.scene_cut))
        .collect();
    assert_eq!(told, [(0.5, true), (0.5, true), (0.2, false), (0.3, false)]);
    assert_eq!(offered[1].ema, 0.25);
}

#[tokio::test]
async fn a_share_that_does_not_begin_is_given_nothing() {
    let outlet = Arc::new(Picky {
        refuses_to_begin: true,
        ..Picky::default()
    });
    assert_eq!(give(outlet.clone(), &[0.5]).await, Given::Nothing);
    assert!(outlet.offered.lock().expect("nobody panics").is_empty());
}

#[tokio::test]
async fn frames_that_nobody_waits_for_any_more_are_not_offered() {
    let outlet = Arc::new(Picky {
        is_unwatched: true,
        ..Picky::default()
    });
    assert_eq!(give(outlet.clone(), &[0.5, 0.1]).await, Given::All);
    assert!(outlet.offered.lock().expect("nobody panics").is_empty());
}
