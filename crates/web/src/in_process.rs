//! The same API without a socket, for commands that bring a community up only for a moment.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use bytes::Bytes;
use tower::ServiceExt;

use crate::access::Access;
use crate::router::router;
use crate::site::Site;

/// A site that only this process can ask.
#[derive(Clone)]
pub struct InProcess {
    router: Router,
    key: String,
}

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InProcess").finish_non_exhaustive()
    }
}

impl InProcess {
    /// Whoever is in the process is its administrator.
    pub fn new(mut site: Site) -> Self {
        let key = Access::fresh_token();
        site.access = Access::in_memory(&[("process", &key)]);
        Self {
            router: router(site, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            key: format!("Bearer {}", key.as_str()),
        }
    }

    /// The status and the body of an answer, which has so many bytes at most.
    pub async fn call(&self, method: &str, path: &str, body: Option<String>, most: usize) -> (u16, Bytes) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, &self.key)
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.map_or_else(Body::empty, Body::from));
        let Ok(request) = request else {
            return (
                400,
                Bytes::from_static(
                    br#"{"error": {"code": "bad_path", "message": "The address cannot be read."}}"#,
                ),
            );
        };
        let response = match self.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status().as_u16();
        match to_bytes(response.into_body(), most).await {
            Ok(bytes) => (status, bytes),
            Err(_) => (500, Bytes::from_static(br#"{"error": {"code": "internal", "message": "The answer broke off, or is too large."}}"#)),
        }
    }
}
