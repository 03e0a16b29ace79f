//! Reading the golden files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

/// The folder of one schema.
pub fn folder(schema: u32, kind: &str) -> PathBuf {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    golden.join(format!("schema{schema}")).join(kind)
}

/// The golden files of a kind, in order of name: what they are called and what they hold.
pub fn all(schema: u32, kind: &str) -> Vec<(String, String)> {
    let folder = folder(schema, kind);
    let entries = std::fs::read_dir(&folder).expect("there are golden files of this schema");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths.iter().map(|path| (name(path), unpacked(path))).collect()
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    let mut packed = GzDecoder::new(File::open(path).expect("a golden file can be opened"));
    packed.read_to_string(&mut text).expect("a golden file is gzip");
    text
}
