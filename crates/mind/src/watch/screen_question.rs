//! Whether somebody asks about the screen, so that the reply sees it and not only the notes on it.

/// Whether a message asks about what is on the screen. Some ways of asking only count when it was said to Denizen.
pub fn asks_about_screen(text: &str, directly_addressed: bool) -> bool {
    let _ = (text, directly_addressed);
    false
}
