//! Keeps reasoning that a model writes into its answer, as `<think>…</think>`, out of the text.
//!
//! A block begins an answer or a line of it. A tag in the middle of a line is somebody talking about tags, and one that
//! is never closed after words were said is no block.

const OPEN: &[&str] = &["<think>", "<thinking>"];
const CLOSE: &[&str] = &["</think>", "</thinking>"];

/// Passes text through in pieces, without the blocks.
#[derive(Debug, Default)]
pub(crate) struct ThinkFilter {
    /// What is not passed on at the moment.
    block: Option<Block>,
    /// The end of what came, while it could still be the start of a tag.
    held: String,
    /// Something was said, so that white space is part of the text from now on.
    spoke: bool,
    /// The last line of what was said is not over.
    mid_line: bool,
    /// A block was dropped, and the line breaks around it go with it.
    dropped: bool,
}

/// A block that was begun.
#[derive(Debug)]
enum Block {
    /// Before anything was said.
    First,
    /// After words: how it reads so far, should it turn out to be none.
    Later(String),
}

impl ThinkFilter {
    /// Takes the next piece in and gives what of it is text.
    pub(crate) fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let mut text = String::new();
        loop {
            let tags = if self.block.is_some() { CLOSE } else { OPEN };
            let Some((start, length)) = first_tag(&self.held, tags) else {
                let keep = possible_tag_start(&self.held, tags);
                let settled: String = self.held.drain(..keep).collect();
                self.pass(&settled, &mut text);
                break;
            };
            let before: String = self.held.drain(..start).collect();
            let tag: String = self.held.drain(..length).collect();
            if self.block.take().is_some() {
                self.dropped = true;
                continue;
            }
            self.pass(&before, &mut text);
            if !self.spoke {
                self.dropped = true;
                self.block = Some(Block::First);
            } else if self.mid_line {
                self.pass(&tag, &mut text);
            } else {
                self.block = Some(Block::Later(tag));
            }
        }
        text
    }

    /// Whether something was thought aloud.
    pub(crate) fn has_dropped(&self) -> bool {
        self.dropped
    }

    /// Whether the answer is still in the thoughts that it began with.
    pub(crate) fn is_thinking(&self) -> bool {
        matches!(self.block, Some(Block::First))
    }

    /// The answer is over: what looked like the start of a tag, or of a block after words, was text after all.
    pub(crate) fn finish(mut self) -> String {
        let held = std::mem::take(&mut self.held);
        let mut text = String::new();
        match self.block.take() {
            Some(Block::First) => {}
            Some(Block::Later(begun)) => text = begun + &held,
            None => self.pass(&held, &mut text),
        }
        text
    }

    /// Adds what is settled to the text, or to the block that is open.
    fn pass(&mut self, settled: &str, text: &mut String) {
        match &mut self.block {
            Some(Block::First) => return,
            Some(Block::Later(begun)) => return begun.push_str(settled),
            None => {}
        }
        let settled = match self.dropped && !self.spoke {
            true => settled.trim_start(),
            false => settled,
        };
        self.spoke |= !settled.trim().is_empty();
        if let Some(last) = settled.chars().next_back() {
            self.mid_line = last != '\n';
        }
        text.push_str(settled);
    }
}

/// What follows thoughts whose beginning the server kept to itself: `…</think>` on a line of its own, and then the answer.
pub(crate) fn after_thoughts(text: &str) -> Option<&str> {
    let ends = CLOSE.iter().filter_map(|tag| {
        let start = text.rfind(tag)?;
        let line = text[..start]
            .chars()
            .next_back()
            .is_none_or(|before| before == '\n');
        let rest = &text[start + tag.len()..];
        (line && rest.starts_with('\n')).then(|| rest.trim_start())
    });
    ends.filter(|rest| !rest.is_empty()).min_by_key(|rest| rest.len())
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
