//! Video streams: an offer is answered by whoever takes streams in, or refused by name.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use reqwest::{Method, RequestBuilder};
use runtime::ports::{StreamRefusal, Streams};
use runtime::screens::ShareTicket;
use serde_json::json;

use crate::caller::answer;
use crate::watching::{Link, Watching, With, watching, watching_with};

/// Answers offers by what they say.
#[derive(Default)]
struct Answering(Mutex<Vec<ShareTicket>>);

#[async_trait]
impl Streams for Answering {
    async fn offer(&self, ticket: ShareTicket, sdp: &str) -> Result<String, StreamRefusal> {
        match sdp {
            "gibberish" => Err(StreamRefusal::BadOffer(
                "this is no SDP; send what the client made".into(),
            )),
            "audio" => Err(StreamRefusal::NoUsableVideo(
                "there is no video in it; add some".into(),
            )),
            "full" => Err(StreamRefusal::Unavailable(
                "8 streams come in already; wait for one to end".into(),
            )),
            offer => {
                self.0.lock().unwrap().push(ticket);
                Ok(format!("answer to {offer}"))
            }
        }
    }
}

async fn streaming() -> (Watching, Arc<Answering>) {
    let streams = Arc::new(Answering::default());
    let with = With {
        streams: Some(streams.clone()),
        ..With::default()
    };
    (watching_with(with).await, streams)
}

fn offer(house: &Watching, link: &Link, sdp: &str) -> RequestBuilder {
    house
        .caller
        .request(Method::POST, &link.whip)
        .bearer_auth(&link.token)
        .header("content-type", "application/sdp")
        .body(sdp.to_owned())
}

#[tokio::test]
async fn an_offer_is_answered_and_the_share_begins() {
    let (mut house, streams) = streaming().await;
    let link = house.link("Alice").await;
    let answered = answer(offer(&house, &link, "v=0")).await;
    assert_eq!((answered.status, answered.text.as_str()), (201, "answer to v=0"));
    assert_eq!(answered.header("content-type"), "application/sdp");
    assert_eq!(answered.header("location"), link.whip);
    house.journaled("stream_watch_share_started").await;
    assert_eq!(house.view().await["watched"], link.share);
    // Whoever lost the connection offers again.
    assert_eq!(answer(offer(&house, &link, "v=1")).await.status, 201);

    let ticket = streams.0.lock().unwrap()[0].clone();
    let delete = || house.caller.request(Method::DELETE, &link.whip);
    answer(delete()).await.refused(404, "session_not_found");
    assert_eq!(answer(delete().bearer_auth(&link.token)).await.status, 200);
    ticket.ended().await;
    answer(offer(&house, &link, "v=2"))
        .await
        .refused(404, "session_not_found");
    assert_eq!(streams.0.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn offers_that_will_not_do_are_refused_by_name_and_begin_nothing() {
    let (house, streams) = streaming().await;
    let link = house.link("Alice").await;
    let refused =
        async |request: RequestBuilder, status, code: &str| answer(request).await.refused(status, code);
    refused(offer(&house, &link, "gibberish"), 422, "bad_offer").await;
    refused(offer(&house, &link, "audio"), 422, "no_usable_video").await;
    refused(offer(&house, &link, "full"), 503, "streams_unavailable").await;
    let not_text = house
        .caller
        .request(Method::POST, &link.whip)
        .bearer_auth(&link.token);
    let not_text = not_text
        .header("content-type", "application/sdp")
        .body(vec![0xff, 0xfe]);
    refused(not_text, 422, "bad_offer").await;
    let problem = refused(
        offer(&house, &link, &"x".repeat(65 * 1024)),
        413,
        "body_too_large",
    )
    .await;
    assert!(problem.contains("64 kB"), "{problem}");
    for mime in ["application/json", ""] {
        let request = house
            .caller
            .request(Method::POST, &link.whip)
            .bearer_auth(&link.token);
        let wrong = answer(request.header("content-type", mime).body("v=0")).await;
        wrong.refused(415, "wrong_content_type");
        assert_eq!(wrong.header("accept-post"), "application/sdp");
    }
    let stranger = house.caller.request(Method::POST, &link.whip).bearer_auth("x");
    refused(
        stranger.header("content-type", "application/sdp").body("v=0"),
        404,
        "session_not_found",
    )
    .await;
    let trickled = answer(
        house
            .caller
            .request(Method::PATCH, &link.whip)
            .bearer_auth(&link.token),
    )
    .await;
    trickled.refused(405, "method_not_allowed");
    assert_eq!(trickled.header("allow"), "POST, DELETE");
    assert!(streams.0.lock().unwrap().is_empty());
    assert_eq!(house.view().await["shares"], json!([]));
    house.set(&[("voice.streamWatch.enabled", json!(false))]).await;
    refused(offer(&house, &link, "v=0"), 409, "stream_watch_disabled").await;
}

#[tokio::test]
async fn where_streams_cannot_come_in_the_other_ways_are_named() {
    let house = watching().await;
    let link = house.link("Alice").await;
    let problem = answer(offer(&house, &link, "v=0"))
        .await
        .refused(503, "streams_unavailable");
    assert!(problem.contains("share page"), "{problem}");
}

#[tokio::test]
async fn programs_send_no_origin_and_pages_of_other_sites_are_refused() {
    let (house, _streams) = streaming().await;
    let link = house.link("Alice").await;
    let evil = offer(&house, &link, "v=0").header("origin", "http://evil.example");
    answer(evil).await.refused(403, "bad_origin");
    let own = format!("http://{}", house.address);
    let own = offer(&house, &link, "v=0").header("origin", own);
    assert_eq!(answer(own).await.status, 201);
}
