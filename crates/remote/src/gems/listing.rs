//! Points in an order, page by page.

use runtime::ports::{Listing, MemoryFault, Page};
use serde_json::{Value, json};
use vocabulary::Record;

use super::collection::Collection;
use super::filter::Filter;
use super::point;

const PAGE_MAX: usize = 1_000;

/// Where a page ends: the value it was ordered by, and the points of that value that were shown.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Mark {
    value: i64,
    shown: Vec<String>,
}

impl Mark {
    fn written(&self) -> String {
        format!("{}.{}", self.value, self.shown.join("."))
    }

    fn read(text: &str) -> Option<Mark> {
        let mut parts = text.split('.');
        let value = parts.next()?.parse().ok()?;
        let shown: Vec<String> = parts.map(str::to_owned).collect();
        let is_id = |id: &String| uuid::Uuid::try_parse(id).is_ok();
        (!shown.is_empty() && shown.iter().all(is_id)).then_some(Mark { value, shown })
    }
}

impl Collection {
    /// A page of the records of a listing, newest first.
    pub(super) async fn list(&self, kind: Filter, listing: &Listing) -> Result<Page<Record>, MemoryFault> {
        let after = match &listing.after {
            None => None,
            Some(after) => Some(Mark::read(after).ok_or_else(|| {
                MemoryFault::Refused(format!(
                    "`{after}` is not where a page ended. Begin again without it"
                ))
            })?),
        };
        let limit = listing.limit.clamp(1, PAGE_MAX);
        let filter = kind.listed(listing);
        let (records, next) = self.ordered(&filter, "at", after.as_ref(), limit).await?;
        Ok(Page {
            items: records,
            next: next.map(|next| next.written()),
        })
    }

    /// Records by a number of theirs, the greatest first, and where to go on if there are more.
    pub(super) async fn ordered(
        &self,
        filter: &Filter,
        by: &str,
        after: Option<&Mark>,
        limit: usize,
    ) -> Result<(Vec<Record>, Option<Mark>), MemoryFault> {
        let mut order = json!({"key": by, "direction": "desc"});
        let mut filter = filter.clone();
        if let Some(after) = after {
            // Several may have the same value: those that were shown are left out by name.
            order["start_from"] = json!(after.value);
            filter = filter.but_not(json!({"has_id": after.shown}));
        }
        let body = json!({
            "filter": filter.json(), "order_by": order, "limit": limit + 1, "with_payload": true,
        });
        let Some(answer) = self
            .ask("listing records in Qdrant", "points/scroll", &body)
            .await?
        else {
            return Ok((Vec::new(), None));
        };
        let points = point::points(&answer);
        let shown = &points[..points.len().min(limit)];
        let records = shown.iter().map(point::record).collect::<Result<Vec<_>, _>>()?;
        let next = (points.len() > limit).then(|| mark(shown, by, after));
        Ok((records, next))
    }

    /// All records of a filter, in no order.
    pub(super) async fn all(&self, filter: &Filter) -> Result<Vec<Record>, MemoryFault> {
        let mut records = Vec::new();
        let mut offset = Value::Null;
        loop {
            let body = json!({
                "filter": filter.json(), "limit": PAGE_MAX, "offset": offset, "with_payload": true,
            });
            let page = self
                .ask("looking records up in Qdrant", "points/scroll", &body)
                .await?;
            let page = page.unwrap_or_default();
            for found in point::points(&page) {
                records.push(point::record(found)?);
            }
            offset = page["next_page_offset"].clone();
            if offset.is_null() {
                return Ok(records);
            }
        }
    }

    pub(super) async fn count(&self, filter: Filter) -> Result<usize, MemoryFault> {
        let body = json!({"filter": filter.json(), "exact": true});
        let path = format!("/collections/{}/points/count", self.name);
        let answer = self
            .client
            .post("counting records in Qdrant", &path, &body)
            .await?;
        let count = answer.and_then(|answer| answer["count"].as_u64()).unwrap_or(0);
        Ok(usize::try_from(count).unwrap_or(usize::MAX))
    }
}

fn mark(shown: &[Value], by: &str, after: Option<&Mark>) -> Mark {
    let value_of = |point: &Value| point["payload"][by].as_i64().unwrap_or(0);
    let value = shown.last().map_or(0, value_of);
    let before = after.filter(|after| after.value == value);
    let earlier = before.map_or(&[][..], |before| before.shown.as_slice());
    let now = shown
        .iter()
        .filter(|point| value_of(point) == value)
        .filter_map(|point| point["id"].as_str().map(str::to_owned));
    Mark {
        value,
        shown: earlier.iter().cloned().chain(now).collect(),
    }
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod listing_tests;
