//! How many inherent methods each type has, and in how many files.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Language, SourceFile, bare};

/// The inherent methods of one type.
#[derive(Clone, Debug, Default)]
pub struct Size {
    pub methods: usize,
    pub files: BTreeSet<String>,
}

/// Inherent methods by `crate::Type`. Where a crate has several types of one name, a block belongs to the one that is
/// defined nearest to it, and each carries the file it is defined in.
pub fn inherent_methods(files: &[SourceFile]) -> BTreeMap<String, Size> {
    let rust: Vec<(&SourceFile, String)> = files
        .iter()
        .filter(|file| file.language == Language::Rust)
        .map(|file| (file, bare(&file.text)))
        .collect();
    let mut homes: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for (file, code) in &rust {
        for name in defined(code) {
            homes
                .entry((&file.crate_name, name))
                .or_default()
                .push(&file.path);
        }
    }
    let mut types: BTreeMap<String, Size> = BTreeMap::new();
    for (file, code) in &rust {
        for (name, methods) in impl_blocks(code) {
            let homes = homes.get(&(file.crate_name.as_str(), name.clone()));
            let nearest = homes.and_then(|homes| homes.iter().max_by_key(|home| shared(home, &file.path)));
            let key = match (homes.map(Vec::len), nearest) {
                (Some(2..), Some(home)) => format!("{}::{name} ({home})", file.crate_name),
                _ => format!("{}::{name}", file.crate_name),
            };
            let size = types.entry(key).or_default();
            size.methods += methods;
            if methods > 0 {
                size.files.insert(file.path.clone());
            }
        }
    }
    types
}

/// How many letters two paths share from their beginning; all of them, and one more, where they are the same.
fn shared(one: &str, other: &str) -> usize {
    let same = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other)
        .count();
    same + usize::from(one == other)
}

/// Types that are defined in a file.
fn defined(code: &str) -> Vec<String> {
    let words: Vec<&str> = code.split_whitespace().collect();
    let pairs = words
        .windows(2)
        .filter(|pair| matches!(pair[0], "struct" | "enum" | "union"));
    pairs
        .map(|pair| word(pair[1]).to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Blocks of inherent methods, each with the type's name and how many methods it has.
fn impl_blocks(code: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("impl") {
        let starts_item = rest[..at]
            .trim_end_matches(' ')
            .chars()
            .last()
            .is_none_or(|before| before == '\n');
        let after = &rest[at + 4..];
        rest = after;
        if !starts_item || !after.starts_with([' ', '<']) {
            continue;
        }
        let Some(open) = after.find('{') else { break };
        let header = without_generics(&after[..open]);
        let header = header.split(" where ").next().unwrap_or_default().trim();
        if header.split_whitespace().any(|part| part == "for") {
            continue;
        }
        let name = word(header.rsplit("::").next().unwrap_or_default().trim()).to_owned();
        found.push((name, methods_in(&after[open..])));
    }
    found
}

/// A header without what stands between angle brackets.
fn without_generics(header: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::new();
    let mut before = ' ';
    for letter in header.chars() {
        match letter {
            '<' => depth += 1,
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(if letter.is_whitespace() { ' ' } else { letter }),
            _ => {}
        }
        before = letter;
    }
    out
}

/// Functions directly inside the block that this begins with.
fn methods_in(block: &str) -> usize {
    let (mut depth, mut methods) = (0_usize, 0);
    let mut name = String::new();
    for letter in block.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            name.push(letter);
            continue;
        }
        if depth == 1 && name == "fn" {
            methods += 1;
        }
        name.clear();
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return methods,
            '}' => depth -= 1,
            _ => {}
        }
    }
    methods
}

fn word(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}
