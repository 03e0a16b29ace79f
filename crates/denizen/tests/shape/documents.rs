//! What the documents say of the code: files, modules and tests that are named exist, records are listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The documents that a newcomer reads first.
const DOCUMENTS: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md"];
/// What is in front of the name of something that a path such as `mind::watch::intake::admit` may end in.
const DECLARED_BY: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "const", "macro_rules!"];
/// What is in front of the name of a test that fails when an invariant is broken.
const TEST_MARK: &str = "test: `";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The documents and every page of the manual, from the root of the repository.
fn pages() -> Vec<String> {
    let mut pages = DOCUMENTS.map(str::to_owned).to_vec();
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder of the manual") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(name);
            } else if is_a(&name, "md") {
                pages.push(name);
            }
        }
    }
    pages
}

fn is_a(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == ending)
}

/// Pieces of a text that stand between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Pieces between backticks that name one thing; not those that stand for several, nor whole blocks.
fn names(text: &str) -> impl Iterator<Item = &str> {
    quoted(text).filter(|piece| !piece.contains(['*', '{', ' ', '\n']))
}

/// What every source file of the crates says, by its path from the root of the repository.
fn sources() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec!["crates".to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder of the workspace") {
            let entry = entry.expect("an entry");
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.push(name);
            } else if is_a(&name, "rs") {
                let text = document(&name);
                found.insert(name, text);
            }
        }
    }
    found
}

/// The names of all test functions and contract tests in the crates.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for text in sources().values() {
        let functions = text.split("fn ").skip(1);
        names.extend(functions.filter_map(|rest| Some(rest.split_once('(')?.0.to_owned())));
    }
    names
}

/// Which crate a path such as `mind::watch::intake` begins in, and its parts in there. Those of the mind may be named
/// without it: `watch::intake`.
fn parts_in_a_crate(path: &str) -> Option<(&str, Vec<&str>)> {
    let path = path
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != ':')
        .next()?;
    let (first, rest) = path.split_once("::")?;
    if root().join("crates").join(first).join("src").is_dir() {
        return Some((first, rest.split("::").collect()));
    }
    let of_the_mind = is_module(&root().join("crates/mind/src").join(first));
    of_the_mind.then(|| ("mind", path.split("::").collect()))
}

fn is_module(path: &Path) -> bool {
    path.is_dir() || path.with_extension("rs").is_file()
}

/// Whether the parts are modules of a crate, up to something that the crate declares, and up to one name within that.
fn is_there(crate_name: &str, parts: &[&str], sources: &BTreeMap<String, String>) -> bool {
    let folder = format!("crates/{crate_name}/");
    let mut at = root().join(&folder).join("src");
    let mut rest = parts;
    while let [next, after @ ..] = rest {
        if !is_module(&at.join(next)) {
            break;
        }
        at.push(next);
        rest = after;
    }
    let item = match rest {
        [] => return true,
        [item] | [item, _] => item,
        _ => return false,
    };
    let declared = DECLARED_BY.map(|keyword| format!("{keyword} {item}"));
    sources
        .iter()
        .filter(|(path, _)| path.starts_with(&folder))
        .any(|(_, text)| declared.iter().any(|declared| text.contains(declared)))
}

#[test]
fn files_that_the_documents_name_exist() {
    let mut missing = Vec::new();
    let mut named = 0;
    for name in DOCUMENTS {
        let text = document(name);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let links = links.map(|(link, _)| link).filter(|link| !link.contains("://"));
        let paths =
            quoted(&text).filter(|piece| piece.starts_with("crates/") && !piece.contains(['*', '{', ' ']));
        for path in links.chain(paths) {
            named += 1;
            if !root().join(path).exists() {
                missing.push(format!("{name}: {path}"));
            }
        }
    }
    assert!(named > 20, "only {named} paths were found");
    assert!(
        missing.is_empty(),
        "documents name what is not there:\n{missing:#?}"
    );
}

#[test]
fn source_files_that_the_pages_name_are_in_the_crates() {
    let sources = sources();
    let mut missing = Vec::new();
    let mut named = 0;
    for page in pages() {
        let text = document(&page);
        for file in names(&text).filter(|name| is_a(name, "rs")) {
            named += 1;
            let ending = format!("/{file}");
            if !sources.keys().any(|path| path == file || path.ends_with(&ending)) {
                missing.push(format!("{page}: {file}"));
            }
        }
    }
    assert!(named > 40, "only {named} files were found");
    assert!(missing.is_empty(), "no such file:\n{missing:#?}");
}

#[test]
fn modules_that_the_pages_name_are_in_the_crates() {
    let sources = sources();
    let mut missing = Vec::new();
    let mut named = 0;
    for page in pages() {
        let text = document(&page);
        for name in names(&text) {
            if let Some((crate_name, parts)) = parts_in_a_crate(name) {
                named += 1;
                if !is_there(crate_name, &parts, &sources) {
                    missing.push(format!("{page}: {name}"));
                }
            }
        }
    }
    assert!(named > 40, "only {named} modules were found");
    assert!(missing.is_empty(), "no such module:\n{missing:#?}");
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let text = document("ARCHITECTURE.md");
    let known = tests();
    let invariants: Vec<&str> = text.lines().filter(|line| line.contains("**Invariant")).collect();
    assert!(
        invariants.len() > 8,
        "only {} invariants were found",
        invariants.len()
    );
    let named: Vec<&str> = text
        .split(TEST_MARK)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('`')?.0))
        .collect();
    assert!(
        named.len() >= invariants.len(),
        "{} invariants, {} tests",
        invariants.len(),
        named.len()
    );
    let unknown: Vec<&&str> = named.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "no such test: {unknown:#?}");
}

#[test]
fn every_decision_record_is_listed() {
    let list = document("docs/decisions/README.md");
    for entry in fs::read_dir(root().join("docs/decisions")).expect("the records") {
        let name = entry
            .expect("a record")
            .file_name()
            .into_string()
            .expect("a plain name");
        assert!(
            name == "README.md" || list.contains(&format!("({name})")),
            "{name} is not listed"
        );
    }
}

#[test]
fn the_first_pages_fit_a_terminal() {
    for name in DOCUMENTS {
        let text = document(name);
        let is_long = |line: &&str| line.chars().count() > 120 && !line.starts_with('|');
        let long: Vec<&str> = text.lines().filter(is_long).collect();
        assert!(
            long.is_empty(),
            "{name} has lines over 120 characters:\n{long:#?}"
        );
    }
}
