//! Eyes for pictures that come one by one: each is decoded as far as a score needs, and scored against the one before.

use media::pictures::brightness;
use media::score::{Grid, Scorer};
use runtime::ports::{Eye, Seen, Sight, Undecodable};
use vocabulary::PictureKind;

/// Gives every share an eye.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eyes;

/// Looks at one share. Every picture that it is shown counts as let through.
#[derive(Debug, Default)]
struct OneEye {
    scorer: Scorer,
}

impl Sight for Eyes {
    fn open(&self) -> Box<dyn Eye> {
        Box::new(OneEye::default())
    }
}

impl Eye for OneEye {
    fn hold(&mut self, score: f64) {
        self.scorer.hold(score);
    }

    fn look(&mut self, kind: PictureKind, bytes: &[u8]) -> Result<Seen, Undecodable> {
        let picture = brightness(kind, bytes).map_err(|bad| Undecodable(sentence(&bad.to_string())))?;
        self.scorer.look(Grid::of(&picture.luma()));
        Ok(Seen {
            // A picture has at most 16384 pixels on a side.
            width: picture.width as u32,
            height: picture.height as u32,
            change: self.scorer.emit(),
        })
    }
}

/// What a library says in passing, said to a person.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), characters.as_str())
}

#[cfg(test)]
#[path = "eyes_tests.rs"]
mod eyes_tests;
