//! Memory put together as the settings say: which store, which buffer, and who tells what texts mean.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use providers::{Keys, embedding, reranking};
use remote::{OutboxBuffer, QdrantGems, QdrantSettings, RedisBuffer, RedisSettings};
use runtime::memory::{MemoryService, OnOtherEmbedder};
use runtime::ports::{Embedder, GemStore, MemoryFault, Reranker, Store, TurnBuffer, WhoseTurns};
use settings::{BufferKind, EmbeddingSettings, GemStoreKind, MemoryStoreSettings, Settings};
use storage::{Sqlite, SqliteBuffer, SqliteGems};
use weights::{Purpose, Shelf};

/// Questions whose vectors are kept: people ask again what they just asked.
const QUERIES_KEPT: usize = 256;

/// How long to wait before an embedder is tried again.
const EMBEDDER_RETRY: Duration = Duration::from_secs(30);

/// Everything memory is made of.
pub struct DataFolder {
    pub data: std::path::PathBuf,
    pub sqlite: Arc<Sqlite>,
    pub settings: Settings,
    pub keys: Keys,
}

impl DataFolder {
    /// What the data folder says.
    pub async fn of(data: &Path) -> anyhow::Result<Self> {
        let sqlite = Arc::new(Sqlite::open(data)?);
        let saved = sqlite.base_settings().await?;
        let mut settings = Settings::read(&saved.document).map_err(|errors| {
            let problems: Vec<String> = errors.iter().map(ToString::to_string).collect();
            anyhow::anyhow!("the settings cannot be used:\n{}", problems.join("\n"))
        })?;
        if settings.embedding.path.trim().is_empty()
            && let Some(installed) = Shelf::of(data).installed_for(Purpose::Memory)
        {
            settings.embedding.path = installed.to_string_lossy().into_owned();
        }
        let keys = Keys::from_env_and_file(|name| std::env::var(name).ok(), &data.join("keys.toml"))
            .context("keys.toml")?;
        Ok(Self {
            data: data.to_owned(),
            sqlite,
            settings,
            keys,
        })
    }

    /// Opens memory. An embedder or a reranker that cannot be opened is done without, and the log says so.
    pub async fn open(&self, on_other: OnOtherEmbedder) -> Result<MemoryService, MemoryFault> {
        let service = self.open_unjudged(on_other).await?;
        Ok(match self.reranker().await {
            Ok(None) => service,
            Ok(Some(reranker)) => service.with_reranker(reranker),
            Err(fault) => {
                tracing::warn!(%fault, "how sure a memory is goes by words and meaning alone");
                service.with_unopened_reranker(&fault)
            }
        })
    }

    /// The same without anybody who judges what is found.
    pub async fn open_unjudged(&self, on_other: OnOtherEmbedder) -> Result<MemoryService, MemoryFault> {
        let store = &self.settings.memory_store;
        let gems = match store.gems {
            GemStoreKind::Qdrant => qdrant(&store.qdrant_url, store)?,
            GemStoreKind::Embedded => self.embedded().await?,
        };
        let embedder = match self.embedder().await {
            Ok(embedder) => Some(embedder),
            Err(fault) => {
                tracing::warn!(%fault, "memory is searched by words alone");
                None
            }
        };
        let service = MemoryService::open(gems, self.buffer()?, embedder, on_other).await?;
        match store.gems {
            GemStoreKind::Qdrant => self.remember_the_copy(service).await,
            GemStoreKind::Embedded => Ok(service),
        }
    }

    /// A memory that was moved to a server may still have its old copy in the data folder.
    async fn remember_the_copy(&self, service: MemoryService) -> Result<MemoryService, MemoryFault> {
        let copy = self.embedded().await?;
        let stats = copy.stats(&WhoseTurns::All).await?;
        if stats.gems + stats.turns == 0 {
            return Ok(service);
        }
        tracing::info!(
            gems = stats.gems,
            turns = stats.turns,
            "the data folder still holds a copy of memory from before it was moved; what is forgotten is forgotten there too"
        );
        Ok(service.with_left_behind(copy))
    }

    /// An embedder that could not be opened is tried again, for as long as it takes.
    pub fn open_embedder_later(&self, service: &MemoryService) {
        if service.vectors().embedder().is_some() {
            return;
        }
        let (service, settings, keys) = (
            service.clone(),
            self.settings.embedding.clone(),
            self.keys.clone(),
        );
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(EMBEDDER_RETRY).await;
                let taken = match embedder(&settings, &keys).await {
                    Ok(embedder) => service.vectors().take_embedder(embedder).await,
                    Err(fault) => Err(fault),
                };
                match taken {
                    Ok(()) => {
                        return tracing::info!(
                            "the embedder is there: memory is searched by meaning as well"
                        );
                    }
                    Err(fault) => tracing::debug!(%fault, "the embedder is still not there"),
                }
            }
        });
    }

    /// The store inside the data folder.
    pub async fn embedded(&self) -> Result<Arc<dyn GemStore>, MemoryFault> {
        Ok(Arc::new(SqliteGems::open(self.sqlite.clone()).await?))
    }

    pub async fn embedder(&self) -> Result<Arc<dyn Embedder>, MemoryFault> {
        embedder(&self.settings.embedding, &self.keys).await
    }

    /// Whoever judges what was found, where the settings name a folder.
    pub async fn reranker(&self) -> Result<Option<Arc<dyn Reranker>>, MemoryFault> {
        reranking::open(&self.settings.reranker).await
    }

    fn buffer(&self) -> Result<Arc<dyn TurnBuffer>, MemoryFault> {
        if self.settings.memory_store.buffer != BufferKind::Redis {
            return Ok(self.local_buffer());
        }
        let local = Arc::new(SqliteBuffer::new(self.sqlite.clone()));
        Ok(Arc::new(OutboxBuffer::new(local, self.redis(None)?)))
    }

    /// The buffer inside the data folder.
    pub fn local_buffer(&self) -> Arc<dyn TurnBuffer> {
        Arc::new(SqliteBuffer::new(self.sqlite.clone()))
    }

    /// The buffer in a Redis; without an address, that of the environment or of the settings.
    pub fn redis(&self, url: Option<&str>) -> Result<Arc<dyn TurnBuffer>, MemoryFault> {
        let store = &self.settings.memory_store;
        let from_environment = std::env::var("DENIZEN_REDIS_URL")
            .ok()
            .filter(|url| !url.is_empty());
        let url = url.map(str::to_owned).or(from_environment);
        let url = url.unwrap_or_else(|| store.redis_url.clone());
        let settings = RedisSettings::new(url, store.redis_key.clone(), self.consumer());
        Ok(Arc::new(RedisBuffer::new(settings)?))
    }

    /// The same across restarts on this folder, and no other's.
    fn consumer(&self) -> String {
        let machine = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
        let folder = self.data.canonicalize().unwrap_or_else(|_| self.data.clone());
        format!("{}:{}", machine.trim(), folder.display())
    }
}

async fn embedder(settings: &EmbeddingSettings, keys: &Keys) -> Result<Arc<dyn Embedder>, MemoryFault> {
    let embedder = embedding::open(settings, keys).await?;
    Ok(Arc::new(embedding::CachedQueries::new(embedder, QUERIES_KEPT)))
}

/// A collection of a Qdrant.
pub fn qdrant(url: &str, store: &MemoryStoreSettings) -> Result<Arc<dyn GemStore>, MemoryFault> {
    let key = std::env::var("QDRANT_API_KEY").ok().filter(|key| !key.is_empty());
    Ok(Arc::new(QdrantGems::new(QdrantSettings {
        url: url.to_owned(),
        collection: store.qdrant_collection.clone(),
        api_key: key.map(Into::into),
    })?))
}
