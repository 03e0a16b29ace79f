//! Routes are declared with the least role they take; the description says it, and no route is without.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{OpenApi, Paths};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::access::{Caller, Role};
use crate::refusal::Refusal;
use crate::site::Shared;

/// Where the description of a route says its least role.
pub(crate) const LEAST_ROLE: &str = "x-least-role";

/// Routes and who may use them.
pub(crate) trait Declared {
    /// Routes that take at least a role.
    fn at(self, least: Role, routes: UtoipaMethodRouter<Shared>) -> Self;
    /// Routes for whoever shares a screen; each asks for the token of the share itself.
    fn for_sharers(self, routes: UtoipaMethodRouter<Shared>) -> Self;
    /// Routes that let somebody in.
    fn open(self, routes: UtoipaMethodRouter<Shared>) -> Self;
}

impl Declared for OpenApiRouter<Shared> {
    fn at(self, role: Role, (schemas, mut paths, methods): UtoipaMethodRouter<Shared>) -> Self {
        describe(&mut paths, role.name());
        self.routes((schemas, paths, least(role, methods)))
    }

    fn for_sharers(self, (schemas, mut paths, methods): UtoipaMethodRouter<Shared>) -> Self {
        describe(&mut paths, "sharer");
        self.routes((schemas, paths, methods))
    }

    fn open(self, (schemas, mut paths, methods): UtoipaMethodRouter<Shared>) -> Self {
        describe(&mut paths, "nobody");
        self.routes((schemas, paths, methods))
    }
}

/// Methods that take at least a role.
pub(crate) fn least(role: Role, methods: MethodRouter<Shared>) -> MethodRouter<Shared> {
    methods.route_layer(from_fn_with_state(role, check))
}

/// A route without a role must not be served.
///
/// # Panics
/// If there is one.
pub(crate) fn insist_on_roles(routes: &OpenApi) {
    for (path, item) in &routes.paths.paths {
        let operations = [
            (&item.get, "get"),
            (&item.put, "put"),
            (&item.post, "post"),
            (&item.delete, "delete"),
            (&item.patch, "patch"),
            (&item.head, "head"),
            (&item.options, "options"),
            (&item.trace, "trace"),
        ];
        for (operation, method) in operations {
            let says_role = |operation: &Operation| {
                let extensions = operation.extensions.as_ref();
                extensions.is_some_and(|extensions| extensions.contains_key(LEAST_ROLE))
            };
            assert!(
                operation.as_ref().is_none_or(says_role),
                "{method} {path} does not say which role it takes"
            );
        }
    }
}

fn describe(paths: &mut Paths, role: &str) {
    for item in paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
            &mut item.patch,
        ];
        for operation in operations.into_iter().flatten() {
            operation
                .extensions
                .get_or_insert_default()
                .insert(LEAST_ROLE.to_owned(), role.into());
        }
    }
}

async fn check(State(least): State<Role>, request: Request, next: Next) -> Response {
    match request.extensions().get::<Caller>() {
        Some(caller) if caller.role.may(least) => next.run(request).await,
        caller => not_allowed(least, caller.map(|caller| caller.role)).into_response(),
    }
}

fn not_allowed(least: Role, role: Option<Role>) -> Refusal {
    let own = role.map_or("nobody", Role::name);
    Refusal::new(
        StatusCode::FORBIDDEN,
        "not_allowed",
        format!(
            "This takes the role {least}, and what you came in with has the role {own}. Ask whoever runs this Denizen for another link or token."
        ),
    )
}
