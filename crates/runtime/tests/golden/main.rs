//! Golden files of every schema that ever landed: old recordings still give their journal, old states still live on.
//!
//! `schemaN/recordings` holds recordings of the simulator's worlds and of every scenario, with the journal that the
//! version of that schema gave; `schemaN/states` holds states in the middle of everything. Files are never changed.

mod files;
mod hostile_states;
mod journals;
mod states;
