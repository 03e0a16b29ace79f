//! The limiter before a server that counts as Discord does, with requests and answers that overtake each other.

use std::collections::{BTreeMap, BTreeSet};

use hostile::cases;
use proptest::collection::vec;
use proptest::prelude::*;
use vocabulary::{Moment, Span};

use super::bucket::BucketHeaders;
use super::limiter::{
    Landing, LimitScope, LimiterInput, RequestLimiter, RequestRefusal, RequestVerdict, Ticket,
};
use super::route::RouteKey;

/// The first two are one bucket, and the last has no headers.
const ROUTES: [(&str, &str); 5] = [
    ("POST /channels/{}/messages", "one"),
    ("PUT /channels/{}/messages/{}", "one"),
    ("GET /channels/{}/messages", "two"),
    ("POST /channels/{}/typing", "three"),
    ("POST /channels/{}/bare", ""),
];
const HOUR: u64 = 3_600_000;

/// Where requests find out to which buckets the routes belong, before others are made.
const SCOUTED: usize = 9;

/// One request: when it is wanted after the one before, the route, the channel.
type Wish = (u64, usize, usize);

#[derive(Clone, Debug)]
struct World {
    wishes: Vec<Wish>,
    /// Limit and window of each bucket.
    sizes: Vec<(u32, u64)>,
    /// How long each way takes, over and over.
    ways: Vec<u64>,
    /// What breaks, over and over: 0 on the way there, 1 on the way back, 2 a 503, all else nothing.
    breaks: Vec<u8>,
    /// Answers from this channel take an hour.
    slow: Option<usize>,
    /// The routes were used before, elsewhere.
    scouted: bool,
}

fn world(breaks: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = World> {
    let wishes = vec((0..400_u64, 0..ROUTES.len(), 0..4_usize), 1..120);
    let sizes = vec((1..6_u32, 100..6_000_u64), 3);
    (
        wishes,
        sizes,
        vec(1..900_u64, 1..40),
        breaks,
        proptest::option::of(0..4_usize),
    )
        .prop_map(|(wishes, sizes, ways, breaks, slow)| World {
            wishes,
            sizes,
            ways,
            breaks,
            slow,
            scouted: false,
        })
}

enum Event {
    Wanted(Ticket, usize, usize),
    Arrives(Ticket),
    Answers(Ticket, Option<BucketHeaders>, Landing),
    Tick,
}

#[derive(Default)]
struct Run {
    events: BTreeMap<(u64, u64), Event>,
    number: u64,
    of: BTreeMap<Ticket, (usize, usize)>,
    /// Of a bucket and a channel: until when the window lasts, and what was counted in it.
    windows: BTreeMap<(&'static str, usize), (u64, u32)>,
    sent: Vec<u64>,
    /// Requests that went before anybody knew their bucket.
    strangers: usize,
    known: BTreeSet<usize>,
    breaches: usize,
    ended: BTreeMap<Ticket, (u64, Option<RequestRefusal>)>,
    dice: usize,
    /// When it is woken next.
    wake: Option<u64>,
}

impl Run {
    fn put(&mut self, at: u64, event: Event) {
        self.number += 1;
        self.events.insert((at, self.number), event);
    }

    fn throw<T: Copy>(&mut self, from: &[T]) -> T {
        self.dice += 1;
        from[self.dice % from.len()]
    }

    fn arrive(&mut self, now: u64, ticket: Ticket, world: &World) {
        let (route, channel) = self.of[&ticket];
        let name = ROUTES[route].1;
        let back = match world.slow == Some(channel) {
            true => HOUR,
            false => self.throw(&world.ways),
        };
        let broken = self.throw(&world.breaks);
        let fault = Landing::Fault { again: true };
        if broken == 0 {
            return self.put(now + back, Event::Answers(ticket, None, fault));
        }
        let answer = if name.is_empty() {
            (None, Landing::Answered)
        } else {
            let (limit, length) = world.sizes[["one", "two", "three"]
                .iter()
                .position(|one| *one == name)
                .unwrap()];
            let window = self.windows.entry((name, channel)).or_insert((0, 0));
            if window.0 <= now {
                *window = (now + length, 0);
            }
            let wait = Span(window.0 - now);
            let landing = if window.1 >= limit {
                self.breaches += usize::from(channel != SCOUTED);
                Landing::Limited {
                    scope: LimitScope::User,
                    wait,
                }
            } else {
                window.1 += 1;
                Landing::Answered
            };
            let headers = BucketHeaders {
                bucket: name.to_owned(),
                limit,
                remaining: limit - window.1,
                reset_after: wait,
            };
            (Some(headers), landing)
        };
        let answer = match (broken, answer) {
            (1 | 2, (_, Landing::Answered)) => (None, fault),
            (_, answer) => answer,
        };
        self.put(now + back, Event::Answers(ticket, answer.0, answer.1));
    }
}

fn run(world: &World, per_second: usize) -> Run {
    let mut limiter = RequestLimiter::new(per_second, 1_000_000);
    let mut run = Run::default();
    let scouts = (0..ROUTES.len()).map(|route| (5_000, route, SCOUTED));
    let scouts: Vec<Wish> = scouts.filter(|_| world.scouted).collect();
    let mut at = 0;
    for (number, (pause, route, channel)) in scouts.iter().chain(&world.wishes).enumerate() {
        // A scout is back before anybody else goes.
        at += pause + if number == scouts.len() { 5_000 } else { 0 };
        run.put(at, Event::Wanted(Ticket(number as u64), *route, *channel));
    }
    while let Some(((now, _), event)) = run.events.pop_first() {
        let input = match event {
            Event::Wanted(ticket, route, channel) => {
                run.of.insert(ticket, (route, channel));
                LimiterInput::Asked {
                    ticket,
                    route: RouteKey {
                        name: ROUTES[route].0,
                        major: channel.to_string(),
                        by_bot: true,
                    },
                    deadline: Moment(u64::MAX),
                }
            }
            Event::Arrives(ticket) => {
                run.arrive(now, ticket, world);
                continue;
            }
            Event::Answers(ticket, headers, landing) => {
                if landing == Landing::Answered {
                    run.ended.insert(ticket, (now, None));
                }
                if headers.is_some() {
                    run.known.insert(run.of[&ticket].0);
                }
                LimiterInput::Landed {
                    ticket,
                    headers,
                    landing,
                }
            }
            Event::Tick if run.wake != Some(now) => continue,
            Event::Tick => LimiterInput::Tick,
        };
        let (verdicts, wake) = limiter.step(Moment(now), input);
        for verdict in verdicts {
            match verdict {
                RequestVerdict::Go(ticket) => {
                    run.sent.push(now);
                    let route = run.of[&ticket].0;
                    run.strangers += usize::from(!run.known.contains(&route) && !ROUTES[route].1.is_empty());
                    let way = run.throw(&world.ways);
                    run.put(now + way, Event::Arrives(ticket));
                }
                RequestVerdict::No(ticket, refusal) => {
                    run.ended.insert(ticket, (now, Some(refusal)));
                }
            }
        }
        let wake = wake.map(|wake| wake.0).filter(|wake| *wake < u64::MAX);
        if let Some(wake) = wake.filter(|_| wake != run.wake) {
            assert!(wake > now, "it would be woken for nothing for ever");
            run.put(wake, Event::Tick);
        }
        run.wake = wake;
    }
    assert_eq!(limiter.load(), (0, 0), "everything ends");
    run
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_bucket_gets_more_than_it_allows(world in world(Just(vec![9]))) {
        let world = World { scouted: true, ..world };
        prop_assert_eq!(run(&world, 1_000_000).breaches, 0);
    }

    /// Only what goes before its bucket is known can be too much for it, and then only once each.
    #[test]
    fn an_unknown_bucket_is_found_out_carefully(world in world(Just(vec![9]))) {
        let run = run(&world, 1_000_000);
        prop_assert!(run.breaches <= run.strangers, "{} breaches, {} strangers", run.breaches, run.strangers);
        prop_assert!(run.ended.values().all(|(_, refusal)| refusal.is_none()));
        prop_assert_eq!(run.ended.len(), world.wishes.len());
        // A channel that takes an hour to answer holds up nobody else.
        for (ticket, (at, _)) in &run.ended {
            prop_assert!(Some(run.of[ticket].1) == world.slow || *at < HOUR, "{:?} at {}", ticket, at);
        }
    }

    /// Nor are there more in any second than the bot may send.
    #[test]
    fn no_second_has_too_many(world in world(Just(vec![9])), per_second in 1..8_usize) {
        let run = run(&world, per_second);
        for (first, last) in run.sent.iter().zip(run.sent.iter().skip(per_second)) {
            prop_assert!(last - first >= 1_000, "{} to {}", first, last);
        }
        prop_assert_eq!(run.ended.len(), world.wishes.len());
    }

    /// Connections that break and servers that fail: all comes to an end, in one way or the other.
    #[test]
    fn faults_come_to_an_end(world in world(vec(0..9_u8, 1..40))) {
        let run = run(&world, 1_000_000);
        prop_assert_eq!(run.ended.len(), world.wishes.len());
        for (_, refusal) in run.ended.values() {
            prop_assert!(matches!(refusal, None | Some(RequestRefusal::TriedEnough)));
        }
    }
}
