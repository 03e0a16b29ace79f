//! A recording with a shared screen, stepped again with other settings: its questions have no message, and are answered
//! as those asked nearest to them in time were.

use mind::{Answer, Effect, Genesis, Input, JournalEntry, JournalEvent, Mind, RoomEvent, ShellEvent, Wake};
use runtime::ports::{RecordedInput, Recording, Segment};
use runtime::replay::{self, ScreenDecisions, ScreenDifference};
use serde_json::value::RawValue;
use settings::{Document, Settings};
use vocabulary::{
    AskId, AskOutcome, AskPurpose, ChangeScore, CommunityId, Finish, FrameId, Glimpse, ModelAnswer, Moment,
    Now, PersonId, PictureKind, RoomId, Share, ShareEnd, ShareId, ShareSource, Span, Usage, WallTime,
};

const LASTS: Span = Span::minutes(2);
const FRAME_EVERY: Span = Span(500);

/// A world in which somebody plays a game, and a model that says something longer each time.
struct World {
    mind: Mind,
    settings: Settings,
    recording: Recording,
    wake: Option<Wake>,
    pending: Vec<(Moment, Input)>,
    answers: u64,
}

impl World {
    fn new() -> Self {
        let mind = Mind::new(Genesis::first("local", "denizen", 7));
        let mut document = Document::default();
        document.set("voice.streamWatch.thresholdMode".to_owned(), "absolute".into());
        let segment = Segment {
            community: CommunityId::new("local"),
            version: "0".to_owned(),
            started_at: WallTime(0),
            first_input: 1,
            state: RawValue::from_string(serde_json::to_string(&mind).unwrap()).unwrap(),
            settings_version: 0,
            settings: document.clone(),
        };
        Self {
            mind,
            settings: Settings::read(&document).unwrap(),
            recording: Recording {
                segment,
                inputs: Vec::new(),
                journal: Vec::new(),
                settings: Vec::new(),
            },
            wake: None,
            pending: Vec::new(),
            answers: 0,
        }
    }

    /// Does what falls due before a moment, then the thing that happens at it.
    fn happen(&mut self, at: Moment, input: Input) {
        loop {
            let answer = self.pending.iter().map(|(due, _)| *due).min();
            let next = answer.into_iter().chain(self.wake.map(|wake| wake.at)).min();
            let Some(due) = next.filter(|due| *due < at) else {
                break;
            };
            let is_due = |(when, _): &(Moment, Input)| *when == due;
            match self.pending.iter().position(is_due) {
                Some(index) => {
                    let (_, input) = self.pending.remove(index);
                    self.step(due, input);
                }
                None => self.step(due, Input::Shell(ShellEvent::WakeReached)),
            }
        }
        self.step(at, input);
    }

    fn step(&mut self, at: Moment, input: Input) {
        let now = Now {
            moment: at,
            wall: WallTime(at.0 as i64),
        };
        self.recording.inputs.push(RecordedInput {
            stepped_before: None,
            seq: self.recording.inputs.len() as u64 + 1,
            now,
            input: input.clone(),
        });
        let step = self.mind.step(now, input, &self.settings);
        self.wake = step.wake;
        for effect in step.effects {
            match effect {
                Effect::Journal(entry) => self.recording.journal.push(*entry),
                Effect::Ask(asking) => {
                    self.answers += 1;
                    let took = Span(1_000 + self.answers * 10);
                    let text = match asking.request.purpose {
                        AskPurpose::ScreenNote => {
                            format!(
                                "A boss fight is going on, round {}.",
                                "x".repeat(self.answers as usize)
                            )
                        }
                        _ => "[SKIP]".to_owned(),
                    };
                    let ended = Input::Answer(Answer::AskEnded {
                        ask: asking.ask,
                        outcome: AskOutcome::Answered(answer(text, took)),
                    });
                    self.pending.push((at + took, ended));
                }
                _ => {}
            }
        }
    }
}

fn answer(text: String, took: Span) -> ModelAnswer {
    ModelAnswer {
        provider: "offline".to_owned(),
        model: "eye".to_owned(),
        text,
        tool_calls: Vec::new(),
        carried: None,
        finish: Finish::Complete,
        cap: None,
        usage: Usage::default(),
        first_text: None,
        took,
        tries: 1,
    }
}

fn lounge() -> RoomId {
    RoomId::new("lounge")
}

fn share(id: &str) -> Share {
    Share {
        share: ShareId::new(id),
        room: lounge(),
        person: PersonId::new("alice"),
        name: "Alice".to_owned(),
        source: ShareSource::FrameApi,
    }
}

fn frame(share: &str, number: u64) -> Input {
    Input::Room(
        lounge(),
        RoomEvent::FrameArrived {
            share: ShareId::new(share),
            glimpse: Glimpse {
                frame: FrameId(number),
                kind: PictureKind::Jpeg,
                width: 640,
                height: 360,
                change: ChangeScore {
                    score: 0.007,
                    ema: 0.007,
                    scene_cut: false,
                    region: None,
                },
            },
        },
    )
}

/// A screen that moves all the time, for two minutes.
fn played() -> World {
    let mut world = World::new();
    let mut at = Moment(1_000);
    world.happen(at, Input::share_started(share("game")));
    for number in 1..=LASTS.0 / FRAME_EVERY.0 {
        at = at + FRAME_EVERY;
        world.happen(at, frame("game", number));
    }
    world
}

/// Notes as they were asked for and taken: when, how long it took, and how long they are.
fn notes(journal: &[JournalEntry]) -> Vec<(Moment, Span, usize)> {
    let started = |of: &AskId| {
        journal.iter().find_map(|entry| match &entry.event {
            JournalEvent::NoteStarted { ask, .. } if ask == of => Some(entry.moment),
            _ => None,
        })
    };
    let taken = journal.iter().filter_map(|entry| match &entry.event {
        JournalEvent::NoteTaken {
            ask,
            took,
            characters,
            ..
        } => Some((started(ask)?, *took, *characters)),
        _ => None,
    });
    taken.collect()
}

#[test]
fn a_recording_with_a_screen_steps_again_byte_for_byte() {
    let recording = played().recording;
    let again = replay::again(&recording).unwrap();
    let text = |journal: &[JournalEntry]| serde_json::to_string(journal).unwrap();
    assert_eq!(text(&again), text(&recording.journal));
}

#[test]
fn a_note_that_was_not_asked_for_then_is_answered_as_the_nearest_one_was() {
    let recording = played().recording;
    let recorded = notes(&recording.journal);
    let overrides = vec![("voice.streamWatch.noteIntervalSeconds".to_owned(), 4.into())];
    let rerun = replay::with_settings(&recording, overrides).unwrap();
    let more = notes(&rerun);
    assert!(recorded.len() > 5, "{recorded:?}");
    assert!(
        more.len() > recorded.len() + 5,
        "{} {}",
        more.len(),
        recorded.len()
    );

    for (at, took, characters) in more {
        let distance = |then: Moment| then.since(at).max(at.since(then));
        let nearest = recorded.iter().min_by_key(|(then, ..)| distance(*then)).unwrap();
        assert_eq!((took, characters), (nearest.1, nearest.2), "asked at {at:?}");
    }
    let left_open = rerun
        .iter()
        .any(|entry| matches!(entry.event, JournalEvent::NoteFailed { .. }));
    assert!(!left_open);
}

#[test]
fn other_settings_show_which_frames_would_have_been_noted() {
    let mut world = played();
    let stopped = Input::Room(
        lounge(),
        RoomEvent::ShareEnded {
            share: ShareId::new("game"),
            reason: ShareEnd::Stopped,
        },
    );
    world.happen(Moment(1_000) + LASTS + FRAME_EVERY, stopped);
    let recording = world.recording;
    let before = replay::with_settings(&recording, Vec::new()).unwrap();
    assert_eq!(replay::screen_differences(&before, &before), []);
    assert_eq!(
        ScreenDecisions::of(&before).notes,
        ScreenDecisions::of(&recording.journal).notes
    );

    let touchy = vec![("voice.streamWatch.changeThreshold".to_owned(), 0.006.into())];
    let after = replay::with_settings(&recording, touchy).unwrap();
    let differing = replay::screen_differences(&before, &after);
    assert!(differing.windows(2).all(|pair| pair[0].at <= pair[1].at));
    let changes = differing.iter().filter(|frame| frame.after == "note: change");
    assert!(changes.count() > 20, "{differing:#?}");
    let taken_instead = |frame: &&ScreenDifference| frame.before.contains("note: interval");
    let otherwise = differing.iter().find(taken_instead).unwrap();
    assert!(!otherwise.after.contains("note: interval"), "{otherwise:?}");
    assert!(ScreenDecisions::of(&after).notes > ScreenDecisions::of(&before).notes);
}

#[test]
fn comments_are_answered_like_notes() {
    let recording = played().recording;
    let considered = |journal: &[JournalEntry]| {
        let skipped = |entry: &&JournalEntry| matches!(entry.event, JournalEvent::CommentarySkipped { .. });
        journal.iter().filter(skipped).count()
    };
    let overrides = vec![("voice.streamWatch.commentaryIntervalSeconds".to_owned(), 5.into())];
    let rerun = replay::with_settings(&recording, overrides).unwrap();
    assert!(considered(&recording.journal) > 0);
    assert!(considered(&rerun) > considered(&recording.journal));
}

#[test]
fn a_share_that_a_restart_ended_does_not_stand_in_the_way_of_the_next_one() {
    let mut before = played();
    let state = serde_json::to_string(&before.mind).unwrap();
    before.recording.segment.state = RawValue::from_string(state).unwrap();
    before.recording.segment.first_input = before.recording.inputs.len() as u64 + 1;
    before.recording.inputs.clear();
    before.recording.journal.clear();
    before.pending.clear();
    let mut at = Moment(300_000);
    before.happen(
        at,
        Input::Shell(ShellEvent::Restarted {
            down_for: Span::minutes(3),
        }),
    );
    before.happen(at, Input::share_started(share("film")));
    for number in 1_000..1_100 {
        at = at + FRAME_EVERY;
        before.happen(at, frame("film", number));
    }
    let recording = before.recording;
    let overrides = vec![("voice.streamWatch.noteIntervalSeconds".to_owned(), 4.into())];
    let rerun = replay::with_settings(&recording, overrides).unwrap();
    let ended = rerun.iter().any(|entry| {
        matches!(&entry.event, JournalEvent::ShareEnded { share, reason, .. }
            if share.as_str() == "game" && *reason == ShareEnd::Restarted)
    });
    assert!(ended);
    assert!(notes(&rerun).len() > notes(&recording.journal).len());
}
