//! Prompts about shared screens.
