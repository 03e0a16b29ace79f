//! Frames that were read already: what comes twice counts once.

use std::collections::VecDeque;

/// Ids of frames that are remembered: what comes again comes soon.
const FRAMES_MAX: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct SeenFrames(VecDeque<String>);

impl SeenFrames {
    /// Whether this frame was not read yet; one without a name is always new.
    pub(crate) fn is_new(&mut self, id: Option<String>) -> bool {
        let Some(id) = id else { return true };
        if self.0.contains(&id) {
            return false;
        }
        self.0.push_back(id);
        if self.0.len() > FRAMES_MAX {
            self.0.pop_front();
        }
        true
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
