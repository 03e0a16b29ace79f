//! Changes of the store: first the tables, then the index, one after another, and never one without the other.

use std::future::Future;
use std::sync::Arc;

use runtime::ports::{Embedded, EmbedderIdentity, MemoryFault, Removed};
use vocabulary::{Forget, Record, RecordId};

use super::embedder::Declared;
use super::fault::told;
use super::gems::{Shared, SqliteGems};
use super::{embedder, index, records, removal};
use crate::vacuum;

/// Records that share one write: others get their turn in between.
const PIECE: usize = 256;
/// Vectors of more dimensions are nobody's.
const DIMENSIONS_MAX: usize = 65_536;

impl SqliteGems {
    /// Does a change to its end, even when the caller stops waiting: the index must not miss what the tables have.
    pub(super) async fn change<T, W>(
        &self,
        work: impl FnOnce(Arc<Shared>) -> W + Send + 'static,
    ) -> Result<T, MemoryFault>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, MemoryFault>> + Send,
    {
        let shared = self.shared.clone();
        let changing = tokio::spawn(async move {
            let _one_at_a_time = shared.changing.lock().await;
            work(shared.clone()).await
        });
        changing.await.unwrap_or_else(|error| {
            Err(MemoryFault::Failed {
                doing: "changing memory",
                detail: format!("it broke off: {error}. Start Denizen again; what was stored is safe"),
            })
        })
    }
}

pub(super) async fn set_embedder(
    shared: &Arc<Shared>,
    wanted: EmbedderIdentity,
    anew: bool,
) -> Result<(), MemoryFault> {
    if !(1..=DIMENSIONS_MAX).contains(&wanted.dimensions) {
        return Err(MemoryFault::Refused(format!(
            "vectors of {} have {} dimensions, and memory takes 1 to {DIMENSIONS_MAX}. Choose another memory.embedding",
            wanted.name, wanted.dimensions
        )));
    }
    if !anew {
        declared(shared).await?.refuse_other(&wanted)?;
    }
    let declaring = shared
        .sqlite
        .write("noting whose vectors memory holds", move |connection| {
            embedder::declare(connection, &wanted, anew)
        });
    declaring.await.map_err(told)?;
    if anew {
        shared.index_mut().clear_vectors();
    }
    Ok(())
}

pub(super) async fn put(shared: &Arc<Shared>, embedded: Vec<Embedded>) -> Result<(), MemoryFault> {
    let declared = declared(shared).await?;
    for one in &embedded {
        check(one, &declared)?;
    }
    let mut rest = embedded.into_iter();
    loop {
        let piece: Vec<Embedded> = rest.by_ref().take(PIECE).collect();
        if piece.is_empty() {
            return Ok(());
        }
        let piece = Arc::new(piece);
        let writing = piece.clone();
        let written = shared.sqlite.write("keeping gems and turns", move |connection| {
            writing.iter().try_for_each(|one| records::put(connection, one))
        });
        written.await.map_err(told)?;
        follow(shared, move |index| {
            piece
                .iter()
                .for_each(|one| index::put(index, &one.record, &one.vector));
        })
        .await;
    }
}

pub(super) async fn forget(shared: &Arc<Shared>, what: Forget) -> Result<Removed, MemoryFault> {
    const FORGETTING: &str = "forgetting gems and turns";
    let removing = shared.sqlite.write(FORGETTING, move |connection| {
        vacuum::want_rewrite(connection)?;
        removal::forget(connection, &what)
    });
    let removal = removing.await.map_err(told)?;
    let removed = removal.removed.clone();
    follow(shared, move |index| {
        let gems = removal.removed.gems.into_iter().map(RecordId::Gem);
        let turns = removal.removed.turns.into_iter().map(RecordId::Turn);
        for id in gems.chain(turns) {
            index.remove(&id);
        }
        index.tidy();
        for one in &removal.changed {
            index::put(index, &one.record, &one.vector);
        }
    })
    .await;
    shared.sqlite.scrub(FORGETTING).await.map_err(told)?;
    Ok(removed)
}

/// Changes the index where that may take its time.
async fn follow(shared: &Arc<Shared>, change: impl FnOnce(&mut recall::Index) + Send + 'static) {
    let shared = shared.clone();
    let following = tokio::task::spawn_blocking(move || change(&mut shared.index_mut()));
    if let Err(error) = following.await {
        tracing::error!(%error, "the index of memory missed a change; it is complete again after the next start");
    }
}

async fn declared(shared: &Arc<Shared>) -> Result<Declared, MemoryFault> {
    let reading = shared
        .sqlite
        .read_at_once("reading whose vectors memory holds", embedder::declared);
    reading.await.map_err(told)
}

/// A record without a vector is kept, and found by its words until it is put again with one.
fn check(one: &Embedded, declared: &Declared) -> Result<(), MemoryFault> {
    if one.vector.is_empty() {
        return Ok(());
    }
    let what = match &one.record {
        Record::Gem(gem) => format!("gem {}", gem.gem_id),
        Record::Turn(turn) => format!("turn {}", turn.id),
    };
    let Some(identity) = &declared.identity else {
        return Err(MemoryFault::Refused(format!(
            "{what} came with a vector before it was said whose vectors memory holds. Set the embedder first"
        )));
    };
    if one.vector.len() != identity.dimensions {
        return Err(MemoryFault::Refused(format!(
            "the vector of {what} has {} dimensions, and those of {} have {}. Embed it with that model, or run \
             `denizen memory reembed`",
            one.vector.len(),
            identity.name,
            identity.dimensions
        )));
    }
    if !one.vector.iter().all(|number| number.is_finite()) {
        return Err(MemoryFault::Refused(format!(
            "the vector of {what} holds something that is no number. Embed it again"
        )));
    }
    Ok(())
}
