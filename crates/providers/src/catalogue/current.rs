//! The catalogue that counts now. It can be replaced while Denizen runs; one that is refused changes nothing.

use std::path::Path;
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard};

use runtime::ports::CatalogueNews;

use super::Catalogue;

/// News that are remembered for communities that have not heard them.
const NEWS_MAX: usize = 64;

/// What counts, and what became of those that came after it.
#[derive(Debug)]
pub(crate) struct CurrentCatalogue(RwLock<State>);

#[derive(Debug)]
struct State {
    counts: Arc<Catalogue>,
    /// Why the newest is not the one that counts.
    refused: Option<String>,
    news: Vec<CatalogueNews>,
    /// News that were let go.
    news_before: u64,
}

impl CurrentCatalogue {
    pub(crate) fn of(catalogue: Catalogue) -> Self {
        Self(RwLock::new(State {
            counts: Arc::new(catalogue),
            refused: None,
            news: Vec::new(),
            news_before: 0,
        }))
    }

    pub(crate) fn get(&self) -> Arc<Catalogue> {
        self.read().counts.clone()
    }

    /// Why the operator's file does not count, where it does not.
    pub(crate) fn refused(&self) -> Option<String> {
        self.read().refused.clone()
    }

    /// Has another one count, or notes why it does not. Says whether that is news.
    pub(crate) fn renew(&self, path: &Path, found: Result<Catalogue, String>) -> bool {
        let mut state = self.write();
        let (date, problem) = match found {
            Ok(catalogue) if *state.counts == catalogue && state.refused.is_none() => return false,
            Ok(catalogue) => {
                let own = catalogue.own.as_ref();
                let date = own.map_or(Some(catalogue.date), |own| own.date);
                state.counts = Arc::new(catalogue);
                state.refused = None;
                (date.map(|date| date.to_string()), None)
            }
            Err(problem) if state.refused.as_ref() == Some(&problem) => return false,
            Err(problem) => {
                state.refused = Some(problem.clone());
                (None, Some(problem))
            }
        };
        if state.news.len() >= NEWS_MAX {
            state.news.remove(0);
            state.news_before += 1;
        }
        state.news.push(CatalogueNews {
            path: path.display().to_string(),
            date,
            problem,
        });
        true
    }

    /// News after the first so many, and how many there are now.
    pub(crate) fn news_since(&self, seen: u64) -> (u64, Vec<CatalogueNews>) {
        let state = self.read();
        let skip = usize::try_from(seen.saturating_sub(state.news_before)).unwrap_or(usize::MAX);
        let count = state.news_before + state.news.len() as u64;
        (count, state.news.iter().skip(skip).cloned().collect())
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().expect("no holder of this lock can panic")
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().expect("no holder of this lock can panic")
    }
}
