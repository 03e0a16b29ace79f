//! Calls of several through the local Discord: everybody hears everybody, and every coming and going changes the keys.

use std::collections::BTreeMap;
use std::time::Duration;

use discord_double::{Double, DoubleOptions};
use discord_voice::{CallEnd, CallEvent, CallHealth, CallPlace, VoiceConnection};
use serde_json::{Value, json};
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(60);

struct Stage {
    double: Double,
    guild: u64,
    channel: u64,
}

/// Somebody in the call, and what they have noticed.
struct Person {
    id: u64,
    connection: VoiceConnection,
    events: Receiver<CallEvent>,
    code: Option<String>,
    heard: BTreeMap<u64, Vec<Vec<u8>>>,
    here: Vec<u64>,
    others: Vec<CallEvent>,
}

fn id(value: &Value) -> u64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("an id")
}

impl Stage {
    async fn new() -> Self {
        let double = Double::start(DoubleOptions::default()).await.expect("started");
        let made = double
            .control("channel", json!({"name": "lounge", "type": 2}))
            .expect("made");
        Self {
            guild: id(&made["guild_id"]),
            channel: id(&made["id"]),
            double,
        }
    }

    fn control(&self, verb: &str, wish: Value) -> Value {
        self.double.control(verb, wish).expect("done")
    }

    fn fault(&self, wish: Value) {
        self.control("fault", wish);
    }

    /// What the main gateway would say of somebody in the channel.
    fn place(&self, name: &str) -> CallPlace {
        self.control("voice", json!({"user": name, "channel": "lounge"}));
        let user = id(&self.control("user", json!({"name": name}))["id"]);
        let calls = self.control("calls", json!({}));
        CallPlace {
            endpoint: calls["endpoint"].as_str().expect("a server").to_owned(),
            token: format!("voice-{}-{user}", self.guild).into(),
            session: format!("voice-of-{user}").into(),
            guild: self.guild,
            channel: self.channel,
            user,
        }
    }

    fn join(&self, name: &str) -> Person {
        let place = self.place(name);
        let id = place.user;
        let (connection, events) = VoiceConnection::connect(place);
        Person {
            id,
            connection,
            events,
            code: None,
            heard: BTreeMap::new(),
            here: Vec::new(),
            others: Vec::new(),
        }
    }
}

impl Person {
    fn note(&mut self, event: CallEvent) {
        match event {
            CallEvent::Packet(packet) => self.heard.entry(packet.user).or_default().push(packet.opus),
            CallEvent::PrivacyCode(code) => self.code = code,
            CallEvent::Joined { user } => self.here.push(user),
            CallEvent::Left { user } => self.here.retain(|it| *it != user),
            other => self.others.push(other),
        }
    }

    /// Takes events until it holds.
    async fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while !holds(self) {
            // Its health is told after its events, so it is looked at again when nothing comes.
            match timeout(Duration::from_millis(50), self.events.recv()).await {
                Ok(Some(event)) => self.note(event),
                Ok(None) => panic!("{what}: the call is over"),
                Err(_) => assert!(
                    tokio::time::Instant::now() < deadline,
                    "{what}: {:?} {:?}",
                    self.others,
                    self.health()
                ),
            }
        }
    }

    /// Frames of somebody else's that are no silence.
    fn frames_of(&self, other: u64) -> usize {
        let silence = |frame: &&Vec<u8>| frame.as_slice() != [0xf8, 0xff, 0xfe];
        self.heard
            .get(&other)
            .map_or(0, |heard| heard.iter().filter(silence).count())
    }

    fn health(&self) -> CallHealth {
        self.connection.health()
    }

    /// Says so many frames of its own.
    fn say(&self, frames: u8) {
        for number in 0..frames {
            assert!(
                self.connection
                    .play([&self.id.to_be_bytes()[..], &[number; 60]].concat())
            );
        }
    }
}

/// Everybody has the same code, and another one than before.
async fn agree(people: &mut [Person], before: Option<&str>) -> String {
    for _ in 0..200 {
        for person in &mut *people {
            while let Ok(Some(event)) = timeout(Duration::from_millis(25), person.events.recv()).await {
                person.note(event);
            }
        }
        let code = people[0].code.clone();
        let is_agreed = code.is_some() && people.iter().all(|person| person.code == code);
        if is_agreed && code.as_deref() != before {
            return code.expect("there is one");
        }
    }
    let codes: Vec<_> = people
        .iter()
        .map(|person| (&person.code, person.health()))
        .collect();
    panic!("no common code: {codes:?}");
}

/// Everybody says something, and everybody else hears all of it.
async fn talk(people: &mut [Person], frames: u8) {
    for person in &mut *people {
        person.heard.clear();
    }
    for person in &*people {
        person.say(frames);
    }
    let ids: Vec<u64> = people.iter().map(|person| person.id).collect();
    for person in people {
        let own = person.id;
        let others: Vec<u64> = ids.iter().copied().filter(|id| *id != own).collect();
        person
            .until("everybody is heard", |it| {
                others
                    .iter()
                    .all(|other| it.frames_of(*other) >= usize::from(frames))
            })
            .await;
        for other in others {
            let is_theirs = |frame: &&Vec<u8>| frame.len() == 3 || frame[..8] == other.to_be_bytes();
            assert_eq!(
                person.heard[&other].iter().filter(is_theirs).count(),
                person.heard[&other].len()
            );
            assert_eq!(person.frames_of(other), usize::from(frames));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_hears_everybody_and_each_coming_and_going_changes_the_keys() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    let first = agree(&mut people, None).await;
    talk(&mut people, 20).await;
    people.push(stage.join("carol"));
    let second = agree(&mut people, Some(&first)).await;
    talk(&mut people, 20).await;
    let carol = people.pop().expect("she is there");
    carol.connection.leave().await;
    let third = agree(&mut people, Some(&second)).await;
    assert_ne!(third, first);
    talk(&mut people, 20).await;
    for person in &people {
        let health = person.health();
        assert!(health.is_live && health.is_private);
        assert_eq!(
            (&health.undecryptable, health.unopened, health.strange),
            (&BTreeMap::new(), 0, 0)
        );
        assert!(!person.here.contains(&carol.id), "she has left");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_connection_goes_on_where_it_was() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    let code = agree(&mut people, None).await;
    stage.fault(json!({"kind": "voice_drop", "user": "denizen"}));
    people[0]
        .until("it is back", |it| it.health().resumes == 1 && it.health().is_live)
        .await;
    talk(&mut people, 10).await;
    assert_eq!(
        people[0].code.as_deref(),
        Some(code.as_str()),
        "nobody came or went"
    );
    assert_eq!(people[0].health().sessions, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_region_that_changes_is_followed() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    let code = agree(&mut people, None).await;
    stage.fault(json!({"kind": "voice_region"}));
    for (person, name) in people.iter().zip(["denizen", "bob"]) {
        person.connection.move_to(stage.place(name)).await;
    }
    agree(&mut people, Some(&code)).await;
    talk(&mut people, 10).await;
    assert_eq!(people[0].health().sessions, 2);
}

/// Whoever is first at the new server has the group of that one: nobody there waits for those who are still at the old one.
#[tokio::test(flavor = "multi_thread")]
async fn a_region_is_followed_one_after_the_other() {
    let stage = Stage::new().await;
    let names = ["denizen", "bob", "carol"];
    let mut people: Vec<Person> = names.into_iter().map(|name| stage.join(name)).collect();
    let code = agree(&mut people, None).await;
    stage.fault(json!({"kind": "voice_region"}));
    for (person, name) in people.iter_mut().zip(names) {
        person.connection.move_to(stage.place(name)).await;
        person
            .until("it is there", |it| {
                it.health().sessions == 2 && it.health().is_live
            })
            .await;
    }
    agree(&mut people, Some(&code)).await;
    talk(&mut people, 10).await;
    let calls = stage.control("calls", json!({}));
    assert_eq!(calls["groups"].as_array().map(Vec::len), Some(1), "{calls}");
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_with_the_wrong_keys_are_counted_and_the_rest_is_heard() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    agree(&mut people, None).await;
    talk(&mut people, 10).await;
    // What comes within a second of new keys is not held against anybody.
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    stage.fault(json!({"kind": "voice_garble", "times": 5}));
    people[0].heard.clear();
    let bob = people[1].id;
    people[1].say(30);
    people[0]
        .until("the rest is heard", |it| it.frames_of(bob) == 25)
        .await;
    assert_eq!(people[0].health().undecryptable, BTreeMap::from([(bob, 5)]));
    talk(&mut people, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_nobody_can_follow_is_left_and_entered_anew() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob"), stage.join("carol")];
    let code = agree(&mut people, None).await;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    stage.fault(json!({"kind": "voice_garble", "times": 120}));
    people[1].say(70);
    people[0]
        .until("it asks to be taken in", |it| it.health().recoveries > 0)
        .await;
    agree(&mut people, Some(&code)).await;
    stage.control("mend", json!({}));
    tokio::time::sleep(Duration::from_secs(1)).await;
    talk(&mut people, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn encryption_can_be_agreed_away_and_agreed_upon_again() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    let code = agree(&mut people, None).await;
    stage.fault(json!({"kind": "voice_open"}));
    for person in &mut people {
        person
            .until("it is in the open", |it| {
                it.code.is_none() && !it.health().is_private
            })
            .await;
    }
    talk(&mut people, 10).await;
    stage.fault(json!({"kind": "voice_rekey"}));
    agree(&mut people, Some(&code)).await;
    talk(&mut people, 10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_packets_are_lost_and_nothing_else_is() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    agree(&mut people, None).await;
    stage.fault(json!({"kind": "voice_loss", "percent": 20}));
    let bob = people[1].id;
    people[1].say(100);
    people[0]
        .until("most is heard", |it| it.frames_of(bob) >= 78)
        .await;
    let health = people[0].health();
    assert_eq!((&health.undecryptable, health.unopened), (&BTreeMap::new(), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_taken_out_waits_for_a_word_and_whoever_leaves_is_out() {
    let stage = Stage::new().await;
    let mut people = vec![stage.join("denizen"), stage.join("bob")];
    agree(&mut people, None).await;
    stage.control("voice", json!({"user": "denizen", "channel": null}));
    people[0]
        .until("it is out", |it| {
            it.others.contains(&CallEvent::PlaceWanted { is_asked: false })
        })
        .await;
    let place = stage.place("denizen");
    people[0].connection.move_to(place).await;
    agree(&mut people, None).await;
    people[0].connection.leave().await;
    let left = CallEvent::Ended(CallEnd::Left);
    people[0]
        .until("it has left", |it| it.others.contains(&left))
        .await;
    let denizen = people[0].id;
    people[1]
        .until("nobody else is there", |it| !it.here.contains(&denizen))
        .await;
}
