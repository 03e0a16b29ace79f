//! What a model gets to see: typed sections, each with a cap and a priority, fitted into one budget.

pub mod budget;
pub mod summary;

#[cfg(test)]
mod budget_tests;
