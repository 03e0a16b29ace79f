//! When each request goes: buckets of routes, the limit over all of them, quiet that was asked for, second tries.
//!
//! Pure: it is told what happens and when, and says what goes. Requests of one bucket go in the order in which they were
//! asked; a bucket that is full or slow stops no other, and of those that may go the oldest goes first, so that nobody
//! starves.

use std::collections::{BTreeMap, BTreeSet};

use vocabulary::{Moment, Span};

use super::bucket::{Bucket, BucketHeaders, Opening};
use super::counts::{Counts, Lane};
use super::guard::{GlobalLimit, RefusedCount};
use super::route::RouteKey;

/// Discord allows 50; requests bunch on their way.
const PER_SECOND: usize = 45;
/// Discord bars an address at 10,000 in ten minutes, and other programs may share it.
const REFUSED_MAX: u32 = 8_000;
/// How often a request is tried that meets faults of the server or of the network.
const FAULTS_MAX: u32 = 5;
/// How often a request is put off by the server before it is given up.
const LIMITED_MAX: u32 = 10;
const BACKOFF: Span = Span(500);
const BACKOFF_MAX: Span = Span::seconds(8);
/// Buckets of channels that were quiet for long are forgotten beyond this many.
const BUCKETS_KEPT: usize = 1_024;

/// A request, by the number it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(pub u64);

/// What the limiter is told.
#[derive(Clone, Debug)]
pub enum LimiterInput {
    /// Somebody wants this sent before the deadline. Tickets only grow.
    Asked {
        ticket: Ticket,
        route: RouteKey,
        deadline: Moment,
    },
    /// What went has an answer, or will have none.
    Landed {
        ticket: Ticket,
        headers: Option<BucketHeaders>,
        landing: Landing,
    },
    /// Whoever asked does not want it any more.
    Dropped(Ticket),
    /// Time has passed.
    Tick,
}

/// How a request came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// It was answered, well or not.
    Answered,
    /// 401 or 403, which Discord counts.
    Refused,
    /// 401 to the bot's own token: nothing else will be answered either.
    TokenRefused,
    /// 429: it was not carried out, and goes again by itself.
    Limited { scope: LimitScope, wait: Span },
    /// The server's fault or the network's. `again`: a second try does no harm.
    Fault { again: bool },
}

/// Whose limit a 429 is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitScope {
    /// The bot's, on this route.
    User,
    /// A resource's that others use, too; Discord does not hold it against the bot.
    Shared,
    /// The bot's, everywhere.
    Global,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestVerdict {
    Go(Ticket),
    No(Ticket, RequestRefusal),
}

/// Why a request does not go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestRefusal {
    /// It could not go before its deadline, or cannot: room is `wait` away.
    Overdue { wait: Span },
    /// It went often enough; how it came back last is the answer.
    TriedEnough,
    /// Too much was refused lately; going on would have the address barred.
    TooManyRefused { wait: Span },
    /// The bot's token was refused before.
    TokenRefused,
}

#[derive(Clone, Debug)]
struct Request {
    route: RouteKey,
    deadline: Moment,
    not_before: Moment,
    faults: u32,
    limited: u32,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct RequestLimiter {
    waiting: BTreeMap<Ticket, Request>,
    under_way: BTreeMap<Ticket, Request>,
    /// The bucket of each route, once an answer named it; none where answers name none.
    names: BTreeMap<&'static str, Option<String>>,
    buckets: BTreeMap<Lane, Bucket>,
    global: GlobalLimit,
    refused: RefusedCount,
    token_refused: bool,
}

impl Default for RequestLimiter {
    fn default() -> Self {
        Self::new(PER_SECOND, REFUSED_MAX)
    }
}

impl RequestLimiter {
    pub fn new(per_second: usize, refused_max: u32) -> Self {
        Self {
            waiting: BTreeMap::new(),
            under_way: BTreeMap::new(),
            names: BTreeMap::new(),
            buckets: BTreeMap::new(),
            global: GlobalLimit::new(per_second),
            refused: RefusedCount::new(refused_max),
            token_refused: false,
        }
    }

    /// Takes something in; what is to be done about it, and when to come again at the latest.
    pub fn step(&mut self, now: Moment, input: LimiterInput) -> (Vec<RequestVerdict>, Option<Moment>) {
        let mut verdicts = Vec::new();
        match input {
            LimiterInput::Asked {
                ticket,
                route,
                deadline,
            } => {
                let request = Request {
                    route,
                    deadline,
                    not_before: now,
                    faults: 0,
                    limited: 0,
                };
                self.waiting.insert(ticket, request);
            }
            LimiterInput::Landed {
                ticket,
                headers,
                landing,
            } => {
                if let Some(request) = self.under_way.remove(&ticket) {
                    self.count(now, &request.route, headers.as_ref(), landing);
                    verdicts.extend(self.again(now, ticket, request, landing));
                }
            }
            LimiterInput::Dropped(ticket) => {
                self.waiting.remove(&ticket);
                if let Some(request) = self.under_way.remove(&ticket) {
                    self.count(now, &request.route, None, Landing::Fault { again: false });
                }
            }
            LimiterInput::Tick => {}
        }
        self.buckets.values_mut().for_each(|bucket| bucket.renew(now));
        let wake = self.grant(now, &mut verdicts);
        self.forget_buckets(now);
        (verdicts, wake)
    }

    /// How many wait, and how many are under way.
    pub fn load(&self) -> (usize, usize) {
        (self.waiting.len(), self.under_way.len())
    }

    /// How many buckets are known.
    pub fn buckets(&self) -> usize {
        self.buckets.len()
    }

    fn count(&mut self, now: Moment, route: &RouteKey, headers: Option<&BucketHeaders>, landing: Landing) {
        let is_answer = !matches!(landing, Landing::Fault { .. });
        if let Some(headers) = headers {
            let known = self.names.insert(route.name, Some(headers.bucket.clone()));
            if known.flatten().as_deref() != Some(headers.bucket.as_str()) {
                self.buckets.remove(&(route.name.to_owned(), route.major.clone()));
            }
        } else if is_answer {
            self.names.entry(route.name).or_insert(None);
        }
        let bucket = self.buckets.entry(self.lane(route)).or_default();
        match headers {
            Some(headers) => bucket.count(now, headers),
            None => {
                bucket.count_blindly(now);
                if is_answer {
                    bucket.is_uncounted();
                }
            }
        }
        match landing {
            Landing::Limited { scope, wait } => {
                match scope {
                    LimitScope::Global => self.global.close(now, wait),
                    LimitScope::User | LimitScope::Shared => bucket.close(now, wait),
                }
                if scope != LimitScope::Shared {
                    self.refused.add(now);
                }
            }
            Landing::Refused => self.refused.add(now),
            Landing::TokenRefused => {
                self.refused.add(now);
                self.token_refused = true;
            }
            Landing::Answered | Landing::Fault { .. } => {}
        }
    }

    /// Puts a request back, at its old place, where it is to go once more.
    fn again(
        &mut self,
        now: Moment,
        ticket: Ticket,
        mut request: Request,
        landing: Landing,
    ) -> Option<RequestVerdict> {
        match landing {
            Landing::Limited { wait, .. } => {
                request.limited += 1;
                // What goes by an interaction's token waits for no limit of the bot's, but for what it was told itself.
                request.not_before = now + wait;
            }
            Landing::Fault { again: true } => {
                request.faults += 1;
                request.not_before = now + backoff(ticket, request.faults);
            }
            _ => return None,
        }
        if request.faults >= FAULTS_MAX || request.limited >= LIMITED_MAX {
            return Some(RequestVerdict::No(ticket, RequestRefusal::TriedEnough));
        }
        self.waiting.insert(ticket, request);
        None
    }

    /// Lets everything go that may, oldest first; when something else will be able to.
    fn grant(&mut self, now: Moment, verdicts: &mut Vec<RequestVerdict>) -> Option<Moment> {
        let mut closed: BTreeSet<Lane> = BTreeSet::new();
        let mut wake: Option<Moment> = None;
        let tickets: Vec<Ticket> = self.waiting.keys().copied().collect();
        let mut counts = self.counts();
        for ticket in tickets {
            let request = &self.waiting[&ticket];
            let lane = self.lane(&request.route);
            let opening = if closed.contains(&lane) {
                Ok(Opening::WhenLanded)
            } else {
                self.opening(now, &ticket, &lane, &counts)
            };
            let request = &self.waiting[&ticket];
            let verdict = match opening {
                Ok(Opening::Now) => RequestVerdict::Go(ticket),
                Ok(Opening::At(at)) if at > request.deadline => {
                    RequestVerdict::No(ticket, RequestRefusal::Overdue { wait: at.since(now) })
                }
                Ok(_) if request.deadline <= now => {
                    RequestVerdict::No(ticket, RequestRefusal::Overdue { wait: Span::ZERO })
                }
                Ok(opening) => {
                    let at = match opening {
                        Opening::At(at) => at.min(request.deadline),
                        _ => request.deadline,
                    };
                    wake = Some(wake.map_or(at, |wake| wake.min(at)));
                    closed.insert(lane);
                    continue;
                }
                Err(refusal) => RequestVerdict::No(ticket, refusal),
            };
            verdicts.push(verdict);
            let request = self.waiting.remove(&ticket).expect("it waits");
            if verdict == RequestVerdict::Go(ticket) {
                if request.route.by_bot {
                    self.global.send(now);
                }
                counts.add(self.names.get(request.route.name), lane);
                self.under_way.insert(ticket, request);
            }
        }
        wake
    }

    fn opening(
        &mut self,
        now: Moment,
        ticket: &Ticket,
        lane: &Lane,
        counts: &Counts,
    ) -> Result<Opening, RequestRefusal> {
        let request = &self.waiting[ticket];
        if request.route.by_bot && self.token_refused {
            return Err(RequestRefusal::TokenRefused);
        }
        if self.refused.left(now, 0) == 0 {
            let until = self.refused.forgets_at().unwrap_or(now);
            return Err(RequestRefusal::TooManyRefused {
                wait: until.since(now),
            });
        }
        if self.refused.left(now, self.under_way.len()) == 0 {
            return Ok(Opening::WhenLanded);
        }
        if now < request.not_before {
            return Ok(Opening::At(request.not_before));
        }
        let under_way = counts.of(lane);
        let bucket = self.buckets.get(lane);
        let opening = bucket.map_or_else(
            || Bucket::default().opening(now, under_way),
            |bucket| bucket.opening(now, under_way),
        );
        match opening {
            Opening::Now if request.route.by_bot => Ok(self.global.opening(now)),
            opening => Ok(opening),
        }
    }

    fn lane(&self, route: &RouteKey) -> Lane {
        let name = self.names.get(route.name).and_then(Option::as_deref);
        (name.unwrap_or(route.name).to_owned(), route.major.clone())
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for request in self.under_way.values() {
            counts.add(self.names.get(request.route.name), self.lane(&request.route));
        }
        counts
    }

    fn forget_buckets(&mut self, now: Moment) {
        if self.buckets.len() > BUCKETS_KEPT {
            let counts = self.counts();
            self.buckets
                .retain(|lane, bucket| !bucket.is_idle(now) || counts.of(lane) > 0);
        }
    }
}

/// Twice as long after each fault, and not the same for everybody.
fn backoff(ticket: Ticket, faults: u32) -> Span {
    let whole = BACKOFF.0 << faults.saturating_sub(1).min(8);
    let whole = whole.min(BACKOFF_MAX.0);
    let spread = ticket.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    Span(whole / 2 + spread % (whole / 2 + 1))
}

#[cfg(test)]
#[path = "limiter_tests.rs"]
mod tests;
