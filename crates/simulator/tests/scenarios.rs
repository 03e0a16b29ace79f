//! Plays every scenario of `scenarios/`. `SCENARIO=word` plays those whose file or title holds the word.

use std::fs;
use std::path::{Path, PathBuf};

use simulator::{Scenario, read_scenarios};
use vocabulary::Span;

#[test]
fn every_scenario_comes_out_as_its_page_says() {
    let wanted = wanted();
    let mut problems = Vec::new();
    let mut played = 0;
    for scenario in all(&mut problems) {
        let name = format!("{} {}", scenario.file, scenario.title).to_lowercase();
        if !wanted.as_ref().is_none_or(|word| name.contains(word)) {
            continue;
        }
        played += 1;
        if let Err(found) = scenario.run() {
            problems.extend(found.iter().map(ToString::to_string));
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(played > 0, "no scenario's file or title holds {wanted:?}");
}

#[test]
fn wakes_that_nobody_wanted_change_nothing_of_what_is_said_or_held_back() {
    let mut held = 0;
    for scenario in all(&mut Vec::new()) {
        if !scenario.file.contains("/voice") {
            continue;
        }
        let Ok(plain) = scenario.run() else { continue };
        let woken = scenario.run_woken(Span(330)).expect(&scenario.title);
        assert_eq!(plain.journal_lines(), woken.journal_lines(), "{}", scenario.title);
        let mut lines = plain.journal();
        held += usize::from(lines.any(|entry| entry.event.name() == "stream_watch_commentary_deferred"));
    }
    assert!(held > 0, "no comment waits in any of them");
}

#[test]
fn no_two_scenarios_of_a_page_have_the_same_title() {
    let mut titles: Vec<String> = all(&mut Vec::new())
        .iter()
        .map(|scenario| format!("{}: {}", scenario.file, scenario.title))
        .collect();
    let count = titles.len();
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), count);
}

#[expect(clippy::disallowed_methods, reason = "the pages are files")]
fn all(problems: &mut Vec<String>) -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for path in pages() {
        let text = fs::read_to_string(&path).expect("a page of scenarios can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match read_scenarios(&format!("scenarios/{name}"), &text) {
            Ok(found) => scenarios.extend(found),
            Err(found) => problems.extend(found.iter().map(ToString::to_string)),
        }
    }
    scenarios
}

#[expect(clippy::disallowed_methods, reason = "the pages are files")]
fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let entries = fs::read_dir(&folder).expect("there is a folder of scenarios");
    let paths = entries.map(|entry| entry.expect("its entries can be read").path());
    // README.md explains the language and holds no scenarios.
    let mut pages: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
        .filter(|path| path.file_name().is_some_and(|name| name != "README.md"))
        .collect();
    pages.sort();
    assert!(!pages.is_empty(), "{} holds no pages", folder.display());
    pages
}

#[expect(clippy::disallowed_methods, reason = "a test may be told what to play")]
fn wanted() -> Option<String> {
    std::env::var("SCENARIO").ok().map(|word| word.to_lowercase())
}
