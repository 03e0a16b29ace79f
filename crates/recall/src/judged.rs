//! How sure finds are, once a model has judged the best of them. See docs/decisions/recall.md for how the numbers were found.

use vocabulary::Scores;

use crate::weights::{JUDGED, JUDGED_BEFORE, JUDGED_CLOSENESS, JUDGED_START, JUDGED_SURE_MAX, MEANING};

/// How sure finds are. The first were judged: how well each answers what was looked for, as log-odds.
/// What was not judged is never surer than the least sure that was.
pub fn judged(scores: &[Scores], judged: &[f64]) -> Vec<f64> {
    let mut least = 1.0_f64;
    let sure = scores
        .iter()
        .enumerate()
        .map(|(place, scores)| match judged.get(place) {
            Some(odds) => {
                let sure = confidence(scores, *odds);
                least = least.min(sure);
                sure
            }
            None => scores.confidence.min(least),
        });
    sure.collect()
}

fn confidence(scores: &Scores, judged: f64) -> f64 {
    let before = scores.confidence.clamp(1.0 - JUDGED_SURE_MAX, JUDGED_SURE_MAX);
    let odds = JUDGED * judged
        + JUDGED_BEFORE * (before / (1.0 - before)).ln()
        + JUDGED_CLOSENESS * scores.dense / MEANING
        + JUDGED_START;
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
#[path = "judged_tests.rs"]
mod tests;
