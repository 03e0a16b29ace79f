//! Every checker of thoughts can fail.
