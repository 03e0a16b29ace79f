//! Which Denizen a command talks to: the one that runs on its data folder, checked before it is shown a key.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use storage::{DataLock, Door};

use super::Client;

/// How long a Denizen may take to say which it is.
const GREETING: Duration = Duration::from_secs(10);
const INSTANCE: &str = "x-denizen-instance";

impl Client {
    /// The Denizen that runs on a folder. `url` names it another way, and must lead to the same one.
    pub async fn of_folder(data: &Path, url: Option<&str>) -> anyhow::Result<Self> {
        let door = door(data)?;
        let Some(url) = url else {
            return Self::checked(&door, &door.url, data).await;
        };
        Self::checked(&door, url, data).await
    }

    /// The Denizen at an address, with the token of the environment; otherwise the one that runs on the folder.
    pub async fn somewhere(data: &Path, url: Option<&str>) -> anyhow::Result<Self> {
        match (url, token_of_environment()) {
            (Some(url), Some(token)) => Self::new(url, Some(token)),
            (Some(url), None) if DataLock::holder(data)?.is_none() => Self::new(url, None),
            (url, _) => Self::of_folder(data, url).await,
        }
    }

    async fn checked(door: &Door, url: &str, data: &Path) -> anyhow::Result<Self> {
        let mut client = Self::new(url, Some(door.key.clone()))?;
        client.public = door.public.clone();
        let instance = client.instance().await.with_context(|| {
            format!(
                "a Denizen runs on {} at {}, and cannot be asked at {url}. Leave --url out, or stop it and try again",
                data.display(),
                door.url
            )
        })?;
        if instance.as_deref() != Some(&door.instance) {
            let who = match instance {
                Some(instance) => format!("another Denizen ({instance})"),
                None => "something else".to_owned(),
            };
            bail!(
                "{url} is {who}, while {} is in use by the one at {} ({}). Nothing was done. Leave --url (or DENIZEN_URL) out to ask that one, or name the other one's folder with --data",
                data.display(),
                door.url,
                door.instance
            );
        }
        Ok(client)
    }

    /// Which process answers there; asked without showing anything.
    async fn instance(&self) -> anyhow::Result<Option<String>> {
        let super::Way::Http { base, http, .. } = &self.way else {
            return Ok(None);
        };
        let asked = http
            .get(format!("{base}/api/health"))
            .timeout(GREETING)
            .send()
            .await;
        let answer = asked.map_err(|error| super::unreachable(base, error))?;
        let named = answer
            .headers()
            .get(INSTANCE)
            .and_then(|value| value.to_str().ok());
        Ok(named.map(str::to_owned))
    }
}

fn door(data: &Path) -> anyhow::Result<Door> {
    let Some(holder) = DataLock::holder(data)? else {
        bail!(
            "no Denizen runs on {}. Start one with `denizen run --data {0}`, name the folder of one that runs with --data, or an address with --url and its token in DENIZEN_TOKEN",
            data.display()
        );
    };
    holder.door.with_context(|| {
        format!(
            "process {} uses {}, but does not listen (yet). Try again in a moment, or stop it",
            holder.process,
            data.display()
        )
    })
}

/// The token that the environment gives.
pub fn token_of_environment() -> Option<String> {
    std::env::var("DENIZEN_TOKEN")
        .ok()
        .filter(|token| !token.is_empty())
}
