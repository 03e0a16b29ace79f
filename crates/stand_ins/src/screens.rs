//! Eyes and rooms for tests of shared screens.

use async_trait::async_trait;
use mind::Delivery;
use vocabulary::{ChangeScore, Message, PictureKind};

use runtime::ports::{Eye, Rooms, Seen, SendFailure, Sight, Undecodable};

/// Eyes that go by the first byte of a picture, whatever its kind: the score is how far it is from the one before, of
/// 255, or what was held if that is more. From half of that on it is a scene cut; a picture that begins with 0 cannot be decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestSight;

#[derive(Default)]
struct TestEye {
    before: Option<u8>,
    /// The greatest change that was told of since.
    held: f64,
}

impl Sight for TestSight {
    fn open(&self) -> Box<dyn Eye> {
        Box::new(TestEye::default())
    }
}

impl Eye for TestEye {
    fn hold(&mut self, score: f64) {
        self.held = self.held.max(score);
    }

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
        let score = score.max(std::mem::take(&mut self.held));
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
