//! Retention: old things go, and never what a restart or a replay needs.

use bytes::Bytes;
use mind::Scope;
use runtime::ports::{AskFilter, Batch, JournalQuery, Store, Swept};
use settings::{Document, Settings, StorageSettings};
use vocabulary::{Attachment, AttachmentId, JournalSeq, MessageId, Span, WallTime};

use crate::given::{
    DAY_MS, Home, added, ask, assert_sound, batch_of, community, count, entry, home, input, message,
};
use crate::recording::begin;

pub const TODAY: WallTime = WallTime(100 * DAY_MS);

pub fn keep() -> StorageSettings {
    Settings::default().storage
}

async fn sweep(home: &Home, keep: &StorageSettings) -> u64 {
    sweep_at(home, keep, TODAY, Span::ZERO).await.rows
}

pub async fn sweep_at(home: &Home, keep: &StorageSettings, wall: WallTime, ran: Span) -> Swept {
    let keep = [(community(), keep.clone())];
    home.store.sweep(&keep, wall, ran).await.unwrap()
}

/// Inputs and journal lines, one of each a day, up to today.
pub async fn daily(home: &Home, states: &[u64]) {
    for day in 1..=100_u64 {
        let wall = i64::try_from(day).unwrap() * DAY_MS;
        let mut line = entry(day, Scope::default().about(&MessageId::new(format!("m{day}"))));
        line.wall = WallTime(wall);
        home.commit(Batch {
            inputs: vec![input(day, wall)],
            journal: vec![line],
            state: states.contains(&day).then(|| (day, "{}".to_owned())),
            ..Batch::default()
        })
        .await;
    }
}

#[tokio::test]
async fn each_kind_of_thing_has_its_own_time() {
    let home = home();
    daily(&home, &[100]).await;
    let went = sweep(&home, &keep()).await;
    let look = home.look().await;
    // 30 days of journal and 14 of inputs stay.
    assert_eq!(count(&look, "SELECT min(seq) FROM journal"), 70);
    assert_eq!(count(&look, "SELECT min(seq) FROM inputs"), 86);
    assert_eq!(went, 69 + 85);
    assert_eq!(sweep(&home, &keep()).await, 0);
    assert_sound(&look);
}

#[tokio::test]
async fn inputs_after_the_newest_state_stay_however_old() {
    let home = home();
    daily(&home, &[10, 20]).await;
    sweep(&home, &keep()).await;
    let resume = home.store.resume(&community()).await.unwrap();
    assert_eq!(resume.states[0].input, 20);
    assert_eq!(resume.inputs.first().map(|input| input.seq), Some(21));
    assert_eq!(resume.inputs.len(), 80);
}

#[tokio::test]
async fn without_a_state_no_input_goes() {
    let home = home();
    daily(&home, &[]).await;
    sweep(&home, &keep()).await;
    assert_eq!(count(&home.look().await, "SELECT count(*) FROM inputs"), 100);
}

#[tokio::test]
async fn numbers_never_go_back() {
    let home = home();
    daily(&home, &[100]).await;
    let years_later = WallTime(TODAY.0 + 4_000 * DAY_MS);
    home.store.believe_clock(years_later).await.unwrap();
    sweep_at(&home, &keep(), years_later, Span::ZERO).await;
    let resume = home.store.resume(&community()).await.unwrap();
    assert_eq!((resume.last_input, resume.last_journal), (100, JournalSeq(100)));
    assert!(resume.inputs.is_empty());
    let lines = JournalQuery {
        limit: 9,
        ..JournalQuery::default()
    };
    assert!(home.store.journal(&community(), lines).await.unwrap().is_empty());
    home.commit(Batch {
        inputs: vec![input(101, 1)],
        ..Batch::default()
    })
    .await;
}

#[tokio::test]
async fn a_clock_that_jumped_tears_no_hole() {
    let home = home();
    // The third was recorded while the clock was wrong and said 1970.
    for (seq, day) in [(1, 99), (2, 99), (3, 0), (4, 100)] {
        home.commit(Batch {
            inputs: vec![input(seq, day * DAY_MS)],
            state: Some((seq, "{}".to_owned())),
            ..Batch::default()
        })
        .await;
    }
    assert_eq!(sweep(&home, &keep()).await, 0);
}

#[tokio::test]
async fn a_recording_that_lost_its_beginning_says_so_and_the_newest_header_stays() {
    let home = home();
    begin(&home, 1, 0).await;
    for day in [1, 99] {
        let seq = if day == 1 { 1 } else { 2 };
        home.commit(Batch {
            inputs: vec![input(seq, day * DAY_MS)],
            state: Some((seq, "{}".to_owned())),
            ..Batch::default()
        })
        .await;
    }
    sweep(&home, &keep()).await;
    assert_eq!(count(&home.look().await, "SELECT count(*) FROM segments"), 1);
    let refused = home
        .store
        .recording(&community(), None)
        .await
        .unwrap_err()
        .to_string();
    assert!(refused.contains("storage.keepRecordingsDays"), "{refused}");
    begin(&home, 3, 0).await;
    assert_eq!(sweep(&home, &keep()).await, 1);
    assert_eq!(
        home.store
            .recording(&community(), None)
            .await
            .unwrap()
            .unwrap()
            .segment
            .first_input,
        3
    );
    assert!(
        home.store
            .recording(&community(), Some(2))
            .await
            .unwrap()
            .is_none()
    );
}

#[tokio::test]
async fn messages_stay_for_good_unless_told_otherwise() {
    let home = home();
    let dated = |id: &str, day: i64, picture: &str| {
        let mut message = message(id, "whale");
        message.at = WallTime(day * DAY_MS);
        message.attachments = vec![Attachment {
            id: AttachmentId::new(picture),
            mime: "image/png".to_owned(),
            name: "a.png".to_owned(),
            bytes: 1,
            description: String::new(),
        }];
        added(message)
    };
    for picture in ["own", "shared"] {
        let bytes = Bytes::from_static(b"x");
        home.store
            .put_attachment(&community(), &AttachmentId::new(picture), "image/png", bytes)
            .await
            .unwrap();
    }
    home.commit(batch_of([
        dated("m1", 1, "own"),
        dated("m2", 1, "shared"),
        dated("m3", 95, "shared"),
    ]))
    .await;
    assert_eq!(sweep(&home, &keep()).await, 0);
    let ten_days = StorageSettings {
        keep_messages_days: 10,
        ..keep()
    };
    assert_eq!(sweep(&home, &ten_days).await, 2);
    let found = home
        .store
        .search(&community(), &crate::given::room(), "whale", &[], 9)
        .await
        .unwrap();
    assert_eq!(found.len(), 1);
    assert!(
        home.store
            .attachment(&community(), &AttachmentId::new("own"))
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        home.store
            .attachment(&community(), &AttachmentId::new("shared"))
            .await
            .unwrap()
            .is_some()
    );
    assert_sound(&home.look().await);
    home.add("m4", "next").await;
    let next = home
        .store
        .message(&community(), &MessageId::new("m4"))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(next.seq, 4);
}

#[tokio::test]
async fn pieces_of_a_large_sweep_reach_the_end() {
    let home = home();
    let old = (0..1_700).map(|number| {
        let mut message = message(&format!("m{number}"), "old");
        message.at = WallTime(DAY_MS);
        added(message)
    });
    home.commit(batch_of(old)).await;
    let one_day = StorageSettings {
        keep_messages_days: 1,
        ..keep()
    };
    assert_eq!(sweep(&home, &one_day).await, 1_700);
    assert_eq!(count(&home.look().await, "SELECT count(*) FROM messages"), 0);
}

#[tokio::test]
async fn model_calls_go_by_age_and_by_size_the_oldest_first() {
    let home = home();
    for number in 1..=60 {
        let mut record = ask(number);
        record.started_at =
            WallTime(i64::try_from(number).unwrap() + if number < 31 { 0 } else { 95 * DAY_MS });
        record.raw_response = "x".repeat(100_000);
        home.store.start_ask(record).await.unwrap();
    }
    let generous = keep();
    assert_eq!(sweep(&home, &generous).await, 30);
    let one_megabyte = StorageSettings {
        max_asks_megabytes: 1,
        ..keep()
    };
    sweep(&home, &one_megabyte).await;
    let filter = AskFilter {
        limit: 100,
        ..AskFilter::default()
    };
    let left: Vec<u64> = home
        .store
        .asks(&community(), filter)
        .await
        .unwrap()
        .iter()
        .map(|ask| ask.ask.0)
        .collect();
    assert_eq!(left, (51..=60).rev().collect::<Vec<u64>>());
    assert!(count(&home.look().await, "SELECT sum(size) FROM asks") <= 1 << 20);
}

#[tokio::test]
async fn an_attachment_whose_message_never_came_goes_after_a_day() {
    let home = home();
    let id = AttachmentId::new("lost");
    home.store
        .put_attachment(&community(), &id, "image/png", Bytes::from_static(b"x"))
        .await
        .unwrap();
    let put_at = count(&home.look().await, "SELECT put_at FROM attachments");
    home.store
        .sweep(
            &[(community(), keep())],
            WallTime(put_at + DAY_MS - 1),
            Span::ZERO,
        )
        .await
        .unwrap();
    assert!(home.store.attachment(&community(), &id).await.unwrap().is_some());
    home.store
        .sweep(
            &[(community(), keep())],
            WallTime(put_at + DAY_MS + 1),
            Span::ZERO,
        )
        .await
        .unwrap();
    assert!(home.store.attachment(&community(), &id).await.unwrap().is_none());
}

#[tokio::test]
async fn settings_that_a_replay_needs_stay_and_so_do_the_newest() {
    let home = home();
    for version in 0..6 {
        home.store
            .save_settings(None, version, Document::default())
            .await
            .unwrap();
    }
    let saved_at = count(&home.look().await, "SELECT max(saved_at) FROM settings_versions");
    let later = WallTime(saved_at + 1_000 * DAY_MS);
    home.store
        .sweep(&[(community(), keep())], later, Span::ZERO)
        .await
        .unwrap();
    assert_eq!(
        count(&home.look().await, "SELECT count(*) FROM settings_versions"),
        6
    );
    begin(&home, 1, 4).await;
    home.store
        .sweep(&[(community(), keep())], later, Span::ZERO)
        .await
        .unwrap();
    assert_eq!(
        count(&home.look().await, "SELECT min(version) FROM settings_versions"),
        4
    );
    begin(&home, 1, 9).await;
    home.store
        .sweep(&[(community(), keep())], later, Span::ZERO)
        .await
        .unwrap();
    assert_eq!(home.store.base_settings().await.unwrap().version, 6);
}

#[tokio::test]
async fn a_file_that_is_mostly_free_becomes_smaller() {
    let home = home();
    for number in 1..=40 {
        let mut record = ask(number);
        record.raw_response = "x".repeat(1 << 20);
        home.store.start_ask(record).await.unwrap();
    }
    let pages = async || count(&home.look().await, "PRAGMA page_count");
    let before = pages().await;
    let commits = || home.store.disk_work().map_or(0, |work| work.commits);
    let commits_before = commits();
    sweep(&home, &keep()).await;
    assert!(
        pages().await < before / 2,
        "{before} pages became {}",
        pages().await
    );
    // A mebibyte a write, not a page.
    assert!(commits() - commits_before < 100, "{}", commits() - commits_before);
    assert_sound(&home.look().await);
}

#[tokio::test]
async fn what_a_stretch_of_the_journal_holds_goes_with_its_last_line() {
    let home = home();
    let lines = (1..=100_u64).map(|day| {
        let about = Scope::default().about(&MessageId::new(format!("m{day}")));
        let mut line = entry(day * 64, about);
        line.wall = WallTime(i64::try_from(day).unwrap() * DAY_MS);
        line
    });
    home.commit(Batch {
        journal: lines.collect(),
        ..Batch::default()
    })
    .await;
    sweep(&home, &keep()).await;
    let look = home.look().await;
    // Lines of the days 70 to 100, in stretches of four days: 68 to 71 is the first.
    assert_eq!(count(&look, "SELECT min(seq) FROM journal"), 70 * 64);
    let first = "SELECT min(stretch) & 4294967295 FROM journal_stretches";
    assert_eq!(count(&look, first), 70 * 64 / 256);
    for (day, found) in [(69, 0), (70, 1), (100, 1)] {
        let id = MessageId::new(format!("m{day}"));
        assert_eq!(home.store.why(&community(), &id).await.unwrap().len(), found);
    }
}
