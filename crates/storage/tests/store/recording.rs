//! Recordings: a stretch with everything needed to step it again.

use mind::{Input, Scope, ShellEvent};
use runtime::ports::{Batch, Recording, Segment, Store};
use serde_json::value::RawValue;
use settings::Document;
use vocabulary::WallTime;

use crate::given::{Home, community, damage_line, entry, home, input};

pub async fn begin(home: &Home, first_input: u64, settings_version: u64) {
    let segment = Segment {
        community: community(),
        version: "0.1.0".to_owned(),
        started_at: WallTime(77),
        first_input,
        // Spacing and order must survive: a state is kept as text.
        state: RawValue::from_string(format!("{{ \"z\":{first_input},\"a\":0.10 }}")).unwrap(),
        settings_version,
        settings: Document::default(),
    };
    home.store.begin_segment(segment).await.unwrap();
}

async fn step(home: &Home, seq: u64) {
    home.commit(Batch {
        inputs: vec![input(seq, 1)],
        journal: vec![
            entry(seq * 2, Scope::default()),
            entry(seq * 2 + 1, Scope::default()),
        ],
        ..Batch::default()
    })
    .await;
}

async fn recording(home: &Home, holding: Option<u64>) -> Option<Recording> {
    home.store.recording(&community(), holding).await.unwrap()
}

fn numbers(recording: &Recording) -> (Vec<u64>, Vec<u64>) {
    (
        recording.inputs.iter().map(|input| input.seq).collect(),
        recording.journal.iter().map(|line| line.seq.0).collect(),
    )
}

#[tokio::test]
async fn each_stretch_has_its_own_inputs_and_lines() {
    let home = home();
    assert!(recording(&home, None).await.is_none());
    begin(&home, 1, 0).await;
    step(&home, 1).await;
    step(&home, 2).await;
    begin(&home, 3, 0).await;
    step(&home, 3).await;
    let newest = recording(&home, None).await.unwrap();
    assert_eq!(numbers(&newest), (vec![3], vec![6, 7]));
    assert_eq!(newest.segment.state.get(), "{ \"z\":3,\"a\":0.10 }");
    assert_eq!(
        (newest.segment.first_input, newest.segment.started_at),
        (3, WallTime(77))
    );
    for holding in [1, 2] {
        let older = recording(&home, Some(holding)).await.unwrap();
        assert_eq!(numbers(&older), (vec![1, 2], vec![2, 3, 4, 5]));
    }
    assert!(recording(&home, Some(4)).await.is_none());
}

#[tokio::test]
async fn a_line_that_is_damaged_or_was_emptied_because_it_is_does_not_keep_the_others_from_a_recording() {
    let home = home();
    begin(&home, 1, 0).await;
    step(&home, 1).await;
    step(&home, 2).await;
    let looking = home.look().await;
    damage_line(&looking, 2);
    let emptied = "UPDATE journal SET line = '', packed = NULL WHERE seq = 4";
    assert_eq!(looking.execute(emptied, []).unwrap(), 1);
    let read = recording(&home, None).await.unwrap();
    assert_eq!(numbers(&read), (vec![1, 2], vec![3, 5]));
}

#[tokio::test]
async fn a_stretch_that_got_no_input_is_replaced_by_the_next() {
    let home = home();
    begin(&home, 1, 0).await;
    begin(&home, 1, 0).await;
    step(&home, 1).await;
    assert_eq!(
        numbers(&recording(&home, None).await.unwrap()),
        (vec![1], vec![2, 3])
    );
}

#[tokio::test]
async fn a_new_stretch_without_inputs_is_a_recording_too() {
    let home = home();
    begin(&home, 1, 0).await;
    step(&home, 1).await;
    begin(&home, 2, 0).await;
    assert_eq!(numbers(&recording(&home, None).await.unwrap()), (vec![], vec![]));
}

#[tokio::test]
async fn it_brings_the_settings_that_were_changed_on_the_way() {
    let home = home();
    for version in 0..4 {
        home.store
            .save_settings(None, version, Document::default())
            .await
            .unwrap();
    }
    begin(&home, 1, 1).await;
    let changes = [(1, 2), (2, 4)].map(|(seq, version)| {
        let mut recorded = input(seq, 1);
        recorded.input = Input::Shell(ShellEvent::SettingsChanged {
            version,
            changed: Vec::new(),
        });
        recorded
    });
    home.commit(Batch {
        inputs: changes.to_vec(),
        ..Batch::default()
    })
    .await;
    let recording = recording(&home, None).await.unwrap();
    let versions: Vec<u64> = recording.settings.iter().map(|saved| saved.version).collect();
    assert_eq!((versions, recording.segment.settings_version), (vec![2, 4], 1));
}
