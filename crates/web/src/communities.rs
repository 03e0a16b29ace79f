//! The communities of this process: listing them, adding one, removing one.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use runtime::{Gone, Hosted, NewCommunity, TownError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::Document;
use vocabulary::CommunityId;

use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

/// Longest name that people call a community by.
const NAME_CHARS_MAX: usize = 80;

/// The communities of this process.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Communities {
    communities: Vec<Community>,
}

/// A community of this process.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Community {
    /// As it is in addresses.
    #[schemars(example = &"attic")]
    id: String,
    /// What people call it.
    #[schemars(example = &"The attic")]
    name: String,
    /// Whether it is the default one, which today's paths lead to.
    home: bool,
    /// What Denizen is called there.
    #[schemars(example = &"Robin")]
    denizen: String,
    /// The model that answers there.
    #[schemars(example = &"qwen2.5")]
    model: String,
    rooms: Vec<String>,
}

/// A community to be added.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddCommunity {
    /// 1 to 40 of the characters a-z 0-9 - and _.
    #[schemars(example = &"attic")]
    id: String,
    /// What people call it; the id without it.
    #[schemars(example = &"The attic")]
    name: Option<String>,
    /// What it lays over the settings of all, by key.
    settings: Option<BTreeMap<String, Value>>,
}

/// What went with a community.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RemovedAnswer {
    removed: Gone,
}

/// List the communities.
#[utoipa::path(
    get, path = "/api/communities", tag = "communities",
    responses((status = 200, description = "Every community of this process, by id", body = ref(answer::<Communities>())))
)]
pub(crate) async fn communities(State(shared): State<Shared>) -> Json<Communities> {
    let town = &shared.site.town;
    let home = town.home();
    let communities = town.list().iter().map(|hosted| view(hosted, home.id())).collect();
    Json(Communities { communities })
}

/// Add a community.
///
/// It runs when this answers, with one room, `lounge`, and with the settings of all where it has none of its own.
#[utoipa::path(
    post, path = "/api/communities", tag = "communities", request_body(content = ref(question::<AddCommunity>())),
    responses(
        (status = 201, description = "It runs", body = ref(answer::<Community>())),
        (status = 409, description = "`community_taken`: there is one of that id", body = ref(refusal()),
            example = json!({"error": {"code": "community_taken", "message": "There is a community attic already. Choose another name."}})),
        (status = 422, description = "`invalid_community` or `invalid_settings`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_community", "message": "Attic! is no name of a community. Give 1 to 40 of the characters a-z 0-9 - and _, the first of them a letter or a digit."}})),
    )
)]
pub(crate) async fn add_community(
    State(shared): State<Shared>,
    SmallJson(new): SmallJson<AddCommunity>,
) -> Result<(StatusCode, Json<Community>), Refusal> {
    let settings = match new.settings {
        None => Document::default(),
        Some(values) => {
            let mut document = Document::default();
            for (key, value) in values {
                document.set(key, value);
            }
            document
        }
    };
    let name = new
        .name
        .filter(|name| !name.trim().is_empty())
        .unwrap_or_else(|| new.id.clone());
    if name.chars().count() > NAME_CHARS_MAX {
        return Err(Refusal::unprocessable(
            "invalid_community",
            format!("The name has more than {NAME_CHARS_MAX} characters. Give a shorter one."),
        ));
    }
    let town = shared.site.town.clone();
    let new = NewCommunity {
        id: CommunityId::new(new.id),
        name,
        settings,
    };
    // In a task of its own: a caller who hangs up must not leave half a community.
    let adding = tokio::spawn(async move { town.add(new).await });
    let hosted = adding.await.map_err(|_| cut_off())??;
    let home = shared.site.town.home();
    Ok((StatusCode::CREATED, Json(view(&hosted, home.id()))))
}

/// Remove a community.
///
/// Everything that was said, decided and remembered in it goes for good.
#[utoipa::path(
    delete, path = "/api/communities/{community}", tag = "communities",
    params(("community" = String, Path, description = "The community", example = "attic")),
    responses(
        (status = 200, description = "It is gone, and what went with it", body = ref(answer::<RemovedAnswer>())),
        (status = 404, description = "`unknown_community`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_community", "message": "cellar is no community here. There are: attic, local."}})),
        (status = 409, description = "`default_community`: it stays", body = ref(refusal()),
            example = json!({"error": {"code": "default_community", "message": "local is the default community of this process and stays."}})),
    )
)]
pub(crate) async fn remove_community(
    State(shared): State<Shared>,
    InPath(community): InPath<String>,
) -> Result<Json<RemovedAnswer>, Refusal> {
    let town = shared.site.town.clone();
    let id = CommunityId::new(community);
    let removing = tokio::spawn(async move { town.remove(&id).await });
    let removed = removing.await.map_err(|_| cut_off())??;
    Ok(Json(RemovedAnswer { removed }))
}

fn view(hosted: &Hosted, home: &CommunityId) -> Community {
    let settings = hosted.handle.in_force().settings;
    Community {
        id: hosted.id().to_string(),
        name: hosted.name.clone(),
        home: hosted.id() == home,
        denizen: settings.identity.name.clone(),
        model: hosted.handle.language().status(&settings).model,
        rooms: hosted.rooms.iter().map(ToString::to_string).collect(),
    }
}

fn cut_off() -> Refusal {
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "The change was cut off. List the communities and see whether it was made.",
    )
}

impl From<TownError> for Refusal {
    fn from(problem: TownError) -> Self {
        let said = crate::refusal::sentence(&problem.to_string());
        match problem {
            TownError::Taken(_) => Self::new(StatusCode::CONFLICT, "community_taken", said),
            TownError::Unknown { .. } => Self::new(StatusCode::NOT_FOUND, "unknown_community", said),
            TownError::Home(_) => Self::new(StatusCode::CONFLICT, "default_community", said),
            TownError::BadId(_) => Self::unprocessable("invalid_community", said),
            TownError::Settings(_) => Self::unprocessable("invalid_settings", said),
            TownError::Closed => Self::new(StatusCode::CONFLICT, "one_community", said),
            TownError::Store(problem) => problem.into(),
            TownError::Memory(fault) => fault.into(),
            TownError::Start(_) => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", said),
        }
    }
}
