//! What is heard in voice rooms.

use crate::named;

named! {
    /// Why no words came of something that was there to be heard.
    pub enum UnheardReason {
        /// The ears listened and understood nothing.
        Empty = "empty",
        TooShort = "too_short",
        /// Loud enough to be noticed, and no voice: a door, a keyboard, a fan.
        NoVoice = "no_voice",
        /// A sentence that speech models are known to make up, with too little voice to have been said.
        Hallucinated = "hallucinated",
        TimedOut = "timed_out",
        Failed = "failed",
        /// Nothing is installed or chosen that understands speech.
        NoEars = "no_ears",
        /// Denizen left, or was given other ears, before it was understood.
        GivenUp = "given_up",
    }
}
