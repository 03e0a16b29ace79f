//! What becomes of a new gem beside those that are there: it is added, strengthens one, or takes the place of some.

use serde::{Deserialize, Serialize};
use vocabulary::{Gem, GemId, Place};

use super::folding::words;
use super::stance::Stance;
use super::statement::Statement;
use crate::Gathered;
use crate::lexicon::{is_function_word, stem};

/// A gem that is said again and again remembers so many of its turns, the newest.
const SOURCES_MAX: usize = 50;
/// Shorter beginnings of ids could be any gem's.
const ID_CHARS_MIN: usize = 6;
/// What people have several of: another one does not replace the first.
const SEVERAL: &str = " allergy allergies allergen intolerance hobby hobbies pet pets child children kid kids son daughter sibling \
    siblings brother sister friend friends language languages skill skills interest interests like likes dislike \
    dislikes preference preferences medication medications condition conditions illness diagnosis todo task tasks plan \
    plans goal goals project projects fact note opinion commitment promise reminder game book movie film ";

/// What becomes of a new gem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Life {
    /// It is stored as it is.
    Add,
    /// It was stored before, or has strengthened another before: nothing is to be done.
    AlreadyThere,
    /// It says what a stored one says: that one is stored again, stronger, and the new one is not.
    Strengthen { gem: Box<Gem> },
    /// It is stored, and these are stored again as what held until now.
    Supersede { old: Vec<Gem> },
    /// It was said before what has taken its place: it is stored as what held until then.
    Late { gem: Box<Gem> },
}

impl Life {
    pub fn name(&self) -> &'static str {
        match self {
            Life::Add => "add",
            Life::AlreadyThere => "already_there",
            Life::Strengthen { .. } => "strengthen",
            Life::Supersede { .. } => "supersede",
            Life::Late { .. } => "late",
        }
    }
}

/// Settles what becomes of a new gem, given stored ones that may be the same or contradicted.
///
/// Gems meet only where whoever sees one may see the other, and only if they are about the same person. What somebody
/// says of another, and what is a mere claim, takes the place of nothing; nor does anything take the place of a gem
/// that an operator has written and pinned.
pub fn settle(new: &Gathered, similar: &[Gem]) -> Life {
    let gem = &new.gem;
    let statement = Statement::of(&gem.content);
    let meets = |old: &&Gem| old.person == gem.person && may_meet(&old.place, &gem.place);
    let is_counted = |old: &Gem| {
        let cites = |turn| old.source.turns.contains(turn);
        old.claim == gem.claim
            && gem.source.turns.iter().all(cites)
            && Statement::of(&old.content).says(&statement)
    };
    if similar.iter().any(|old| old.gem_id == gem.gem_id) || similar.iter().filter(meets).any(is_counted) {
        return Life::AlreadyThere;
    }
    let current: Vec<&Gem> = similar
        .iter()
        .filter(meets)
        .filter(|old| old.is_current())
        .collect();
    if let Some(old) = repeated(new, &statement, &current) {
        return Life::Strengthen {
            gem: Box::new(strengthened(old, gem)),
        };
    }
    let contradicted: Vec<&Gem> = current
        .into_iter()
        .filter(|old| contradicts(new, &statement, old))
        .collect();
    let newest = contradicted.iter().max_by_key(|old| old.valid_from);
    match newest {
        None => Life::Add,
        Some(newer) if newer.valid_from > gem.valid_from => Life::Late {
            gem: Box::new(superseded(gem, newer)),
        },
        Some(_) => Life::Supersede {
            old: contradicted.iter().map(|old| superseded(old, gem)).collect(),
        },
    }
}

/// How much of what two texts say is in both, from 0 to 1.
pub fn overlap(one: &str, other: &str) -> f64 {
    Statement::of(one).overlap(&Statement::of(other))
}

/// Whether whoever may see the one may see the other as well, so that one tells nothing of the other to strangers.
fn may_meet(one: &Place, other: &Place) -> bool {
    one.community == other.community
        && one.private == other.private
        && (!one.private || one.room == other.room)
}

/// The stored gem that says the same, the nearest of them.
fn repeated<'a>(new: &Gathered, statement: &Statement, current: &[&'a Gem]) -> Option<&'a Gem> {
    let gem = &new.gem;
    let same = current
        .iter()
        .copied()
        .filter(|old| old.claim == gem.claim)
        .filter(|old| {
            let told = Statement::of(&old.content);
            let named = is_named(new.repeats.as_deref(), &old.gem_id);
            let agrees = told.negative == statement.negative && told.numbers == statement.numbers;
            told.says(statement) || (named && agrees) || gives_the_same_value(gem, old, statement, &told)
        });
    same.max_by(|a, b| {
        let share = |old: &Gem| overlap(&old.content, &gem.content);
        share(a).total_cmp(&share(b))
    })
}

fn contradicts(new: &Gathered, statement: &Statement, old: &Gem) -> bool {
    let gem = &new.gem;
    let is_protected = old.pinned && old.made_by == "operator";
    if gem.claim || new.hearsay || is_protected {
        return false;
    }
    let told = Statement::of(&old.content);
    let is_flip = told.negative != statement.negative && told.is_wholly_about(statement)
        || is_liking_lost(&gem.content, &old.content, statement, &told)
        || is_ended(gem, old);
    // That somebody does not live somewhere says nothing of where they do.
    let gives_value = |gem: &Gem| !is_denial(&gem.content, &gem.person_name);
    let same_attribute =
        gem.attribute.is_some() && gem.attribute == old.attribute && gives_value(gem) && gives_value(old);
    let single = gem.attribute.as_deref().is_some_and(is_single);
    is_flip || (same_attribute && single) || is_named(new.replaces.as_deref(), &old.gem_id)
}

/// Whether one tells what somebody prefers, and the other that they do not like it.
fn is_liking_lost(new: &str, old: &str, new_says: &Statement, old_says: &Statement) -> bool {
    if new_says.prefers == old_says.prefers {
        return false;
    }
    let (new_says, old_says) = (Statement::of_liking(new), Statement::of_liking(old));
    new_says.negative != old_says.negative && new_says.is_about(&old_says)
}

/// Whether the new one says that what the old one tells is over.
fn is_ended(new: &Gem, old: &Gem) -> bool {
    let stance = |gem: &Gem| Stance::of(&gem.content, &gem.person_name);
    let (Some(new), Some(old)) = (stance(new), stance(old)) else {
        return false;
    };
    new.ends(&old)
}

/// Whether a text about somebody begins with what they do not do.
fn is_denial(text: &str, name: &str) -> bool {
    let told = words(text);
    let rest = told.strip_prefix(&words(name)[..]).unwrap_or(&told);
    let rest: Vec<&str> = rest.iter().take(3).map(String::as_str).collect();
    let denies = |word: &&str| {
        matches!(
            *word,
            "not" | "never" | "doesnt" | "isnt" | "hasnt" | "left" | "quit"
        )
    };
    rest.iter().any(denies) || rest.windows(2).any(|pair| pair == ["no", "longer"])
}

fn is_named(beginning: Option<&str>, id: &GemId) -> bool {
    beginning.is_some_and(|beginning| beginning.len() >= ID_CHARS_MIN && id.as_str().starts_with(beginning))
}

fn is_single(attribute: &str) -> bool {
    let last = attribute.rsplit(' ').next().unwrap_or(attribute);
    attribute.starts_with("favourite ")
        || attribute.ends_with("to use")
        || !SEVERAL.contains(&format!(" {last} "))
}

/// Whether both give their attribute the same value, in whatever words, or the new one a part of it.
fn gives_the_same_value(new: &Gem, old: &Gem, new_says: &Statement, old_says: &Statement) -> bool {
    if new.attribute.is_none() || new.attribute != old.attribute {
        return false;
    }
    let frame = format!(
        "{} {}",
        new.person_name,
        new.attribute.as_deref().unwrap_or_default()
    );
    let frame: Vec<String> = words(&frame).iter().map(|word| stem(word)).collect();
    let value = |statement: &Statement| -> Vec<String> {
        let telling = statement
            .words
            .iter()
            .filter(|word| !frame.contains(word) && !is_function_word(word));
        telling.filter(|word| !is_verb_of_having(word)).cloned().collect()
    };
    let (mine, theirs) = (value(new_says), value(old_says));
    new_says.negative == old_says.negative
        && new_says.numbers == old_says.numbers
        && !(mine.is_empty() && new_says.numbers.is_empty())
        && mine.iter().all(|word| theirs.contains(word))
}

fn is_verb_of_having(stem: &str) -> bool {
    let verbs = [
        "like", "live", "work", "prefer", "want", "call", "nam", "use", "mov", "now", "say",
    ];
    verbs.contains(&stem)
}

fn strengthened(old: &Gem, new: &Gem) -> Gem {
    let mut gem = old.clone();
    gem.strength = gem.strength.saturating_add(1);
    gem.last_seen_at = gem.last_seen_at.max(new.last_seen_at);
    gem.valid_from = gem.valid_from.min(new.valid_from);
    gem.importance = gem.importance.max(new.importance);
    gem.standing |= new.standing;
    for turn in &new.source.turns {
        if !gem.source.turns.contains(turn) {
            gem.source.turns.push(turn.clone());
        }
    }
    let surplus = gem.source.turns.len().saturating_sub(SOURCES_MAX);
    gem.source.turns.drain(..surplus);
    gem
}

/// The gem as what held until the other.
fn superseded(gem: &Gem, by: &Gem) -> Gem {
    Gem {
        valid_until: Some(by.valid_from),
        superseded_by: Some(by.gem_id.clone()),
        ..gem.clone()
    }
}

#[cfg(test)]
#[path = "life_borders_tests.rs"]
mod life_borders_tests;
#[cfg(test)]
#[path = "life_tests.rs"]
mod life_tests;
