//! Stage B: what the model's answer means — words to say, tools to run, or silence.

mod outcome;

pub use outcome::SkipReason;
