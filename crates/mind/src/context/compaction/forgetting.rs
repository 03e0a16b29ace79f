//! Forgetting what a summary says, and what was kept to show how it came about.

use super::state::Compaction;
use crate::effect::Effect;
use crate::memory::gems::scrub::{ScrubBrief, scrub_summary};
use crate::step_context::StepContext;

impl Compaction {
    /// Takes what is forgotten out of the summary and out of what waits to be folded; whether the summary changed.
    pub(crate) fn forget(&mut self, brief: &ScrubBrief<'_>, step: &mut StepContext<'_>) -> bool {
        // A run under way has read it; what it was to fold stays on the time line and is folded later.
        if let Some(run) = self.run.take() {
            step.ledger.want(Effect::CancelAsk { ask: run.ask });
        }
        self.finished.clear();
        self.notes.retain(|text| scrub_summary(text, brief).is_none());
        match scrub_summary(&self.summary, brief) {
            Some(scrubbed) => {
                self.summary = scrubbed;
                true
            }
            None => false,
        }
    }
}
