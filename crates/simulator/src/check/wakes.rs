//! A mind that was just stepped never asks to be woken at once: that would be a busy loop.

use super::Report;
use crate::trace::Trace;

pub(super) fn check(trace: &Trace, report: &mut Report) {
    for step in &trace.steps {
        if let Some(wake) = step.wake
            && wake.at <= step.now.moment
        {
            let what = format!(
                "{:?} is wanted for {:?}, which is not ahead",
                wake.reason, wake.at
            );
            report.add("wakes_lie_ahead", step.now.moment, what);
        }
    }
}
