//! What Denizen hears, and who it is.

use super::*;

#[test]
fn denizen_is_told_of_everybody_and_hears_each_on_a_track_of_their_own() {
    let mut stage = Stage::new();
    let _ann = stage.enter("ann");
    stage.now = 48_000;
    let (_, mut events) = stage.hall.seat(stage.now).expect("it is not in yet");
    let _bob = stage.enter("bob");
    let mut tracks = Vec::new();
    for name in ["ann", "bob"] {
        assert!(matches!(events.try_recv(), Ok(VoiceEvent::Joined(author)) if author.name == name));
        match events.try_recv() {
            Ok(VoiceEvent::Track {
                person: whose,
                frames,
            }) if whose == person(name) => tracks.push(frames),
            other => panic!("{other:?}"),
        }
    }
    for at in 0..3 {
        stage.say("ann", &tone(100, at)).expect("in time");
        stage.tick();
    }
    stage.now += 48_000;
    stage.say("ann", &tone(100, 3)).expect("in time");
    let heard: Vec<SoundFrame> = std::iter::from_fn(|| tracks[0].try_recv().ok()).collect();
    assert_eq!(
        heard.iter().map(|frame| frame.at.0).collect::<Vec<_>>(),
        [0, 20, 40, 1_060]
    );
    assert_eq!(heard[3].samples, sound(&tone(100, 3)).samples);
    assert_eq!(
        tracks[1].try_recv(),
        Err(TryRecvError::Empty),
        "nobody is heard as somebody else"
    );
    assert!(stage.hall.leave(&person("bob"), &session("bob"), LineEnd::Closed));
    assert!(matches!(events.try_recv(), Ok(VoiceEvent::Left(whose)) if whose == person("bob")));
    assert_eq!(tracks[1].try_recv(), Err(TryRecvError::Disconnected));
}

#[test]
fn ears_that_are_slow_lose_the_oldest_of_what_waits_and_nothing_of_its_order() {
    let mut stage = Stage::new();
    let _ann = stage.enter("ann");
    let (_, mut events) = stage.hall.seat(0).expect("it is not in yet");
    let mut frames = std::iter::from_fn(|| events.try_recv().ok())
        .find_map(|event| match event {
            VoiceEvent::Track { frames, .. } => Some(frames),
            _ => None,
        })
        .expect("a track");
    for at in 0..300 {
        stage.say("ann", &tone(100, at)).expect("in time");
        stage.tick();
    }
    let mut heard: Vec<u64> = Vec::new();
    for _ in 0..40 {
        heard.extend(std::iter::from_fn(|| frames.try_recv().ok()).map(|frame| frame.at.0 / 20));
        stage.tick();
    }
    let expected: Vec<u64> = (0..8).chain(200..300).collect();
    assert_eq!(heard, expected);
}

#[test]
fn whoever_comes_anew_is_one_person_still_and_the_older_stay_hears_why_it_ended() {
    let mut stage = Stage::new();
    let (_, mut events) = stage.hall.seat(0).expect("it is not in yet");
    let older = stage.enter_as("ann", session("the older"));
    let _newer = stage.enter("ann");
    assert_eq!(stage.hall.presence().people.len(), 1);
    assert!(older.hear_now() == Some(Err(LineEnd::Superseded)));
    assert_eq!(
        stage
            .hall
            .say(&person("ann"), &session("the older"), &tone(100, 0), 0),
        Err(NotSaid::Gone)
    );
    assert!(
        !stage
            .hall
            .leave(&person("ann"), &session("the older"), LineEnd::Closed)
    );
    stage.say("ann", &tone(100, 0)).expect("in time");
    let told: Vec<VoiceEvent> = std::iter::from_fn(|| events.try_recv().ok()).collect();
    match told.as_slice() {
        [VoiceEvent::Joined(_), VoiceEvent::Track { frames, .. }] => assert_eq!(frames.len(), 1),
        other => panic!("{other:?}"),
    }
}
