//! What a room is told after something was forgotten.

use vocabulary::Forget;

use crate::input::Forgotten;

/// One sentence, without a word of what is gone.
pub(crate) fn forgotten_notice(forgotten: &Forgotten) -> String {
    if let Some(failure) = &forgotten.failure {
        return format!("I could not forget it all: {failure}");
    }
    match &forgotten.what {
        // Without the name: this sentence stays.
        Forget::Person { .. } => {
            "Done: what you said here and what I knew about you is gone. We start afresh.".to_owned()
        }
        Forget::Gems(_) | Forget::Turns(_) => "Done: that is forgotten.".to_owned(),
        Forget::Session(_) | Forget::Room { .. } | Forget::Community(_) => {
            "Done: all of that is forgotten.".to_owned()
        }
    }
}
