//! Figures for a monitor, as Prometheus reads them. Nothing that anybody said or is called is among them, and rooms are
//! not told apart; communities only where that is asked for, and a bounded number of them.

mod abroad;
mod answers;
mod exposition;
mod process;

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::future::join_all;
use mind::spending::view::SpendingView;
use runtime::ports::WhoseTurns;
use runtime::{Handle, Hosted};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::openapi::refusal;
use crate::parameters::{InQuery, limit};
use crate::refusal::Refusal;
use crate::site::Shared;
use exposition::{CONTENT_TYPE, Exposition};

/// Communities that can be told apart.
const COMMUNITIES_MAX: usize = 200;
/// A mind that has not shown itself by then is held up: it is counted as that, and the others are told without it.
const LOOK_DEADLINE: Duration = Duration::from_secs(2);

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MetricsQuery {
    /// How many communities are told apart by what they cost today, 0 to 200: the dearest. Usually none.
    #[param(example = 20)]
    communities: Option<usize>,
}

/// Read figures for a monitor.
///
/// In the text format of Prometheus: how long answers take, what models are asked and cost, queues, how Denizen is
/// connected, and the process. For a token of the role `monitor`, and for administrators.
#[utoipa::path(
    get, path = "/metrics", tag = "health",
    params(MetricsQuery),
    responses(
        (status = 200, description = "Figures", content_type = "text/plain", body = String,
            example = json!("# HELP denizen_communities Communities that run here.\n# TYPE denizen_communities gauge\ndenizen_communities 1\n")),
        (status = 400, description = "`bad_query`", body = ref(refusal()),
            example = json!({"error": {"code": "bad_query", "message": "limit=300 is out of range. Give a number from 0 to 200."}})),
    )
)]
pub(crate) async fn metrics(
    State(shared): State<Shared>,
    InQuery(query): InQuery<MetricsQuery>,
) -> Result<Response, Refusal> {
    let told_apart = limit(query.communities, 0, 0..=COMMUNITIES_MAX)?;
    let mut to = Exposition::default();
    about(&shared, &mut to);
    process::write(&mut to);
    disk(shared.handle(), &mut to);
    let hosted = shared.site.town.list();
    communities(&hosted, told_apart, &mut to).await;
    backlog(shared.handle(), &mut to).await;
    answers::write(&shared.site.town.figures().seen(), &mut to);
    let platforms = shared.site.abroad.iter();
    let platforms: Vec<_> = platforms.map(|abroad| abroad.standing()).collect();
    abroad::write(&platforms, &mut to);
    let headers = [
        (header::CONTENT_TYPE, CONTENT_TYPE),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, to.into_text()).into_response())
}

fn about(shared: &Shared, to: &mut Exposition) {
    to.gauge("denizen_build_info", "Always 1; which Denizen this is.")
        .with(&[("version", &shared.site.version)], 1);
    to.gauge("denizen_uptime_seconds", "How long the process has run.")
        .fraction(&[], shared.site.started.elapsed().as_secs_f64());
}

/// One store holds all communities.
fn disk(handle: &Handle, to: &mut Exposition) {
    let Some(work) = handle.store().disk_work() else {
        return;
    };
    to.counter("denizen_storage_commits_total", "Writes to the database.")
        .only(work.commits);
    to.counter(
        "denizen_storage_waits_total",
        "How often it was waited until something was on the disk (fsync).",
    )
    .only(work.waits);
}

async fn communities(hosted: &[Hosted], told_apart: usize, to: &mut Exposition) {
    to.gauge("denizen_communities", "Communities that run here.")
        .only(hosted.len() as u64);
    let ailing = hosted
        .iter()
        .filter(|one| !one.handle.ailments().told().is_empty());
    to.gauge(
        "denizen_communities_ailing",
        "Communities with which something is wrong at the moment.",
    )
    .only(ailing.count() as u64);
    let waiting: Vec<usize> = hosted.iter().map(|one| one.handle.waiting()).collect();
    to.gauge(
        "denizen_inputs_waiting",
        "What happened and waits to be taken in, in all communities.",
    )
    .only(waiting.iter().sum::<usize>() as u64);
    to.gauge(
        "denizen_inputs_waiting_most",
        "The same in the community in which most waits.",
    )
    .only(waiting.iter().max().copied().unwrap_or_default() as u64);
    let looks = hosted
        .iter()
        .map(|one| tokio::time::timeout(LOOK_DEADLINE, one.handle.spending()));
    let views: Vec<Option<SpendingView>> = join_all(looks)
        .await
        .into_iter()
        .map(|look| look.ok().flatten())
        .collect();
    let held_up = views.iter().filter(|view| view.is_none()).count();
    to.gauge(
        "denizen_communities_held_up",
        "Communities whose mind did not answer within two seconds.",
    )
    .only(held_up as u64);
    let seen: Vec<(&Hosted, SpendingView)> = hosted
        .iter()
        .zip(views)
        .filter_map(|(one, view)| Some((one, view?)))
        .collect();
    spent_today(&seen, to);
    if told_apart > 0 {
        dearest(seen, told_apart, to);
    }
}

fn spent_today(seen: &[(&Hosted, SpendingView)], to: &mut Exposition) {
    let resting = seen.iter().map(|(_, view)| view.resting.len() as u64).sum();
    to.gauge(
        "denizen_models_resting",
        "Models that are left alone for a while, counted in each community.",
    )
    .only(resting);
    let purposes = seen.iter().flat_map(|(_, view)| &view.purposes);
    let under_way = purposes.clone().map(|one| one.under_way).sum();
    to.gauge(
        "denizen_model_calls_under_way",
        "Questions that models have not answered yet.",
    )
    .only(under_way);
    let mut sums: std::collections::BTreeMap<&str, (u64, u64)> = Default::default();
    for one in purposes {
        let (cost, refused) = sums.entry(one.purpose.name()).or_default();
        *cost += one.line.cost_micro_dollars;
        *refused += one.refused;
    }
    let mut family = to.gauge(
        "denizen_spent_today_dollars",
        "What was spent on models today (UTC), by what for; restarts do not begin it anew.",
    );
    for (purpose, (cost, _)) in &sums {
        family.millionths(&[("purpose", purpose)], *cost);
    }
    let mut family = to.gauge(
        "denizen_refused_today",
        "Questions that were not asked today because nothing was left of a budget.",
    );
    for (purpose, (_, refused)) in &sums {
        family.with(&[("purpose", purpose)], *refused);
    }
}

fn dearest(mut seen: Vec<(&Hosted, SpendingView)>, most: usize, to: &mut Exposition) {
    seen.sort_by_key(|(one, view)| {
        let all = &view.all;
        (
            std::cmp::Reverse((all.cost_micro_dollars, all.calls)),
            one.id().clone(),
        )
    });
    seen.truncate(most);
    let mut family = to.gauge(
        "denizen_community_spent_today_dollars",
        "What the dearest communities cost today, by id.",
    );
    for (one, view) in &seen {
        family.millionths(&[("community", one.id().as_str())], view.all.cost_micro_dollars);
    }
    let mut family = to.gauge(
        "denizen_community_model_calls_today",
        "Questions that the dearest communities asked models today, by id.",
    );
    for (one, view) in &seen {
        family.with(&[("community", one.id().as_str())], view.all.calls);
    }
}

async fn backlog(handle: &Handle, to: &mut Exposition) {
    let Some(memory) = handle.memory() else { return };
    let Ok(status) = tokio::time::timeout(LOOK_DEADLINE, memory.status(&WhoseTurns::All)).await else {
        return;
    };
    let mut family = to.gauge("denizen_memory_turns", "Turns that no memories were made of yet.");
    for (state, turns) in [
        ("waiting", status.waiting.waiting),
        ("held", status.waiting.held),
        ("kept_back", status.waiting.kept_back),
    ] {
        family.with(&[("state", state)], turns as u64);
    }
    to.gauge("denizen_memory_gems", "Memories that are kept.")
        .only(status.stats.gems as u64);
    to.gauge(
        "denizen_memory_trouble",
        "1 while something is wrong with memory.",
    )
    .only(u64::from(status.trouble.is_some()));
}
