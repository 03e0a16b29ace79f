//! Calls to a running Denizen over its HTTP API, or to one in this very process.

mod finding;
mod screens;
mod voice;

pub use finding::token_of_environment;
pub use screens::{Link, TakenFrame};
pub use voice::{VoiceSocket, enter_voice};

use std::fmt;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, bail};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Answers larger than this are not read; a download is written as it comes.
const ANSWER_BYTES_MAX: usize = 64 * 1024 * 1024;
const DEADLINE: Duration = Duration::from_secs(120);

/// A Denizen that can be asked, or one community of it.
pub struct Client {
    way: Way,
    /// None: the default one.
    community: Option<String>,
    /// Where people open it, where that is another address than the one that is asked.
    public: Option<String>,
}

enum Way {
    Http {
        base: String,
        token: Option<String>,
        http: reqwest::Client,
    },
    InProcess(web::InProcess),
}

impl Client {
    /// The Denizen at an address.
    pub fn new(url: &str, token: Option<String>) -> anyhow::Result<Self> {
        let base = url.trim_end_matches('/').to_owned();
        if !base.starts_with("http://") && !base.starts_with("https://") {
            bail!("--url {url} is no address. Give one like http://127.0.0.1:8787");
        }
        let http = reqwest::Client::builder()
            .timeout(DEADLINE)
            // A Denizen on this machine is never behind a proxy.
            .no_proxy()
            .build()
            .context("the HTTP client could not be made")?;
        Ok(Self {
            way: Way::Http { base, token, http },
            community: None,
            public: None,
        })
    }

    /// The Denizen of this process.
    pub fn in_process(site: web::InProcess) -> Self {
        Self {
            way: Way::InProcess(site),
            community: None,
            public: None,
        }
    }

    /// Asks one community of it from now on; none is the default one.
    pub fn in_community(mut self, community: Option<&str>) -> Self {
        self.community = community.map(str::to_owned);
        self
    }

    /// The path of what is asked, in the community that is asked.
    fn path_of(&self, path: &str) -> String {
        match (&self.community, path.strip_prefix("/api/")) {
            (Some(community), Some(rest)) => format!("/api/communities/{}/{rest}", segment(community)),
            _ => path.to_owned(),
        }
    }

    /// Where it is; none for one in this process.
    pub fn base(&self) -> Option<&str> {
        match &self.way {
            Way::Http { base, .. } => Some(base),
            Way::InProcess(_) => None,
        }
    }

    /// Where people open it.
    pub fn opened_at(&self) -> Option<&str> {
        self.public.as_deref().or(self.base())
    }

    /// Whether it answers.
    pub async fn greet(&self) -> anyhow::Result<()> {
        let health: Value = self.get("/api/health").await?;
        // One that is degraded is one all the same.
        if health["status"] != "ok" && health["status"] != "degraded" {
            bail!("what answers there is no Denizen");
        }
        Ok(())
    }

    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.call("GET", path, None).await
    }

    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> anyhow::Result<T> {
        self.call("POST", path, Some(body)).await
    }

    pub async fn put<T: DeserializeOwned>(&self, path: &str, body: &Value) -> anyhow::Result<T> {
        self.call("PUT", path, Some(body)).await
    }

    pub async fn delete<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.call("DELETE", path, None).await
    }

    /// Deletes what a body names.
    pub async fn delete_with(&self, path: &str, body: &Value) -> anyhow::Result<()> {
        self.call("DELETE", path, Some(body)).await
    }

    /// Writes an answer as it comes; calls back with each piece.
    pub async fn download(
        &self,
        path: &str,
        out: &mut dyn Write,
        mut piece: impl FnMut(&[u8]),
    ) -> anyhow::Result<()> {
        match &self.way {
            Way::Http { .. } => {
                let mut response = self.send("GET", path, None).await?;
                while let Some(chunk) = response.chunk().await.context("the answer broke off")? {
                    piece(&chunk);
                    out.write_all(&chunk)?;
                }
                Ok(())
            }
            Way::InProcess(site) => {
                let path = self.path_of(path);
                let (status, bytes) = site.call("GET", &path, None, usize::MAX).await;
                refusal(status, &bytes)?;
                piece(&bytes);
                Ok(out.write_all(&bytes)?)
            }
        }
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<T> {
        let bytes = match &self.way {
            Way::Http { .. } => {
                let mut response = self.send(method, path, body).await?;
                let mut bytes = Vec::new();
                while let Some(chunk) = response.chunk().await.context("the answer broke off")? {
                    bytes.extend_from_slice(&chunk);
                    if bytes.len() > ANSWER_BYTES_MAX {
                        bail!(
                            "the answer to {path} is larger than {} MB. Ask for less at once",
                            ANSWER_BYTES_MAX >> 20
                        );
                    }
                }
                bytes
            }
            Way::InProcess(site) => {
                let path = self.path_of(path);
                let (status, bytes) = site
                    .call(method, &path, body.map(Value::to_string), ANSWER_BYTES_MAX)
                    .await;
                refusal(status, &bytes)?;
                bytes.to_vec()
            }
        };
        // An answer without a body says nothing.
        let said = if bytes.is_empty() {
            b"null"
        } else {
            bytes.as_slice()
        };
        serde_json::from_slice(said).with_context(|| {
            format!("the answer to {path} is not what was expected. Is it a Denizen of another version?")
        })
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<reqwest::Response> {
        let Way::Http { token, .. } = &self.way else {
            bail!("a Denizen in this process is not reached over HTTP");
        };
        let body = body.map(|body| ("application/json", body.to_string().into_bytes()));
        self.send_as(token.as_deref(), method, path, body).await
    }

    /// Sends what a bearer of this token asks.
    async fn send_as(
        &self,
        token: Option<&str>,
        method: &str,
        path: &str,
        body: Option<(&str, Vec<u8>)>,
    ) -> anyhow::Result<reqwest::Response> {
        let Way::Http { base, http, .. } = &self.way else {
            bail!("a Denizen in this process is not reached over HTTP");
        };
        let method = reqwest::Method::from_bytes(method.as_bytes())?;
        let mut request = http.request(method, format!("{base}{}", self.path_of(path)));
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some((kind, body)) = body {
            request = request.header(CONTENT_TYPE, kind).body(body);
        }
        let sent = request.send().await;
        let mut response = sent.map_err(|error| unreachable(base, error))?;
        let status = response.status().as_u16();
        if response.status().is_success() {
            return Ok(response);
        }
        let mut bytes = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > 64 * 1024 {
                break;
            }
        }
        refusal(status, &bytes)?;
        bail!("{base}{path} answered {status}");
    }
}

fn unreachable(base: &str, error: reqwest::Error) -> anyhow::Error {
    let error = error.without_url();
    if let Some(refused) = untrusted(&error) {
        return anyhow::anyhow!(
            "{base} shows a certificate that this machine does not trust ({refused}). If it is one that you made, name the file of whoever signed it with SSL_CERT_FILE; on the machine where Denizen runs, leave --url (or DENIZEN_URL) out"
        );
    }
    let why = if error.is_connect() {
        "nothing listens there".to_owned()
    } else {
        error.to_string()
    };
    anyhow::anyhow!(
        "no Denizen answers at {base}: {why}. Start one with `denizen run`, or name its address with --url"
    )
}

/// What is wrong with a certificate, if that is what went wrong.
fn untrusted(error: &reqwest::Error) -> Option<String> {
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let said = inner.to_string();
        // The words of rustls, whose errors come wrapped in several kinds of others.
        if said.starts_with("invalid peer certificate") {
            return Some(said.trim_start_matches("invalid peer certificate: ").to_owned());
        }
        cause = inner.source();
    }
    None
}

/// What was refused, and why.
#[derive(Debug)]
pub struct Refused {
    status: u16,
    /// The reason's name; empty where none was given.
    pub code: String,
    message: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status, self.message.as_str()) {
            (401, message) if self.code == "token_over" => write!(
                f,
                "{}. It is the one in DENIZEN_TOKEN; with --data of its folder none is needed",
                message.trim_end_matches('.')
            ),
            (401, _) => f.write_str(
                "this Denizen wants a token, and the one in DENIZEN_TOKEN is missing or not right. `denizen access add` makes one where it runs; with --data of its folder none is needed",
            ),
            (status, "") => write!(
                f,
                "status {status}, without a reason. Is it a Denizen that answers there?"
            ),
            (_, message) => f.write_str(message.trim_end_matches('.')),
        }
    }
}

impl std::error::Error for Refused {}

fn refusal(status: u16, bytes: &[u8]) -> Result<(), Refused> {
    if (200..300).contains(&status) {
        return Ok(());
    }
    let said: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let field = |name: &str| said["error"][name].as_str().unwrap_or_default().to_owned();
    Err(Refused {
        status,
        code: field("code"),
        message: field("message"),
    })
}

/// A text as one piece of an address.
pub fn segment(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
