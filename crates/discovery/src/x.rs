//! What a bridge says of X, told by X's own addresses: an address of the bridge itself is never posted in a room.

use url::Url;

/// The address on X of something a bridge serves; none where it is only on the bridge.
pub(crate) fn own_address(address: &str, bridge: &Url) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let segments: Vec<&str> = url.path_segments()?.collect();
    if let [handle, "status", id, ..] = segments[..] {
        let is_handle = handle
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if is_handle && !id.is_empty() && id.chars().all(|digit| digit.is_ascii_digit()) {
            return Some(format!("https://x.com/{handle}/status/{id}"));
        }
    }
    (url.host_str() != bridge.host_str()).then(|| url.into())
}

#[cfg(test)]
mod tests {
    use super::own_address;
    use url::Url;

    #[test]
    fn what_a_bridge_has_of_x_is_told_by_its_address_on_x() {
        let bridge = Url::parse("http://10.0.0.5:8080/someone/rss").expect("an address");
        let own = |address| own_address(address, &bridge);
        let on_x = Some("https://x.com/someone/status/123".to_owned());
        assert_eq!(own("http://10.0.0.5:8080/someone/status/123#m"), on_x);
        assert_eq!(own("https://twitter.com/someone/status/123"), on_x);
        assert_eq!(own("http://10.0.0.5:8080/someone/about"), None);
        assert_eq!(own("http://10.0.0.5:8080/some%20one/status/x"), None);
        assert_eq!(
            own("https://example.org/a").as_deref(),
            Some("https://example.org/a")
        );
    }
}
