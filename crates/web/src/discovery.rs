//! What it reads, for the pages: how each source is, what it would be shown now, and sources that are tried or dropped.

pub(crate) mod check;
pub(crate) mod preview;
pub(crate) mod sources;
