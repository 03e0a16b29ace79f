//! Which community a request is for: today's addresses lead to the default one, the others name theirs.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use runtime::Hosted;
use tower::ServiceExt;
use vocabulary::CommunityId;

use super::address::{Within, community_id, inner_address, within};
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
    made: Arc<Mutex<BTreeMap<CommunityId, (Hosted, Router)>>>,
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
            Some(named) => match self.router(&named, is_for_sharers(request.uri().path())) {
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

    fn router(&self, named: &Within<'_>, by_a_stranger: bool) -> Result<Router, Refusal> {
        let town = &self.shared.site.town;
        let hosted = community_id(named.community).and_then(|id| town.community(&id));
        let Some(hosted) = hosted else {
            return Err(self.unknown(named.community, by_a_stranger));
        };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        // A community that was removed and added again is another one.
        made.retain(|id, (known, _)| {
            let now = town.community(id);
            now.is_some_and(|now| now.handle.is_same(&known.handle))
        });
        let (_, router) = made.entry(hosted.id().clone()).or_insert_with(|| {
            let router = (self.make)(self.shared.of(hosted.clone()));
            (hosted, router)
        });
        Ok(router.clone())
    }

    /// Who only has the token of a share is not told which communities there are.
    fn unknown(&self, named: &str, by_a_stranger: bool) -> Refusal {
        if by_a_stranger {
            return unknown_community(named, &[]);
        }
        let known = self.shared.site.town.list();
        let known: Vec<CommunityId> = known.iter().map(|hosted| hosted.id().clone()).collect();
        unknown_community(named, &known)
    }
}

/// There is no such community; `known` are those there are.
pub(crate) fn unknown_community(named: &str, known: &[CommunityId]) -> Refusal {
    let known: Vec<&str> = known.iter().map(CommunityId::as_str).collect();
    let rest = match known.as_slice() {
        [] => "Ask for a new link.".to_owned(),
        known => format!("The communities are: {}.", known.join(", ")),
    };
    Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown_community",
        format!("There is no community “{named}” here. {rest}"),
    )
}
