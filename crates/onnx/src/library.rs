//! Finding ONNX Runtime and loading it, once for the process.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
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
        let made = whole(&candidate)
            .and_then(|()| ort::init_from(&candidate).map_err(|error| error.to_string()))
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

/// A library that ends too soon is not refused by the system: the process dies when it touches what is missing. What it
/// should hold, and whether it does, is seen without loading it; what is no ELF file is for the system to judge.
fn whole(path: &Path) -> Result<(), String> {
    // A bare name is looked up by the system, and what cannot be read is told by it.
    let Ok(mut file) = File::open(path) else {
        return Ok(());
    };
    let length = file.metadata().map_or(0, |found| found.len());
    let wanted = match elf_length(&mut file) {
        Ok(Some(wanted)) => wanted,
        Ok(None) => return Ok(()),
        Err(_) => u64::MAX,
    };
    if length >= wanted {
        return Ok(());
    }
    let should = match wanted {
        u64::MAX => String::new(),
        wanted => format!(" instead of at least {wanted}"),
    };
    Err(format!(
        "{} is not whole: it has {length} bytes{should}; remove it and get it again",
        path.display()
    ))
}

/// How long an ELF file of 64 bits in this machine's byte order is at least: as far as its tables and what is loaded of
/// it reach. None for any other file.
fn elf_length(file: &mut File) -> io::Result<Option<u64>> {
    const HEADER: usize = 64;
    let mut header = Vec::new();
    file.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
    let order = if cfg!(target_endian = "little") { 1 } else { 2 };
    if !header.starts_with(&[0x7f, b'E', b'L', b'F', 2, order]) {
        return Ok(None);
    }
    if header.len() < HEADER {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let table = |offset: usize, size: usize, count: usize| {
        (word(&header, offset), half(&header, size), half(&header, count))
    };
    let end = |(start, size, count): (u64, u64, u64)| start.saturating_add(size * count);
    let (programs, sections) = (table(32, 54, 56), table(40, 58, 60));
    let mut length = end(programs).max(end(sections));
    let (start, size, count) = programs;
    let mut entry = vec![0; size as usize];
    for index in 0..count {
        file.seek(SeekFrom::Start(start.saturating_add(index * size)))?;
        file.read_exact(&mut entry)?;
        length = length.max(word(&entry, 8).saturating_add(word(&entry, 32)));
    }
    Ok(Some(length))
}

/// Eight bytes of a table as a number; what lies beyond its end counts as nothing.
fn word(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..at + 8).and_then(|found| found.try_into().ok());
    u64::from_ne_bytes(found.unwrap_or_default())
}

fn half(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..at + 2).and_then(|found| found.try_into().ok());
    u64::from(u16::from_ne_bytes(found.unwrap_or_default()))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").chars().take(300).collect()
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
