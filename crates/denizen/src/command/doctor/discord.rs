//! Whether Denizen can live on Discord, where it is to.

use std::path::Path;

use discord_rooms::{BotCheckup, BotFolder, check_up, invite_link, is_on_discord, missing_permissions};
use providers::Finding;
use runtime::COMMUNITIES_MAX;
use runtime::ports::Store;
use serde_json::Value;
use storage::Sqlite;
use vocabulary::text::{counted, plain_line};

use super::{bad, good, noted};

/// Servers that are named.
const NAMED_MAX: usize = 10;
const NAME_MAX: usize = 60;
/// Communities that are no servers: the local room, and direct messages.
const OTHERS: usize = 2;

pub async fn examine(data: &Path, api: &str) -> Vec<Finding> {
    let token = match BotFolder::of(data).token(|name| std::env::var(name).ok()) {
        Ok(Some(token)) => token,
        Ok(None) => {
            let off = "off: there is no bot's token. `denizen setup discord` begins there";
            return vec![good("discord", off.to_owned())];
        }
        Err(fault) => {
            return vec![bad(
                "discord",
                fault.to_string(),
                "until then `denizen run` does not start",
            )];
        }
    };
    match check_up(api, &token.secret).await {
        Ok(found) => told(&found, &token.origin),
        Err(failure) => vec![bad(
            "discord",
            failure.detail,
            &format!(
                "the token comes from {}; `denizen setup discord` takes another. Where Discord cannot be reached, look at the network and its proxies",
                token.origin
            ),
        )],
    }
}

fn told(found: &BotCheckup, origin: &str) -> Vec<Finding> {
    let mut findings = vec![good(
        "discord",
        format!("the bot {}, by the token of {origin}", found.bot.shown()),
    )];
    let missing = found.missing_intents();
    findings.push(match missing.is_empty() {
        true => good("discord intents", "all that it needs are switched on".to_owned()),
        false => bad(
            "discord intents",
            format!("not switched on: {}", missing.join(", ")),
            &format!("switch it on under {}, then start Denizen again", found.portal()),
        ),
    });
    let gateway = &found.gateway;
    let detail = format!(
        "{} of {} sessions can still be begun today, on {}",
        gateway.starts_left,
        gateway.starts_in_all,
        counted(gateway.shards as usize, "shard")
    );
    findings.push(match gateway.starts_left {
        0 => noted(
            "discord gateway",
            detail,
            "wait until tomorrow; something begins sessions again and again",
        ),
        _ => good("discord gateway", detail),
    });
    findings.push(servers(found));
    for guild in &found.guilds {
        let missing = missing_permissions(guild);
        if !missing.is_empty() {
            findings.push(noted(
                "discord permissions",
                format!("in {} the bot lacks: {}", shown(&guild.name), missing.join(", ")),
                "give them to its role there, or invite it again with the link of `denizen setup discord`",
            ));
        }
    }
    findings
}

/// What servers' own settings name that is no id of Discord's: it has no effect, and nobody would notice.
pub async fn named(store: &Sqlite) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Damage is told with the storage.
    for record in store.communities().await.unwrap_or_default() {
        if !is_on_discord(&record.id) {
            continue;
        }
        let saved = store.settings(&record.id).await;
        let own = saved.map(|saved| saved.layers.own).unwrap_or_default();
        for (key, value) in own.iter() {
            let strange = strangers(key, value);
            if !strange.is_empty() {
                findings.push(noted(
                    "discord settings",
                    format!(
                        "in {} {key} names {}, and that is no id of Discord's: it has no effect",
                        shown(&record.name),
                        strange.join(", ")
                    ),
                    "give numbers (Copy ID in Discord's developer mode), or use `/denizen settings` there, which takes names",
                ));
            }
        }
    }
    findings
}

fn strangers(key: &str, value: &Value) -> Vec<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_id = |text: &str| match key {
        key if key.ends_with("ChannelIds") => is_number(text),
        _ => text.strip_prefix("discord:").is_some_and(is_number),
    };
    let is_meant = key.starts_with("permissions.replies.") && key.ends_with("Ids");
    let items = value.as_array().filter(|_| is_meant).into_iter().flatten();
    let items = items.filter_map(Value::as_str).filter(|item| !is_id(item));
    items.map(|item| format!("“{}”", shown(item))).collect()
}

fn servers(found: &BotCheckup) -> Finding {
    let invite = invite_link(found.application.id);
    match found.guilds.as_slice() {
        [] => noted(
            "discord servers",
            "the bot is in none".to_owned(),
            &format!("invite it: {invite}"),
        ),
        guilds if guilds.len() > COMMUNITIES_MAX - OTHERS => noted(
            "discord servers",
            format!(
                "the bot is in {}, and one process hosts {}: in those that came last nothing is read or answered",
                guilds.len(),
                COMMUNITIES_MAX - OTHERS
            ),
            "take the bot out of some, or have a second bot with a Denizen and a data folder of its own",
        ),
        guilds => {
            let names = guilds.iter().take(NAMED_MAX).map(|guild| shown(&guild.name));
            let names: Vec<String> = names.collect();
            let more = match guilds.len() > NAMED_MAX {
                true => " and others",
                false => "",
            };
            good(
                "discord servers",
                format!("{}: {}{more}", guilds.len(), names.join(", ")),
            )
        }
    }
}

fn shown(name: &str) -> String {
    plain_line(name, NAME_MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_where_ids_belong_are_told() {
        let blocked = "permissions.replies.blockedChannelIds";
        assert_eq!(strangers(blocked, &json!(["10", "general"])), ["“general”"]);
        assert_eq!(
            strangers("permissions.replies.blockedUserIds", &json!(["discord:3", "3"])),
            ["“3”"]
        );
        assert!(strangers("addressing.aliases", &json!(["Rob"])).is_empty());
    }
}
