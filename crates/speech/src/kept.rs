//! What was made ready, kept for the next who wants it; what is being made is waited for by all who want it.
//!
//! What is begun is finished and kept, also where whoever asked for it has gone: nothing is loaded twice for impatience.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// So many that nobody uses just now are kept ready.
const UNUSED_MAX: usize = 2;
/// So many that could not be had are remembered.
const LACKING_MAX: usize = 8;

/// Ears or mouths, by what was chosen. Cheap to clone.
#[derive(Debug)]
pub(crate) struct Kept<C, T>(Arc<Mutex<State<C, T>>>);

#[derive(Debug)]
struct State<C, T> {
    /// Those used last come first.
    ready: VecDeque<(C, Arc<T>)>,
    making: Vec<(C, watch::Receiver<Option<Arc<T>>>)>,
    /// Those of which something is missing: it may be there the next time.
    lacking: VecDeque<(C, Arc<T>)>,
}

/// How something stands that was chosen.
#[derive(Debug)]
pub(crate) enum Seen<T> {
    Ready(Arc<T>),
    Making,
    Lacking(Arc<T>),
    /// Nobody has asked for it yet.
    Unasked,
}

/// How something is made, and when it is worth keeping.
pub(crate) struct Making<T> {
    /// May take seconds, on a thread of its own.
    pub(crate) make: Box<dyn FnOnce() -> T + Send>,
    /// What stands in where the making broke off.
    pub(crate) broken: fn() -> T,
    pub(crate) is_whole: fn(&T) -> bool,
}

impl<C, T> Default for Kept<C, T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State {
            ready: VecDeque::new(),
            making: Vec::new(),
            lacking: VecDeque::new(),
        })))
    }
}

impl<C: Clone + PartialEq + Send + Sync + 'static, T: Send + Sync + 'static> Kept<C, T> {
    /// What was chosen, made where it is not there.
    pub(crate) async fn get(&self, choice: C, making: Making<T>) -> Arc<T> {
        let broken = making.broken;
        let mut made = {
            let mut state = self.state();
            if let Some(ready) = state.take_ready(&choice) {
                return ready;
            }
            let under_way = state.making.iter().find(|(other, _)| *other == choice);
            match under_way.map(|(_, made)| made.clone()) {
                Some(made) => made,
                None => {
                    let (tell, made) = watch::channel(None);
                    state.making.push((choice.clone(), made.clone()));
                    tokio::spawn(Self(self.0.clone()).make(choice, making, tell));
                    made
                }
            }
        };
        let made = made.wait_for(Option::is_some).await.map(|made| made.clone());
        made.ok().flatten().unwrap_or_else(|| Arc::new(broken()))
    }

    /// How it stands; nothing is made for it.
    pub(crate) fn look(&self, choice: &C) -> Seen<T> {
        let state = self.state();
        let of = |kept: &VecDeque<(C, Arc<T>)>| {
            let found = kept.iter().find(|(other, _)| other == choice);
            found.map(|(_, made)| made.clone())
        };
        if let Some(ready) = of(&state.ready) {
            return Seen::Ready(ready);
        }
        if state.making.iter().any(|(other, _)| other == choice) {
            return Seen::Making;
        }
        of(&state.lacking).map_or(Seen::Unasked, Seen::Lacking)
    }

    async fn make(self, choice: C, making: Making<T>, tell: watch::Sender<Option<Arc<T>>>) {
        let made = tokio::task::spawn_blocking(making.make).await;
        let made = Arc::new(made.unwrap_or_else(|_| (making.broken)()));
        let mut state = self.state();
        state.making.retain(|(other, _)| *other != choice);
        state.lacking.retain(|(other, _)| *other != choice);
        match (making.is_whole)(&made) {
            true => state.keep(choice, made.clone()),
            false => {
                state.lacking.push_front((choice, made.clone()));
                state.lacking.truncate(LACKING_MAX);
            }
        }
        drop(state);
        tell.send_replace(Some(made));
    }

    fn state(&self) -> MutexGuard<'_, State<C, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: PartialEq, T> State<C, T> {
    fn take_ready(&mut self, choice: &C) -> Option<Arc<T>> {
        let place = self.ready.iter().position(|(other, _)| other == choice)?;
        let (choice, ready) = self.ready.remove(place)?;
        self.keep(choice, ready.clone());
        Some(ready)
    }

    /// In front; of those that only this holds, the ones used longest ago go.
    fn keep(&mut self, choice: C, made: Arc<T>) {
        self.ready.push_front((choice, made));
        let mut unused = 0;
        self.ready.retain(|(_, kept)| {
            unused += usize::from(Arc::strong_count(kept) == 1);
            Arc::strong_count(kept) > 1 || unused <= UNUSED_MAX
        });
    }
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;
