//! Shared screens of a community with a real driver and a real mind.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use mind::JournalEvent;
use runtime::ports::AskRecord;
use runtime::screens::{ShareRefusal, ShareTicket};
use runtime::{NotAccepted, Parts, Running};
use stand_ins::{EverybodyThere, TestSight};
use tokio::time::{sleep, timeout};
use vocabulary::{CommunityId, FrameRefusal, PersonId, ShareEnd};

use crate::stage::{JPEG, lounge, new_share, picture, reason};
use crate::stand_ins::{Echo, MemoryStore};

async fn start(store: &Arc<MemoryStore>) -> Running {
    start_with(store, Arc::default()).await
}

async fn start_with(store: &Arc<MemoryStore>, language: Arc<Echo>) -> Running {
    let parts = Parts {
        community: CommunityId::new("local"),
        denizen: PersonId::new("denizen"),
        store: store.clone(),
        language,
        rooms: Arc::new(EverybodyThere),
        sight: Arc::new(TestSight),
        outbound: runtime::ports::OutboundServices::none(),
        memory: None,
        voice: Arc::new(runtime::ports::NoVoice),
        coming: tokio::sync::mpsc::channel(1).1,
        speech: Arc::new(runtime::ports::NoSpeech),
    };
    runtime::start(parts).await.unwrap()
}

async fn share(running: &Running, name: &str) -> ShareTicket {
    let link = running.handle.screens().invite(new_share(name)).unwrap();
    let ticket = running.handle.screens().ticket(None, &link.token).unwrap();
    ticket.begin().await.unwrap();
    ticket
}

/// The first ask whose record is as wanted, once there is one.
async fn kept_ask(store: &MemoryStore, is_wanted: impl Fn(&AskRecord) -> bool) -> AskRecord {
    let found = async {
        loop {
            let found = store.kept().asks.values().find(|ask| is_wanted(ask)).cloned();
            if let Some(found) = found {
                return found;
            }
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), found).await.unwrap()
}

#[tokio::test]
async fn one_who_shares_is_watched_and_of_two_the_one_who_is_chosen() {
    let store: Arc<MemoryStore> = Arc::default();
    let running = start(&store).await;
    let alice = share(&running, "alice").await;
    assert!(alice.is_watched());
    alice.picture(JPEG, picture(1)).await.unwrap();
    let bob = share(&running, "bob").await;
    assert_eq!(
        reason(bob.picture(JPEG, picture(1)).await),
        FrameRefusal::TargetUserMismatch
    );
    let screens = running.handle.screens();
    screens.choose(&lounge(), Some(bob.share())).await.unwrap();
    bob.picture(JPEG, picture(1)).await.unwrap();
    assert_eq!(
        reason(alice.picture(JPEG, picture(1)).await),
        FrameRefusal::TargetUserMismatch
    );
    let view = running.handle.watch(lounge()).await.unwrap();
    assert_eq!(view.watched, Some(bob.share()));
    assert_eq!(view.shares.len(), 2);

    screens.choose(&lounge(), None).await.unwrap();
    assert_eq!(
        reason(bob.picture(JPEG, picture(1)).await),
        FrameRefusal::WatchNotActive
    );
    bob.end(ShareEnd::Stopped).await;
    alice.end(ShareEnd::Stopped).await;
    let view = running.handle.watch(lounge()).await.unwrap();
    assert!(view.shares.is_empty());
    running.stop().await;
}

#[tokio::test]
async fn links_do_not_outlive_the_process_and_stopping_ends_every_share() {
    let store: Arc<MemoryStore> = Arc::default();
    let running = start(&store).await;
    let link = running.handle.screens().invite(new_share("alice")).unwrap();
    let ticket = running.handle.screens().ticket(None, &link.token).unwrap();
    let before = ticket.picture(JPEG, picture(1)).await.unwrap();
    running.stop().await;
    timeout(Duration::from_secs(30), ticket.ended()).await.unwrap();
    assert_eq!(ticket.end_reason(), Some(ShareEnd::Restarted));
    assert_eq!(
        reason(ticket.picture(JPEG, picture(1)).await),
        FrameRefusal::SessionNotFound
    );

    let again = start(&store).await;
    let refused = again.handle.screens().ticket(None, &link.token).unwrap_err();
    assert_eq!(refused, ShareRefusal::NotFound);
    let ended = store.kept().journal.iter().any(|entry| {
        matches!(&entry.event, JournalEvent::ShareEnded { share, reason, .. }
            if *share == link.share && *reason == ShareEnd::Restarted)
    });
    assert!(ended, "the mind ends it by itself");
    let bob = share(&again, "bob").await;
    let after = bob.picture(JPEG, picture(1)).await.unwrap();
    assert!(
        after.glimpse.frame > before.glimpse.frame,
        "a frame's number is never that of a frame of an earlier process"
    );
    again.stop().await;
}

#[tokio::test]
async fn a_driver_ends_when_every_handle_is_gone_although_tickets_are_not() {
    let store: Arc<MemoryStore> = Arc::default();
    let running = start(&store).await;
    let screens = running.handle.screens().clone();
    let alice = share(&running, "alice").await;
    drop(running);
    // The driver holds the store as long as it runs.
    let gone = async {
        while Arc::strong_count(&store) > 1 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), gone).await.unwrap();
    let refused = screens.invite(new_share("alice")).unwrap_err();
    assert_eq!(refused, ShareRefusal::NotAccepted(NotAccepted::Stopping));
    assert_eq!(
        reason(alice.picture(JPEG, picture(1)).await),
        FrameRefusal::SessionNotFound
    );
}

#[tokio::test]
async fn a_frame_that_cannot_be_stored_is_refused_with_a_reason() {
    let store: Arc<MemoryStore> = Arc::default();
    let running = start(&store).await;
    let alice = share(&running, "alice").await;
    store.kept().is_broken = true;
    let refused = alice.picture(JPEG, picture(1)).await.unwrap_err();
    assert_eq!(refused.reason, FrameRefusal::FrameRateLimited);
    assert!(
        refused.detail.contains("could not be stored"),
        "{}",
        refused.detail
    );
    assert!(running.handle.screens().newest(&lounge()).is_none());
    store.kept().is_broken = false;
    alice.picture(JPEG, picture(1)).await.unwrap();
    running.stop().await;
}

/// Shows a picture to a model and returns what is kept of that, once `is_wanted`.
async fn show(language: Echo, ends_before: bool) {
    let (store, language) = (Arc::<MemoryStore>::default(), Arc::new(language));
    let running = start_with(&store, language.clone()).await;
    let alice = share(&running, "alice").await;
    let shown: Bytes = (0..4_000_u32).map(|n| (n * n % 251) as u8 + 1).collect();
    let frame = alice.picture(JPEG, shown.clone()).await.unwrap().glimpse.frame;
    if ends_before {
        kept_ask(&store, |ask| ask.request.purpose.name() == "screen_note").await;
        while language.sent.lock().unwrap().is_empty() {
            sleep(Duration::from_millis(5)).await;
        }
        alice.end(ShareEnd::Stopped).await;
    }
    let ended = |ask: &AskRecord| ask.request.purpose.name() == "screen_note" && ask.outcome.is_some();
    let kept = kept_ask(&store, ended).await;

    let written = STANDARD.encode(&shown);
    assert!(
        language
            .sent
            .lock()
            .unwrap()
            .iter()
            .any(|body| body.contains(&written))
    );
    let sentence = format!("(the picture of frame {frame} is not kept)");
    assert!(kept.raw_request.contains(&sentence), "{}", kept.raw_request);
    assert!(kept.raw_response.contains(&sentence), "{}", kept.raw_response);
    assert_eq!(
        kept.raw_request.contains("purpose_of_another_body"),
        language.sends_another
    );
    let everything = serde_json::to_string(&kept).unwrap();
    assert!(!everything.contains(&written[100..200]), "{everything}");
    running.stop().await;
}

#[tokio::test]
async fn a_model_sees_the_picture_and_the_store_does_not() {
    show(Echo::default(), false).await;
}

#[tokio::test]
async fn a_picture_in_a_body_that_went_out_instead_is_not_kept_either() {
    let language = Echo {
        sends_another: true,
        ..Echo::default()
    };
    show(language, false).await;
}

#[tokio::test]
async fn a_picture_in_an_ask_that_was_given_up_is_not_kept_either() {
    let language = Echo {
        sends_another: true,
        hangs: true,
        ..Echo::default()
    };
    show(language, true).await;
}
