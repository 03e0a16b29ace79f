//! The commands as Discord shows them.

use discord::rest::{CommandOption, CommandSpec, Localised, OptionKind};

/// All of them, under one name.
pub(crate) fn specs() -> Vec<CommandSpec> {
    let key = CommandOption {
        completes: true,
        ..option(OptionKind::Text, "key", "Which one", "Welche")
    };
    let what = CommandOption {
        is_required: true,
        choices: vec![
            (
                Localised::from("what I said last here").and("de", "was ich hier zuletzt gesagt habe"),
                "last".to_owned(),
            ),
            (
                Localised::from("everything about me in this server")
                    .and("de", "alles über mich auf diesem Server"),
                "me".to_owned(),
            ),
        ],
        ..option(
            OptionKind::Text,
            "what",
            "What is to be forgotten for good",
            "Was für immer vergessen werden soll",
        )
    };
    let question = CommandOption {
        is_required: true,
        ..option(
            OptionKind::Text,
            "question",
            "What you want to know",
            "Was du wissen willst",
        )
    };
    let options = vec![
        with(
            subcommand(
                "why",
                "Why it answered a message, or did not",
                "Warum es geantwortet hat oder nicht",
            ),
            vec![option(
                OptionKind::Text,
                "message",
                "A link to the message; the newest here without it",
                "Ein Link zur Nachricht",
            )],
        ),
        with(
            subcommand(
                "forget",
                "Have something forgotten for good",
                "Etwas für immer vergessen lassen",
            ),
            vec![
                what,
                option(
                    OptionKind::Flag,
                    "sure",
                    "It cannot be taken back",
                    "Es gibt kein Zurück",
                ),
            ],
        ),
        with(
            subcommand(
                "settings",
                "See and change its settings in this server",
                "Einstellungen auf diesem Server",
            ),
            vec![
                key,
                option(
                    OptionKind::Text,
                    "value",
                    "What it is to be; `default` takes it back",
                    "Der neue Wert; `default` nimmt ihn zurück",
                ),
            ],
        ),
        subcommand("status", "How it is doing", "Wie es ihm geht"),
        with(
            subcommand(
                "ask",
                "Ask it something here, for everybody to see",
                "Frag es etwas, für alle sichtbar",
            ),
            vec![question],
        ),
        with(
            subcommand(
                "quiet",
                "Have it say nothing in this channel, or speak again",
                "In diesem Kanal schweigen oder wieder reden",
            ),
            vec![option(
                OptionKind::Flag,
                "on",
                "False: it may speak again",
                "Falsch: es darf wieder reden",
            )],
        ),
        subcommand("join", "Have it come into voice", "In den Sprachkanal holen"),
        subcommand("leave", "Have it leave voice", "Aus dem Sprachkanal schicken"),
        subcommand("watch", "Show it a screen", "Ihm einen Bildschirm zeigen"),
    ];
    vec![CommandSpec {
        name: Localised::from("denizen"),
        description: Localised::from("Talk to Denizen about what it does")
            .and("de", "Mit Denizen über sein Tun reden"),
        options,
        permissions: None,
        in_direct: true,
    }]
}

fn option(kind: OptionKind, name: &str, description: &str, german: &str) -> CommandOption {
    CommandOption {
        kind,
        name: Localised::from(name),
        description: Localised::from(description).and("de", german),
        is_required: false,
        choices: Vec::new(),
        completes: false,
        options: Vec::new(),
    }
}

fn subcommand(name: &str, description: &str, german: &str) -> CommandOption {
    option(OptionKind::Subcommand, name, description, german)
}

fn with(subcommand: CommandOption, options: Vec<CommandOption>) -> CommandOption {
    CommandOption {
        options,
        ..subcommand
    }
}
