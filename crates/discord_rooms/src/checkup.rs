//! Whether the bot can live on Discord: its token, its intents, the gateway, the servers it is in, and what it may do there.

use discord::gateway::Intents;
use discord::rest::{GatewayOffer, OwnApplication, OwnGuild, RestClient, RestFailure};
use discord::wire::{Snowflake, User};
use discord::world::Permissions;
use secrecy::SecretString;
use vocabulary::Span;

/// Somebody sits and waits for it.
const PATIENCE: Span = Span::seconds(8);

/// What the bot needs in a server, by the names that Discord shows.
const NEEDED: [(Permissions, &str); 8] = [
    (Permissions::VIEW_CHANNEL, "View Channels"),
    (Permissions::SEND_MESSAGES, "Send Messages"),
    (Permissions::SEND_IN_THREADS, "Send Messages in Threads"),
    (Permissions::READ_HISTORY, "Read Message History"),
    (Permissions::ADD_REACTIONS, "Add Reactions"),
    (Permissions::ATTACH_FILES, "Attach Files"),
    (Permissions::CONNECT, "Connect"),
    (Permissions::SPEAK, "Speak"),
];

/// What was found.
#[derive(Clone, Debug)]
pub struct BotCheckup {
    pub bot: User,
    pub application: OwnApplication,
    pub gateway: GatewayOffer,
    pub guilds: Vec<OwnGuild>,
}

/// Asks Discord, or a server that speaks its protocol. Wants a runtime of tokio around it.
pub async fn check_up(api: &str, token: &SecretString) -> Result<BotCheckup, RestFailure> {
    let rest = RestClient::new(api, token)?.with_patience(PATIENCE);
    Ok(BotCheckup {
        bot: rest.own_user().await?,
        application: rest.own_application().await?,
        gateway: rest.gateway().await?,
        guilds: rest.own_guilds().await?,
    })
}

impl BotCheckup {
    /// Intents that are not switched on, by their names in the developer portal.
    pub fn missing_intents(&self) -> Vec<&'static str> {
        let missing = match self.application.hears_content {
            true => Intents::NEEDED.without(Intents::MESSAGE_CONTENT),
            false => Intents::NEEDED,
        };
        missing.privileged()
    }

    /// Where intents are switched on.
    pub fn portal(&self) -> String {
        format!(
            "https://discord.com/developers/applications/{}/bot",
            self.application.id
        )
    }
}

/// Invites the bot into a server, with exactly what it needs.
pub fn invite_link(application: Snowflake) -> String {
    let needed = NEEDED.iter().fold(Permissions::NONE, |all, (one, _)| all | *one);
    format!(
        "https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands&permissions={}",
        needed.bits()
    )
}

/// What the bot lacks in a server, channels aside, by the names that Discord shows.
pub fn missing_permissions(guild: &OwnGuild) -> Vec<&'static str> {
    let Some(bits) = guild.permissions else {
        return Vec::new();
    };
    let has = Permissions::of(bits);
    let missing = NEEDED
        .iter()
        .filter(|(needed, _)| !has.has(*needed) && !has.has(Permissions::ADMINISTRATOR));
    missing.map(|(_, name)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_asks_for_what_is_needed_and_nothing_else() {
        let link = invite_link(Snowflake::new(42).expect("an id"));
        let asked = 1_u64 << 6 | 1 << 10 | 1 << 11 | 1 << 15 | 1 << 16 | 1 << 20 | 1 << 21 | 1 << 38;
        assert!(
            link.contains("client_id=42&scope=bot+applications.commands"),
            "{link}"
        );
        assert!(link.ends_with(&format!("permissions={asked}")), "{link}");
    }

    #[test]
    fn what_is_missing_in_a_server_is_told_by_name() {
        let guild = |permissions| OwnGuild {
            id: Snowflake::new(1).expect("an id"),
            name: "Guild".to_owned(),
            permissions,
        };
        let all_but_files = 1_u64 << 6 | 1 << 10 | 1 << 11 | 1 << 16 | 1 << 20 | 1 << 21 | 1 << 38;
        assert_eq!(missing_permissions(&guild(Some(all_but_files))), ["Attach Files"]);
        let mute = all_but_files & !(1 << 21) | 1 << 15;
        assert_eq!(missing_permissions(&guild(Some(mute))), ["Speak"]);
        assert!(
            missing_permissions(&guild(Some(1 << 3))).is_empty(),
            "administrators may all"
        );
        assert!(
            missing_permissions(&guild(None)).is_empty(),
            "what is not told is not missing"
        );
    }
}
