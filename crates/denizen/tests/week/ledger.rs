//! Who asked what, and which message answered it. One answer may serve several questions that somebody asked in a row: the
//! journal says which messages an answer was for, so nobody has to guess it from the words.

use std::collections::{BTreeMap, BTreeSet};

use tokio::time::Instant;
use vocabulary::JournalSeq;

use crate::life::Life;

/// One question.
pub struct Asked {
    pub channel: usize,
    pub at: Instant,
    /// The id of its message.
    pub id: String,
}

/// What the journal tells of a message that went out.
pub struct Sent {
    pub message: String,
    /// The messages that it answers.
    pub answers: Vec<String>,
}

#[derive(Default)]
pub struct Ledger {
    pub asked: Vec<Asked>,
    /// How far the journal was read.
    after: JournalSeq,
    sent: Vec<Sent>,
    /// The messages that were answered, as the journal has it.
    answered: BTreeSet<String>,
}

impl Ledger {
    pub fn asks(&mut self, channel: usize, id: String) {
        self.asked.push(Asked {
            channel,
            at: Instant::now(),
            id,
        });
    }

    /// Takes in what was sent since the last time.
    pub async fn read_on(&mut self, life: &Life, guild: &str) {
        for sent in life.sent_since(guild, &mut self.after).await {
            self.answered.extend(sent.answers.iter().cloned());
            self.sent.push(sent);
        }
    }

    /// How many questions of a channel nobody has answered.
    pub fn open(&self, channel: usize) -> usize {
        let here = self.asked.iter().filter(|asked| asked.channel == channel);
        here.filter(|asked| !self.answered.contains(&asked.id)).count()
    }

    /// Everything that is not as it should be, given what the bot has written (ids and words): each question has one answer
    /// that can be read, each message was sent for a question, says so by its number, and stands there once.
    pub fn wrong(&self, written: &[(String, String)]) -> Vec<(Option<usize>, String)> {
        let there: BTreeSet<&str> = written.iter().map(|(id, _)| id.as_str()).collect();
        let mut wrong = Vec::new();
        for (number, asked) in self.asked.iter().enumerate() {
            let sent = self.sent.iter().filter(|sent| sent.answers.contains(&asked.id));
            let sent: Vec<&str> = sent.map(|sent| sent.message.as_str()).collect();
            let read = sent.iter().filter(|id| there.contains(**id)).count();
            if (sent.len(), read) != (1, 1) {
                let told = format!("question {number}: sent as {sent:?}, of which {read} can be read");
                wrong.push((Some(number), told));
            }
        }
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, content) in written {
            *words.entry(content).or_default() += 1;
            let sent = self.sent.iter().find(|sent| sent.message == *id);
            let meant = number(content).and_then(|number| self.asked.get(number));
            if !sent.is_some_and(|sent| meant.is_some_and(|meant| sent.answers.contains(&meant.id))) {
                wrong.push((
                    number(content),
                    format!("“{content}” ({id}) was not sent for that"),
                ));
            }
        }
        let again = words.into_iter().filter(|(_, times)| *times > 1);
        wrong.extend(again.map(|(content, times)| (number(content), format!("“{content}” {times} times"))));
        wrong
    }
}

/// Which question words of the bot answer.
fn number(words: &str) -> Option<usize> {
    words.strip_prefix("Answer ")?.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(sent: &[(&str, &[&str])]) -> Ledger {
        let mut ledger = Ledger::default();
        ledger.asks(0, "a".to_owned());
        ledger.asks(0, "b".to_owned());
        ledger.sent = sent
            .iter()
            .map(|(message, answers)| Sent {
                message: (*message).to_owned(),
                answers: answers.iter().map(|id| (*id).to_owned()).collect(),
            })
            .collect();
        ledger
    }

    fn wrong(sent: &[(&str, &[&str])], written: &[(&str, &str)]) -> usize {
        let written: Vec<_> = written
            .iter()
            .map(|(id, words)| ((*id).to_owned(), (*words).to_owned()))
            .collect();
        ledger(sent).wrong(&written).len()
    }

    #[test]
    fn one_answer_may_serve_two_questions_and_nothing_else_is_right() {
        let both: &[&str] = &["a", "b"];
        assert_eq!(wrong(&[("1", both)], &[("1", "Answer 1.")]), 0);
        let apart: &[(&str, &[&str])] = &[("1", &["a"]), ("2", &["b"])];
        assert_eq!(wrong(apart, &[("1", "Answer 0."), ("2", "Answer 1.")]), 0);
        // Lost: never answered, or never seen.
        assert_eq!(wrong(&[("1", &["b"])], &[("1", "Answer 1.")]), 1);
        assert_eq!(wrong(&[("1", both)], &[]), 2);
        // Twice: two answers, or one that was written again.
        let twice: &[(&str, &[&str])] = &[("1", both), ("2", &["b"])];
        assert_eq!(wrong(twice, &[("1", "Answer 0."), ("2", "Answer 1.")]), 1);
        assert_eq!(
            wrong(&[("1", both)], &[("1", "Answer 1."), ("2", "Answer 1.")]),
            2
        );
        // Words for somebody else.
        assert_eq!(wrong(&[("1", both)], &[("1", "Answer 7.")]), 1);
    }
}
