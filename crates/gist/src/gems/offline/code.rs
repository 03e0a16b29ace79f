//! Code that somebody shared: fenced blocks, and commands between back-ticks.

use vocabulary::GemTag;

use super::rules::Finding;
use crate::gems::folding::clip;

const FENCE: &str = "```";
const CODE_CHARS_MAX: usize = 300;
const PIECES_MAX: usize = 4;
/// Programs whose name alone tells that a line is a command.
const PROGRAMS: &str = " apt brew bun cargo cat cd chmod cp curl deno docker find git go grep gradle helm java journalctl kubectl ls \
    make mkdir mv mvn node npm npx pip pip3 pnpm podman psql python python3 rsync rustup sed ssh sudo systemctl tar \
    terraform uv wget yarn ";

/// The text without its code, and the pieces of code.
pub(super) fn apart(text: &str) -> (String, Vec<String>) {
    let mut prose = String::new();
    let mut code = Vec::new();
    for (place, part) in text.split(FENCE).enumerate() {
        if place % 2 == 0 {
            inline(part, &mut prose, &mut code);
        } else {
            prose.push('\n');
            code.extend(block(part));
        }
    }
    code.truncate(PIECES_MAX);
    (prose, code)
}

/// What makes code worth keeping: that it stands there.
pub(super) fn finding(code: &str, name: &str) -> Finding {
    let kind = if is_command(code) { "command" } else { "code" };
    Finding {
        content: format!("{name} shared the {kind} `{}`.", clip(code, CODE_CHARS_MAX)),
        importance: 0.5,
        tag: GemTag::Code,
        attribute: None,
        standing: false,
    }
}

/// The lines of a fenced block on one line, without the name of its language.
fn block(part: &str) -> Option<String> {
    let is_language = |line: &str| {
        !line.is_empty()
            && line
                .chars()
                .all(|letter| letter.is_alphanumeric() || "+#-".contains(letter))
    };
    let body = match part.split_once('\n') {
        Some((first, rest)) if first.trim().is_empty() || is_language(first.trim()) => rest,
        _ => part,
    };
    let lines: Vec<&str> = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let code = lines.join(" ; ").replace('`', "'");
    (code.chars().filter(|letter| letter.is_alphanumeric()).count() >= 3).then_some(code)
}

/// Keeps the words of a line; a command between back-ticks is also code.
fn inline(part: &str, prose: &mut String, code: &mut Vec<String>) {
    for (place, piece) in part.split('`').enumerate() {
        prose.push_str(piece);
        if place % 2 == 1 && is_command(piece) && !piece.contains('\n') {
            code.push(piece.trim().to_owned());
        }
    }
}

fn is_command(text: &str) -> bool {
    let text = text.trim().trim_start_matches("$ ");
    let program = text.split_whitespace().next().unwrap_or("");
    let has_arguments = text.split_whitespace().count() > 1;
    has_arguments && (PROGRAMS.contains(&format!(" {program} ")) || program.starts_with("./"))
}
