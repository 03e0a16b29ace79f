//! Models in memory, each once: whoever wants one that somebody has gets that one, whatever else they chose.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use onnx::Graph;

use crate::ears::{Moonshine, SmartTurn};

/// The file or folder of a model, and the library it runs by.
type Key = (PathBuf, Option<PathBuf>);

/// Those that somebody has; they go with the last who does.
#[derive(Debug, Default)]
pub(crate) struct Models {
    pub(crate) ears: Shelf<Moonshine>,
    pub(crate) turns: Shelf<SmartTurn>,
    pub(crate) voices: Shelf<Graph>,
}

impl Models {
    /// The network of a voice.
    pub(crate) fn voice(&self, model: &Path, library: Option<&Path>) -> Result<Arc<Graph>, String> {
        let load = || Graph::load(model, library, "speaking").map_err(|error| error.to_string());
        self.voices.get(model, library, load)
    }
}

/// Models of one kind.
#[derive(Debug)]
pub(crate) struct Shelf<T>(Mutex<Vec<(Key, Weak<T>)>>);

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Shelf<T> {
    /// The model of a path: the one that is loaded, or else loaded now. Others of the kind wait for it.
    pub(crate) fn get(
        &self,
        path: &Path,
        library: Option<&Path>,
        load: impl FnOnce() -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let key = (real(path), library.map(real));
        // Whoever panicked while loading left nothing behind.
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loaded.iter().find(|(known, _)| *known == key);
        if let Some(model) = known.and_then(|(_, model)| model.upgrade()) {
            return Ok(model);
        }
        let model = Arc::new(load()?);
        loaded.retain(|(known, other)| *known != key && other.strong_count() > 0);
        loaded.push((key, Arc::downgrade(&model)));
        Ok(model)
    }
}

/// Whether what is chosen is loaded, or only looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Having<'a> {
    Loaded(&'a Models),
    /// Whether it is there is seen by its files: a look costs no memory and no seconds.
    SeenOnly,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_loaded_once_however_many_want_it_and_goes_with_the_last() {
        let folder = tempfile::tempdir().expect("a folder");
        let (shelf, path) = (Shelf::default(), folder.path());
        let mut loads = 0;
        let mut get = |path: &Path| {
            shelf.get(path, None, || {
                loads += 1;
                Ok(loads)
            })
        };
        let first = get(path).expect("a model");
        // The same folder, as somebody else names it.
        let second = get(&path.join(".")).expect("a model");
        assert!(Arc::ptr_eq(&first, &second));
        drop((first, second));
        let third = get(path).expect("a model");
        assert_eq!(*third, 2, "it was loaded anew");
        let failed = shelf.get(&path.join("none"), None, || Err("no such file".to_owned()));
        assert_eq!(failed, Err("no such file".to_owned()));
    }
}
