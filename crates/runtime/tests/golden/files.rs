//! Reading the golden files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use mind::snapshot::SCHEMA;

/// The folder of one schema.
fn folder(schema: u32, kind: &str) -> PathBuf {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    golden.join(format!("schema{schema}")).join(kind)
}

/// Every schema that there are golden files of; older ones than this version writes must all be there.
pub fn schemas(kind: &str) -> Vec<u32> {
    let schemas: Vec<u32> = (1..=SCHEMA)
        .filter(|schema| *schema < SCHEMA || folder(*schema, kind).exists())
        .collect();
    for schema in &schemas {
        let folder = folder(*schema, kind);
        assert!(
            folder.exists(),
            "{} is missing: see CONTRIBUTING.md",
            folder.display()
        );
    }
    schemas
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
