//! How much may be asked in how much time, in buckets as Discord has them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::ids::{Id, Millis, now};

/// A route and what it allows. A star is any one part of the address.
#[derive(Clone, Debug)]
pub struct Rule {
    pub route: String,
    pub limit: u64,
    pub window: Millis,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: u64,
    ends: Millis,
}

/// Rules and what is left of them, for each account.
#[derive(Debug)]
pub struct Limits {
    pub rules: Vec<Rule>,
    /// Requests of an account in a second, on all routes.
    pub global: u64,
    pub on: bool,
    /// Requests that were refused with 401, 403 or 429; ten thousand in ten minutes would be a ban.
    pub invalid: BTreeMap<Id, u64>,
    buckets: BTreeMap<(Id, String), Bucket>,
    seconds: BTreeMap<Id, Bucket>,
}

impl Default for Limits {
    fn default() -> Self {
        let rule = |route: &str, limit, window| Rule {
            route: route.to_owned(),
            limit,
            window,
        };
        let rules = vec![
            rule("POST /channels/*/messages", 5, 5000),
            rule("PATCH /channels/*/messages/*", 5, 5000),
            rule("DELETE /channels/*/messages/*", 5, 1000),
            rule("PUT /channels/*/messages/*/reactions/*/@me", 1, 250),
            rule("DELETE /channels/*/messages/*/reactions/*/@me", 1, 250),
            rule("POST /channels/*/typing", 5, 5000),
            rule("POST /users/@me/channels", 10, 10_000),
            rule("PUT /applications/*/commands", 5, 20_000),
        ];
        Self {
            rules,
            global: 50,
            on: true,
            invalid: BTreeMap::new(),
            buckets: BTreeMap::new(),
            seconds: BTreeMap::new(),
        }
    }
}

/// What a request meets: the headers, and for how long it has to wait if it came too soon.
#[derive(Clone, Debug, Default)]
pub struct Metered {
    pub headers: Vec<(&'static str, String)>,
    pub wait: Option<f64>,
    pub global: bool,
}

/// Whether a route is of that form.
pub fn matches(form: &str, method: &str, path: &[String]) -> bool {
    let (wanted, form) = form.split_once(' ').unwrap_or(("*", form));
    let parts: Vec<&str> = form.trim_matches('/').split('/').collect();
    (wanted == "*" || wanted == method)
        && (form == "*"
            || parts.len() == path.len()
                && parts
                    .iter()
                    .zip(path)
                    .all(|(form, part)| *form == "*" || form == part))
}

fn seconds(millis: Millis) -> f64 {
    Millis::min(millis, 1 << 50) as f64 / 1000.0
}

impl Limits {
    /// Counts a request.
    pub fn meter(&mut self, who: Id, method: &str, path: &[String]) -> Metered {
        if !self.on {
            return Metered::default();
        }
        let here = now();
        if !matches!(
            path.first().map(String::as_str),
            Some("interactions" | "webhooks")
        ) {
            let second = self.seconds.entry(who).or_insert(Bucket { left: 0, ends: 0 });
            if here >= second.ends {
                *second = Bucket {
                    left: self.global,
                    ends: here + 1000,
                };
            }
            if second.left == 0 {
                return Metered {
                    wait: Some(seconds(second.ends - here)),
                    global: true,
                    headers: Vec::new(),
                };
            }
            second.left -= 1;
        }
        let rule = self.rules.iter().find(|rule| matches(&rule.route, method, path));
        let (name, limit, window) = rule.map_or(("*", 50, 1000), |rule| {
            (rule.route.as_str(), rule.limit, rule.window)
        });
        let major = path.get(..2).map(|it| it.join("/")).unwrap_or_default();
        let major = if rule.is_some() {
            major
        } else {
            format!("{method} {major}")
        };
        let bucket = self
            .buckets
            .entry((who, format!("{name} {major}")))
            .or_insert(Bucket { left: 0, ends: 0 });
        if here >= bucket.ends {
            *bucket = Bucket {
                left: limit,
                ends: here + window,
            };
        }
        let after = seconds(bucket.ends - here);
        let wait = (bucket.left == 0).then_some(after);
        bucket.left = bucket.left.saturating_sub(1);
        let headers = vec![
            ("x-ratelimit-limit", limit.to_string()),
            ("x-ratelimit-remaining", bucket.left.to_string()),
            ("x-ratelimit-reset", format!("{:.3}", seconds(bucket.ends))),
            ("x-ratelimit-reset-after", format!("{after:.3}")),
            ("x-ratelimit-bucket", fingerprint(name)),
        ];
        Metered {
            headers,
            wait,
            global: false,
        }
    }

    /// Takes over other rules: `{"on": true, "global": 50, "rules": [{"route", "limit", "window_ms"}]}`.
    pub fn set(&mut self, wish: &Value) {
        self.on = wish["on"].as_bool().unwrap_or(self.on);
        self.global = wish["global"].as_u64().unwrap_or(self.global);
        for rule in wish["rules"].as_array().into_iter().flatten() {
            let route = rule["route"].as_str().unwrap_or_default().to_owned();
            self.rules.retain(|it| it.route != route);
            let (limit, window) = (
                rule["limit"].as_u64().unwrap_or(5),
                rule["window_ms"].as_u64().unwrap_or(5000),
            );
            self.rules.push(Rule { route, limit, window });
        }
        self.buckets.clear();
        self.seconds.clear();
    }
}

/// The name of a bucket, which says nothing of its route.
fn fingerprint(name: &str) -> String {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}{:016x}", hash.rotate_left(29))
}

/// What Discord says to somebody who came too soon.
pub fn too_soon(wait: f64, global: bool) -> Value {
    json!({"message": "You are being rate limited.", "retry_after": wait, "global": global})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn routes_are_matched_part_by_part() {
        for (form, method, at, fits) in [
            ("POST /channels/*/messages", "POST", "channels/1/messages", true),
            ("POST /channels/*/messages", "GET", "channels/1/messages", false),
            (
                "POST /channels/*/messages",
                "POST",
                "channels/1/messages/2",
                false,
            ),
            ("* /channels/*", "GET", "channels/1", true),
            ("*", "GET", "gateway/bot", true),
        ] {
            assert_eq!(matches(form, method, &path(at)), fits, "{form} {method} {at}");
        }
    }

    #[test]
    fn the_sixth_message_has_to_wait_and_another_channel_does_not() {
        let mut limits = Limits::default();
        for left in ["4", "3", "2", "1", "0"] {
            let met = limits.meter(1, "POST", &path("channels/1/messages"));
            assert!(met.wait.is_none());
            assert_eq!(met.headers[1].1, left);
        }
        assert!(
            limits
                .meter(1, "POST", &path("channels/1/messages"))
                .wait
                .is_some()
        );
        assert!(
            limits
                .meter(1, "POST", &path("channels/2/messages"))
                .wait
                .is_none()
        );
        assert!(
            limits
                .meter(2, "POST", &path("channels/1/messages"))
                .wait
                .is_none()
        );
    }

    #[test]
    fn an_account_has_so_many_requests_in_a_second() {
        let mut limits = Limits {
            global: 2,
            ..Limits::default()
        };
        let met = ["users/@me", "gateway/bot", "guilds/1"].map(|at| limits.meter(1, "GET", &path(at)).global);
        assert_eq!(met, [false, false, true]);
    }
}
