//! Why no gems are made, written down once for equal answers in a row.

use vocabulary::SessionId;

use super::extraction::scope;
use super::stream::Stream;
use super::triggers::ExtractionSkip;
use crate::desk::Desk;
use crate::journal::JournalEvent;

/// Says why no gems are made, once for equal answers in a row. That nothing waits is no news.
pub(super) fn note_skip(
    stream: &mut Stream,
    session: &SessionId,
    reason: ExtractionSkip,
    desk: &mut Desk<'_>,
) {
    if reason == ExtractionSkip::NothingPending {
        return close_skips(stream, session, desk);
    }
    match &mut stream.skipped {
        Some((last, repeated)) if *last == reason => *repeated += 1,
        _ => {
            close_skips(stream, session, desk);
            stream.skipped = Some((reason, 0));
            write_skip(stream, session, reason, 0, desk);
        }
    }
}

/// Says how often the last answer was given again before something else happened.
pub(super) fn close_skips(stream: &mut Stream, session: &SessionId, desk: &mut Desk<'_>) {
    if let Some((reason, repeated)) = stream.skipped.take()
        && repeated > 0
    {
        write_skip(stream, session, reason, repeated, desk);
    }
}

fn write_skip(
    stream: &Stream,
    session: &SessionId,
    reason: ExtractionSkip,
    repeated: u64,
    desk: &mut Desk<'_>,
) {
    let event = JournalEvent::MemoryExtractionSkipped {
        session: session.clone(),
        reason,
        pending: stream.pending.len(),
        repeated,
    };
    desk.ledger.note(scope(stream), event);
}
