//! Who comes and goes, how many may be there, and how programs write their sound.

use audio::Decibels;
use audio::codec::{VoiceCoding, VoiceDecoder, VoiceEncoder};
use runtime::ports::{DoorRefusal, LineCoding, LineEnd, VoiceDoors, VoiceSession};
use voice_intake::{PEOPLE_MAX, STAYS_MAX};

use super::*;

#[tokio::test(start_paused = true)]
async fn it_is_told_who_comes_and_goes_and_a_second_device_is_the_same_person() {
    let (halls, mut coming) = halls();
    let (room, person) = (lounge(), author("ann").id);
    let older = halls.come(&room, author("ann"), false).expect("room");
    let newer = halls.come(&room, author("ann"), true).expect("room");
    tokio::task::yield_now().await;
    assert_eq!(older.hear().await.err(), Some(LineEnd::Superseded));
    assert!(older.say(&tone(1)).is_err());
    drop(older);
    newer.mute(false);
    assert_eq!(halls.presence(&room).people.len(), 1);
    assert_eq!(halls.whose(&room, newer.session()), Some(person.clone()));
    drop(newer);
    assert_eq!(halls.presence(&room).people.len(), 0);
    let mut told = Vec::new();
    for _ in 0..2 {
        told.extend(coming.recv().await);
    }
    let expected = [
        VoiceComing::Joined {
            room: room.clone(),
            author: author("ann"),
        },
        VoiceComing::Left { room, person },
    ];
    assert_eq!(told, expected);
}

#[tokio::test(start_paused = true)]
async fn who_is_there_is_told_right_however_long_nobody_reads_it_and_no_more_than_that_waits() {
    let (halls, mut coming) = halls();
    let stays = (
        halls.come(&lounge(), author("ann"), false),
        halls.come(&lounge(), author("bob"), false),
    );
    let (ann, bob) = (stays.0.expect("room"), stays.1.expect("room"));
    // The mind is held up: the channel to it is full, and people come and go for hours.
    let mut told = Vec::new();
    for _ in 0..2 {
        told.extend(coming.recv().await);
    }
    for _ in 0..2_000 {
        halls.come(&lounge(), author("cleo"), false).expect("room");
        tokio::task::yield_now().await;
    }
    drop(bob);
    let dan = halls.come(&lounge(), author("dan"), false).expect("room");
    let mut inside: Vec<String> = vec!["ann".to_owned(), "bob".to_owned()];
    let mut told = 0;
    while inside != ["ann", "dan"] {
        match coming.recv().await.expect("news") {
            VoiceComing::Joined { author, .. } => inside.push(author.name),
            VoiceComing::Left { person, .. } => {
                inside.retain(|name| !person.as_str().ends_with(name.as_str()))
            }
            VoiceComing::Sounding { .. } => {}
        }
        told += 1;
        assert!(told < 100, "{told} pieces of news waited, and {inside:?} are in");
    }
    drop((ann, dan));
}

#[tokio::test(start_paused = true)]
async fn a_session_is_closed_by_its_name_and_by_no_other() {
    let (halls, _coming) = halls();
    let ann = halls.come(&lounge(), author("ann"), false).expect("room");
    halls.close(&lounge(), &VoiceSession::new("another"));
    halls.close(&RoomId::new("kitchen"), ann.session());
    assert_eq!(halls.presence(&lounge()).people.len(), 1);
    let mut changes = halls.changes();
    changes.mark_unchanged();
    halls.mute(&lounge(), ann.session(), true);
    assert!(halls.presence(&lounge()).people[0].muted && changes.has_changed().is_ok_and(|changed| changed));
    halls.close(&lounge(), ann.session());
    assert_eq!(ann.hear().await.err(), Some(LineEnd::Closed));
    assert_eq!(halls.presence(&lounge()).people.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_thousand_who_want_in_are_refused_beyond_the_limits_and_the_places_come_back() {
    let (halls, _coming) = halls();
    let mut stays = Vec::new();
    let mut refusals = Vec::new();
    for number in 0..1_000 {
        let room = RoomId::new(format!("room {}", number / 50));
        match halls.come(&room, author(&format!("guest {number}")), false) {
            Ok(stay) => stays.push(stay),
            Err(refusal) => refusals.push(refusal),
        }
    }
    assert_eq!(stays.len(), STAYS_MAX);
    assert!(
        refusals
            .iter()
            .all(|refusal| matches!(refusal, DoorRefusal::Full(_)))
    );
    assert!(
        refusals[0]
            .to_string()
            .starts_with(&format!("{PEOPLE_MAX} people are in"))
    );
    assert!(
        refusals[999 - STAYS_MAX]
            .to_string()
            .starts_with(&format!("{STAYS_MAX} people are in"))
    );
    drop(stays);
    assert!(halls.come(&lounge(), author("ann"), false).is_ok());
}

#[tokio::test(start_paused = true)]
async fn programs_speak_in_samples_or_in_opus_and_hear_each_other() {
    let (halls, _coming) = halls();
    let mut plain = halls
        .enter(&lounge(), author("ann"), LineCoding::Pcm16, false)
        .expect("room");
    let mut packed = halls
        .enter(&lounge(), author("bob"), LineCoding::Opus, false)
        .expect("room");
    let (mut decoder, mut heard) = (VoiceDecoder::new().expect("Opus"), Vec::new());
    // A steady tone, which is no silence however long it lasts.
    for at in 0..100 {
        plain.say(&sound(&tone(15), at).samples).expect("in time");
        let packet = packed.hear().await.expect("a packet");
        decoder.decode(&packet, &mut heard).expect("a packet of Opus");
    }
    let level = Decibels::of_samples(&heard[heard.len() / 2..]);
    assert!(
        (level.0 - Decibels::of_samples(&tone(15)).0).abs() < 3.0,
        "{level}"
    );

    let (mut encoder, mut packet) = (
        VoiceEncoder::new(VoiceCoding::default()).expect("Opus"),
        Vec::new(),
    );
    let mut back = Vec::new();
    for at in 0..30 {
        encoder.encode(&tone(at), &mut packet).expect("a packet");
        packed.say(&packet).expect("in time");
        let bytes = plain.hear().await.expect("a frame");
        assert_eq!(bytes.len(), 2 * FRAME);
        pcm::read(&bytes, &mut back);
    }
    assert!(Decibels::of_samples(&back[back.len() / 2..]) > Decibels(-40.0));
}

#[tokio::test(start_paused = true)]
async fn what_is_no_sound_is_refused_with_what_was_wrong() {
    let (halls, _coming) = halls();
    let mut plain = halls
        .enter(&lounge(), author("ann"), LineCoding::Pcm16, false)
        .expect("room");
    let fault = plain.say(&[0; 100]).expect_err("it is short").to_string();
    assert!(fault.contains("has 1920 bytes, and this one has 100"), "{fault}");
    let mut packed = halls
        .enter(&lounge(), author("bob"), LineCoding::Opus, false)
        .expect("room");
    for (packet, expected) in [
        (vec![], "without a byte"),
        (vec![7; 10_000], "10000 bytes"),
        (vec![0xff; 3], "not an Opus packet"),
    ] {
        let fault = packed.say(&packet).expect_err("it is none").to_string();
        assert!(fault.contains(expected), "{fault}");
    }
    let taken = (0..100)
        .take_while(|_| plain.say(&sound(&tone(1), 0).samples).is_ok())
        .count();
    assert!(taken < 60, "{taken} frames at once");
}

mod hostile_lines {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(hostile::cases(24))]

        /// Whatever programs send, and whenever, the others hear frames of the right length and the room goes on.
        #[test]
        fn hostile_bytes_harm_nobody(pieces in vec((any::<bool>(), vec(any::<u8>(), 0..2_000)), 1..60)) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
            runtime.expect("a runtime").block_on(async {
                let (halls, _coming) = halls();
                let mut plain = halls.enter(&lounge(), author("ann"), LineCoding::Pcm16, false).expect("room");
                let mut packed = halls.enter(&lounge(), author("bob"), LineCoding::Opus, false).expect("room");
                let cleo = halls.come(&lounge(), author("cleo"), false).expect("room");
                for (is_packed, mut bytes) in pieces {
                    let said = if is_packed {
                        packed.say(&bytes)
                    } else {
                        let is_right = bytes.len() > 1_000;
                        if is_right {
                            bytes.resize(2 * FRAME, 7);
                        }
                        let said = plain.say(&bytes);
                        assert_eq!(said.is_ok(), is_right);
                        said
                    };
                    if let Err(fault) = said {
                        assert!(fault.to_string().len() > 30);
                    }
                    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    while cleo.waiting().is_some() {}
                }
                tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                while cleo.waiting().is_some() {}
                plain.say(&sound(&tone(1), 0).samples).expect("in time");
                assert_eq!(*cleo.hear().await.expect("a frame"), tone(1));
            });
        }
    }
}
