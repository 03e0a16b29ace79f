//! Eyes and rooms for tests of shared screens, and what a driver does about them.

use async_trait::async_trait;
use mind::Delivery;
use vocabulary::{ChangeScore, Message, PictureKind, RoomId, ShareId};

use crate::ports::{Eye, Rooms, Seen, SendFailure, Sight, Undecodable};
use crate::screens::Screens;

/// Eyes that go by the first byte of a picture, whatever its kind: the score is how far it is from the one before, of
/// 255. From half of that on it is a scene cut; a picture that begins with 0 cannot be decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestSight;

#[derive(Default)]
struct TestEye {
    before: Option<u8>,
}

impl Sight for TestSight {
    fn open(&self) -> Box<dyn Eye> {
        Box::new(TestEye::default())
    }
}

impl Eye for TestEye {
    fn look(&mut self, _: PictureKind, bytes: &[u8]) -> Result<Seen, Undecodable> {
        let first = bytes.first().copied().unwrap_or_default();
        if first == 0 {
            return Err(Undecodable(
                "The picture is damaged at its first byte. Send it again.".to_owned(),
            ));
        }
        let score = self
            .before
            .map_or(0.0, |before| f64::from(before.abs_diff(first)) / 255.0);
        self.before = Some(first);
        Ok(Seen {
            width: 640,
            height: 360,
            change: ChangeScore {
                score,
                ema: score,
                scene_cut: score >= 0.5,
                region: None,
            },
        })
    }
}

/// Rooms that everybody is in and nothing can be sent to.
#[derive(Clone, Copy, Debug, Default)]
pub struct EverybodyThere;

#[async_trait]
impl Rooms for EverybodyThere {
    async fn deliver(&self, _: &Delivery) -> Result<Message, SendFailure> {
        Err(SendFailure {
            detail: "nothing is sent in this test".to_owned(),
            retryable: false,
        })
    }
}

/// What a driver does when the mind wants a share watched.
pub fn watch_screen(screens: &Screens, room: &RoomId, share: &ShareId) {
    screens.watch(room, share);
}

/// What a driver does when the mind wants nothing watched.
pub fn unwatch_screen(screens: &Screens, room: &RoomId) {
    screens.unwatch(room);
}

/// Looks after shares as a process does, until the community is over; a test spawns it.
pub fn sweep_screens(screens: &Screens) -> impl Future<Output = ()> + Send + 'static {
    let screens = screens.clone();
    async move {
        let mut every = tokio::time::interval(crate::chores::LOOK_AFTER_SCREENS_EVERY);
        loop {
            every.tick().await;
            if !screens.look_after() {
                break;
            }
        }
    }
}
