//! What was kept by earlier versions, made readable for this one.

mod inputs_v1;

pub use inputs_v1::from_v1 as input_from_v1;
