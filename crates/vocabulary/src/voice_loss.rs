//! How Denizen came to be out of the voice of a room.

use crate::named;

named! {
    /// Why Denizen is not in the voice of a room, or not any more.
    pub enum VoiceLoss {
        /// It wanted to leave, and has left.
        Asked = "asked",
        /// The connection broke, or the room was closed.
        Lost = "lost",
        /// It was not let in, or there is no way to be there.
        Refused = "refused",
    }
}
