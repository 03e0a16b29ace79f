//! Puts a delivery into its channel, part after part, each under a mark of its own, so that one that is tried again is not a
//! second message.

use std::time::Duration;

use discord::rest::{FilePart, MessageToSend, PageOf, RestClient, RestFailure, nonce};
use discord::text::{Here, OutgoingPart, written};
use discord::wire::{Emoji, PostedMessage, Snowflake};
use discord::world::Permissions;
use mind::Delivery;
use runtime::ports::SendFailure;
use runtime::wall;
use vocabulary::{CommunityId, WallTime};

use crate::names;
use crate::residence::Inside;
use crate::sent::PartSoFar;

/// How far back it is looked for what the last process may have sent without knowing that it had.
const LOOKED_BACK_MS: i64 = 6 * 60 * 60 * 1_000;
const LOOKED_BACK_MESSAGES: u32 = 50;
/// What was under way when the last process ended is taken up within this.
const TAKEN_UP_WITHIN: Duration = Duration::from_secs(600);
/// How long a mark is surely known: what is tried again later than this may be there without it.
const MARK_IS_GOOD: Duration = Duration::from_secs(120);

/// Where a delivery goes.
pub(crate) struct Sending<'a> {
    pub inside: &'a Inside,
    pub rest: RestClient,
    pub community: &'a CommunityId,
    pub guild: Option<Snowflake>,
    pub channel: Snowflake,
}

impl Sending<'_> {
    /// Sends all parts; what the first of them became.
    pub async fn deliver(&self, delivery: &Delivery) -> Result<PostedMessage, SendFailure> {
        let mut parts = written(&delivery.text, &self.here(delivery));
        let files = self.files(delivery).await;
        if parts.is_empty() && !files.is_empty() {
            parts.push(OutgoingPart {
                content: String::new(),
                notifies: Vec::new(),
            });
        }
        let sent_as = self.sent_as(delivery);
        let marks: Vec<String> = (0..parts.len()).map(|index| nonce(&sent_as, index)).collect();
        let so_far: Vec<PartSoFar> = marks.iter().map(|mark| self.inside.sent.begin(mark)).collect();
        let unconfirmed = match so_far.iter().any(|part| self.may_be_there(part)) {
            true => self.unconfirmed().await?,
            false => Vec::new(),
        };
        let last = parts.len().saturating_sub(1);
        let mut first = None;
        let parts = parts.into_iter().zip(marks).zip(so_far);
        for (index, ((part, mark), so_far)) in parts.enumerate() {
            let reply_to = delivery.reply_to.as_ref().filter(|_| index == 0);
            let message = MessageToSend {
                reply_to: reply_to.and_then(names::message_of),
                notifies_replied: true,
                may_notify: part.notifies,
                content: part.content,
                // What belongs to the words stands below all of them.
                files: if index == last { files.clone() } else { Vec::new() },
                nonce: Some(mark.clone()),
                is_silent: false,
            };
            let posted = match so_far {
                PartSoFar::Arrived(posted) => *posted,
                PartSoFar::New | PartSoFar::Tried(_) => match sent_before(&unconfirmed, &message) {
                    Some(posted) => posted.clone(),
                    None => self
                        .rest
                        .create_message(self.channel, &message)
                        .await
                        .map_err(failed)?,
                },
            };
            self.inside.sent.arrived(&mark, &posted);
            first.get_or_insert(posted);
        }
        first.ok_or_else(|| SendFailure {
            detail: "there is nothing in it that Discord could show".to_owned(),
            retryable: false,
        })
    }

    /// What a delivery is known by. A community that was removed and begins anew numbers its deliveries from the first on.
    fn sent_as(&self, delivery: &Delivery) -> String {
        match self.inside.emptied(self.guild) {
            Some(at) => format!("{}@{}", delivery.id, at.0),
            None => delivery.id.to_string(),
        }
    }

    /// Whom and what a text can name here.
    fn here(&self, delivery: &Delivery) -> Here {
        let now = wall();
        let own = self.inside.own();
        let world = self.inside.world();
        let mut here = Here {
            may_notify: delivery.may_notify.iter().filter_map(names::user_of).collect(),
            ..Here::default()
        };
        let Some(guild) = self.guild else {
            let others = world
                .channel(self.channel)
                .into_iter()
                .flat_map(|channel| &channel.recipients);
            here.people = others.map(|user| (user.id, user.shown().to_owned())).collect();
            return here;
        };
        let sees = |user: Snowflake| {
            let rights = world.permissions(self.channel, user, now);
            rights.is_some_and(|rights| rights.has(Permissions::VIEW_CHANNEL))
        };
        for member in world.people(guild) {
            let Some(user) = member.user.as_ref().filter(|user| Some(user.id) != own) else {
                continue;
            };
            if !sees(user.id) {
                continue;
            }
            let called = [
                member.nick.as_deref(),
                user.display_name.as_deref(),
                Some(user.name.as_str()),
            ];
            let called = called.into_iter().flatten().filter(|name| !name.is_empty());
            here.people.extend(called.map(|name| (user.id, name.to_owned())));
        }
        let marks = world.emoji_of(guild).filter_map(|(name, emoji)| match emoji {
            Emoji::Custom { id, is_animated, .. } => {
                let kind = if *is_animated { "a" } else { "" };
                Some((name.to_owned(), format!("<{kind}:{name}:{id}>")))
            }
            Emoji::Character(_) => None,
        });
        here.emoji = marks.collect();
        let channels = world.channels(guild).filter(|channel| world.is_open(channel.id));
        here.channels = channels
            .filter(|channel| !channel.name.is_empty())
            .map(|channel| (channel.id, channel.name.clone()))
            .collect();
        here
    }

    /// Pictures and clips that go with it. One that is gone is left out.
    async fn files(&self, delivery: &Delivery) -> Vec<FilePart> {
        let mut files = Vec::new();
        for attachment in &delivery.attachments {
            match self.inside.store.attachment(self.community, &attachment.id).await {
                Ok(Some((mime, bytes))) => files.push(FilePart {
                    name: attachment.name.clone(),
                    mime,
                    description: attachment.description.clone(),
                    bytes,
                }),
                Ok(None) => {
                    tracing::warn!(attachment = %attachment.id, "a picture that was to be sent is gone")
                }
                Err(error) => tracing::warn!(%error, "a picture that was to be sent could not be read"),
            }
        }
        files
    }

    /// Whether a part may stand in the channel without anybody here knowing, and its mark is no help any more: the last
    /// process may have sent it, or this one long ago.
    fn may_be_there(&self, part: &PartSoFar) -> bool {
        let was_looked_at = self.inside.sent.was_looked_at(self.channel);
        match part {
            PartSoFar::New => !was_looked_at && self.inside.started.elapsed() < TAKEN_UP_WITHIN,
            PartSoFar::Tried(ago) => !was_looked_at || *ago > MARK_IS_GOOD,
            PartSoFar::Arrived(_) => false,
        }
    }

    /// What stands in the channel by the bot and was never confirmed here. Where that cannot be found out at the moment,
    /// nothing is sent: it might be there twice.
    async fn unconfirmed(&self) -> Result<Vec<PostedMessage>, SendFailure> {
        let page = self
            .rest
            .messages(self.channel, PageOf::Latest, LOOKED_BACK_MESSAGES)
            .await;
        let page = match page {
            Ok(page) => page,
            Err(failure) if failure.is_retryable() => return Err(failed(failure)),
            // Where it may not read what was said, it goes by the mark.
            Err(_) => Vec::new(),
        };
        self.inside.sent.looked_at(self.channel);
        let since = WallTime(wall().0.saturating_sub(LOOKED_BACK_MS));
        let own = self.inside.own();
        let mut unconfirmed = Vec::new();
        for posted in page {
            if Some(posted.author.id) != own || posted.sent_at < since {
                continue;
            }
            let stored = self
                .inside
                .store
                .message(self.community, &names::message(posted.id))
                .await;
            let is_known = matches!(&stored, Ok(Some(stored)) if stored.turn.is_some());
            if !is_known {
                unconfirmed.push(posted);
            }
        }
        Ok(unconfirmed)
    }
}

/// The same words in the same place.
fn sent_before<'a>(unconfirmed: &'a [PostedMessage], message: &MessageToSend) -> Option<&'a PostedMessage> {
    unconfirmed.iter().find(|posted| {
        let answers = posted.reference.as_ref().and_then(|reference| reference.message);
        posted.content == message.content && answers == message.reply_to && !posted.content.is_empty()
    })
}

fn failed(failure: RestFailure) -> SendFailure {
    SendFailure {
        retryable: failure.is_retryable(),
        detail: failure.detail,
    }
}
