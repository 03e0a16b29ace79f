//! `/denizen settings` and `/denizen quiet`: what the people who manage a server may set there. What costs money, names
//! machines or concerns other communities is whoever runs Denizen's.

use runtime::SettingsLayer;
use serde_json::{Value, json};
use settings::{Settings, refused_from_afar};

use super::{NOT_ADMINISTRATOR, NOT_PERMITTED, Used};
use crate::names;

/// Settings that a server may have its own way with, by how they begin.
const OF_A_SERVER: [&str; 9] = [
    "identity.",
    "addressing.",
    "permissions.allow",
    "permissions.replies.allowed",
    "permissions.replies.blocked",
    "permissions.replies.reply",
    "activity.replyLevel",
    "activity.threadedReply",
    "voice.joinPolicy",
];
const BLOCKED: &str = "permissions.replies.blockedChannelIds";
/// Discord shows so many.
const COMPLETIONS_MAX: usize = 25;

fn is_of_a_server(key: &str) -> bool {
    OF_A_SERVER.iter().any(|start| key.starts_with(start)) && refused_from_afar(key).is_none()
}

fn keys() -> impl Iterator<Item = String> {
    let keys = Settings::knobs().into_iter().map(|knob| knob.key);
    keys.filter(|key| is_of_a_server(key))
}

/// What could be meant by what is typed so far.
pub(super) fn completions(typed: &str) -> Vec<(String, String)> {
    let typed = typed.to_lowercase();
    let fitting = keys().filter(|key| key.to_lowercase().contains(&typed));
    fitting
        .take(COMPLETIONS_MAX)
        .map(|key| (key.clone(), key))
        .collect()
}

impl Used {
    pub(super) async fn settings(&self) -> String {
        if !self.may_change() {
            return NOT_ADMINISTRATOR.to_owned();
        }
        let in_force = self.handle.in_force();
        let Some(key) = self.text("key") else {
            let own: Vec<String> = in_force
                .layers
                .own
                .iter()
                .map(|(key, value)| format!("`{key}` = `{value}`"))
                .collect();
            let set = match own.is_empty() {
                true => "Nothing is set for this server alone.".to_owned(),
                false => format!("Set for this server:\n{}", own.join("\n")),
            };
            return format!(
                "{set}\nGive a key to see or change one; while you type, those that can be changed are shown."
            );
        };
        let knob = match Settings::knob(&key) {
            Ok(knob) => knob,
            Err(error) => return error.to_string(),
        };
        if !is_of_a_server(&key) {
            return format!("`{key}` is for whoever runs me to set, not for one server.");
        }
        let effective = in_force.layers.effective();
        match self.text("value").as_deref() {
            None => match effective.get(&key) {
                Some(value) => format!("`{key}` is `{value}`."),
                None => format!("`{key}` is as it always is."),
            },
            Some("default") => self.change(&key, None).await,
            Some(typed) => match knob.parse_typed(typed) {
                Ok(value) => self.change(&key, Some(value)).await,
                Err(error) => error.to_string(),
            },
        }
    }

    /// Whether it says anything in a channel, and in the threads of it.
    pub(super) async fn quiet(&self) -> String {
        let Some(channel) = self.channel() else {
            return "There is no channel here.".to_owned();
        };
        if !self.may_look() || self.interaction.guild.is_none() {
            return NOT_PERMITTED.to_owned();
        }
        let is_quiet = self.flag("on").unwrap_or(true);
        let room = names::room(channel);
        let settings = self.handle.in_force().settings;
        let mut blocked = settings.replies.blocked_channel_ids.clone();
        blocked.retain(|id| id != room.as_str());
        if is_quiet {
            blocked.push(room.as_str().to_owned());
        }
        let changed = self.change(BLOCKED, Some(json!(blocked))).await;
        match (changed.starts_with("Done"), is_quiet) {
            (false, _) => changed,
            (true, true) => {
                "I say nothing here any more. I still read; `/denizen quiet on:False` has me speak again."
                    .to_owned()
            }
            (true, false) => "I may speak here again.".to_owned(),
        }
    }

    async fn change(&self, key: &str, value: Option<Value>) -> String {
        let newest = match self.handle.store().settings(self.handle.community()).await {
            Ok(newest) => newest.version(),
            Err(error) => return format!("It could not be changed: {error}"),
        };
        let told = match &value {
            Some(value) => format!("Done: `{key}` is `{value}` in this server."),
            None => format!("Done: `{key}` is what it is everywhere."),
        };
        let changes = vec![(key.to_owned(), value)];
        match self
            .handle
            .change_settings(SettingsLayer::Own, newest, changes)
            .await
        {
            Ok(_) => told,
            Err(refused) => format!("It could not be changed: {refused}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_changes_manners_and_never_money_models_or_machines() {
        let own: Vec<String> = keys().collect();
        assert!(own.iter().any(|key| key == "identity.name"), "{own:?}");
        assert!(own.iter().any(|key| key == BLOCKED), "{own:?}");
        for key in &own {
            for foreign in [
                "llm.",
                "spending",
                "memory.",
                "tools.",
                "media.",
                "Url",
                "Path",
                "forgetting",
                "discovery",
            ] {
                assert!(!key.contains(foreign), "{key}");
            }
        }
        assert!(completions("blocked").iter().any(|(key, _)| key == BLOCKED));
        assert!(completions("").len() <= COMPLETIONS_MAX);
    }
}
