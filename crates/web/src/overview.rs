//! Everything that this process hosts, on one page: how it is connected to platforms, and every community.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use futures_util::future::join_all;
use runtime::Hosted;
use runtime::ports::PlatformStanding;
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::CommunityId;

use crate::openapi::answer;
use crate::site::Shared;

/// A mind that has not shown itself by then is held up; the others are shown without it.
const LOOK_DEADLINE: Duration = Duration::from_secs(3);

/// What this process hosts.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Overview {
    platforms: Vec<PlatformStanding>,
    /// The home one first, the others by name.
    communities: Vec<CommunityOverview>,
}

/// One community in a line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommunityOverview {
    id: CommunityId,
    /// What people call it.
    name: String,
    home: bool,
    /// Where its people are, if that is not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
    /// What Denizen is called there.
    denizen: String,
    /// It is held up: what follows is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    held_up: bool,
    rooms: usize,
    /// Of these, those that not everybody in the community may read.
    private_rooms: usize,
    /// Questions to models today.
    calls_today: u64,
    cost_today_micro_dollars: u64,
    /// Models that are left alone for a while.
    resting_models: usize,
    /// What is wrong with it, each with what to do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ailments: Vec<String>,
}

/// See everything that this process hosts.
///
/// Every community with its rooms and what it cost today, and how Denizen is connected to Discord: shards, calls, and
/// what went wrong last.
#[utoipa::path(
    get, path = "/api/overview", tag = "communities",
    responses((status = 200, description = "Every community, and how platforms are connected", body = ref(answer::<Overview>()), example = json!({
        "platforms": [{"platform": "Discord", "state": "connected", "account": "Denizen", "invite": "https://discord.com/oauth2/authorize?client_id=1",
            "intents": [{"name": "Message Content Intent", "granted": true}], "servers": 1,
            "shards": [{"connected": true, "latencyMs": 42, "reconnects": 0, "resumes": 0, "sessions": 1, "zombies": 0, "events": 120, "malformed": {}}],
            "startsLeft": 999, "calls": [],
            "requests": {"sent": 12, "limited": 0, "failed": 0, "waited": 0, "waitedMs": 0, "waiting": 0, "underWay": 0},
            "sound": {"calls": 0, "heard": 0, "sent": 0, "undecryptable": 0, "undecryptablePeople": 0, "rekeys": 0, "reconnects": 0, "resumes": 0}}],
        "communities": [{"id": "local", "name": "local", "home": true, "denizen": "Denizen", "rooms": 1, "privateRooms": 0,
            "callsToday": 12, "costTodayMicroDollars": 21000, "restingModels": 0}]
    })))
)]
pub(crate) async fn overview(State(shared): State<Shared>) -> Json<Overview> {
    let town = &shared.site.town;
    let home = town.home().id().clone();
    let looks = town.list().into_iter().map(|hosted| shown(hosted, &home));
    let mut communities = join_all(looks).await;
    communities.sort_by_cached_key(|one| (!one.home, one.name.to_lowercase(), one.id.clone()));
    let platforms = shared.site.abroad.iter();
    Json(Overview {
        platforms: platforms.map(|abroad| abroad.standing()).collect(),
        communities,
    })
}

async fn shown(hosted: Hosted, home: &CommunityId) -> CommunityOverview {
    let handle = &hosted.handle;
    let looks = async { tokio::join!(handle.rooms(), handle.spending()) };
    let (rooms, spending) = tokio::time::timeout(LOOK_DEADLINE, looks)
        .await
        .unwrap_or_default();
    let held_up = spending.is_none();
    let (rooms, spending) = (rooms.unwrap_or_default(), spending.unwrap_or_default());
    CommunityOverview {
        home: hosted.id() == home,
        platform: hosted.platform(),
        denizen: handle.in_force().settings.identity.name.clone(),
        held_up,
        // A room of this process is there before anything happens in it.
        rooms: rooms.len().max(hosted.rooms.len()),
        private_rooms: rooms.iter().filter(|room| room.is_private()).count(),
        calls_today: spending.all.calls,
        cost_today_micro_dollars: spending.all.cost_micro_dollars,
        resting_models: spending.resting.len(),
        ailments: handle.ailments().told(),
        id: hosted.id().clone(),
        name: hosted.name,
    }
}
