//! Local model files: which there are, where their makers have them, and whether what lies here is what it should be.
//!
//! Every file is pinned by length and hash in `catalogue.toml`. A download goes on where it was broken off; what does not
//! have its hash never gets its name. Nothing that was fetched is run, except the ONNX Runtime library, which is pinned as
//! well.

mod archive;
mod catalogue;
mod fault;
mod fetch;
mod install;
mod shelf;

pub use catalogue::{Catalogue, Model, ModelFile, Purpose, Source, platform};
pub use fault::WeightFault;
pub use install::{Installer, Stage};
pub use shelf::{FileState, ModelState, Shelf};
