//! A community with a real store, a model and a clock of the test's own, driven through its handle.

mod gate;
mod given;
mod lanes;
mod suspend;
