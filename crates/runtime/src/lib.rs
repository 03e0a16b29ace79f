//! The shell around the mind: it tells the time, carries wishes out, records what happened, and replays it.

mod ailments;
mod asked_before;
mod asking;
mod chores;
mod clock;
mod community;
mod driver;
pub mod figures;
mod following;
mod forgetting;
mod handle;
mod lane;
pub mod live;
pub mod memory;
mod model_moves;
mod outbound;
mod performer;
pub mod ports;
pub mod questions;
mod recalling;
pub mod recording;
pub mod replay;
mod reply_model;
mod residents;
mod restore;
pub mod screens;
mod tools;
mod town;
mod unkept;
mod voice;

pub use ailments::Ailments;
pub use clock::{MachineTime, TimeSource, run_ahead, wall};
pub use community::{Parts, Running, StartError, start, start_by};
pub use forgetting::Went;
pub use handle::{
    Arrival, ForgetOrder, ForgetRefused, Handle, HandleParts, HandleQueues, InForce, Look, MemoryForgot,
    NotAccepted, SettingsLayer, SettingsRefused, VoiceLook,
};
pub use lane::Lane;
pub use outbound::tools as outside_tools;
pub use town::{
    AGENTS, COMMUNITIES_MAX, DISCORD_PREFIX, DenizenName, Gone, Hosted, NewCommunity, Platform, Quarters,
    Services, Town, TownError, add, check_id, remove,
};
