//! What is said, by people and by Denizen, and how long it takes.

use std::time::Duration;

use runtime::ports::{PlaybackExtent, Voice, VoiceEvent, VoiceFault};
use tokio::time::{Instant, sleep};
use vocabulary::DeliveryId;

use super::*;

/// A channel that holds so many frames of Denizen's, and no more come.
fn speech(frames: usize) -> mpsc::Receiver<SoundFrame> {
    let (sender, receiver) = mpsc::channel(frames);
    for at in 0..frames {
        sender.try_send(sound(&tone(at), at)).expect("room");
    }
    receiver
}

#[tokio::test(start_paused = true)]
async fn what_denizen_says_is_heard_by_all_at_the_pace_of_speech() {
    let (halls, _coming) = halls();
    let ann = halls.come(&lounge(), author("ann"), false).expect("room");
    let (seat, _events) = halls.join(&lounge()).await.expect("it is not in yet");
    let before = Instant::now();
    let extent = seat.play(&DeliveryId::new("d1"), speech(50)).await;
    assert_eq!(extent, Ok(PlaybackExtent::Whole));
    // By the test's own clock, which goes by in no time: the last frame is heard for 20 ms, too.
    assert_eq!(before.elapsed().as_millis(), 1_000);
    // Nobody has taken them; the newest are here, and a frame of the silence after them.
    let frame = ann.hear().await.expect("a frame");
    assert!(*frame == tone(31) && ann.lost() == 31);
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_what_is_played_and_what_waits_to_be_played() {
    let (halls, _coming) = halls();
    let ann = halls.come(&lounge(), author("ann"), false).expect("room");
    let (seat, _events) = halls.join(&lounge()).await.expect("it is not in yet");
    let (one, two) = (DeliveryId::new("d1"), DeliveryId::new("d2"));
    let stopping = async {
        sleep(Duration::from_millis(95)).await;
        seat.stop();
    };
    let (first, second, ()) = tokio::join!(
        seat.play(&one, speech(200)),
        seat.play(&two, speech(200)),
        stopping
    );
    assert_eq!(first, Ok(PlaybackExtent::Until(Span(100))));
    assert_eq!(second, Ok(PlaybackExtent::Until(Span(0))));
    sleep(Duration::from_secs(1)).await;
    let heard: Vec<Frame> = std::iter::from_fn(|| ann.waiting()).map(|frame| *frame).collect();
    let (voice, silence) = heard.split_at(5);
    assert!(voice.iter().enumerate().all(|(at, frame)| *frame == tone(at)));
    assert!(silence.iter().all(|frame| *frame == [0; FRAME]));
    // What comes after a stop is played again.
    assert_eq!(seat.play(&one, speech(1)).await, Ok(PlaybackExtent::Whole));
}

#[tokio::test(start_paused = true)]
async fn whoever_gives_up_waiting_for_a_playback_ends_it() {
    let (halls, _coming) = halls();
    let ann = halls.come(&lounge(), author("ann"), false).expect("room");
    let (seat, _events) = halls.join(&lounge()).await.expect("it is not in yet");
    let delivery = DeliveryId::new("d1");
    let given_up = tokio::time::timeout(Duration::from_millis(50), seat.play(&delivery, speech(200)));
    assert!(given_up.await.is_err());
    sleep(Duration::from_secs(1)).await;
    let heard: Vec<Frame> = std::iter::from_fn(|| ann.waiting()).map(|frame| *frame).collect();
    assert!(heard.len() > 3 && heard[3..].iter().all(|frame| *frame == [0; FRAME]));
}

#[tokio::test(start_paused = true)]
async fn what_people_say_is_on_their_tracks_before_anybody_else_hears_it() {
    let (halls, _coming) = halls();
    let ann = halls.come(&lounge(), author("ann"), false).expect("room");
    let bob = halls.come(&lounge(), author("bob"), false).expect("room");
    let (_seat, mut events) = halls.join(&lounge()).await.expect("it is not in yet");
    let mut tracks = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let VoiceEvent::Track { person, frames } = event {
            tracks.push((person, frames));
        }
    }
    ann.say(&tone(1)).expect("in time");
    let (person, frames) = &mut tracks[0];
    assert_eq!(*person, author("ann").id);
    assert_eq!(
        frames.try_recv().map(|frame| frame.samples),
        Ok(sound(&tone(1), 0).samples)
    );
    assert!(tracks[1].1.try_recv().is_err());
    assert!(*bob.hear().await.expect("a frame") == tone(1));
}

#[tokio::test(start_paused = true)]
async fn a_room_that_denizen_has_left_plays_nothing_and_ends_its_tracks() {
    let (halls, _coming) = halls();
    let _ann = halls.come(&lounge(), author("ann"), false).expect("room");
    let (seat, mut events) = halls.join(&lounge()).await.expect("it is not in yet");
    assert!(matches!(
        halls.join(&lounge()).await,
        Err(VoiceFault::Refused { .. })
    ));
    seat.leave().await;
    while events.recv().await.is_some() {}
    let (_seat, mut events) = halls.join(&lounge()).await.expect("it has left");
    assert!(matches!(events.recv().await, Some(VoiceEvent::Joined(_))));
}
