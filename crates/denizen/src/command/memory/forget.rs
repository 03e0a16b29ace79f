//! `denizen memory forget`: says what would go, asks, and lets it go for good.

use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use runtime::memory::{GemStory, KnownPerson, People};
use runtime::ports::{Removed, StoreError};
use serde::Deserialize;
use vocabulary::text::counted;
use vocabulary::{Gem, PersonId, WallTime, names, rfc3339};

use super::Whose;
use super::access::running;
use crate::client::{Client, segment};
use crate::command::progress::Busy;
use crate::house::House;

#[derive(Debug, Args)]
#[group(skip)]
pub struct ForgetOptions {
    #[command(flatten)]
    target: Target,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// Everything a person said and everything known about them; an id, or a name that only one has.
    #[arg(long, value_name = "ID|NAME")]
    person: Option<String>,
    /// These gems, and the turns they came from.
    #[arg(long, value_name = "ID", num_args = 1..)]
    gem: Vec<String>,
    /// A whole conversation.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Everything of a room.
    #[arg(long, value_name = "ID")]
    room: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    removed: Removed,
}

#[derive(Deserialize)]
struct Gems {
    items: Vec<Gem>,
    next: Option<String>,
}

/// What would go in words, and what to call to let it go.
struct Plan {
    told: Vec<String>,
    calls: Vec<String>,
}

pub async fn run(data: &Path, whose: &Whose, options: &ForgetOptions) -> anyhow::Result<ExitCode> {
    if !data.exists() {
        bail!(
            "there is nothing at {} yet. Name the data folder with --data",
            data.display()
        );
    }
    match House::open_indoors(data).await {
        Ok(house) => {
            // Forgetting reaches into messages, summaries and recordings, so the whole house is up for it.
            let client = Client::in_process(house.in_process());
            let forgotten = forget(&client, whose, options).await;
            house.leave().await;
            forgotten
        }
        Err(error) => match error.downcast_ref::<StoreError>() {
            Some(StoreError::Busy { .. }) => {
                forget(&running(data, &whose.address).await?, whose, options).await
            }
            _ => Err(error),
        },
    }
}

async fn forget(client: &Client, whose: &Whose, options: &ForgetOptions) -> anyhow::Result<ExitCode> {
    let plan = plan(client, whose.community.as_deref(), options).await?;
    for line in &plan.told {
        eprintln!("{line}");
    }
    if !options.yes && !agreed()? {
        eprintln!("nothing was forgotten");
        return Ok(ExitCode::FAILURE);
    }
    let mut removed = Removed::default();
    let busy = Busy::with("forgetting: memory, messages, summaries and recordings");
    for call in &plan.calls {
        let answer: Answer = client.delete(call).await?;
        removed.gems.extend(answer.removed.gems);
        removed.turns.extend(answer.removed.turns);
    }
    drop(busy);
    println!(
        "forgotten for good: {} and {}",
        counted(removed.gems.len(), "gem"),
        counted(removed.turns.len(), "turn")
    );
    Ok(ExitCode::SUCCESS)
}

async fn plan(client: &Client, community: Option<&str>, options: &ForgetOptions) -> anyhow::Result<Plan> {
    let target = &options.target;
    if let Some(wanted) = &target.person {
        let known: People = client.get("/api/memory/people").await?;
        let person = meant(wanted, &known)?;
        return Ok(Plan {
            told: vec![format!(
                "{} ({}): {} and {}, from {} to {}, with their messages, and what others' memories say of them",
                person.name,
                person.id,
                counted(person.gems, "gem"),
                counted(person.turns, "turn"),
                rfc3339::date(person.first_at),
                rfc3339::date(person.last_at)
            )],
            calls: vec![format!(
                "/api/memory/people/{}?name={}",
                segment(person.id.as_str()),
                segment(&person.name)
            )],
        });
    }
    if let Some(session) = &target.session {
        let told = listed(client, &format!("session={}", segment(session))).await?;
        return Ok(Plan {
            told: vec![format!(
                "the conversation {session}: {told}, and every turn of it"
            )],
            calls: vec![format!("/api/memory/sessions/{}", segment(session))],
        });
    }
    if let Some(room) = &target.room {
        let community = community.unwrap_or("local");
        let place = format!("room={}&community={}", segment(room), segment(community));
        let told = listed(client, &place).await?;
        return Ok(Plan {
            told: vec![format!(
                "the room {community}/{room}: {told}, and everything said in it"
            )],
            calls: vec![format!(
                "/api/memory/rooms/{}?community={}",
                segment(room),
                segment(community)
            )],
        });
    }
    let mut plan = Plan {
        told: Vec::new(),
        calls: Vec::new(),
    };
    for id in &target.gem {
        let story: GemStory = client.get(&format!("/api/memory/gems/{}", segment(id))).await?;
        plan.told.push(format!(
            "gem {id}: {} (with the {} it came from)",
            story.gem.content,
            counted(story.turns.len(), "turn")
        ));
        plan.calls.push(format!("/api/memory/gems/{}", segment(id)));
    }
    Ok(plan)
}

/// Whom an id or a name means; a name that several have means nobody.
fn meant(wanted: &str, known: &People) -> anyhow::Result<KnownPerson> {
    if let Some(person) = known.people.iter().find(|person| person.id.as_str() == wanted) {
        return Ok(person.clone());
    }
    let called = |is_meant: &dyn Fn(&str) -> bool| -> Vec<&KnownPerson> {
        let people = known.people.iter();
        people.filter(|person| is_meant(&person.name)).collect()
    };
    let lower = wanted.trim().to_lowercase();
    let mut named = called(&|name| name.to_lowercase() == lower);
    if named.is_empty() {
        named = called(&|name| names::is_same(name, wanted));
    }
    match named.as_slice() {
        [person] => Ok((*person).clone()),
        // Memory may know nothing of somebody whose messages are still there.
        [] if wanted.contains(':') => Ok(KnownPerson {
            id: PersonId::from(wanted),
            name: String::new(),
            gems: 0,
            turns: 0,
            first_at: WallTime(0),
            last_at: WallTime(0),
        }),
        [] => bail!("nobody called “{wanted}” is known. Give their id, such as local:alice"),
        several => {
            let ids: Vec<&str> = several.iter().map(|person| person.id.as_str()).collect();
            bail!(
                "several people are called “{wanted}”: {}. Give the id of one",
                ids.join(", ")
            )
        }
    }
}

async fn listed(client: &Client, query: &str) -> anyhow::Result<String> {
    let page: Gems = client
        .get(&format!("/api/memory/gems?{query}&current=false&limit=200"))
        .await?;
    Ok(match page.next {
        Some(_) => format!("more than {} gems", page.items.len()),
        None => counted(page.items.len(), "gem"),
    })
}

fn agreed() -> anyhow::Result<bool> {
    if !stdin().is_terminal() {
        bail!("nothing was forgotten: nobody is here to ask. Say --yes when you are sure");
    }
    eprint!("Forget this for good? It cannot be undone. [y/N] ");
    stderr().flush()?;
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
#[path = "forget_tests.rs"]
mod forget_tests;
