//! Shared screens of a community with a real driver and a real mind.

use std::sync::Arc;
use std::time::Duration;

use runtime::screens::ShareRefusal;
use runtime::testing::{EverybodyThere, TestSight};
use runtime::{Parts, Running};
use tokio::time::{sleep, timeout};
use vocabulary::{CommunityId, FrameRefusal, PersonId, ShareEnd};

use crate::stage::{JPEG, new_share, picture, reason};
use crate::stand_ins::{Echo, MemoryStore};

async fn start(store: &Arc<MemoryStore>) -> Running {
    let parts = Parts {
        community: CommunityId::new("local"),
        denizen: PersonId::new("denizen"),
        store: store.clone(),
        language: Arc::new(Echo::default()),
        rooms: Arc::new(EverybodyThere),
        sight: Arc::new(TestSight),
        memory: None,
    };
    runtime::start(parts).await.unwrap()
}

#[tokio::test]
async fn links_do_not_outlive_the_process_and_stopping_ends_every_share() {
    let store: Arc<MemoryStore> = Arc::default();
    let running = start(&store).await;
    let link = running.handle.screens().invite(new_share("alice")).unwrap();
    let ticket = running.handle.screens().ticket(None, &link.token).unwrap();
    ticket.begin().await.unwrap();
    running.stop().await;
    ticket.ended().await;
    assert_eq!(ticket.end_reason(), Some(ShareEnd::Restarted));
    assert_eq!(
        reason(ticket.picture(JPEG, picture(1)).await),
        FrameRefusal::SessionNotFound
    );

    let again = start(&store).await;
    let refused = again.handle.screens().ticket(None, &link.token).unwrap_err();
    assert_eq!(refused, ShareRefusal::NotFound);
    again.stop().await;
}

#[tokio::test]
async fn a_driver_ends_when_every_handle_is_gone_although_tickets_are_not() {
    let store: Arc<MemoryStore> = Arc::default();
    let running = start(&store).await;
    let screens = running.handle.screens().clone();
    let link = screens.invite(new_share("alice")).unwrap();
    let ticket = screens.ticket(None, &link.token).unwrap();
    ticket.begin().await.unwrap();
    drop(running);
    // The driver holds the store as long as it runs.
    let gone = async {
        while Arc::strong_count(&store) > 1 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), gone).await.unwrap();
    let refused = screens.invite(new_share("alice")).unwrap_err();
    assert_eq!(refused, ShareRefusal::NotAccepted(runtime::NotAccepted::Stopping));
    drop(ticket);
}
