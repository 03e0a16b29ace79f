//! Looking inside: the journal, why a message was (not) answered, what models saw, and recordings.

pub(crate) mod asks;
pub(crate) mod journal;
pub(crate) mod recording;
pub(crate) mod why;
