//! Names in the rooms of a community: each belongs to whoever took it first, until an administrator hands it on.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::Author;
use vocabulary::names::{self, looks_like};

use super::credential::{Caller, OwnedName};
use super::manage::unknown_credential;
use super::owned::{NotHandedOver, NotTaken, Standing};
use super::role::Role;
use crate::body::SmallJson;
use crate::openapi::{answer, question, refusal};
use crate::parameters::InPath;
use crate::refusal::Refusal;
use crate::site::Shared;

#[derive(Serialize, JsonSchema)]
pub(crate) struct Names {
    names: Vec<OwnedName>,
}

/// To whom a name is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewOwner {
    /// The id of a token or a session that may write.
    owner: String,
}

/// Lets whoever asks act under a name that is theirs or nobody's, and refuses another's.
///
/// A name that somebody has written under is never nobody's: where its owner is not on record (any more), only
/// administrators may take it, for what was written and is remembered is its owner's to change and to forget.
pub(crate) async fn refuse_taken(shared: &Shared, caller: &Caller, author: &Author) -> Result<(), Refusal> {
    let access = &shared.site.access;
    match access.standing(author, caller) {
        Standing::Yours => return Ok(()),
        Standing::Anothers(name) => return Err(name_taken(author, &name)),
        Standing::Nobodys => {}
    }
    if caller.role != Role::Administrator && is_known(shared, caller, author).await? {
        return Err(without_owner(author));
    }
    access.claim(author, caller).map_err(|problem| match problem {
        NotTaken::Another(name) => name_taken(author, &name),
        NotTaken::TooMany { most } => Refusal::new(
            StatusCode::CONFLICT,
            "too_many_names",
            format!("You have {most} names here already, the most there may be. Use one of them."),
        ),
    })
}

/// Whether somebody is known by this name, or by one that looks like it, whose name is not on record as the caller's.
async fn is_known(shared: &Shared, caller: &Caller, author: &Author) -> Result<bool, Refusal> {
    let handle = shared.handle();
    let people = handle.store().people(handle.community()).await?;
    let wrote = people.iter().any(|known| {
        (known.id == author.id || looks_like(&known.name, &author.name))
            && !shared.site.access.owns(caller, &known.id)
    });
    if wrote {
        return Ok(true);
    }
    // Messages may have gone by their age, and what is remembered have stayed.
    let Some(memory) = handle.memory() else {
        return Ok(false);
    };
    let remembered = runtime::memory::name_of(memory.records(), &author.id).await;
    Ok(remembered.is_ok_and(|name| !name.is_empty()))
}

fn name_taken(author: &Author, owned: &str) -> Refusal {
    let whose = match names::is_same(&author.name, owned) {
        true => format!("The name “{}” belongs to somebody else here.", author.name),
        false => format!(
            "The name “{}” looks like “{owned}”, which belongs to somebody else here.",
            author.name
        ),
    };
    Refusal::new(
        StatusCode::CONFLICT,
        "name_taken",
        format!(
            "{whose} Choose another one; if it is yours, use the browser in which you took it, or have an administrator hand it to you (`denizen access names --release`, with `--to`)."
        ),
    )
}

fn without_owner(author: &Author) -> Refusal {
    Refusal::new(
        StatusCode::CONFLICT,
        "name_taken",
        format!(
            "Somebody has written here as “{0}”, or under a name that looks like it, and whose it is is not on record. Choose another one; if it is yours, have an administrator hand it to you (`denizen access names --release \"{0}\" --to` and the id that `denizen access list` shows for you).",
            author.name
        ),
    )
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

/// Release a name: it is on record as nobody's.
///
/// Whoever uses it next has it, if nobody has written under it. If somebody has, it is for administrators to take or to
/// hand on: with PUT to somebody in one step.
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
    if shared.site.access.release(shared.handle().community(), &name)? {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_name",
        format!("Nobody has the name “{name}” here. GET /api/names lists those that are taken."),
    ))
}

/// Hand a name over: with everything that was written under it.
///
/// Whoever had it cannot use it any more. Names of the same owner that look like it go with it.
#[utoipa::path(
    put, path = "/api/names/{name}", tag = "access",
    params(("name" = String, Path, description = "The name", example = "Alice")),
    request_body(content = ref(question::<NewOwner>()), example = json!({"owner": "9f2c41aa03de"})),
    responses(
        (status = 200, description = "Whose it is now", body = ref(answer::<OwnedName>()), example = json!(
            {"name": "Alice", "owner": "9f2c41aa03de", "since": 1763000000000_u64}
        )),
        (status = 404, description = "`unknown_credential`", body = ref(refusal()),
            example = json!({"error": {"code": "unknown_credential", "message": "There is no credential x here. GET /api/access lists them."}})),
        (status = 422, description = "`invalid_author`, or `invalid_role`: it may not write", body = ref(refusal()),
            example = json!({"error": {"code": "invalid_role", "message": "9f2c41aa03de may not write in the rooms, so it has no use for a name. Give it to a participant's or an administrator's."}})),
    )
)]
pub(crate) async fn hand_over_name(
    State(shared): State<Shared>,
    InPath(name): InPath<String>,
    SmallJson(new): SmallJson<NewOwner>,
) -> Result<Json<OwnedName>, Refusal> {
    let author = shared.author(&name)?;
    let (access, owner) = (&shared.site.access, new.owner);
    let given = access.hand_over(shared.handle().community(), &author.name, &owner);
    given.map(Json).map_err(|problem| match problem {
        NotHandedOver::NotKept(problem) => problem.into(),
        NotHandedOver::UnknownCredential => unknown_credential(&owner),
        NotHandedOver::CannotWrite => Refusal::unprocessable(
            "invalid_role",
            format!(
                "{owner} may not write in the rooms, so it has no use for a name. Give it to a participant's or an administrator's."
            ),
        ),
    })
}
