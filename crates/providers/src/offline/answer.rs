//! Finds what to say: small courtesies, and quotations of what was said before.

use super::transcript::{Line, Scene, Speaker};
use super::words::{all_words, content_words, stem};

/// Longest quotation.
const QUOTE_CHARS_MAX: usize = 280;
/// Share of a question's weight that a message must have to count as its answer.
const FIT_MIN: f64 = 0.34;
/// Messages in a summary.
const SUMMARY_LINES_MAX: usize = 5;

/// What it would say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Thought {
    pub(super) text: String,
    pub(super) reason: &'static str,
    /// A question that the conversation really answers.
    pub(super) answers_a_question: bool,
}

pub(super) fn think(scene: &Scene) -> Thought {
    let newest = scene.newest_lines();
    // In a burst the question may come before the afterthought.
    let Some(newest) = newest
        .iter()
        .rev()
        .find(|line| line.text.contains('?'))
        .or(newest.last())
    else {
        return courtesy(
            "I am here, but there is nothing to read yet.".to_owned(),
            "no message was shown",
        );
    };
    let question = Question::new(newest, scene);
    question
        .courtesies()
        .or_else(|| question.summary())
        .or_else(|| question.who_said_what())
        .or_else(|| question.lookup())
        .unwrap_or_else(|| question.at_a_loss())
}

struct Question<'a> {
    scene: &'a Scene,
    words: Vec<String>,
    asks: bool,
    asker: &'a str,
}

impl<'a> Question<'a> {
    fn new(newest: &'a Line, scene: &'a Scene) -> Self {
        let own_name = all_words(&scene.own_name);
        let mut words = all_words(&newest.text);
        words.retain(|word| !own_name.contains(word));
        Self {
            asks: newest.text.contains('?') || words.first().is_some_and(|first| opens_a_question(first)),
            asker: newest.who.name().unwrap_or(""),
            words,
            scene,
        }
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }

    fn has_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.has(word))
    }

    fn says(&self, phrase: &str) -> bool {
        format!(" {} ", self.words.join(" ")).contains(&format!(" {phrase} "))
    }

    /// ", Alice", or nothing where the name is not known.
    fn vocative(&self) -> String {
        if self.asker.is_empty() {
            String::new()
        } else {
            format!(", {}", self.asker)
        }
    }

    fn courtesies(&self) -> Option<Thought> {
        let vocative = self.vocative();
        let own_name = &self.scene.own_name;
        if self.says("who are you") || self.says("your name") {
            return Some(courtesy(
                format!(
                    "I am {own_name}, running on the built-in offline model: I can look up what was said here, and little else."
                ),
                "asked who it is",
            ));
        }
        if self.says("who am i") || self.says("my name") && self.asks {
            let text = if self.asker.is_empty() {
                "Your name is not shown to me.".to_owned()
            } else {
                format!("You are {} here.", self.asker)
            };
            return Some(courtesy(text, "asked for a name"));
        }
        if !self.asks && self.has_any(&["thanks", "thank", "thx", "cheers"]) {
            return Some(courtesy(format!("You're welcome{vocative}."), "was thanked"));
        }
        let meaning = content_words(&self.words.join(" "));
        let greets = |word: &String| GREETINGS.contains(&word.as_str());
        if self.words.first().is_some_and(greets)
            && meaning
                .iter()
                .all(|word| GREETINGS.iter().any(|known| stem(known) == *word))
        {
            return Some(courtesy(format!("Hello{vocative}."), "was greeted"));
        }
        None
    }

    fn summary(&self) -> Option<Thought> {
        let wanted = self.words.iter().any(|word| word.starts_with("summar"))
            || self.has_any(&["recap", "tldr"])
            || [
                "did i miss",
                "did we talk",
                "have we talked",
                "were we talking",
                "catch me up",
                "was said so far",
            ]
            .iter()
            .any(|phrase| self.says(phrase));
        if !wanted {
            return None;
        }
        let mut lines: Vec<&Line> = self
            .scene
            .before()
            .iter()
            .filter(|line| line.who != Speaker::Own && content_words(&line.text).len() >= 2)
            .collect();
        if lines.is_empty() {
            return Some(courtesy(
                "Nothing much was said here before.".to_owned(),
                "asked for a summary of nothing",
            ));
        }
        let left_out = lines.len().saturating_sub(SUMMARY_LINES_MAX);
        lines.drain(..left_out);
        let quotes: Vec<String> = lines.into_iter().map(quote).collect();
        let opening = if left_out > 0 { "Lately" } else { "So far" };
        Some(found(
            format!("{opening}: {}.", quotes.join("; ")),
            "listed what was said",
        ))
    }

    /// "What did Bob say about the train?", "who said that?", "what did I say?"
    fn who_said_what(&self) -> Option<Thought> {
        if !self.asks || !self.has_any(SAYING) {
            return None;
        }
        let speaker = self
            .named_speaker()
            .or_else(|| self.has("i").then_some(self.asker));
        let about = self.meaning_without(speaker);
        let lines: Vec<&Line> = self
            .others()
            .filter(|line| speaker.is_none_or(|name| line.who.name() == Some(name)))
            .collect();
        let best = if about.is_empty() {
            speaker.and_then(|_| lines.last().copied())
        } else {
            best_fits(&about, &lines, |_| 1.0).into_iter().next()
        };
        best.map(|line| found(format!("{}.", quote(line)), "found who said it"))
    }

    fn lookup(&self) -> Option<Thought> {
        if !self.asks {
            return None;
        }
        let speaker = self.named_speaker();
        let about = self.meaning_without(None);
        // A question does not answer a question.
        let lines: Vec<&Line> = self.others().filter(|line| !line.text.contains('?')).collect();
        let own_affairs = self.has_any(&["my", "i", "me", "mine"]);
        let fits = best_fits(&about, &lines, |line| {
            let by_the_named = speaker.is_some() && line.who.name() == speaker;
            let by_the_asker = own_affairs && line.who.name() == Some(self.asker);
            if by_the_named || by_the_asker { 1.4 } else { 1.0 }
        });
        if fits.is_empty() {
            return None;
        }
        let quotes: Vec<String> = fits.into_iter().map(quote).collect();
        Some(found(
            format!("{}.", quotes.join("; ")),
            "found what fits the question best",
        ))
    }

    fn at_a_loss(&self) -> Thought {
        let vocative = self.vocative();
        let text = if self.asks {
            format!(
                "I don't know{vocative}. I am the offline model: I can only look things up in this conversation, and nothing in it answers that."
            )
        } else {
            format!(
                "I read that{vocative}, but I am the offline model: I can only look things up in this conversation."
            )
        };
        courtesy(text, "the offline model has nothing to go by")
    }

    /// Everyone else's words, and the asker's earlier ones.
    fn others(&self) -> impl Iterator<Item = &'a Line> {
        self.scene.before().iter().filter(|line| line.who != Speaker::Own)
    }

    /// Somebody of this conversation whose name stands in the question.
    fn named_speaker(&self) -> Option<&'a str> {
        self.others()
            .filter_map(|line| line.who.name())
            .filter(|name| *name != self.asker)
            .find(|name| self.words.iter().any(|word| is_name(word, name)))
    }

    fn meaning_without(&self, name: Option<&str>) -> Vec<String> {
        let words: Vec<&str> = self
            .words
            .iter()
            .map(String::as_str)
            .filter(|word| name.is_none_or(|name| !is_name(word, name)) && !SAYING.contains(word))
            .collect();
        content_words(&words.join(" "))
    }
}

/// "bob", or "bobs" where an apostrophe was taken out.
fn is_name(word: &str, name: &str) -> bool {
    let first = all_words(name).into_iter().next().unwrap_or_default();
    !first.is_empty() && (word == first || word.strip_suffix('s') == Some(first.as_str()))
}

/// The message that has most of the question's rare words, and one more if it is nearly as good; oldest first.
fn best_fits<'a>(about: &[String], lines: &[&'a Line], favour: impl Fn(&Line) -> f64) -> Vec<&'a Line> {
    let meanings: Vec<Vec<String>> = lines
        .iter()
        .map(|line| content_words(&format!("{} {}", line.who.name().unwrap_or(""), line.text)))
        .collect();
    let weight = |word: &String| {
        let holders = meanings.iter().filter(|meaning| meaning.contains(word)).count();
        (1.0 + lines.len() as f64 / (1.0 + holders as f64)).ln()
    };
    let weights: Vec<f64> = about.iter().map(weight).collect();
    let whole: f64 = weights.iter().sum();
    let mut scored: Vec<(f64, usize)> = meanings
        .iter()
        .enumerate()
        .filter_map(|(index, meaning)| {
            let held: f64 = about
                .iter()
                .zip(&weights)
                .filter(|(word, _)| meaning.contains(word))
                .map(|(_, weight)| weight)
                .sum();
            let fit = held / whole;
            (held > 0.0 && fit >= FIT_MIN).then(|| (fit * favour(lines[index]), index))
        })
        .collect();
    // Of equals the newer one: people correct themselves.
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(right.1.cmp(&left.1)));
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    let mut chosen: Vec<usize> = scored
        .iter()
        .take(2)
        .filter(|(score, _)| *score >= best * 0.9)
        .map(|(_, index)| *index)
        .collect();
    chosen.sort_unstable();
    chosen.into_iter().map(|index| lines[index]).collect()
}

fn quote(line: &Line) -> String {
    let who = line.who.name().unwrap_or("Somebody");
    let text = line.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = text.chars().take(QUOTE_CHARS_MAX).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    if line.at.is_empty() {
        format!("{who} said: “{short}”")
    } else {
        format!("{who} said ({}): “{short}”", line.at)
    }
}

fn courtesy(text: String, reason: &'static str) -> Thought {
    Thought {
        text,
        reason,
        answers_a_question: false,
    }
}

fn found(text: String, reason: &'static str) -> Thought {
    Thought {
        text,
        reason,
        answers_a_question: true,
    }
}

fn opens_a_question(word: &str) -> bool {
    matches!(
        word,
        "what"
            | "whats"
            | "who"
            | "whos"
            | "when"
            | "whens"
            | "where"
            | "wheres"
            | "why"
            | "how"
            | "which"
            | "whose"
            | "remind"
    )
}

const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hiya",
    "greetings",
    "good",
    "morning",
    "evening",
    "afternoon",
    "hallo",
    "everyone",
    "all",
];
const SAYING: &[&str] = &[
    "say",
    "said",
    "says",
    "tell",
    "told",
    "mention",
    "mentioned",
    "write",
    "wrote",
    "ask",
    "asked",
    "suggest",
    "suggested",
];
