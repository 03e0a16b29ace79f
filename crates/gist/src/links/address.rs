//! The canonical form of an address: what makes two links the same page.

use std::net::Ipv6Addr;

use unicode_normalization::char::is_combining_mark;
use vocabulary::text::is_plain;

/// A longer address is none that anybody would post.
const ADDRESS_CHARS_MAX: usize = 2_000;
/// Parameters that say where somebody came from, and nothing about the page.
const TRACKING: [&str; 7] = ["fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "si", "spm"];
const TRACKING_FAMILY: &str = "utm_";

/// The canonical form of an address: http(s) only, host in lower case, no fragment, no default port, no tracking
/// parameters (utm_*, fbclid, gclid, igshid, mc_cid, mc_eid, si, spm). None: it is no address of a page.
pub fn canonical(address: &str) -> Option<String> {
    let address = address.trim();
    if address.chars().any(is_foreign) {
        return None;
    }
    let (scheme, default_port, rest) = without_scheme(address)?;
    let rest = rest.split('#').next().unwrap_or_default();
    let (authority, target) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut whole = format!("{scheme}{}", site(authority, default_port)?);
    push_spelled(&mut whole, if path.is_empty() { "/" } else { path });
    let pieces: Vec<&str> = query.split('&').filter(|piece| !is_tracking(piece)).collect();
    if !pieces.is_empty() {
        whole.push('?');
        push_spelled(&mut whole, &pieces.join("&"));
    }
    (whole.chars().count() <= ADDRESS_CHARS_MAX).then_some(whole)
}

/// How many bytes a scheme at the beginning of a text takes, its slashes included.
pub(super) fn scheme_length(text: &str) -> Option<usize> {
    without_scheme(text).map(|(scheme, ..)| scheme.len())
}

fn without_scheme(text: &str) -> Option<(&'static str, u16, &str)> {
    [("https://", 443), ("http://", 80)]
        .into_iter()
        .find_map(|(scheme, port)| {
            let head = text.get(..scheme.len())?;
            head.eq_ignore_ascii_case(scheme)
                .then(|| (scheme, port, &text[scheme.len()..]))
        })
}

/// Characters that no address has: white space, what cannot be seen, and what would end it or be read as something
/// else by a browser.
fn is_foreign(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '<' | '>' | '"' | '\\') || !is_plain(letter)
}

/// Host and port. A name or a password in front of the host is a way to pass for another site: such an address is none.
fn site(authority: &str, default_port: u16) -> Option<String> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(inside) => {
            let (literal, port) = inside.split_once(']')?;
            let literal: Ipv6Addr = literal.parse().ok()?;
            (format!("[{literal}]"), port)
        }
        None => {
            let end = authority.find(':').unwrap_or(authority.len());
            (named_host(&authority[..end])?, &authority[end..])
        }
    };
    let digits = match port {
        "" => "",
        port => port.strip_prefix(':')?,
    };
    if digits.is_empty() {
        return Some(host);
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let port: u16 = digits.parse().ok().filter(|port| *port > 0)?;
    Some(if port == default_port {
        host
    } else {
        format!("{host}:{port}")
    })
}

/// A name, or an IPv4 address; international names stay as they are written.
fn named_host(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host).to_lowercase();
    let is_letter =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_') || is_combining_mark(letter);
    let is_label = |label: &str| !label.is_empty() && label.chars().all(is_letter);
    host.split('.').all(is_label).then_some(host)
}

fn is_tracking(piece: &str) -> bool {
    // Some feeds escape the sign between two parameters once too often.
    let piece = piece.strip_prefix("amp;").unwrap_or(piece);
    let name = piece.split('=').next().unwrap_or_default();
    let in_family = name
        .get(..TRACKING_FAMILY.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(TRACKING_FAMILY));
    piece.is_empty() || in_family || TRACKING.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Takes text over as it is, with the digits of `%2f` in capitals.
fn push_spelled(whole: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let digits = rest.get(at + 1..at + 3);
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        whole.push_str(&rest[..=at]);
        let digits = digits.unwrap_or_default();
        whole.push_str(&digits.to_ascii_uppercase());
        rest = &rest[at + 1 + digits.len()..];
    }
    whole.push_str(rest);
}
