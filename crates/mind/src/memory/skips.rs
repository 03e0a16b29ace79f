//! Why no gems are made, written down once for equal answers in a row.

use vocabulary::SessionId;

use super::stream::Stream;
use super::triggers::ExtractionSkip;
use crate::journal::JournalEvent;
use crate::step_context::StepContext;

/// Says why no gems are made, once for equal answers in a row. That nothing waits is no news.
pub(super) fn note_skip(
    stream: &mut Stream,
    session: &SessionId,
    reason: ExtractionSkip,
    step: &mut StepContext<'_>,
) {
    if reason == ExtractionSkip::NothingPending {
        return close_skips(stream, session, step);
    }
    match &mut stream.skipped {
        Some((last, repeated)) if *last == reason => *repeated += 1,
        _ => {
            close_skips(stream, session, step);
            stream.skipped = Some((reason, 0));
            write_skip(stream, session, reason, 0, step);
        }
    }
}

/// Says how often the last answer was given again before something else happened.
pub(super) fn close_skips(stream: &mut Stream, session: &SessionId, step: &mut StepContext<'_>) {
    if let Some((reason, repeated)) = stream.skipped.take()
        && repeated > 0
    {
        write_skip(stream, session, reason, repeated, step);
    }
}

fn write_skip(
    stream: &Stream,
    session: &SessionId,
    reason: ExtractionSkip,
    repeated: u64,
    step: &mut StepContext<'_>,
) {
    let event = JournalEvent::MemoryExtractionSkipped {
        session: session.clone(),
        reason,
        pending: stream.pending.len(),
        repeated,
    };
    step.ledger.write(stream.scope(), event);
}
