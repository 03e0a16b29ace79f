//! Which communities there are, and adding and removing some.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use runtime::{Hosted, NewCommunity as Wanted, SettingsRefused, TownError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use settings::{Document, SettingError, refused_from_afar};
use vocabulary::{CommunityId, RoomId, names};

use super::routing::{is_shown_to, unknown_community};
use crate::access::Caller;
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::{Refusal, sentence};
use crate::site::Shared;

const NAME_CHARS_MAX: usize = 80;

/// The communities of this process: the home one first, the others by id.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Communities {
    communities: Vec<Community>,
}

/// A community that runs here.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Community {
    #[schemars(example = &"local")]
    id: CommunityId,
    /// What people call it.
    name: String,
    /// The addresses without a community's name are this one's.
    home: bool,
    /// The rooms people can sit in by way of this process.
    rooms: Vec<RoomId>,
    /// Where its people are, if that is not here; such a community is for administrators.
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'static str>,
}

/// A community to be added.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCommunity {
    /// Stands in addresses: lower-case letters, digits, dashes and underscores.
    #[schemars(regex(pattern = "^[a-z0-9][a-z0-9_-]{0,39}$"), example = &"book-club")]
    id: String,
    /// What people call it; the id without it.
    #[schemars(length(max = 80))]
    name: Option<String>,
    /// What it lays over the settings of all, by full key.
    #[serde(default)]
    settings: BTreeMap<String, Value>,
}

/// List the communities.
///
/// Everything under `/api/` that belongs to a community is also under `/api/communities/{community}/`, for any of them.
#[utoipa::path(
    get, path = "/api/communities", tag = "communities",
    responses((status = 200, description = "The communities of this process", body = ref(answer::<Communities>()),
        example = json!({"communities": [{"id": "local", "name": "local", "home": true, "rooms": ["lounge"]}]})))
)]
pub(crate) async fn communities(
    State(shared): State<Shared>,
    Extension(caller): Extension<Caller>,
) -> Json<Communities> {
    let town = &shared.site.town;
    let home = town.home().id().clone();
    let shown = |hosted: Hosted| Community {
        home: *hosted.id() == home,
        id: hosted.id().clone(),
        platform: hosted.platform(),
        name: hosted.name,
        rooms: hosted.rooms,
    };
    let mut hosted = town.list();
    hosted.retain(|hosted| is_shown_to(Some(&caller), hosted));
    hosted.sort_by_key(|hosted| *hosted.id() != home);
    Json(Communities {
        communities: hosted.into_iter().map(shown).collect(),
    })
}

/// Add a community.
///
/// It runs when this answers, with rooms and a journal of its own, and with what it is given of settings laid over the base.
#[utoipa::path(
    post, path = "/api/communities", tag = "communities",
    request_body(content = ref(question::<NewCommunity>()), example = json!({
        "id": "book-club", "name": "The book club", "settings": {"identity.name": "Robin"}
    })),
    responses(
        (status = 201, description = "It runs", body = ref(answer::<Community>()),
            example = json!({"id": "book-club", "name": "The book club", "home": false, "rooms": ["lounge"]})),
        (status = 409, description = "`community_taken`, `communities_full` or `communities_fixed`", body = ref(refusal()),
            example = json!({"error": {"code": "community_taken", "message": "There is a community book-club already. Choose another name."}})),
        (status = 422, description = "`invalid_community`, `invalid_settings`, `unknown_field` or `invalid_field`", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_community", "message": "Book Club is no name of a community. Give 1 to 40 of the characters a-z 0-9 - and _, the first of them a letter or a digit."}})),
    )
)]
pub(crate) async fn add_community(
    State(shared): State<Shared>,
    SmallJson(new): SmallJson<NewCommunity>,
) -> Result<(StatusCode, Json<Community>), Refusal> {
    let (town, new) = (shared.site.town.clone(), new.read()?);
    // A task of its own: a caller who hangs up halfway must not leave one that is stored and does not run.
    let adding = tokio::spawn(async move { town.add(new).await });
    let hosted = adding.await.map_err(|_| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Adding was cut off. The log says why; GET /api/communities says whether it runs.",
        )
    })??;
    let added = Community {
        id: hosted.id().clone(),
        platform: hosted.platform(),
        name: hosted.name,
        home: false,
        rooms: hosted.rooms,
    };
    Ok((StatusCode::CREATED, Json(added)))
}

/// Remove a community.
///
/// It stops, and what is kept of it goes: messages, journal, settings and memory.
#[utoipa::path(
    delete, path = "/api/communities/{community}", tag = "communities",
    params(("community" = String, Path, description = "The community", example = "book-club")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "`unknown_community`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_community", "message": "There is no community “attic” here. The communities are: local."}})),
        (status = 409, description = "`default_community`", body = ref(refusal()),
            example = json!({"error": {"code": "default_community", "message": "Local is the default community of this process and stays. Remove others, or use another --data folder."}})),
    )
)]
pub(crate) async fn remove_community(
    State(shared): State<Shared>,
    InPath(community): InPath<String>,
) -> Result<StatusCode, Refusal> {
    let (town, access) = (shared.site.town.clone(), shared.site.access.clone());
    let removing = tokio::spawn(async move {
        let community = CommunityId::new(community);
        town.remove(&community).await?;
        if let Err(problem) = access.forget_community(&community) {
            tracing::error!(%problem, %community, "names of a community that is gone are still taken");
        }
        Ok::<_, runtime::TownError>(())
    });
    // A task of its own: a caller who hangs up halfway must not leave half of it.
    removing.await.map_err(|_| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Removing was cut off. Ask for it again.",
        )
    })??;
    Ok(StatusCode::NO_CONTENT)
}

impl NewCommunity {
    fn read(self) -> Result<Wanted, Refusal> {
        runtime::check_id(&self.id)?;
        let name = self.name.unwrap_or_else(|| self.id.clone());
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || names::stray(&name).is_some() {
            return Err(Refusal::unprocessable(
                "invalid_community",
                format!(
                    "The name of a community has 1 to {NAME_CHARS_MAX} characters, none of them a control character or one that nobody sees. Choose another."
                ),
            ));
        }
        let mut settings = Document::default();
        let guarded: Vec<SettingError> = self
            .settings
            .keys()
            .filter_map(|key| refused_from_afar(key))
            .collect();
        if !guarded.is_empty() {
            return Err(SettingsRefused::Invalid(guarded).into());
        }
        for (key, value) in self.settings {
            settings.set(key, value);
        }
        Ok(Wanted {
            id: CommunityId::new(self.id),
            name,
            settings,
        })
    }
}

impl From<TownError> for Refusal {
    fn from(problem: TownError) -> Self {
        let said = sentence(&problem.to_string());
        match problem {
            TownError::Unknown { wanted, known } => unknown_community(wanted.as_str(), &known),
            TownError::Reserved(_) => Self::unprocessable("invalid_community", said),
            TownError::Taken(_) => Self::new(StatusCode::CONFLICT, "community_taken", said),
            TownError::Home(_) => Self::new(StatusCode::CONFLICT, "default_community", said),
            TownError::Full(_) => Self::new(StatusCode::CONFLICT, "communities_full", said),
            TownError::Closed => Self::new(StatusCode::CONFLICT, "communities_fixed", said),
            TownError::BadId(_) => Self::unprocessable("invalid_community", said),
            TownError::Settings(errors) => SettingsRefused::Invalid(errors).into(),
            TownError::Store(problem) => problem.into(),
            TownError::Memory(fault) => fault.into(),
            TownError::Start(_) => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "community_failed",
                format!("{said} Look at the disk of the data folder, then try again."),
            ),
        }
    }
}
