//! How fast one credential may write, with all sessions that were made from it: a burst, then so many a second.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, StatusCode, header};

use crate::access::{Caller, CredentialKind, Role};
use crate::refusal::Refusal;
use crate::site::Shared;

/// Beyond so many, those who could write a whole burst again are forgotten.
const REMEMBERED: usize = 1_000;

/// What a credential may write.
#[derive(Clone, Copy, Debug)]
struct Pace {
    burst: f64,
    a_second: f64,
}

/// Somebody at a page.
const OF_A_PERSON: Pace = Pace {
    burst: 30.0,
    a_second: 2.0,
};
/// A program, which may speak for several people.
const OF_A_PROGRAM: Pace = Pace {
    burst: 60.0,
    a_second: 5.0,
};

/// Pages say it every few seconds.
const TYPING_OF_A_PERSON: Pace = Pace {
    burst: 20.0,
    a_second: 2.0,
};
const TYPING_OF_A_PROGRAM: Pace = Pace {
    burst: 60.0,
    a_second: 10.0,
};

/// How much each credential has written lately.
#[derive(Debug, Default)]
pub(crate) struct WritingPace(Mutex<BTreeMap<String, Written>>);

#[derive(Clone, Copy, Debug)]
struct Written {
    /// What is left of the burst, at that time.
    left: f64,
    at: Instant,
}

impl WritingPace {
    /// Counts one thing written, or says how long to wait.
    fn take(&self, credential: &str, pace: Pace, now: Instant) -> Result<(), Duration> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > REMEMBERED {
            let slowest = OF_A_PROGRAM.burst.max(OF_A_PERSON.burst) / OF_A_PERSON.a_second;
            let lately = Duration::from_secs_f64(slowest);
            all.retain(|_, written| now.saturating_duration_since(written.at) < lately);
        }
        let written = all.entry(credential.to_owned()).or_insert(Written {
            left: pace.burst,
            at: now,
        });
        let since = now.saturating_duration_since(written.at).as_secs_f64();
        let left = (written.left + since * pace.a_second).min(pace.burst);
        if left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - left) / pace.a_second));
        }
        *written = Written {
            left: left - 1.0,
            at: now,
        };
        Ok(())
    }
}

/// Refuses whoever writes, changes or takes back too much at once; administrators may.
pub(crate) fn refuse_too_fast(shared: &Shared, caller: &Caller) -> Result<(), Refusal> {
    let taken = count(shared, caller, caller.root(), [OF_A_PERSON, OF_A_PROGRAM]);
    taken.map_err(|(pace, wait)| {
        too_fast(
            &format!(
                "You write faster than is taken in here: {} messages, changes and reactions at once, then {} a second.",
                pace.burst, pace.a_second
            ),
            wait,
        )
    })
}

/// The same for whoever says that they type, which takes nothing from what they may write.
pub(super) fn refuse_typing_too_fast(shared: &Shared, caller: &Caller) -> Result<(), Refusal> {
    let key = format!("{} typing", caller.root());
    let taken = count(shared, caller, &key, [TYPING_OF_A_PERSON, TYPING_OF_A_PROGRAM]);
    taken.map_err(|(pace, wait)| {
        too_fast(
            &format!(
                "You say that you type more often than is passed on here: {} times at once, then {} a second.",
                pace.burst, pace.a_second
            ),
            wait,
        )
    })
}

/// Counts one thing of somebody who is a person or a program, or says at which pace they would have had to go on, and how
/// long to wait.
fn count(
    shared: &Shared,
    caller: &Caller,
    key: &str,
    [person, program]: [Pace; 2],
) -> Result<(), (Pace, Duration)> {
    if caller.role == Role::Administrator {
        return Ok(());
    }
    let pace = match shared.site.access.kind_of(&caller.credential) {
        Some(CredentialKind::Token) => program,
        Some(CredentialKind::Session | CredentialKind::Link) | None => person,
    };
    let taken = shared.writing.take(key, pace, Instant::now());
    taken.map_err(|wait| (pace, wait))
}

fn too_fast(problem: &str, wait: Duration) -> Refusal {
    let seconds = wait.as_secs() + 1;
    let message = format!("{problem} Try again in {seconds} s.");
    Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too_fast", message)
        .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{OF_A_PERSON, OF_A_PROGRAM, REMEMBERED, WritingPace};

    #[test]
    fn after_a_burst_there_are_so_many_a_second_for_each_credential_by_itself() {
        let (pace, start) = (WritingPace::default(), Instant::now());
        let burst = |who: &str, now| {
            (0..200)
                .take_while(|_| pace.take(who, OF_A_PERSON, now).is_ok())
                .count()
        };
        assert_eq!(burst("one", start), 30);
        assert_eq!(burst("one", start + Duration::from_secs(3)), 6);
        let wait = pace.take("one", OF_A_PERSON, start + Duration::from_secs(3));
        assert_eq!(wait, Err(Duration::from_millis(500)));
        assert_eq!(burst("two", start), 30);
        assert_eq!(burst("one", start + Duration::from_secs(3_600)), 30);
    }

    #[test]
    fn whoever_waits_to_be_forgotten_has_waited_long_enough() {
        let (pace, start) = (WritingPace::default(), Instant::now());
        for number in 0..=REMEMBERED {
            pace.take(&number.to_string(), OF_A_PROGRAM, start).unwrap();
        }
        let later = start + Duration::from_secs(30);
        pace.take("another", OF_A_PROGRAM, later).unwrap();
        assert_eq!(pace.0.lock().unwrap().len(), 1);
    }
}
