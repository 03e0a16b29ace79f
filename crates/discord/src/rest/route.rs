//! Where a request goes, and by what its limit is counted.

use std::fmt::Write as _;

/// By what Discord counts a request until it has said more: the route, and the channel, the server or the webhook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouteKey {
    /// Such as `POST /channels/{}/messages`.
    pub name: &'static str,
    pub major: String,
    /// Whether the bot's token goes with it; what goes by an interaction's token is in no limit of the bot's.
    pub by_bot: bool,
}

impl RouteKey {
    /// Whether this is a route's name, and not a bucket's: those have no space in them.
    pub(super) fn is_name(name: &str) -> bool {
        name.contains(' ')
    }
}

/// One place to send something to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Route {
    pub(super) key: RouteKey,
    /// With its query, behind the base address. May hold an interaction's token: never to be logged.
    pub(super) path: String,
}

impl Route {
    /// `name`: the method, a space, and the path, in which each `{}` stands for the next of the parts.
    pub(super) fn new(name: &'static str, parts: &[&str]) -> Self {
        let mut path = String::new();
        let mut left = parts.iter();
        let template = name.split_once(' ').map_or(name, |(_, template)| template);
        for (index, piece) in template.split("{}").enumerate() {
            if index > 0 {
                push_encoded(&mut path, left.next().copied().unwrap_or_default());
            }
            path.push_str(piece);
        }
        let by_token = template.starts_with("/webhooks/") || template.starts_with("/interactions/");
        let counted = match template {
            _ if by_token => 2,
            _ if template.starts_with("/channels/") || template.starts_with("/guilds/") => 1,
            _ => 0,
        };
        let counted = &parts[..counted.min(parts.len())];
        Self {
            key: RouteKey {
                name,
                major: counted.join("/"),
                by_bot: !by_token,
            },
            path,
        }
    }

    pub(super) fn method(&self) -> &'static str {
        self.key.name.split_once(' ').map_or("GET", |(method, _)| method)
    }

    /// With a query; what is none is left out.
    pub(super) fn query(mut self, pairs: &[(&str, Option<String>)]) -> Self {
        let mut sign = '?';
        for (name, value) in pairs {
            if let Some(value) = value {
                self.path.push(sign);
                self.path.push_str(name);
                self.path.push('=');
                push_encoded(&mut self.path, value);
                sign = '&';
            }
        }
        self
    }
}

/// Nothing that stands in a part can end it or begin another.
fn push_encoded(path: &mut String, part: &str) {
    for byte in part.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' | b'@' => path.push(byte.into()),
            // Two points would be a step up.
            b'.' if part.len() > 2 => path.push('.'),
            _ => {
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Route;

    #[test]
    fn a_route_is_filled_in_and_counted_by_its_first_part() {
        for (name, parts, path, major, by_bot) in [
            ("GET /gateway/bot", &[][..], "/gateway/bot", "", true),
            (
                "PUT /channels/{}/messages/{}/reactions/{}/@me",
                &["1", "2", "👍"][..],
                "/channels/1/messages/2/reactions/%F0%9F%91%8D/@me",
                "1",
                true,
            ),
            (
                "GET /guilds/{}/members/{}",
                &["7", "8"][..],
                "/guilds/7/members/8",
                "7",
                true,
            ),
            (
                "GET /users/{}",
                &["../x?y#"][..],
                "/users/..%2Fx%3Fy%23",
                "",
                true,
            ),
            ("GET /users/{}", &[".."][..], "/users/%2E%2E", "", true),
            (
                "PATCH /webhooks/{}/{}/messages/@original",
                &["3", "secret.token"][..],
                "/webhooks/3/secret.token/messages/@original",
                "3/secret.token",
                false,
            ),
        ] {
            let route = Route::new(name, parts);
            assert_eq!(route.path, path);
            assert_eq!(route.key.major, major, "{name}");
            assert_eq!(route.key.by_bot, by_bot, "{name}");
        }
        let route = Route::new("GET /x", &[]).query(&[
            ("a", None),
            ("b", Some("1 2".to_owned())),
            ("c", Some("3".to_owned())),
        ]);
        assert_eq!((route.method(), route.path.as_str()), ("GET", "/x?b=1%202&c=3"));
    }
}
