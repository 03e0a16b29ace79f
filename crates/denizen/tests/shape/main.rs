//! The shape of the code, as a build can check it: small parts that own their state, modules without cycles, short files.
//!
//! Each list of exceptions may only get smaller: an entry that is no longer needed fails its test, too.

mod documents;
mod methods;
mod modules;
mod source;

use source::{Language, SourceFile};

/// A type's inherent methods are at most this many, in at most this many files.
const METHODS_MAX: usize = 40;
const METHOD_FILES_MAX: usize = 3;
/// The longest a source file may be.
const LINES_MAX: usize = 400;
/// Production lines the mind may have in all. Raised nine times: for one budget over every purpose and stricter addressing,
/// for what was edited, promised to be forgotten or waited for while something was under way, and for pictures in replies
/// and a prompt for small models, for voice, and for thoughts, comments and sounds in it; for reactions, quiet and talk with
/// other programs, for memory of models that read little, for realtime services that hear and speak, for waits that are kept, and for cues of who names whom and of whose words are taken up.
const MIND_LINES_MAX: usize = 45_600;

/// Types that are larger still, as `crate::Type`.
const LARGE_TYPES: &[&str] = &[];
/// Uses between modules of the mind that close a cycle still, as (from, to).
const CYCLES: &[(&str, &str)] = &[];
/// Files that are longer still.
const LONG_FILES: &[&str] = &[];

/// Fails with what is found beyond the known exceptions, and with exceptions that nothing needs any more.
fn compare(what: &str, found: &[(String, String)], known: &[String]) {
    let news: Vec<&String> = found
        .iter()
        .filter(|(name, _)| !known.contains(name))
        .map(|(_, told)| told)
        .collect();
    let mended: Vec<&String> = known
        .iter()
        .filter(|name| !found.iter().any(|(found, _)| found == *name))
        .collect();
    assert!(news.is_empty(), "{what}:\n{news:#?}");
    assert!(
        mended.is_empty(),
        "{what}: mended, take it out of the exceptions: {mended:#?}"
    );
}

fn names(known: &[&str]) -> Vec<String> {
    known.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_type_has_few_methods_in_few_files() {
    let types = methods::inherent_methods(&source::of_the_crates());
    assert!(types.len() > 300, "only {} types were read", types.len());
    let large: Vec<(String, String)> = types
        .iter()
        .filter(|(_, size)| size.methods > METHODS_MAX || size.files.len() > METHOD_FILES_MAX)
        .map(|(name, size)| {
            let files: Vec<&str> = size.files.iter().map(String::as_str).collect();
            let told = format!(
                "{name} has {} methods in {} files ({}); compose it of parts with their own state",
                size.methods,
                files.len(),
                files.join(", ")
            );
            (name.clone(), told)
        })
        .collect();
    compare("types that are too large", &large, &names(LARGE_TYPES));
}

#[test]
fn modules_of_the_mind_form_no_cycle() {
    let uses = modules::uses_of("mind");
    assert!(uses.len() > 30, "only {} uses were read", uses.len());
    let known: Vec<String> = CYCLES.iter().map(|(from, to)| format!("{from} → {to}")).collect();
    let gone: Vec<&(&str, &str)> = CYCLES
        .iter()
        .filter(|(from, to)| !uses.contains_key(&((*from).to_owned(), (*to).to_owned())))
        .collect();
    assert!(gone.is_empty(), "cut, take it out of the exceptions: {gone:?}");
    let rest: Vec<_> = uses
        .iter()
        .filter(|((from, to), _)| !known.contains(&format!("{from} → {to}")))
        .collect();
    if let Some(cycle) = modules::cycle(rest.iter().map(|(edge, _)| (edge.0.as_str(), edge.1.as_str()))) {
        let steps: Vec<String> = cycle
            .windows(2)
            .map(|step| {
                let file = &uses[&(step[0].to_owned(), step[1].to_owned())];
                format!("{} → {} ({file})", step[0], step[1])
            })
            .collect();
        panic!("modules of the mind form a cycle:\n{steps:#?}");
    }
}

#[test]
fn no_source_file_is_long() {
    let long: Vec<(String, String)> = source::all()
        .iter()
        .filter(|file| file.lines() > LINES_MAX && !file.is_generated())
        .map(|file| {
            let told = format!("{} has {} lines; split it by idea", file.path, file.lines());
            (file.path.clone(), told)
        })
        .collect();
    compare("files that are too long", &long, &names(LONG_FILES));
}

#[test]
fn the_mind_stays_small() {
    let files = source::of_the_crates();
    let mind: Vec<&SourceFile> = files
        .iter()
        .filter(|file| file.crate_name == "mind" && file.language == Language::Rust)
        .collect();
    let lines: usize = mind.iter().map(|file| file.lines()).sum();
    assert!(lines > 10_000, "only {lines} lines of the mind were read");
    assert!(
        lines < MIND_LINES_MAX,
        "the mind has {lines} production lines, and {MIND_LINES_MAX} is too many"
    );
}

#[test]
fn a_knob_that_the_mind_does_not_read_says_where_it_acts() {
    let files = source::of_the_crates();
    let mind = files.iter().filter(|file| file.crate_name == "mind");
    let code: Vec<String> = mind.map(|file| source::bare(&file.text)).collect();
    let is_read = |field: &str| {
        let read = format!(".{field}");
        code.iter().any(|code| {
            let mut found = code.match_indices(&read);
            found.any(|(at, _)| {
                let behind = code[at + read.len()..].chars().next();
                !behind.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
            })
        })
    };
    let mut unsaid = Vec::new();
    for knob in settings::Settings::knobs() {
        let name = knob.key.rsplit('.').next().unwrap_or_default();
        let field: String = name
            .chars()
            .flat_map(|letter| match letter.is_uppercase() {
                true => vec!['_', letter.to_ascii_lowercase()],
                false => vec![letter],
            })
            .collect();
        if knob.acts == settings::Acts::Deciding && !is_read(&field) {
            unsaid.push(knob.key);
        }
    }
    assert!(
        unsaid.is_empty(),
        "a replay would say of these that no decision hangs on them; declare where they act: {unsaid:?}"
    );
}
