//! A post before it is in its room: what it says, and what its room's outbox is handed.

use gist::links::{canonical, links_of};
use serde::{Deserialize, Serialize};
use vocabulary::{AskId, Attachment, MediaWish, MessageId, RoomId, TurnId};

use super::RoomsInView;
use super::feed::Candidate;
use super::view::PostLink;
use crate::journal::Scope;
use crate::parcel::{Errand, Parcel};

/// A post before it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub ask: AskId,
    pub room: RoomId,
    pub text: String,
    pub reply_to: Option<MessageId>,
    pub media: Option<MediaWish>,
    pub attachments: Vec<Attachment>,
}

impl Draft {
    /// As the outbox of its room takes it.
    pub fn parcel(&self, turn: TurnId, scope: Scope) -> Parcel {
        Parcel {
            errand: Errand::Thought,
            room: self.room.clone(),
            turn,
            ask: self.ask,
            text: self.text.clone(),
            reply_to: self.reply_to.clone(),
            answered: None,
            attachments: self.attachments.clone(),
            owed: false,
            scope,
        }
    }

    /// The message it answers may be gone by now.
    pub fn answer_only_what_is_there(&mut self, rooms: RoomsInView<'_>) {
        let room = rooms.room(&self.room);
        self.reply_to.take_if(|id| !room.is_some_and(|room| room.has(id)));
    }

    /// Its links, each with the source it came from.
    pub fn links(&self, candidates: &[Candidate]) -> Vec<PostLink> {
        let source = |url: &String| {
            // It was shown in its canonical form, whatever the source calls it.
            let is_it = |candidate: &&Candidate| canonical(&candidate.item.url).as_ref() == Some(url);
            let candidate = candidates.iter().find(is_it);
            candidate.map(|candidate| candidate.item.source.clone())
        };
        let links = links_of(&self.text).into_iter();
        links
            .map(|url| PostLink {
                source: source(&url),
                url,
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "posting_tests.rs"]
mod posting_tests;
