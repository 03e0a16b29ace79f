//! How much a model thinks before it speaks, how that is said to it, and what room its thoughts are given.

use settings::Effort;

use crate::catalogue::{Provider, Thinking};

/// What a request says about thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thought {
    /// How much effort to make, in the provider's word.
    pub(crate) effort: Option<&'static str>,
    pub(crate) switch: Switch,
    /// Tokens for it, on top of the answer's own: thoughts are written out of the same allowance.
    pub(crate) room: u32,
}

/// Beside effort, some providers have a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    Unsaid,
    Off,
    /// As the model finds right.
    Adaptive,
    /// At most so many tokens.
    Budget(u32),
}

/// What a model was found to refuse or to do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Found {
    /// It does not take a word for effort.
    pub(crate) no_effort: bool,
    /// It does not take the switch.
    pub(crate) no_switch: bool,
    /// It calls tools only where it does not think.
    pub(crate) no_thought: bool,
    /// It was seen to think.
    pub(crate) thinks: bool,
    /// An answer of its had no room left for words.
    pub(crate) needs_room: bool,
}

/// What is said to a model about thinking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThoughtQuestion<'a> {
    pub(crate) provider: Provider,
    pub(crate) model: &'a str,
    pub(crate) thinking: Thinking,
    /// The words it knows for effort.
    pub(crate) words: &'a [String],
    pub(crate) wanted: Effort,
    pub(crate) found: Found,
}

/// Words for effort, the least first.
const WORDS: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];
/// What servers that speak like OpenAI know of them.
const USUAL_WORDS: &[&str] = &["none", "low", "medium", "high"];
/// The least room for thoughts of a model that had none left for words.
const MORE_ROOM: u32 = 8_000;

impl Thought {
    pub(crate) fn of(question: ThoughtQuestion<'_>) -> Self {
        let ThoughtQuestion { thinking, found, .. } = question;
        let known: Vec<&'static str> = WORDS
            .into_iter()
            .filter(|word| question.words.iter().any(|known| known == word))
            .collect();
        let (thinks, words) = match thinking {
            // What such a server can do is learnt from it, the words included.
            Thinking::None | Thinking::Optional if found.thinks => (Thinking::Always, USUAL_WORDS),
            thinking => (thinking, known.as_slice()),
        };
        let wanted = if found.no_thought {
            Effort::None
        } else {
            question.wanted
        };
        let of = |wanted: Effort| match question.provider {
            Provider::Anthropic => anthropic(thinks, words, wanted),
            Provider::Gemini => gemini(question.model, thinks, words, wanted),
            Provider::OpenAi | Provider::Compatible => openai(thinks, words, wanted),
            Provider::Offline => Thought::NONE,
        };
        let mut thought = of(wanted);
        if found.no_switch && thought.switch != Switch::Unsaid {
            thought.switch = Switch::Unsaid;
            thought.room = room(thinks, wanted.max_of(Effort::Low));
        }
        if found.no_effort && thought.effort.is_some() {
            thought.effort = None;
            thought.room = thought.room.max(room(thinks, wanted.max_of(Effort::Low)));
        }
        if found.needs_room {
            // One word less where there is one, and no less room than before: all of it is paid for.
            let calmer = of(match wanted {
                // Of one that was not known to think nobody has wanted little yet.
                Effort::Low if known.is_empty() => Effort::Low,
                wanted => calmer(wanted),
            });
            if !found.no_switch {
                thought.switch = calmer.switch;
            }
            if !found.no_effort && thought.switch == calmer.switch {
                thought.effort = calmer.effort;
            }
            thought.room = thought.room.max(MORE_ROOM);
        }
        thought
    }

    const NONE: Self = Self {
        effort: None,
        switch: Switch::Unsaid,
        room: 0,
    };
}

fn anthropic(thinks: Thinking, words: &[&'static str], wanted: Effort) -> Thought {
    let quiet = matches!(wanted, Effort::None | Effort::Minimal);
    let switch = match (thinks, quiet) {
        (Thinking::Default, true) => Switch::Off,
        // A model of the time before effort wants a budget instead, which nobody here has asked for.
        (Thinking::Optional, false) if wanted != Effort::Low && !words.is_empty() => Switch::Adaptive,
        _ => Switch::Unsaid,
    };
    let speaks_of_effort = switch != Switch::Off && thinks != Thinking::None;
    Thought {
        effort: nearest(words, wanted).filter(|_| speaks_of_effort),
        switch,
        room: match (thinks, switch) {
            (_, Switch::Off) | (Thinking::Optional, Switch::Unsaid) => 0,
            _ => room(thinks, wanted),
        },
    }
}

fn openai(thinks: Thinking, words: &[&'static str], wanted: Effort) -> Thought {
    if matches!(thinks, Thinking::None | Thinking::Optional) {
        return Thought::NONE;
    }
    let effort = nearest(words, wanted);
    Thought {
        effort,
        switch: Switch::Unsaid,
        room: match effort {
            Some("none") => 0,
            _ => room(thinks, wanted),
        },
    }
}

/// The third generation is told a level, the one before it a number of tokens.
fn gemini(model: &str, thinks: Thinking, words: &[&'static str], wanted: Effort) -> Thought {
    if thinks == Thinking::None {
        return Thought::NONE;
    }
    if !words.is_empty() {
        return Thought {
            effort: nearest(words, wanted),
            switch: Switch::Unsaid,
            room: room(thinks, wanted),
        };
    }
    // The large one cannot be told not to.
    let least = if model.contains("pro") { 128 } else { 0 };
    let budget = match wanted {
        Effort::None | Effort::Minimal => least,
        // Its first word comes sooner so.
        Effort::Low if least == 0 => 0,
        Effort::Low => 1_024,
        Effort::Medium => 4_096,
        Effort::High => 16_384,
        Effort::Max if model.contains("pro") => 32_768,
        Effort::Max => 24_576,
    };
    Thought {
        effort: None,
        switch: Switch::Budget(budget),
        room: budget,
    }
}

/// A little less than what is wanted.
fn calmer(wanted: Effort) -> Effort {
    match wanted {
        Effort::Max => Effort::High,
        Effort::High => Effort::Medium,
        Effort::Medium => Effort::Low,
        Effort::Low => Effort::Minimal,
        Effort::Minimal | Effort::None => Effort::None,
    }
}

/// The word for what is wanted: the nearest below that the model knows, or its least.
fn nearest(words: &[&'static str], wanted: Effort) -> Option<&'static str> {
    let rank = |word: &str| WORDS.iter().position(|known| *known == word);
    let most = rank(wanted.name());
    let below = words.iter().filter(|word| rank(word) <= most);
    below
        .max_by_key(|word| rank(word))
        .or_else(|| words.iter().min_by_key(|word| rank(word)))
        .copied()
}

fn room(thinks: Thinking, wanted: Effort) -> u32 {
    match (thinks, wanted) {
        (Thinking::None, _) => 0,
        (_, Effort::None | Effort::Minimal) => 1_000,
        (_, Effort::Low) => 2_000,
        (_, Effort::Medium) => 6_000,
        (_, Effort::High) => 16_000,
        (_, Effort::Max) => 32_000,
    }
}

/// Of two wishes the greater.
trait Greater {
    fn max_of(self, other: Self) -> Self;
}

impl Greater for Effort {
    fn max_of(self, other: Self) -> Self {
        let rank = |effort: Effort| WORDS.iter().position(|word| *word == effort.name());
        if rank(self) >= rank(other) { self } else { other }
    }
}

#[cfg(test)]
#[path = "thought_tests.rs"]
mod tests;
