//! Questions a summary: which words of each answer it still holds, and whether under the right name.

use std::collections::BTreeSet;
use std::fmt;

use super::conversation::{Conversation, Question};
use super::words::content_words;

/// Judgements on a number of questions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub questions: usize,
    /// Questions of whose answer every word survives.
    pub answered: usize,
    /// Answered questions of whose answer every word stands under the name of a speaker of the evidence.
    pub attributed: usize,
    pub words: usize,
    pub words_kept: usize,
}

/// The judgements on questions whose evidence lies wholly before the cursor: on the sayable ones, and on all.
pub fn question(conversation: &Conversation, summary: &str, cursor: usize) -> (Tally, Tally) {
    let statements = statements(summary, &conversation.speakers);
    let kept: BTreeSet<&String> = statements.iter().flat_map(|statement| &statement.words).collect();
    let (mut sayable, mut asked) = (Tally::default(), Tally::default());
    let folded = |question: &&Question| question.evidence.iter().all(|turn| *turn < cursor);
    for question in conversation.questions.iter().filter(folded) {
        let kept = question.answer.iter().filter(|word| kept.contains(word)).count();
        let is_answered = kept == question.answer.len();
        let judged = Tally {
            questions: 1,
            answered: usize::from(is_answered),
            attributed: usize::from(is_answered && is_attributed(conversation, question, &statements)),
            words: question.answer.len(),
            words_kept: kept,
        };
        asked.add(judged);
        if is_sayable(conversation, question) {
            sayable.add(judged);
        }
    }
    (sayable, asked)
}

fn is_sayable(conversation: &Conversation, question: &Question) -> bool {
    let evidence = question
        .evidence
        .iter()
        .flat_map(|turn| content_words(&conversation.turns[*turn].text));
    let said: BTreeSet<String> = evidence.collect();
    question.answer.is_subset(&said)
}

fn is_attributed(conversation: &Conversation, question: &Question, statements: &[Statement]) -> bool {
    let speakers: BTreeSet<&String> = question
        .evidence
        .iter()
        .map(|turn| &conversation.turns[*turn].speaker)
        .collect();
    let theirs = statements
        .iter()
        .filter(|statement| statement.speakers.iter().any(|name| speakers.contains(name)));
    let words: BTreeSet<&String> = theirs.flat_map(|statement| &statement.words).collect();
    question.answer.iter().all(|word| words.contains(word))
}

/// A part of a summary, and whose it is.
struct Statement {
    speakers: Vec<String>,
    words: Vec<String>,
}

/// What follows `Name: ` is that speaker's up to the next such heading; before the first, a sentence is whose it names.
fn statements(summary: &str, speakers: &BTreeSet<String>) -> Vec<Statement> {
    let mut headings: Vec<(usize, &String)> = Vec::new();
    for speaker in speakers {
        let heading = format!("{speaker}: ");
        let found = summary.match_indices(&heading).map(|(at, _)| (at, speaker));
        headings.extend(found.filter(|(at, _)| *at == 0 || summary[..*at].ends_with(' ')));
    }
    headings.sort();
    let prose_end = headings.first().map_or(summary.len(), |(at, _)| *at);
    let prose = summary[..prose_end]
        .split_inclusive(['.', '!', '?'])
        .map(|sentence| Statement {
            speakers: speakers
                .iter()
                .filter(|name| sentence.contains(name.as_str()))
                .cloned()
                .collect(),
            words: content_words(sentence),
        });
    let ends = headings.iter().skip(1).map(|(at, _)| *at).chain([summary.len()]);
    let headed = headings.iter().zip(ends).map(|((at, speaker), end)| Statement {
        speakers: vec![(*speaker).clone()],
        words: content_words(&summary[*at..end]),
    });
    prose.chain(headed).collect()
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.questions += other.questions;
        self.answered += other.answered;
        self.attributed += other.attributed;
        self.words += other.words;
        self.words_kept += other.words_kept;
    }

    pub fn share_answered(&self) -> Option<f64> {
        share(self.answered, self.questions)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>9} {:>9} {:>9} {:>11}",
            self.questions,
            percent(share(self.answered, self.questions)),
            percent(share(self.words_kept, self.words)),
            percent(share(self.attributed, self.answered)),
        )
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}
