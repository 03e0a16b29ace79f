//! What can be wrong with what is given to the index.

use std::error::Error;
use std::fmt;

use crate::vectors::DIMENSIONS_MAX;

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecallFault {
    /// Vectors of different lengths are of different embedders and cannot be compared.
    Dimensions { held: usize, given: usize },
    /// Empty, far too long, or not made of numbers.
    NotAVector { given: usize },
    /// The index cannot number any more records.
    Full { records: usize },
}

impl fmt::Display for RecallFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecallFault::Dimensions { held, given } => write!(
                f,
                "a vector of {given} dimensions cannot be compared with the {held} of those already kept: \
                 embed with the same model, or clear the vectors first"
            ),
            RecallFault::NotAVector { given } => write!(
                f,
                "a vector of {given} dimensions cannot be used: it must have 1 to {DIMENSIONS_MAX}, all of them finite numbers"
            ),
            RecallFault::Full { records } => {
                write!(
                    f,
                    "the index holds {records} records and takes no more: forget some first"
                )
            }
        }
    }
}

impl Error for RecallFault {}
