//! The collection: made at first use with its lookups, found again after a change of embedder that was cut short.

use runtime::ports::{Embedded, EmbedderIdentity, MemoryFault};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::client::Client;
use super::filter::{self, Filter};
use super::point;

const WRITE_AT_ONCE: usize = 250;
/// What points are looked up by, and how Qdrant keeps that.
const LOOKUPS: [(&str, &str); 12] = [
    ("kind", "keyword"),
    ("community", "keyword"),
    ("room", "keyword"),
    ("person", "keyword"),
    ("session", "keyword"),
    ("gem_id", "keyword"),
    ("turn_id", "keyword"),
    ("turns", "keyword"),
    ("private", "bool"),
    ("current", "bool"),
    ("number", "integer"),
    ("at", "integer"),
];

/// What is known of a collection, kept in a point of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Meta {
    pub embedder: String,
    pub dimensions: usize,
    /// False while records are still being copied into it.
    pub is_whole: bool,
    /// Its records are being copied to that collection, and nothing may be added meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moving_to: Option<String>,
}

impl Meta {
    pub(super) fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: self.embedder.clone(),
            dimensions: self.dimensions,
        }
    }
}

/// One collection of one Qdrant.
pub(super) struct Collection {
    pub client: Client,
    pub name: String,
    /// Whether the collection was found complete since this process began.
    pub is_prepared: Mutex<bool>,
}

impl Collection {
    pub(super) fn new(client: Client, name: String) -> Self {
        Self {
            client,
            name,
            is_prepared: Mutex::new(false),
        }
    }

    pub(super) async fn has_vectors(&self) -> Result<bool, MemoryFault> {
        Ok(self.count(Filter::records().and(filter::has_meaning())).await? > 0)
    }

    /// Writes points, durable and findable when it is done.
    pub(super) async fn write(&self, collection: &str, records: &[Embedded]) -> Result<(), MemoryFault> {
        let path = format!("/collections/{collection}/points?wait=true");
        for some in records.chunks(WRITE_AT_ONCE) {
            let points = some.iter().map(point::of).collect::<Result<Vec<Value>, _>>()?;
            let body = json!({"points": points});
            let written = self.client.put("storing records in Qdrant", &path, &body).await?;
            if written.is_none() {
                return Err(MemoryFault::Failed {
                    doing: "storing records in Qdrant",
                    detail: format!("the collection {collection} is gone. Try again"),
                });
            }
        }
        Ok(())
    }

    /// Asks for points; none where there is no collection. One that was left without its name by a crash gets it back.
    pub(super) async fn ask(
        &self,
        doing: &'static str,
        path: &str,
        body: &Value,
    ) -> Result<Option<Value>, MemoryFault> {
        self.prepare().await?;
        let path = format!("/collections/{}/{path}", self.name);
        match self.client.post(doing, &path, body).await? {
            Some(result) => Ok(Some(result)),
            None if self.find_nameless().await? => self.client.post(doing, &path, body).await,
            None => Ok(None),
        }
    }

    /// Makes sure, once, that a collection that is there has all its lookups.
    async fn prepare(&self) -> Result<(), MemoryFault> {
        let mut is_prepared = self.is_prepared.lock().await;
        if *is_prepared {
            return Ok(());
        }
        let Some(info) = self.info(&self.name).await? else {
            return Ok(());
        };
        self.make_lookups(&self.name, &info["payload_schema"]).await?;
        *is_prepared = true;
        Ok(())
    }

    pub(super) async fn info(&self, collection: &str) -> Result<Option<Value>, MemoryFault> {
        self.client
            .get(
                "asking Qdrant for its collection",
                &format!("/collections/{collection}"),
            )
            .await
    }

    /// Makes an empty collection; one that is half made is completed.
    pub(super) async fn create(&self, collection: &str, meta: &Meta) -> Result<(), MemoryFault> {
        let body = json!({
            "vectors": {"size": meta.dimensions, "distance": "Cosine"},
            "sparse_vectors": {point::WORDS: {"modifier": "idf"}},
        });
        let path = format!("/collections/{collection}");
        let made = self
            .client
            .put("making a collection in Qdrant", &path, &body)
            .await;
        let Some(info) = self.info(collection).await? else {
            return made.map(drop);
        };
        self.make_lookups(collection, &info["payload_schema"]).await?;
        self.write_meta(collection, meta).await
    }

    async fn make_lookups(&self, collection: &str, there: &Value) -> Result<(), MemoryFault> {
        let path = format!("/collections/{collection}/index?wait=true");
        for (field, schema) in LOOKUPS {
            if there.get(field).is_none() {
                let body = json!({"field_name": field, "field_schema": schema});
                self.client.put("making lookups in Qdrant", &path, &body).await?;
            }
        }
        Ok(())
    }

    /// What is known of the collection; none where there is none, or nothing is known of it.
    pub(super) async fn meta(&self) -> Result<Option<Meta>, MemoryFault> {
        match self.meta_of(&self.name).await? {
            Some(meta) => Ok(Some(meta)),
            None if self.find_nameless().await? => self.meta_of(&self.name).await,
            None => Ok(None),
        }
    }

    pub(super) async fn meta_of(&self, collection: &str) -> Result<Option<Meta>, MemoryFault> {
        let body = json!({"ids": [point::meta_id()], "with_payload": true});
        let path = format!("/collections/{collection}/points");
        let answer = self
            .client
            .post("asking Qdrant whose vectors it holds", &path, &body)
            .await?;
        let found = answer.as_ref().and_then(|answer| point::points(answer).first());
        Ok(found.and_then(|point| serde_json::from_value(point["payload"].clone()).ok()))
    }

    pub(super) async fn write_meta(&self, collection: &str, meta: &Meta) -> Result<(), MemoryFault> {
        let mut payload = json!(meta);
        payload["kind"] = json!("meta");
        let body = json!({"points": [{"id": point::meta_id(), "vector": {}, "payload": payload}]});
        let path = format!("/collections/{collection}/points?wait=true");
        self.client
            .put("noting whose vectors Qdrant holds", &path, &body)
            .await?;
        Ok(())
    }

    /// Collections that stand behind the name or stood, with their numbers: `NAME-2`, `NAME-3`.
    pub(super) async fn numbered(&self) -> Result<Vec<(u64, String)>, MemoryFault> {
        let all = self
            .client
            .get("listing Qdrant's collections", "/collections")
            .await?;
        let names = all.iter().flat_map(|all| {
            let collections = all["collections"].as_array().map_or(&[][..], Vec::as_slice);
            collections
                .iter()
                .filter_map(|collection| collection["name"].as_str())
        });
        let prefix = format!("{}-", self.name);
        let mut numbered: Vec<(u64, String)> = names
            .filter_map(|name| Some((name.strip_prefix(&prefix)?.parse().ok()?, name.to_owned())))
            .collect();
        numbered.sort();
        Ok(numbered)
    }

    /// The collection that the name stands for; none where there is none.
    pub(super) async fn physical(&self) -> Result<Option<String>, MemoryFault> {
        let aliases = self
            .client
            .get("listing Qdrant's aliases", "/aliases")
            .await?
            .unwrap_or_default();
        let aliases = aliases["aliases"].as_array().map_or(&[][..], Vec::as_slice);
        let target = aliases
            .iter()
            .find(|alias| alias["alias_name"] == self.name.as_str())
            .and_then(|alias| alias["collection_name"].as_str());
        match target {
            Some(target) => Ok(Some(target.to_owned())),
            None => Ok(self.info(&self.name).await?.map(|_| self.name.clone())),
        }
    }

    /// A change of embedder that ended after the old collection went and before the new one got its name: whether one
    /// was found, and has its name now.
    async fn find_nameless(&self) -> Result<bool, MemoryFault> {
        if self.info(&self.name).await?.is_some() {
            return Ok(false);
        }
        for (_, name) in self.numbered().await?.into_iter().rev() {
            if self.meta_of(&name).await?.is_some_and(|meta| meta.is_whole) {
                self.give_name(&name, None).await?;
                tracing::warn!(
                    collection = name,
                    "a change of embedder had been cut short and is completed"
                );
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lets the name stand for a collection, in one step where it stood for another one.
    pub(super) async fn give_name(
        &self,
        collection: &str,
        instead_of: Option<&str>,
    ) -> Result<(), MemoryFault> {
        let take = instead_of.map(|_| json!({"delete_alias": {"alias_name": self.name}}));
        let give = json!({"create_alias": {"collection_name": collection, "alias_name": self.name}});
        let actions: Vec<Value> = take.into_iter().chain([give]).collect();
        let body = json!({"actions": actions});
        self.client
            .post("naming a collection in Qdrant", "/collections/aliases", &body)
            .await?;
        Ok(())
    }
}
