//! The same API without a socket, for commands that bring a community up only for a moment.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use bytes::Bytes;
use tower::ServiceExt;

use crate::router::router;
use crate::site::Site;

/// A site that only this process can ask.
#[derive(Clone, Debug)]
pub struct InProcess(Router);

impl InProcess {
    /// Whoever is in the process needs no token.
    pub fn new(mut site: Site) -> std::io::Result<Self> {
        site.token = None;
        router(site, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).map(Self)
    }

    /// The status and the body of an answer, which has so many bytes at most.
    pub async fn call(&self, method: &str, path: &str, body: Option<String>, most: usize) -> (u16, Bytes) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
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
        let response = match self.0.clone().oneshot(request).await {
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
