//! Names in the rooms of a community: each belongs to whoever took it first, until an administrator releases it.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::names::folded;
use vocabulary::{Author, CommunityId};

use super::credential::{Caller, NotTaken, OwnedName};
use crate::openapi::{answer, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Names {
    names: Vec<OwnedName>,
}

/// What a name is known by in a community: names that are the same one written differently have one owner.
pub fn name_key(name: &str, community: &CommunityId) -> String {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{community}:{}", folded(&name))
}

/// Lets whoever asks act under a name that is theirs or nobody's, and refuses another's.
pub(crate) fn refuse_taken(shared: &Shared, caller: &Caller, author: &Author) -> Result<(), Refusal> {
    let claimed = shared.site.access.claim(author.id.as_str(), &author.name, caller);
    claimed.map_err(|problem| match problem {
        NotTaken::Another => Refusal::new(
            StatusCode::CONFLICT,
            "name_taken",
            format!(
                "The name “{}” belongs to somebody else here. Choose another one; if it is yours, use the browser in which you took it, or have an administrator release it (`denizen access names`).",
                author.name
            ),
        ),
        NotTaken::TooMany { most } => Refusal::new(
            StatusCode::CONFLICT,
            "too_many_names",
            format!("You have {most} names here already, the most there may be. Use one of them."),
        ),
    })
}

/// List the names that are taken in this community, and by which credential.
#[utoipa::path(
    get, path = "/api/names", tag = "access",
    responses((status = 200, description = "Names", body = ref(answer::<Names>()), example = json!({"names": [
        {"name": "Alice", "owner": "9f2c41aa03de", "since": 1763000000000_u64}
    ]})))
)]
pub(crate) async fn names(State(shared): State<Shared>) -> Json<Names> {
    let ours = format!("{}:", shared.handle().community());
    let taken = shared.site.access.names().into_iter();
    Json(Names {
        names: taken
            .filter(|(person, _)| person.starts_with(&ours))
            .map(|(_, owned)| owned)
            .collect(),
    })
}

/// Release a name: whoever uses it next has it.
#[utoipa::path(
    delete, path = "/api/names/{name}", tag = "access",
    params(("name" = String, Path, description = "The name", example = "Alice")),
    responses(
        (status = 204, description = "Nobody's now"),
        (status = 404, description = "`unknown_name`: nobody has it", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_name", "message": "Nobody has the name “Zoe” here. GET /api/names lists those that are taken."}})),
    )
)]
pub(crate) async fn release_name(
    State(shared): State<Shared>,
    InPath(name): InPath<String>,
) -> Result<StatusCode, Refusal> {
    if shared
        .site
        .access
        .release(&name_key(&name, shared.handle().community()))?
    {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_name",
        format!("Nobody has the name “{name}” here. GET /api/names lists those that are taken."),
    ))
}
