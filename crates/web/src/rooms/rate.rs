//! How fast one credential may write: a burst, then so many a second.

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
    if caller.role == Role::Administrator {
        return Ok(());
    }
    let pace = match shared.site.access.kind_of(&caller.credential) {
        Some(CredentialKind::Token) => OF_A_PROGRAM,
        Some(CredentialKind::Session) | None => OF_A_PERSON,
    };
    let taken = shared.writing.take(&caller.credential, pace, Instant::now());
    taken.map_err(|wait| {
        let seconds = wait.as_secs() + 1;
        Refusal::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too_fast",
            format!(
                "You write faster than is taken in here: {} messages, changes and reactions at once, then {} a second. Try again in {seconds} s.",
                pace.burst, pace.a_second
            ),
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
    })
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
