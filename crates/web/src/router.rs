//! Every route, and the layers around them.

use std::any::Any;
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
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Role::{Administrator, Agent, Monitor, Participant, Reader};
use crate::communities::routing::Communities;
use crate::declared::{self, Declared, least};
use crate::guard::{Guard, guard, is_api, security_headers};
use crate::openapi::Description;
use crate::refusal::Refusal;
use crate::refused::journal_refusals;
use crate::site::{Shared, Site};
use crate::{
    access, agents, ambient, communities, discovery, events, health, inspector, memory, metrics, openapi,
    overview, pages, rooms, settings_migrate, settings_page, spending, voice, watch,
};

/// The whole site as it is served at `address`.
pub fn router(site: Site, address: SocketAddr) -> Router {
    let guard = Guard::new(address, site.access.clone());
    assemble(Shared::new(site, CancellationToken::new()), guard)
}

pub(crate) fn assemble(shared: Shared, guards: Guard) -> Router {
    let ((of_a_community, first), (of_the_process, second)) = parts();
    declared::insist_on_roles(&first);
    declared::insist_on_roles(&second);
    let (written, version) = (Description::default(), shared.site.version.clone());
    let of_the_process = of_the_process.route(
        "/api/openapi.json",
        least(Reader, get(move || written.clone().serve(version.clone()))),
    );
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
    let (((_, mut gathered), (_, more)), schemas) = openapi::gathered(|| {
        // Pages make such events themselves, too.
        openapi::answer::<LiveEvent>();
        parts()
    });
    gathered.merge(more);
    openapi::complete(gathered, schemas, version)
}

/// Routes, and what they say of themselves.
type Parts = (Router<Shared>, OpenApi);

/// The routes of a community, and those of the process.
fn parts() -> (Parts, Parts) {
    (
        for_communities().split_for_parts(),
        for_the_process().split_for_parts(),
    )
}

/// What the process has once, whatever communities it hosts.
fn for_the_process() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .open(routes!(access::enter::enter))
        .at(Reader, routes!(access::enter::me))
        .at(Reader, routes!(access::enter::leave))
        .at(
            Administrator,
            routes!(access::manage::credentials, access::manage::add_token),
        )
        .at(Administrator, routes!(access::manage::revoke))
        .at(Administrator, routes!(access::manage::add_link))
        .at(Reader, routes!(communities::manage::communities))
        .at(Administrator, routes!(overview::overview))
        .at(Monitor, routes!(metrics::metrics))
        .at(Administrator, routes!(communities::manage::add_community))
        .at(Administrator, routes!(communities::manage::remove_community))
        .merge(for_agents())
}

/// What each community has for itself; under its name, and for the default one also without.
fn for_communities() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .at(Reader, routes!(health::health))
        .at(Reader, routes!(health::model))
        .at(Administrator, routes!(health::detect_model))
        .at(Administrator, routes!(health::try_model))
        .at(Administrator, routes!(health::models_answered))
        .at(Reader, routes!(rooms::list::rooms))
        .at(Reader, routes!(rooms::list::messages))
        .at(Participant, routes!(rooms::post::post_message))
        .at(Reader, routes!(rooms::fates::fates))
        .at(Reader, routes!(rooms::search::find))
        .at(
            Participant,
            routes!(rooms::change::edit_message, rooms::change::delete_message),
        )
        .at(
            Participant,
            routes!(rooms::reactions::react, rooms::reactions::take_back_reaction),
        )
        .at(Administrator, routes!(rooms::retry::retry))
        .at(Administrator, routes!(rooms::dry_run::dry_run))
        .at(Participant, routes!(rooms::typing::typing))
        .at(Reader, routes!(rooms::session::session))
        .at(Reader, routes!(rooms::quiet::quiet))
        .at(Administrator, routes!(rooms::session::end_session))
        .at(Administrator, routes!(rooms::notes::take_note))
        .at(Reader, routes!(rooms::attachments::attachment))
        .at(Administrator, routes!(access::names::names))
        .at(
            Administrator,
            routes!(access::names::release_name, access::names::hand_over_name),
        )
        .at(Administrator, routes!(inspector::journal::journal))
        .at(Reader, routes!(inspector::journal::journal_events))
        .at(Reader, routes!(inspector::why::why))
        .at(Administrator, routes!(inspector::asks::asks))
        .at(Administrator, routes!(inspector::asks::ask))
        .at(Administrator, routes!(inspector::recording::recording))
        .at(Administrator, routes!(spending::spending))
        .at(
            Administrator,
            routes!(settings_page::settings, settings_page::change_settings),
        )
        .at(Reader, routes!(settings_page::settings_schema))
        .at(Administrator, routes!(settings_migrate::migrate_settings))
        .at(Reader, routes!(events::events))
        .merge(thoughts())
        .merge(shared_screens())
        .merge(spoken())
        .merge(remembered())
}

/// Thoughts of its own, and what it reads.
fn thoughts() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .at(Administrator, routes!(ambient::look::ambient))
        .at(Administrator, routes!(ambient::think::think))
        .at(Administrator, routes!(ambient::think::drop_thought))
        .at(Administrator, routes!(ambient::status::status))
        .at(Administrator, routes!(discovery::preview::reports))
        .at(Administrator, routes!(discovery::preview::preview))
        .at(Administrator, routes!(discovery::check::check))
        .at(Administrator, routes!(discovery::sources::drop_source))
}

/// Shared screens: for the room's page, and for those who share.
fn shared_screens() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .at(Participant, routes!(watch::shares::share))
        .at(Participant, routes!(watch::shares::end_share))
        .at(Reader, routes!(watch::view::watch))
        .at(Participant, routes!(watch::choose::choose))
        .at(Administrator, routes!(watch::what_if::try_settings))
        .at(Reader, routes!(watch::frame::newest_frame))
        .for_sharers(routes!(watch::socket::socket))
        .for_sharers(routes!(watch::frames::stop))
        .for_sharers(routes!(watch::frames::take_frame))
        .for_sharers(routes!(
            watch::whip::offer,
            watch::whip::end_stream,
            watch::whip::trickle
        ))
}

/// The voice of rooms, for pages and programs.
fn spoken() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .at(Reader, routes!(voice::view::voice))
        .at(Participant, routes!(voice::sessions::come))
        .at(
            Participant,
            routes!(voice::sessions::change, voice::sessions::leave),
        )
        .at(Participant, routes!(voice::asking::join))
        .at(Participant, routes!(voice::asking::leave))
        .at(Participant, routes!(voice::socket::socket))
}

/// What is remembered, for the pages: of every room and person, so it is the administrator's.
fn remembered() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .at(Administrator, routes!(memory::status::status))
        .at(
            Administrator,
            routes!(memory::gems::gems, memory::change::add_gem),
        )
        .at(
            Administrator,
            routes!(
                memory::gems::gem,
                memory::change::edit_gem,
                memory::forget::forget_gem
            ),
        )
        .at(Administrator, routes!(memory::change::supersede_gem))
        .at(Administrator, routes!(memory::search::search))
        .at(Administrator, routes!(memory::people::people))
        .at(Administrator, routes!(memory::timeline::timeline))
        .at(Administrator, routes!(memory::forget::forget_person))
        .at(Administrator, routes!(memory::forget::forget_session))
        .at(Administrator, routes!(memory::forget::forget_room))
        .at(Administrator, routes!(memory::runs::runs))
        .at(Administrator, routes!(memory::export::export))
}

/// The same for other agents; these addresses do not change.
fn for_agents() -> OpenApiRouter<Shared> {
    OpenApiRouter::default()
        .at(Agent, routes!(agents::turns::take_turns))
        .at(Agent, routes!(agents::forgetting::forget_turn))
        .at(Agent, routes!(agents::recall::recall))
        .at(Agent, routes!(agents::remember::remember))
        .at(Agent, routes!(agents::forgetting::forget_gem))
        .at(Agent, routes!(agents::forgetting::forget_session))
        .at(Agent, routes!(agents::forgetting::forget_person))
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
