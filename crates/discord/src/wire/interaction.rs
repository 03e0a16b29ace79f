//! What people ask of the bot by commands, buttons and forms.

use std::collections::BTreeMap;

use secrecy::SecretString;
use serde_json::Value;

use super::message::PostedMessage;
use super::people::{Member, User};
use super::{Fields, Snowflake};

const OPTIONS_MAX: usize = 50;
/// A group, a subcommand, and its options.
const DEPTH_MAX: usize = 3;

/// Something asked. It is to be answered within three seconds, and by its token for a quarter of an hour.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub id: Snowflake,
    pub application: Option<Snowflake>,
    /// None where it comes from a direct message.
    pub guild: Option<Snowflake>,
    pub channel: Option<Snowflake>,
    pub user: User,
    pub member: Option<Member>,
    /// What the person may do in the channel, as the server computed it.
    pub permissions: Option<u64>,
    /// Of the person.
    pub locale: Option<String>,
    pub guild_locale: Option<String>,
    pub token: SecretString,
    pub asks: InteractionAsk,
}

#[derive(Clone, Debug)]
pub enum InteractionAsk {
    Command(CommandCall),
    /// What could stand in the option that is being typed.
    Completion(CommandCall),
    /// A button was pressed, or something chosen.
    Component {
        custom_id: String,
        values: Vec<String>,
        message: Option<Box<PostedMessage>>,
    },
    /// A form was sent: texts by the ids of their fields.
    Form {
        custom_id: String,
        fields: BTreeMap<String, String>,
    },
    Other(u64),
}

#[derive(Clone, Debug, PartialEq)]
pub struct CommandCall {
    /// The command, then its group and subcommand where it has them.
    pub path: Vec<String>,
    pub options: BTreeMap<String, OptionValue>,
    /// The option that is being typed.
    pub focused: Option<String>,
    /// The person or message whose menu it was chosen from.
    pub target: Option<Snowflake>,
    /// People named in the options, and what they are in the server.
    pub people: Vec<(User, Option<Member>)>,
    /// Messages that it is about.
    pub messages: Vec<PostedMessage>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    Text(String),
    Whole(i64),
    Fraction(f64),
    Flag(bool),
    /// A person, channel, role or file.
    Id(Snowflake),
}

impl Interaction {
    pub fn read(fields: Fields<'_>) -> Option<Self> {
        let member = fields.inner("member").map(Member::read);
        let user = fields.inner("user").and_then(User::read);
        let user = user.or_else(|| member.as_ref()?.user.clone())?;
        let data = fields.inner("data");
        let channel = fields.id("channel_id");
        Some(Self {
            id: fields.id("id")?,
            application: fields.id("application_id"),
            guild: fields.id("guild_id"),
            channel: channel.or_else(|| fields.inner("channel")?.id("id")),
            permissions: fields
                .inner("member")
                .and_then(|member| member.number("permissions")),
            user,
            member,
            locale: fields.words("locale").map(str::to_owned),
            guild_locale: fields.words("guild_locale").map(str::to_owned),
            token: SecretString::from(fields.words("token")?),
            asks: asks(fields, data)?,
        })
    }
}

fn asks(fields: Fields<'_>, data: Option<Fields<'_>>) -> Option<InteractionAsk> {
    Some(match fields.number("type")? {
        2 => InteractionAsk::Command(CommandCall::read(data?)?),
        4 => InteractionAsk::Completion(CommandCall::read(data?)?),
        3 => InteractionAsk::Component {
            custom_id: data?.text("custom_id")?.to_owned(),
            values: data?
                .list("values")
                .take(OPTIONS_MAX)
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            message: fields
                .inner("message")
                .and_then(PostedMessage::read)
                .map(Box::new),
        },
        5 => {
            let mut texts = BTreeMap::new();
            form_fields(data?, DEPTH_MAX, &mut texts);
            InteractionAsk::Form {
                custom_id: data?.text("custom_id")?.to_owned(),
                fields: texts,
            }
        }
        other => InteractionAsk::Other(other),
    })
}

/// Fields of a form stand in rows or behind labels.
fn form_fields(fields: Fields<'_>, depth: usize, texts: &mut BTreeMap<String, String>) {
    let labelled = fields.inner("component").into_iter();
    for component in fields.objects("components").chain(labelled).take(OPTIONS_MAX) {
        if let (Some(id), Some(text)) = (component.text("custom_id"), component.text("value")) {
            texts.insert(id.to_owned(), text.to_owned());
        }
        if depth > 0 {
            form_fields(component, depth - 1, texts);
        }
    }
}

impl CommandCall {
    fn read(data: Fields<'_>) -> Option<Self> {
        let mut call = Self {
            path: vec![data.words("name")?.to_owned()],
            options: BTreeMap::new(),
            focused: None,
            target: data.id("target_id"),
            people: Vec::new(),
            messages: Vec::new(),
        };
        call.read_options(data);
        if let Some(resolved) = data.inner("resolved") {
            call.people = people(resolved);
            let messages = resolved.value("messages").and_then(Value::as_object);
            let messages = messages.into_iter().flat_map(serde_json::Map::values);
            let messages = messages.take(OPTIONS_MAX).filter_map(Fields::of);
            call.messages = messages.filter_map(PostedMessage::read).collect();
        }
        Some(call)
    }

    fn read_options(&mut self, within: Fields<'_>) {
        for option in within.objects("options").take(OPTIONS_MAX) {
            let Some(name) = option.words("name") else {
                continue;
            };
            let kind = option.number("type");
            if matches!(kind, Some(1 | 2)) {
                if self.path.len() < DEPTH_MAX {
                    self.path.push(name.to_owned());
                    self.read_options(option);
                }
                continue;
            }
            if option.flag("focused") {
                self.focused = Some(name.to_owned());
            }
            if let Some(value) = option_value(kind, option) {
                self.options.insert(name.to_owned(), value);
            }
        }
    }
}

fn option_value(kind: Option<u64>, option: Fields<'_>) -> Option<OptionValue> {
    match kind {
        // While it is being typed, a number may be no number yet.
        Some(4) => option.signed("value").map(OptionValue::Whole),
        Some(5) => Some(OptionValue::Flag(option.flag("value"))),
        Some(6..=9 | 11) => option.id("value").map(OptionValue::Id),
        Some(10) => option.fraction("value").map(OptionValue::Fraction),
        _ => None,
    }
    .or_else(|| {
        option
            .text("value")
            .map(|text| OptionValue::Text(text.to_owned()))
    })
}

fn people(resolved: Fields<'_>) -> Vec<(User, Option<Member>)> {
    let members = resolved.inner("members");
    let users = resolved.value("users").and_then(Value::as_object);
    let users = users
        .into_iter()
        .flat_map(serde_json::Map::values)
        .take(OPTIONS_MAX);
    users
        .filter_map(|user| {
            let user = User::read(Fields::of(user)?)?;
            let member = members.and_then(|members| members.inner(&user.id.to_string()));
            Some((user, member.map(Member::read)))
        })
        .collect()
}
