//! An embedder behind a server, whichever of the two protocols it speaks.

use std::time::Duration;

use async_trait::async_trait;
use runtime::ports::{EmbedRole, Embedder, EmbedderIdentity, MemoryFault};

use super::batch::batches;
use super::exchange::Exchange;
use super::prefix::Prefixes;
use super::vectors::{checked, placed};

/// What is sent to learn how long a server's vectors are.
const PROBE: &str = "room";

/// A server that has answered once.
pub(super) struct Served {
    exchange: Exchange,
    prefixes: Prefixes,
    identity: EmbedderIdentity,
    patience: Patience,
    texts_max: usize,
}

/// How long a group of texts may take, all tries together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    pub(super) passages: Duration,
    /// Somebody waits for what is found.
    pub(super) queries: Duration,
}

impl Patience {
    fn of(self, role: EmbedRole) -> Duration {
        match role {
            EmbedRole::Passage => self.passages,
            EmbedRole::Query => self.queries,
        }
    }
}

impl Served {
    /// Asks the server once: whether it is there, lets us in, knows the model, and how long its vectors are.
    pub(super) async fn open(
        exchange: Exchange,
        name: String,
        patience: Patience,
        texts_max: usize,
    ) -> Result<Self, MemoryFault> {
        // A server that loads its model first needs the longer of the two.
        let vectors = exchange.run("", &[PROBE], patience.passages).await?;
        let vectors = checked(vectors, None).map_err(|detail| exchange.party().malformed(&detail))?;
        let dimensions = vectors[0].len();
        if let Some(wanted) = exchange.dimensions.filter(|wanted| *wanted != dimensions) {
            return Err(MemoryFault::Refused(format!(
                "memory.embedding.dimensions is {wanted}, and `{}` at {} gives {dimensions} all the same. Set memory.embedding.dimensions to 0, which takes the model's own",
                exchange.model, exchange.place
            )));
        }
        let identity = EmbedderIdentity { name, dimensions };
        tracing::info!(
            name = identity.name,
            dimensions,
            place = exchange.place,
            "texts are embedded by a server"
        );
        Ok(Self {
            prefixes: Prefixes::of_model(&exchange.model),
            exchange,
            identity,
            patience,
            texts_max,
        })
    }
}

#[async_trait]
impl Embedder for Served {
    fn identity(&self) -> EmbedderIdentity {
        self.identity.clone()
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        let dimensions = self.identity.dimensions;
        let mut found = Vec::with_capacity(texts.len());
        for batch in batches(texts, self.texts_max, self.exchange.text_chars_max()) {
            let group: Vec<&str> = batch.iter().map(|place| texts[*place].as_str()).collect();
            let vectors = self
                .exchange
                .run(self.prefixes.before(role), &group, self.patience.of(role))
                .await?;
            let vectors = checked(vectors, Some(dimensions))
                .map_err(|detail| self.exchange.party().malformed(&detail))?;
            found.extend(batch.into_iter().zip(vectors));
        }
        Ok(placed(texts.len(), dimensions, found.into_iter()))
    }
}
