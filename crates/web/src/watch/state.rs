//! What a page that shares is told of the watch: only what concerns its own screen.

use mind::watch::view::WatchView;
use runtime::screens::ShareTicket;
use serde::Serialize;
use vocabulary::{FrameRefusal, WallTime};

/// Whether the screen is watched, and what was noted of it last.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct State {
    pub watched: bool,
    /// What a frame would be refused for now; none while it is watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<FrameRefusal>,
    pub note: Option<NoteShown>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct NoteShown {
    text: String,
    at: WallTime,
}

impl State {
    /// What was noted of somebody else's screen, or last seen before this share began, does not concern it.
    pub fn of(view: &WatchView, ticket: &ShareTicket) -> Self {
        let (share, name) = (ticket.share(), ticket.name());
        let since = view
            .shares
            .iter()
            .find(|shown| shown.share == share)
            .map(|shown| shown.since);
        let note = view
            .notes
            .iter()
            .rev()
            .find(|note| note.shared_by == name && since.is_some_and(|since| note.seen_at >= since));
        let reason = match &view.watched {
            Some(watched) if *watched == share => None,
            _ if !view.enabled => Some(FrameRefusal::StreamWatchDisabled),
            Some(_) => Some(FrameRefusal::TargetUserMismatch),
            None => Some(FrameRefusal::WatchNotActive),
        };
        Self {
            watched: reason.is_none(),
            reason,
            note: note.map(|note| NoteShown {
                text: note.text.clone(),
                at: note.at,
            }),
        }
    }
}
