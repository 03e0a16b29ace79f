//! Coming in by a token: one session that ends with it, and no other site that chooses as whom a browser acts.

use reqwest::Method;
use serde_json::json;

use crate::caller::{Answer, Caller, answer};
use crate::driver::{House, TOKEN, open};

/// A fresh token of a role, and its id.
async fn token(house: &House, role: &str) -> (String, String) {
    let new = json!({"role": role, "label": "a test"});
    let made = house.caller.post("/api/access", &new).await.ok(201);
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    (text(&made["token"]), text(&made["credential"]["id"]))
}

/// What a browser sends from now on.
fn pair(entered: &Answer) -> String {
    let cookie = entered.header("set-cookie");
    cookie.split(';').next().unwrap().to_owned()
}

async fn me(stranger: &Caller, pair: &str) -> Answer {
    answer(stranger.request(Method::GET, "/api/me").header("cookie", pair)).await
}

#[tokio::test]
async fn a_token_that_is_taken_back_ends_its_session_and_the_events_it_listens_to() {
    let house = open().await;
    let (secret, id) = token(&house, "reader").await;
    let stranger = Caller::new(house.address);
    let address = format!("/?token={secret}");
    let session = pair(&stranger.get(&address).await);
    assert_eq!(pair(&stranger.get(&address).await), session, "one session");
    me(&stranger, &session).await.ok(200);
    let mut by_session = stranger.listen("/api/events", &[("cookie", &session)]).await;
    let mut by_token = Caller::knowing(house.address, &secret)
        .listen("/api/events", &[])
        .await;
    let path = format!("/api/access/{id}");
    let taken_back = answer(house.caller.request(Method::DELETE, &path)).await;
    assert_eq!(taken_back.status, 204);
    me(&stranger, &session).await.refused(401, "unauthorized");
    for stream in [&mut by_session, &mut by_token] {
        let ended = async { while stream.chunk().await.unwrap().is_some() {} };
        tokio::time::timeout(std::time::Duration::from_secs(30), ended)
            .await
            .expect("the stream ends");
    }
    house.caller.get("/api/me").await.ok(200);
}

#[tokio::test]
async fn a_page_of_another_site_does_not_choose_whose_session_a_browser_has() {
    let house = open().await;
    let stranger = Caller::new(house.address);
    let visit = async |site: &str| {
        let request = stranger.request(Method::GET, &format!("/?token={TOKEN}"));
        answer(request.header("sec-fetch-site", site)).await
    };
    for site in ["cross-site", "same-site"] {
        let shown = visit(site).await;
        assert_eq!((shown.status, shown.header("set-cookie")), (200, ""), "{site}");
    }
    for site in ["none", "same-origin"] {
        assert_eq!(visit(site).await.status, 303, "{site}");
    }
}
