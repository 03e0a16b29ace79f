//! A community with a real store, a model and a clock of the test's own, driven through its handle.

mod full_disk;
mod gate;
mod given;
mod hall;
mod lanes;
mod long_silence;
mod looking_around;
mod memory_follows;
mod natively;
mod speaking;
mod suspend;
mod town;
