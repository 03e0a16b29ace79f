//! What keeps models from being asked right now: a budget that is used up, a model that rests or fails. A running
//! Denizen is asked; otherwise what it kept when it stopped is looked at.

use std::collections::BTreeMap;
use std::path::Path;

use explain::Ailing;
use mind::reasons::RestCause;
use mind::spending::view::SpendingView;
use mind::{Genesis, Input, Mind, ShellEvent};
use providers::{Finding, Models, Trial};
use runtime::ports::{Language, LanguageStatus, Resume, Store};
use serde_json::{Value, json};
use settings::Settings;
use storage::{DataLock, Sqlite};
use vocabulary::{AskPurpose, CommunityId, Now, PersonId, Span};

use super::{bad, good, noted};
use crate::client::{Client, segment};
use crate::command::run::LOCAL_DENIZEN;

/// Whether the process that runs on the folder, if any, is well, and whether models may be asked.
pub async fn examine(
    data: &Path,
    store: &Sqlite,
    (settings, models, well): (&Settings, Option<&Models>, &[&Trial]),
    known: &[Finding],
) -> Vec<Finding> {
    match DataLock::holder(data) {
        Ok(None) => {
            let mut findings = vec![good(
                "process",
                "no Denizen runs on this folder at the moment".to_owned(),
            )];
            findings.extend(kept(store, settings, models, well).await);
            findings
        }
        Ok(Some(holder)) if holder.door.is_none() => vec![noted(
            "process",
            format!("process {} uses this folder and does not listen", holder.process),
            "it may be starting, or be a command that works on the folder; look again in a moment",
        )],
        Ok(Some(_)) => running(data, (settings, models), known)
            .await
            .unwrap_or_else(|error| {
                vec![bad(
                    "process",
                    format!("a Denizen is running on this folder and does not say how it is: {error:#}"),
                    "look at what it has logged, or stop it and start it again",
                )]
            }),
        Err(error) => vec![bad("process", error.to_string(), "see storage")],
    }
}

/// Models have answered here: the running process need not leave them alone, where it asks them as they were asked here.
pub async fn tell_running_of(
    data: &Path,
    well: &[&Trial],
    (settings, models): (&Settings, &Models),
) -> Option<Finding> {
    let is_running = matches!(DataLock::holder(data), Ok(Some(holder)) if holder.door.is_some());
    if !is_running || well.is_empty() {
        return None;
    }
    let answered = well.iter().map(|trial| {
        let by = models.asked_by(trial.asked_for, settings).unwrap_or_default();
        json!({
            "purpose": trial.asked_for.name(), "provider": trial.provider, "model": trial.model,
            "baseUrl": by.base_url, "keyMark": by.key_mark,
        })
    });
    let body = json!({"answered": answered.collect::<Vec<_>>()});
    let telling = async {
        let client = Client::of_folder(data, None).await?;
        client.post::<Value>("/api/model/answered", &body).await
    };
    match telling.await {
        Ok(told) => asked_otherwise(&told),
        Err(error) => {
            tracing::debug!(%error, "the Denizen that runs could not be told which models answer");
            None
        }
    }
}

/// What was found here says nothing of a process that goes by another key or address. Another model is told elsewhere.
fn asked_otherwise(told: &Value) -> Option<Finding> {
    let mut ways: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for one in told["otherwise"].as_array().into_iter().flatten() {
        let differs = one["differs"].as_array().into_iter().flatten();
        let differs: Vec<&str> = differs.filter_map(Value::as_str).collect();
        let purpose = one["purpose"].as_str().and_then(AskPurpose::named)?;
        if !differs.contains(&"model") {
            let way = format!("another {}", differs.join(" and another "));
            ways.entry(way).or_default().push(purpose.words());
        }
    }
    let ways: Vec<String> = ways
        .into_iter()
        .map(|(way, purposes)| format!("{way} ({})", purposes.join(", ")))
        .collect();
    (!ways.is_empty()).then(|| {
        noted(
            "model that runs",
            format!(
                "the Denizen that runs goes by {}: what answered here may not answer there, and it leaves alone what it left alone",
                ways.join("; ")
            ),
            "look from where its variables are set, or put the keys into keys.toml, where both find them, and start it again",
        )
    })
}

/// What the running one says of each of its communities.
async fn running(
    data: &Path,
    (settings, models): (&Settings, Option<&Models>),
    known: &[Finding],
) -> anyhow::Result<Vec<Finding>> {
    let client = Client::of_folder(data, None).await?;
    let url = client.base().unwrap_or_default().to_owned();
    let mut findings = vec![good(
        "process",
        format!("a Denizen is running on this folder, at {url}"),
    )];
    if let Some(models) = models {
        let theirs: Value = client.get("/api/model").await?;
        findings.extend(chosen_elsewhere(&theirs, &models.status(settings)));
    }
    let listed: Value = client.get("/api/communities").await?;
    for community in listed["communities"].as_array().into_iter().flatten() {
        let id = community["id"].as_str().unwrap_or_default();
        let health: Value = client.get(&of(id, "health")).await?;
        let reasons = health["reasons"].as_array().into_iter().flatten();
        // What was found on the disk already is not told twice.
        let news = |reason: &&str| !known.iter().any(|found| reason.contains(&found.detail));
        let news = reasons.filter_map(Value::as_str).filter(news);
        findings.extend(news.map(|reason| Finding {
            remedy: None,
            ..bad(&format!("health of {id}"), reason.to_owned(), "")
        }));
        let spent: SpendingView = client.get(&of(id, "spending")).await?;
        let besides = explain::ailing(&spent).into_iter();
        let besides = besides.filter(|one| !one.of_replies && one.what != "model");
        findings.extend(besides.map(|one| told(id, &one)));
    }
    Ok(findings)
}

/// Keys and addresses are looked for where this was started: what is in force there may not be so here.
fn chosen_elsewhere(theirs: &Value, ours: &LanguageStatus) -> Option<Finding> {
    let said = |what: &str| theirs[what].as_str().unwrap_or_default();
    if (said("provider"), said("model")) == (ours.provider.as_str(), ours.model.as_str()) {
        return None;
    }
    Some(noted(
        "model that runs",
        format!(
            "the Denizen that runs answers with {} ({}), while one started from here would with {} ({}); what is said of keys and models is what is found from here",
            named(said("provider"), said("model")),
            said("because"),
            named(&ours.provider, &ours.model),
            ours.because
        ),
        "look from where its variables are set, or put the keys into keys.toml, where both find them",
    ))
}

/// A server that does not answer has no model that could be named.
fn named(provider: &str, model: &str) -> String {
    match model {
        "" => format!("nobody of {provider}"),
        model => format!("{provider} `{model}`"),
    }
}

fn of(community: &str, what: &str) -> String {
    format!("/api/communities/{}/{what}", segment(community))
}

/// What each community was left with when the last process ended, and what the next will find: a folder in which nothing has
/// run yet has one to come.
async fn kept(store: &Sqlite, settings: &Settings, models: Option<&Models>, well: &[&Trial]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Damage is told with the storage.
    let communities = store.communities().await.unwrap_or_default();
    let mut ids: Vec<CommunityId> = communities.into_iter().map(|record| record.id).collect();
    if ids.is_empty() {
        ids.push(CommunityId::home());
    }
    for id in ids {
        let Ok(resume) = store.resume(&id).await else {
            continue;
        };
        let own = store.settings(&id).await.ok();
        let own = own.and_then(|saved| saved.layers.read(id.as_str()).ok());
        let own = own.as_ref().unwrap_or(settings);
        let mut view = to_be_spent(&id, &resume, own, models);
        // One that has answered just now will answer the next question.
        view.resting.retain(|resting| {
            let mut serves = resting.serves.iter();
            !serves.any(|purpose| well.iter().any(|trial| trial.asked_for == *purpose))
        });
        for resting in &mut view.resting {
            let purpose = resting.serves.first().copied();
            let asked = |purpose| models.and_then(|models| models.asked_of(purpose, own));
            resting.asked = purpose.and_then(asked);
        }
        let ailing = explain::ailing(&view).into_iter();
        // What is known of such a model is told with what to change.
        let ailing = ailing.filter(|one| models.is_none() || one.rest != Some(RestCause::Mute));
        findings.extend(ailing.map(|one| told(id.as_str(), &one)));
    }
    findings
}

fn to_be_spent(
    community: &CommunityId,
    resume: &Resume,
    settings: &Settings,
    models: Option<&Models>,
) -> SpendingView {
    let minds = resume.states.iter();
    let mut minds = minds.filter_map(|kept| mind::snapshot::read(&kept.state).ok());
    let mut mind = minds.next().unwrap_or_else(|| {
        let denizen = PersonId::new(LOCAL_DENIZEN);
        Mind::new(Genesis::first(community.clone(), denizen, 1))
    });
    let wall = runtime::wall();
    let away = u64::try_from(wall.0 - resume.last_wall.0).unwrap_or_default();
    let now = Now {
        moment: resume.last_moment + Span(away),
        wall,
    };
    if let Some(models) = models {
        let (model, allowances) = (models.reply_model(settings), models.allowances(settings));
        let asked = AskPurpose::ALL.into_iter();
        let asked = asked.filter_map(|purpose| Some((purpose, models.asked_of(purpose, settings)?)));
        let asked = asked.collect();
        for news in [
            ShellEvent::ReplyModelChanged { model },
            ShellEvent::AllowancesChanged { allowances },
            ShellEvent::ModelsChanged { models: asked },
        ] {
            let _ = mind.step(now, Input::Shell(news), settings);
        }
    }
    // A start lets models be tried.
    let down_for = Span(away);
    let _ = mind.step(now, Input::Shell(ShellEvent::Restarted { down_for }), settings);
    mind.spending(now, settings)
}

fn told(community: &str, ailing: &Ailing) -> Finding {
    let what = format!("{} of {community}", ailing.what);
    match ailing.of_replies {
        true => bad(&what, ailing.detail.clone(), &ailing.remedy),
        false => noted(&what, ailing.detail.clone(), &ailing.remedy),
    }
}
