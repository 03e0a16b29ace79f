//! Weeks of three rooms: people who talk a few times a day, now and then to Denizen, and react to what it posts.

use vocabulary::{MediaKind, Moment, PersonId, RoomId, Span};

use super::ROOMS;
use super::operator::{change, tools_out_there};
use crate::chance::Chance;
use crate::deed::Deed;
use crate::faulty_director::Faults;
use crate::platform::{DENIZEN, Person, Say};

const NAMES: &[&str] = &["Alice", "Bob", "Carol", "Dave", "Eve"];
const LINES: &[&str] = &[
    "the garden needs water",
    "anybody for chess tonight?",
    "look at https://news.example/7",
    "that build is red again",
    "lol",
    "I am making pizza",
];
const CALLS: &[&str] = &[
    "Denizen, what do you think?",
    "Deni, tell me a joke",
    "Denizen, who won?",
];
const EMOJI: &[&str] = &["👍", "❤️", "😂"];

/// Everything that happens in so many weeks, in order of time.
pub(crate) fn weeks(chance: &mut Chance, until: Moment, stormy: bool) -> Vec<(Moment, Deed<Faults>)> {
    let everything = Deed::Capabilities {
        tools: tools_out_there(),
        media: MediaKind::ALL.to_vec(),
    };
    let mut plan = vec![(Moment::default(), everything)];
    for room in ROOMS {
        let mut chance = chance.fork();
        let mut at = Moment(chance.between(60_000, 6 * 3_600_000));
        while at < until {
            at = spell(&RoomId::from(*room), at, &mut chance, &mut plan);
            // A few spells a day; now and then nobody comes for days.
            let longest = if chance.percent(5) { 60 } else { 9 };
            at = at + Span(chance.between(600_000, longest * 3_600_000));
        }
    }
    let mut operator = chance.fork();
    let mut at = Moment(operator.between(600_000, 4 * 3_600_000));
    while at < until {
        let (deed, back) = match stormy {
            true => change(&mut operator),
            false => (Deed::ThinkNow, None),
        };
        plan.push((at, deed));
        if let Some(back) = back.filter(|_| operator.percent(90)) {
            let longest = if operator.percent(20) { 36 } else { 3 };
            plan.push((at + Span(operator.between(5_000, longest * 3_600_000)), back));
        }
        at = at + Span(operator.between(60_000, 6 * 3_600_000));
    }
    if stormy {
        misfortunes(&mut chance.fork(), until, &mut plan);
    }
    plan.retain(|(at, _)| *at < until);
    plan.sort_by_key(|(at, _)| *at);
    plan
}

/// The process ends for seconds, hours or days; the machine sleeps.
fn misfortunes(fate: &mut Chance, until: Moment, plan: &mut Vec<(Moment, Deed<Faults>)>) {
    let mut at = Moment(fate.between(600_000, 8 * 3_600_000));
    while at < until {
        let length = match fate.below(100) {
            0..=59 => Span(fate.between(500, 240_000)),
            60..=92 => Span(fate.between(240_000, 5 * 3_600_000)),
            _ => Span(fate.between(10 * 3_600_000, 40 * 3_600_000)),
        };
        plan.push((
            at,
            match fate.percent(35) {
                true => Deed::Sleep(length),
                false => Deed::Restart {
                    down_for: length,
                    repeats: fate.below(5) as usize,
                },
            },
        ));
        // Some ends come in a row.
        let longest = if fate.percent(15) { 120_000 } else { 12 * 3_600_000 };
        at = at + length + Span(fate.between(1_000, longest));
    }
}

/// Some lines in a row; says when it is over.
fn spell(
    room: &RoomId,
    mut at: Moment,
    chance: &mut Chance,
    plan: &mut Vec<(Moment, Deed<Faults>)>,
) -> Moment {
    let denizen = PersonId::from(DENIZEN);
    for _ in 0..chance.between(1, 6) {
        at = at + Span(chance.between(2_000, 90_000));
        let person = Person::named(chance.pick::<&str>(NAMES));
        let id = person.id.clone();
        let kind = chance.below(100);
        if kind < 30 {
            plan.push((
                at,
                Deed::React {
                    room: room.clone(),
                    person: id,
                    to: denizen.clone(),
                    emoji: (*chance.pick(EMOJI)).to_owned(),
                    added: chance.percent(80),
                },
            ));
            continue;
        }
        let (text, replies_to) = match kind {
            30..=41 => (*chance.pick(CALLS), None),
            42..=51 => (*chance.pick(LINES), Some(denizen.clone())),
            _ => (*chance.pick(LINES), None),
        };
        plan.push((
            at,
            Deed::Say(Say {
                room: room.clone(),
                person,
                text: text.to_owned(),
                replies_to,
                mentions: Vec::new(),
                picture: None,
                spoken: chance.percent(15),
            }),
        ));
        if chance.percent(6) {
            let later = at + Span(chance.between(1_000, 200_000));
            plan.push((
                later,
                Deed::DeleteLast {
                    room: room.clone(),
                    person: id,
                },
            ));
        }
    }
    at
}
