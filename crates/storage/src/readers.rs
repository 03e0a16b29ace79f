//! A few connections that read, each on a blocking thread while it is used.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use runtime::ports::StoreError;
use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::connection;
use crate::fault::Fault;

const READERS: usize = 2;

/// The pool. Readers never wait for the writer, and see only what is committed.
#[derive(Clone, Debug)]
pub(crate) struct Readers {
    path: Arc<Path>,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    /// Starts with one open connection, which proves that reading works.
    pub fn new(path: PathBuf, first: Connection) -> Self {
        Self {
            path: path.into(),
            permits: Arc::new(Semaphore::new(READERS)),
            idle: Arc::new(Mutex::new(vec![first])),
        }
    }

    /// Reads in one transaction, so that everything seen is of one moment.
    pub async fn read<T: Send + 'static>(
        &self,
        doing: &'static str,
        work: impl FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = self
            .permits
            .clone()
            .acquire_owned()
            .await
            .expect("the semaphore is never closed");
        let readers = self.clone();
        // The permit goes along: a caller that stops waiting must not let a third connection in.
        let reading = tokio::task::spawn_blocking(move || {
            let result = readers.on_connection(work);
            drop(permit);
            result.map_err(|fault| fault.tell(doing, &readers.path))
        });
        reading.await.unwrap_or_else(|error| {
            Err(StoreError::Failed {
                doing,
                detail: format!("the reading thread broke off: {error}"),
            })
        })
    }

    fn on_connection<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Fault> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => connection::open_to_read(&self.path)?,
        };
        connection.prepare_cached("BEGIN")?.execute([])?;
        let result = work(&connection);
        // Nothing was written; where it is over already, an error has ended it.
        if !connection.is_autocommit() {
            connection.prepare_cached("ROLLBACK")?.execute([])?;
        }
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(connection);
        result
    }
}
