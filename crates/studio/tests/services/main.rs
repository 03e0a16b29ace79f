//! The studio against servers in the shape of each service, well-behaved and otherwise.

mod bench;
mod gifs;
mod hostile;
mod pictures;
mod refusals;
mod videos;
