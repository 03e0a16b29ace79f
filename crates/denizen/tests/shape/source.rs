//! Source files of the house: where they are, which of them are production code, and their bare code without words.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Rust,
    Page,
}

/// One file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// From the root of the repository.
    pub path: String,
    /// The folder under `crates`; empty for the pages.
    pub crate_name: String,
    pub language: Language,
    pub text: String,
}

impl SourceFile {
    /// Whether a command writes the file, as its first line says.
    pub fn is_generated(&self) -> bool {
        let first = self.text.lines().next().unwrap_or_default();
        first.contains("not to be edited")
    }

    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// Its path inside `src`, without the ending: `ambient/feed/merit`.
    pub fn module_path(&self) -> Option<Vec<&str>> {
        let inside = self.path.split_once("/src/")?.1.strip_suffix(".rs")?;
        let mut names: Vec<&str> = inside.split('/').collect();
        if names.last() == Some(&"mod") {
            names.pop();
        }
        Some(names)
    }
}

/// Production code of all crates.
pub fn of_the_crates() -> Vec<SourceFile> {
    let mut files = Vec::new();
    for folder in folders(&root().join("crates")) {
        let mut found = Vec::new();
        collect(&folder.join("src"), &["rs"], &mut found);
        let tests: BTreeSet<PathBuf> = found.iter().flat_map(|path| test_modules(path)).collect();
        let of_tests = |path: &PathBuf| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            name.ends_with("_tests") || path.ancestors().any(|part| tests.contains(part))
        };
        files.extend(found.iter().filter(|path| !of_tests(path)).map(|path| read(path)));
    }
    files
}

/// Production code of the crates and of the pages.
pub fn all() -> Vec<SourceFile> {
    let mut files = of_the_crates();
    let mut pages = Vec::new();
    collect(&root().join("ui/src"), &["ts", "svelte"], &mut pages);
    assert!(
        pages.len() > 50,
        "only {} files of the pages were read",
        pages.len()
    );
    let of_tests = |path: &&PathBuf| path.to_string_lossy().contains(".test.");
    let pages = pages.iter().filter(|path| !of_tests(path)).map(|path| read(path));
    // What a program writes is not read by people.
    files.extend(pages.filter(|page| {
        !page
            .text
            .lines()
            .next()
            .is_some_and(|line| line.contains("not to be edited"))
    }));
    files
}

/// Code with comments, strings, characters and test items blanked out; lines stay where they are.
pub fn bare(text: &str) -> String {
    without_test_items(&without_words(text))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).unwrap_or_else(|_| panic!("{} cannot be read", parent.display()));
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

fn collect(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, endings, found);
        } else if path
            .extension()
            .is_some_and(|ending| endings.iter().any(|known| ending == *known))
        {
            found.push(path);
        }
    }
}

fn read(path: &Path) -> SourceFile {
    let text = fs::read_to_string(path).unwrap_or_else(|_| panic!("{} cannot be read", path.display()));
    let inside = path.strip_prefix(root()).expect("it was found under the root");
    let inside = inside.to_string_lossy().replace('\\', "/");
    let crate_name = inside
        .strip_prefix("crates/")
        .and_then(|rest| rest.split('/').next());
    SourceFile {
        crate_name: crate_name.unwrap_or_default().to_owned(),
        language: if inside.ends_with(".rs") {
            Language::Rust
        } else {
            Language::Page
        },
        path: inside,
        text,
    }
}

/// Files and folders of the modules that this file declares under `#[cfg(test)]`.
fn test_modules(path: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let beside = path.parent().unwrap_or(path).to_owned();
    let below = match stem.as_str() {
        "mod" | "lib" | "main" => beside.clone(),
        _ => beside.join(&stem),
    };
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if line != "#[cfg(test)]" {
            continue;
        }
        let mut at = None;
        while let Some(attribute) = lines.next_if(|line| line.starts_with("#[")) {
            at = attribute
                .strip_prefix("#[path = \"")
                .and_then(|rest| rest.strip_suffix("\"]"))
                .or(at);
        }
        let declared = lines.peek().and_then(|line| line.strip_suffix(';'));
        let name = declared
            .and_then(|line| line.rsplit_once("mod "))
            .map(|(_, name)| name);
        match (at, name) {
            (Some(at), Some(_)) => found.push(beside.join(at)),
            (None, Some(name)) => found.extend([below.join(format!("{name}.rs")), below.join(name)]),
            (_, None) => {}
        }
    }
    found
}

fn without_words(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut out: Vec<char> = Vec::with_capacity(letters.len());
    let mut at = 0;
    while at < letters.len() {
        let end = match (letters[at], letters.get(at + 1)) {
            ('/', Some('/')) => end_of(&letters, at, |rest| rest[0] == '\n', 0),
            ('/', Some('*')) => end_of(&letters, at + 2, |rest| rest.starts_with(&['*', '/']), 2),
            ('r', Some('"' | '#')) if !is_word(at.checked_sub(1).map(|before| letters[before])) => {
                let hashes = letters[at + 1..]
                    .iter()
                    .take_while(|letter| **letter == '#')
                    .count();
                if letters.get(at + 1 + hashes) == Some(&'"') {
                    let close: Vec<char> = std::iter::once('"')
                        .chain(std::iter::repeat_n('#', hashes))
                        .collect();
                    end_of(
                        &letters,
                        at + 2 + hashes,
                        |rest| rest.starts_with(&close),
                        close.len(),
                    )
                } else {
                    at
                }
            }
            ('"', _) => quoted(&letters, at + 1, '"'),
            ('\'', Some('\\')) => quoted(&letters, at + 1, '\''),
            ('\'', Some(_)) if letters.get(at + 2) == Some(&'\'') => at + 3,
            _ => at,
        };
        if end == at {
            out.push(letters[at]);
            at += 1;
        } else {
            out.extend(
                letters[at..end]
                    .iter()
                    .map(|letter| if *letter == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        }
    }
    out.into_iter().collect()
}

fn is_word(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
}

fn end_of(letters: &[char], from: usize, closes: impl Fn(&[char]) -> bool, length: usize) -> usize {
    let found = (from..letters.len()).find(|at| closes(&letters[*at..]));
    found.map_or(letters.len(), |at| at + length)
}

fn quoted(letters: &[char], from: usize, close: char) -> usize {
    let mut at = from;
    while at < letters.len() && letters[at] != close {
        at += if letters[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(letters.len())
}

/// Blanks out what stands under `#[cfg(test)]`, up to the end of its block or to its semicolon.
fn without_test_items(code: &str) -> String {
    let mut rest = code;
    let mut out = String::with_capacity(code.len());
    while let Some(at) = rest.find("#[cfg(test)]") {
        out.push_str(&rest[..at]);
        let item = &rest[at..];
        let end = item_end(item);
        out.extend(item[..end].chars().filter(|letter| *letter == '\n'));
        rest = &item[end..];
    }
    out + rest
}

fn item_end(item: &str) -> usize {
    let mut depth = 0_usize;
    for (at, letter) in item.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth <= 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    item.len()
}
