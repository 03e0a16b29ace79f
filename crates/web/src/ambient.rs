//! Thoughts of its own, for the pages: how the cycle stands, a trial, and the thought that is held.

pub(crate) mod look;
pub(crate) mod status;
pub(crate) mod think;
