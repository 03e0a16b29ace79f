//! What `mcp.json` says: the servers, how each is reached, and what of it may be used.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value};

use super::redaction::Secrets;
use fields::Fields;

mod fields;

/// More servers than this are a mistake.
const SERVERS_MAX: usize = 40;

const TIMEOUT_SECONDS_DEFAULT: u64 = 20;

const TIMEOUT_SECONDS_MAX: u64 = 300;

const KNOWN_KEYS: &str =
    "command, args, env, cwd, url, headers, type, allow, deny, use, timeoutSeconds and disabled";

/// One entry, as good or bad as it is. The document's own words are kept to see whether it has changed.
#[derive(Clone)]
pub(crate) enum Entry {
    Wanted(Box<ServerConfig>),
    Disabled,
    /// Why it cannot be used; for a person, with the remedy.
    Refused(String),
}

/// A server that is to be connected. Holds secrets; does not print them.
#[derive(Clone)]
pub(crate) struct ServerConfig {
    pub(crate) name: String,
    pub(crate) reach: Reach,
    /// Empty: all.
    pub(crate) allow: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) in_replies: bool,
    pub(crate) in_thoughts: bool,
    pub(crate) timeout: Duration,
    pub(crate) secrets: Secrets,
}

/// How a server is reached.
#[derive(Clone)]
pub(crate) enum Reach {
    Process {
        command: String,
        args: Vec<String>,
        env: BTreeMap<String, String>,
        cwd: Option<PathBuf>,
    },
    Http {
        url: String,
        headers: BTreeMap<String, String>,
    },
}

impl fmt::Debug for ServerConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match &self.reach {
            Reach::Process { .. } => "a process",
            Reach::Http { .. } => "HTTP",
        };
        write!(formatter, "ServerConfig({}, {how})", self.name)
    }
}

/// A document that could be read.
#[derive(Default)]
pub(crate) struct Document {
    /// By name: what it says, and what that means.
    pub(crate) servers: BTreeMap<String, (Value, Entry)>,
    /// Something beside the servers that is not right.
    pub(crate) remark: Option<String>,
}

/// Reads the document; an entry that is wrong does not stop the others.
pub(crate) fn read(text: &[u8], environment: &dyn Fn(&str) -> Option<String>) -> Result<Document, String> {
    let document: Value = serde_json::from_slice(text).map_err(|error| {
        format!(
            "it is not JSON at line {}, column {}. Correct it there",
            error.line(),
            error.column()
        )
    })?;
    let Value::Object(mut document) = document else {
        return Err(format!(
            "it is {} and should be an object: {{\"mcpServers\": {{…}}}}",
            fields::kind(&document)
        ));
    };
    let servers = document.remove("mcpServers").unwrap_or(Value::Object(Map::new()));
    let Value::Object(servers) = servers else {
        return Err(format!(
            "`mcpServers` is {} and should be an object with a server under each name",
            fields::kind(&servers)
        ));
    };
    let mut remark = document.keys().find(|key| *key != "$schema").map(|key| {
        format!("it has `{key}`, which is not known and is passed over. Servers go under `mcpServers`")
    });
    if servers.len() > SERVERS_MAX {
        remark = Some(format!(
            "it names {} servers; the first {SERVERS_MAX} by name are used. Take some out",
            servers.len()
        ));
    }
    // By name and not as they stand: which are used must not depend on how the file was written.
    let servers: BTreeMap<String, Value> = servers.into_iter().collect();
    let servers = servers.into_iter().take(SERVERS_MAX).map(|(name, value)| {
        let entry = entry(&name, &value, environment);
        (name, (value, entry))
    });
    Ok(Document {
        servers: servers.collect(),
        remark,
    })
}

fn entry(name: &str, value: &Value, environment: &dyn Fn(&str) -> Option<String>) -> Entry {
    match server(name, value, environment) {
        Ok(Some(config)) => Entry::Wanted(Box::new(config)),
        Ok(None) => Entry::Disabled,
        Err(why) => Entry::Refused(format!("in mcp.json the server “{name}” {why}")),
    }
}

/// None where it is disabled.
fn server(
    name: &str,
    value: &Value,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<ServerConfig>, String> {
    if name.trim().is_empty() || name.chars().count() > 64 || name.chars().any(char::is_control) {
        return Err("has no name of 1 to 64 characters. Give it one".to_owned());
    }
    let Value::Object(object) = value else {
        return Err(format!(
            "is {} and should be an object: {{\"command\": …}} or {{\"url\": …}}",
            fields::kind(value)
        ));
    };
    let mut fields = Fields::new(object, environment);
    // First, for a server that is switched off may have a key that is not there.
    if fields.switch("disabled")?.unwrap_or(false) {
        return Ok(None);
    }
    let reach = reach(&mut fields)?;
    let allow = fields.list("allow", "[\"read_file\"]")?.unwrap_or_default();
    let deny = fields.list("deny", "[\"write_file\"]")?.unwrap_or_default();
    let (in_replies, in_thoughts) = uses(&mut fields)?;
    let seconds = fields
        .whole("timeoutSeconds", 1, TIMEOUT_SECONDS_MAX)?
        .unwrap_or(TIMEOUT_SECONDS_DEFAULT);
    if let Some(key) = fields.unknown() {
        return Err(format!("has `{key}`, which is not known. Known are {KNOWN_KEYS}"));
    }
    Ok(Some(ServerConfig {
        name: name.to_owned(),
        reach,
        allow: if allow.iter().any(|tool| tool == "*") {
            Vec::new()
        } else {
            allow
        },
        deny,
        in_replies,
        in_thoughts,
        timeout: Duration::from_secs(seconds),
        secrets: fields.secrets(),
    }))
}

fn reach(fields: &mut Fields<'_>) -> Result<Reach, String> {
    if let Some(kind) = fields.text("type")? {
        match kind.as_str() {
            "stdio" | "http" | "streamable-http" | "streamableHttp" => {}
            "sse" => {
                return Err(
                    "has `type` “sse”, the older way over HTTP, which is not spoken here. Use the address of its streamable HTTP endpoint, often …/mcp, and leave `type` out"
                        .to_owned(),
                );
            }
            _ => {
                return Err(
                    "has a `type` that is not known. Known are stdio and http; it may be left out".to_owned(),
                );
            }
        }
    }
    match (fields.filled("command")?, fields.filled("url")?) {
        (Some(_), Some(_)) => {
            Err("has both `command` and `url`. Keep the one by which it is reached".to_owned())
        }
        (None, None) => Err(
            "has neither `command` nor `url`. Give it the program to start, or the address of its endpoint"
                .to_owned(),
        ),
        (Some(command), None) => {
            fields.absent(
                "headers",
                "a server that is reached by `command` has no headers. Use `env`",
            )?;
            Ok(Reach::Process {
                command,
                args: fields
                    .filled_list("args", "[\"-y\", \"package\"]")?
                    .unwrap_or_default(),
                env: fields.filled_map("env", "{\"KEY\": \"${KEY}\"}")?,
                cwd: fields.filled("cwd")?.map(PathBuf::from),
            })
        }
        (None, Some(url)) => {
            for key in ["args", "env", "cwd"] {
                fields.absent(
                    key,
                    "only a server that is reached by `command` has it. Take it out",
                )?;
            }
            check_address(&url)?;
            Ok(Reach::Http {
                url,
                headers: fields.filled_map("headers", "{\"Authorization\": \"Bearer ${TOKEN}\"}")?,
            })
        }
    }
}

fn check_address(url: &str) -> Result<(), String> {
    // Not quoted: there may be a secret in it.
    let parsed =
        reqwest::Url::parse(url).map_err(|error| format!("has a `url` that is no address ({error})"))?;
    if !matches!(parsed.scheme(), "http" | "https") {
        return Err(format!(
            "has a `url` that begins with {}: and should begin with https:",
            parsed.scheme()
        ));
    }
    Ok(())
}

fn uses(fields: &mut Fields<'_>) -> Result<(bool, bool), String> {
    let Some(uses) = fields.list("use", "[\"replies\", \"thoughts\"]")? else {
        return Ok((true, false));
    };
    if let Some(other) = uses
        .iter()
        .find(|word| !matches!(word.as_str(), "replies" | "thoughts"))
    {
        return Err(format!(
            "has “{}” in `use`. Known are replies and thoughts",
            super::plain::cut(other, 40)
        ));
    }
    let wants = |word: &str| uses.iter().any(|name| name == word);
    Ok((wants("replies"), wants("thoughts")))
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
