//! Links and their tokens: who gets one, how long it can be opened, and that nobody else ever sees it.

use std::time::Duration;

use runtime::NotAccepted;
use runtime::screens::ShareRefusal;
use tokio::time::advance;
use vocabulary::{ShareEnd, ShareId};

use crate::stage::{JPEG, Stage, new_share, picture};

#[tokio::test]
async fn a_token_is_24_url_safe_characters_and_never_the_same() {
    let stage = Stage::open();
    let (first, second) = (stage.invite("alice"), stage.invite("alice"));
    for link in [&first, &second] {
        assert_eq!(link.token.len(), 24);
        let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        assert!(link.token.chars().all(is_safe));
    }
    assert_ne!(first.token, second.token);
    assert_ne!(first.share, second.share);
}

#[tokio::test]
async fn a_token_alone_finds_its_share_and_no_other() {
    let stage = Stage::open();
    let (alice, bob) = (stage.invite("alice"), stage.invite("bob"));
    let ticket = stage.screens().ticket(None, &alice.token).unwrap();
    assert_eq!(ticket.share(), alice.share);
    assert_eq!(ticket.name(), "alice");
    assert!(stage.screens().ticket(Some(&alice.share), &alice.token).is_ok());

    let refused = |share: Option<&ShareId>, token: &str| {
        let refused = stage.screens().ticket(share, token).unwrap_err();
        assert_eq!(refused, ShareRefusal::NotFound);
    };
    refused(Some(&bob.share), &alice.token);
    refused(None, "");
    refused(None, &alice.token[..23]);
    refused(None, &format!("{}=", alice.token));
    let nearly = format!("{}{}", &alice.token[..20], &bob.token[20..]);
    refused(None, &nearly);
}

#[tokio::test]
async fn there_is_no_link_while_watching_is_switched_off() {
    let stage = Stage::open();
    stage.set("voice.streamWatch.enabled", false).await;
    let refused = stage.screens().invite(new_share("alice")).unwrap_err();
    assert_eq!(refused, ShareRefusal::Disabled);
}

#[tokio::test]
async fn there_is_no_link_to_a_community_that_is_gone() {
    let stage = Stage::open();
    stage.driver.abort();
    let _ = stage.driver.await;
    let refused = stage.handle.screens().invite(new_share("alice")).unwrap_err();
    assert_eq!(refused, ShareRefusal::NotAccepted(NotAccepted::Stopping));
}

#[tokio::test(start_paused = true)]
async fn at_most_240_links_are_open_and_what_is_over_makes_room() {
    let stage = Stage::open();
    let first = stage.invite("alice");
    for _ in 1..240 {
        stage.invite("bob");
    }
    let too_many = stage.screens().invite(new_share("carol")).unwrap_err();
    assert_eq!(too_many, ShareRefusal::TooManyLinks);

    stage
        .screens()
        .end(&first.share, ShareEnd::EndedByOperator)
        .await
        .unwrap();
    stage.invite("carol");
    assert!(stage.screens().invite(new_share("dave")).is_err());

    advance(Duration::from_secs(12 * 60)).await;
    stage.invite("dave");
}

#[tokio::test(start_paused = true)]
async fn a_link_expires_unless_it_was_opened() {
    let stage = Stage::open();
    stage.set("voice.streamWatch.shareLinkMinutes", 2).await;
    let (opened, left) = (stage.invite("alice"), stage.invite("bob"));
    let held = stage.screens().ticket(None, &left.token).unwrap();
    let ticket = stage.screens().ticket(None, &opened.token).unwrap();
    ticket.begin().await.unwrap();

    for _ in 0..4 {
        advance(Duration::from_secs(30)).await;
        ticket.touch();
    }
    assert_eq!(
        stage.screens().ticket(None, &left.token).unwrap_err(),
        ShareRefusal::NotFound
    );
    assert_eq!(held.begin().await, Err(ShareRefusal::NotFound));
    assert!(stage.screens().share(&left.share).is_none());
    assert!(stage.screens().ticket(None, &opened.token).is_ok());
    ticket.picture(JPEG, picture(9)).await.unwrap();
    assert_eq!(stage.story(), ["settings", "alice started", "frame"]);
}

#[tokio::test]
async fn a_link_says_until_when_it_can_be_opened() {
    let stage = Stage::open();
    let before = runtime::wall();
    let link = stage.invite("alice");
    let after = runtime::wall();
    let minutes = 12 * 60_000;
    assert!(before.0 + minutes <= link.expires_at.0 && link.expires_at.0 <= after.0 + minutes);
}

#[tokio::test]
async fn a_token_is_in_nothing_that_is_written() {
    let stage = Stage::open();
    let link = stage.invite("alice");
    let ticket = stage.screens().ticket(None, &link.token).unwrap();
    ticket.picture(JPEG, picture(7)).await.unwrap();
    let refused = ticket.picture("text/plain", picture(7)).await.unwrap_err();
    ticket.end(ShareEnd::Stopped).await;
    let unknown = stage.screens().ticket(None, &link.token).unwrap_err();

    let told = serde_json::to_string(&*stage.told()).unwrap();
    assert!(told.contains(link.share.as_str()));
    let written = [
        told,
        format!("{link:?} {ticket:?} {:?} {:?}", stage.screens(), stage.handle),
        format!("{refused:?} {unknown:?} {unknown}"),
        format!("{:?}", stage.told()),
    ];
    for text in written {
        assert!(!text.contains(&link.token), "{text}");
    }
}
