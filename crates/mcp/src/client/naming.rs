//! The names by which a model calls the tools of servers.

use sha2::{Digest, Sha256};

/// Longest name that all model APIs take.
const NAME_CHARACTERS_MAX: usize = 64;

/// `SERVER__TOOL` in the letters that model APIs take. It depends on nothing but the two names, so that it stays the
/// same whatever else is connected; where letters had to go, a mark made of both names keeps it unique.
pub(crate) fn tool_name(server: &str, tool: &str) -> String {
    let plain = format!("{server}__{tool}");
    // The first double underscore is where the server ends, or two pairs would share a name.
    let splits_in_one_way = !server.contains("__") && !server.ends_with('_');
    if splits_in_one_way
        && plain.len() <= NAME_CHARACTERS_MAX
        && plain.chars().all(is_taken)
        && !tool.is_empty()
    {
        return plain;
    }
    let mark = mark(server, tool);
    let letters: String = plain
        .chars()
        .map(|character| if is_taken(character) { character } else { '_' })
        .take(NAME_CHARACTERS_MAX - mark.len() - 1)
        .collect();
    format!("{letters}_{mark}")
}

fn is_taken(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn mark(server: &str, tool: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(server.as_bytes());
    hash.update([0]);
    hash.update(tool.as_bytes());
    let digest = hash.finalize();
    digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "naming_tests.rs"]
mod tests;
