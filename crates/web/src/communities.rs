//! The communities of the process: each has every route under an address of its own, and none sees another's.

pub(crate) mod address;
pub(crate) mod manage;
pub(crate) mod routing;
