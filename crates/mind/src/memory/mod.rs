//! Memory: when gems are made of what was said, what they are made of, and what of them a reply is told.

pub mod gems;
