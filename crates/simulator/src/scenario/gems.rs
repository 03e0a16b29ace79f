//! What the script says of memory: what an extracting model finds, what the store does, what is known already.

use mind::Recollection;
use serde_json::{Value, json};
use vocabulary::{
    CommunityId, Found, Gem, GemId, GemSource, GemTag, Place, Record, RoomId, Scores, SessionId, Span,
    WallTime, rfc3339,
};

use super::cue::{Act, USUAL, act};
use super::words::Words;
use crate::director::StorePlan;
use crate::trace::WALL_START;

/// The answer of a model that found nothing worth remembering.
pub(super) fn none() -> String {
    json!({"gems": []}).to_string()
}

/// `finds "Alice prefers tea." in 2 of alice [importance 0.7] [as preference] [about "drink"]`, or whatever a model can do.
pub(super) fn extractor(words: &mut Words<'_>) -> Result<(Span, Act), String> {
    if !words.eat("finds") {
        return act(words);
    }
    let after = if words.eat("after") {
        words.expect_span()?
    } else {
        USUAL
    };
    let mut gems = vec![gem(words)?];
    while words.eat("and") {
        gems.push(gem(words)?);
    }
    Ok((after, Act::Writes(vec![json!({"gems": gems}).to_string()])))
}

fn gem(words: &mut Words<'_>) -> Result<Value, String> {
    let content = words.expect_quoted()?;
    let mut turns = Vec::new();
    if words.eat("in") {
        let list = words.take().unwrap_or_default();
        turns = list
            .split(',')
            .filter_map(|number| number.parse::<u64>().ok())
            .collect();
    }
    let speaker = if words.eat("of") {
        words.take().unwrap_or_default()
    } else {
        "Alice"
    };
    let importance = if words.eat("importance") {
        words
            .take()
            .and_then(|word| word.parse::<f64>().ok())
            .unwrap_or(0.5)
    } else {
        0.5
    };
    let tag = if words.eat("as") {
        words.take().unwrap_or_default()
    } else {
        "fact"
    };
    let attribute = if words.eat("about") {
        words.expect_quoted()?
    } else {
        String::new()
    };
    Ok(json!({
        "content": content, "summary": content, "topics": [], "importance": importance, "tags": [tag],
        "turns": turns, "speaker": speaker, "about": "", "attribute": attribute, "standing": false,
        "replaces": "", "repeats": ""
    }))
}

pub(super) fn storing(words: &mut Words<'_>) -> Result<StorePlan, String> {
    let usual = StorePlan::prompt();
    if words.eat("fails") {
        return Ok(StorePlan {
            lands: false,
            report: Some(false),
            ..usual
        });
    }
    if words.eat("is done and never confirmed") {
        return Ok(StorePlan {
            report: None,
            ..usual
        });
    }
    if words.eat("is done and reported failed") {
        return Ok(StorePlan {
            report: Some(false),
            ..usual
        });
    }
    Err("expected `storing fails`, `storing is done and never confirmed` or `storing is done and reported failed`".to_owned())
}

/// `recall knows "Bob plays the cello." about bob [sure 0.2] [claimed] [pinned] [standing] [as preference]`: known of him, and found with that confidence.
pub(super) fn knows(words: &mut Words<'_>) -> Result<Recollection, String> {
    let mut found = Recollection::default();
    loop {
        let content = words.expect_quoted()?;
        let person = if words.eat("about") {
            words.take().map(str::to_owned)
        } else {
            None
        };
        let confidence = if words.eat("sure") {
            words
                .take()
                .and_then(|word| word.parse::<f64>().ok())
                .unwrap_or(1.0)
        } else {
            1.0
        };
        let number = found.facts.len() + 1;
        let gem = Gem {
            claim: words.eat("claimed"),
            pinned: words.eat("pinned"),
            standing: words.eat("standing"),
            tags: match words.eat("as preference") {
                true => vec![GemTag::Preference],
                false => vec![GemTag::Fact],
            },
            ..known(&content, person.as_deref(), number)
        };
        // What is known of whom is answered is brought along; about anybody else only what fits.
        if person.as_deref() == Some("alice") {
            found.of_people.push(gem.clone());
        }
        found.facts.push(Found {
            record: Record::Gem(Box::new(gem)),
            scores: Scores {
                total: confidence,
                confidence,
                ..Scores::default()
            },
            matched: Vec::new(),
            through: Vec::new(),
        });
        if !words.eat("and") {
            return Ok(found);
        }
    }
}

fn known(content: &str, person: Option<&str>, number: usize) -> Gem {
    // Two days before the scenario.
    let at = WallTime(WALL_START.0 - 2 * 86_400_000);
    Gem {
        gem_id: GemId::new(format!("known-{number}")),
        content: content.to_owned(),
        summary: content.to_owned(),
        topics: Vec::new(),
        importance: 0.5,
        source: GemSource {
            session_id: SessionId::from("sim/lobby/2025-01-04"),
            date: rfc3339::date(at),
            turn_range: "1-1".to_owned(),
            turns: Vec::new(),
        },
        tags: vec![GemTag::Fact],
        created_at: at,
        place: Place {
            community: CommunityId::from("sim"),
            room: RoomId::from("lobby"),
            private: false,
        },
        person: person.map(Into::into),
        person_name: person.unwrap_or_default().to_owned(),
        attribute: None,
        claim: false,
        standing: false,
        pinned: false,
        strength: 1,
        last_seen_at: at,
        valid_from: at,
        valid_until: None,
        superseded_by: None,
        made_by: "offline".to_owned(),
    }
}
