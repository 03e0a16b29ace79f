//! Discord's voice. A call is a state machine without a socket and without a clock ([`VoiceCall`]): the voice gateway,
//! sound over UDP sealed for the server, and end-to-end encryption by davey. [`VoiceConnection`] is one with its sockets.

mod call;
mod closing;
mod connection;
mod discovery;
mod health;
mod hearing;
mod io;
mod pace;
mod payload;
mod privacy;
mod rtp;
mod socket;
mod sound;
mod speakers;
mod speech;
mod transport;

pub use call::VoiceCall;
pub use closing::CallEnd;
pub use connection::VoiceConnection;
pub use health::CallHealth;
pub use io::{CallCommand, CallEvent, CallInput, CallOutput, CallPayload, CallPlace, HeardPacket};
pub use transport::TransportMode;

#[cfg(test)]
mod bench;
#[cfg(test)]
mod call_tests;
#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod silence_tests;
#[cfg(test)]
mod week_tests;
