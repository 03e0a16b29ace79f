//! The keys of the services; they do not print themselves.

use std::fmt;

use fetching::service;
use secrecy::SecretString;

/// What each service is reached with. None where there is none.
#[derive(Clone, Default)]
pub struct StudioKeys {
    /// IMAGE_API_KEY.
    pub image: Option<SecretString>,
    /// VIDEO_API_KEY.
    pub video: Option<SecretString>,
    /// OPENAI_API_KEY, for pictures and clips at OpenAI's own address.
    pub openai: Option<SecretString>,
    /// GIPHY_API_KEY.
    pub giphy: Option<SecretString>,
    /// TENOR_API_KEY.
    pub tenor: Option<SecretString>,
}

impl StudioKeys {
    /// Takes them from the environment; an empty one is none.
    pub fn from_env(env: impl Fn(&str) -> Option<String>) -> Self {
        let key = |name| service::key(&env, name);
        Self {
            image: key("IMAGE_API_KEY"),
            video: key("VIDEO_API_KEY"),
            openai: key("OPENAI_API_KEY"),
            giphy: key("GIPHY_API_KEY"),
            tenor: key("TENOR_API_KEY"),
        }
    }
}

impl fmt::Debug for StudioKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there = [
            ("image", &self.image),
            ("video", &self.video),
            ("openai", &self.openai),
            ("giphy", &self.giphy),
            ("tenor", &self.tenor),
        ];
        let names = there
            .iter()
            .filter(|(_, key)| key.is_some())
            .map(|(name, _)| name);
        formatter.debug_set().entries(names).finish()
    }
}
