//! Golden files of the schema that this build writes: recordings of made-up worlds and of every scenario, each with the
//! journal it gave, and states in the middle of everything. Made before the schema is raised, and never changed after.

mod packing;
mod states;
mod under_way;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::Args;
use mind::snapshot::SCHEMA;
use simulator::{Length, Options as Weather, Scenario, Trace, live_through, read_scenarios};

use packing::{pack, recorded};
use states::Chosen;
use under_way::UnderWay;

/// Worlds that are recorded, by name and seed; each is also looked through for states.
const RECORDED: [(&str, u64, Length); 3] = [
    ("hours-1", 1, Length::Hours(1)),
    ("talk-1", 1, Length::Turns(120)),
    ("week-1", 1, Length::Weeks(1)),
];
/// Inputs that are recorded of a world, and of a scenario: a few of those talk for very long.
const WORLD_INPUTS_MAX: usize = 6_000;
const SCENARIO_INPUTS_MAX: usize = 2_500;
/// Further worlds are looked through for states up to this seed.
const SEED_MAX: u64 = 12;

#[derive(Debug, Args)]
pub struct Options {
    /// Where the files go: `recordings` and `states` are made in it.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The pages of scenarios.
    #[arg(long, value_name = "FOLDER", default_value = "scenarios")]
    scenarios: PathBuf,
}

/// Writes everything, and tells what the states hold.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let (recordings, states) = (options.out.join("recordings"), options.out.join("states"));
    for folder in [&recordings, &states] {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let is_empty = std::fs::read_dir(folder)?.next().is_none();
        ensure!(
            is_empty,
            "{} is not empty: golden files are never changed",
            folder.display()
        );
    }
    println!("golden files of schema {SCHEMA}");
    let mut keeper = Keeper {
        folder: states,
        found: BTreeSet::new(),
    };
    for (name, seed, length) in RECORDED {
        let trace = live_through(seed, length, Weather::default());
        keeper.keep(name, &trace)?;
        pack(
            &recordings.join(format!("{name}.ndjson.gz")),
            &recorded(&trace, name, WORLD_INPUTS_MAX)?,
        )?;
    }
    let mut played = Vec::new();
    for scenario in scenarios(&options.scenarios)? {
        let title = format!("{}: {}", scenario.file, scenario.title);
        let trace = match scenario.run() {
            Ok(trace) => trace,
            Err(problems) => bail!("{title} does not come out as its page says: {}", problems[0]),
        };
        played.extend(recorded(&trace, &title, SCENARIO_INPUTS_MAX)?);
        keeper.keep(&format!("scenario-{}", words(&scenario.title)), &trace)?;
    }
    pack(&recordings.join("scenarios.ndjson.gz"), &played)?;
    for seed in 2..=SEED_MAX {
        for (name, length) in [("hours", Length::Hours(3)), ("week", Length::Weeks(1))] {
            if !keeper.missing().is_empty() {
                let trace = live_through(seed, length, Weather::default());
                keeper.keep(&format!("{name}-{seed}"), &trace)?;
            }
        }
    }
    let missing = keeper.missing();
    ensure!(
        missing.is_empty(),
        "no world was found with {}",
        missing.join(", ")
    );
    Ok(())
}

/// Keeps states, and knows what they hold together.
struct Keeper {
    folder: PathBuf,
    found: BTreeSet<UnderWay>,
}

impl Keeper {
    fn keep(&mut self, name: &str, trace: &Trace) -> anyhow::Result<()> {
        for chosen in states::choose(trace, &self.found)? {
            tell(name, &chosen);
            let file = self.folder.join(format!("{name}-{}.json.gz", chosen.step));
            pack(&file, chosen.written.as_bytes())?;
            self.found.extend(chosen.holds);
        }
        Ok(())
    }

    /// What no state holds yet, in words.
    fn missing(&self) -> Vec<&'static str> {
        let missing = UnderWay::ALL
            .into_iter()
            .filter(|wanted| !self.found.contains(wanted));
        missing.map(UnderWay::words).collect()
    }
}

fn tell(name: &str, chosen: &Chosen) {
    let held: Vec<&str> = chosen.holds.iter().map(|under_way| under_way.words()).collect();
    println!("  {name}-{}: {}", chosen.step, held.join(", "));
}

/// A title as part of the name of a file.
fn words(title: &str) -> String {
    let plain = title
        .to_lowercase()
        .replace(|c: char| !c.is_ascii_alphanumeric(), " ");
    plain.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Every scenario of a folder, in order of name.
fn scenarios(folder: &Path) -> anyhow::Result<Vec<Scenario>> {
    let entries = std::fs::read_dir(folder).with_context(|| {
        format!(
            "cannot read the scenarios in {}: name their folder with --scenarios",
            folder.display()
        )
    })?;
    let mut pages = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    // README.md explains the language and holds no scenarios.
    pages.retain(|page| {
        page.extension().is_some_and(|kind| kind == "md")
            && page.file_name().is_some_and(|name| name != "README.md")
    });
    pages.sort();
    let mut scenarios = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page)?;
        let name = page
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match read_scenarios(&format!("scenarios/{name}"), &text) {
            Ok(read) => scenarios.extend(read),
            Err(problems) => bail!("{}", problems[0]),
        }
    }
    Ok(scenarios)
}

#[cfg(test)]
#[path = "golden_tests.rs"]
mod golden_tests;
