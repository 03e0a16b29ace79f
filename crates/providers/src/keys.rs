//! Keys and addresses of providers, from the environment or from a file that only its owner can read.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;

use crate::catalogue::Provider;

/// A keys file larger than this is something else.
const FILE_BYTES_MAX: u64 = 64 * 1024;

/// Why keys could not be had. Never holds any part of a key.
#[derive(Debug, Error)]
pub enum KeysError {
    #[error(
        "the keys file {path} can be read by others (mode {mode:03o}). Run `chmod 600 {path}`, and replace the keys in it if others use this machine"
    )]
    ReadableByOthers { path: PathBuf, mode: u32 },
    #[error(
        "the keys file {path} cannot be read: {detail}. Correct that, or remove it and use the environment"
    )]
    Unreadable { path: PathBuf, detail: String },
    #[error("the keys file {path} is not TOML at line {line}. Write lines such as `anthropic = \"…\"`")]
    NotToml { path: PathBuf, line: usize },
    #[error(
        "the keys file {path} has `{name}`, which is no provider with a key. Known are anthropic, openai, gemini and compatible"
    )]
    UnknownName { path: PathBuf, name: String },
    #[error(
        "the key `{name}` from {source_name} is not a piece of printable text. Copy it again from the provider's page"
    )]
    NotAKey { name: String, source_name: String },
}

/// What a provider is reached with.
#[derive(Clone, Default)]
pub struct Keys {
    keys: BTreeMap<Provider, Held>,
    base_urls: BTreeMap<Provider, String>,
}

#[derive(Clone)]
struct Held {
    secret: SecretString,
    /// "ANTHROPIC_API_KEY is in the environment".
    origin: String,
}

impl Keys {
    /// Reads what there is; the environment wins over the file, and a file need not exist.
    pub fn from_env_and_file(env: impl Fn(&str) -> Option<String>, file: &Path) -> Result<Self, KeysError> {
        let mut keys = Self::from_file(file)?;
        for provider in [
            Provider::Anthropic,
            Provider::OpenAi,
            Provider::Gemini,
            Provider::Compatible,
        ] {
            let found = provider
                .key_variables()
                .iter()
                .find_map(|variable| Some((*variable, non_empty(env(variable))?)));
            if let Some((variable, text)) = found {
                keys.hold(
                    provider,
                    variable,
                    &text,
                    format!("{variable} is in the environment"),
                    "the environment",
                )?;
            }
            if let Some(url) = provider
                .base_url_variable()
                .and_then(|variable| non_empty(env(variable)))
            {
                keys.base_urls.insert(provider, url);
            }
        }
        Ok(keys)
    }

    fn from_file(path: &Path) -> Result<Self, KeysError> {
        let mut keys = Self::default();
        let Some(text) = read_private(path)? else {
            return Ok(keys);
        };
        // The parser's own message quotes the line, which may hold a key.
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| KeysError::NotToml {
                path: path.to_owned(),
                line: 1 + error.span().map_or(0, |span| {
                    text.bytes()
                        .take(span.start)
                        .filter(|byte| *byte == b'\n')
                        .count()
                }),
            })?;
        for (name, value) in table {
            let provider = match Provider::from_name(&name) {
                Some(provider) if !provider.key_variables().is_empty() => provider,
                _ => {
                    return Err(KeysError::UnknownName {
                        path: path.to_owned(),
                        name: name.chars().take(40).collect(),
                    });
                }
            };
            let source_name = path.display().to_string();
            let Some(text) = value.as_str() else {
                return Err(KeysError::NotAKey { name, source_name });
            };
            if let Some(text) = non_empty(Some(text.to_owned())) {
                let origin = format!("{source_name} holds a key named {name}");
                keys.hold(provider, &name, &text, origin, &source_name)?;
            }
        }
        Ok(keys)
    }

    fn hold(
        &mut self,
        provider: Provider,
        name: &str,
        text: &str,
        origin: String,
        source_name: &str,
    ) -> Result<(), KeysError> {
        // Anything else cannot travel in a header.
        if !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err(KeysError::NotAKey {
                name: name.to_owned(),
                source_name: source_name.to_owned(),
            });
        }
        let secret = SecretString::from(text);
        self.keys.insert(provider, Held { secret, origin });
        Ok(())
    }

    pub(crate) fn has(&self, provider: Provider) -> bool {
        self.keys.contains_key(&provider)
    }

    /// Where a key came from, as a sentence.
    pub(crate) fn origin(&self, provider: Provider) -> Option<&str> {
        self.keys.get(&provider).map(|held| held.origin.as_str())
    }

    /// The key itself, for a header and for scrubbing it out of messages.
    pub(crate) fn expose(&self, provider: Provider) -> Option<&str> {
        self.keys.get(&provider).map(|held| held.secret.expose_secret())
    }

    pub(crate) fn base_url(&self, provider: Provider) -> Option<&str> {
        self.base_urls.get(&provider).map(String::as_str)
    }
}

fn non_empty(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}

/// The file's text; none where there is no file.
fn read_private(path: &Path) -> Result<Option<String>, KeysError> {
    let unreadable = |error: std::io::Error| KeysError::Unreadable {
        path: path.to_owned(),
        detail: error.to_string(),
    };
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        metadata => metadata.map_err(unreadable)?,
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = metadata.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(KeysError::ReadableByOthers {
                path: path.to_owned(),
                mode,
            });
        }
    }
    if !metadata.is_file() || metadata.len() > FILE_BYTES_MAX {
        return Err(KeysError::Unreadable {
            path: path.to_owned(),
            detail: format!("it is not a file of at most {FILE_BYTES_MAX} bytes"),
        });
    }
    std::fs::read_to_string(path).map(Some).map_err(unreadable)
}

/// Shows which keys there are, never what they are.
impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keys")
            .field("held_for", &self.keys.keys().collect::<Vec<_>>())
            .field("base_urls_for", &self.base_urls.keys().collect::<Vec<_>>())
            .finish()
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
