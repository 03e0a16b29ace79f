//! GIFs.

use runtime::ports::{MadeMedia, MediaFault, MediaMaker as _};
use serde_json::json;
use vocabulary::MediaKind;

use crate::bench::{GIF, KEY, Server, order, settings, studio};

async fn gif(server: &Server, provider: &str) -> Result<MadeMedia, MediaFault> {
    let mut settings = settings(server);
    settings.media.gif_provider = settings::GifProvider::named(provider).expect("a provider");
    studio()
        .make(&order(MediaKind::Gif, "", "happy cat & friends"), &settings)
        .await
}

#[tokio::test]
async fn giphy_is_searched_and_its_downsized_gif_fetched() {
    let server = Server::start().await;
    let url = format!("{}/media/a.gif", server.address);
    server
        .then_json(json!({"data": [{"id": "a", "images": {"downsized": {"url": url, "size": "24"}}}], "meta": {"status": 200}}))
        .then(([("content-type", "image/gif")], GIF));
    let made = gif(&server, "giphy").await.unwrap();
    assert_eq!(
        (made.mime.as_str(), made.name.as_str(), made.provider.as_str()),
        ("image/gif", "denizen-gif.gif", "giphy")
    );
    assert_eq!(made.cost_micro_dollars, Some(0));
    let asked = server.asked();
    assert_eq!(asked[0].path, "/v1/gifs/search");
    assert_eq!(
        asked[0].query,
        format!("api_key={KEY}&q=happy+cat+%26+friends&limit=10&rating=pg-13")
    );
    assert_eq!(
        (asked[1].path.as_str(), asked[1].query.as_str()),
        ("/media/a.gif", "")
    );
}

#[tokio::test]
async fn tenor_is_searched_in_its_own_way() {
    let server = Server::start().await;
    let url = format!("{}/media/t.gif", server.address);
    server
        .then_json(
            json!({"results": [{"id": "1", "media_formats": {"mediumgif": {"url": url, "size": 24}}}]}),
        )
        .then(([("content-type", "image/gif")], GIF));
    assert_eq!(gif(&server, "tenor").await.unwrap().provider, "tenor");
    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v2/search");
    assert_eq!(
        asked.query,
        format!(
            "key={KEY}&q=happy+cat+%26+friends&limit=10&contentfilter=medium&media_filter=mediumgif%2Cgif%2Ctinygif%2Cmp4"
        )
    );
}

#[tokio::test]
async fn the_next_find_is_taken_where_the_first_will_not_do() {
    let server = Server::start().await;
    let find = |name: &str| json!({"images": {"downsized": {"url": format!("{}/{name}", server.address)}}});
    server
        .then_json(json!({"data": [find("a.gif"), find("b.gif")]}))
        .then(([("content-type", "text/html")], "<html>gone</html>"))
        .then(([("content-type", "image/gif")], GIF));
    assert!(gif(&server, "giphy").await.is_ok());
}

#[tokio::test]
async fn nothing_found_and_a_bad_key_are_told_apart() {
    let server = Server::start().await;
    server.then_json(json!({"data": []}));
    assert!(
        gif(&server, "giphy")
            .await
            .unwrap_err()
            .detail
            .contains("found no GIF")
    );
    server.then_status(
        401,
        json!({"meta": {"status": 401, "msg": format!("no such key {KEY}")}}),
    );
    let fault = gif(&server, "giphy").await.unwrap_err();
    assert!(
        fault.detail.contains("GIPHY_API_KEY") && !fault.detail.contains(KEY),
        "{fault}"
    );
    server.then_status(403, json!({"error": {"code": 403, "message": format!("key {KEY} is not enabled"), "status": "PERMISSION_DENIED"}}));
    let fault = gif(&server, "tenor").await.unwrap_err();
    assert!(
        fault.detail.contains("[hidden] is not enabled") && !fault.detail.contains(KEY),
        "{fault}"
    );
}

#[tokio::test]
async fn a_key_in_the_address_is_in_no_message_when_nobody_answers() {
    let server = Server::start().await;
    let mut settings = settings(&server);
    settings.media.gif_url = "http://127.0.0.1:9".to_owned();
    let order = order(MediaKind::Gif, "", "cat");
    let fault = studio().make(&order, &settings).await.unwrap_err();
    assert!(
        fault.detail.contains("cannot be reached") && !fault.detail.contains(KEY),
        "{fault}"
    );
}
