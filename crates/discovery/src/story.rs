//! What a source has, as it was read: cleaned, canonical, and not yet judged by its age.

use gist::links;
use vocabulary::WallTime;

use crate::plain::{plain, shortened};

/// Most stories of a source that are kept.
pub(crate) const MOST_STORIES: usize = 60;

const TITLE_CHARS: usize = 200;
const SUMMARY_CHARS: usize = 400;
const AUTHOR_CHARS: usize = 80;

/// One thing a source has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Story {
    /// Canonical.
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) author: Option<String>,
    pub(crate) published_at: Option<WallTime>,
    pub(crate) points: Option<u64>,
    pub(crate) comments: Option<u64>,
    pub(crate) views: Option<u64>,
    pub(crate) nsfw: bool,
}

/// A story as its source writes it, markup and all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft<'a> {
    pub(crate) url: &'a str,
    pub(crate) title: &'a str,
    pub(crate) summary: &'a str,
    pub(crate) author: &'a str,
    pub(crate) published_at: Option<WallTime>,
    pub(crate) points: Option<u64>,
    pub(crate) comments: Option<u64>,
    pub(crate) views: Option<u64>,
    pub(crate) nsfw: bool,
}

impl Draft<'_> {
    /// The story; none where its address is none of a page, or where there is nothing to be said of it.
    pub(crate) fn finished(self) -> Option<Story> {
        let url = links::canonical(self.url)?;
        let summary = plain(self.summary, SUMMARY_CHARS);
        let title = match plain(self.title, TITLE_CHARS) {
            // Short messages often have no title of their own.
            title if title.is_empty() => shortened(&summary, TITLE_CHARS),
            title => title,
        };
        if title.is_empty() {
            return None;
        }
        let author = plain(self.author, AUTHOR_CHARS);
        Some(Story {
            nsfw: self.nsfw || says_nsfw(&title),
            url,
            summary: if summary == title { String::new() } else { summary },
            title,
            author: (!author.is_empty()).then_some(author),
            published_at: self.published_at,
            points: self.points,
            comments: self.comments,
            views: self.views,
        })
    }
}

/// Whether a text marks itself as not safe for work, as titles and categories do.
pub(crate) fn says_nsfw(text: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric())
        .any(|word| word.eq_ignore_ascii_case("nsfw"))
}

/// What was read of a source.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Stories {
    /// What the source calls itself; may be empty.
    pub(crate) title: String,
    pub(crate) order: Order,
    pub(crate) stories: Vec<Story>,
}

/// In which order a source has its stories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// The most noticed first.
    Ranked,
    /// Any; what is new counts.
    #[default]
    Dated,
}

#[cfg(test)]
#[path = "story_tests.rs"]
mod tests;
