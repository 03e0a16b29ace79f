//! Which top-level module of a crate uses which other, and whether that goes round in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{self, SourceFile, bare};

/// Uses between top-level modules of a crate, as (from, to), each with a file that has it.
pub fn uses_of(crate_name: &str) -> BTreeMap<(String, String), String> {
    let files = source::of_the_crates();
    let files: Vec<&SourceFile> = files
        .iter()
        .filter(|file| file.crate_name == crate_name)
        .collect();
    let modules: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.module_path())
        .filter_map(|path| path.first().copied())
        .filter(|name| !matches!(*name, "lib" | "main"))
        .collect();
    let root = files.iter().find(|file| file.path.ends_with("src/lib.rs"));
    let doors = root.map(|root| re_exports(&bare(&root.text))).unwrap_or_default();
    let mut uses = BTreeMap::new();
    for file in &files {
        let Some(path) = file.module_path() else { continue };
        let from = path[0];
        if matches!(from, "lib" | "main") {
            continue;
        }
        for name in reached(&bare(&file.text), path.len()) {
            let to = doors.get(&name).map_or(name.as_str(), String::as_str);
            if to != from && modules.contains(to) {
                uses.entry((from.to_owned(), to.to_owned()))
                    .or_insert_with(|| file.path.clone());
            }
        }
    }
    uses
}

/// A way round in a circle, its first module again at the end.
pub fn cycle<'a>(edges: impl Iterator<Item = (&'a str, &'a str)>) -> Option<Vec<&'a str>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().insert(to);
    }
    let mut done = BTreeSet::new();
    let starts: Vec<&str> = next.keys().copied().collect();
    starts
        .into_iter()
        .find_map(|start| walk(start, &next, &mut Vec::new(), &mut done))
}

fn walk<'a>(
    at: &'a str,
    next: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    way: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    if let Some(place) = way.iter().position(|before| *before == at) {
        let circle = way[place..].iter().copied().chain([at]);
        return Some(circle.collect());
    }
    if done.contains(at) {
        return None;
    }
    way.push(at);
    let found = next
        .get(at)
        .into_iter()
        .flatten()
        .find_map(|to| walk(to, next, way, done));
    way.pop();
    done.insert(at);
    found
}

/// Names of the crate's root that a file reaches by `crate::` or by as many `super::` as it is deep.
fn reached(code: &str, depth: usize) -> Vec<String> {
    let up = "super::".repeat(depth);
    let mut found = Vec::new();
    for prefix in ["crate::", up.as_str()] {
        for (at, _) in code.match_indices(prefix) {
            let before = code[..at].chars().last();
            if before.is_some_and(|letter| {
                letter.is_alphanumeric() || letter == '_' || letter == ':' || letter == '$'
            }) {
                continue;
            }
            found.extend(heads(&code[at + prefix.len()..]));
        }
    }
    found
}

/// The first names of what follows: one, or those of a group in braces.
fn heads(text: &str) -> Vec<String> {
    let word = |text: &str| {
        text.chars()
            .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
            .collect()
    };
    let Some(group) = text.strip_prefix('{') else {
        return vec![word(text)];
    };
    let mut depth = 0_usize;
    let mut found = Vec::new();
    let mut begins = true;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !letter.is_whitespace() => {
                found.push(word(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    found
}

/// What the root re-exports, and from which of its modules.
fn re_exports(root: &str) -> BTreeMap<String, String> {
    let mut doors = BTreeMap::new();
    for line in root.split(';') {
        let Some(path) = line.trim().strip_prefix("pub use ") else {
            continue;
        };
        let Some((module, names)) = path.split_once("::") else {
            continue;
        };
        for name in names.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            doors.insert(name.to_owned(), module.to_owned());
        }
    }
    doors
}
