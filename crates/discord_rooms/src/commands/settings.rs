//! `/denizen settings`: what the people who manage a server may set there. What costs money, names
//! machines or concerns other communities is whoever runs Denizen's.

use runtime::SettingsLayer;
use serde_json::Value;
use settings::{Settings, refused_from_afar};

use super::Used;
use super::ids::meant;
use crate::manners::usual;
use crate::wording::Phrase;

/// Settings that a server may have its own way with, by how they begin.
const OF_A_SERVER: [&str; 12] = [
    "identity.",
    "addressing.",
    "permissions.allow",
    "permissions.replies.allowed",
    "permissions.replies.blocked",
    "permissions.replies.reply",
    "activity.replyLevel",
    "activity.threadedReply",
    "voice.joinPolicy",
    "permissions.quieting",
    "activity.maxReactions",
    "activity.botPause",
];
pub(super) const BLOCKED: &str = "permissions.replies.blockedChannelIds";
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
            return self.say(Phrase::NotAdministrator);
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
                true => self.say(Phrase::NothingSet),
                false => self.tell(Phrase::SetHere, &[("list", &own.join("\n"))]),
            };
            return format!("{set}\n{}", self.say(Phrase::GiveAKey));
        };
        let knob = match Settings::knob(&key) {
            Ok(knob) => knob,
            Err(error) => return error.to_string(),
        };
        if !is_of_a_server(&key) {
            return self.tell(Phrase::ForTheOperator, &[("key", &key)]);
        }
        let effective = in_force.layers.effective();
        match self.text("value").as_deref() {
            None => match effective.get(&key) {
                Some(value) => self.tell(Phrase::KeyIs, &[("key", &key), ("value", &value.to_string())]),
                None => self.tell(Phrase::KeyIsUsual, &[("key", &key)]),
            },
            Some("default") => {
                let usual = usual(&self.inside, self.interaction.guild, &key).await;
                self.changed(&key, usual).await
            }
            Some(typed) => match knob.parse_typed(typed) {
                Ok(value) => match self.with_ids(&key, value) {
                    Ok(value) => self.changed(&key, Some(value)).await,
                    Err(refused) => refused,
                },
                Err(error) => error.to_string(),
            },
        }
    }

    /// Channels and people by their ids; why not, in words.
    fn with_ids(&self, key: &str, value: Value) -> Result<Value, String> {
        let Some(guild) = self.interaction.guild else {
            return Ok(value);
        };
        let found = meant(&self.inside.world(), guild, key, value);
        found.map_err(|unmeant| {
            let phrase = match unmeant.is_channel {
                true => Phrase::NoSuchChannel,
                false => Phrase::NoSuchPerson,
            };
            self.tell(phrase, &[("given", &unmeant.given)])
        })
    }

    async fn changed(&self, key: &str, value: Option<Value>) -> String {
        let told = match &value {
            Some(value) => self.tell(Phrase::Changed, &[("key", key), ("value", &value.to_string())]),
            None => self.tell(Phrase::TakenBack, &[("key", key)]),
        };
        match self.change(key, value).await {
            Ok(()) => told,
            Err(refused) => refused,
        }
    }

    /// Sets something for this server, or takes it back; why not, in words.
    pub(super) async fn change(&self, key: &str, value: Option<Value>) -> Result<(), String> {
        let refused = |error: String| self.tell(Phrase::NotChanged, &[("error", &error)]);
        let newest = self.handle.store().settings(self.handle.community()).await;
        let newest = newest.map_err(|error| refused(error.to_string()))?.version();
        let changes = vec![(key.to_owned(), value)];
        let changed = self
            .handle
            .change_settings(SettingsLayer::Own, newest, changes)
            .await;
        changed.map(drop).map_err(|error| refused(error.to_string()))
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
