//! A word that is forgotten is in no byte of any file, wherever it was written and however often it moved.

use std::path::Path;
use std::sync::Arc;

use mind::{Input, JournalEntry, Scope};
use runtime::ports::{
    Batch, Embedded, EmbedderIdentity, Forgetting, GemStore, MessageChange, RecordedInput, Store, TurnBuffer,
    WhoseTurns,
};
use serde_json::json;
use settings::Settings;
use stand_ins::contract::given;
use storage::{Sqlite, SqliteBuffer, SqliteGems};
use tempfile::TempDir;
use vocabulary::{
    AskFailure, AskFailureKind, AskId, AskOutcome, CapturedTurn, Forget, MessageId, PersonId, Record, Span,
    TurnKey, WallTime,
};

use crate::forgetting::{ask_about, begin_anew, forgetting, is_in_a_file, person, said};
use crate::given::{added, assert_sound, batch_of, community, count, entry, input, look_into, turn};
use crate::reactions::reacted;

const CANARY: &str = "zorblaxine";
/// Who is forgotten: a local id is the name, so it must go too.
const HER: &str = "local:zorblaxine";
const MESSAGES: u64 = 200;
/// How often everything is written again.
const ROUNDS: u64 = 4;

struct Home {
    store: Arc<Sqlite>,
    buffer: SqliteBuffer,
    gems: SqliteGems,
    folder: TempDir,
}

async fn home() -> Home {
    let folder = TempDir::new().unwrap();
    let store = Arc::new(Sqlite::open(folder.path()).unwrap());
    Home {
        buffer: SqliteBuffer::new(store.clone()),
        gems: SqliteGems::open(store.clone()).await.unwrap(),
        store,
        folder,
    }
}

impl Home {
    fn files(&self) -> &Path {
        self.folder.path()
    }

    async fn commit(&self, batch: Batch) {
        self.store.commit(&community(), batch).await.unwrap();
    }
}

/// Alice says every fourth.
fn is_hers(seq: u64) -> bool {
    seq.is_multiple_of(4)
}

/// Words of many lengths, hers with the canary at both ends; `round` makes them other ones.
fn words(seq: u64, round: u64) -> String {
    let mixed = (seq * 7_919 + round * 104_729).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let length = usize::try_from((mixed >> 33) % 30).unwrap();
    match is_hers(seq) {
        true => format!("{CANARY} {}{CANARY}", "her own words ".repeat(length)),
        false => "other people's words ".repeat(length),
    }
}

fn captured(seq: u64, round: u64) -> CapturedTurn {
    let mut captured = turn(&format!("m{seq}"), &words(seq, round));
    captured.speaker.id = if is_hers(seq) { HER } else { "bob" }.into();
    captured.speaker.name = captured.speaker.id.to_string();
    captured
}

/// All of them in another order each round.
fn shuffled(round: u64) -> Vec<u64> {
    // 200 and these have no common divisor.
    let step = [7, 11, 13, 17, 19, 23, 29, 31][usize::try_from(round % 8).unwrap()];
    (1..=MESSAGES).map(|seq| (seq * step) % MESSAGES + 1).collect()
}

/// Everything that can be written of a message is written, and much of it again with other words, so that pages split
/// and merge, and rows move between them.
async fn live(home: &Home) {
    home.gems.set_embedder(&embedder(), false).await.unwrap();
    for seq in 1..=MESSAGES {
        let who = if is_hers(seq) { HER } else { "bob" };
        let message = said(&format!("m{seq}"), who, "lobby", &words(seq, 0));
        home.commit(Batch {
            comes_again: false,
            inputs: vec![RecordedInput {
                input: Input::message_arrived(message.clone()),
                ..input(seq, 500)
            }],
            changes: vec![added(message)],
            state: seq
                .is_multiple_of(25)
                .then(|| (seq, format!("{{\"last\":\"{}\"}}", words(seq, 0)))),
            captures: vec![captured(seq, 0)],
            journal: if is_hers(seq) {
                lines_about_her(seq)
            } else {
                Vec::new()
            },
        })
        .await;
        let room = if is_hers(seq) { "lobby" } else { "attic" };
        home.store.start_ask(ask_about(seq, room, "hm")).await.unwrap();
    }
    for round in 1..=ROUNDS {
        for some in shuffled(round).chunks(20) {
            let edited = some.iter().map(|seq| MessageChange::Edited {
                id: MessageId::new(format!("m{seq}")),
                text: words(*seq, round),
                at: WallTime(700),
            });
            home.commit(batch_of(edited)).await;
            home.commit(batch_of(some.iter().map(|seq| her_reaction(*seq, round))))
                .await;
        }
        home.gems.put(records(round).collect()).await.unwrap();
    }
    for seq in (1..=MESSAGES).rev() {
        let outcome = AskOutcome::Failed(AskFailure {
            kind: AskFailureKind::Refused,
            detail: String::new(),
            retry_after: None,
            usage: None,
            tries: 1,
        });
        home.store
            .finish_ask(&community(), AskId(seq), outcome, None, words(seq, 5))
            .await
            .unwrap();
    }
    // Some are settled and leave the buffer by themselves, others are held, the rest waits.
    let claimed = home.buffer.claim(&WhoseTurns::All, 100).await.unwrap();
    let settled: Vec<TurnKey> = claimed[..50].iter().map(|turn| turn.id.clone()).collect();
    home.buffer.settle(&settled).await.unwrap();
}

/// Lines name her by id and by name, in one field or another.
fn lines_about_her(seq: u64) -> Vec<JournalEntry> {
    let named = |number: u64, event: serde_json::Value| {
        let mut line = serde_json::to_value(entry(seq * 10 + number, Scope::default())).unwrap();
        line["name"] = event["name"].clone();
        line["data"] = event["data"].clone();
        serde_json::from_value::<JournalEntry>(line).unwrap()
    };
    let called = format!("{HER}-the-name");
    vec![
        named(
            1,
            json!({"name": "text_message_received", "data": {"author": HER, "authorName": called, "characters": 3, "images": 0}}),
        ),
        named(
            2,
            json!({"name": "message_reaction_changed", "data": {"person": HER, "added": true}}),
        ),
        named(
            3,
            json!({"name": "stream_watch_share_started", "data": {"share": "s1", "person": HER, "sharedBy": called, "source": "frame_api", "shares": 1}}),
        ),
        named(
            4,
            json!({"name": "stream_watch_started", "data": {"share": "s1", "sharedBy": called, "generation": 1, "because": "only_one"}}),
        ),
    ]
}

/// Alice reacts to everything, and takes back half of it, with a word of her own.
fn her_reaction(seq: u64, round: u64) -> MessageChange {
    MessageChange::Reacted {
        message: MessageId::new(format!("m{seq}")),
        person: PersonId::new(HER),
        emoji: format!("{CANARY}{}", seq % 3),
        added: !(seq + round).is_multiple_of(2),
        at: WallTime(700),
    }
}

fn embedder() -> EmbedderIdentity {
    given::embedder()
}

/// Every message as a turn, and a gem of each.
fn records(round: u64) -> impl Iterator<Item = Embedded> {
    shuffled(round).into_iter().flat_map(move |seq| {
        let turn = captured(seq, round);
        let mut gem = given::gem(&format!("g{seq}"), &turn.text);
        gem.source.turns = vec![turn.id.clone()];
        gem.person = Some(turn.speaker.id.clone());
        let records = [Record::Turn(turn), Record::Gem(Box::new(gem))];
        records.map(|record| given::embedded(given::Kept(record)))
    })
}

#[tokio::test]
async fn a_forgotten_person_is_in_no_byte_of_any_file() {
    let home = home().await;
    live(&home).await;
    assert!(is_in_a_file(home.files(), CANARY));
    let bobs = reacted("m1", "bob", "👍", 800);
    home.commit(batch_of([bobs, reacted("m4", "bob", "👍", 800)]))
        .await;
    let alice = person(HER, None);
    let removed = home.gems.forget(&alice).await.unwrap();
    assert_eq!((removed.gems.len(), removed.turns.len()), (50, 50));
    assert_eq!(home.buffer.forget(&alice).await.unwrap(), 38);
    begin_anew(home.store.as_ref(), MESSAGES + 1).await;
    let gone = home
        .store
        .forget(
            &community(),
            Forgetting {
                first_kept: Some(MESSAGES + 1),
                ..forgetting(alice)
            },
        )
        .await
        .unwrap();
    assert_eq!((gone.messages, gone.asks, gone.inputs), (50, 50, MESSAGES));
    assert!(!is_in_a_file(home.files(), CANARY));
    let look = look_into(home.files());
    assert_sound(&look);
    for (table, left) in [
        ("messages WHERE deleted_at IS NULL", 150),
        ("reactions", 1),
        ("asks", 150),
        ("memory_gems", 150),
        ("memory_turns", 150),
        ("captured_turns", 112),
        ("inputs", 0),
        ("states", 1),
    ] {
        assert_eq!(
            count(&look, &format!("SELECT count(*) FROM {table}")),
            left,
            "{table}"
        );
    }
}

#[tokio::test]
async fn what_memory_alone_forgot_is_in_no_byte_after_the_next_sweep() {
    let home = home().await;
    home.gems.set_embedder(&embedder(), false).await.unwrap();
    for round in 1..=ROUNDS {
        home.gems.put(records(round).collect()).await.unwrap();
    }
    assert!(is_in_a_file(home.files(), CANARY));
    let hers = (1..=MESSAGES).filter(|seq| is_hers(*seq));
    let what = Forget::Turns(hers.map(|seq| TurnKey::new(format!("m{seq}"))).collect());
    assert_eq!(home.gems.forget(&what).await.unwrap().gems.len(), 50);
    let look = look_into(home.files());
    let wanted = || count(&look, "SELECT count(*) FROM rewrite_wanted");
    assert_eq!(wanted(), 1);
    home.store
        .sweep(
            &[(community(), Settings::default().storage)],
            WallTime(1_000),
            Span::ZERO,
        )
        .await
        .unwrap();
    assert!(!is_in_a_file(home.files(), CANARY));
    assert_eq!(wanted(), 0);
    assert_sound(&look);
}

#[tokio::test]
async fn what_memory_forgets_during_a_long_read_is_forgotten_and_its_bytes_go_with_the_next_sweep() {
    let home = home().await;
    home.gems.set_embedder(&embedder(), false).await.unwrap();
    home.gems.put(records(1).collect()).await.unwrap();
    let copy = look_into(home.files());
    copy.execute_batch("BEGIN").unwrap();
    assert_eq!(
        count(&copy, "SELECT count(*) FROM memory_turns"),
        i64::try_from(MESSAGES).unwrap()
    );
    let what = Forget::Turns(vec![TurnKey::new("m4")]);
    let removed = home.gems.forget(&what).await.unwrap();
    assert_eq!((removed.turns.len(), removed.gems.len()), (1, 1));
    copy.execute_batch("COMMIT").unwrap();
    assert_eq!(count(&copy, "SELECT count(*) FROM rewrite_wanted"), 1);
}
