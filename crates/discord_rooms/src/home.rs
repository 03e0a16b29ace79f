//! The community of a server, or of direct messages: found, made where there is none, and made anew where it was removed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use discord::wire::Snowflake;
use runtime::{Handle, NewCommunity, Town};

use crate::manners::{first_settings, keep_manners};
use crate::names;
use crate::reading::shown;
use crate::residence::Inside;

/// Where there was no place for a community, it is looked for again after this.
const SETTLED_AGAIN: Duration = Duration::from_secs(600);

pub(crate) struct CommunityHome {
    inside: Arc<Inside>,
    town: Town,
    /// None: direct messages.
    guild: Option<Snowflake>,
    handle: Option<Handle>,
    /// Since when there is no place for it.
    homeless: Option<Instant>,
}

impl CommunityHome {
    pub fn new(inside: Arc<Inside>, town: Town, guild: Option<Snowflake>) -> Self {
        Self {
            inside,
            town,
            guild,
            handle: None,
            homeless: None,
        }
    }

    /// The community, and whether it was only just found or made.
    pub async fn handle(&mut self) -> Option<(Handle, bool)> {
        if let Some(handle) = &self.handle {
            return Some((handle.clone(), false));
        }
        let id = names::community_of(self.guild);
        let hosted = match self.town.community(&id) {
            Some(hosted) => hosted,
            None if self.homeless.is_some_and(|since| since.elapsed() < SETTLED_AGAIN) => return None,
            None => {
                let new = NewCommunity {
                    id: id.clone(),
                    name: self.community_name(),
                    settings: first_settings(&self.inside, self.guild).await,
                };
                match self.town.settle(new).await {
                    Ok(hosted) => hosted,
                    Err(error) => {
                        self.homeless = Some(Instant::now());
                        tracing::error!(community = %id, %error, "the bot is in a server of Discord's for which there is no community here: nothing is read or answered there, and `/denizen` says so; it is tried again in ten minutes");
                        return None;
                    }
                }
            }
        };
        keep_manners(self.guild, &hosted.handle).await;
        self.handle = Some(hosted.handle.clone());
        Some((hosted.handle, true))
    }

    /// Whether the community is there already.
    pub fn is_settled(&self) -> bool {
        let id = names::community_of(self.guild);
        self.town.community(&id).is_some()
    }

    /// Whether it takes nothing in any more.
    pub fn is_stopping(&self) -> bool {
        self.handle.as_ref().is_some_and(Handle::is_stopping)
    }

    /// Resolves once it takes nothing in any more.
    pub async fn stopped(&self) {
        match &self.handle {
            Some(handle) => handle.until_stopped().await,
            None => std::future::pending().await,
        }
    }

    /// It takes nothing in any more. Where it was removed, what was written before is not read again.
    pub fn leave(&mut self) {
        self.handle = None;
        // Where all communities are gone, the process ends.
        if !self.is_settled() && !self.town.list().is_empty() {
            let community = names::community_of(self.guild);
            tracing::info!(%community, "it was removed, and the bot is still there: it begins anew with what happens next");
            self.inside.is_emptied(self.guild);
        }
    }

    /// A server may have been given another name, also while nobody listened.
    pub async fn go_by_its_name(&self) {
        let id = names::community_of(self.guild);
        if let Err(error) = self.town.rename(&id, &self.community_name()).await {
            tracing::warn!(community = %id, %error, "a server of Discord's has another name now, which could not be kept");
        }
    }

    fn community_name(&self) -> String {
        let name = self
            .guild
            .and_then(|guild| self.inside.world().guild_name(guild).map(shown));
        name.unwrap_or_else(|| match self.guild {
            Some(_) => "a server on Discord".to_owned(),
            None => "direct messages on Discord".to_owned(),
        })
    }
}
