//! Browsers by WebRTC, over loopback: heard, hearing, coming back, and going in every way there is.

use std::net::{Ipv4Addr, UdpSocket};
use std::sync::atomic::Ordering;
use std::time::Duration;

use reach::Reach;
use runtime::ports::{DoorRefusal, Voice, VoiceAnswer, VoiceDoors};
use vocabulary::DeliveryId;

use super::peer::{Controls, Offering, Peer, hum, offering, share_of};
use super::*;

/// Halls that browsers reach on loopback, and that give up on whoever is silent for a second.
fn open_halls() -> (Halls, mpsc::Receiver<VoiceComing>) {
    let lobby = Lobby::new().with_silence_max(Duration::from_secs(1));
    lobby.is_reached_at(Reach::of(Ipv4Addr::LOCALHOST.into(), None).expect("an address"));
    let (told, coming) = mpsc::channel(8);
    (Halls::new(lobby, told), coming)
}

async fn bring(halls: &Halls, name: &str) -> (Peer, VoiceAnswer) {
    let offering = offering();
    let answer = halls.offer(&lounge(), author(name), &offering.offer, false).await;
    let answer = answer.expect("an answer");
    let peer = Offering::begin(offering, &answer.sdp);
    peer.until_connected().await;
    (peer, answer)
}

async fn until_empty(halls: &Halls) {
    let mut changes = halls.changes();
    while !halls.presence(&lounge()).people.is_empty() {
        changes.changed().await.expect("the halls are there");
    }
}

fn set(what: &std::sync::atomic::AtomicBool) {
    what.store(true, Ordering::Relaxed);
}

#[tokio::test]
async fn a_browser_is_heard_by_people_and_denizen_and_hears_them() {
    let (halls, _coming) = open_halls();
    let (peer, _) = bring(&halls, "ann").await;
    let bob = halls.come(&lounge(), author("bob"), false).expect("room");
    set(&peer.controls.hums);
    let mut heard: Vec<i16> = Vec::new();
    while heard.len() < 60 * FRAME {
        heard.extend_from_slice(bob.hear().await.expect("a frame").as_slice());
    }
    let share = share_of(440.0, &heard[20 * FRAME..]);
    assert!(share > 0.5, "{share} of what bob heard is what ann hummed");

    let (seat, _events) = halls.join(&lounge()).await.expect("it is not in yet");
    let (sender, frames) = mpsc::channel(100);
    for at in 0..100 {
        sender.try_send(sound(&hum(1_000.0, at), at)).expect("room");
    }
    drop(sender);
    seat.play(&DeliveryId::new("d1"), frames).await.expect("it is in");
    let has_heard = |controls: &Controls| controls.heard.lock().is_ok_and(|heard| heard.len() >= 80 * FRAME);
    peer.until("hearing Denizen", has_heard).await;
    let heard = peer.controls.heard.lock().expect("nobody panics").clone();
    let (denizen, own) = (
        share_of(1_000.0, &heard[10 * FRAME..60 * FRAME]),
        share_of(440.0, &heard),
    );
    assert!(
        denizen > 0.5 && own < 0.1,
        "{denizen} of it is Denizen, {own} is an echo"
    );
}

#[tokio::test]
async fn a_browser_that_says_goodbye_vanishes_or_is_shown_out_is_not_in_the_room_any_more() {
    let (halls, _coming) = open_halls();
    let (peer, _) = bring(&halls, "ann").await;
    set(&peer.controls.close);
    until_empty(&halls).await;
    let (peer, _) = bring(&halls, "ann").await;
    set(&peer.controls.vanish);
    until_empty(&halls).await;
    let (peer, answer) = bring(&halls, "ann").await;
    halls.close(&lounge(), &answer.session);
    until_empty(&halls).await;
    peer.until("a goodbye", |controls| controls.is_closed.load(Ordering::Relaxed))
        .await;
}

#[tokio::test]
async fn whoever_offers_and_never_comes_is_not_waited_for() {
    let (halls, mut coming) = open_halls();
    let offer = offering().offer;
    halls
        .offer(&lounge(), author("ann"), &offer, false)
        .await
        .expect("an answer");
    until_empty(&halls).await;
    assert!(matches!(coming.recv().await, Some(VoiceComing::Joined { .. })));
    assert!(matches!(coming.recv().await, Some(VoiceComing::Left { .. })));
}

#[tokio::test]
async fn a_page_that_is_loaded_anew_takes_the_place_of_the_one_before() {
    let (halls, mut coming) = open_halls();
    let (older, _) = bring(&halls, "ann").await;
    let (newer, _) = bring(&halls, "ann").await;
    older
        .until("a goodbye", |controls| controls.is_closed.load(Ordering::Relaxed))
        .await;
    drop(older);
    assert_eq!(halls.presence(&lounge()).people.len(), 1);
    set(&newer.controls.close);
    until_empty(&halls).await;
    assert!(matches!(coming.recv().await, Some(VoiceComing::Joined { .. })));
    assert!(
        matches!(coming.recv().await, Some(VoiceComing::Left { .. })),
        "one person came and went"
    );
}

#[tokio::test]
async fn rubbish_on_the_way_and_from_strangers_harms_nobody() {
    let (halls, _coming) = open_halls();
    let (peer, answer) = bring(&halls, "ann").await;
    let bob = halls.come(&lounge(), author("bob"), false).expect("room");
    let candidate = answer
        .sdp
        .lines()
        .find(|line| line.starts_with("a=candidate:"))
        .expect("a candidate");
    let port: u16 = candidate
        .split(' ')
        .nth(5)
        .and_then(|port| port.parse().ok())
        .expect("a port");
    let stranger = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    for length in 0..400_usize {
        let datagram: Vec<u8> = (0..length * 4).map(|at| (at * 31 + length * 7) as u8).collect();
        let _ = stranger.send_to(&datagram, (Ipv4Addr::LOCALHOST, port));
    }
    set(&peer.controls.talks_rubbish);
    tokio::time::sleep(Duration::from_millis(300)).await;
    peer.controls.talks_rubbish.store(false, Ordering::Relaxed);
    set(&peer.controls.hums);
    let mut heard: Vec<i16> = Vec::new();
    while heard.len() < 100 * FRAME {
        heard.extend_from_slice(bob.hear().await.expect("a frame").as_slice());
    }
    assert!(share_of(440.0, &heard[50 * FRAME..]) > 0.5);
}

#[tokio::test]
async fn an_offer_that_cannot_be_answered_ends_no_stay_and_says_what_is_wrong() {
    let (halls, _coming) = open_halls();
    let stay = halls.come(&lounge(), author("ann"), false).expect("room");
    let long = "v".repeat(70_000);
    for (offer, expected) in [
        ("", "cannot be answered"),
        (
            "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n",
            "cannot be answered",
        ),
        (long.as_str(), "longer than 64000 bytes"),
    ] {
        let refusal = halls.offer(&lounge(), author("ann"), offer, false).await;
        match refusal {
            Err(DoorRefusal::BadOffer(why)) => assert!(why.contains(expected), "{why}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(halls.whose(&lounge(), stay.session()).is_some());
    let (unreached, _coming) = super::halls();
    let refusal = unreached
        .offer(&lounge(), author("ann"), &offering().offer, false)
        .await;
    assert!(matches!(refusal, Err(DoorRefusal::Unavailable(_))));
}
