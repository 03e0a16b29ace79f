//! The commands as Discord shows them.

use discord::rest::{CommandOption, CommandSpec, Localised, OptionKind};

use super::quiet::CHOICES;
use crate::wording::Offered;

/// All of them, under one name.
pub(crate) fn specs() -> Vec<CommandSpec> {
    let key = CommandOption {
        completes: true,
        ..option(OptionKind::Text, "key", Offered::SettingsKey)
    };
    let what = CommandOption {
        is_required: true,
        choices: vec![
            (localised(Offered::ForgetLast), "last".to_owned()),
            (localised(Offered::ForgetMe), "me".to_owned()),
        ],
        ..option(OptionKind::Text, "what", Offered::ForgetWhat)
    };
    let question = CommandOption {
        is_required: true,
        ..option(OptionKind::Text, "question", Offered::AskQuestion)
    };
    let shown = [
        Offered::QuietQuarter,
        Offered::QuietHour,
        Offered::QuietNight,
        Offered::QuietForGood,
        Offered::QuietOff,
    ];
    let choices = shown.into_iter().zip(CHOICES);
    let how_long = CommandOption {
        choices: choices
            .map(|(shown, (value, _))| (localised(shown), value.to_owned()))
            .collect(),
        ..option(OptionKind::Text, "for", Offered::QuietFor)
    };
    let options = vec![
        subcommand(
            Offered::WhyName,
            Offered::Why,
            vec![option(OptionKind::Text, "message", Offered::WhyMessage)],
        ),
        subcommand(
            Offered::ForgetName,
            Offered::Forget,
            vec![what, option(OptionKind::Flag, "sure", Offered::ForgetSure)],
        ),
        subcommand(
            Offered::SettingsName,
            Offered::Settings,
            vec![key, option(OptionKind::Text, "value", Offered::SettingsValue)],
        ),
        subcommand(Offered::StatusName, Offered::Status, Vec::new()),
        subcommand(Offered::AskName, Offered::Ask, vec![question]),
        subcommand(Offered::QuietName, Offered::Quiet, vec![how_long]),
        subcommand(Offered::JoinName, Offered::Join, Vec::new()),
        subcommand(Offered::LeaveName, Offered::Leave, Vec::new()),
        subcommand(Offered::WatchName, Offered::Watch, Vec::new()),
    ];
    vec![CommandSpec {
        name: Localised::from("denizen"),
        description: localised(Offered::Denizen),
        options,
        permissions: None,
        in_direct: true,
    }]
}

fn localised(offered: Offered) -> Localised {
    let wording = offered.wording();
    let elsewhere = wording.elsewhere().into_iter();
    elsewhere.fold(Localised::from(wording.en), |words, (locale, text)| {
        words.and(locale, text)
    })
}

fn option(kind: OptionKind, name: &str, description: Offered) -> CommandOption {
    CommandOption {
        kind,
        name: Localised::from(name),
        description: localised(description),
        is_required: false,
        choices: Vec::new(),
        completes: false,
        options: Vec::new(),
    }
}

fn subcommand(name: Offered, description: Offered, options: Vec<CommandOption>) -> CommandOption {
    CommandOption {
        name: localised(name),
        options,
        ..option(OptionKind::Subcommand, name.wording().en, description)
    }
}
