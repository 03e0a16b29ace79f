//! What Discord says, read leniently into small types of our own. Servers differ in what they leave out and how they
//! write it; what is not needed is not looked at, and what is needed may come in any form that can be understood.

mod fields;
mod snowflake;

pub use fields::Fields;
pub use snowflake::Snowflake;

#[cfg(test)]
#[path = "hostile_tests.rs"]
mod hostile_tests;
