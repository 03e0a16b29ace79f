//! Denizen's rooms on Discord: a server is a community, a channel or thread is a room, and direct messages are a community
//! of their own. What comes over the gateway becomes inputs, in order; what is to be said goes out over REST.

mod calls;
mod catching_up;
mod checkup;
mod commands;
mod comparing;
mod folder;
mod home;
mod in_voice;
mod manners;
mod names;
mod outgoing;
mod pictures;
mod queue;
mod reading;
mod residence;
mod rooms;
mod sent;
mod session;
mod standing;
mod telling_apart;
mod typing;
mod wording;

pub use calls::{CallerNames, TakeSeat, TakenSeat};
pub use checkup::{BotCheckup, check_up, invite_link, missing_permissions};
pub use folder::{BotFolder, BotToken, TOKEN_VARIABLES, TokenFault};
pub use names::{DIRECT, is_on_discord};
pub use residence::{Discord, DiscordOptions};
pub use session::Residence;
