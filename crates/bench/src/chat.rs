//! How well a model answers in a room: questions whose answer stands in the last lines, in the summary or in memory, that
//! need a look-up or nothing of all that, or that are nobody's; each asked through the real mind and the real adapter.

mod kept;
pub mod question;
mod remembered;
mod report;
mod room;
mod score;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use providers::{Keys, Models};
use runtime::ports::Language;
use settings::{Document, Settings};

use kept::Kept;
use question::{Half, Kind, chosen, read_questions};
use report::{Report, Row};
use room::answer_in_a_room;

#[derive(Debug, Args)]
pub struct Options {
    /// The questions, one JSON object a line.
    file: PathBuf,
    /// Whose model is asked: compatible, anthropic, openai, gemini or offline.
    #[arg(long, default_value = "compatible")]
    provider: String,
    /// Which model; empty takes the provider's default.
    #[arg(long, default_value = "")]
    model: String,
    /// Address of an OpenAI-compatible server.
    #[arg(long, default_value = "")]
    base_url: String,
    /// How replies are asked for; several are compared.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Profile::Auto])]
    profile: Vec<Profile>,
    /// Only these kinds.
    #[arg(long, value_enum, value_delimiter = ',')]
    kind: Vec<Kind>,
    /// At most so many questions of each kind.
    #[arg(long)]
    limit: Option<usize>,
    /// One half of each kind: prompts are tuned on the one, and judged on the other.
    #[arg(long, value_enum, default_value_t = Half::Both)]
    half: Half,
    /// Which half a question belongs to follows from this, and the order too.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keeps every answer in this file as it comes, and does not ask again what it holds.
    #[arg(long)]
    keep: Option<PathBuf>,
    /// Asks nothing, and prints what `--keep` holds: of a run that is not over, say.
    #[arg(long, requires = "keep")]
    kept: bool,
    /// Prints JSON, with every answer.
    #[arg(long)]
    json: bool,
    /// Prints every answer before the table.
    #[arg(long)]
    answers: bool,
}

/// How replies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Profile {
    Auto,
    Plain,
    Full,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Auto => "auto",
            Profile::Plain => "plain",
            Profile::Full => "full",
        }
    }
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let report = runtime.block_on(measure(options))?;
    if options.json {
        println!("{:#}", report.json());
    } else {
        if options.answers {
            print!("{}", report.answers());
        }
        print!("{report}");
    }
    Ok(())
}

async fn measure(options: &Options) -> anyhow::Result<Report> {
    let all = read_questions(&options.file)?;
    let questions = chosen(&all, &options.kind, options.half, options.seed, options.limit);
    ensure!(
        !questions.is_empty(),
        "no question of {} is of the kinds that were asked for: leave out --kind or --limit",
        options.file.display()
    );
    let env = |name: &str| std::env::var(name).ok();
    let models = Models::new(Keys::from_env_and_file(env, Path::new("/nonexistent"))?);
    let mut kept = Kept::open(options.keep.as_deref())?;
    let mut report = Report::new(&options.file, options.half, options.seed);
    let total = questions.len() * options.profile.len();
    for profile in &options.profile {
        let settings = settings(options, *profile)?;
        models.configure(&settings).await;
        report.model = models.status(&settings).model;
        for question in &questions {
            progress(report.rows.len(), total, profile.name(), &question.id);
            let outcome = match kept.outcome(&report.model, profile.name(), question) {
                Some(outcome) => outcome,
                None if options.kept => continue,
                None => {
                    let outcome = answer_in_a_room(question, &models, &settings).await?;
                    kept.add(&report.model, profile.name(), question, &outcome)?;
                    outcome
                }
            };
            report.rows.push(Row::of(profile.name(), question, outcome));
        }
    }
    progress(total, total, "", "");
    Ok(report)
}

/// As a new operator has them, but for patience: a model on a small machine takes its time, and is not given up here.
fn settings(options: &Options, profile: Profile) -> anyhow::Result<Settings> {
    let mut document = Document::default();
    document.set("llm.provider", options.provider.as_str().into());
    document.set("llm.model", options.model.as_str().into());
    document.set("llm.compatibleBaseUrl", options.base_url.as_str().into());
    document.set("llm.profile", profile.name().into());
    for key in [
        "llm.timeoutSeconds",
        "llm.firstByteSeconds",
        "llm.localFirstByteSeconds",
        "llm.stallSeconds",
    ] {
        document.set(key, 600.into());
    }
    Settings::read(&document).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("{}", errors.join("\n"))
    })
}

/// A line that is written over, where somebody looks at it.
fn progress(done: usize, total: usize, profile: &str, id: &str) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        let _ = write!(out, "\r{done}/{total} {profile} {id}          ");
        let _ = out.flush();
    } else if done.is_multiple_of(10) {
        let _ = writeln!(out, "{done}/{total} {profile} {id}");
    }
}

/// Reads a file, or says which.
fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file)
        .with_context(|| format!("cannot read the questions {}: check the path", file.display()))
}

#[cfg(test)]
#[path = "chat_tests.rs"]
mod tests;
