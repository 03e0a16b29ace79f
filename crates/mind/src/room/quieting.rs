//! A room in which nothing is to be said for a while: who wants it, what is let be for it, and that it is over.

use vocabulary::{JournalSeq, PersonId, QuietWish, RoomId};

use super::talking::talk;
use super::{Room, Rooms};
use crate::journal::{JournalEvent, Scope};
use crate::quiet::Quiet;
use crate::reasons::CancelReason;
use crate::reply::SkipReason;
use crate::step_context::StepContext;
use crate::voice::hush as hush_voice;

/// Somebody wants a room quiet, or not any more: that holds in its threads, too. The line that says so.
pub(crate) fn chosen(
    rooms: &mut Rooms,
    id: &RoomId,
    person: Option<PersonId>,
    wish: QuietWish,
    step: &mut StepContext<'_>,
) -> JournalSeq {
    let quiet = Quiet::wanted(wish, step.now());
    let event = match quiet {
        Some(quiet) => JournalEvent::QuietBegun {
            person,
            until: quiet.until(),
        },
        None => JournalEvent::QuietEnded { person },
    };
    let cause = step.ledger.write(Scope::room(id), event);
    for room in rooms.with_threads(id, step) {
        room.quiet = quiet;
        if quiet.is_some() {
            hush(room, cause, step);
        }
    }
    cause
}

/// What waits for an answer, is being answered or being said is let be.
fn hush(room: &mut Room, cause: JournalSeq, step: &mut StepContext<'_>) {
    let (replies, mut context) = room.lend();
    let (reason, why) = (SkipReason::Quiet, CancelReason::Quiet);
    replies.give_up_all(reason, why, cause, &mut context, step);
    if room.voice.is_busy() {
        talk(room, step, hush_voice);
    }
}

/// A quiet whose time has come is over.
pub(super) fn advance(room: &mut Room, step: &mut StepContext<'_>) {
    let is_over = |quiet: &mut Quiet| !quiet.holds(step.moment());
    if room.quiet.take_if(is_over).is_some() {
        let event = JournalEvent::QuietEnded { person: None };
        step.ledger.write(Scope::room(&room.id), event);
    }
}

/// Tells whoever typed for it how it stands.
pub(crate) fn tell(room: &mut Room, cause: JournalSeq, step: &mut StepContext<'_>) {
    room.notice(&notice(room.quiet.as_ref()), cause, step);
}

fn notice(quiet: Option<&Quiet>) -> String {
    match quiet {
        Some(quiet) => format!(
            "I say nothing here {}. I still read; `/quiet off` has me speak again.",
            quiet.words()
        ),
        None => "I may speak here again.".to_owned(),
    }
}
