//! Fits sections into a budget by priority: what matters most is served first, and whole items are kept or left.

use gist::lexicon::sentence_end;
use vocabulary::{SectionFate, SectionReport};

/// A part of a prompt that wants room.
#[derive(Clone, Debug)]
pub struct Section {
    pub name: &'static str,
    /// Higher is served first.
    pub priority: u8,
    pub cap_chars: usize,
    /// Whole units, in the order they will stand: lines, facts, messages.
    pub items: Vec<String>,
    pub keep: Keep,
    /// What it holds, for the inspector.
    pub remark: String,
    /// Characters that were left out of each item before; none where there are fewer of these than items.
    pub cut: Vec<usize>,
}

impl Section {
    /// A part that takes so many characters at most.
    pub fn new(name: &'static str, priority: u8, cap_chars: usize, keep: Keep) -> Self {
        Self {
            name,
            priority,
            cap_chars,
            items: Vec::new(),
            keep,
            remark: String::new(),
            cut: Vec::new(),
        }
    }

    /// … that holds these items; empty ones are none.
    pub fn holding(mut self, items: impl IntoIterator<Item = String>) -> Self {
        self.items = items.into_iter().filter(|item| !item.is_empty()).collect();
        self
    }

    /// … from each of which so many characters were left out before.
    pub fn cut_by(mut self, cut: Vec<usize>) -> Self {
        self.cut = cut;
        self
    }

    /// … with a remark for the inspector.
    pub fn remarked(mut self, remark: &str) -> Self {
        remark.clone_into(&mut self.remark);
        self
    }
}

/// Which items stay when not all fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The last ones: conversation.
    Newest,
    /// The last ones too, but only so many of them are served by the section's own priority; those before them wait until
    /// what ranks above `older_priority` has its place.
    NewestFirst { newest: usize, older_priority: u8 },
    /// The first ones: ranked lists.
    First,
    /// All of it, cut at a sentence end only if even that is too long: instructions.
    Whole,
    /// As many of its sentences as fit, from the first on; none is cut.
    Sentences,
}

/// A section as it fits: the range of its items that stay, and the report.
#[derive(Clone, Debug)]
pub struct Fitted {
    pub kept: std::ops::Range<usize>,
    pub report: SectionReport,
}

/// What became of the section of that name.
pub fn place_of<'a>(fitted: &'a [Fitted], name: &str) -> Option<&'a Fitted> {
    fitted.iter().find(|place| place.report.name == name)
}

/// Fits sections into `budget_chars`; the answer is in the order the sections were given.
pub fn fit(sections: &[Section], budget_chars: usize) -> Vec<Fitted> {
    let mut left = budget_chars;
    let mut reserved = vec![0; sections.len()];
    let mut fitted: Vec<Option<Fitted>> = vec![None; sections.len()];
    for serving in servings(sections) {
        match serving {
            Serving::Newest(index, newest) => {
                reserved[index] = newest_chars(&sections[index], newest, left);
                left -= reserved[index];
            }
            Serving::Whole(index) => {
                left += reserved[index];
                let place = fit_one(&sections[index], left);
                left = left.saturating_sub(place.report.kept_chars);
                fitted[index] = Some(place);
            }
        }
    }
    fitted
        .into_iter()
        .map(|place| place.expect("every section was placed"))
        .collect()
}

/// A section whose turn it is.
enum Serving {
    /// Room is set aside for so many of its newest items.
    Newest(usize, usize),
    Whole(usize),
}

/// Who is served when: by priority, and in the order given where that is the same.
fn servings(sections: &[Section]) -> Vec<Serving> {
    let mut order: Vec<(u8, Serving)> = Vec::new();
    for (index, section) in sections.iter().enumerate() {
        match section.keep {
            Keep::NewestFirst {
                newest,
                older_priority,
            } => {
                order.push((section.priority, Serving::Newest(index, newest)));
                order.push((older_priority, Serving::Whole(index)));
            }
            _ => order.push((section.priority, Serving::Whole(index))),
        }
    }
    order.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
    order.into_iter().map(|(_, serving)| serving).collect()
}

/// What the newest items of a section take, as far as there is room.
fn newest_chars(section: &Section, newest: usize, left: usize) -> usize {
    let sizes = section.items.iter().rev().take(newest);
    let wanted: usize = sizes.map(|item| item.chars().count() + 1).sum();
    wanted.min(section.cap_chars).min(left)
}

fn fit_one(section: &Section, left: usize) -> Fitted {
    let room = section.cap_chars.min(left);
    let sizes: Vec<usize> = section
        .items
        .iter()
        .map(|item| item.chars().count() + 1)
        .collect();
    let wanted: usize = sizes.iter().sum();
    let count = section.items.len();
    let within = |sizes: &mut dyn Iterator<Item = &usize>| {
        let mut used = 0;
        sizes
            .take_while(|size| {
                used += **size;
                used <= room
            })
            .count()
    };
    let mut kept = match section.keep {
        Keep::Newest | Keep::NewestFirst { .. } => count - within(&mut sizes.iter().rev())..count,
        Keep::First => 0..within(&mut sizes.iter()),
        Keep::Whole | Keep::Sentences => 0..count,
    };
    let mut text = section.items[kept.clone()].join("\n");
    let is_prose = matches!(section.keep, Keep::Whole | Keep::Sentences);
    if is_prose && wanted > room {
        text = match section.keep {
            Keep::Sentences => whole_sentences(&text, room),
            _ => cut_at_sentence(&text, room),
        }
        .to_owned();
        if text.is_empty() {
            kept = 0..0;
        }
    }
    let kept_chars = text.chars().count();
    let cut: usize = section.cut.iter().skip(kept.start).take(kept.len()).sum();
    let fate = match () {
        () if wanted == 0 => SectionFate::Empty,
        () if kept_chars == 0 => SectionFate::Dropped,
        () if cut > 0 || kept.len() < count || (is_prose && kept_chars + 1 < wanted && wanted > room) => {
            SectionFate::Trimmed
        }
        () => SectionFate::Kept,
    };
    let remark = match fate {
        SectionFate::Trimmed if cut > 0 && kept.len() == count && kept_chars + 1 >= wanted => {
            format!(
                "{cut} characters of long messages are left out. {}",
                section.remark
            )
        }
        SectionFate::Trimmed | SectionFate::Dropped => {
            let cause = if left < section.cap_chars {
                "the prompt's budget"
            } else {
                "its own cap"
            };
            format!(
                "{} of {count} kept: {cause} ends here. {}",
                kept.len(),
                section.remark
            )
            .trim_end()
            .to_owned()
        }
        SectionFate::Kept | SectionFate::Empty => section.remark.clone(),
    };
    Fitted {
        kept,
        report: SectionReport {
            name: section.name.to_owned(),
            fate,
            priority: section.priority,
            wanted_chars: wanted.saturating_sub(1) + cut,
            kept_chars,
            cap_chars: section.cap_chars,
            remark,
            text,
        },
    }
}

/// The longest beginning of at most `limit` characters that ends with a sentence, else with a word.
pub fn cut_at_sentence(text: &str, limit: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text;
    };
    let head = &text[..end];
    match (whole_sentences(text, limit), head.rfind(' ')) {
        ("", Some(at)) => head[..at].trim_end(),
        ("", None) => head,
        (sentences, _) => sentences,
    }
}

/// The sentences from the beginning on that take at most `limit` characters together.
fn whole_sentences(text: &str, limit: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(limit) else {
        return text;
    };
    let sentence = text[..end].char_indices().rev().find_map(|(at, letter)| {
        let after = at + letter.len_utf8();
        match letter {
            '\n' => Some(after),
            _ => sentence_end(text, at).filter(|after| *after <= end),
        }
    });
    sentence.map_or("", |at| text[..at].trim_end())
}
