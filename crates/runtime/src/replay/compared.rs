//! Whether a recording that was stepped again led to the journal that is in it.

use super::Replayed;
use crate::driver::BATCH_INPUTS_MAX;
use crate::ports::Recording;

/// How the journal of a replay and the recorded one stand to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Line for line the same.
    Same,
    /// The same, but for what the newest inputs led to. Inputs are on disk before they are stepped, and the lines they
    /// lead to after: a recording that is taken between the two has the ones without the others.
    TakenMeanwhile { inputs: usize, lines: usize },
    /// The recording has more lines than the inputs led to.
    GoesOn { lines: usize },
    /// The first line that is not the recorded one.
    DiffersAt { line: usize },
}

/// Compares a replay with the recording that it is of.
pub fn compared(recording: &Recording, replayed: &Replayed) -> Comparison {
    let (recorded, again) = (&recording.journal, &replayed.journal);
    let same = recorded
        .iter()
        .zip(again)
        .take_while(|(was, is)| was == is)
        .count();
    if same == again.len() {
        return match recorded.len() - same {
            0 => Comparison::Same,
            lines => Comparison::GoesOn { lines },
        };
    }
    let differs = Comparison::DiffersAt { line: same };
    if same < recorded.len() {
        return differs;
    }
    // The lines of one input are written together, and those of one write share their fate.
    let settled = replayed.lines_by_input.partition_point(|lines| *lines <= same);
    let before = settled
        .checked_sub(1)
        .map_or(0, |input| replayed.lines_by_input[input]);
    let inputs = replayed.lines_by_input.len() - settled;
    match before == same && inputs <= BATCH_INPUTS_MAX {
        true => Comparison::TakenMeanwhile {
            inputs,
            lines: again.len() - same,
        },
        false => differs,
    }
}
