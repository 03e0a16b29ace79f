//! Finding ONNX Runtime and loading it, once for the process.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use ort::environment::Environment;

use crate::error::OnnxError;

/// ONNX Runtime allows one environment a process, for good; so the first library that loads serves every model.
static ENVIRONMENT: Mutex<Option<Environment>> = Mutex::new(None);

/// Where the operator's own copy lies.
static ALSO_HERE: OnceLock<PathBuf> = OnceLock::new();

/// Has this folder looked in too, before what the system has. The first word counts, for the whole process.
pub fn also_look_in(folder: &Path) {
    let _ = ALSO_HERE.set(folder.to_owned());
}

/// The library's name on this system.
pub(crate) fn library_name() -> String {
    format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}")
}

/// The process's environment; the library is loaded on the first call.
pub(crate) fn environment(named: Option<&Path>, places: &[&Path]) -> Result<Environment, OnnxError> {
    // Whoever panicked in there left it empty, so it can be tried again.
    let mut environment = ENVIRONMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = environment.as_ref() {
        return Ok(environment.clone());
    }
    let loaded = load(named, places)?;
    *environment = Some(loaded.clone());
    Ok(loaded)
}

fn load(named: Option<&Path>, places: &[&Path]) -> Result<Environment, OnnxError> {
    let mut looked = Vec::new();
    for candidate in candidates(named, places) {
        let made = ort::init_from(&candidate)
            .map_err(|error| error.to_string())
            .and_then(|builder| {
                // Some builds report to their makers unless told not to.
                let builder = builder.with_name("denizen").with_telemetry(false);
                builder.build().map_err(|error| error.to_string())
            });
        match made {
            Ok(environment) => return Ok(environment),
            Err(detail) => looked.push(first_line(&detail)),
        }
    }
    Err(OnnxError::NoLibrary {
        looked: looked.join("; "),
        library: library_name(),
    })
}

/// Where to look, in this order. A library that was named is the only one, or its absence would go unnoticed.
fn candidates(named: Option<&Path>, places: &[&Path]) -> Vec<PathBuf> {
    if let Some(named) = named {
        return vec![std::path::absolute(named).unwrap_or_else(|_| named.to_owned())];
    }
    let name = library_name();
    let beside = places
        .iter()
        .copied()
        .chain(ALSO_HERE.get().map(PathBuf::as_path))
        .map(|place| place.join(&name))
        .filter(|path| path.is_file())
        .map(|path| std::path::absolute(&path).unwrap_or(path));
    // A bare name is looked up by the system; distributions install it with its version behind.
    let of_the_system = [PathBuf::from(&name), PathBuf::from(format!("{name}.1"))];
    beside.chain(of_the_system).collect()
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(300).collect()
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
