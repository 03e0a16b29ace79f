//! The chat platform: gives messages their ids, keeps rooms as people read them, and sends each delivery once.

use std::collections::BTreeMap;

use mind::Delivery;
use vocabulary::{
    Attachment, AttachmentId, Author, AuthorKind, DeliveryId, Message, MessageId, PersonId, RoomId, WallTime,
};

/// Denizen's own id on every platform here.
pub const DENIZEN: &str = "denizen";

/// Somebody who writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    pub id: PersonId,
    pub name: String,
    pub kind: AuthorKind,
}

/// Words somebody is about to write.
#[derive(Clone, Debug)]
pub struct Say {
    pub room: RoomId,
    pub person: Person,
    pub text: String,
    /// Threaded to the last message of somebody.
    pub replies_to: Option<PersonId>,
    pub mentions: Vec<PersonId>,
    /// The file name of a picture that comes with it.
    pub picture: Option<String>,
    /// It was said aloud in the voice chat that belongs to the room.
    pub spoken: bool,
}

impl Person {
    /// A person whose id is the name in lower case.
    pub fn named(name: &str) -> Self {
        Self {
            id: PersonId::new(name.to_lowercase()),
            name: name.to_owned(),
            kind: AuthorKind::Person,
        }
    }

    /// As an author of messages.
    pub fn author(&self) -> Author {
        author(self)
    }

    pub fn denizen() -> Self {
        Self {
            id: PersonId::from(DENIZEN),
            name: "Denizen".to_owned(),
            kind: AuthorKind::Denizen,
        }
    }
}

/// All rooms of the community as the platform has them.
#[derive(Clone, Debug, Default)]
pub struct Platform {
    /// Everything that stands in the rooms, oldest first.
    messages: Vec<Message>,
    written: BTreeMap<PersonId, u64>,
    delivered: BTreeMap<DeliveryId, Message>,
}

impl Platform {
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The last message somebody wrote in a room that still stands there.
    pub fn last_of(&self, room: &RoomId, person: &PersonId) -> Option<&Message> {
        let mut newest_first = self.messages.iter().rev();
        newest_first.find(|message| message.room == *room && message.author.id == *person)
    }

    /// The newest messages of people and other bots, oldest first.
    pub fn newest_of_others(&self, count: usize) -> Vec<Message> {
        let others = self.messages.iter().rev();
        let others = others.filter(|message| message.author.kind != AuthorKind::Denizen);
        let mut newest: Vec<Message> = others.take(count).cloned().collect();
        newest.reverse();
        newest
    }

    pub(crate) fn write(&mut self, say: &Say, at: WallTime) -> Message {
        let message = self.compose(say, at);
        self.messages.push(message.clone());
        message
    }

    /// A message that does not stand in its room.
    pub(crate) fn compose(&mut self, say: &Say, at: WallTime) -> Message {
        let id = self.next_id(&say.person.id);
        let reply_to = say.replies_to.as_ref().and_then(|to| self.last_of(&say.room, to));
        Message {
            room: say.room.clone(),
            author: author(&say.person),
            text: say.text.clone(),
            at,
            reply_to: reply_to.map(|message| message.id.clone()),
            reply_to_author: reply_to.map(|message| message.author.id.clone()),
            mentions: say.mentions.clone(),
            attachments: say
                .picture
                .iter()
                .map(|name| Attachment {
                    id: AttachmentId::new(format!("picture-of-{id}")),
                    mime: "image/png".to_owned(),
                    name: name.clone(),
                    bytes: 20_000,
                    description: String::new(),
                })
                .collect(),
            spoken: say.spoken,
            sign: false,
            id,
        }
    }

    /// Puts a delivery into its room; the same delivery again changes nothing.
    pub(crate) fn deliver(&mut self, delivery: &Delivery, at: WallTime) {
        if self.delivered.contains_key(&delivery.id) {
            return;
        }
        let denizen = Person::denizen();
        let message = Message {
            id: self.next_id(&denizen.id),
            room: delivery.room.clone(),
            author: author(&denizen),
            text: delivery.text.clone(),
            at,
            reply_to: delivery.reply_to.clone(),
            mentions: Vec::new(),
            attachments: delivery.attachments.clone(),
            reply_to_author: None,
            spoken: delivery.spoken,
            sign: delivery.sign,
        };
        self.delivered.insert(delivery.id.clone(), message.clone());
        self.messages.push(message);
    }

    pub(crate) fn delivered(&self, delivery: &DeliveryId) -> Option<&Message> {
        self.delivered.get(delivery)
    }

    pub(crate) fn edit(&mut self, id: &MessageId, text: &str) {
        if let Some(message) = self.messages.iter_mut().find(|message| message.id == *id) {
            message.text = text.to_owned();
        }
    }

    pub(crate) fn delete(&mut self, id: &MessageId) {
        self.messages.retain(|message| message.id != *id);
    }

    fn next_id(&mut self, person: &PersonId) -> MessageId {
        let count = self.written.entry(person.clone()).or_default();
        *count += 1;
        MessageId::new(format!("{person}-{count}"))
    }
}

fn author(person: &Person) -> Author {
    Author {
        id: person.id.clone(),
        name: person.name.clone(),
        kind: person.kind,
    }
}
