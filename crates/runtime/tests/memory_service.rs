use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use gist::Gathered;
use gist::gems::gem_id;
use mind::Gathering;
use vocabulary::{
    Author, AuthorKind, CapturedTurn, CommunityId, ExtractionId, Forget, Found, Gem, GemSource, GemTag,
    Kinds, Place, Record, RecordId, TurnKey, TurnKind, Viewpoint, WallTime,
};

use runtime::memory::{MemoryService, OnOtherEmbedder, Question};
use runtime::ports::{
    EmbedRole, Embedder, EmbedderIdentity, GemStore, Listing, MemoryFault, Reranker, TurnBuffer, WhoseTurns,
};
use stand_ins::MemoryInRam;

const AT: WallTime = WallTime(1_771_848_000_000);

#[derive(Debug)]
struct Spelling {
    name: &'static str,
    fails: AtomicBool,
}

#[async_trait]
impl Embedder for Spelling {
    fn identity(&self) -> EmbedderIdentity {
        EmbedderIdentity {
            name: self.name.to_owned(),
            dimensions: 2,
        }
    }

    async fn embed(&self, texts: &[String], _: EmbedRole) -> Result<Vec<Vec<f32>>, MemoryFault> {
        if self.fails.load(Ordering::Relaxed) {
            return Err(MemoryFault::Failed {
                doing: "embedding",
                detail: "out of order".to_owned(),
            });
        }
        Ok(texts
            .iter()
            .map(|text| {
                if text.is_empty() {
                    vec![0.0, 1.0]
                } else {
                    vec![1.0, 0.0]
                }
            })
            .collect())
    }
}

fn embedder(name: &'static str) -> Arc<Spelling> {
    Arc::new(Spelling {
        name,
        fails: AtomicBool::new(false),
    })
}

async fn service(ram: &MemoryInRam) -> MemoryService {
    MemoryService::open(
        Arc::new(ram.clone()),
        Arc::new(ram.clone()),
        Some(embedder("one")),
        OnOtherEmbedder::Reembed,
    )
    .await
    .expect("memory in hand opens")
}

fn turn(id: &str, name: &str, text: &str) -> CapturedTurn {
    CapturedTurn {
        id: id.into(),
        place: Place {
            community: "local".into(),
            room: "lounge".into(),
            private: false,
        },
        session: "s".into(),
        number: 0,
        speaker: Author {
            id: name.to_lowercase().as_str().into(),
            name: name.to_owned(),
            kind: AuthorKind::Person,
        },
        kind: TurnKind::Typed,
        text: text.to_owned(),
        at: AT,
    }
}

fn gem_of(turn: &CapturedTurn, content: &str, attribute: Option<&str>) -> Gathered {
    let turns = vec![turn.id.clone()];
    Gathered {
        gem: Gem {
            gem_id: gem_id(&turn.session, &turns, 0),
            content: content.to_owned(),
            summary: content.to_owned(),
            topics: Vec::new(),
            importance: 0.5,
            source: GemSource {
                session_id: turn.session.clone(),
                date: "2026-02-23".to_owned(),
                turn_range: "1-1".to_owned(),
                turns,
            },
            tags: vec![GemTag::Fact],
            created_at: turn.at,
            place: turn.place.clone(),
            person: Some(turn.speaker.id.clone()),
            person_name: turn.speaker.name.clone(),
            attribute: attribute.map(str::to_owned),
            claim: false,
            standing: false,
            pinned: false,
            strength: 1,
            last_seen_at: turn.at,
            valid_from: turn.at,
            valid_until: None,
            superseded_by: None,
            made_by: "test".to_owned(),
        },
        replaces: None,
        repeats: None,
        hearsay: false,
    }
}

/// Captures turns and takes them on, as the pump does.
async fn taken_on(service: &MemoryService, turns: &[CapturedTurn]) -> Vec<CapturedTurn> {
    service.intake().capture(turns).await.expect("captured");
    service
        .intake()
        .take_on(&WhoseTurns::All, 32, 512)
        .await
        .expect("taken on")
}

fn run(turns: &[CapturedTurn], gems: Vec<Gathered>) -> Gathering {
    Gathering {
        extraction: ExtractionId(1),
        session: "s".into(),
        turns: turns.iter().map(|turn| turn.id.clone()).collect(),
        gems,
        heard: turns
            .iter()
            .map(|turn| (turn.id.clone(), gist::gems::fingerprint(&turn.text)))
            .collect(),
    }
}

async fn all_gems(ram: &MemoryInRam) -> Vec<Gem> {
    let listing = Listing {
        limit: 100,
        ..Listing::default()
    };
    ram.gems(&listing).await.expect("listed").items
}

#[tokio::test]
async fn turns_are_numbered_once_and_keep_their_numbers() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let first = taken_on(&service, &[turn("a", "Alice", "one"), turn("b", "Bob", "two")]).await;
    assert_eq!(first.iter().map(|turn| turn.number).collect::<Vec<_>>(), [1, 2]);
    let again = service.intake().held(&WhoseTurns::All).await.expect("held");
    assert_eq!(again, first, "after a restart they are what they were");
    let later = taken_on(&service, &[turn("c", "Alice", "three")]).await;
    assert_eq!(later[0].number, 3);
}

#[tokio::test]
async fn secrets_that_others_put_into_the_buffer_go_no_further() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let turns = taken_on(&service, &[turn("a", "Alice", "my password is hunter2hunter2")]).await;
    assert!(!turns[0].text.contains("hunter2"), "{}", turns[0].text);
    let stored = service.records().turns_of(&["a".into()]).await.expect("read");
    assert_eq!(stored[0].text, turns[0].text);
}

#[tokio::test]
async fn no_more_is_taken_on_than_can_be_held() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let turns: Vec<CapturedTurn> = (0..8).map(|n| turn(&format!("t{n}"), "Alice", "words")).collect();
    service.intake().capture(&turns).await.expect("captured");
    assert_eq!(
        service
            .intake()
            .take_on(&WhoseTurns::All, 4, 6)
            .await
            .expect("taken on")
            .len(),
        4
    );
    assert_eq!(
        service
            .intake()
            .take_on(&WhoseTurns::All, 4, 6)
            .await
            .expect("taken on")
            .len(),
        0
    );
}

#[tokio::test]
async fn turns_of_several_communities_are_taken_on_together_each_for_its_own() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let of = |community: &str, id: &str| {
        let mut turn = turn(id, "Alice", "words");
        turn.place.community = community.into();
        turn.session = format!("{community}/s").as_str().into();
        turn
    };
    let turns = [
        of("attic", "a"),
        of("barn", "b"),
        of("attic", "c"),
        of("cellar", "d"),
    ];
    service.intake().capture(&turns).await.expect("captured");
    let whose = ["barn", "attic", "garden"].map(|community| WhoseTurns::Of(community.into()));
    let taken = service
        .intake()
        .take_on_of_each(&whose, 2, 6)
        .await
        .expect("taken on");
    let taken: Vec<Vec<(&str, u64)>> = taken
        .iter()
        .map(|turns| turns.iter().map(|turn| (turn.id.as_str(), turn.number)).collect())
        .collect();
    assert_eq!(taken, [vec![("b", 1)], vec![("a", 1), ("c", 2)], vec![]]);
    let left = service
        .intake()
        .take_on(&WhoseTurns::All, 2, 6)
        .await
        .expect("taken on");
    assert_eq!(left.len(), 1, "nobody asked for those of the cellar");
}

#[tokio::test]
async fn storing_a_run_again_stores_nothing_twice() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let turns = taken_on(&service, &[turn("a", "Alice", "I play chess")]).await;
    let gathering = run(&turns, vec![gem_of(&turns[0], "Alice plays chess.", None)]);
    let first = service.intake().store(&gathering).await.expect("stored");
    let second = service.intake().store(&gathering).await.expect("stored");
    assert_eq!(
        (first.added.len(), second.added.len(), second.already_there),
        (1, 0, 1)
    );
    assert_eq!(all_gems(&ram).await.len(), 1);
    assert_eq!(
        ram.count(&WhoseTurns::All).await.expect("counted").held,
        0,
        "its turns have left the buffer"
    );
}

#[tokio::test]
async fn a_batch_that_another_process_made_into_gems_is_only_settled() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let turns = taken_on(
        &service,
        &[
            turn("a", "Alice", "I play chess"),
            turn("b", "Alice", "every day"),
        ],
    )
    .await;
    service
        .intake()
        .store(&run(&turns, vec![gem_of(&turns[0], "Alice plays chess.", None)]))
        .await
        .expect("stored");
    // The same batch in other words, with other turns cited: its ids tell nothing.
    let mut other = gem_of(&turns[1], "Alice is a keen chess player.", None);
    other.gem.gem_id = "another".into();
    let stored = service
        .intake()
        .store(&run(&turns, vec![other]))
        .await
        .expect("stored");
    assert_eq!((stored.added.len(), stored.already_there), (0, 1));
    assert_eq!(all_gems(&ram).await.len(), 1);
}

#[tokio::test]
async fn the_same_again_strengthens_and_the_contrary_supersedes() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let mut later = turn("c", "Alice", "my home is in Porto now");
    later.at = WallTime(AT.0 + 86_400_000);
    let turns = taken_on(
        &service,
        &[
            turn("a", "Alice", "I live in Rome"),
            turn("b", "Alice", "I live in Rome"),
            later,
        ],
    )
    .await;
    let gems = [
        gem_of(&turns[0], "Alice lives in Rome.", Some("home")),
        gem_of(&turns[1], "Alice lives in Rome.", Some("home")),
        gem_of(&turns[2], "Alice lives in Porto.", Some("home")),
    ];
    let mut told = Vec::new();
    for (turn, gem) in turns.iter().zip(gems) {
        let stored = service
            .intake()
            .store(&run(std::slice::from_ref(turn), vec![gem]))
            .await
            .expect("stored");
        told.push((
            stored.added.len(),
            stored.strengthened.len(),
            stored.superseded.len(),
        ));
    }
    assert_eq!(told, [(1, 0, 0), (0, 1, 0), (1, 0, 1)]);
    let gems = all_gems(&ram).await;
    let rome = gems
        .iter()
        .find(|gem| gem.content.contains("Rome"))
        .expect("it is kept");
    assert_eq!((rome.strength, rome.is_current()), (2, false));
    assert_eq!(rome.valid_until, Some(turns[2].at));
}

#[tokio::test]
async fn what_was_forgotten_while_a_model_thought_about_it_is_not_learnt() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let turns = taken_on(&service, &[turn("a", "Alice", "my code is 77")]).await;
    let gathering = run(&turns, vec![gem_of(&turns[0], "Alice's code is 77.", None)]);
    service
        .forgetting()
        .forget(&Forget::Turns(vec!["a".into()]))
        .await
        .expect("forgotten");
    let stored = service.intake().store(&gathering).await.expect("stored");
    assert!(stored.added.is_empty());
    assert!(all_gems(&ram).await.is_empty());
}

#[tokio::test]
async fn forgetting_a_person_takes_what_others_said_of_them_and_their_part_of_summaries() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let mut summary = turn("s", "Denizen", "Alice hates rain. Bob bakes bread.");
    summary.kind = TurnKind::Summary;
    let turns = taken_on(
        &service,
        &[
            turn("a", "Alice", "I hate rain"),
            turn("b", "Bob", "Alice is a diver"),
            turn("c", "Bob", "I bake"),
            summary,
        ],
    )
    .await;
    let gems = vec![
        gem_of(&turns[0], "Alice hates rain.", None),
        gem_of(&turns[1], "Bob says that Alice is a diver.", None),
        gem_of(&turns[2], "Bob bakes bread.", None),
    ];
    service.intake().store(&run(&turns, gems)).await.expect("stored");
    let what = Forget::Person {
        person: "alice".into(),
        name: "Alice".to_owned(),
        community: None,
    };
    let forgotten = service.forgetting().forget(&what).await.expect("forgotten");
    assert_eq!(forgotten.names, ["Alice"]);
    assert!(forgotten.texts.iter().any(|text| text == "I hate rain"));
    let left: Vec<String> = all_gems(&ram).await.into_iter().map(|gem| gem.content).collect();
    assert_eq!(left, ["Bob bakes bread."]);
    let summary = service.records().turns_of(&["s".into()]).await.expect("read");
    assert_eq!(summary[0].text.trim(), "Bob bakes bread.");
}

#[tokio::test]
async fn a_store_that_is_down_at_the_start_is_agreed_with_later() {
    let ram = MemoryInRam::default();
    ram.cut_off(true);
    let service = service(&ram).await;
    assert!(service.status(&WhoseTurns::All).await.trouble.is_some());
    let refused = MemoryService::open(
        Arc::new(ram.clone()),
        Arc::new(ram.clone()),
        Some(embedder("one")),
        OnOtherEmbedder::Refuse,
    );
    assert!(refused.await.is_err(), "whoever only looks is told at once");
    ram.cut_off(false);
    service
        .vectors()
        .agree(OnOtherEmbedder::Reembed)
        .await
        .expect("agreed");
    assert_eq!(
        ram.embedder().await.expect("read").map(|embedder| embedder.name),
        Some("one".to_owned())
    );
}

#[tokio::test]
async fn another_embedder_is_refused_to_whoever_looks_and_takes_over_for_whoever_runs() {
    let ram = MemoryInRam::default();
    let first = service(&ram).await;
    taken_on(&first, &[turn("a", "Alice", "one")]).await;
    let open = |on_other| {
        MemoryService::open(
            Arc::new(ram.clone()),
            Arc::new(ram.clone()),
            Some(embedder("two")),
            on_other,
        )
    };
    let refused = open(OnOtherEmbedder::Refuse).await.expect_err("refused");
    let said = refused.to_string();
    assert!(
        said.contains("one") && said.contains("two") && said.contains("reembed"),
        "{said}"
    );
    let second = open(OnOtherEmbedder::Reembed).await.expect("taken over");
    assert_eq!(ram.unembedded(10).await.expect("read").len(), 1);
    second.vectors().embed_the_rest().await.expect("embedded");
    assert!(ram.unembedded(10).await.expect("read").is_empty());
    assert_eq!(second.vectors().progress(), None);
}

#[tokio::test]
async fn what_cannot_be_embedded_is_stored_all_the_same_and_embedded_later() {
    let ram = MemoryInRam::default();
    let spelling = embedder("one");
    let service = MemoryService::open(
        Arc::new(ram.clone()),
        Arc::new(ram.clone()),
        Some(spelling.clone()),
        OnOtherEmbedder::Reembed,
    );
    let service = service.await.expect("opened");
    spelling.fails.store(true, Ordering::Relaxed);
    taken_on(&service, &[turn("a", "Alice", "the gate is blue")]).await;
    let question = Question {
        words: "gate".to_owned(),
        view: Viewpoint::Operator,
        person: None,
        kinds: Kinds::Both,
        exclude: Vec::new(),
        superseded: false,
        limit: 5,
    };
    let recalled = service.records().recall(&question).await.expect("recalled");
    assert_eq!(recalled.found.len(), 1);
    assert!(
        recalled
            .by_words_only
            .is_some_and(|why| why.contains("out of order"))
    );
    spelling.fails.store(false, Ordering::Relaxed);
    service.vectors().embed_the_rest().await.expect("embedded");
    assert!(ram.unembedded(10).await.expect("read").is_empty());
}

/// Judges everything alike.
struct Alike;

#[async_trait]
impl Reranker for Alike {
    fn name(&self) -> String {
        "alike".to_owned()
    }

    async fn judge(&self, _: &str, found: &[Found]) -> Result<Option<Vec<f64>>, MemoryFault> {
        Ok(Some(vec![0.123; found.len()]))
    }
}

fn about_the_gate() -> Question {
    Question {
        words: "gate".to_owned(),
        view: Viewpoint::Operator,
        person: None,
        kinds: Kinds::Both,
        exclude: Vec::new(),
        superseded: false,
        limit: 5,
    }
}

#[tokio::test]
async fn what_is_recalled_is_judged_and_what_is_merely_looked_for_is_not() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await.with_reranker(Arc::new(Alike));
    taken_on(&service, &[turn("a", "Alice", "the gate is blue")]).await;
    let question = about_the_gate();
    let judged = service.records().recall(&question).await.expect("recalled");
    assert_eq!(judged.found[0].scores.confidence, 0.123);
    let unjudged = service.records().find(&question).await.expect("found");
    assert_ne!(unjudged.found[0].scores.confidence, 0.123);
}

#[tokio::test]
async fn a_reranker_that_could_not_be_opened_is_told_in_the_status_and_done_without() {
    let ram = MemoryInRam::default();
    let fault = MemoryFault::Refused("memory.reranker.path (/models/none) cannot be used".to_owned());
    let service = service(&ram).await.with_unopened_reranker(&fault);
    taken_on(&service, &[turn("a", "Alice", "the gate is blue")]).await;
    let recalled = service.records().recall(&about_the_gate()).await;
    assert_eq!(recalled.expect("recalled").found.len(), 1);
    let trouble = service.status(&WhoseTurns::All).await.trouble;
    assert!(trouble.is_some_and(|trouble| trouble.contains("/models/none")));
}

#[tokio::test]
async fn memory_follows_edits_and_deletions_of_messages() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let id = TurnKey::from("a");
    taken_on(&service, &[turn("a", "Alice", "the gate is blue")]).await;
    service
        .intake()
        .edit_turn(&CommunityId::home(), &id, "the gate is red", &[])
        .await
        .expect("edited");
    let read = ram.get(&[RecordId::Turn(id.clone())]).await.expect("read");
    assert!(matches!(&read[0], Record::Turn(turn) if turn.text == "the gate is red" && turn.number == 1));
    service
        .intake()
        .drop_turn(&CommunityId::home(), &id)
        .await
        .expect("dropped");
    assert!(ram.get(&[RecordId::Turn(id)]).await.expect("read").is_empty());
}

#[tokio::test]
async fn gems_of_words_that_were_changed_or_taken_back_before_they_could_be_stored_are_left_out() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let said = [
        turn("a", "Cleo", "I work at Zebra"),
        turn("b", "Cleo", "I live in Oslo"),
        turn("c", "Cleo", "I like tea"),
    ];
    let said = taken_on(&service, &said).await;
    let gems = gist::gems::offline::extract(&said, WallTime(1_000), &[]).gems;
    assert_eq!(gems.len(), 3);
    let (intake, home) = (service.intake(), CommunityId::home());
    let id = TurnKey::from("a");
    let edited = intake.edit_turn(&home, &id, "I work at Kaloo", &[]).await;
    edited.expect("edited");
    intake.drop_turn(&home, &"b".into()).await.expect("dropped");
    let stored = intake.store(&run(&said, gems)).await.expect("stored");
    assert_eq!((stored.added.len(), stored.changed), (1, 2));
    let told: Vec<String> = all_gems(&ram).await.into_iter().map(|gem| gem.content).collect();
    assert_eq!(told, ["Cleo likes tea."]);
}

#[tokio::test]
async fn what_was_remembered_of_words_that_were_changed_is_not_any_more() {
    let ram = MemoryInRam::default();
    let service = service(&ram).await;
    let said = taken_on(&service, &[turn("a", "Cleo", "I work at Zebra")]).await;
    let gems = gist::gems::offline::extract(&said, WallTime(1_000), &[]).gems;
    service.intake().store(&run(&said, gems)).await.expect("stored");
    let told = |gems: Vec<Gem>| gems.into_iter().map(|gem| gem.content).collect::<Vec<_>>();
    assert_eq!(told(all_gems(&ram).await), ["Cleo works at Zebra."]);
    let edit = |text: &'static str| {
        let (intake, id) = (service.intake().clone(), TurnKey::from("a"));
        async move {
            intake
                .edit_turn(&CommunityId::home(), &id, text, &[])
                .await
                .expect("edited")
        }
    };
    edit("I work at Kaloo").await;
    assert_eq!(told(all_gems(&ram).await), ["Cleo works at Kaloo."]);
    let read = ram.get(&[RecordId::Turn("a".into())]).await.expect("read");
    assert!(matches!(&read[0], Record::Turn(turn) if turn.text == "I work at Kaloo" && turn.number == 1));
    edit("never mind").await;
    assert_eq!(told(all_gems(&ram).await), Vec::<String>::new());
}
