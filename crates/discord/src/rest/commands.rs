//! The commands that the bot offers, with their words in several languages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Words, and the same in other languages by Discord's names for them: `de`, `fr`, `es-ES`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Localised {
    pub text: String,
    pub elsewhere: BTreeMap<String, String>,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    pub name: Localised,
    pub description: Localised,
    pub options: Vec<CommandOption>,
    /// Permissions that whoever uses it must have, unless the server's administrators say otherwise.
    pub permissions: Option<u64>,
    /// It can be used in direct messages, too.
    pub in_direct: bool,
}

/// What stands behind a command's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOption {
    pub kind: OptionKind,
    pub name: Localised,
    pub description: Localised,
    pub is_required: bool,
    /// What may be chosen; anything where there are none. The second is what the bot is told.
    pub choices: Vec<(Localised, String)>,
    /// The bot is asked what could stand there while somebody types.
    pub completes: bool,
    /// Of a subcommand or a group of them.
    pub options: Vec<CommandOption>,
}

/// What an option holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    Subcommand,
    Group,
    Text,
    Whole,
    Flag,
    User,
    Channel,
    Role,
    Number,
}

impl From<&str> for Localised {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            elsewhere: BTreeMap::new(),
        }
    }
}

impl Localised {
    #[must_use]
    pub fn and(mut self, locale: &str, text: &str) -> Self {
        self.elsewhere.insert(locale.to_owned(), text.to_owned());
        self
    }

    fn put(&self, into: &mut Value, key: &str) {
        into[key] = json!(self.text);
        if !self.elsewhere.is_empty() {
            into[format!("{key}_localizations")] = json!(self.elsewhere);
        }
    }
}

impl CommandSpec {
    pub(super) fn body(&self) -> Value {
        // 0: in servers; 1: in direct messages with the bot.
        let contexts: &[u8] = if self.in_direct { &[0, 1] } else { &[0] };
        let mut body = json!({"type": 1, "contexts": contexts, "integration_types": [0]});
        self.name.put(&mut body, "name");
        self.description.put(&mut body, "description");
        body["default_member_permissions"] = match self.permissions {
            Some(permissions) => json!(permissions.to_string()),
            None => Value::Null,
        };
        body["options"] = self.options.iter().map(CommandOption::body).collect();
        body
    }
}

impl CommandOption {
    fn body(&self) -> Value {
        let mut body = json!({"type": self.kind.number()});
        self.name.put(&mut body, "name");
        self.description.put(&mut body, "description");
        if matches!(self.kind, OptionKind::Subcommand | OptionKind::Group) {
            body["options"] = self.options.iter().map(Self::body).collect();
            return body;
        }
        body["required"] = json!(self.is_required);
        if self.completes {
            body["autocomplete"] = json!(true);
        } else if !self.choices.is_empty() {
            let choices = self.choices.iter().map(|(shown, value)| {
                let mut choice = json!({"value": value});
                shown.put(&mut choice, "name");
                choice
            });
            body["choices"] = choices.collect();
        }
        body
    }
}

impl OptionKind {
    fn number(self) -> u8 {
        match self {
            Self::Subcommand => 1,
            Self::Group => 2,
            Self::Text => 3,
            Self::Whole => 4,
            Self::Flag => 5,
            Self::User => 6,
            Self::Channel => 7,
            Self::Role => 8,
            Self::Number => 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_written_as_discord_wants_it() {
        let option = |kind, name: &str| CommandOption {
            kind,
            name: name.into(),
            description: "x".into(),
            is_required: false,
            choices: Vec::new(),
            completes: false,
            options: Vec::new(),
        };
        let spec = CommandSpec {
            name: "denizen".into(),
            description: Localised::from("Ask Denizen").and("de", "Denizen fragen"),
            options: vec![CommandOption {
                options: vec![
                    CommandOption {
                        is_required: true,
                        choices: vec![(
                            Localised::from("An hour").and("de", "Eine Stunde"),
                            "60".to_owned(),
                        )],
                        ..option(OptionKind::Text, "for")
                    },
                    CommandOption {
                        completes: true,
                        ..option(OptionKind::Text, "key")
                    },
                ],
                ..option(OptionKind::Subcommand, "quiet")
            }],
            permissions: Some(32),
            in_direct: false,
        };
        assert_eq!(
            spec.body(),
            json!({
                "type": 1, "contexts": [0], "integration_types": [0], "name": "denizen",
                "description": "Ask Denizen", "description_localizations": {"de": "Denizen fragen"},
                "default_member_permissions": "32",
                "options": [{"type": 1, "name": "quiet", "description": "x", "options": [
                    {"type": 3, "name": "for", "description": "x", "required": true, "choices": [
                        {"value": "60", "name": "An hour", "name_localizations": {"de": "Eine Stunde"}}]},
                    {"type": 3, "name": "key", "description": "x", "required": false, "autocomplete": true},
                ]}],
            })
        );
    }
}
