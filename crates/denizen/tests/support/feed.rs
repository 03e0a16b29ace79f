//! A feed and a page on a free loopback port.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use vocabulary::rfc3339;

const PAGE: &str = "<html><head><title>Light</title></head><body><script>alert('no')</script><article><h1>Light</h1>\
    <p>A lighthouse of glass stands on the cliff, and everybody who passes it stops to look at it for a while.</p>\
    </article></body></html>";

/// The running server; it ends with the test's runtime.
pub struct FeedServer {
    /// Host and port, as the settings name a private host.
    pub host: String,
    pub url: String,
}

impl FeedServer {
    /// A feed with one item of today.
    pub async fn with_one_item(title: &'static str) -> Self {
        let feed = move || async move {
            let now = rfc3339::format(runtime::wall());
            let feed = format!(
                "<?xml version=\"1.0\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Lighthouse News</title><id>urn:l</id>\
                 <updated>{now}</updated><entry><title>{title}</title><id>urn:l:1</id><updated>{now}</updated>\
                 <link href=\"https://example.org/glass\"/><summary>It is made of glass.</summary></entry></feed>"
            );
            ([(CONTENT_TYPE, "application/atom+xml")], feed)
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a free port");
        let host = listener.local_addr().expect("an address").to_string();
        let router = Router::new().route("/feed.xml", get(feed)).route(
            "/page.html",
            get(|| async { ([(CONTENT_TYPE, "text/html")], PAGE) }),
        );
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self {
            url: format!("http://{host}/feed.xml"),
            host,
        }
    }
}
