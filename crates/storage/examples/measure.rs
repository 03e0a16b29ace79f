//! Prints how long commits and searches take on this machine: `cargo run -p denizen-storage --example measure`.

use std::time::{Duration, Instant};

use mind::{Input, JournalEntry, JournalEvent, Scope};
use runtime::ports::{Batch, MessageChange, RecordedInput, Store};
use storage::Sqlite;
use vocabulary::{
    Author, AuthorKind, CommunityId, JournalSeq, Message, MessageId, Moment, Now, PersonId, RoomId, WallTime,
};

#[tokio::main]
async fn main() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let store = Sqlite::open(folder.path()).expect("a new store opens");
    let community = CommunityId::new("local");
    let mut next = 1;
    for inputs in [1, 64] {
        let mut took = Vec::new();
        for _ in 0..100 {
            let batch = batch(&mut next, inputs);
            let started = Instant::now();
            store.commit(&community, batch).await.expect("a commit");
            took.push(started.elapsed());
        }
        report(&format!("commit of {inputs} inputs"), took);
    }
    for messages in [10_000, 100_000] {
        while next <= messages {
            store
                .commit(&community, batch(&mut next, 1_000))
                .await
                .expect("a commit");
        }
        for (room, what, words) in [
            ("lobby", "a rare word", "zeppelin17"),
            (
                "lobby",
                "a telling question",
                "what did Anna say about the harbour festival in word321",
            ),
            (
                "lobby",
                "words that are in everything",
                "every message carries these common words",
            ),
            (
                "lobby",
                "sixteen common words",
                "alpha beta gamma delta epsilon zeta theta kappa lambda sigma omega every message carries these common",
            ),
            (
                "attic",
                "words of another room",
                "every message carries these common words",
            ),
        ] {
            let mut took = Vec::new();
            let mut found = 0;
            for _ in 0..20 {
                let started = Instant::now();
                found = store
                    .search(&community, &RoomId::new(room), words, &[], 8)
                    .await
                    .expect("a search")
                    .len();
                took.push(started.elapsed());
            }
            report(
                &format!("search of {messages} messages for {what} ({found} found)"),
                took,
            );
        }
    }
}

fn report(what: &str, mut took: Vec<Duration>) {
    took.sort_unstable();
    let at = |share: usize| took[(took.len() - 1) * share / 100];
    println!(
        "{what}: median {:.1?}, 95 % {:.1?}, worst {:.1?}",
        at(50),
        at(95),
        at(100)
    );
}

/// Inputs with a message and two journal lines each.
fn batch(next: &mut u64, inputs: u64) -> Batch {
    let mut batch = Batch::default();
    for seq in *next..*next + inputs {
        let message = message(seq);
        for line in [seq * 2, seq * 2 + 1] {
            batch.journal.push(line_about(line, &message));
        }
        batch.changes.push(MessageChange::Added {
            message: message.clone(),
            turn: None,
            ask: None,
        });
        batch.inputs.push(RecordedInput {
            stepped_before: None,
            seq,
            now: Now {
                moment: Moment(seq),
                wall: message.at,
            },
            input: Input::message_arrived(message),
        });
    }
    *next += inputs;
    batch
}

fn message(seq: u64) -> Message {
    const OFTEN: [&str; 11] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "kappa", "lambda", "sigma", "omega",
    ];
    let mut text = format!("every message carries these common words word{} ", seq % 500);
    for (place, word) in OFTEN.iter().enumerate() {
        if (seq >> place) & 1 == 0 {
            text.push_str(word);
            text.push(' ');
        }
    }
    if seq.is_multiple_of(1_000) {
        text.push_str(&format!("harbour festival zeppelin{}", seq % 9_000 / 1_000 + 10));
    }
    // One in ten is in another room, where none of these words is said.
    let room = if seq % 10 == 5 { "attic" } else { "lobby" };
    if room == "attic" {
        text = format!("something else {seq}");
    }
    Message {
        id: MessageId::new(format!("m{seq}")),
        room: RoomId::new(room),
        author: Author {
            id: PersonId::new("alice"),
            name: "Alice".to_owned(),
            kind: AuthorKind::Person,
        },
        text,
        at: WallTime(i64::try_from(seq).expect("a small number")),
        reply_to: None,
        mentions: Vec::new(),
        attachments: Vec::new(),
        reply_to_author: None,
        spoken: false,
        sign: false,
    }
}

fn line_about(seq: u64, message: &Message) -> JournalEntry {
    JournalEntry {
        seq: JournalSeq(seq),
        moment: Moment(seq),
        wall: message.at,
        community: CommunityId::new("local"),
        scope: Scope::room(&message.room).about(&message.id),
        event: JournalEvent::MessageReceived {
            author: message.author.id.clone(),
            author_name: message.author.name.clone(),
            characters: message.text.len(),
            images: 0,
        },
    }
}
