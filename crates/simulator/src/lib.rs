//! A deterministic world around the mind: people, models, rooms and faults, all from one seed; checkers of what
//! must always hold; and the runner of the scenarios, which are prose and test at once.

mod agenda;
mod ambient;
mod answers;
mod chance;
mod check;
mod deed;
mod director;
mod faulty_director;
mod gems;
mod memory;
mod native_service;
mod people;
mod platform;
mod render;
mod scenario;
mod screens;
mod simulate;
mod stats;
mod summaries;
mod toolbox;
mod town;
mod trace;
mod voice_guesses;
mod voice_people;
mod voices;
mod world;

pub use chance::Chance;
pub use check::{Violation, check};
pub use deed::Deed;
pub use director::{AskPlan, Director, SendPlan, SendReport, StorePlan};
pub use faulty_director::{Faults, FaultyDirector};
pub use memory::Remembered;
pub use platform::{Person, Platform, Say};
pub use scenario::{Problem, Scenario, read as read_scenarios};
pub use screens::{ScreenDeed, Screens};
pub use simulate::{
    Length, Options, Outcome, live_through, simulate, simulate_long_session, simulate_native, simulate_voice,
    simulate_weeks,
};
pub use stats::Stats;
pub use town::{Lived, cross_talk, simulate_town};
pub use trace::{SessionSketch, Stepped, Trace};
pub use voices::{MouthFault, VoiceDeed, Voices};
pub use world::World;
