//! What the documents say of the code: files that are named exist, tests that are named exist, records are listed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The documents that a newcomer reads first.
const DOCUMENTS: [&str; 4] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md"];
/// What is in front of the name of a test that fails when an invariant is broken.
const TEST_MARK: &str = "test: `";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Pieces of a text that stand between backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The names of all test functions and contract tests in the crates.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the workspace") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).expect("source is text");
                let functions = text.split("fn ").skip(1);
                names.extend(functions.filter_map(|rest| Some(rest.split_once('(')?.0.to_owned())));
            }
        }
    }
    names
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
