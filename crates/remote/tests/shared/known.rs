//! Gems, a Qdrant to keep them in, and somebody who tells what they mean.

use async_trait::async_trait;
use remote::{QdrantGems, QdrantSettings};
use runtime::ports::{EmbedRole, Embedded, Embedder, EmbedderIdentity, GemStore, MemoryFault};
use stand_ins::QdrantServer;
use vocabulary::{
    CapturedTurn, CommunityId, Gem, GemId, GemSource, GemTag, Kinds, PersonId, Place, Record, RoomId, Search,
    TurnKey, Viewpoint, WallTime, rfc3339,
};

pub const COLLECTION: &str = "neuralstream";
pub const NOW: WallTime = WallTime(1_771_900_000_000);

/// Words fall into so many heaps; texts that share heaps are alike.
pub struct Heaps(pub usize);

impl Heaps {
    pub fn vector(&self, text: &str) -> Vec<f32> {
        let mut heaps = vec![0.0_f32; self.0];
        for word in text
            .to_lowercase()
            .split(|letter: char| !letter.is_alphanumeric())
        {
            let sum: usize = word.bytes().map(usize::from).sum();
            heaps[(sum * 31 + word.len()) % self.0] += f32::from(u8::from(!word.is_empty()));
        }
        let length = heaps
            .iter()
            .map(|heap| heap * heap)
            .sum::<f32>()
            .sqrt()
            .max(f32::EPSILON);
        heaps.into_iter().map(|heap| heap / length).collect()
    }

    pub fn embedded(&self, record: Record) -> Embedded {
        Embedded {
            vector: self.vector(record.text()),
            record,
        }
    }
}

#[async_trait]
impl Embedder for Heaps {
    fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: format!("test:heaps-{}", self.0),
            dimensions: self.0,
        }
    }

    async fn embed(&self, texts: &[String], _: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

pub fn place(community: &str, room: &str) -> Place {
    Place {
        community: CommunityId::new(community),
        room: RoomId::new(room),
        private: false,
    }
}

/// A gem of one turn about whoever said it.
pub fn gem(n: u64, content: &str, of: &CapturedTurn) -> Gem {
    Gem {
        gem_id: GemId::new(format!("g{n}")),
        content: content.to_owned(),
        summary: format!("summary {n}"),
        topics: vec!["tea".to_owned(), "ünïcode".to_owned()],
        importance: 0.7,
        source: GemSource {
            session_id: of.session.clone(),
            date: rfc3339::date(of.at),
            turn_range: format!("{0}-{0}", of.number),
            turns: vec![of.id.clone()],
        },
        tags: vec![GemTag::Fact, GemTag::Preference],
        created_at: WallTime(of.at.0 + 60_000),
        place: of.place.clone(),
        person: Some(of.speaker.id.clone()),
        person_name: of.speaker.name.clone(),
        attribute: Some("favourite drink".to_owned()),
        claim: false,
        standing: true,
        pinned: false,
        strength: 2,
        last_seen_at: WallTime(of.at.0 + 61_001),
        valid_from: of.at,
        valid_until: None,
        superseded_by: None,
        made_by: "offline".to_owned(),
    }
}

pub fn saying(mut turn: CapturedTurn, text: &str) -> CapturedTurn {
    turn.text = text.to_owned();
    turn
}

pub fn gems(server: &QdrantServer) -> QdrantGems {
    QdrantGems::new(QdrantSettings {
        url: server.url(),
        collection: COLLECTION.to_owned(),
        api_key: None,
    })
    .expect("the address is one")
}

/// A store that holds these, embedded.
pub async fn holding(server: &QdrantServer, embedder: &Heaps, records: Vec<Record>) -> QdrantGems {
    let store = gems(server);
    store.set_embedder(&embedder.identity(), false).await.unwrap();
    let records = records
        .into_iter()
        .map(|record| embedder.embedded(record))
        .collect();
    store.put(records).await.unwrap();
    store
}

pub fn looking_for(words: &str, embedder: &Heaps) -> Search {
    Search {
        words: words.to_owned(),
        vector: Some(embedder.vector(words)),
        view: Viewpoint::Operator,
        person: None,
        kinds: Kinds::Both,
        exclude: Vec::new(),
        superseded: false,
        now: NOW,
        limit: 10,
    }
}

pub fn person(name: &str) -> PersonId {
    PersonId::new(format!("local:{name}"))
}

pub fn keys(ids: &[&str]) -> Vec<TurnKey> {
    ids.iter().map(|id| TurnKey::new(*id)).collect()
}

/// Every point of every collection, as one text.
pub async fn every_point(server: &QdrantServer) -> String {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = http
        .get(format!("{}/collections", server.url()))
        .send()
        .await
        .unwrap();
    let all: serde_json::Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    let mut text = all.to_string();
    for collection in all["result"]["collections"].as_array().unwrap() {
        let name = collection["name"].as_str().unwrap();
        let request = http
            .post(format!("{}/collections/{name}/points/scroll", server.url()))
            .header("content-type", "application/json")
            .body(r#"{"limit": 10000, "with_payload": true, "with_vector": true}"#);
        text += &request.send().await.unwrap().text().await.unwrap();
    }
    text
}
