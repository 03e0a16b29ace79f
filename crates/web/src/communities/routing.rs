//! Which community a request is for: today's addresses lead to the default one, the others name theirs.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use runtime::{DISCORD_PREFIX, Hosted};
use tower::ServiceExt;
use vocabulary::CommunityId;

use super::address::{Within, community_id, inner_address, within};
use crate::access::{Caller, Role};
use crate::guard::is_for_sharers;
use crate::refusal::Refusal;
use crate::site::Shared;

/// The routes of every community of the process.
#[derive(Clone)]
pub(crate) struct Communities {
    /// The default community's, and those of the process.
    home: Router,
    /// Makes the routes of a community.
    make: Arc<dyn Fn(Shared) -> Router + Send + Sync>,
    shared: Shared,
    made: Arc<Mutex<Made>>,
}

/// Requests after which it is looked whose community has gone; a look goes through all of them.
const LOOK_EVERY: u32 = 256;

/// Routes that were made, each with the community that they are of.
#[derive(Default)]
struct Made {
    routers: BTreeMap<CommunityId, (Hosted, Router)>,
    since_look: u32,
}

impl Made {
    /// Those of a community, while nothing has to be looked through. One that was removed and added again is another one.
    fn known(&mut self, hosted: &Hosted) -> Option<Router> {
        self.since_look += 1;
        let (known, router) = self.routers.get(hosted.id())?;
        let is_known = self.since_look < LOOK_EVERY && known.handle.is_same(&hosted.handle);
        is_known.then(|| router.clone())
    }
}

impl Communities {
    pub fn new(
        home: Router,
        shared: Shared,
        make: impl Fn(Shared) -> Router + Send + Sync + 'static,
    ) -> Self {
        Self {
            home,
            make: Arc::new(make),
            shared,
            made: Arc::default(),
        }
    }

    pub async fn answer(self, mut request: Request) -> Response {
        let router = match within(request.uri().path()) {
            None => self.home,
            Some(named) => match self.router(&named, request.extensions().get::<Caller>()) {
                Ok(router) => {
                    if let Some(inner) = inner_address(request.uri()) {
                        *request.uri_mut() = inner;
                    }
                    router
                }
                Err(refusal) => return refusal.into_response(),
            },
        };
        router
            .oneshot(request)
            .await
            .unwrap_or_else(|never: Infallible| match never {})
    }

    fn router(&self, named: &Within<'_>, caller: Option<&Caller>) -> Result<Router, Refusal> {
        let town = &self.shared.site.town;
        let id = community_id(named.community);
        let hosted = id.as_ref().and_then(|id| town.community(id));
        // Whoever has the key of a share needs no other. One that is good nowhere is refused alike where there is a server
        // and where there is none.
        let by_key = is_for_sharers(&format!("/api/{}", named.rest));
        let is_abroad = id.is_some_and(|id| id.as_str().starts_with(DISCORD_PREFIX));
        let hosted = match hosted.filter(|hosted| by_key || is_shown_to(caller, hosted)) {
            Some(hosted) => hosted,
            None if by_key && is_abroad => return Ok(self.home.clone()),
            None => return Err(self.unknown(named.community, caller)),
        };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(router) = made.known(&hosted) {
            return Ok(router);
        }
        made.since_look = 0;
        made.routers.retain(|id, (known, _)| {
            let now = town.community(id);
            now.is_some_and(|now| now.handle.is_same(&known.handle))
        });
        let (_, router) = made.routers.entry(hosted.id().clone()).or_insert_with(|| {
            let router = (self.make)(self.shared.of(hosted.clone()));
            (hosted, router)
        });
        Ok(router.clone())
    }

    /// Who only has the token of a share is not told which communities there are.
    fn unknown(&self, named: &str, caller: Option<&Caller>) -> Refusal {
        if caller.is_none() {
            return unknown_community(named, &[]);
        }
        let known = self.shared.site.town.list().into_iter();
        let known = known.filter(|hosted| is_shown_to(caller, hosted));
        let known: Vec<CommunityId> = known.map(|hosted| hosted.id().clone()).collect();
        unknown_community(named, &known)
    }
}

/// Whether somebody is told of a community at all. Whoever was let into the rooms of this process was not let into a
/// server of Discord's, whose own rules say who reads what there: those are for administrators.
pub(crate) fn is_shown_to(caller: Option<&Caller>, hosted: &Hosted) -> bool {
    hosted.platform().is_none() || caller.is_some_and(|caller| caller.role == Role::Administrator)
}

/// How many communities a refusal names.
const NAMED_MAX: usize = 20;

/// There is no such community; `known` are those there are.
pub(crate) fn unknown_community(named: &str, known: &[CommunityId]) -> Refusal {
    let names: Vec<&str> = known.iter().take(NAMED_MAX).map(CommunityId::as_str).collect();
    let rest = match known.len() {
        0 => "Ask for a new link.".to_owned(),
        all if all > NAMED_MAX => format!("There are {all}, among them: {}.", names.join(", ")),
        _ => format!("The communities are: {}.", names.join(", ")),
    };
    Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_community",
        format!("There is no community “{named}” here. {rest}"),
    )
}
