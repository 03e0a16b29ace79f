//! Finding what fits: words and meaning over turns and gems.
//!
//! [`Index`] searches everything it holds, exactly and in memory. Stores that can only offer candidates rank them with
//! [`rank_candidates`], by the same reasoning. [`Table`] tells what a text means without a model.
//! Nothing here reads a clock or a file, and nothing out of a searcher's view ever touches what is found.

mod candidates;
mod citations;
mod context;
mod dates;
mod fault;
mod fuse;
mod growth;
mod hit;
mod index;
mod intern;
mod judged;
mod lexical;
mod mean;
mod meaning;
mod neighbours;
mod order;
mod parts;
#[cfg(test)]
mod parts_tests;
mod postings;
mod query;
#[cfg(test)]
mod ranking_tests;
#[cfg(test)]
mod reference;
mod scope;
mod search;
mod shelf;
mod side;
mod stem;
mod stop;
mod table;
mod telling;
mod terms;
#[cfg(test)]
mod testing;
mod tidy;
mod vectors;
mod view;
mod weights;
mod words;

pub use candidates::{RecallCandidate, rank_candidates};
pub use fault::RecallFault;
pub use hit::Hit;
pub use index::Index;
pub use judged::judged;
pub use table::Table;
pub use telling::telling_part;
pub use terms::{query_terms, terms};
