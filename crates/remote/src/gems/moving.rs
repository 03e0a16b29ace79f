//! Another embedder: all records are copied, without vectors, into a new collection, which then takes the old one's name.
//! Ending anywhere in between loses nothing: until the copy is whole the old collection is the one, and from then on it is.

use runtime::ports::{Embedded, EmbedderIdentity, MemoryFault};
use serde_json::json;

use super::collection::{Collection, Meta};
use super::filter::{self, Filter};
use super::point;

const COPY_AT_ONCE: usize = 200;
/// As in the design that the collection comes from.
const USUAL_DIMENSIONS: usize = 1_024;

impl Collection {
    pub(super) async fn declare(&self, embedder: &EmbedderIdentity, anew: bool) -> Result<(), MemoryFault> {
        // One at a time in this process; others are told by `moving_to`.
        let mut is_prepared = self.is_prepared.lock().await;
        let wanted = Meta {
            embedder: embedder.name.clone(),
            dimensions: embedder.dimensions,
            is_whole: true,
            moving_to: None,
        };
        let stored = match self.meta().await? {
            Some(stored) => stored,
            None => match self.info(&self.name).await? {
                None => return self.create(&self.name, &wanted).await,
                Some(info) => self.take_over(&info["config"]["params"])?,
            },
        };
        let has_vectors = self.has_vectors().await?;
        let is_same = stored.identity() == *embedder;
        if !is_same && has_vectors && !anew {
            return Err(MemoryFault::OtherEmbedder {
                stored: stored.embedder,
                stored_dimensions: stored.dimensions,
                wanted: embedder.name.clone(),
                wanted_dimensions: embedder.dimensions,
            });
        }
        if is_same && !(anew && has_vectors) {
            // Also takes back a move that was cut short.
            return self.write_meta(&self.name, &wanted).await;
        }
        *is_prepared = false;
        self.move_to_new(stored, &wanted).await
    }

    /// What is known of the collection. Records without vectors may come before any embedder is declared: a collection is
    /// made for them, of the usual length until somebody declares one.
    pub(super) async fn meta_or_new(&self, records: &[Embedded]) -> Result<Option<Meta>, MemoryFault> {
        if let Some(meta) = self.meta().await? {
            return Ok(Some(meta));
        }
        if records.iter().any(|record| !record.vector.is_empty()) {
            return Ok(None);
        }
        let _one_at_a_time = self.is_prepared.lock().await;
        let undeclared = Meta {
            embedder: "nobody yet".to_owned(),
            dimensions: USUAL_DIMENSIONS,
            is_whole: true,
            moving_to: None,
        };
        match self.info(&self.name).await? {
            None => self.create(&self.name, &undeclared).await?,
            Some(info) => {
                self.take_over(&info["config"]["params"])?;
            }
        }
        Ok(Some(undeclared))
    }

    /// A collection that was made by somebody else, and is fit for us or not.
    fn take_over(&self, params: &serde_json::Value) -> Result<Meta, MemoryFault> {
        let dimensions = params["vectors"]["size"].as_u64();
        let has_words = params["sparse_vectors"].get(point::WORDS).is_some();
        match dimensions.and_then(|dimensions| usize::try_from(dimensions).ok()) {
            Some(dimensions) if has_words => Ok(Meta {
                embedder: "another program's embedder".to_owned(),
                dimensions,
                is_whole: true,
                moving_to: None,
            }),
            _ => Err(MemoryFault::Refused(format!(
                "the collection {} in Qdrant at {} was made by another program, without what is needed here (a plain vector, and a sparse one called `{}`). Set memory.store.qdrantCollection to another name",
                self.name,
                self.client.place(),
                point::WORDS
            ))),
        }
    }

    async fn move_to_new(&self, stored: Meta, wanted: &Meta) -> Result<(), MemoryFault> {
        let old = self.physical().await?.unwrap_or_else(|| self.name.clone());
        self.refuse_strangers().await?;
        let numbered = self.numbered().await?;
        for (_, name) in numbered.iter().filter(|(_, name)| *name != old) {
            self.drop_collection(name).await?;
        }
        let number = numbered.last().map_or(2, |(number, _)| number + 1);
        let new = format!("{}-{number}", self.name);
        let unfinished = Meta {
            is_whole: false,
            ..wanted.clone()
        };
        self.create(&new, &unfinished).await?;
        let moving = Meta {
            moving_to: Some(new.clone()),
            ..stored
        };
        self.write_meta(&old, &moving).await?;
        self.copy(&old, &new).await?;
        self.write_meta(&new, wanted).await?;
        if old == self.name {
            // A name cannot stand for two things; whoever comes by in between completes it.
            self.drop_collection(&old).await?;
            self.give_name(&new, None).await
        } else {
            self.give_name(&new, Some(&old)).await?;
            self.drop_collection(&old).await
        }
    }

    /// Points of other programs would be lost with the old collection.
    async fn refuse_strangers(&self) -> Result<(), MemoryFault> {
        let strangers = self
            .count(Filter::default().and(filter::is_empty("kind")))
            .await?;
        if strangers == 0 {
            return Ok(());
        }
        Err(MemoryFault::Refused(format!(
            "the collection {} in Qdrant at {} also holds {strangers} points of other programs, so it cannot be made anew. Set memory.store.qdrantCollection to another name and run `denizen memory migrate`",
            self.name,
            self.client.place()
        )))
    }

    async fn copy(&self, from: &str, to: &str) -> Result<(), MemoryFault> {
        let mut offset = serde_json::Value::Null;
        let source = format!("/collections/{from}/points/scroll");
        loop {
            let body = json!({
                "filter": Filter::records().json(), "limit": COPY_AT_ONCE, "offset": offset, "with_payload": true,
            });
            let page = self
                .client
                .post("copying records in Qdrant", &source, &body)
                .await?;
            let page = page.unwrap_or_default();
            let mut records = Vec::new();
            for found in point::points(&page) {
                records.push(Embedded {
                    record: point::record(found)?,
                    vector: Vec::new(),
                });
            }
            self.write(to, &records).await?;
            offset = page["next_page_offset"].clone();
            if offset.is_null() {
                return Ok(());
            }
        }
    }

    async fn drop_collection(&self, name: &str) -> Result<(), MemoryFault> {
        self.client
            .delete(
                "removing a collection from Qdrant",
                &format!("/collections/{name}"),
            )
            .await?;
        Ok(())
    }
}
