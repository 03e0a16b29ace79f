//! How Denizen sees: pictures and streams become scored frames.
