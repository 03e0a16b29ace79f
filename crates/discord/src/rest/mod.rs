//! Discord's REST interface: what is asked goes when the limits allow it, and what comes back is typed.
//!
//! [`RequestLimiter`] decides alone what goes when; [`RestClient`] has the clock and the connections. What fails says for a
//! person what to do ([`RestFailure`]).

mod answer;
mod bucket;
mod client;
mod commands;
mod counts;
mod failure;
mod form;
mod gate;
mod guard;
mod interactions;
mod limiter;
mod lookups;
mod messages;
mod route;
#[cfg(test)]
mod simulated_tests;
mod tally;

pub use bucket::BucketHeaders;
pub use client::{DISCORD_API, RestClient};
pub use commands::{CommandOption, CommandSpec, Localised, OptionKind};
pub use failure::{RestFailure, RestFault};
pub use form::FilePart;
pub use interactions::{InteractionReplies, InteractionReply};
pub use limiter::{
    Landing, LimitScope, LimiterInput, RequestLimiter, RequestRefusal, RequestVerdict, Ticket,
};
pub use lookups::{GatewayOffer, MessagePage, OwnApplication, OwnGuild, PageOf};
pub use messages::{MessageToSend, nonce};
pub use route::RouteKey;
pub use tally::RestCounts;
