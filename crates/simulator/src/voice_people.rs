//! People who talk, left to chance: over each other, over Denizen, in scraps, without words, coming and going.

use mind::{RoomEvent, ServiceKnown};
use serde_json::json;
use settings::Document;
use vocabulary::{Moment, RoomId, ShareEnd, ShareSource, Span, UnheardReason};

use crate::chance::Chance;
use crate::deed::Deed;
use crate::faulty_director::Faults;
use crate::native_service::NativeService;
use crate::platform::{Person, Say};
use crate::screens::ScreenDeed;
use crate::voices::{MouthFault, VoiceDeed, lasts};

const ROOM: &str = "den";
const NAMES: [&str; 8] = ["Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Heidi"];
const WORDS: [&str; 20] = [
    "Denizen, what did Bob just say?",
    "hey Denizen are you there",
    "Denizen",
    "Bob, did you feed the cat?",
    "we could go to the lake tomorrow",
    "mhm",
    "uh",
    "yes",
    "what time is it",
    "so I told her that it would never work",
    "klank can you hear me",
    "明日行きましょう",
    "denison please help me with this",
    "no no no wait",
    "that is what I mean",
    "Denizen stop talking please",
    "and then it all fell down the stairs",
    "Carol what do you think about it",
    "ok",
    "let us play another round of this",
];

/// A word that only one of them uses: whose words are whose can be told by it, wherever they turn up.
const OWN_WORDS: [&str; 8] = [
    "plum", "quince", "medlar", "sloe", "damson", "bilberry", "rowan", "mulberry",
];

/// Something that somebody may say; mostly one can tell from it who it was.
fn words(chance: &mut Chance, person: &Person) -> String {
    let words = *chance.pick(&WORDS);
    let whose = NAMES.iter().position(|name| *name == person.name);
    match whose.filter(|_| words.contains(' ') && chance.percent(80)) {
        Some(whose) => format!("{words} {}", OWN_WORDS[whose]),
        None => words.to_owned(),
    }
}

/// The settings of an evening of talk.
pub(crate) fn voice_settings(chance: &mut Chance) -> Document {
    let mut document = Document::default();
    document.set("voice.replyEagerness", json!(*chance.pick(&[0, 50, 100])));
    document.set("voice.maxSessionMinutes", json!(*chance.pick(&[5, 30])));
    document.set("voice.inactivitySeconds", json!(*chance.pick(&[60, 300])));
    document.set("voice.replyDecisionLlm.attempts", json!(chance.between(1, 3)));
    document.set("voice.thoughts.silenceSeconds", json!(*chance.pick(&[8, 8, 20])));
    document.set("voice.thoughts.minSecondsBetween", json!(*chance.pick(&[8, 60])));
    document.set("voice.thoughts.eagerness", json!(*chance.pick(&[50, 100, 100])));
    document.set("attention.activeSeconds", json!(*chance.pick(&[0, 10, 120])));
    document.set(
        "voice.joinPolicy",
        json!(*chance.pick(&["with_people", "with_people", "on_request"])),
    );
    document
}

/// Everybody speaks at once, over each other and over Denizen.
fn storm(chance: &mut Chance, at: Moment, there: &[Person]) -> Vec<(Moment, Deed<Faults>)> {
    let speaks = |person: &Person| {
        let text = words(chance, person);
        let deed = Deed::Voice {
            room: RoomId::from(ROOM),
            person: person.clone(),
            deed: VoiceDeed::Speak {
                lasts: Span(chance.between(300, 4_000)),
                heard: Ok(text),
                twice: false,
                late: Span(chance.between(0, 800)),
                guess: None,
            },
        };
        (at + Span(chance.between(0, 400)), deed)
    };
    let mut all: Vec<_> = there.iter().map(speaks).collect();
    all.sort_by_key(|(at, _)| *at);
    all
}

/// Somebody may share a screen while they talk; what changes on it is noted, whoever speaks.
fn screen(chance: &mut Chance, from: Moment, until: Moment) -> Vec<(Moment, Deed<Faults>)> {
    if !chance.percent(60) {
        return Vec::new();
    }
    let person = Person::named("Alice");
    let deed = |deed| Deed::Screen {
        room: RoomId::from(ROOM),
        person: person.id.clone(),
        name: person.name.clone(),
        deed,
    };
    let mut at = from + Span(chance.between(500, 60_000));
    let mut deeds = vec![(at, deed(ScreenDeed::Share(ShareSource::SharePage)))];
    while at < until {
        at = at + Span(chance.between(500, 9_000));
        let score = chance.below(100) as f64 / 100.0;
        let scene_cut = chance.percent(10);
        deeds.push((at, deed(ScreenDeed::Frame { score, scene_cut })));
    }
    deeds.push((until, deed(ScreenDeed::Stop(ShareEnd::Stopped))));
    deeds
}

/// Everything that people do with their voices until then.
pub(crate) fn talk(chance: &mut Chance, until: Moment, stormy: bool) -> Vec<(Moment, Deed<Faults>)> {
    let room = RoomId::from(ROOM);
    let mut deeds: Vec<(Moment, Deed<Faults>)> = Vec::new();
    let mut at = Moment(100);
    let mut there: Vec<Person> = Vec::new();
    let voice = |person: &Person, deed: VoiceDeed| Deed::Voice {
        room: RoomId::from(ROOM),
        person: person.clone(),
        deed,
    };
    // A full house, from the first moment on.
    if chance.percent(50) {
        for name in NAMES {
            let person = Person::named(name);
            at = at + Span(chance.between(0, 300));
            deeds.push((at, voice(&person, VoiceDeed::Join)));
            there.push(person);
        }
    }
    deeds.extend(screen(chance, at, until));
    while at < until {
        at = at + Span(chance.between(50, 6_000));
        // Now and then nobody has anything to say for a while.
        if chance.percent(6) {
            at = at + Span(chance.between(8_000, 90_000));
        }
        let comes_or_goes = there.is_empty() || chance.percent(4);
        if comes_or_goes {
            let name = *chance.pick(&NAMES);
            let person = Person::named(name);
            match there.iter().position(|other| other.id == person.id) {
                Some(place) => {
                    there.remove(place);
                    deeds.push((at, voice(&person, VoiceDeed::Leave)));
                }
                None => {
                    there.push(person.clone());
                    deeds.push((at, voice(&person, VoiceDeed::Join)));
                }
            }
            continue;
        }
        if chance.percent(if stormy { 4 } else { 1 }) {
            deeds.extend(storm(chance, at, &there));
            continue;
        }
        let person = there[chance.below(there.len() as u64) as usize].clone();
        let text = words(chance, &person);
        let roll = chance.below(100);
        let deed = match roll {
            0..2 => voice(&person, VoiceDeed::Listen(chance.percent(50))),
            2..4 => voice(&person, VoiceDeed::Sound("drum".to_owned())),
            4..7 => Deed::Say(Say {
                room: room.clone(),
                person,
                text: (*chance.pick(&["/join", "/leave", "Denizen, what is new?", "hello all"])).to_owned(),
                replies_to: None,
                mentions: Vec::new(),
                picture: None,
                spoken: false,
            }),
            7..9 if stormy => {
                Deed::MouthFails(*chance.pick(&[MouthFault::Fails, MouthFault::Silent, MouthFault::Breaks]))
            }
            9..10 if stormy => Deed::VoiceLost { room: room.clone() },
            10..11 if stormy && chance.percent(30) => Deed::Restart {
                down_for: Span(chance.between(200, 20_000)),
                repeats: 0,
            },
            11..14 if stormy => Deed::DeleteLast {
                room: room.clone(),
                person: person.id.clone(),
            },
            14..30 => voice(
                &person,
                VoiceDeed::Speak {
                    lasts: Span(chance.between(100, 3_000)),
                    heard: Err(*chance.pick(&UnheardReason::ALL)),
                    twice: false,
                    late: Span::ZERO,
                    guess: (stormy && chance.percent(20)).then_some(text),
                },
            ),
            _ => voice(
                &person,
                VoiceDeed::Speak {
                    lasts: lasts(&text),
                    // Ears that misunderstand, or understand nothing at all and say so in no words.
                    heard: Ok(if stormy && chance.percent(4) {
                        " ".to_owned()
                    } else {
                        text
                    }),
                    twice: stormy && chance.percent(5),
                    late: Span(if stormy && chance.percent(15) {
                        chance.between(500, 9_000)
                    } else {
                        0
                    }),
                    // What was understood while they spoke was something else.
                    guess: (stormy && chance.percent(10)).then(|| (*chance.pick(&WORDS)).to_owned()),
                },
            ),
        };
        deeds.push((at, deed));
    }
    // In the end everybody goes home.
    for person in &there {
        at = at + Span(chance.between(100, 3_000));
        deeds.push((at, voice(person, VoiceDeed::Leave)));
    }
    deeds
}

/// What becomes of a realtime service that answers by itself: now and then it is lost, comes back, or begins anew.
pub(crate) fn service(chance: &mut Chance, until: Moment, stormy: bool) -> Vec<(Moment, Deed<Faults>)> {
    let told = |event| Deed::Told {
        room: RoomId::from(ROOM),
        event,
    };
    let mut deeds = Vec::new();
    let (mut at, mut begun) = (Moment::default(), 100);
    while stormy && at < until {
        at = at + Span(chance.between(20_000, 120_000));
        match chance.below(3) {
            0 => {
                deeds.push((at, told(NativeService::stands(false))));
                at = at + Span(chance.between(500, 30_000));
                deeds.push((at, told(NativeService::stands(true))));
            }
            1 => {
                begun += 1;
                let known = ServiceKnown {
                    begun,
                    items: chance.below(40),
                    folds: chance.percent(50),
                    ..ServiceKnown::default()
                };
                deeds.push((at, told(RoomEvent::VoiceServiceKnows(known))));
            }
            _ => {
                let people = vec!["alice".into(), "bob".into()];
                let mixed = chance.percent(50);
                deeds.push((at, told(RoomEvent::SpeakersOverlapped { people, mixed })));
            }
        }
    }
    deeds
}
