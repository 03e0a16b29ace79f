//! Two seats in one call of the local Discord: what is played at one is heard on a track at the other.

use std::sync::Arc;
use std::time::Duration;

use audio::{FRAME, pcm};
use discord_calls::{CallNames, Seating};
use discord_double::{Double, DoubleOptions};
use discord_voice::CallPlace;
use runtime::ports::{PlaybackExtent, SoundFrame, VoiceEvent, VoiceRoom};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;
use vocabulary::{Author, AuthorKind, DeliveryId, PersonId, RoomId, Span};

const PATIENCE: Duration = Duration::from_secs(60);

struct Numbers;

impl CallNames for Numbers {
    fn author(&self, user: u64) -> Author {
        Author {
            id: PersonId::new(user.to_string()),
            name: format!("user {user}"),
            kind: AuthorKind::Person,
        }
    }
}

fn id(value: &Value) -> u64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("an id")
}

struct Stage {
    double: Double,
    guild: u64,
    channel: u64,
}

impl Stage {
    async fn new() -> Self {
        let double = Double::start(DoubleOptions::default()).await.expect("started");
        let wish = json!({"name": "lounge", "type": 2});
        let made = double.control("channel", wish).expect("made");
        Self {
            guild: id(&made["guild_id"]),
            channel: id(&made["id"]),
            double,
        }
    }

    fn seat(&self, name: &str) -> (u64, Seating) {
        let control = |verb: &str, wish| self.double.control(verb, wish).expect("done");
        control("voice", json!({"user": name, "channel": "lounge"}));
        let user = id(&control("user", json!({"name": name}))["id"]);
        let endpoint = control("calls", json!({}))["endpoint"].clone();
        let place = CallPlace {
            endpoint: endpoint.as_str().expect("a server").to_owned(),
            token: format!("voice-{}-{user}", self.guild).into(),
            session: format!("voice-of-{user}").into(),
            guild: self.guild,
            channel: self.channel,
            user,
        };
        let seating = Seating::begin(RoomId::new("lounge"), place, Arc::new(Numbers));
        (user, seating)
    }

    /// Both are in the call's group, and have been for a moment.
    async fn settled(&self, members: usize) {
        for _ in 0..600 {
            let calls = self.double.control("calls", json!({})).expect("told");
            if calls["groups"][0]["members"].as_array().map(Vec::len) == Some(members) {
                return tokio::time::sleep(Duration::from_millis(500)).await;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("they are not in one group");
    }
}

/// A tone of so many frames, as it would come from a mouth.
fn tone(frames: usize) -> mpsc::Receiver<SoundFrame> {
    let (to, from) = mpsc::channel(frames);
    for number in 0..frames {
        let wave = |at: usize| ((number * FRAME + at) as f64 * 0.06).sin() * 9_000.0;
        let samples: Vec<i16> = (0..FRAME).map(|at| wave(at) as i16).collect();
        let mut bytes = Vec::new();
        pcm::write(&samples, &mut bytes);
        let frame = SoundFrame {
            samples: bytes.into(),
            at: Span(number as u64 * 20),
        };
        to.try_send(frame).expect("there is room");
    }
    from
}

fn is_loud(frame: &SoundFrame) -> bool {
    let mut samples = Vec::new();
    pcm::read(&frame.samples, &mut samples);
    samples.iter().any(|sample| sample.unsigned_abs() > 3_000)
}

async fn track(seating: &mut Seating, person: &PersonId) -> mpsc::Receiver<SoundFrame> {
    loop {
        let event = timeout(PATIENCE, seating.events.recv()).await.expect("in time");
        match event.expect("the call goes on") {
            VoiceEvent::Track { person: who, frames } if who == *person => return frames,
            VoiceEvent::Ended(fault) => panic!("{fault}"),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_seat_plays_the_other_hears_on_a_track_of_its_own() {
    let stage = Stage::new().await;
    let (_, mut here) = stage.seat("denizen");
    let (other, there) = stage.seat("bob");
    stage.settled(2).await;
    let playing = tokio::spawn(async move {
        let extent = there.seat.play(&DeliveryId::new("d1"), tone(100)).await;
        (there, extent)
    });
    let bob = PersonId::new(other.to_string());
    let mut frames = track(&mut here, &bob).await;
    let mut loud = 0;
    // It is loud for two seconds and quiet for one, and then there are no more.
    while let Ok(Some(frame)) = timeout(Duration::from_millis(1_500), frames.recv()).await {
        loud += usize::from(is_loud(&frame));
    }
    let (there, extent) = playing.await.expect("it ends");
    assert_eq!(extent, Ok(PlaybackExtent::Whole));
    assert!(loud >= 90, "{loud} of 100 frames");
    Box::new(there.seat).leave().await;
    let left = async {
        loop {
            match here.events.recv().await {
                Some(VoiceEvent::Left(person)) => return person,
                Some(_) => {}
                None => panic!("the call is over"),
            }
        }
    };
    assert_eq!(timeout(PATIENCE, left).await, Ok(bob));
    let rest = timeout(PATIENCE, frames.recv()).await;
    assert!(matches!(rest, Ok(None)), "the track ends with its speaker");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_falls_silent_when_it_is_told_to() {
    let stage = Stage::new().await;
    let (user, here) = stage.seat("denizen");
    let (_, mut there) = stage.seat("bob");
    stage.settled(2).await;
    let seat = Arc::new(here.seat);
    let playing = {
        let seat = Arc::clone(&seat);
        tokio::spawn(async move { seat.play(&DeliveryId::new("d1"), tone(3_000)).await })
    };
    let mut frames = track(&mut there, &PersonId::new(user.to_string())).await;
    let first = timeout(PATIENCE, frames.recv()).await;
    assert!(matches!(first, Ok(Some(_))));
    seat.stop();
    let extent = timeout(PATIENCE, playing)
        .await
        .expect("it ends")
        .expect("it ends well");
    let Ok(PlaybackExtent::Until(heard)) = extent else {
        panic!("{extent:?}");
    };
    assert!(heard < Span::seconds(60), "it was stopped: {heard:?}");
}
