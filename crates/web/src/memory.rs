//! What is remembered, for the pages: looking at it, searching it, correcting it, and forgetting.

pub(crate) mod access;
pub(crate) mod change;
pub(crate) mod export;
pub(crate) mod forget;
pub(crate) mod gems;
pub(crate) mod people;
mod reel;
pub(crate) mod runs;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod timeline;
