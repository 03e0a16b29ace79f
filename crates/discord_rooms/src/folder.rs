//! What the data folder holds for Discord: the bot's token, for its owner's eyes only, and who the bot is, so that its
//! communities come up while Discord is away.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use discord::wire::Snowflake;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use vocabulary::{CommunityId, WallTime};

/// Where a token is looked for, in this order, before the file.
pub const TOKEN_VARIABLES: [&str; 2] = ["DENIZEN_DISCORD_TOKEN", "DISCORD_TOKEN"];
const TOKEN_FILE: &str = "discord-token";
const KEPT_FILE: &str = "discord.json";
/// A file that is larger is no token's.
const TOKEN_BYTES_MAX: u64 = 4 * 1024;
/// Nothing that is older is read back anyway.
const EMPTIED_KNOWN_MS: i64 = 24 * 60 * 60 * 1_000;

/// The part of a data folder that is Discord's.
#[derive(Clone, Debug)]
pub struct BotFolder {
    data: PathBuf,
}

/// A token, and where it comes from.
#[derive(Clone)]
pub struct BotToken {
    pub secret: SecretString,
    /// "DISCORD_TOKEN", or the file.
    pub origin: String,
}

impl fmt::Debug for BotToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotToken")
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

/// Why the file of the token is not used. Never holds any part of it.
#[derive(Debug, Error)]
pub enum TokenFault {
    #[error(
        "{path} can be read by others (mode {mode:03o}). Run `chmod 600 {path}`, and reset the token if others use this \
         machine"
    )]
    ReadableByOthers { path: PathBuf, mode: u32 },
    #[error("{path} cannot be read: {detail}. Run `denizen setup discord` again")]
    Unreadable { path: PathBuf, detail: String },
    #[error("{path} cannot be written: {detail}")]
    Unwritable { path: PathBuf, detail: String },
}

/// What is known of the bot from the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct KeptBot {
    /// Its user.
    pub user: Option<String>,
    /// Servers that it was made to leave: when, as milliseconds since 1970.
    pub left: BTreeMap<String, i64>,
    /// Communities that were removed while the bot was there: when. Those older than what is read back are no longer here.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub emptied: BTreeMap<CommunityId, i64>,
    /// Where another bot used this folder before: the servers that this one was seen in. The rest is the other one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_in: Option<BTreeSet<String>>,
}

impl KeptBot {
    pub fn user(&self) -> Option<Snowflake> {
        Snowflake::parse(self.user.as_deref()?)
    }

    /// The bot is this user. True: it was another one before.
    pub fn is_user(&mut self, user: Snowflake) -> bool {
        let before = self.user.replace(user.to_string());
        let is_another = before.is_some() && before != self.user;
        if is_another {
            self.seen_in = Some(BTreeSet::new());
        }
        is_another
    }

    /// The bot is in a server.
    pub fn is_in(&mut self, guild: Snowflake) {
        let guild = guild.to_string();
        self.left.remove(&guild);
        if let Some(seen_in) = &mut self.seen_in {
            seen_in.insert(guild);
        }
    }

    /// The bot is not in a server (any more). True: what is kept of it goes from now on. What was another bot's stays.
    pub fn is_out_of(&mut self, guild: Snowflake, at: WallTime) -> bool {
        let guild = guild.to_string();
        let is_own = self.seen_in.as_ref().is_none_or(|seen| seen.contains(&guild));
        let is_new = is_own && !self.left.contains_key(&guild);
        if is_new {
            self.left.insert(guild, at.0);
        }
        is_new
    }

    /// What was kept of a community was removed.
    pub fn is_emptied(&mut self, community: &CommunityId, at: WallTime) {
        self.emptied
            .retain(|_, before| at.0.saturating_sub(*before) < EMPTIED_KNOWN_MS);
        self.emptied.insert(community.clone(), at.0);
    }

    pub fn emptied(&self, community: &CommunityId) -> Option<WallTime> {
        self.emptied.get(community).copied().map(WallTime)
    }

    /// Nothing is kept of a server any more.
    pub fn is_without(&mut self, guild: Snowflake) {
        let guild = guild.to_string();
        self.left.remove(&guild);
        if let Some(seen_in) = &mut self.seen_in {
            seen_in.remove(&guild);
        }
    }
}

impl BotFolder {
    pub fn of(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
        }
    }

    pub fn token_file(&self) -> PathBuf {
        self.data.join(TOKEN_FILE)
    }

    /// The token, where there is one: the environment first, then the file.
    pub fn token(&self, env: impl Fn(&str) -> Option<String>) -> Result<Option<BotToken>, TokenFault> {
        for variable in TOKEN_VARIABLES {
            if let Some(secret) = fetching::service::key(&env, variable) {
                let origin = variable.to_owned();
                return Ok(Some(BotToken { secret, origin }));
            }
        }
        let path = self.token_file();
        let unreadable = |detail: String| TokenFault::Unreadable {
            path: path.clone(),
            detail,
        };
        let about = match std::fs::metadata(&path) {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(error.to_string())),
        };
        let mode = about.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(TokenFault::ReadableByOthers { path, mode });
        }
        if about.len() > TOKEN_BYTES_MAX {
            return Err(unreadable("it is too large for a token".to_owned()));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
        let token = text.trim();
        Ok((!token.is_empty()).then(|| BotToken {
            secret: SecretString::from(token.to_owned()),
            origin: path.display().to_string(),
        }))
    }

    /// Keeps a token where only the owner of the folder reads it.
    pub fn keep_token(&self, token: &SecretString) -> Result<PathBuf, TokenFault> {
        let path = self.token_file();
        let write = || {
            keep_to_owner(&self.data)?;
            let fresh = path.with_extension("new");
            let mut file = std::fs::OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&fresh)?;
            // One that was left behind may have been somebody else's to read.
            file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
            file.write_all(token.expose_secret().trim().as_bytes())?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            std::fs::rename(&fresh, &path)
        };
        write().map_err(|error| TokenFault::Unwritable {
            path: path.clone(),
            detail: error.to_string(),
        })?;
        Ok(path)
    }

    /// A community was removed while nobody is connected: what was written there before is not read again at the next start.
    pub fn emptied(&self, community: &CommunityId, at: WallTime) {
        let mut kept = self.kept();
        kept.is_emptied(community, at);
        self.keep(&kept);
    }

    /// What was kept; nothing where there is no such file, or none that can be read.
    pub(crate) fn kept(&self) -> KeptBot {
        let text = std::fs::read_to_string(self.data.join(KEPT_FILE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Keeps it. Whoever cannot write here now can the next time: nothing else depends on it.
    pub(crate) fn keep(&self, kept: &KeptBot) {
        let path = self.data.join(KEPT_FILE);
        let write = || -> std::io::Result<()> {
            let fresh = path.with_extension("json.new");
            std::fs::write(&fresh, serde_json::to_vec_pretty(kept)?)?;
            std::fs::rename(&fresh, &path)
        };
        if let Err(error) = write() {
            tracing::warn!(path = %path.display(), %error, "who the bot is on Discord could not be kept");
        }
    }
}

/// Makes a folder that only its owner can look into. One that is there stays as it is.
fn keep_to_owner(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_over_the_file_and_the_file_is_its_owners_alone() {
        let parent = tempfile::tempdir().expect("a folder");
        let data = parent.path().join("data");
        let folder = BotFolder::of(&data);
        let nowhere = |_: &str| None;
        assert!(folder.token(nowhere).expect("no fault").is_none());
        let path = folder.keep_token(&" secret ".into()).expect("it is written");
        let found = folder.token(nowhere).expect("no fault").expect("a token");
        assert_eq!(found.secret.expose_secret(), "secret");
        assert!(!format!("{found:?}").contains("secret"));
        let mode = std::fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        let mode = std::fs::metadata(&data).expect("it is made").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        let env = |name: &str| (name == "DISCORD_TOKEN").then(|| "other".to_owned());
        let found = folder.token(env).expect("no fault").expect("a token");
        assert_eq!(
            (found.secret.expose_secret(), found.origin.as_str()),
            ("other", "DISCORD_TOKEN")
        );
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).expect("it is ours");
        let fault = folder.token(nowhere).expect_err("others can read it").to_string();
        assert!(
            fault.contains("chmod 600") && !fault.contains("secret"),
            "{fault}"
        );
    }

    #[test]
    fn who_the_bot_is_survives_and_a_damaged_file_is_none() {
        let data = tempfile::tempdir().expect("a folder");
        let folder = BotFolder::of(data.path());
        assert_eq!(folder.kept(), KeptBot::default());
        let kept = KeptBot {
            user: Some("42".to_owned()),
            ..KeptBot::default()
        };
        folder.keep(&kept);
        assert_eq!(folder.kept().user(), Snowflake::new(42));
        std::fs::write(data.path().join(KEPT_FILE), "{").expect("it is ours");
        assert_eq!(folder.kept(), KeptBot::default());
    }

    #[test]
    fn what_another_bot_was_in_does_not_go_because_this_one_is_not() {
        let id = |number| Snowflake::new(number).expect("an id");
        let mut kept = KeptBot::default();
        assert!(!kept.is_user(id(1)) && !kept.is_user(id(1)));
        kept.is_in(id(10));
        assert!(kept.is_out_of(id(11), WallTime(5)));
        assert!(!kept.is_out_of(id(11), WallTime(6)), "it has begun already");
        assert!(kept.is_user(id(2)), "another bot");
        assert!(!kept.is_out_of(id(10), WallTime(7)));
        kept.is_in(id(12));
        assert!(kept.is_out_of(id(12), WallTime(8)), "its own goes");
        assert_eq!(
            kept.left,
            BTreeMap::from([("11".to_owned(), 5), ("12".to_owned(), 8)])
        );
    }
}
