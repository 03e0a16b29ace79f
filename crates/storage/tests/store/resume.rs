//! Going on where the last process stopped.

use mind::{Input, JournalEvent, Scope, ShellEvent};
use runtime::ports::{Batch, RecordedInput, Resume, Segment, Store};
use serde_json::value::RawValue;
use settings::Document;
use storage::Sqlite;
use vocabulary::{AskId, AskPurpose, CommunityId, JournalSeq, Moment, TurnId, WallTime};

use crate::given::{Home, ask, community, count, entry, home, input};

async fn resume(home: &Home) -> Resume {
    home.store.resume(&community()).await.unwrap()
}

fn seqs(resume: &Resume) -> Vec<u64> {
    resume.inputs.iter().map(|input| input.seq).collect()
}

fn versions(resume: &Resume) -> Vec<u64> {
    resume.settings.iter().map(|saved| saved.version).collect()
}

#[tokio::test]
async fn a_new_community_starts_from_nothing() {
    let resume = resume(&home()).await;
    assert!(resume.states.is_empty() && resume.inputs.is_empty() && resume.settings.is_empty());
    assert_eq!((resume.last_input, resume.last_journal), (0, JournalSeq(0)));
}

#[tokio::test]
async fn the_kept_states_come_with_the_inputs_after_the_oldest() {
    let home = home();
    for seq in 1..=10 {
        home.commit(Batch {
            inputs: vec![input(seq, 500 + i64::try_from(seq).unwrap())],
            state: (seq % 2 == 0 && seq < 9).then(|| (seq, format!("{{\"seen\":{seq}}}"))),
            ..Batch::default()
        })
        .await;
    }
    let resumed = resume(&home).await;
    let newest = &resumed.states[0];
    assert_eq!(
        (newest.input, newest.version.as_str()),
        (8, env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(newest.state, "{\"seen\":8}");
    let kept: Vec<u64> = resumed.states.iter().map(|state| state.input).collect();
    assert_eq!(kept, [8, 6, 4]);
    assert_eq!(seqs(&resumed), [5, 6, 7, 8, 9, 10]);
    assert_eq!(resumed.inputs[5], input(10, 510));
    assert_eq!(
        (resumed.last_input, resumed.last_moment, resumed.last_wall),
        (10, Moment(100), WallTime(510))
    );
    // Older states do not pile up.
    assert_eq!(count(&home.look().await, "SELECT count(*) FROM states"), 3);
}

#[tokio::test]
async fn without_a_state_every_input_is_there() {
    let home = home();
    home.commit(Batch {
        inputs: (1..=4).map(|seq| input(seq, 1)).collect(),
        ..Batch::default()
    })
    .await;
    assert_eq!(seqs(&resume(&home).await), [1, 2, 3, 4]);
}

#[tokio::test]
async fn the_greatest_numbers_are_remembered_whoever_used_them() {
    let home = home();
    let mut asked = entry(41, Scope::default().turn(TurnId(6)));
    asked.event = JournalEvent::AskCancelled {
        ask: AskId(99),
        // A number in another line does not start an ask.
        why: mind::reasons::CancelReason::BurstGrew,
    };
    home.commit(Batch {
        journal: vec![asked],
        ..Batch::default()
    })
    .await;
    home.store.start_ask(ask(12)).await.unwrap();
    let resumed = resume(&home).await;
    assert_eq!(
        (
            resumed.last_journal,
            resumed.last_turn,
            resumed.last_ask,
            resumed.last_moment
        ),
        (JournalSeq(41), TurnId(6), AskId(12), Moment(410))
    );
    let mut started = entry(42, Scope::default());
    started.event = JournalEvent::AskStarted {
        ask: AskId(13),
        purpose: AskPurpose::TextReply,
        provider: String::new(),
        model: String::new(),
        attempt: 1,
        prompt_characters: 1,
        sections_trimmed: Vec::new(),
        sections_dropped: Vec::new(),
    };
    home.commit(Batch {
        journal: vec![started],
        ..Batch::default()
    })
    .await;
    assert_eq!(resume(&home).await.last_ask, AskId(13));
}

async fn begin(home: &Home, first_input: u64, settings_version: u64) {
    let segment = Segment {
        community: community(),
        version: "0.1.0".to_owned(),
        started_at: WallTime(1),
        first_input,
        state: RawValue::from_string("{}".to_owned()).unwrap(),
        settings_version,
        settings: Document::default(),
    };
    home.store.begin_segment(segment).await.unwrap();
}

async fn step(home: &Home, recorded: RecordedInput, keep_state: bool) {
    home.commit(Batch {
        state: keep_state.then(|| (recorded.seq, "{}".to_owned())),
        inputs: vec![recorded],
        ..Batch::default()
    })
    .await;
}

#[tokio::test]
async fn settings_come_from_the_version_in_force_at_the_state_on() {
    let home = home();
    for version in 0..5 {
        home.store
            .save_settings(None, version, Document::default())
            .await
            .unwrap();
    }
    begin(&home, 1, 2).await;
    assert_eq!(versions(&resume(&home).await), [1, 2, 3, 4, 5]);
    step(&home, input(1, 1), true).await;
    assert_eq!(versions(&resume(&home).await), [2, 3, 4, 5]);
    let mut changed = input(2, 1);
    changed.input = Input::Shell(ShellEvent::SettingsChanged {
        version: 4,
        changed: Vec::new(),
    });
    step(&home, changed.clone(), false).await;
    // The state is from before the change, so the change is still to be stepped with both versions.
    assert_eq!(versions(&resume(&home).await), [2, 3, 4, 5]);
    assert_eq!(resume(&home).await.inputs, [changed]);
    step(&home, input(3, 1), true).await;
    let resumed = resume(&home).await;
    assert_eq!(versions(&resumed), [2, 3, 4, 5]);
    let in_force: Vec<u64> = resumed
        .states
        .iter()
        .map(|state| state.settings_version)
        .collect();
    assert_eq!(in_force, [4, 2]);
}

#[tokio::test]
async fn defaults_that_were_in_force_before_the_first_save_come_first() {
    let home = home();
    begin(&home, 1, 0).await;
    step(&home, input(1, 1), true).await;
    let mut document = Document::default();
    document.set("identity.name", "Someone".into());
    home.store.save_settings(None, 0, document).await.unwrap();
    let resumed = resume(&home).await;
    assert_eq!(versions(&resumed), [0, 1]);
    assert!(resumed.settings[0].document.is_empty());
}

#[tokio::test]
async fn settings_saved_while_no_process_ran_count_from_the_next_start_on() {
    let home = home();
    home.store
        .save_settings(None, 0, Document::default())
        .await
        .unwrap();
    begin(&home, 1, 1).await;
    step(&home, input(1, 1), true).await;
    home.store
        .save_settings(None, 1, Document::default())
        .await
        .unwrap();
    // The next process keeps the same state once more, and goes on from it with the newest settings.
    home.commit(Batch {
        state: Some((1, "{}".to_owned())),
        ..Batch::default()
    })
    .await;
    begin(&home, 2, 2).await;
    step(&home, input(2, 1), false).await;
    assert_eq!(versions(&resume(&home).await), [2]);
}

#[tokio::test]
async fn communities_do_not_see_each_other() {
    let home = home();
    let other = CommunityId::new("other");
    for (community, last) in [(community(), 3), (other.clone(), 5)] {
        let inputs = (1..=last).map(|seq| input(seq, 1)).collect();
        let batch = Batch {
            inputs,
            ..Batch::default()
        };
        home.store.commit(&community, batch).await.unwrap();
    }
    assert_eq!(seqs(&resume(&home).await), [1, 2, 3]);
    assert_eq!(home.store.resume(&other).await.unwrap().last_input, 5);
}

#[tokio::test]
async fn everything_is_there_for_the_next_process() {
    let Home { store, folder } = home();
    let batch = Batch {
        inputs: vec![input(1, 1)],
        state: Some((1, "{}".to_owned())),
        ..Batch::default()
    };
    store.commit(&community(), batch).await.unwrap();
    drop(store);
    // Closed cleanly, the file stands alone.
    assert!(!folder.path().join("denizen.db-wal").exists());
    let resumed = Sqlite::open(folder.path())
        .unwrap()
        .resume(&community())
        .await
        .unwrap();
    assert_eq!(resumed.states[0].input, 1);
}

#[tokio::test]
async fn an_input_that_cannot_be_read_is_named_and_stops_nothing() {
    let home = home();
    home.commit(Batch {
        inputs: vec![input(1, 1), input(2, 1), input(3, 1)],
        ..Batch::default()
    })
    .await;
    home.look()
        .await
        .execute(
            "UPDATE inputs SET input = '\"unheard_of\"', packed = NULL WHERE seq = 2",
            [],
        )
        .unwrap();
    let resumed = resume(&home).await;
    assert_eq!(seqs(&resumed), [1, 3]);
    let unread: Vec<u64> = resumed.unread.iter().map(|unread| unread.seq).collect();
    assert_eq!(unread, [2]);
    assert!(
        resumed.unread[0].detail.contains("unheard_of"),
        "{:?}",
        resumed.unread
    );
    let refused = home.store.recording(&community(), None).await;
    assert!(refused.is_ok(), "no stretch was begun");
}
