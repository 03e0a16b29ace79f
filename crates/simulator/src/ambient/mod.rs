//! What a world left to chance holds for thoughts of its own: what a thinking model says, what feeds bring, what becomes
//! of pictures, and how people and operators live through the weeks.

mod feeds;
mod habits;
mod media;
mod operator;
mod thoughts;

pub(crate) use feeds::surroundings;
pub(crate) use habits::weeks;
pub(crate) use media::made;
pub(crate) use operator::{think_often, tool_out_there, week_settings};
pub(crate) use thoughts::{calls, odd_thought, thought, usage};

/// The rooms of the weeks; some of them are in the pool.
pub(crate) const ROOMS: &[&str] = &["lobby", "dev", "garden"];
