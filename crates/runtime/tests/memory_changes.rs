//! What is edited, taken back or forgotten stays so, whatever else is under way and wherever it stood.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use runtime::memory::{GemEdit, MemoryService, NewGem, OnOtherEmbedder};
use runtime::ports::{
    EmbedRole, Embedder, EmbedderIdentity, GemStore, Listing, MemoryFault, TurnBuffer, WhoseTurns,
};
use stand_ins::MemoryInRam;
use tokio::sync::Notify;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, Forget, Gem, Place, Record, RecordId, TurnKey, TurnKind,
    WallTime,
};

/// Takes its time with the next text that is to be kept, where it is told to.
#[derive(Debug, Default)]
struct Slow {
    waits: AtomicBool,
    asked: Notify,
    go_on: Notify,
}

#[async_trait]
impl Embedder for Slow {
    fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: "slow".to_owned(),
            dimensions: 2,
        }
    }

    async fn embed(&self, texts: &[String], role: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        if role == EmbedRole::Passage && self.waits.swap(false, Ordering::SeqCst) {
            self.asked.notify_one();
            self.go_on.notified().await;
        }
        Ok(vec![vec![1.0, 0.0]; texts.len()])
    }
}

async fn opened(ram: &MemoryInRam, embedder: Option<Arc<dyn Embedder>>) -> MemoryService {
    let (gems, buffer) = (Arc::new(ram.clone()), Arc::new(ram.clone()));
    let opening = MemoryService::open(gems, buffer, embedder, OnOtherEmbedder::Reembed);
    opening.await.expect("memory in hand opens")
}

fn home() -> CommunityId {
    CommunityId::home()
}

fn place() -> Place {
    Place {
        community: home(),
        room: "lounge".into(),
        private: false,
    }
}

fn turn(id: &str, text: &str) -> CapturedTurn {
    CapturedTurn {
        id: id.into(),
        place: place(),
        session: "s".into(),
        number: 0,
        speaker: Author {
            id: "cleo".into(),
            name: "Cleo".to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: WallTime(1_771_848_000_000),
    }
}

async fn taken_on(service: &MemoryService, turns: &[CapturedTurn]) -> Vec<CapturedTurn> {
    let intake = service.intake();
    intake.capture(turns).await.expect("captured");
    let taken = intake.take_on(&WhoseTurns::All, 32, 512).await;
    taken.expect("taken on")
}

/// Stores what patterns find in turns, as a run does.
async fn learn(service: &MemoryService, said: &[CapturedTurn]) {
    let gems = gist::gems::offline::extract(said, WallTime(1_000), &[]).gems;
    assert!(!gems.is_empty());
    let gathering = mind::Gathering {
        extraction: vocabulary::ExtractionId(1),
        session: "s".into(),
        turns: said.iter().map(|turn| turn.id.clone()).collect(),
        gems,
        heard: Default::default(),
    };
    service.intake().store(&gathering).await.expect("stored");
}

async fn told(store: &MemoryInRam) -> Vec<String> {
    let listing = Listing {
        limit: 100,
        ..Listing::default()
    };
    let gems: Vec<Gem> = store.gems(&listing).await.expect("read").items;
    gems.into_iter().map(|gem| gem.content).collect()
}

async fn words_of(store: &MemoryInRam, id: &str) -> Option<String> {
    let read = store.get(&[RecordId::Turn(id.into())]).await.expect("read");
    read.into_iter().find_map(|record| match record {
        Record::Turn(turn) => Some(turn.text),
        Record::Gem(_) => None,
    })
}

async fn a_while() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

fn cleo() -> Forget {
    Forget::Person {
        person: "cleo".into(),
        name: "Cleo".to_owned(),
        community: None,
    }
}

#[tokio::test]
async fn what_is_forgotten_or_edited_while_vectors_are_made_anew_does_not_come_back() {
    let ram = MemoryInRam::default();
    let without = opened(&ram, None).await;
    let said = [
        turn("a", "my secret"),
        turn("b", "the gate is blue"),
        turn("c", "hello"),
    ];
    taken_on(&without, &said).await;
    let slow = Arc::new(Slow::default());
    let service = opened(&ram, Some(slow.clone())).await;
    slow.waits.store(true, Ordering::SeqCst);
    let vectors = service.vectors().clone();
    let embedding = tokio::spawn(async move { vectors.embed_the_rest().await });
    slow.asked.notified().await;
    let intake = service.intake();
    intake.drop_turn(&home(), &"a".into()).await.expect("dropped");
    let edited = intake
        .edit_turn(&home(), &"b".into(), "the gate is red", &[])
        .await;
    edited.expect("edited");
    slow.go_on.notify_one();
    embedding.await.expect("it ends").expect("embedded");
    assert_eq!(words_of(&ram, "a").await, None);
    assert_eq!(words_of(&ram, "b").await.as_deref(), Some("the gate is red"));
    assert_eq!(words_of(&ram, "c").await.as_deref(), Some("hello"));
    assert!(ram.unembedded(10).await.expect("read").is_empty());
}

#[tokio::test]
async fn a_gem_that_is_corrected_while_its_person_is_forgotten_does_not_come_back() {
    let ram = MemoryInRam::default();
    let slow = Arc::new(Slow::default());
    let service = opened(&ram, Some(slow.clone())).await;
    let new = NewGem {
        content: "Cleo works at Zebra.".to_owned(),
        summary: None,
        topics: Vec::new(),
        importance: None,
        tags: Vec::new(),
        person: Some("cleo".into()),
        person_name: "Cleo".to_owned(),
        place: place(),
        session: "s".into(),
        standing: false,
        made_by: "operator".to_owned(),
    };
    let changes: [fn(MemoryService, Gem) -> tokio::task::JoinHandle<()>; 2] = [
        |service, gem| {
            tokio::spawn(async move {
                let content = Some("Cleo works at Kaloo.".to_owned());
                let edit = GemEdit {
                    content,
                    ..GemEdit::default()
                };
                // Whether it was in time is all the same.
                let _ = service.records().edit(&gem.gem_id, edit).await;
            })
        },
        |service, gem| {
            tokio::spawn(async move {
                let words = "Cleo works at Kaloo.";
                let _ = service
                    .records()
                    .supersede_with(&gem.gem_id, words, "operator")
                    .await;
            })
        },
    ];
    for change in changes {
        let gem = service.records().remember(new.clone()).await.expect("remembered");
        slow.waits.store(true, Ordering::SeqCst);
        let changing = change(service.clone(), gem);
        slow.asked.notified().await;
        let forgetting = service.clone();
        let forgetting = tokio::spawn(async move { forgetting.forgetting().forget(&cleo()).await });
        a_while().await;
        slow.go_on.notify_one();
        changing.await.expect("it ends");
        forgetting.await.expect("it ends").expect("forgotten");
        assert_eq!(told(&ram).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_message_that_is_changed_while_its_turn_waits_or_is_held_is_not_told_as_it_was() {
    let ram = MemoryInRam::default();
    let service = opened(&ram, None).await;
    taken_on(&service, &[turn("a", "my secret"), turn("b", "the gate is blue")]).await;
    let waiting = [turn("c", "another secret"), turn("d", "the door is blue")];
    service.intake().capture(&waiting).await.expect("captured");
    let intake = service.intake();
    for id in ["a", "c"] {
        intake.drop_turn(&home(), &id.into()).await.expect("dropped");
    }
    for id in ["b", "d"] {
        let edited = intake.edit_turn(&home(), &id.into(), "it is red", &[]).await;
        edited.expect("edited");
    }
    let words = |turns: Vec<CapturedTurn>| turns.into_iter().map(|turn| turn.text).collect::<Vec<_>>();
    let held = TurnBuffer::held(&ram, &WhoseTurns::All).await.expect("held");
    assert_eq!(words(held), ["it is red"]);
    assert_eq!(words(ram.waiting()), ["it is red"]);
    // After a restart what is held is archived and told once more.
    let again = intake.held(&WhoseTurns::All).await.expect("held");
    assert_eq!(words(again), ["it is red"]);
    assert_eq!(words_of(&ram, "a").await, None);
}

#[tokio::test]
async fn what_is_changed_is_gone_from_a_store_that_was_moved_away_from() {
    let (ram, behind) = (MemoryInRam::default(), MemoryInRam::default());
    let before = opened(&behind, None).await;
    let said = [
        turn("a", "my secret"),
        turn("b", "the gate is blue"),
        turn("c", "hello"),
    ];
    taken_on(&before, &said).await;
    let service = opened(&ram, None)
        .await
        .with_left_behind(Arc::new(behind.clone()));
    taken_on(&service, &said).await;
    let intake = service.intake();
    intake.drop_turn(&home(), &"a".into()).await.expect("dropped");
    let edited = intake
        .edit_turn(&home(), &"b".into(), "the gate is red", &[])
        .await;
    edited.expect("edited");
    assert_eq!(words_of(&behind, "a").await, None);
    assert_eq!(words_of(&behind, "b").await, None);
    assert_eq!(words_of(&behind, "c").await.as_deref(), Some("hello"));
}

#[tokio::test]
async fn an_edit_that_breaks_off_loses_nothing_and_can_be_repeated() {
    let ram = MemoryInRam::default();
    let service = opened(&ram, None).await;
    let said = taken_on(&service, &[turn("a", "I work at Zebra")]).await;
    learn(&service, &said).await;
    assert_eq!(told(&ram).await, ["Cleo works at Zebra."]);
    let edit = async |text: &str| {
        let id = TurnKey::from("a");
        service.intake().edit_turn(&home(), &id, text, &[]).await
    };
    ram.forget_badly(true);
    edit("I work at Kaloo").await.expect_err("its answer is lost");
    assert_eq!(words_of(&ram, "a").await.as_deref(), Some("I work at Kaloo"));
    ram.forget_badly(false);
    edit("I work at Kaloo").await.expect("edited");
    assert_eq!(words_of(&ram, "a").await.as_deref(), Some("I work at Kaloo"));
    assert!(!told(&ram).await.contains(&"Cleo works at Zebra.".to_owned()));
    edit("I work at Orca").await.expect("edited");
    assert_eq!(words_of(&ram, "a").await.as_deref(), Some("I work at Orca"));
}

#[tokio::test]
async fn a_pinned_gem_stays_however_the_words_are_changed() {
    let ram = MemoryInRam::default();
    let service = opened(&ram, None).await;
    let said = taken_on(&service, &[turn("a", "I work at Zebra")]).await;
    learn(&service, &said).await;
    let listing = Listing {
        limit: 1,
        ..Listing::default()
    };
    let known = ram.gems(&listing).await.expect("read").items.remove(0);
    let pin = GemEdit {
        pinned: Some(true),
        ..GemEdit::default()
    };
    service.records().edit(&known.gem_id, pin).await.expect("pinned");
    let edited = service
        .intake()
        .edit_turn(&home(), &"a".into(), "never mind", &[])
        .await;
    edited.expect("edited");
    assert_eq!(told(&ram).await, ["Cleo works at Zebra."]);
}
