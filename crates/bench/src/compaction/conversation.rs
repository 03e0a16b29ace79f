//! Reads long conversations with questions about them: sessions of turns, and for each question the turns that answer it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};
use vocabulary::{WallTime, calendar, rfc3339};

use super::words::content_words;
use crate::read_list;

/// Questions that are meant to have no answer.
const ADVERSARIAL: u64 = 5;

/// One conversation as one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    pub turns: Vec<Turn>,
    pub speakers: BTreeSet<String>,
    pub questions: Vec<Question>,
    pub questions_skipped: usize,
    pub evidence_skipped: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub speaker: String,
    pub text: String,
    /// The day of its session, where the file tells it.
    pub at: Option<WallTime>,
}

/// A question that can be judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Stems of the answer's content words, each once.
    pub answer: BTreeSet<String>,
    /// Positions of the turns that answer it.
    pub evidence: Vec<usize>,
}

/// A conversation as it is written; further fields are ignored, some of them because they give answers away.
#[derive(Debug, Deserialize)]
struct WrittenConversation {
    conversation: Map<String, Value>,
    qa: Vec<WrittenQuestion>,
}

#[derive(Debug, Deserialize)]
struct WrittenTurn {
    speaker: String,
    dia_id: String,
    text: String,
    blip_caption: Option<String>,
    #[serde(skip)]
    at: Option<WallTime>,
}

#[derive(Debug, Deserialize)]
struct WrittenQuestion {
    /// A text or a number.
    #[serde(default)]
    answer: Value,
    evidence: Vec<String>,
    category: u64,
}

/// All conversations of a file.
pub fn read(file: &Path) -> Result<Vec<Conversation>> {
    let written: Vec<WrittenConversation> = read_list(
        file,
        "conversation (speakers and session_1, \
             session_2 …) and qa (questions with answer, evidence and category)",
    )?;
    let conversations = written.into_iter().enumerate();
    conversations
        .map(|(number, written)| {
            understand(written).with_context(|| format!("{}, conversation {}", file.display(), number + 1))
        })
        .collect()
}

fn understand(written: WrittenConversation) -> Result<Conversation> {
    let mut conversation = Conversation {
        turns: Vec::new(),
        speakers: BTreeSet::new(),
        questions: Vec::new(),
        questions_skipped: 0,
        evidence_skipped: 0,
    };
    let mut positions = BTreeMap::new();
    for turn in turns(written.conversation)? {
        if let Some(id) = turn_ids(&turn.dia_id).first() {
            positions.insert(*id, conversation.turns.len());
        }
        conversation.speakers.insert(turn.speaker.clone());
        let text = match turn.blip_caption {
            Some(caption) => format!("{} [shared a picture: {caption}]", turn.text),
            None => turn.text,
        };
        conversation.turns.push(Turn {
            speaker: turn.speaker,
            text,
            at: turn.at,
        });
    }
    for question in written
        .qa
        .into_iter()
        .filter(|question| question.category != ADVERSARIAL)
    {
        conversation.ask(&question, &positions);
    }
    Ok(conversation)
}

impl Conversation {
    fn ask(&mut self, question: &WrittenQuestion, positions: &BTreeMap<TurnId, usize>) {
        let answer = match &question.answer {
            Value::String(answer) => answer.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let answer: BTreeSet<String> = content_words(&answer).into_iter().collect();
        let mut evidence = Vec::new();
        let mut skipped = 0;
        for written in &question.evidence {
            let ids = turn_ids(written);
            let found = ids.iter().filter_map(|id| positions.get(id));
            let known = evidence.len();
            evidence.extend(found);
            skipped += ids.len().max(1) - (evidence.len() - known);
        }
        self.evidence_skipped += skipped;
        if answer.is_empty() || evidence.is_empty() || skipped > 0 {
            self.questions_skipped += 1;
        } else {
            self.questions.push(Question { answer, evidence });
        }
    }
}

/// The turns of session 1, 2, 3 … in order.
fn turns(mut conversation: Map<String, Value>) -> Result<Vec<WrittenTurn>> {
    let is_session = |key: &&String| {
        key.strip_prefix("session_")
            .is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let sessions = conversation.keys().filter(is_session).count();
    ensure!(
        sessions > 0,
        "no sessions: conversation must hold session_1, session_2 …, each a list of turns"
    );
    let mut turns = Vec::new();
    let mut number = 0;
    let mut read = 0;
    // Numbers may be missing, but far apart they would be a mistake.
    while read < sessions {
        number += 1;
        ensure!(
            number <= sessions * 10 + 100,
            "session numbers have wide gaps: number the sessions from 1"
        );
        let Some(session) = conversation.remove(&format!("session_{number}")) else {
            continue;
        };
        read += 1;
        let at = conversation
            .get(&format!("session_{number}_date_time"))
            .and_then(Value::as_str)
            .and_then(day);
        let mut session: Vec<WrittenTurn> = serde_json::from_value(session).with_context(|| {
            format!("session_{number} must be a list of turns with speaker, dia_id (D{number}:1 …) and text")
        })?;
        session.iter_mut().for_each(|turn| turn.at = at);
        turns.extend(session);
    }
    Ok(turns)
}

/// The day of `1:56 pm on 8 May, 2023`.
pub fn day(written: &str) -> Option<WallTime> {
    let (_, date) = written.split_once(" on ")?;
    let words: Vec<&str> = date.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let [day, month, year] = words[..] else {
        return None;
    };
    let month = calendar::month(&month.to_lowercase())?;
    rfc3339::parse(&format!("{year}-{month:02}-{:02}", day.parse::<u8>().ok()?))
}

/// Session and turn of `D8:6`.
type TurnId = (u32, u32);

/// The ids in what should be one: `D8:6; D9:17` names two, `D:11:26` and `D30:05` are misspelt.
fn turn_ids(written: &str) -> Vec<TurnId> {
    let parts =
        written.split(|character: char| !(character.is_ascii_digit() || matches!(character, ':' | 'D')));
    parts
        .flat_map(|part| part.split('D'))
        .filter_map(turn_id)
        .collect()
}

fn turn_id(part: &str) -> Option<TurnId> {
    let (session, turn) = part.trim_matches(':').split_once(':')?;
    Some((session.parse().ok()?, turn.parse().ok()?))
}
