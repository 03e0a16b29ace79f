//! Keys and addresses of providers, from the environment or from a file that only its owner can read.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use fetching::service::ServiceClients;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::catalogue::Provider;
use crate::headers::Headers;

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
        "the keys file {path} has `{name}`, which is no provider with a key. Known are anthropic, openai, gemini and compatible, and a table [headers.PROVIDER] for each"
    )]
    UnknownName { path: PathBuf, name: String },
    #[error(
        "the key `{name}` from {source_name} is not a piece of printable text. Copy it again from the provider's page"
    )]
    NotAKey { name: String, source_name: String },
    #[error(
        "the header `{name}` from {source_name} {problem}. Write headers as `Name: value`, one a line, or as `name = \"value\"` in the keys file"
    )]
    NotAHeader {
        name: String,
        source_name: String,
        problem: &'static str,
    },
}

/// What a provider is reached with.
#[derive(Clone, Default)]
pub struct Keys {
    keys: BTreeMap<Provider, Held>,
    base_urls: BTreeMap<Provider, String>,
    headers: Headers,
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
            keys.hold_headers_of(provider, &env)?;
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
            if name == "headers" {
                keys.hold_headers_in(&value, path)?;
                continue;
            }
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

    /// Takes what the environment says of a provider's headers.
    fn hold_headers_of(
        &mut self,
        provider: Provider,
        env: &impl Fn(&str) -> Option<String>,
    ) -> Result<(), KeysError> {
        for (variable, header, before) in provider.header_variables() {
            let Some(text) = non_empty(env(variable)) else {
                continue;
            };
            // A key that stands beside it is meant; one in the file is older news.
            let keyed = provider
                .key_variables()
                .iter()
                .any(|name| non_empty(env(name)).is_some());
            if *header == "authorization" && keyed {
                continue;
            }
            self.hold_header(provider, header, &format!("{before}{text}"), variable)?;
        }
        let variable = format!("{}_CUSTOM_HEADERS", provider.name().to_uppercase());
        let lines = non_empty(env(&variable)).unwrap_or_default();
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let (name, value) = line.split_once(':').unwrap_or(("", ""));
            self.hold_header(provider, name, value, &variable)?;
        }
        Ok(())
    }

    fn hold_header(
        &mut self,
        provider: Provider,
        name: &str,
        value: &str,
        variable: &str,
    ) -> Result<(), KeysError> {
        let origin = format!("{variable} is in the environment");
        let held = self.headers.hold(provider, name, value, &origin);
        held.map_err(|problem| not_a_header(name, variable.to_owned(), problem))
    }

    /// Takes the headers of a keys file.
    fn hold_headers_in(&mut self, value: &toml::Value, path: &Path) -> Result<(), KeysError> {
        let shown = path.display().to_string();
        let wrong = |name: &str| not_a_header(name, shown.clone(), "is no table of headers");
        for (name, headers) in value.as_table().ok_or_else(|| wrong("headers"))? {
            let provider = Provider::from_name(name).filter(|provider| !provider.key_variables().is_empty());
            let provider = provider.ok_or_else(|| KeysError::UnknownName {
                path: path.to_owned(),
                name: format!("headers.{}", name.chars().take(40).collect::<String>()),
            })?;
            for (header, value) in headers.as_table().ok_or_else(|| wrong(name))? {
                let origin = format!("{shown} holds headers for {name}");
                let value = value.as_str().unwrap_or_default();
                let held = self.headers.hold(provider, header, value, &origin);
                held.map_err(|problem| not_a_header(header, shown.clone(), problem))?;
            }
        }
        Ok(())
    }

    pub(crate) fn has(&self, provider: Provider) -> bool {
        self.origin(provider).is_some()
    }

    /// Where a key, or the header in its place, came from, as a sentence.
    pub(crate) fn origin(&self, provider: Provider) -> Option<&str> {
        let by_header = self.headers.credential(provider);
        by_header.or_else(|| self.keys.get(&provider).map(|held| held.origin.as_str()))
    }

    /// The key itself, for a header and for scrubbing it out of messages. Where a header lets Denizen in, the key is for
    /// somebody else, and not sent.
    pub(crate) fn expose(&self, provider: Provider) -> Option<&str> {
        if self.headers.credential(provider).is_some() {
            return None;
        }
        self.keys.get(&provider).map(|held| held.secret.expose_secret())
    }

    /// Clients whose requests carry the headers of a provider.
    pub(crate) fn clients(&self, provider: Provider) -> ServiceClients {
        self.headers.clients(provider)
    }

    /// Providers that have headers of their own.
    pub(crate) fn with_headers(&self) -> impl Iterator<Item = Provider> {
        self.headers.providers()
    }

    /// Names of the headers of a provider, for people.
    pub(crate) fn header_names(&self, provider: Provider) -> Vec<&str> {
        self.headers.names(provider)
    }

    /// Everything of a provider's that must not be shown.
    pub(crate) fn secrets(&self, provider: Provider) -> impl Iterator<Item = &str> {
        let key = self.keys.get(&provider).map(|held| held.secret.expose_secret());
        key.into_iter().chain(self.headers.secrets(provider))
    }

    /// A text without any of them: some servers repeat what they were sent.
    pub(crate) fn scrubbed(&self, provider: Provider, text: &str) -> String {
        let worth_hiding = |secret: &&str| secret.len() >= 6;
        let secrets = self.secrets(provider).filter(worth_hiding);
        secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "[key]"))
    }

    /// Tells whether two processes have the same key and headers, and nothing of what they are: a short piece of a digest.
    pub(crate) fn mark(&self, provider: Provider) -> String {
        const MARK_BYTES: usize = 6;
        let mut sent: Vec<(&str, &str)> = self.headers.sent(provider).collect();
        sent.extend(self.expose(provider).map(|key| ("", key)));
        if sent.is_empty() {
            return String::new();
        }
        sent.sort_unstable();
        let mut digest = Sha256::new_with_prefix("denizen: which key is it");
        for (name, value) in sent {
            digest.update(format!("\n{provider} {name}: {value}"));
        }
        let digest = digest.finalize();
        let bytes = digest.iter().take(MARK_BYTES);
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn base_url(&self, provider: Provider) -> Option<&str> {
        self.base_urls.get(&provider).map(String::as_str)
    }
}

fn not_a_header(name: &str, source_name: String, problem: &'static str) -> KeysError {
    KeysError::NotAHeader {
        name: name.trim().chars().take(40).collect(),
        source_name,
        problem,
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
            .field("headers_for", &self.headers.providers().collect::<Vec<_>>())
            .field("base_urls_for", &self.base_urls.keys().collect::<Vec<_>>())
            .finish()
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
