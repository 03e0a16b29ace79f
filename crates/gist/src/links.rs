//! Addresses on the web: their canonical form, and the links of a text.

mod address;
mod finding;
mod keeping;

pub use address::canonical;
pub use finding::links_of;
pub use keeping::keep_links;

#[cfg(test)]
#[path = "links/links_tests.rs"]
mod links_tests;
