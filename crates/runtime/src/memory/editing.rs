//! What a person or another agent changes by hand: a gem added, corrected, pinned, or replaced by what holds now.

use gist::gems::gem_id;
use gist::gems::planted::is_planted;
use gist::gems::redaction::redact;
use serde::Deserialize;
use vocabulary::{Gem, GemId, GemSource, GemTag, PersonId, Place, Record, SessionId, TurnKey, rfc3339};

use super::changing::Quiet;
use super::records::MemoryRecords;
use crate::clock::wall;
use crate::ports::MemoryFault;

/// Longest content of a gem.
pub const GEM_CHARS_MAX: usize = 2_000;
/// Who an operator's own gems are by.
pub const OPERATOR: &str = "operator";
const SUMMARY_CHARS_MAX: usize = 200;
const TOPICS_MAX: usize = 12;

/// A gem put in by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGem {
    pub content: String,
    pub summary: Option<String>,
    pub topics: Vec<String>,
    pub importance: Option<f64>,
    pub tags: Vec<GemTag>,
    pub person: Option<PersonId>,
    pub person_name: String,
    pub place: Place,
    pub session: SessionId,
    pub standing: bool,
    /// Who puts it in: `operator`, or an agent's name.
    pub made_by: String,
}

/// Changes to a gem; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "describe", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GemEdit {
    pub content: Option<String>,
    pub summary: Option<String>,
    pub topics: Option<Vec<String>>,
    pub importance: Option<f64>,
    pub tags: Option<Vec<GemTag>>,
    pub pinned: Option<bool>,
    pub standing: Option<bool>,
}

impl MemoryRecords {
    /// Remembers something by hand. The same content of the same place and session is the same gem.
    pub async fn remember(&self, new: NewGem) -> Result<Gem, MemoryFault> {
        let gem = made(new)?;
        if let Some(known) = self.gem(&gem.gem_id).await? {
            return Ok(known);
        }
        self.put(vec![Record::Gem(Box::new(gem.clone()))]).await?;
        Ok(gem)
    }

    /// Corrects a gem; its id and source stay.
    pub async fn edit(&self, id: &GemId, edit: GemEdit) -> Result<Gem, MemoryFault> {
        let (_quiet, mut gem) = self.held(id).await?;
        if let Some(content) = edit.content {
            gem.content = checked_content(&content)?;
            gem.summary = shortened(&gem.content);
        }
        if let Some(summary) = edit.summary {
            gem.summary = shortened(&summary);
        }
        if let Some(topics) = edit.topics {
            gem.topics = topics.into_iter().take(TOPICS_MAX).collect();
        }
        if let Some(importance) = edit.importance {
            gem.importance = checked_importance(importance)?;
        }
        if let Some(tags) = edit.tags {
            gem.tags = tags;
        }
        gem.pinned = edit.pinned.unwrap_or(gem.pinned);
        gem.standing = edit.standing.unwrap_or(gem.standing);
        self.put(vec![Record::Gem(Box::new(gem.clone()))]).await?;
        Ok(gem)
    }

    /// A gem holds no more: another one does instead. Both are kept; the older one with its end.
    pub async fn supersede(&self, old: &GemId, by: &GemId) -> Result<(Gem, Gem), MemoryFault> {
        if old == by {
            return Err(MemoryFault::Refused("a gem cannot supersede itself".to_owned()));
        }
        let (_quiet, old) = self.held(old).await?;
        let new = self.existing(by).await?;
        self.replace(old, new).await
    }

    /// The older gem gets its end.
    async fn replace(&self, mut old: Gem, new: Gem) -> Result<(Gem, Gem), MemoryFault> {
        old.valid_until = Some(new.valid_from.max(old.valid_from));
        old.superseded_by = Some(new.gem_id.clone());
        self.put(vec![Record::Gem(Box::new(old.clone()))]).await?;
        Ok((new, old))
    }

    /// The same with what holds now in words; whom and where it is about stays.
    pub async fn supersede_with(
        &self,
        old: &GemId,
        content: &str,
        made_by: &str,
    ) -> Result<(Gem, Gem), MemoryFault> {
        let (_quiet, known) = self.held(old).await?;
        let old = known.clone();
        let new = self
            .remember(NewGem {
                content: content.to_owned(),
                summary: None,
                topics: known.topics,
                importance: Some(known.importance),
                tags: known.tags,
                person: known.person,
                person_name: known.person_name,
                place: known.place,
                session: known.source.session_id,
                standing: known.standing,
                made_by: made_by.to_owned(),
            })
            .await?;
        if old.gem_id == new.gem_id {
            return Err(MemoryFault::Refused("a gem cannot supersede itself".to_owned()));
        }
        self.replace(old, new).await
    }

    /// A gem as it stands; nobody forgets it, or whom it is about, while the other is held.
    async fn held(&self, id: &GemId) -> Result<(Quiet, Gem), MemoryFault> {
        let community = self.existing(id).await?.place.community;
        let quiet = self.changing.quiet(Some(&community)).await;
        Ok((quiet, self.existing(id).await?))
    }

    async fn existing(&self, id: &GemId) -> Result<Gem, MemoryFault> {
        self.gem(id)
            .await?
            .ok_or_else(|| MemoryFault::Refused(format!("there is no gem {id}; it may have been forgotten")))
    }
}

fn made(new: NewGem) -> Result<Gem, MemoryFault> {
    let now = wall();
    let content = checked_content(&new.content)?;
    let source = GemSource {
        session_id: new.session,
        date: rfc3339::date(now),
        turn_range: String::new(),
        turns: Vec::new(),
    };
    let by_hand = [
        TurnKey::new(new.place.community.as_str()),
        TurnKey::new(new.place.room.as_str()),
        TurnKey::new(content.as_str()),
    ];
    let id = gem_id(&source.session_id, &by_hand, 0);
    // Whoever runs the place may give instructions; an agent that passes on what somebody said may not.
    let claim = new.made_by != OPERATOR && is_planted(&content);
    let content = if claim {
        format!("{} passed on: \"{content}\"", new.made_by)
    } else {
        content
    };
    let tags = if new.tags.is_empty() {
        vec![GemTag::Fact]
    } else {
        new.tags
    };
    Ok(Gem {
        gem_id: id,
        summary: shortened(new.summary.as_deref().unwrap_or(&content)),
        content,
        topics: new.topics.into_iter().take(TOPICS_MAX).collect(),
        importance: checked_importance(new.importance.unwrap_or(0.5))?,
        source,
        tags,
        created_at: now,
        place: new.place,
        person: new.person,
        person_name: new.person_name,
        attribute: None,
        claim,
        standing: new.standing && !claim,
        pinned: false,
        strength: 1,
        last_seen_at: now,
        valid_from: now,
        valid_until: None,
        superseded_by: None,
        made_by: new.made_by,
    })
}

fn checked_content(content: &str) -> Result<String, MemoryFault> {
    let content = redact(content.trim()).text;
    let characters = content.chars().count();
    if characters == 0 || characters > GEM_CHARS_MAX {
        return Err(MemoryFault::Refused(format!(
            "content has {characters} characters: give 1 to {GEM_CHARS_MAX}"
        )));
    }
    Ok(content)
}

fn checked_importance(importance: f64) -> Result<f64, MemoryFault> {
    if (0.0..=1.0).contains(&importance) {
        Ok(importance)
    } else {
        Err(MemoryFault::Refused(format!(
            "importance is {importance}: give a number from 0 to 1"
        )))
    }
}

/// One line for quick scanning.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SUMMARY_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
