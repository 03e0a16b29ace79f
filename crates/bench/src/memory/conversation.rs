//! Reads long conversations with questions about them, as records of memory: turns, and facts as gems that cite them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Map, Value};
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Gem, GemId, GemSource, GemTag, PersonId, Place, RoomId,
    SessionId, TurnKey, TurnKind, WallTime, calendar, rfc3339,
};

use crate::read_list;

/// One conversation, in a community of its own.
#[derive(Debug, Clone)]
pub struct Conversation {
    pub name: String,
    pub turns: Vec<CapturedTurn>,
    /// Facts that somebody noted, standing in for gems.
    pub gems: Vec<Gem>,
    pub questions: Vec<Question>,
    pub counts: Counts,
}

/// What could be asked, and what had to be mended or left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    pub questions_asked: usize,
    /// Without evidence that names a turn.
    pub questions_skipped: usize,
    /// Evidence that was misspelt and could be read all the same.
    pub evidence_repaired: usize,
    /// Evidence that names no turn.
    pub evidence_skipped: usize,
}

/// A question with the turns that answer it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub text: String,
    pub evidence: Vec<TurnKey>,
    pub category: u64,
}

/// A conversation as it is written; further fields are ignored, some of them because they give answers away.
#[derive(Debug, Deserialize)]
struct Written {
    sample_id: Option<String>,
    conversation: Map<String, Value>,
    qa: Vec<WrittenQuestion>,
    #[serde(default)]
    observation: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct WrittenTurn {
    speaker: String,
    dia_id: String,
    text: String,
    blip_caption: Option<String>,
}

#[derive(Debug, Deserialize)]
struct WrittenQuestion {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    category: u64,
}

/// All conversations of a file.
pub fn read(file: &Path) -> Result<Vec<Conversation>> {
    let written: Vec<Written> = read_list(
        file,
        "conversation (session_1, session_2 …) \
             and qa (questions with evidence and category)",
    )?;
    let conversations = written.into_iter().enumerate();
    conversations
        .map(|(place, written)| {
            understand(place, written)
                .with_context(|| format!("{}, conversation {}", file.display(), place + 1))
        })
        .collect()
}

fn understand(place: usize, written: Written) -> Result<Conversation> {
    let mut conversation = Conversation {
        name: written
            .sample_id
            .unwrap_or_else(|| format!("conversation-{}", place + 1)),
        turns: Vec::new(),
        gems: Vec::new(),
        questions: Vec::new(),
        counts: Counts::default(),
    };
    for (number, session, date) in sessions(&written.conversation)? {
        conversation.add_session(number, session, date);
    }
    let turns = conversation
        .turns
        .iter()
        .map(|turn| (turn.id.clone(), turn.clone()));
    let turns: BTreeMap<TurnKey, CapturedTurn> = turns.collect();
    for facts in written.observation.values().filter_map(Value::as_object) {
        for (person, facts) in facts {
            for fact in facts.as_array().into_iter().flatten() {
                conversation.add_gem(person, fact, &turns);
            }
        }
    }
    for question in written.qa {
        conversation.add_question(question, &turns);
    }
    Ok(conversation)
}

impl Conversation {
    pub fn place(&self) -> Place {
        Place {
            community: CommunityId::from(self.name.as_str()),
            room: RoomId::from(self.name.as_str()),
            private: false,
        }
    }

    /// When the last of it was said.
    pub fn end(&self) -> WallTime {
        self.turns.iter().map(|turn| turn.at).max().unwrap_or_default()
    }

    fn key(&self, id: TurnId) -> TurnKey {
        TurnKey::new(format!("{}/D{}:{}", self.name, id.0, id.1))
    }

    fn person(&self, name: &str) -> PersonId {
        PersonId::new(format!("{}/{name}", self.name))
    }

    fn add_session(&mut self, number: u32, session: Vec<WrittenTurn>, date: WallTime) {
        for (place, turn) in session.into_iter().enumerate() {
            let number_in_session = place as u64 + 1;
            let id = turn_ids(&turn.dia_id).first().copied();
            self.turns.push(CapturedTurn {
                id: self.key(id.unwrap_or((number, number_in_session as u32))),
                place: self.place(),
                session: SessionId::new(format!("{}/{number}", self.name)),
                number: number_in_session,
                speaker: Author {
                    id: self.person(&turn.speaker),
                    name: turn.speaker,
                    kind: AuthorKind::Person,
                },
                kind: TurnKind::Typed,
                text: match turn.blip_caption {
                    Some(caption) => format!("{}\n{caption}", turn.text),
                    None => turn.text,
                },
                at: WallTime(date.0 + place as i64 * 60_000),
            });
        }
    }

    fn add_gem(&mut self, person: &str, fact: &Value, turns: &BTreeMap<TurnKey, CapturedTurn>) {
        let (Some(content), Some(cited)) = (fact[0].as_str(), fact.get(1)) else {
            return;
        };
        let cited = match cited {
            Value::Array(cited) => cited.iter().filter_map(Value::as_str).collect(),
            other => other.as_str().into_iter().collect::<Vec<_>>(),
        };
        let cited = cited.into_iter().flat_map(turn_ids).map(|id| self.key(id));
        let cited: Vec<&CapturedTurn> = cited.filter_map(|key| turns.get(&key)).collect();
        let Some(first) = cited.first() else {
            return;
        };
        self.gems.push(Gem {
            gem_id: GemId::new(format!("{}/gem-{}", self.name, self.gems.len() + 1)),
            content: content.to_owned(),
            summary: content.to_owned(),
            topics: Vec::new(),
            importance: 0.5,
            source: GemSource {
                session_id: first.session.clone(),
                date: rfc3339::date(first.at),
                turn_range: String::new(),
                turns: cited.iter().map(|turn| turn.id.clone()).collect(),
            },
            tags: vec![GemTag::Fact],
            created_at: first.at,
            place: self.place(),
            person: Some(self.person(person)),
            person_name: person.to_owned(),
            attribute: None,
            claim: false,
            standing: false,
            pinned: false,
            strength: 1,
            last_seen_at: first.at,
            valid_from: first.at,
            valid_until: None,
            superseded_by: None,
            made_by: "annotation".to_owned(),
        });
    }

    fn add_question(&mut self, question: WrittenQuestion, turns: &BTreeMap<TurnKey, CapturedTurn>) {
        let mut evidence = Vec::new();
        for written in &question.evidence {
            let ids = turn_ids(written);
            let known: Vec<TurnKey> = ids
                .iter()
                .map(|id| self.key(*id))
                .filter(|key| turns.contains_key(key))
                .collect();
            self.counts.evidence_skipped += ids.len().max(1) - known.len();
            let is_misspelt = ids
                .first()
                .is_none_or(|(session, turn)| *written != format!("D{session}:{turn}"));
            if is_misspelt {
                self.counts.evidence_repaired += known.len();
            }
            evidence.extend(known);
        }
        evidence.sort();
        evidence.dedup();
        if evidence.is_empty() {
            self.counts.questions_skipped += 1;
            return;
        }
        self.counts.questions_asked += 1;
        self.questions.push(Question {
            text: question.question,
            evidence,
            category: question.category,
        });
    }
}

/// Sessions 1, 2, 3 … with their turns and when they began.
fn sessions(conversation: &Map<String, Value>) -> Result<Vec<(u32, Vec<WrittenTurn>, WallTime)>> {
    let number = |key: &String| {
        key.strip_prefix("session_")
            .and_then(|number| number.parse::<u32>().ok())
    };
    let mut numbers: Vec<u32> = conversation.keys().filter_map(number).collect();
    numbers.sort_unstable();
    ensure!(
        !numbers.is_empty(),
        "no sessions: conversation must hold session_1, session_2 …, each a list of turns"
    );
    let sessions = numbers.into_iter().map(|number| {
        let turns = serde_json::from_value(conversation[&format!("session_{number}")].clone()).with_context(
            || {
                format!(
                    "session_{number} must be a list of turns with speaker, dia_id (D{number}:1 …) and text"
                )
            },
        )?;
        let date = conversation
            .get(&format!("session_{number}_date_time"))
            .and_then(Value::as_str);
        Ok((number, turns, date.and_then(date_time).unwrap_or_default()))
    });
    sessions.collect()
}

/// `1:56 pm on 8 May, 2023`.
fn date_time(written: &str) -> Option<WallTime> {
    let (clock, date) = written.split_once(" on ")?;
    let (clock, half) = clock.trim().split_once(' ')?;
    let (hour, minute) = clock.split_once(':')?;
    let hour = hour.parse::<u32>().ok()? % 12 + if half == "pm" { 12 } else { 0 };
    let mut parts = date.split([' ', ',']).filter(|part| !part.is_empty());
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let month = calendar::month(&month.to_lowercase())?;
    rfc3339::parse(&format!("{year}-{month:02}-{day:0>2}T{hour:02}:{minute}:00Z"))
}

/// Session and turn of `D8:6`.
type TurnId = (u32, u32);

/// The ids in what should be one: `D8:6; D9:17` names two, `D:11:26` and `D30:05` are misspelt.
fn turn_ids(written: &str) -> Vec<TurnId> {
    let parts =
        written.split(|character: char| !(character.is_ascii_digit() || matches!(character, ':' | 'D')));
    let ids = parts.flat_map(|part| part.split('D')).filter_map(|part| {
        let (session, turn) = part.trim_matches(':').split_once(':')?;
        Some((session.parse().ok()?, turn.parse().ok()?))
    });
    ids.collect()
}
