//! An answer of the server: its status, what it says about limits, and its body.

use reqwest::header::HeaderMap;
use reqwest::{Response, StatusCode};
use serde_json::Value;
use vocabulary::Span;

use super::bucket::BucketHeaders;
use super::limiter::{Landing, LimitScope};

/// A page of a hundred messages with all they quote stays far below.
const BODY_MAX: usize = 16 << 20;
/// How long to stay away where a 429 does not say.
const WAIT_UNSAID: Span = Span::seconds(5);
/// The same where it is not Discord's own, but comes from the machines before it.
const WAIT_BARRED: Span = Span::minutes(1);
/// No wait is believed to be longer than a day.
const WAIT_MAX: Span = Span::hours(24);

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: Option<BucketHeaders>,
    pub(super) body: Vec<u8>,
    /// Of a 429.
    limited: Option<(LimitScope, Span)>,
}

/// Why there is none.
#[derive(Debug)]
pub(super) enum NoAnswer {
    Broken(reqwest::Error),
    TooLong,
}

impl Answer {
    pub(super) async fn read(mut response: Response) -> Result<Self, NoAnswer> {
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(NoAnswer::Broken)? {
            if body.len() + chunk.len() > BODY_MAX {
                return Err(NoAnswer::TooLong);
            }
            body.extend_from_slice(&chunk);
        }
        let status = response.status();
        let headers = response.headers();
        Ok(Self {
            status,
            headers: bucket(headers),
            limited: (status == StatusCode::TOO_MANY_REQUESTS).then(|| limited(headers, &body)),
            body,
        })
    }

    /// `by_bot`: the bot's token went with it. `again`: a second try does no harm.
    pub(super) fn landing(&self, by_bot: bool, again: bool) -> Landing {
        if let Some((scope, wait)) = self.limited {
            return Landing::Limited { scope, wait };
        }
        match self.status.as_u16() {
            401 if by_bot => Landing::TokenRefused,
            401 | 403 => Landing::Refused,
            500.. => Landing::Fault { again },
            _ => Landing::Answered,
        }
    }
}

fn bucket(headers: &HeaderMap) -> Option<BucketHeaders> {
    Some(BucketHeaders {
        bucket: text(headers, "x-ratelimit-bucket")?.to_owned(),
        limit: text(headers, "x-ratelimit-limit")?.parse().ok()?,
        remaining: text(headers, "x-ratelimit-remaining")?.parse().ok()?,
        reset_after: seconds(text(headers, "x-ratelimit-reset-after")?.parse().ok()?),
    })
}

fn limited(headers: &HeaderMap, body: &[u8]) -> (LimitScope, Span) {
    let said = text(headers, "retry-after").and_then(|text| text.parse::<f64>().ok());
    let Ok(Value::Object(body)) = serde_json::from_slice(body) else {
        return (LimitScope::Global, said.map_or(WAIT_BARRED, seconds));
    };
    let global =
        body.get("global") == Some(&Value::Bool(true)) || text(headers, "x-ratelimit-global").is_some();
    let scope = match text(headers, "x-ratelimit-scope") {
        Some("shared") => LimitScope::Shared,
        Some("global") => LimitScope::Global,
        _ if global => LimitScope::Global,
        _ => LimitScope::User,
    };
    // The body has the fraction.
    let wait = body.get("retry_after").and_then(Value::as_f64).or(said);
    (scope, wait.map_or(WAIT_UNSAID, seconds))
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Rounded up, so that nothing goes too early.
fn seconds(number: f64) -> Span {
    // What is no number or beyond all numbers becomes one here.
    Span((number.max(0.0) * 1_000.0).ceil() as u64).min(WAIT_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = reqwest::header::HeaderName::from_static(name);
            (name, reqwest::header::HeaderValue::from_static(value))
        });
        pairs.collect()
    }

    #[test]
    fn a_429_is_read_from_its_headers_and_its_body() {
        for (pairs, body, scope, wait) in [
            (
                &[][..],
                r#"{"retry_after": 1.2341, "global": false}"#,
                LimitScope::User,
                1_235,
            ),
            (
                &[][..],
                r#"{"retry_after": 2, "global": true}"#,
                LimitScope::Global,
                2_000,
            ),
            (
                &[("x-ratelimit-scope", "shared"), ("retry-after", "3")][..],
                "{}",
                LimitScope::Shared,
                3_000,
            ),
            (
                &[("x-ratelimit-scope", "global")][..],
                "{}",
                LimitScope::Global,
                WAIT_UNSAID.0,
            ),
            (
                &[("x-ratelimit-global", "true")][..],
                "{}",
                LimitScope::Global,
                WAIT_UNSAID.0,
            ),
            // Not Discord's own.
            (&[("retry-after", "7")][..], "<html>", LimitScope::Global, 7_000),
            (&[][..], "error code: 1015", LimitScope::Global, WAIT_BARRED.0),
            (&[][..], r#"{"retry_after": -5}"#, LimitScope::User, 0),
            (&[][..], r#"{"retry_after": 1e300}"#, LimitScope::User, WAIT_MAX.0),
        ] {
            assert_eq!(
                limited(&headers(pairs), body.as_bytes()),
                (scope, Span(wait)),
                "{body}"
            );
        }
    }

    #[test]
    fn a_bucket_is_read_whole_or_not_at_all() {
        let whole = [
            ("x-ratelimit-bucket", "abc"),
            ("x-ratelimit-limit", "5"),
            ("x-ratelimit-remaining", "4"),
            ("x-ratelimit-reset-after", "0.2501"),
        ];
        let read = bucket(&headers(&whole)).unwrap();
        assert_eq!((read.limit, read.remaining, read.reset_after), (5, 4, Span(251)));
        for missing in 0..whole.len() {
            let mut pairs = whole.to_vec();
            pairs.remove(missing);
            assert_eq!(bucket(&headers(&pairs)), None);
        }
    }
}
