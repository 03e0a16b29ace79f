//! What was tried of models, as a table: purpose, model, what works, what one costs. It fits eighty columns; where there are
//! fewer, each purpose has lines of its own.

use std::fmt::Write;

use providers::{Part, Trial, TrialPrice};
use vocabulary::AskPurpose;

use super::super::colour::Colour;
use super::Mark;

/// What the table takes.
const TABLE_COLUMNS: usize = 74;
const PURPOSE_MIN: usize = 23;
/// What a list below it takes.
const LIST_COLUMNS: usize = 78;

/// How wide the terminal is, where it says so.
pub fn columns() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.trim().parse().ok()
}

/// Whether a table has no room there.
pub fn is_narrow(columns: Option<usize>) -> bool {
    columns.is_some_and(|columns| columns < TABLE_COLUMNS)
}

/// The table, what is wrong below it, and what was not tried.
pub fn told(trials: &[Trial], columns: Option<usize>, colour: Colour) -> String {
    let narrow = is_narrow(columns);
    let mut told = String::from("Models, asked what Denizen itself asks them:\n");
    let mut assumed: Vec<&str> = Vec::new();
    let longest = trials.iter().map(|trial| trial.label().chars().count() + 1).max();
    let width = longest.unwrap_or(0).max(PURPOSE_MIN);
    let header = ["works", "stream", "tools", "schema", "picture", "each"];
    if !narrow && !trials.is_empty() {
        let _ = writeln!(told, "{:width$}  {}", "", row(header.map(str::to_owned)));
    }
    for (model, trials) in by_model(trials) {
        let _ = writeln!(told, "{}", colour.bold(&model));
        for trial in trials {
            let price = price(&trial.price, &mut assumed);
            let _ = match narrow {
                true => writeln!(told, "  {}: {}", trial.label(), listed(trial, &price)),
                false => writeln!(told, "  {:width$}{}", trial.label(), row(cells(trial, price))),
            };
        }
    }
    let any = |part: Part| {
        let parts =
            |trial: &Trial| [trial.streaming, trial.tools, trial.schema, trial.picture].contains(&part);
        trials.iter().any(parts)
    };
    if any(Part::LeftOut) {
        told.push_str("no: the model does not take it, and is asked without\n");
    }
    for (number, what) in assumed.iter().enumerate() {
        let _ = writeln!(told, "{} the price is not known; assumed is {what}", star(number));
    }
    let thoughts = trials.iter().map(|trial| trial.price.thought_tokens);
    if let Some(most) = thoughts.filter(|tokens| *tokens > 0).max() {
        let _ = writeln!(told, "each: with thoughts as in this trial, up to {most} tokens");
    }
    let spent: f64 = trials.iter().filter_map(|trial| trial.price.trial_dollars).sum();
    if spent > 0.0 {
        let _ = writeln!(told, "these trials themselves cost about ${spent:.4}");
    }
    let tried = |purpose: &&AskPurpose| !trials.iter().any(|trial| trial.purpose == purpose.words());
    let untried: Vec<&str> = AskPurpose::ALL
        .iter()
        .filter(tried)
        .map(|purpose| purpose.words())
        .collect();
    told.push_str(&wrapped("Never asked under these settings: ", &untried));
    for alike in wrong(trials) {
        told.push_str(&said_once(&alike, colour));
    }
    told
}

/// What went wrong, each with everything else that went wrong in the very same way.
pub fn wrong(trials: &[Trial]) -> Vec<Vec<&Trial>> {
    let mut groups: Vec<Vec<&Trial>> = Vec::new();
    for trial in trials.iter().filter(|trial| trial.problem.is_some()) {
        let what = |trial: &Trial| (trial.problem.clone(), trial.instead, trial.remedy.clone());
        match groups.iter_mut().find(|alike| what(alike[0]) == what(trial)) {
            Some(alike) => alike.push(trial),
            None => groups.push(vec![trial]),
        }
    }
    groups
}

/// A list that goes on in further lines where it has to.
fn wrapped(beginning: &str, items: &[&str]) -> String {
    let (mut told, mut column) = (beginning.to_owned(), beginning.chars().count());
    for (number, item) in items.iter().enumerate() {
        let comma = if number + 1 < items.len() { ", " } else { "\n" };
        let length = item.chars().count() + comma.trim_end().len();
        if column + length > LIST_COLUMNS {
            told = format!("{}\n    ", told.trim_end());
            column = 4;
        }
        told.push_str(item);
        told.push_str(comma);
        column += length + 1;
    }
    if items.is_empty() { String::new() } else { told }
}

/// In the order in which they come.
fn by_model(trials: &[Trial]) -> Vec<(String, Vec<&Trial>)> {
    let mut groups: Vec<(String, Vec<&Trial>)> = Vec::new();
    for trial in trials {
        let name = match trial.built_in {
            true => format!("{} {} (built in)", trial.provider, trial.model),
            false => format!("{} {}", trial.provider, trial.model),
        };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, trials)) => trials.push(trial),
            None => groups.push((name, vec![trial])),
        }
    }
    groups
}

fn row([works, stream, tools, schema, picture, each]: [String; 6]) -> String {
    format!("{works:<7}{stream:<8}{tools:<7}{schema:<8}{picture:<8}{each}")
}

fn cells(trial: &Trial, price: String) -> [String; 6] {
    let word = |part: Part| {
        match part {
            Part::Unused => "-",
            Part::Works => "yes",
            Part::LeftOut => "no",
            Part::Unknown => "?",
        }
        .to_owned()
    };
    [
        match (trial.works, trial.is_broken()) {
            (true, _) => "yes",
            (false, false) => "no",
            (false, true) => "NO",
        }
        .to_owned(),
        word(trial.streaming),
        word(trial.tools),
        word(trial.schema),
        word(trial.picture),
        price,
    ]
}

/// The same in words, for a narrow terminal.
fn listed(trial: &Trial, price: &str) -> String {
    let parts = [
        ("streamed", trial.streaming),
        ("tools", trial.tools),
        ("schema", trial.schema),
        ("picture", trial.picture),
    ];
    let parts = parts.into_iter().filter_map(|(name, part)| match part {
        Part::Works => Some(name.to_owned()),
        Part::LeftOut => Some(format!("no {name}")),
        Part::Unused | Part::Unknown => None,
    });
    let works = if trial.works { "works" } else { "does NOT work" }.to_owned();
    let mut said = vec![works];
    said.extend(parts);
    said.push(price.to_owned());
    said.join(", ")
}

fn price<'a>(price: &'a TrialPrice, assumed: &mut Vec<&'a str>) -> String {
    let Some(dollars) = price.dollars.filter(|_| !price.free) else {
        return if price.free { "free" } else { "unknown" }.to_owned();
    };
    let mark = price.assumed.as_deref().map_or(String::new(), |what| {
        let known = assumed.iter().position(|other| *other == what);
        let number = known.unwrap_or_else(|| {
            assumed.push(what);
            assumed.len() - 1
        });
        format!(" {}", star(number))
    });
    format!("${dollars:.4}{mark}")
}

fn star(number: usize) -> String {
    "*".repeat(number + 1)
}

fn said_once(alike: &[&Trial], colour: Colour) -> String {
    let [trial, ..] = alike else {
        return String::new();
    };
    let instead = trial
        .instead
        .map_or(String::new(), |instead| format!("; {instead}"));
    let mark = Mark::of_trial(trial).shown(colour);
    let labels: Vec<String> = alike.iter().map(|trial| trial.label()).collect();
    let problem = trial.problem.as_deref().unwrap_or_default();
    let mut told = format!("{mark} {}: {problem}{instead}\n", labels.join(", "));
    if let Some(remedy) = &trial.remedy {
        let _ = writeln!(told, "     → {remedy}");
    }
    told
}
