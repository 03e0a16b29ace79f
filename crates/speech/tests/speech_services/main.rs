//! Ears and mouths against a server in the shapes of each service, well-behaved and otherwise.

mod bench;
mod defaults;
mod hearing;
mod sdk;
mod speaking;
