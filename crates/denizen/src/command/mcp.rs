//! `denizen mcp`: memory as MCP tools for another agent, by way of a running Denizen.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use ::mcp::{ForgetTarget, MemoryAccess, Recall, RecallReply, Remember};
use anyhow::bail;
use async_trait::async_trait;
use clap::Args;
use runtime::ports::Removed;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing_subscriber::EnvFilter;
use vocabulary::{Found, Gem};

use super::memory::Address;
use crate::client::{Client, segment};
use crate::house::House;

#[derive(Debug, Args)]
pub struct McpOptions {
    #[command(flatten)]
    address: Address,
    /// The agent's name: what it remembers is marked with it.
    #[arg(long, default_value = "mcp", value_name = "NAME")]
    agent: String,
    /// The community whose memory is shared.
    #[arg(long, default_value = "agents", value_name = "NAME")]
    community: String,
    /// The room; the agent's name without it.
    #[arg(long, value_name = "NAME")]
    room: Option<String>,
    /// What is remembered comes up in this room alone.
    #[arg(long)]
    private: bool,
    /// Ask nobody: bring Denizen up in this process, on the data folder. No other may run on it meanwhile.
    #[arg(long)]
    embedded: bool,
}

/// The scope that every call speaks for.
struct Scope {
    community: String,
    room: String,
    session: String,
    private: bool,
}

struct HttpMemory {
    way: Way,
    scope: Scope,
}

/// Where memory is asked.
enum Way {
    /// Looked for anew with each call: it may be started again meanwhile, with another key.
    Running {
        data: PathBuf,
        url: Option<String>,
    },
    InProcess(web::InProcess),
}

impl HttpMemory {
    async fn client(&self) -> anyhow::Result<Client> {
        match &self.way {
            Way::Running { data, url } => Client::somewhere(data, url.as_deref()).await,
            Way::InProcess(site) => Ok(Client::in_process(site.clone())),
        }
    }
}

#[derive(Deserialize)]
struct GemAnswer {
    gem: Gem,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecallAnswer {
    found: Vec<Found>,
    below_threshold: usize,
    remark: Option<String>,
}

#[derive(Deserialize)]
struct ForgetAnswer {
    removed: Removed,
}

pub fn run(data: &Path, options: McpOptions) -> anyhow::Result<ExitCode> {
    fetching::service::install_tls();
    // Standard output is the protocol's.
    let filter = EnvFilter::try_from_env("DENIZEN_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(false)
        .init();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = super::finish(&runtime, serve(data, options));
    // A read from standard input that nobody answers must not keep the process.
    runtime.shutdown_background();
    served
}

async fn serve(data: &Path, options: McpOptions) -> anyhow::Result<ExitCode> {
    let scope = scope(&options)?;
    let house = match options.embedded {
        true => Some(House::open_indoors(data).await?),
        false => None,
    };
    let way = match &house {
        Some(house) => Way::InProcess(house.in_process()),
        None => Way::Running {
            data: data.to_owned(),
            url: options.address.url.clone(),
        },
    };
    let door = Arc::new(HttpMemory { way, scope });
    if let Err(problem) = door.client().await {
        // Not the end: it may be started later, and each call says what is wrong.
        eprintln!("denizen mcp: {problem:#}");
    }
    let served = ::mcp::serve(door, env!("CARGO_PKG_VERSION")).await;
    if let Some(house) = house {
        house.leave().await;
    }
    served?;
    Ok(ExitCode::SUCCESS)
}

fn scope(options: &McpOptions) -> anyhow::Result<Scope> {
    let room = options.room.as_ref().unwrap_or(&options.agent);
    for (flag, name) in [
        ("--agent", &options.agent),
        ("--community", &options.community),
        ("--room", room),
    ] {
        if name.is_empty()
            || name.len() > 100
            || name.contains(|letter: char| letter.is_whitespace() || letter == '/')
        {
            bail!(
                "{flag} {name:?} will not do. Give 1 to 100 letters, digits or signs, without spaces and slashes"
            );
        }
    }
    Ok(Scope {
        community: options.community.clone(),
        room: room.clone(),
        session: format!("{}/mcp", options.agent),
        private: options.private,
    })
}

#[async_trait]
impl MemoryAccess for HttpMemory {
    async fn remember(&self, new: Remember) -> Result<Gem, String> {
        let tags: Vec<&str> = new.tags.iter().map(|tag| tag.name()).collect();
        let scope = &self.scope;
        let mut body = json!({
            "content": new.content, "tags": tags, "session": scope.session,
            "scope": {"community": scope.community, "room": scope.room, "private": scope.private}
        });
        set(&mut body, "person", new.person);
        set(&mut body, "importance", new.importance);
        let client = self.client().await.map_err(told)?;
        let answer: GemAnswer = client.post("/v1/gems", &body).await.map_err(told)?;
        Ok(answer.gem)
    }

    async fn recall(&self, question: Recall) -> Result<RecallReply, String> {
        let mut body = json!({
            "query": question.query, "limit": question.limit,
            "scope": {"community": self.scope.community, "room": self.scope.room}
        });
        set(&mut body, "person", question.person);
        set(&mut body, "minConfidence", question.however_unsure.then_some(0.0));
        let client = self.client().await.map_err(told)?;
        let answer: RecallAnswer = client.post("/v1/recall", &body).await.map_err(told)?;
        Ok(RecallReply {
            found: answer.found,
            below_threshold: answer.below_threshold,
            remark: answer.remark,
        })
    }

    /// What was said in rooms stays: that is not for an agent to erase.
    async fn forget(&self, what: ForgetTarget) -> Result<Removed, String> {
        let path = match what {
            ForgetTarget::Gem(id) => format!("/v1/gems/{}?messages=keep", segment(id.as_str())),
            ForgetTarget::Turn(id) => format!("/v1/turns/{}?messages=keep", segment(id.as_str())),
            ForgetTarget::Person(person) => format!(
                "/v1/people/{}?community={}&messages=keep",
                segment(&person),
                segment(&self.scope.community)
            ),
        };
        let client = self.client().await.map_err(told)?;
        let answer: ForgetAnswer = client.delete(&path).await.map_err(told)?;
        Ok(answer.removed)
    }
}

fn set(body: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        body[name] = value.into();
    }
}

fn told(problem: anyhow::Error) -> String {
    format!("{problem:#}.")
}
