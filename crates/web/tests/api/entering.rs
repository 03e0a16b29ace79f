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
    // The page is told that it has to ask first.
    let asking = format!("/?token={TOKEN}&from=elsewhere");
    for site in ["cross-site", "same-site"] {
        let shown = visit(site).await;
        assert_eq!((shown.status, shown.header("set-cookie")), (303, ""), "{site}");
        assert_eq!(shown.header("location"), asking, "{site}");
        let asked = stranger
            .request(Method::GET, &asking)
            .header("sec-fetch-site", site);
        let asked = answer(asked).await;
        assert_eq!((asked.status, asked.header("set-cookie")), (200, ""), "{site}");
    }
    let link = stranger
        .request(Method::GET, "/?as=Bob&enter=abc")
        .header("sec-fetch-site", "cross-site");
    assert_eq!(
        answer(link).await.header("location"),
        "/?as=Bob&enter=abc&from=elsewhere"
    );
    let plain = stranger
        .request(Method::GET, "/?as=Bob")
        .header("sec-fetch-site", "cross-site");
    assert_eq!(answer(plain).await.status, 200);
    for site in ["none", "same-origin"] {
        assert_eq!(visit(site).await.status, 303, "{site}");
    }
}

#[tokio::test]
async fn a_link_that_allows_less_lowers_no_browser_and_is_not_used_up() {
    let house = open().await;
    let stranger = Caller::new(house.address);
    let code = async |role: &str| {
        let made = house
            .caller
            .post("/api/access/links", &json!({"role": role}))
            .await;
        let path = made.ok(201)["path"].as_str().unwrap().to_owned();
        path.strip_prefix("/?enter=").unwrap().to_owned()
    };
    let enter = async |code: &str, cookie: &str, instead: bool| {
        let path = format!("/api/enter{}", if instead { "?instead=true" } else { "" });
        let request = stranger.with_json(Method::POST, &path, &json!({"code": code}));
        answer(request.header("cookie", cookie)).await
    };
    let strong = pair(&enter(&code("administrator").await, "", false).await);
    let weak = code("participant").await;
    let kept = enter(&weak, &strong, false).await;
    assert_eq!(
        kept.ok(200),
        json!({"role": "administrator", "offered": "participant"})
    );
    assert_eq!(pair(&kept), strong, "it keeps its session");
    // A cookie that something else on this machine has left before the browser's own changes nothing.
    let (name, _) = strong.split_once('=').unwrap();
    let planted = pair(&enter(&code("reader").await, "", false).await);
    for both in [
        format!("{planted}; {strong}"),
        format!("{strong}; {planted}"),
        format!("{name}=x; {strong}"),
    ] {
        let kept = enter(&weak, &both, false).await;
        assert_eq!(
            (kept.ok(200)["role"].clone(), pair(&kept)),
            (json!("administrator"), strong.clone())
        );
    }
    // The link is good still; whoever wants to be less by it says so, and is.
    let chosen = enter(&weak, &strong, true).await;
    assert_eq!(chosen.ok(200), json!({"role": "participant"}));
    assert_ne!(pair(&chosen), strong);
    me(&stranger, &strong).await.refused(401, "unauthorized");
    enter(&weak, "", false).await.refused(403, "link_over");
}
