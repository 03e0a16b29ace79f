//! Addresses within a community: `/api/communities/NAME/…` is `/api/…` there.

use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use vocabulary::CommunityId;

const ROOT: &str = "/api/communities/";

/// What an address leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Within<'a> {
    /// As it stands in the address.
    pub community: &'a str,
    /// What follows, without a leading slash.
    pub rest: &'a str,
}

/// Which community a path is in; none where it names no community, or nothing within it.
pub(crate) fn within(path: &str) -> Option<Within<'_>> {
    let (community, rest) = path.strip_prefix(ROOT)?.split_once('/')?;
    (!community.is_empty() && !rest.is_empty()).then_some(Within { community, rest })
}

/// The path as it is within its community.
pub(crate) fn inner(path: &str) -> String {
    within(path).map_or_else(|| path.to_owned(), |within| format!("/api/{}", within.rest))
}

/// The whole address as it is within its community.
pub(crate) fn inner_address(uri: &Uri) -> Option<Uri> {
    let path = inner(uri.path());
    let whole = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(whole).ok()?);
    Uri::from_parts(parts).ok()
}

/// The id that a segment of a path stands for.
pub(crate) fn community_id(segment: &str) -> Option<CommunityId> {
    let mut bytes = segment.bytes();
    let mut plain = Vec::with_capacity(segment.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            plain.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            plain.push(byte);
        }
    }
    String::from_utf8(plain).ok().map(CommunityId::new)
}

#[cfg(test)]
mod tests {
    use axum::http::Uri;

    use super::{community_id, inner, inner_address, within};

    #[test]
    fn an_address_within_a_community_is_that_of_the_default_one_with_its_name_before_it() {
        for (outer, expected) in [
            ("/api/communities/club/rooms/a/messages", "/api/rooms/a/messages"),
            ("/api/communities/club/watch/socket", "/api/watch/socket"),
            ("/api/communities/club", "/api/communities/club"),
            ("/api/communities/club/", "/api/communities/club/"),
            ("/api/communities//rooms", "/api/communities//rooms"),
            ("/api/rooms", "/api/rooms"),
        ] {
            assert_eq!(inner(outer), expected);
        }
        assert_eq!(
            within("/api/communities/a%20b/rooms").map(|within| within.community),
            Some("a%20b")
        );
    }

    #[test]
    fn what_is_asked_stays_with_the_address() {
        let outer: Uri = "/api/communities/club/journal?after=3"
            .parse()
            .expect("an address");
        let inner = inner_address(&outer).expect("an address within");
        assert_eq!(inner.to_string(), "/api/journal?after=3");
    }

    #[test]
    fn names_may_be_written_with_percent_signs() {
        assert_eq!(
            community_id("a%2Fb").map(|id| id.to_string()),
            Some("a/b".to_owned())
        );
        assert_eq!(community_id("a%"), None);
        assert_eq!(community_id("%ff"), None);
    }
}
