//! Keeps reasoning that a model writes into its answer, as `<think>…</think>`, out of the text.

const OPEN: &[&str] = &["<think>", "<thinking>"];
const CLOSE: &[&str] = &["</think>", "</thinking>"];

/// Passes text through in pieces, without the blocks.
#[derive(Debug, Default)]
pub(crate) struct ThinkFilter {
    inside: bool,
    /// The end of what came, while it could still be the start of a tag.
    held: String,
    /// Something was said, so that white space is part of the text from now on.
    spoke: bool,
    /// A block was dropped, and the line breaks around it go with it.
    dropped: bool,
}

impl ThinkFilter {
    /// Takes the next piece in and gives what of it is text.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let mut text = String::new();
        loop {
            let tags = if self.inside { CLOSE } else { OPEN };
            match first_tag(&self.held, tags) {
                Some((start, length)) => {
                    if !self.inside {
                        text.push_str(&self.held[..start]);
                    }
                    self.held.drain(..start + length);
                    self.inside = !self.inside;
                    self.dropped = true;
                }
                None => {
                    let keep = possible_tag_start(&self.held, tags);
                    let settled: String = self.held.drain(..keep).collect();
                    if !self.inside {
                        text.push_str(&settled);
                    }
                    break;
                }
            }
        }
        self.tidy(text)
    }

    /// Whether something was thought aloud.
    pub(crate) fn has_dropped(&self) -> bool {
        self.dropped
    }

    /// The answer is over: what looked like the start of a tag was text after all.
    pub(crate) fn finish(mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if self.inside {
            String::new()
        } else {
            self.tidy(held)
        }
    }

    fn tidy(&mut self, text: String) -> String {
        let text = if self.dropped && !self.spoke {
            text.trim_start().to_owned()
        } else {
            text
        };
        self.spoke |= !text.trim().is_empty();
        text
    }
}

fn first_tag(text: &str, tags: &[&str]) -> Option<(usize, usize)> {
    tags.iter()
        .filter_map(|tag| text.find(tag).map(|start| (start, tag.len())))
        .min()
}

/// Where the longest ending that a tag could begin with starts.
fn possible_tag_start(text: &str, tags: &[&str]) -> usize {
    (0..text.len())
        .filter(|at| text.is_char_boundary(*at))
        .find(|at| tags.iter().any(|tag| tag.starts_with(&text[*at..])))
        .unwrap_or(text.len())
}

#[cfg(test)]
#[path = "think_tests.rs"]
mod tests;
