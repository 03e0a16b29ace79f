//! Reads a Markdown file: headings, and the fenced blocks under them.

use settings::{Document, migrate};

use super::expect::Expectation;
use super::{LONGEST, Problem, Scenario, script};
use vocabulary::Moment;

#[derive(Clone)]
struct Block<'a> {
    /// What stands behind the opening fence.
    kind: &'a str,
    line: usize,
    lines: Vec<(usize, &'a str)>,
}

/// Every scenario of a file; all that is wrong with it is told at once.
pub fn read(file: &str, text: &str) -> Result<Vec<Scenario>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut scenarios = Vec::new();
    for (line, title, blocks) in sections(text) {
        match scenario(line, title, &blocks) {
            Ok(scenario) => scenarios.push(Scenario {
                file: file.to_owned(),
                ..scenario
            }),
            Err(found) => problems.extend(found.into_iter().map(|(line, what)| Problem {
                file: file.to_owned(),
                line,
                what: format!("{title:?}: {what}"),
            })),
        }
    }
    if scenarios.is_empty() && problems.is_empty() {
        problems.push(Problem {
            file: file.to_owned(),
            line: 1,
            what: "no scenario in this file. Write a `##` heading with a script and what must come of it"
                .to_owned(),
        });
    }
    if problems.is_empty() {
        Ok(scenarios)
    } else {
        Err(problems)
    }
}

/// Each `##` heading with its blocks; settings before the first heading are those of every scenario of the page.
fn sections(text: &str) -> Vec<(usize, &str, Vec<Block<'_>>)> {
    let mut sections: Vec<(usize, &str, Vec<Block<'_>>)> = Vec::new();
    let mut open: Option<Block<'_>> = None;
    let mut of_page: Vec<Block<'_>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some("")) => match (open.take(), sections.last_mut()) {
                (Some(block), Some((_, _, blocks))) => blocks.push(block),
                (Some(block), None) if block.kind == "settings" => of_page.push(block),
                _ => {}
            },
            (Some(block), _) => block.lines.push((number, line)),
            (None, Some(kind)) => {
                open = Some(Block {
                    kind: kind.trim(),
                    line: number,
                    lines: Vec::new(),
                });
            }
            (None, None) => {
                if let Some(title) = line.strip_prefix("## ") {
                    sections.push((number, title.trim(), of_page.clone()));
                }
            }
        }
    }
    // A block that is never closed would be lost in silence.
    if let (Some(block), Some((_, _, blocks))) = (open, sections.last_mut()) {
        blocks.push(Block {
            kind: "unclosed",
            ..block
        });
    }
    sections
}

type Wrong = Vec<(usize, String)>;

fn scenario(line: usize, title: &str, blocks: &[Block<'_>]) -> Result<Scenario, Wrong> {
    let mut wrong = Wrong::new();
    let mut scenario = Scenario {
        file: String::new(),
        line,
        title: title.to_owned(),
        settings: Document::default(),
        seed: 1,
        end: Moment::default() + LONGEST,
        deeds: Vec::new(),
        expectations: Vec::new(),
    };
    let mut has_script = false;
    for block in blocks {
        let mut words = block.kind.split_whitespace();
        match words.next().unwrap_or_default() {
            "settings" => {
                let text: Vec<&str> = block.lines.iter().map(|(_, line)| *line).collect();
                match Document::from_json(&text.join("\n")) {
                    Ok(document) if words.next() == Some("before") => {
                        scenario.settings.lay_over(migrate(&document).0)
                    }
                    Ok(document) => scenario.settings.lay_over(document),
                    Err(error) => wrong.push((block.line, error.to_string())),
                }
            }
            "script" => {
                has_script = true;
                match script::read(&block.lines) {
                    Ok(script) => {
                        scenario.deeds = script.deeds;
                        scenario.seed = script.seed;
                        scenario.end = script.end.unwrap_or(scenario.end);
                    }
                    Err(found) => wrong.extend(found),
                }
            }
            kind => match Expectation::read(kind, &mut words, block.line, &block.lines) {
                Ok(expectation) => scenario.expectations.push(expectation),
                Err(found) => wrong.push(found),
            },
        }
    }
    if !has_script {
        wrong.push((
            line,
            "expected a ```script block that says what happens".to_owned(),
        ));
    }
    if scenario.expectations.is_empty() && wrong.is_empty() {
        let what = "expected at least one block that says what must come of it: journal, sent, room, drafts, prompt, session, watch, ambient, offered or memory";
        wrong.push((line, what.to_owned()));
    }
    if wrong.is_empty() {
        Ok(scenario)
    } else {
        Err(wrong)
    }
}
