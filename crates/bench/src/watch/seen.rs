//! What comes of a session's pictures: rendered, averaged, scored and emitted by the parts that do so for real screens.

use media::score::{Grid, Scorer};
use vocabulary::{ChangeScore, Moment, Span};

use super::canvas::Canvas;
use super::scenes::Session;

/// An emitted frame.
#[derive(Clone, Debug)]
pub struct Frame {
    pub at: Moment,
    pub change: ChangeScore,
    pub grid: Grid,
}

/// Two frames a second are emitted, as `nativeDiscordMaxFramesPerSecond` has it.
const EMITTED_EVERY: Span = Span(500);

/// Renders a session at `fps` pictures a second and emits its frames.
pub fn see(session: &Session, fps: u64) -> Vec<Frame> {
    let mut scorer = Scorer::default();
    let mut canvas = Canvas::new();
    let mut frames = Vec::new();
    let step = Span(1_000 / fps.clamp(2, 60));
    let (mut at, mut due) = (Moment(0), Moment(0));
    while at < Moment(session.length.0) {
        session.paint(at, &mut canvas);
        let grid = Grid::of(&canvas.luma());
        scorer.look(grid.clone());
        if at >= due {
            let change = scorer.emit();
            frames.push(Frame { at, change, grid });
            due = due + EMITTED_EVERY;
        }
        at = at + step;
    }
    frames
}
