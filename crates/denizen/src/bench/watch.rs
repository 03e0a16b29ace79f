//! `denizen bench watch`: how much of what happens on a screen is noted, and for how many looks of a vision model.
//!
//! The screens are rendered here, by seed, with the moments that a person would want noted. Everything from the picture
//! on is the real thing: grid, score, judgement and note cadence. Only the model is not: it takes one to three seconds.

mod canvas;
mod measure;
mod policy;
mod scenes;
mod seen;
mod watching;

use clap::Args;
use vocabulary::Span;

pub use scenes::Kind;

use clap::ValueEnum;
use measure::{Tally, caught_by};
use policy::Way;
use scenes::Session;

#[derive(Debug, Clone, Args)]
pub struct Options {
    /// How many sessions of each kind.
    #[arg(long, default_value_t = 2)]
    pub seeds: u64,
    /// How long each is.
    #[arg(long, default_value_t = 6)]
    pub minutes: u64,
    /// Pictures that are rendered a second.
    #[arg(long, default_value_t = 10)]
    pub fps: u64,
    /// Print figures for programs.
    #[arg(long)]
    pub json: bool,
    /// Print the time line of one session instead.
    #[arg(long, value_name = "KIND")]
    pub explain: Option<Kind>,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let length = Span::minutes(options.minutes);
    if let Some(kind) = options.explain {
        let session = Session::new(kind, options.seed, length);
        let frames = seen::see(&session, options.fps);
        let watched = watching::watch(&frames, Way::Relative, options.seed);
        for j in &watched.judged {
            let note = watched
                .notes
                .iter()
                .find(|n| n.frame == j.at)
                .map(|n| format!("note {}", n.landed.0));
            let ev: Vec<_> = session
                .events
                .iter()
                .filter(|e| e.at.0.div_ceil(500) * 500 == j.at.0)
                .map(|e| {
                    format!(
                        "{} until {} {:?}",
                        e.what,
                        e.until.0,
                        caught_by(e, &watched.notes).map(|n| n.frame)
                    )
                })
                .collect();
            let l = j.lines.unwrap();
            println!(
                "{:>8.1} {:.5} {:.5} [{:.5} {:.5}] {} {} {}",
                j.at.0 as f64 / 1e3,
                j.change.score,
                j.change.ema,
                l.static_floor,
                l.change,
                if j.change.scene_cut { "CUT" } else { "" },
                note.unwrap_or_default(),
                ev.join(",")
            );
        }
        return Ok(());
    }
    let mut all = vec![Tally::default(); 6];
    for kind in Kind::value_variants() {
        let mut of = vec![Tally::default(); 6];
        for seed in 0..options.seeds {
            let session = Session::new(*kind, seed + options.seed, length);
            let frames = seen::see(&session, options.fps);
            let mut scores: Vec<f64> = frames.iter().map(|f| f.change.score).collect();
            scores.sort_by(f64::total_cmp);
            let q = |p: usize| scores[(scores.len() - 1) * p / 100];
            println!(
                "{} scores p10 {:.5} p50 {:.5} p75 {:.5} p90 {:.5} p99 {:.5} max {:.5} cuts {}",
                kind.name(),
                q(10),
                q(50),
                q(75),
                q(90),
                q(99),
                q(100),
                frames.iter().filter(|f| f.change.scene_cut).count()
            );
            for (way, tally) in Way::ALL.into_iter().zip(&mut of) {
                let watched = watching::watch(&frames, way, seed);
                tally.add(&Tally::of(&session.events, &watched, length));
            }
        }
        for ((way, tally), all) in Way::ALL.into_iter().zip(&of).zip(&mut all) {
            println!("  {:<22} {:?}", way.name(), tally.figures());
            all.add(tally);
        }
    }
    for (way, tally) in Way::ALL.into_iter().zip(&all) {
        println!("all  {:<22} {:?}", way.name(), tally.figures());
    }
    Ok(())
}
