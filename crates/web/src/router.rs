//! Every route, and the layers around them.

use std::any::Any;
use std::io;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use runtime::live::LiveEvent;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::communities::routing::Communities;
use crate::guard::{Guard, guard, is_api, security_headers};
use crate::refusal::Refusal;
use crate::refused::journal_refusals;
use crate::site::{Shared, Site};
use crate::{
    agents, ambient, communities, discovery, events, health, inspector, memory, openapi, pages, rooms,
    settings_migrate, settings_page, watch,
};

/// The whole site as it is served at `address`; refused where an open address has no token.
pub fn router(site: Site, address: SocketAddr) -> io::Result<Router> {
    let guard = Guard::new(address, site.token.clone())?;
    Ok(assemble(Shared::new(site, CancellationToken::new()), guard))
}

pub(crate) fn assemble(shared: Shared, guards: Guard) -> Router {
    let Routes {
        of_a_community,
        of_the_process,
        description,
    } = routes(&shared.site.version);
    let written = openapi::written(&description);
    let of_the_process =
        of_the_process.route("/api/openapi.json", get(move || openapi::serve(written.clone())));
    let home = finished(of_a_community.clone().merge(of_the_process), shared.clone());
    let make = move |shared: Shared| finished(of_a_community.clone(), shared);
    let communities = Communities::new(home, shared, make);
    Router::new()
        .fallback(move |request: Request| communities.clone().answer(request))
        .layer(from_fn_with_state(guards, guard))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(security_headers))
}

/// Routes with what is answered elsewhere, for one community.
fn finished(routes: Router<Shared>, shared: Shared) -> Router {
    routes
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(elsewhere)
        .with_state(shared.clone())
        .layer(from_fn_with_state(shared, journal_refusals))
}

/// The description of the API as it is served.
pub fn description(version: &str) -> Value {
    routes(version).description
}

struct Routes {
    of_a_community: Router<Shared>,
    of_the_process: Router<Shared>,
    description: Value,
}

fn routes(version: &str) -> Routes {
    let (parts, schemas) = openapi::gathered(|| {
        // Pages make such events themselves, too.
        openapi::answer::<LiveEvent>();
        (
            for_communities().split_for_parts(),
            for_the_process().split_for_parts(),
        )
    });
    let ((of_a_community, mut gathered), (of_the_process, more)) = parts;
    gathered.merge(more);
    Routes {
        of_a_community,
        of_the_process,
        description: openapi::complete(gathered, schemas, version),
    }
}

/// What the process has once, whatever communities it hosts.
fn for_the_process() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .routes(routes!(
            communities::manage::communities,
            communities::manage::add_community
        ))
        .routes(routes!(communities::manage::remove_community))
        .merge(for_agents())
}

/// What each community has for itself; under its name, and for the default one also without.
fn for_communities() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .routes(routes!(health::health))
        .routes(routes!(health::model))
        .routes(routes!(health::detect_model))
        .routes(routes!(rooms::list::rooms))
        .routes(routes!(rooms::list::messages, rooms::post::post_message))
        .routes(routes!(rooms::fates::fates))
        .routes(routes!(rooms::search::find))
        .routes(routes!(
            rooms::change::edit_message,
            rooms::change::delete_message
        ))
        .routes(routes!(
            rooms::reactions::react,
            rooms::reactions::take_back_reaction
        ))
        .routes(routes!(rooms::retry::retry))
        .routes(routes!(rooms::dry_run::dry_run))
        .routes(routes!(rooms::typing::typing))
        .routes(routes!(rooms::session::session))
        .routes(routes!(rooms::session::end_session))
        .routes(routes!(rooms::notes::take_note))
        .routes(routes!(rooms::attachments::attachment))
        .routes(routes!(inspector::journal::journal))
        .routes(routes!(inspector::journal::journal_events))
        .routes(routes!(inspector::why::why))
        .routes(routes!(inspector::asks::asks))
        .routes(routes!(inspector::asks::ask))
        .routes(routes!(inspector::recording::recording))
        .routes(routes!(settings_page::settings, settings_page::change_settings))
        .routes(routes!(settings_page::settings_schema))
        .routes(routes!(settings_migrate::migrate_settings))
        .routes(routes!(events::events))
        .merge(thoughts())
        .merge(shared_screens())
        .merge(remembered())
}

/// Thoughts of its own, and what it reads.
fn thoughts() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .routes(routes!(ambient::look::ambient))
        .routes(routes!(ambient::think::think))
        .routes(routes!(ambient::think::drop_thought))
        .routes(routes!(ambient::status::status))
        .routes(routes!(discovery::preview::reports))
        .routes(routes!(discovery::preview::preview))
        .routes(routes!(discovery::check::check))
        .routes(routes!(discovery::sources::drop_source))
}

/// Shared screens: for the room's page, and for those who share.
fn shared_screens() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .routes(routes!(watch::shares::share))
        .routes(routes!(watch::shares::end_share))
        .routes(routes!(watch::view::watch, watch::choose::choose))
        .routes(routes!(watch::what_if::try_settings))
        .routes(routes!(watch::frame::newest_frame))
        .routes(routes!(watch::socket::socket))
        .routes(routes!(watch::frames::stop))
        .routes(routes!(watch::frames::take_frame))
        .routes(routes!(
            watch::whip::offer,
            watch::whip::end_stream,
            watch::whip::trickle
        ))
}

/// What is remembered, for the pages.
fn remembered() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .routes(routes!(memory::status::status))
        .routes(routes!(memory::gems::gems, memory::change::add_gem))
        .routes(routes!(
            memory::gems::gem,
            memory::change::edit_gem,
            memory::forget::forget_gem
        ))
        .routes(routes!(memory::change::supersede_gem))
        .routes(routes!(memory::search::search))
        .routes(routes!(memory::people::people))
        .routes(routes!(memory::timeline::timeline))
        .routes(routes!(memory::forget::forget_person))
        .routes(routes!(memory::forget::forget_session))
        .routes(routes!(memory::forget::forget_room))
        .routes(routes!(memory::runs::runs))
        .routes(routes!(memory::export::export))
}

/// The same for other agents; these addresses do not change.
fn for_agents() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .routes(routes!(agents::turns::take_turns))
        .routes(routes!(agents::forgetting::forget_turn))
        .routes(routes!(agents::recall::recall))
        .routes(routes!(agents::remember::remember))
        .routes(routes!(agents::forgetting::forget_gem))
        .routes(routes!(agents::forgetting::forget_session))
        .routes(routes!(agents::forgetting::forget_person))
}

async fn elsewhere(request: Request) -> Response {
    if is_api(request.uri().path()) {
        return Refusal::new(
            StatusCode::NOT_FOUND,
            "unknown_route",
            format!(
                "There is nothing at {}. GET /api/openapi.json lists what there is.",
                request.uri().path()
            ),
        )
        .into_response();
    }
    pages::serve(request.method(), request.uri(), request.headers())
}

async fn method_not_allowed(request: Request) -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        format!(
            "{} does not take {}. GET /api/openapi.json lists what it takes.",
            request.uri().path(),
            request.method()
        ),
    )
}

fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    // What a panic says may quote a message, so it stays out of the log above DEBUG.
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    tracing::debug!(said = said.unwrap_or_default(), "a request handler panicked");
    Refusal::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal",
        "Something went wrong inside Denizen; this is a defect. Nothing else is affected: try again, and please report it.",
    )
    .into_response()
}
