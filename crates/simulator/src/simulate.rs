//! A run left to chance: hours of rooms in moments, checked from end to end.

use std::collections::BTreeMap;
use std::fmt;

use settings::{Document, Layers};
use vocabulary::{CommunityId, Moment, OutsideTool, Span};

use crate::ambient::{week_settings, weeks};
use crate::chance::Chance;
use crate::check::{Violation, check};
use crate::deed::Deed;
use crate::faulty_director::{Faults, FaultyDirector};
use crate::people::{deeds, first_settings, long_talk};
use crate::render;
use crate::stats::{Stats, count};
use crate::toolbox::out_there;
use crate::trace::{Trace, lines};
use crate::voice_people::{service, talk, voice_settings};
use crate::world::World;

/// With a healthy model, nothing may be pending this long after the last input.
const SETTLES_WITHIN: Span = Span::minutes(10);
/// Journal lines shown with a violation.
const TAIL_LINES: usize = 40;
const VIOLATIONS_SHOWN: usize = 20;
/// So many of the moments at which a mind is woken without need, it is written down and read back as well: about twice in
/// a simulated hour.
const SNAPSHOTS_PERCENT: u64 = 2;

/// What a run is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Put faults in: failing models, lost messages, crashes, settings changed midway.
    pub faults: bool,
    /// Run a second time with extra wakes and snapshots, and compare the journals.
    pub twice: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            faults: true,
            twice: true,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub seed: u64,
    pub stats: Stats,
    pub violations: Vec<Violation>,
    /// The newest journal lines, where something is wrong.
    pub journal_tail: Vec<String>,
    /// What else to say to get the same run.
    again: String,
}

/// Lives through some hours of three rooms, and checks every standing property.
pub fn simulate(seed: u64, hours: u64, options: Options) -> Outcome {
    outcome(seed, Length::Hours(hours), options)
}

/// Lives through one conversation of so many turns, and checks every standing property.
pub fn simulate_long_session(seed: u64, turns: u64, options: Options) -> Outcome {
    outcome(seed, Length::Turns(turns), options)
}

/// Lives through so many weeks with thoughts of its own, and checks every standing property.
pub fn simulate_weeks(seed: u64, weeks: u64, options: Options) -> Outcome {
    outcome(seed, Length::Weeks(weeks), options)
}

/// Lives through so many minutes of talk in the voice of a room, and checks every standing property.
pub fn simulate_voice(seed: u64, minutes: u64, options: Options) -> Outcome {
    outcome(seed, Length::Talk(minutes), options)
}

/// Lives through an evening of talk with a realtime service that answers by itself.
pub fn simulate_native(seed: u64, minutes: u64, options: Options) -> Outcome {
    outcome(seed, Length::Native(minutes), options)
}

/// Lives through a run and checks nothing: all that went in and came out.
pub fn live_through(seed: u64, length: Length, options: Options) -> Trace {
    run_in(None, seed, length, options, Life::First).trace
}

/// How much is lived through.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// Three rooms for so many hours.
    Hours(u64),
    /// One room for so many turns.
    Turns(u64),
    /// Three rooms for so many weeks, with little talk and thoughts of its own.
    Weeks(u64),
    /// The voice of one room for so many minutes.
    Talk(u64),
    /// The same, with a realtime service that answers by itself.
    Native(u64),
}

fn outcome(seed: u64, length: Length, options: Options) -> Outcome {
    let world = run_in(None, seed, length, options, Life::First);
    let mut violations = check(&world.trace);
    if options.twice {
        violations.extend(compare(seed, length, options, &world.trace));
    }
    let mut stats = count(&world.trace);
    stats.simulated = Span(world.now().0);
    stats.faults = world.director.faults.clone();
    let journal_tail = match violations.first() {
        None => Vec::new(),
        Some(first) => tail(&world.trace, first.at),
    };
    Outcome {
        seed,
        stats,
        violations,
        journal_tail,
        again: match length {
            Length::Hours(hours) => format!(" --hours {hours}"),
            Length::Weeks(weeks) => format!(" --weeks {weeks}"),
            Length::Talk(minutes) => format!(" --talk {minutes}"),
            Length::Native(minutes) => format!(" --talk {minutes} --native"),
            Length::Turns(_) => String::new(),
        },
    }
}

/// What is done to a run that must make no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extras {
    None,
    /// Restarts find the mind as it was, which else is written down and read back.
    KeptMind,
    Wakes,
    Snapshots,
    All,
}

/// A run that is checked, or one that is compared with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    First,
    Again(Extras),
}

/// Tools are there from the start; in bad faulty_director they are gone for a while. Weeks have plans of their own.
fn tools_by_time(length: Length, until: Moment, stormy: bool) -> Vec<(Moment, Vec<OutsideTool>)> {
    match length {
        Length::Weeks(_) | Length::Talk(_) => Vec::new(),
        Length::Native(_) => vec![(Moment(1), out_there())],
        Length::Hours(_) | Length::Turns(_) if stormy => vec![
            (Moment(1), out_there()),
            (Moment(until.0 / 3), Vec::new()),
            (Moment(until.0 / 2), out_there()),
        ],
        Length::Hours(_) | Length::Turns(_) => vec![(Moment(1), out_there())],
    }
}

/// Lives through some hours of one community of several, whose settings lie over those of all.
pub(crate) fn live_in(community: &CommunityId, own: &Document, seed: u64, hours: u64) -> Trace {
    let options = Options::default();
    let resident = Some((community, own));
    run_in(resident, seed, Length::Hours(hours), options, Life::First).trace
}

fn run_in(
    resident: Option<(&CommunityId, &Document)>,
    seed: u64,
    length: Length,
    options: Options,
    life: Life,
) -> World<FaultyDirector> {
    let mut chance = Chance::seeded(seed);
    let (mut people, mut extra) = (chance.fork(), chance.fork());
    let faulty_director = FaultyDirector::new(chance.fork(), options.faults);
    let document = match length {
        Length::Weeks(_) => week_settings(!options.faults, &mut people),
        Length::Talk(_) | Length::Native(_) => voice_settings(&mut people),
        Length::Hours(_) | Length::Turns(_) => first_settings(&mut people),
    };
    let world = match resident {
        None => World::new(faulty_director, document, seed),
        Some((community, own)) => {
            let layers = Layers {
                base: document,
                own: own.clone(),
            };
            World::of_community(community.clone(), faulty_director, layers.effective(), seed)
        }
    };
    let mut world = world.unwrap_or_else(|errors| panic!("{}", errors[0]));
    let (deeds, until) = match length {
        Length::Hours(hours) => {
            let until = Moment::default() + Span::hours(hours);
            (deeds(&mut people, until, options.faults), until)
        }
        Length::Turns(turns) => long_talk(&mut people, turns, options.faults),
        Length::Talk(minutes) => {
            let until = Moment::default() + Span::minutes(minutes);
            (talk(&mut people, until, options.faults), until)
        }
        Length::Native(minutes) => {
            world.voices.native.thinks = true;
            let until = Moment::default() + Span::minutes(minutes);
            let mut deeds = talk(&mut people, until, options.faults);
            deeds.extend(service(&mut people, until, options.faults));
            (deeds, until)
        }
        Length::Weeks(count) => {
            let until = Moment::default() + Span::hours(7 * 24 * count);
            (weeks(&mut people, until, options.faults), until)
        }
    };
    for (at, deed) in deeds {
        world.plan(at, deed);
    }
    for (at, tools) in tools_by_time(length, until, options.faults) {
        let media = Vec::new();
        world.plan(at, Deed::Capabilities { tools, media });
    }
    // From the last input on the world is healthy, so that everything can come to its end.
    world.plan(until, Deed::Cue(Faults(false)));
    let rarely = match length {
        Length::Weeks(_) => 600_000,
        Length::Talk(_) | Length::Native(_) => 4_000,
        Length::Hours(_) | Length::Turns(_) => 60_000,
    };
    if let Life::Again(extras) = life {
        let (wakes, snapshots) = (extras.has(Extras::Wakes), extras.has(Extras::Snapshots));
        world.lives_again(extras.has(Extras::KeptMind));
        let mut at = Moment::default();
        while (wakes || snapshots) && at < until + SETTLES_WITHIN {
            at = at + Span(extra.between(100, rarely));
            if wakes {
                world.plan_spurious_wake(at);
            }
            if snapshots && extra.percent(SNAPSHOTS_PERCENT) {
                world.plan_snapshot(at);
            }
        }
    }
    world.run_on(until, SETTLES_WITHIN);
    world
}

impl Extras {
    fn has(self, extra: Extras) -> bool {
        self == extra || self == Extras::All
    }
}

/// Runs again with what must make no difference; where it does, tells which it was.
fn compare(seed: u64, length: Length, options: Options, first: &Trace) -> Option<Violation> {
    let differs = |extras| {
        let again = run_in(None, seed, length, options, Life::Again(extras)).into_journal();
        // Equal entries are equal lines, and cost much less to compare.
        if first.journal().eq(&again) {
            return None;
        }
        let (lines, again) = (first.journal_lines(), lines(again.iter()));
        let place = (0..lines.len().max(again.len())).find(|&at| lines.get(at) != again.get(at))?;
        let at = first
            .journal()
            .nth(place)
            .map_or(Moment::default(), |entry| entry.moment);
        Some((at, lines.get(place).cloned(), again.get(place).cloned()))
    };
    differs(Extras::All)?;
    let suspects = [
        ("same_seed_same_journal", Extras::None),
        (
            "a_mind_that_is_kept_goes_on_like_one_that_is_read",
            Extras::KeptMind,
        ),
        ("spurious_wakes_change_nothing", Extras::Wakes),
        ("snapshots_change_nothing", Extras::Snapshots),
        ("wakes_and_snapshots_change_nothing", Extras::All),
    ];
    suspects.into_iter().find_map(|(property, extras)| {
        let (at, one, other) = differs(extras)?;
        let what = format!(
            "first {}\n    then  {}",
            one.unwrap_or_default(),
            other.unwrap_or_default()
        );
        Some(Violation { property, at, what })
    })
}

fn tail(trace: &Trace, until: Moment) -> Vec<String> {
    let before = trace.journal().filter(|entry| entry.moment <= until);
    let lines: Vec<String> = before.map(render::line).collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].to_vec()
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = &self.stats;
        let event = |name: &str| stats.events.get(name).copied().unwrap_or_default();
        let minutes = stats.simulated.0 / 60_000;
        writeln!(
            f,
            "seed {}: {} h {:02} min simulated",
            self.seed,
            minutes / 60,
            minutes % 60
        )?;
        writeln!(f, "  steps            {}", stats.steps)?;
        writeln!(f, "  journal lines    {}", stats.journal_lines)?;
        writeln!(
            f,
            "  messages read    {}",
            event("text_message_received") + event("text_message_ignored")
        )?;
        writeln!(
            f,
            "  messages sent    {} replies, {} plain",
            event("sent_reply"),
            event("sent_message")
        )?;
        writeln!(f, "  turns            {}", listed(&stats.turns_by_outcome))?;
        writeln!(f, "  skips            {}", listed(&stats.skips_by_reason))?;
        writeln!(
            f,
            "  asks             {} started, {} completed, {} cancelled, {} discarded; failed: {}",
            event("ask_started"),
            event("ask_completed"),
            event("ask_cancelled"),
            event("ask_answer_discarded"),
            listed(&stats.ask_failures_by_kind)
        )?;
        writeln!(
            f,
            "  summaries        {} started, {} completed, {} failed; {} sessions ended",
            event("voice_context_compaction_started"),
            event("voice_context_compaction_completed"),
            event("voice_context_compaction_failed"),
            event("voice_context_session_ended")
        )?;
        writeln!(
            f,
            "  thoughts         {}; ticks stopped: {}",
            listed(&stats.thoughts_by_outcome),
            listed(&stats.ticks_by_gate)
        )?;
        writeln!(f, "  restarts         {}", event("process_restarted"))?;
        writeln!(f, "  faults put in    {}", listed(&stats.faults))?;
        if self.violations.is_empty() {
            return writeln!(f, "  every standing property held");
        }
        writeln!(f, "  {} VIOLATIONS", self.violations.len())?;
        for violation in self.violations.iter().take(VIOLATIONS_SHOWN) {
            writeln!(f, "  - {violation}")?;
        }
        writeln!(f, "  the journal up to the first:")?;
        for line in &self.journal_tail {
            writeln!(f, "    {line}")?;
        }
        writeln!(
            f,
            "  run it again: denizen simulate --seed {}{}",
            self.seed, self.again
        )
    }
}

fn listed<K: fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    let all: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{Length, Life, Options, compare, run_in};

    #[test]
    fn a_run_that_does_not_come_out_the_same_again_is_found() {
        let options = Options::default();
        let mut first = run_in(None, 5, Length::Hours(1), options, Life::First).trace;
        assert_eq!(compare(5, Length::Hours(1), options, &first), None);
        let step = first.steps.iter_mut().rev().find(|step| !step.effects.is_empty());
        step.expect("something was done").effects.clear();
        let found = compare(5, Length::Hours(1), options, &first).map(|violation| violation.property);
        assert_eq!(found, Some("same_seed_same_journal"));
    }
}
