//! How often something is sent again that did not get through: as often as `activity.maxRetries` says, and what somebody waits
//! for as long as outages of platforms last.

use vocabulary::Span;

use super::Sending;
use crate::parcel::Errand;
use crate::step_context::StepContext;

/// An answer that somebody waits for is tried for so long.
pub(super) const OWED_FOR: Span = Span::hours(1);
/// The longest pause between two tries of it.
const OWED_PAUSE_MAX: Span = Span::seconds(60);

/// How long to wait before a piece that has failed is sent again; none where it is given up. A comment is never late.
pub(super) fn pause(parcel: &Sending, step: &StepContext<'_>) -> Option<Span> {
    if parcel.errand == Errand::Comment {
        return None;
    }
    let doublings = parcel.failures.saturating_sub(1).min(16);
    let pause =
        Span::from_seconds(step.settings.activity.retry_delay_seconds * f64::from(1_u32 << doublings));
    if !is_outage(parcel, step) {
        return Some(pause);
    }
    let pause = pause.min(OWED_PAUSE_MAX);
    parcel
        .owed_until
        .filter(|until| step.moment() + pause <= *until)
        .map(|_| pause)
}

/// Whether it has failed more often than chance has it.
pub(super) fn is_outage(parcel: &Sending, step: &StepContext<'_>) -> bool {
    parcel.failures > step.settings.activity.max_retries
}
