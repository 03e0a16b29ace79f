//! Placeholder until the real one is merged.
#[derive(Clone, Copy, Debug)]
pub struct FoldedTurn<'a> {
    pub speaker: &'a str,
    pub text: &'a str,
}
pub fn summarise(previous: &str, turns: &[FoldedTurn<'_>], notes: &[&str], limit_chars: usize) -> String {
    let mut text = previous.to_owned();
    for turn in turns {
        text = format!("{text} {}: {}.", turn.speaker, turn.text);
    }
    for note in notes {
        text = format!("{text} {note}.");
    }
    let skip = text.chars().count().saturating_sub(limit_chars);
    text.chars().skip(skip).collect::<String>().trim().to_owned()
}
