//! Should a reply be attempted at all? One pure question per medium, and every "no" has a name.

pub mod text;
pub mod voice;

pub use text::{AdmissionReason, Gate};
pub use voice::VoiceAdmissionReason;
