//! Memory for other agents, under `/v1`: turns to take in, questions, gems, and forgetting. Stable: what is here stays.
//!
//! An agent says which scope it speaks for, and sees what that scope may see; nobody sees everything from here.

pub(crate) mod check;
pub(crate) mod forgetting;
pub(crate) mod recall;
pub(crate) mod remember;
pub(crate) mod scope;
#[cfg(test)]
mod scope_tests;
pub(crate) mod turns;
