//! Finds what to say: small courtesies, quotations of what was said before, and what is remembered.

use super::about;
use super::fitting::{best_fits, meanings, quote, short};
use super::recollection::Fact;
use super::transcript::{Scene, Speaker, Utterance};
use super::words::{GREETINGS, SAYING, all_words, content_words, opens_a_question, stem};

/// A memory answers with less around it, so it must fit better.
const FACT_FIT_MIN: f64 = 0.5;
/// Memories that are told at once.
const FACTS_MAX: usize = 5;
/// Messages in a summary.
const SUMMARY_LINES_MAX: usize = 5;

/// What it would say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Thought {
    pub(super) text: String,
    pub(super) reason: &'static str,
    /// A question that the conversation really answers.
    pub(super) answers_a_question: bool,
    /// More than a nod: worth saying to somebody in an exchange with it.
    pub(super) goes_on: bool,
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
        .or_else(|| question.on_the_screen())
        .or_else(|| question.summary())
        .or_else(|| question.who_said_what())
        .or_else(|| question.all_that_is_known())
        .or_else(|| question.lookup())
        .unwrap_or_else(|| question.at_a_loss())
}

struct Question<'a> {
    scene: &'a Scene,
    words: Vec<String>,
    /// Who or what it names, as far as capital letters tell.
    names: Vec<String>,
    asks: bool,
    asker: &'a str,
}

impl<'a> Question<'a> {
    fn new(newest: &'a Utterance, scene: &'a Scene) -> Self {
        let own_name = all_words(&scene.own_name);
        let mut words = all_words(&newest.text);
        words.retain(|word| !own_name.contains(word));
        let capitalised = newest.text.split_whitespace().skip(1).filter(|word| {
            let mut letters = word.chars();
            letters.next().is_some_and(char::is_uppercase) && letters.next().is_some()
        });
        let names = capitalised.flat_map(content_words);
        Self {
            names: names
                .filter(|name| words.iter().any(|word| stem(word) == *name))
                .collect(),
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
        if self.says("who are you") || self.says("what are you") || self.says("your name") {
            let text = format!("I am {own_name}. {}", about::what_it_is(self.scene));
            return Some(courtesy(text, "asked who it is"));
        }
        let asks_for_help = [
            "what can you do",
            "what do you do",
            "can you help",
            "how does this work",
        ];
        if asks_for_help.iter().any(|phrase| self.says(phrase)) || self.words == ["help"] {
            return Some(found(about::what_it_can(self.scene), "asked what it can do"));
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
        let mut lines: Vec<&Utterance> = self
            .scene
            .before()
            .iter()
            .filter(|line| line.who != Speaker::Own && content_words(&line.text).len() >= 2)
            .collect();
        let earlier = about::earlier(self.scene);
        if lines.is_empty() && earlier.is_empty() {
            return Some(courtesy(
                "Nothing much was said here before.".to_owned(),
                "asked for a summary of nothing",
            ));
        }
        let left_out = lines.len().saturating_sub(SUMMARY_LINES_MAX);
        lines.drain(..left_out);
        let quotes: Vec<String> = lines.into_iter().map(quote).collect();
        let opening = if left_out > 0 || !earlier.is_empty() {
            "Lately"
        } else {
            "So far"
        };
        let lately = (!quotes.is_empty()).then(|| format!("{opening}: {}.", quotes.join("; ")));
        let told: Vec<String> = Some(earlier)
            .filter(|text| !text.is_empty())
            .into_iter()
            .chain(lately)
            .collect();
        Some(found(told.join("\n"), "listed what was said"))
    }

    /// "What is on the screen?", "what do you see?"
    fn on_the_screen(&self) -> Option<Thought> {
        let wanted = self.has_any(&["screen", "stream", "share"]) || self.says("you see");
        let seen = self.scene.seen.as_ref().filter(|_| self.asks && wanted)?;
        Some(found(seen.told(), "told what was noted of the screen"))
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
        let lines: Vec<&Utterance> = self
            .others()
            .filter(|line| speaker.is_none_or(|name| line.who.name() == Some(name)))
            .collect();
        let best = if about.is_empty() {
            speaker.and_then(|_| lines.last().copied())
        } else {
            let fits = best_fits(&about, &meanings(&lines), |_| 1.0);
            fits.first().map(|(_, index)| lines[*index])
        };
        best.map(|line| found(format!("{}.", quote(line)), "found who said it"))
    }

    /// "What do you remember about me?"
    fn all_that_is_known(&self) -> Option<Thought> {
        let wanted = self.has_any(&["remember", "know"]) && (self.says("about me") || self.says("of me"));
        let of_asker = |fact: &&Fact| all_words(&fact.text).iter().any(|word| is_name(word, self.asker));
        let facts: Vec<&Fact> = self.scene.facts.iter().filter(of_asker).take(FACTS_MAX).collect();
        if !wanted || facts.is_empty() {
            return None;
        }
        Some(self.remembered(&facts, "listed what it remembers of the asker"))
    }

    fn lookup(&self) -> Option<Thought> {
        if !self.asks {
            return None;
        }
        let said = self.found_in_conversation();
        let recalled = self.found_in_memory();
        match (said, recalled) {
            // What was said just now is newer than any memory, unless the memory fits better.
            (Some((fit, _)), Some((recalled_fit, fact))) if recalled_fit > fit => Some(fact),
            (Some((_, thought)), _) | (None, Some((_, thought))) => Some(thought),
            (None, None) => None,
        }
    }

    fn found_in_memory(&self) -> Option<(f64, Thought)> {
        let own_affairs = self.has_any(&["my", "i", "me", "mine"]);
        // "What is your favourite colour?" does not ask for the asker's.
        if self.has_any(&["your", "yours"]) && !own_affairs {
            return None;
        }
        let about = self.meaning_without(None);
        let facts: Vec<&Fact> = self
            .scene
            .facts
            .iter()
            .filter(|fact| {
                let meaning = content_words(&fact.text);
                let of_asker = || all_words(&fact.text).iter().any(|word| is_name(word, self.asker));
                self.names.iter().all(|name| meaning.contains(name)) && (!own_affairs || of_asker())
            })
            .collect();
        let meanings: Vec<Vec<String>> = facts.iter().map(|fact| content_words(&fact.text)).collect();
        let fits = best_fits(&about, &meanings, |_| 1.0);
        let (fit, best) = *fits.iter().max_by(|left, right| left.0.total_cmp(&right.0))?;
        (fit >= FACT_FIT_MIN).then(|| {
            let mut thought = self.remembered(&[facts[best]], "found what it remembers that fits best");
            // Unasked, it says to people only what is their own.
            thought.answers_a_question = own_affairs;
            (fit, thought)
        })
    }

    fn remembered(&self, facts: &[&Fact], reason: &'static str) -> Thought {
        let told: Vec<String> = facts
            .iter()
            .map(|fact| {
                format!(
                    "I remember from {}: {}",
                    fact.on,
                    short(&fact.told_to(self.asker))
                )
            })
            .collect();
        found(format!("{}.", told.join("; ")), reason)
    }

    fn found_in_conversation(&self) -> Option<(f64, Thought)> {
        let speaker = self.named_speaker();
        let about = self.meaning_without(None);
        // A question does not answer a question.
        let lines: Vec<&Utterance> = self.others().filter(|line| !line.text.contains('?')).collect();
        let own_affairs = self.has_any(&["my", "i", "me", "mine"]);
        let fits = best_fits(&about, &meanings(&lines), |index| {
            let line = lines[index];
            let by_the_named = speaker.is_some() && line.who.name() == speaker;
            let by_the_asker = own_affairs && line.who.name() == Some(self.asker);
            if by_the_named || by_the_asker { 1.4 } else { 1.0 }
        });
        let best = fits.iter().map(|(fit, _)| *fit).max_by(f64::total_cmp)?;
        let quotes: Vec<String> = fits.iter().map(|(_, index)| quote(lines[*index])).collect();
        let thought = found(
            format!("{}.", quotes.join("; ")),
            "found what fits the question best",
        );
        Some((best, thought))
    }

    fn at_a_loss(&self) -> Thought {
        let vocative = self.vocative();
        let what = about::what_it_is(self.scene);
        let text = if self.asks {
            format!(
                "I don't know{vocative}. Nothing that was said here or that I remember answers that. {what}"
            )
        } else {
            format!("I read that{vocative}. {what}")
        };
        let goes_on = self.asks || content_words(&self.words.join(" ")).len() >= 2;
        Thought {
            goes_on,
            ..courtesy(text, "the offline model has nothing to go by")
        }
    }

    /// Everyone else's words, and the asker's earlier ones.
    fn others(&self) -> impl Iterator<Item = &'a Utterance> {
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

fn courtesy(text: String, reason: &'static str) -> Thought {
    Thought {
        text,
        reason,
        answers_a_question: false,
        goes_on: true,
    }
}

fn found(text: String, reason: &'static str) -> Thought {
    Thought {
        text,
        reason,
        answers_a_question: true,
        goes_on: true,
    }
}
