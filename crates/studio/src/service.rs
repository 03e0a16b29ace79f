//! Who makes what, as the settings say: where it is, and with which key.

use fetching::service::{base_address, origin, without_key};
use secrecy::{ExposeSecret, SecretString};
use settings::{GifProvider, MediaProvider, MediaSettings};
use url::Url;
use vocabulary::MediaKind;

use crate::keys::StudioKeys;

/// A service that can be asked.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) api: Api,
    /// For a message: `OpenAI`, or `the server at http://127.0.0.1:8188`.
    pub(crate) who: String,
    /// Without a slash at its end.
    base: String,
    key: Option<SecretString>,
    /// The variable the key is in, or would be in.
    pub(crate) variable: &'static str,
    /// The operator's own server, which may be on a private network.
    pub(crate) is_own: bool,
    /// The setting that says how long it may take.
    pub(crate) patience: &'static str,
}

/// The language it speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    OpenAi,
    Giphy,
    Tenor,
}

impl Api {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Api::OpenAi => "openai",
            Api::Giphy => "giphy",
            Api::Tenor => "tenor",
        }
    }

    fn called(self) -> &'static str {
        match self {
            Api::OpenAi => "OpenAI",
            Api::Giphy => "Giphy",
            Api::Tenor => "Tenor",
        }
    }

    fn own_address(self) -> &'static str {
        match self {
            Api::OpenAi => "https://api.openai.com/v1",
            Api::Giphy => "https://api.giphy.com",
            Api::Tenor => "https://tenor.googleapis.com",
        }
    }

    fn usual_path(self) -> &'static str {
        match self {
            Api::OpenAi => "/v1",
            Api::Giphy | Api::Tenor => "",
        }
    }
}

fn made_by(provider: MediaProvider) -> Option<Api> {
    match provider {
        MediaProvider::None => None,
        MediaProvider::OpenAi => Some(Api::OpenAi),
    }
}

fn found_by(provider: GifProvider) -> Option<Api> {
    match provider {
        GifProvider::None => None,
        GifProvider::Giphy => Some(Api::Giphy),
        GifProvider::Tenor => Some(Api::Tenor),
    }
}

impl Service {
    /// Who makes this kind of thing; for a person, why nobody does.
    pub(crate) fn of(kind: MediaKind, settings: &MediaSettings, keys: &StudioKeys) -> Result<Self, String> {
        let (api, provider_key, url, url_key) = match kind {
            MediaKind::Image => (
                made_by(settings.image_provider),
                "media.imageProvider",
                &settings.image_url,
                "media.imageUrl",
            ),
            MediaKind::Video => (
                made_by(settings.video_provider),
                "media.videoProvider",
                &settings.video_url,
                "media.videoUrl",
            ),
            MediaKind::Gif => (
                found_by(settings.gif_provider),
                "media.gifProvider",
                &settings.gif_url,
                "media.gifUrl",
            ),
        };
        let api = api.ok_or_else(|| format!("nobody is chosen for it; {provider_key} says who"))?;
        let base = match url.trim() {
            "" => api.own_address().to_owned(),
            url => base_address(url, api.usual_path()).map_err(|why| format!("{url_key} is {why}"))?,
        };
        // Its own address, written out, is still its own.
        let is_own = base != api.own_address();
        let (key, variable) = key(kind, api, is_own, keys);
        if key.is_none() && !is_own {
            return Err(no_key(kind, api));
        }
        let who = match is_own {
            true => format!("the server at {}", origin(&base)),
            false => api.called().to_owned(),
        };
        Ok(Self {
            api,
            who,
            base,
            key,
            variable,
            is_own,
            patience: "media.timeoutSeconds",
        })
    }

    pub(crate) fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(ExposeSecret::expose_secret)
    }

    /// The host that the operator trusts by naming it, as `fetching` takes it.
    pub(crate) fn trusted_host(&self) -> Option<String> {
        if !self.is_own {
            return None;
        }
        let url = Url::parse(&self.base).ok()?;
        Some(format!("{}:{}", url.host_str()?, url.port_or_known_default()?))
    }

    /// Where an address in an answer leads; some servers leave out their own host.
    pub(crate) fn resolve(&self, address: &str) -> Option<String> {
        let base = Url::parse(&format!("{}/", self.base)).ok()?;
        Some(base.join(address.trim()).ok()?.to_string())
    }

    /// A text without the key.
    pub(crate) fn without_key(&self, text: &str) -> String {
        without_key(text, self.key())
    }
}

/// OpenAI's key is for OpenAI: a server of somebody else gets only a key that was meant for it.
fn key(kind: MediaKind, api: Api, is_own: bool, keys: &StudioKeys) -> (Option<SecretString>, &'static str) {
    let (own, variable) = match (kind, api) {
        (_, Api::Giphy) => (&keys.giphy, "GIPHY_API_KEY"),
        (_, Api::Tenor) => (&keys.tenor, "TENOR_API_KEY"),
        (MediaKind::Video, Api::OpenAi) => (&keys.video, "VIDEO_API_KEY"),
        (_, Api::OpenAi) => (&keys.image, "IMAGE_API_KEY"),
    };
    match (own, &keys.openai) {
        (None, Some(openai)) if api == Api::OpenAi && !is_own => (Some(openai.clone()), "OPENAI_API_KEY"),
        (own, _) => (own.clone(), variable),
    }
}

fn no_key(kind: MediaKind, api: Api) -> String {
    let variables = match (kind, api) {
        (_, Api::Giphy) => "GIPHY_API_KEY",
        (_, Api::Tenor) => "TENOR_API_KEY",
        (MediaKind::Video, Api::OpenAi) => "VIDEO_API_KEY or OPENAI_API_KEY",
        (_, Api::OpenAi) => "IMAGE_API_KEY or OPENAI_API_KEY",
    };
    format!(
        "{} wants a key: set {variables} and start Denizen again",
        api.called()
    )
}

#[cfg(test)]
#[path = "service_tests.rs"]
mod tests;
