//! A town whose memory is away: what could not be done can be done again.

use std::sync::Arc;

use runtime::memory::{MemoryService, OnOtherEmbedder};
use runtime::ports::{OutboundServices, Rooms, Store};
use runtime::{DenizenName, NewCommunity, Platform, Quarters, Services, Town, TownError};
use serde_json::json;
use settings::Document;
use stand_ins::{MemoryInRam, TestSight};
use vocabulary::{CommunityId, PersonId, RoomId};

use crate::given::{Home, ROOM, community};

struct OneRoom(Arc<dyn Rooms>);

impl Platform for OneRoom {
    fn quarters(&self, _: &CommunityId, _: DenizenName) -> Quarters {
        Quarters {
            denizen: PersonId::new("denizen"),
            rooms: vec![RoomId::new(ROOM)],
            adapter: self.0.clone(),
            voice: None,
        }
    }
}

#[tokio::test]
async fn removing_a_community_that_failed_once_can_be_repeated() {
    let home = Home::with(json!({"initiative.text.enabled": false})).await;
    let ram = MemoryInRam::default();
    let (gems, buffer) = (Arc::new(ram.clone()), Arc::new(ram.clone()));
    let memory = MemoryService::open(gems, buffer, None, OnOtherEmbedder::Reembed).await;
    let services = Services {
        store: home.store.clone(),
        language: home.model.clone(),
        sight: Arc::new(TestSight),
        outbound: OutboundServices::none(),
        memory: Some(memory.expect("opened")),
        platform: Arc::new(OneRoom(home.open_room())),
    };
    let town = Town::open(services, community()).await.expect("opened");
    let club = CommunityId::new("club");
    let new = NewCommunity {
        id: club.clone(),
        name: "The club".to_owned(),
        settings: Document::default(),
    };
    town.add(new.clone()).await.expect("added");
    ram.refuse_to_forget(true);
    let failed = town.remove(&club).await.expect_err("memory refuses");
    assert!(matches!(failed, TownError::Memory(_)), "{failed}");
    ram.refuse_to_forget(false);
    town.remove(&club).await.expect("it can be repeated");
    let left = home.store.communities().await.expect("read");
    assert!(left.iter().all(|record| record.id != club));
    let unknown = town.remove(&club).await.expect_err("it is gone");
    assert!(matches!(unknown, TownError::Unknown { .. }), "{unknown}");
    town.add(new).await.expect("added again");
    town.stop().await;
}
