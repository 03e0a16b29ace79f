//! What was posted of its own accord, and what came of it.

use serde::{Deserialize, Serialize};
use vocabulary::{MediaKind, Message, MessageId, Moment, PersonId, RoomId, Span, TurnId, WallTime};

use super::DAY;
use super::sources::Sources;
use super::view::{Meter, PostLink, PostView};
use crate::journal::{JournalEvent, Scope};
use crate::step_context::StepContext;

/// Posts that are kept beyond the last day, for what comes of them.
const POSTS_KEPT: usize = 60;
/// People whose reactions to one post are told apart.
const REACTIONS_MAX: usize = 500;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Post {
    pub turn: TurnId,
    pub room: RoomId,
    pub messages: Vec<MessageId>,
    pub text: String,
    pub moment: Moment,
    pub at: WallTime,
    pub links: Vec<PostLink>,
    pub media: Option<MediaKind>,
    /// Who put what under it.
    pub reactions: Vec<(PersonId, String)>,
    /// Messages that answer it.
    pub replies: Vec<MessageId>,
    /// It was said in the voice of its room.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub spoken: bool,
}

/// The posts, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Posts(Vec<Post>);

impl Posts {
    pub fn add(&mut self, post: Post) {
        let now = post.moment;
        self.0.push(post);
        while self.0.len() > POSTS_KEPT && now.since(self.0[0].moment) >= DAY {
            self.0.remove(0);
        }
    }

    /// How many were written in the last 24 hours, and when the first of them is a day old.
    pub fn meter(&self, limit: u64, now: Moment) -> Meter {
        let written = || self.0.iter().filter(|post| !post.spoken);
        let recent = || written().filter(|post| now.since(post.moment) < DAY);
        Meter {
            used: recent().count() as u64,
            limit,
            frees_in: recent().next().map(|post| Span(DAY.0 - now.since(post.moment).0)),
        }
    }

    /// Whether the same was posted before.
    pub fn said_before(&self, text: &str) -> bool {
        self.0.iter().any(|post| folded(&post.text) == folded(text))
    }

    /// Somebody put something under a message, or took it back.
    pub fn reacted(
        &mut self,
        message: &MessageId,
        (person, emoji): (&PersonId, &str),
        added: bool,
        sources: &mut Sources,
        step: &mut StepContext<'_>,
    ) {
        let Some(post) = self
            .0
            .iter_mut()
            .rev()
            .find(|post| post.messages.contains(message))
        else {
            return;
        };
        let known = post
            .reactions
            .iter()
            .position(|(who, what)| who == person && what == emoji);
        match (known, added) {
            (None, true) if post.reactions.len() < REACTIONS_MAX => {
                post.reactions.push((person.clone(), emoji.to_owned()));
                count(post, sources, |tally| tally.reactions += 1);
            }
            (Some(place), false) => {
                post.reactions.remove(place);
                count(post, sources, |tally| {
                    tally.reactions = tally.reactions.saturating_sub(1);
                });
            }
            _ => return,
        }
        note(post, message, step);
    }

    /// A message arrived; if it answers a post, that counts.
    pub fn answered(&mut self, message: &Message, sources: &mut Sources, step: &mut StepContext<'_>) {
        let Some(to) = &message.reply_to else { return };
        let Some(post) = self.0.iter_mut().rev().find(|post| post.messages.contains(to)) else {
            return;
        };
        if !post.replies.contains(&message.id) && post.replies.len() < REACTIONS_MAX {
            post.replies.push(message.id.clone());
            count(post, sources, |tally| tally.replies += 1);
            note(post, to, step);
        }
    }

    /// Somebody is forgotten: what they put under posts goes too.
    pub fn forget(&mut self, person: &PersonId) {
        for post in &mut self.0 {
            post.reactions.retain(|(who, _)| who != person);
        }
    }

    /// Newest first.
    pub fn views(&self) -> Vec<PostView> {
        let view = |post: &Post| PostView {
            turn: post.turn,
            room: post.room.clone(),
            messages: post.messages.clone(),
            text: post.text.clone(),
            at: post.at,
            links: post.links.clone(),
            media: post.media,
            reactions: post.reactions.len() as u64,
            replies: post.replies.len() as u64,
            spoken: post.spoken,
        };
        self.0.iter().rev().map(view).collect()
    }
}

fn count(post: &Post, sources: &mut Sources, change: impl Fn(&mut super::feed::SourceTally)) {
    for source in post.links.iter().filter_map(|link| link.source.as_ref()) {
        change(sources.tally(source));
    }
}

fn note(post: &Post, message: &MessageId, step: &mut StepContext<'_>) {
    let scope = Scope::room(&post.room).turn(post.turn).about(message);
    let event = JournalEvent::AmbientOutcomeCounted {
        reactions: post.reactions.len(),
        replies: post.replies.len(),
    };
    step.ledger.write(scope, event);
}

/// A text for comparing: case and spacing aside.
fn folded(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}
