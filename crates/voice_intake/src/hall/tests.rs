use bytes::Bytes;
use tokio::sync::mpsc::error::TryRecvError;
use vocabulary::{AuthorKind, Span};

use super::*;
use crate::Lobby;

struct Stage {
    hall: Hall,
    lobby: Lobby,
    now: u64,
}

fn person(name: &str) -> PersonId {
    PersonId::new(format!("person:{name}"))
}

fn session(name: &str) -> VoiceSession {
    VoiceSession::new(format!("session of {name}"))
}

/// A tone of its own for every period, quiet enough for many at once.
fn tone(period: usize, frame: usize) -> Frame {
    std::array::from_fn(|at| {
        let place = (frame * FRAME + at) % period;
        if place < period / 2 { 1_000 } else { -1_000 }
    })
}

fn sum(frames: &[Frame]) -> Frame {
    std::array::from_fn(|at| frames.iter().map(|frame| frame[at]).sum())
}

fn sound(frame: &Frame) -> SoundFrame {
    let mut samples = Vec::new();
    audio::pcm::write(frame, &mut samples);
    SoundFrame {
        samples: samples.into(),
        at: Span(0),
    }
}

impl Stage {
    fn new() -> Self {
        Self {
            hall: Hall::default(),
            lobby: Lobby::new(),
            now: 0,
        }
    }

    fn enter(&mut self, name: &str) -> Arc<Ear> {
        self.enter_as(name, session(name))
    }

    fn enter_as(&mut self, name: &str, session: VoiceSession) -> Arc<Ear> {
        let author = Author {
            id: person(name),
            name: name.to_owned(),
            kind: AuthorKind::Person,
        };
        let entered = self.hall.enter(author, session, self.arrival(), self.now);
        entered.expect("there is room").ear
    }

    fn arrival(&self) -> Arrival {
        Arrival {
            muted: false,
            door: Door::Program,
            place: self.lobby.place().expect("a place"),
        }
    }

    fn say(&mut self, name: &str, frame: &Frame) -> Result<(), NotSaid> {
        self.hall.say(&person(name), &session(name), frame, self.now)
    }

    fn tick(&mut self) -> Vec<(PersonId, bool)> {
        self.now += FRAME as u64;
        self.hall.tick(self.now)
    }

    /// Plays frames as Denizen, all of which are there at once.
    fn play(&mut self, stay: u64, frames: &[Frame]) -> oneshot::Receiver<PlaybackExtent> {
        let (sender, receiver) = mpsc::channel(frames.len().max(1));
        for frame in frames {
            sender.try_send(sound(frame)).expect("there is room");
        }
        self.hall.play(stay, receiver).expect("it is in").1
    }
}

fn all(ear: &Ear) -> Vec<Frame> {
    std::iter::from_fn(|| ear.take()).map(|frame| *frame).collect()
}

mod echoes;
mod tracks;

#[test]
fn each_hears_all_others_and_denizen_and_never_themselves_to_the_sample() {
    let mut stage = Stage::new();
    let (stay, _events) = stage.hall.seat(0);
    let (ann, bob, cleo) = (stage.enter("ann"), stage.enter("bob"), stage.enter("cleo"));
    let voice: Vec<Frame> = (0..3).map(|at| tone(96, at)).collect();
    let _extent = stage.play(stay, &voice);
    for at in 0..4 {
        stage.say("ann", &tone(120, at)).expect("in time");
        stage.say("bob", &tone(160, at)).expect("in time");
        stage.tick();
    }
    let spoken = |at| (tone(120, at), tone(160, at));
    // What people say waits for a second frame once; Denizen's voice does not.
    for (ear, expected) in [
        (
            &ann,
            [
                voice[0],
                sum(&[spoken(0).1, voice[1]]),
                sum(&[spoken(1).1, voice[2]]),
                spoken(2).1,
            ],
        ),
        (
            &bob,
            [
                voice[0],
                sum(&[spoken(0).0, voice[1]]),
                sum(&[spoken(1).0, voice[2]]),
                spoken(2).0,
            ],
        ),
        (
            &cleo,
            [
                voice[0],
                sum(&[spoken(0).0, spoken(0).1, voice[1]]),
                sum(&[spoken(1).0, spoken(1).1, voice[2]]),
                sum(&[spoken(2).0, spoken(2).1]),
            ],
        ),
    ] {
        assert!(all(ear) == expected);
    }
}

#[test]
fn whoever_is_alone_hears_nothing_of_themselves_and_time_stands_still_in_silence() {
    let mut stage = Stage::new();
    let ann = stage.enter("ann");
    assert!(!stage.hall.is_busy());
    stage.say("ann", &[0; FRAME]).expect("in time");
    assert!(!stage.hall.is_busy(), "silence needs no mixing");
    for at in 0..5 {
        stage.say("ann", &tone(100, at)).expect("in time");
        assert!(stage.hall.is_busy());
        stage.tick();
    }
    let ticks = (0..1_000).take_while(|_| {
        stage.tick();
        stage.hall.is_busy()
    });
    assert!(ticks.count() < 60);
    assert_eq!(all(&ann).len(), 0);
}

#[test]
fn a_listener_hears_a_little_silence_after_the_last_sound_and_then_nothing() {
    let mut stage = Stage::new();
    let (_ann, bob) = (stage.enter("ann"), stage.enter("bob"));
    stage.say("ann", &tone(100, 0)).expect("in time");
    for _ in 0..100 {
        stage.tick();
    }
    let heard = all(&bob);
    assert_eq!(heard.len(), 1 + TAIL_FRAMES as usize);
    assert!(heard[0] == tone(100, 0) && heard[1..].iter().all(|frame| *frame == [0; FRAME]));
    assert!(!stage.hall.is_busy());
}

#[test]
fn a_stop_is_heard_within_a_frame_and_says_how_much_was_heard() {
    let mut stage = Stage::new();
    let (stay, _events) = stage.hall.seat(0);
    let ann = stage.enter("ann");
    let voice: Vec<Frame> = (0..200).map(|at| tone(96, at)).collect();
    let mut extent = stage.play(stay, &voice);
    for _ in 0..5 {
        stage.tick();
    }
    stage.hall.stop(None);
    assert_eq!(extent.try_recv(), Ok(PlaybackExtent::Until(Span(100))));
    for _ in 0..20 {
        stage.tick();
    }
    let heard = all(&ann);
    assert!(heard[..5] == voice[..5] && heard[5..].iter().all(|frame| *frame == [0; FRAME]));
}

#[test]
fn what_is_heard_to_its_end_is_whole_even_where_frames_are_of_odd_lengths() {
    let mut stage = Stage::new();
    let (stay, _events) = stage.hall.seat(0);
    let ann = stage.enter("ann");
    let samples: Vec<u8> = tone(96, 0)
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    let (sender, receiver) = mpsc::channel(4);
    for piece in samples.chunks(700) {
        sender
            .try_send(SoundFrame {
                samples: Bytes::copy_from_slice(piece),
                at: Span(0),
            })
            .expect("room");
    }
    let (_, mut extent) = stage.hall.play(stay, receiver).expect("it is in");
    stage.tick();
    assert_eq!(all(&ann), [tone(96, 0)]);
    // Whoever writes the next is late: nothing is heard, and nothing is over.
    stage.tick();
    sender
        .try_send(SoundFrame {
            samples: Bytes::copy_from_slice(&samples[..960]),
            at: Span(0),
        })
        .expect("room");
    drop(sender);
    assert!(extent.try_recv().is_err());
    stage.tick();
    let half: Frame = std::array::from_fn(|at| if at < 480 { tone(96, 0)[at] } else { 0 });
    assert!(all(&ann).contains(&half));
    assert!(extent.try_recv().is_err(), "its last frame is being heard");
    stage.tick();
    assert_eq!(extent.try_recv(), Ok(PlaybackExtent::Whole));
}

#[test]
fn frames_are_taken_from_denizens_mouth_only_when_they_are_heard() {
    let mut stage = Stage::new();
    let (stay, _events) = stage.hall.seat(0);
    let (sender, receiver) = mpsc::channel(2);
    for at in 0..2 {
        sender.try_send(sound(&tone(96, at))).expect("room");
    }
    let _extent = stage.hall.play(stay, receiver).expect("it is in");
    assert_eq!(sender.capacity(), 0);
    stage.tick();
    assert_eq!(sender.capacity(), 1);
}

#[test]
fn a_listener_who_is_slow_loses_their_own_oldest_and_holds_up_nobody() {
    let mut stage = Stage::new();
    let (_ann, bob, cleo) = (stage.enter("ann"), stage.enter("bob"), stage.enter("cleo"));
    let mut kept = Vec::new();
    for at in 0..60 {
        stage.say("ann", &tone(100 + at, at)).expect("in time");
        stage.tick();
        kept.extend(all(&cleo));
    }
    let expected: Vec<Frame> = (0..59).map(|at| tone(100 + at, at)).collect();
    assert!(kept == expected);
    assert!(all(&bob) == expected[59 - crate::ear::WAITING_MAX..]);
    assert_eq!(bob.lost(), 59 - crate::ear::WAITING_MAX as u64);
}

#[test]
fn nobody_hears_whose_microphone_is_off() {
    let mut stage = Stage::new();
    let (_ann, bob) = (stage.enter("ann"), stage.enter("bob"));
    for at in 0..5 {
        stage.say("ann", &tone(100, at)).expect("in time");
    }
    assert!(stage.hall.mute(&person("ann"), &session("ann"), true));
    assert!(!stage.hall.mute(&person("ann"), &session("ann"), true));
    for at in 0..5 {
        stage.say("ann", &tone(100, at)).expect("in time");
        stage.tick();
    }
    assert!(all(&bob).is_empty());
    assert!(!stage.hall.is_busy());
}

#[test]
fn whoever_sends_more_than_time_allows_is_told_and_the_rest_is_not_taken() {
    let mut stage = Stage::new();
    let _ann = stage.enter("ann");
    let taken = (0..200)
        .take_while(|at| stage.say("ann", &tone(100, *at)).is_ok())
        .count();
    assert_eq!(taken, 51);
    stage.now += FRAME as u64;
    assert_eq!(stage.say("ann", &tone(100, 0)), Ok(()));
    assert_eq!(stage.say("ann", &tone(100, 0)), Err(NotSaid::TooFast));
}

#[test]
fn it_is_told_when_there_is_sound_of_somebody_and_when_there_is_none_any_more() {
    let mut stage = Stage::new();
    let _ann = stage.enter("ann");
    let mut told = Vec::new();
    for at in 0..10 {
        stage.say("ann", &tone(100, at)).expect("in time");
        told.extend(stage.tick());
    }
    assert_eq!(told, [(person("ann"), true)]);
    assert!(stage.hall.presence().people[0].sounding);
    let mut ticks = 0;
    while stage.hall.is_busy() {
        told.extend(stage.tick());
        ticks += 1;
    }
    assert_eq!(told.last(), Some(&(person("ann"), false)));
    assert!((20..40).contains(&ticks), "after {ticks} ticks");
}

#[test]
fn the_sound_of_a_device_is_over_when_somebody_comes_anew_by_another() {
    let mut stage = Stage::new();
    let _ann = stage.enter("ann");
    for at in 0..10 {
        stage.say("ann", &tone(100, at)).expect("in time");
        stage.tick();
    }
    assert!(stage.hall.presence().people[0].sounding);
    let _anew = stage.enter_as("ann", VoiceSession::new("another device"));
    assert_eq!(stage.tick(), [(person("ann"), false)]);
    assert!(!stage.hall.presence().people[0].sounding);
}

#[test]
fn a_hall_has_room_for_so_many_and_denizen_sits_in_it_once() {
    let mut stage = Stage::new();
    for number in 0..PEOPLE_MAX {
        stage.enter(&format!("guest {number}"));
    }
    let author = Author {
        id: person("ann"),
        name: "ann".to_owned(),
        kind: AuthorKind::Person,
    };
    let arrival = stage.arrival();
    let refused = stage.hall.enter(author, session("ann"), arrival, 0);
    assert_eq!(refused.err(), Some(HallFull));
    stage.enter("guest 3");
    let (first, _events) = stage.hall.seat(0);
    let (second, _events) = stage.hall.seat(0);
    stage.hall.unseat(first);
    assert!(stage.hall.presence().denizen, "it has come anew since");
    stage.hall.unseat(second);
    assert!(!stage.hall.presence().denizen);
}

#[test]
fn whoever_lets_everything_lie_that_happens_is_not_in_the_room_any_more() {
    let mut stage = Stage::new();
    let (_, mut events) = stage.hall.seat(0);
    for _ in 0..EVENTS_MAX {
        stage.enter("ann");
        stage.hall.leave(&person("ann"), &session("ann"), LineEnd::Closed);
    }
    assert!(!stage.hall.presence().denizen);
    while events.try_recv().is_ok() {}
    assert_eq!(events.try_recv().err(), Some(TryRecvError::Disconnected));
}
