//! Whether a sentence says that tools are not taken, of servers that have no field for it. What is wrong with one tool, or
//! with tools beside something else, is another thing: leaving all of them out would cost more than it helps.

/// Names of the whole of them, the longer ones first; words that follow one another.
const TOOLS: &[&[&str]] = &[
    &["function", "calling"],
    &["function", "calls"],
    &["function", "call"],
    &["function", "tools"],
    &["tool", "calling"],
    &["tool", "calls"],
    &["tool", "call"],
    &["tool", "choice"],
    &["tool", "use"],
    &["tool", "usage"],
    &["tool", "invocation"],
    &["tool", "invocations"],
    &["function-calling"],
    &["function_calling"],
    &["function-calls"],
    &["tool-calling"],
    &["tool_calling"],
    &["tool-calls"],
    &["tool-use"],
    &["tool_choice"],
    &["functions"],
    &["tools"],
    &["tool"],
];
/// One of them, which may be the one that is wrong.
const ONE: &[&[&str]] = &[&["tool"], &["tool", "call"], &["function", "call"]];
/// Behind a name they make what can be done with tools of it.
const ABILITY: &[&str] = &["support", "capability", "capabilities", "abilities", "ability"];
/// Before such a name they make some of them of it.
const ONLY_SOME: &[&str] = &[
    "parallel", "multiple", "strict", "custom", "hosted", "built-in", "builtin", "nested", "forced", "mcp",
    "search", "server", "of",
];
/// Beside these it is the two together that are not taken.
const BESIDE: &[&str] = &[
    "response_format",
    "json",
    "schema",
    "structured",
    "mime",
    "effort",
    "reasoning",
    "thinking",
    "image",
    "images",
    "logprobs",
    "temperature",
    "cache",
    "both",
    "together",
    "simultaneously",
];
/// Words between a name and what is said of it.
const AFTER: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "currently",
    "yet",
    "fully",
    "param",
    "params",
    "parameter",
    "parameters",
    "argument",
    "field",
    "feature",
    "support",
    "auto",
    "value",
    "extra",
    "input",
    "inputs",
    "fields",
    "tool_choice",
    "functions",
    "and",
    "or",
];
/// What cannot be done with them.
const DONE: &[&str] = &["used", "called", "invoked", "handled", "processed"];
/// What is said of a name, behind a "not" or by itself.
const NOT_SO: &[&str] = &[
    "supported",
    "available",
    "enabled",
    "allowed",
    "implemented",
    "permitted",
    "accepted",
    "possible",
    "recognized",
    "recognised",
];
const UNSO: &[&str] = &[
    "unsupported",
    "unavailable",
    "disabled",
    "unrecognized",
    "unrecognised",
    "unknown",
    "unexpected",
];
/// What a server does not do with it.
const DOES: &[&str] = &[
    "support",
    "supports",
    "accept",
    "accepts",
    "allow",
    "allows",
    "take",
    "takes",
    "handle",
    "advertise",
    "enable",
    "implement",
    "offer",
    "offers",
    "understand",
    "understands",
];
/// What somebody is not, before "to use tools".
const ABLE: &[&str] = &["able", "capable", "allowed", "permitted", "trained", "possible"];
/// Words between that and the name.
const BEFORE: &[&str] = &[
    "the",
    "any",
    "for",
    "use",
    "using",
    "provided",
    "request",
    "requests",
    "with",
    "param",
    "params",
    "parameter",
    "parameters",
    "argument",
    "arguments",
    "supplied",
    "keyword",
    "field",
    "fields",
    "property",
    "input",
    "body",
    "option",
    "feature",
    "tool_choice",
    "functions",
    "and",
    "native",
    "openai",
    "to",
    "of",
    "call",
    "calling",
    "do",
    "perform",
    "make",
    "invoke",
];
/// So many words may stand between a "no" and what is not done, as in "no endpoints found that support tool use".
const NO_REACHES: usize = 4;
/// Ways to say it that name what the server was not started with.
const NOT_STARTED_WITH: &[&str] = &[
    "tool choice requires --",
    "tools param requires --",
    "tools requires --",
];

/// Whether one of its sentences says so.
pub(crate) fn refuses_tools(words: &str) -> bool {
    let words = words.to_lowercase();
    if NOT_STARTED_WITH.iter().any(|way| words.contains(way)) {
        return true;
    }
    let mut sentences = words
        .split(['\n', ';', '!', '|'])
        .flat_map(|line| line.split(". "));
    sentences.any(|sentence| {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let spoken: Vec<&str> = sentence
            .split(|c: char| !is_word(c))
            .filter(|word| !word.is_empty())
            .collect();
        !spoken.iter().any(|word| BESIDE.contains(word)) && says_so(&spoken)
    })
}

fn says_so(spoken: &[&str]) -> bool {
    (0..spoken.len()).any(|at| {
        let name = TOOLS.iter().find(|name| spoken[at..].starts_with(name));
        let Some(name) = name else {
            return false;
        };
        let (before, after) = (&spoken[..at], &spoken[at + name.len()..]);
        let is_some = match before {
            [.., "capable" | "incapable", "of"] => false,
            [.., word] => ONLY_SOME.contains(word),
            [] => false,
        };
        let lacks_it = || after.first().is_some_and(|word| ABILITY.contains(word)) && lacks(before);
        !is_some && (is_denied(after) || denies(before, ONE.contains(name)) || lacks_it())
    })
}

/// "… are not supported".
fn is_denied(after: &[&str]) -> bool {
    let after = skipped(after.iter().copied(), AFTER);
    match after.as_slice() {
        [word, ..] if UNSO.contains(word) => true,
        ["not", "support"] => true,
        ["cannot", rest @ ..] | ["can", "t" | "not", rest @ ..] => {
            let rest = skipped(rest.iter().copied(), AFTER);
            rest.first().is_some_and(|word| DONE.contains(word))
        }
        ["not" | "n't", rest @ ..] | ["isn" | "aren", "t", rest @ ..] => {
            let rest = skipped(rest.iter().copied(), AFTER);
            rest.first().is_some_and(|word| NOT_SO.contains(word))
        }
        _ => false,
    }
}

/// "… does not support", "cannot use", "unrecognized argument". A call that is not known, or that cannot be made, is one.
fn denies(before: &[&str], is_one: bool) -> bool {
    let before = skipped(before.iter().rev().copied(), BEFORE);
    match before.as_slice() {
        ["unknown" | "unexpected", ..] if is_one => false,
        [word, ..] if UNSO.contains(word) => true,
        [word, rest @ ..] if DOES.contains(word) => is_near_no(rest),
        [word, rest @ ..] if ABLE.contains(word) => !is_one && is_near_no(rest),
        ["cannot" | "unable" | "incapable", ..] | ["t" | "not", "can", ..] => !is_one,
        _ => false,
    }
}

/// "… has no", "… lacks".
fn lacks(before: &[&str]) -> bool {
    let before = skipped(before.iter().rev().copied(), BEFORE);
    match before.as_slice() {
        ["no" | "lack" | "lacks" | "lacking" | "without", ..] => true,
        ["have", rest @ ..] => is_near_no(rest),
        _ => false,
    }
}

fn is_near_no(before: &[&str]) -> bool {
    let mut near = before.iter().take(NO_REACHES);
    near.any(|word| ["not", "no", "cannot", "t", "never"].contains(word))
}

fn skipped<'a>(words: impl Iterator<Item = &'a str>, fillers: &[&str]) -> Vec<&'a str> {
    words.skip_while(|word| fillers.contains(word)).collect()
}

#[cfg(test)]
#[path = "no_tools_tests.rs"]
mod tests;
