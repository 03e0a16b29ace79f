//! Which points are meant, as Qdrant's filters: conditions that must, that should (one at least) and that must not hold.

use runtime::ports::{Listing, WhoseTurns};
use serde_json::{Value, json};
use vocabulary::{Reach, RecordId, Viewpoint};

use super::point;

#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    must: Vec<Value>,
    should: Vec<Value>,
    must_not: Vec<Value>,
}

impl Filter {
    pub(super) fn gems() -> Self {
        Self::default().and(is("kind", "gem"))
    }

    pub(super) fn turns() -> Self {
        Self::default().and(is("kind", "turn"))
    }

    pub(super) fn records() -> Self {
        Self::default().and(any("kind", ["gem", "turn"]))
    }

    pub(super) fn and(mut self, condition: Value) -> Self {
        self.must.push(condition);
        self
    }

    pub(super) fn and_some(self, condition: Option<Value>) -> Self {
        match condition {
            Some(condition) => self.and(condition),
            None => self,
        }
    }

    pub(super) fn or(mut self, condition: Value) -> Self {
        self.should.push(condition);
        self
    }

    pub(super) fn but_not(mut self, condition: Value) -> Self {
        self.must_not.push(condition);
        self
    }

    pub(super) fn json(&self) -> Value {
        json!({"must": self.must, "should": self.should, "must_not": self.must_not})
    }

    /// The records of a listing, but for their kind and order.
    pub(super) fn listed(self, listing: &Listing) -> Self {
        self.and_some(listing.community.as_ref().map(|it| is("community", it.as_str())))
            .and_some(listing.room.as_ref().map(|it| is("room", it.as_str())))
            .and_some(listing.person.as_ref().map(|it| is("person", it.as_str())))
            .and_some(listing.session.as_ref().map(|it| is("session", it.as_str())))
            .and_some(listing.current_only.then(|| is("current", true)))
            .and_some(listing.ageless_only.then(ageless))
    }

    /// The records of some communities.
    pub(super) fn of(self, whose: &WhoseTurns) -> Self {
        match whose {
            WhoseTurns::All => self,
            WhoseTurns::Of(community) => self.and(is("community", community.as_str())),
            WhoseTurns::NotOf(others) => {
                self.but_not(any("community", others.iter().map(|other| other.as_str())))
            }
        }
    }

    /// What a viewpoint sees, word for word as [`Viewpoint::sees`] says.
    pub(super) fn seen_from(self, view: &Viewpoint) -> Self {
        let Viewpoint::Room {
            community,
            room,
            reach,
            people,
        } = view
        else {
            return self;
        };
        let here = is("community", community.as_str());
        let is_open = is("private", false);
        let mut seen = Filter::default().or(json!({"must": [here, is("room", room.as_str())]}));
        if matches!(reach, Reach::Community | Reach::Everywhere) {
            seen = seen.or(json!({"must": [here, is_open]}));
        }
        if *reach == Reach::Everywhere && !people.is_empty() {
            let of_people = any("person", people.iter().map(|person| person.as_str()));
            seen = seen.or(json!({"must": [is_open, of_people]}));
        }
        self.and(seen.json())
    }
}

pub(super) fn is(field: &str, value: impl Into<Value>) -> Value {
    json!({"key": field, "match": {"value": value.into()}})
}

pub(super) fn any<'a>(field: &str, values: impl IntoIterator<Item = &'a str>) -> Value {
    json!({"key": field, "match": {"any": values.into_iter().collect::<Vec<_>>()}})
}

/// Gems that do not age.
fn ageless() -> Value {
    json!({"should": [is("standing", true), is("pinned", true)]})
}

pub(super) fn has_ids<'a>(records: impl IntoIterator<Item = &'a RecordId>) -> Value {
    json!({"has_id": records.into_iter().map(point::id).collect::<Vec<_>>()})
}

pub(super) fn has_meaning() -> Value {
    json!({"has_vector": point::MEANING})
}

pub(super) fn is_empty(field: &str) -> Value {
    json!({"is_empty": {"key": field}})
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod filter_tests;
