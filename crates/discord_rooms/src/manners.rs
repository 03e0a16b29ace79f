//! What a server's community begins with: the settings that are others on Discord than elsewhere.

use discord::wire::Snowflake;
use runtime::{Handle, SettingsLayer};
use serde_json::{Value, json};
use settings::Document;

use crate::reading::shown;
use crate::residence::Inside;

/// When Denizen comes into voice.
const JOIN_POLICY: &str = "voice.joinPolicy";
/// On Discord nobody finds ears in a call that nobody has asked there.
const ON_REQUEST: &str = "on_request";
/// Who may have it say nothing in a channel by typing.
const QUIETING: &str = "permissions.quieting";
/// In a server that is for people who manage it, by `/denizen quiet`.
const BY_THE_OPERATOR: &str = "operator";

/// The manners of a server.
const MANNERS: [(&str, &str); 2] = [(JOIN_POLICY, ON_REQUEST), (QUIETING, BY_THE_OPERATOR)];
/// What Denizen goes by.
const NAME: &str = "identity.name";

/// What a server has by itself where nothing else is set; none where it has what all have.
pub(crate) async fn usual(inside: &Inside, guild: Option<Snowflake>, key: &str) -> Option<Value> {
    if key != NAME {
        let manners = MANNERS.iter().filter(|_| guild.is_some());
        return manners
            .filter(|(own, _)| *own == key)
            .map(|(_, value)| json!(value))
            .next();
    }
    // It goes by the name that people see there, unless whoever runs it has named it.
    let is_named = match inside.store.base_settings().await {
        Ok(base) => base.document.get(NAME).is_some(),
        Err(_) => true,
    };
    let name = inside.world().own().map(|own| shown(own.shown()));
    name.filter(|_| !is_named).map(Value::String)
}

/// What a community on Discord begins with.
pub(crate) async fn first_settings(inside: &Inside, guild: Option<Snowflake>) -> Document {
    let mut document = Document::default();
    for key in [JOIN_POLICY, QUIETING, NAME] {
        if let Some(value) = usual(inside, guild, key).await {
            document.set(key.to_owned(), value);
        }
    }
    document
}

/// A server that has said nothing about it has Denizen in its calls when somebody asks for it, and not before, and
/// quiet when somebody wants it who manages the server.
pub(crate) async fn keep_manners(guild: Option<Snowflake>, handle: &Handle) {
    let own = handle.in_force().layers.own;
    let manners = MANNERS.into_iter();
    let unset = manners.filter(|(key, _)| own.get(key).is_none());
    let changes: Vec<_> = unset
        .map(|(key, value)| (key.to_owned(), Some(json!(value))))
        .collect();
    if guild.is_none() || changes.is_empty() {
        return;
    }
    let changed = match handle.store().settings(handle.community()).await {
        Ok(newest) => {
            let changed = handle.change_settings(SettingsLayer::Own, newest.version(), changes);
            changed.await.map(drop).map_err(|error| error.to_string())
        }
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = changed {
        tracing::error!(%error, "what a server of Discord's begins with could not be set there: voice.joinPolicy, permissions.quieting");
    }
}
