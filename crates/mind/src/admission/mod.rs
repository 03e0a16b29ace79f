//! Should a reply be attempted at all? One pure question per medium, and every "no" has a name.

mod low_signal;
pub mod text;
pub mod voice;

pub use low_signal::is_low_signal;
pub use text::{AdmissionReason, Gate};
pub use voice::VoiceAdmissionReason;
