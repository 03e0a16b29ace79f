//! `denizen access`: tokens, sessions and names, in the data folder or in the Denizen that runs on it.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{anyhow, bail};
use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;
use storage::{DataLock, Sqlite};
use vocabulary::{CommunityId, WallTime, rfc3339};
use web::{Access, NotHandedOver, Role};

use super::block_on;
use super::memory::Address;
use crate::client::{Client, segment};

#[derive(Debug, Args)]
pub struct AccessOptions {
    #[command(flatten)]
    address: Address,
    #[command(subcommand)]
    action: AccessAction,
}

#[derive(Debug, Subcommand)]
pub enum AccessAction {
    /// List tokens, sessions and open links: what each may do, whose it is, when it was last used.
    List,
    /// Make a token for a program, such as an agent, a bridge or a monitor. It is printed this once.
    Add {
        /// What it may do: administrator, participant, reader, agent or monitor.
        #[arg(long)]
        role: Role,
        /// Whose it is, to know it again.
        #[arg(long, value_name = "NAME")]
        label: String,
        /// For how long it is valid: 12h, 30d; always without it.
        #[arg(long, value_name = "TIME")]
        valid: Option<Span>,
    },
    /// Take a token, a session or a link back; the names it had stay taken until you release them or hand them on.
    Revoke {
        /// Which one, as `list` shows it.
        id: String,
    },
    /// List the names that are taken in the rooms, and by whom; with --release, take one from its owner.
    Names {
        /// A name to take from its owner. Whoever uses it next has it, unless somebody has written under it: then only
        /// administrators may, or whoever you name with --to.
        #[arg(long, value_name = "NAME")]
        release: Option<String>,
        /// Hand the name, and all that was written under it, to this token or session, as `list` shows it.
        #[arg(long, value_name = "ID", requires = "release")]
        to: Option<String>,
    },
}

/// A length of time, such as 15m, 2h or 7d.
#[derive(Clone, Debug)]
pub struct Span {
    seconds: u32,
    text: String,
}

impl Span {
    pub fn seconds(&self) -> u32 {
        self.seconds
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let problem = || format!("`{text}` is no length of time. Give one like 15m, 2h or 7d");
        let unit = text.chars().last().ok_or_else(problem)?;
        let each: u32 = match unit {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            'd' => 24 * 60 * 60,
            _ => return Err(problem()),
        };
        let count: u32 = text[..text.len() - 1].parse().map_err(|_| problem())?;
        let seconds = count.checked_mul(each).filter(|seconds| *seconds > 0);
        Ok(Self {
            seconds: seconds.ok_or_else(problem)?,
            text: text.to_owned(),
        })
    }
}

#[derive(Deserialize)]
struct Listed {
    credentials: Vec<Shown>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    id: String,
    kind: String,
    role: Role,
    label: String,
    made_at: WallTime,
    last_used_at: Option<WallTime>,
    expires_at: Option<WallTime>,
}

#[derive(Deserialize)]
struct Made {
    token: String,
}

#[derive(Deserialize)]
struct Names {
    names: Vec<web::OwnedName>,
}

/// The data folder while nobody runs on it, otherwise the Denizen that does.
enum Register {
    Folder { access: Access, _lock: DataLock },
    Running(Client),
}

pub fn run(data: &Path, community: Option<&str>, options: &AccessOptions) -> anyhow::Result<ExitCode> {
    let of_a_community = matches!(options.action, AccessAction::Names { .. });
    if community.is_some() && !of_a_community {
        bail!("tokens and sessions hold for every community; leave --community out");
    }
    fetching::service::install_tls();
    block_on(async {
        let register = open(data, community, &options.address).await?;
        match &options.action {
            AccessAction::List => list(&register).await?,
            AccessAction::Add { role, label, valid } => {
                let token = add(&register, *role, label, valid.as_ref()).await?;
                eprintln!(
                    "the token of {label}, {} here; it is shown this once:",
                    told(*role)
                );
                println!("{token}");
            }
            AccessAction::Revoke { id } => {
                revoke(&register, id).await?;
                println!("{id} opens nothing any more");
            }
            AccessAction::Names { release: None, .. } => names(&register, community).await?,
            AccessAction::Names {
                release: Some(name),
                to: None,
            } => {
                release(&register, community, name).await?;
                println!(
                    "{name} is whose who uses it next, or an administrator's to take if somebody has written under it"
                );
            }
            AccessAction::Names {
                release: Some(name),
                to: Some(to),
            } => {
                hand_over(&register, community, name, to).await?;
                println!("{name} is {to}'s, with all that was written under it");
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}

async fn open(data: &Path, community: Option<&str>, address: &Address) -> anyhow::Result<Register> {
    if address.url.is_some() || DataLock::holder(data)?.is_some() {
        let client = Client::somewhere(data, address.url.as_deref()).await?;
        return Ok(Register::Running(client.in_community(community)));
    }
    if !data.exists() {
        bail!(
            "there is nothing at {} yet. Name the data folder with --data, or start Denizen with `denizen run`",
            data.display()
        );
    }
    let lock = Sqlite::lock(data)?;
    Ok(Register::Folder {
        access: Access::open(data, &[])?,
        _lock: lock,
    })
}

async fn list(register: &Register) -> anyhow::Result<()> {
    let shown = match register {
        Register::Running(client) => client.get::<Listed>("/api/access").await?.credentials,
        Register::Folder { access, .. } => {
            let known = access.credentials().into_iter();
            known
                .map(|credential| Shown {
                    kind: json!(credential.kind).as_str().unwrap_or_default().to_owned(),
                    id: credential.id,
                    role: credential.role,
                    label: credential.label,
                    made_at: credential.made_at,
                    last_used_at: credential.last_used_at,
                    expires_at: credential.expires_at,
                })
                .collect()
        }
    };
    if shown.is_empty() {
        println!("nobody has come in yet; `denizen link` prints a link, `denizen access add` makes a token");
    }
    for one in shown {
        let used = one.last_used_at.map_or("never".to_owned(), rfc3339::format);
        let until = one
            .expires_at
            .map_or("it is taken back".to_owned(), rfc3339::format);
        println!(
            "{}  {:<13} {:<7} {}\n    made {}, last used {used}, valid until {until}",
            one.id,
            one.role,
            one.kind,
            one.label,
            rfc3339::format(one.made_at)
        );
    }
    Ok(())
}

async fn add(register: &Register, role: Role, label: &str, valid: Option<&Span>) -> anyhow::Result<String> {
    match register {
        Register::Running(client) => {
            let mut wish = json!({"role": role, "label": label});
            if let Some(valid) = valid {
                wish["validSeconds"] = json!(valid.seconds());
            }
            Ok(client.post::<Made>("/api/access", &wish).await?.token)
        }
        Register::Folder { access, .. } => {
            if label.trim().is_empty() {
                bail!("--label is empty. Say whose it is, to know it again");
            }
            let valid = valid.map(|valid| i64::from(valid.seconds()) * 1_000);
            let made = access.issue(role, label, valid).map_err(unchanged)?;
            Ok(made.1)
        }
    }
}

async fn revoke(register: &Register, id: &str) -> anyhow::Result<()> {
    match register {
        Register::Running(client) => client.delete(&format!("/api/access/{}", segment(id))).await,
        Register::Folder { access, .. } if access.revoke(id).map_err(unchanged)? => Ok(()),
        Register::Folder { .. } => bail!("there is no credential {id}. `denizen access list` shows them"),
    }
}

async fn names(register: &Register, community: Option<&str>) -> anyhow::Result<()> {
    let taken: Vec<web::OwnedName> = match register {
        Register::Running(client) => client.get::<Names>("/api/names").await?.names,
        Register::Folder { access, .. } => {
            let ours = format!("{}:", community_of(community));
            let all = access.names().into_iter();
            all.filter(|(person, _)| person.starts_with(&ours))
                .map(|(_, owned)| owned)
                .collect()
        }
    };
    for owned in taken {
        println!(
            "{}  taken by {}, {}",
            owned.name,
            owned.owner,
            rfc3339::format(owned.since)
        );
    }
    Ok(())
}

async fn release(register: &Register, community: Option<&str>, name: &str) -> anyhow::Result<()> {
    match register {
        Register::Running(client) => {
            let path = format!("/api/names/{}", segment(name));
            client.delete(&path).await
        }
        Register::Folder { access, .. } => {
            let given = access.release(&community_of(community), name);
            if given.map_err(unchanged)? {
                return Ok(());
            }
            bail!("nobody has the name {name}. `denizen access names` lists those that are taken");
        }
    }
}

fn unchanged(problem: web::NotKept) -> anyhow::Error {
    anyhow!(
        "nothing was changed, because {problem}. Make room on the disk of the data folder, then try again"
    )
}

async fn hand_over(register: &Register, community: Option<&str>, name: &str, to: &str) -> anyhow::Result<()> {
    match register {
        Register::Running(client) => {
            let path = format!("/api/names/{}", segment(name));
            client.put::<web::OwnedName>(&path, &json!({"owner": to})).await?;
        }
        Register::Folder { access, .. } => {
            let given = access.hand_over(&community_of(community), name, to);
            given.map_err(|problem| match problem {
                NotHandedOver::UnknownCredential => {
                    anyhow!("there is no credential {to}. `denizen access list` shows them")
                }
                NotHandedOver::CannotWrite => {
                    anyhow!("{to} may not write in the rooms. Hand the name to a participant's or an administrator's")
                }
                NotHandedOver::NotKept(problem) => unchanged(problem),
            })?;
        }
    }
    Ok(())
}

fn community_of(given: Option<&str>) -> CommunityId {
    given.map_or_else(CommunityId::home, CommunityId::from)
}

/// A role in a sentence.
pub fn told(role: Role) -> String {
    let article = if matches!(role, Role::Administrator | Role::Agent) {
        "an"
    } else {
        "a"
    };
    format!("{article} {role}")
}
