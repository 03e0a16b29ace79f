use super::FetchPolicy;
use url::Url;

fn exempts(entries: &[&str], url: &str) -> bool {
    let policy = FetchPolicy {
        allowed_private_hosts: entries.iter().map(|entry| (*entry).to_owned()).collect(),
    };
    policy.exempts_url(&Url::parse(url).expect("an address"))
}

#[test]
fn a_host_is_exempt_on_every_port_and_a_host_with_a_port_on_that_one() {
    assert!(exempts(&["wiki.lan"], "http://wiki.lan:8080/page"));
    assert!(exempts(&["Wiki.LAN"], "https://wiki.lan./"));
    assert!(exempts(&["wiki.lan:8080"], "http://wiki.lan:8080/"));
    assert!(!exempts(&["wiki.lan:8080"], "http://wiki.lan/"));
    assert!(exempts(&["wiki.lan:443"], "https://wiki.lan/"));
    assert!(exempts(&[" 127.0.0.1:8080 "], "http://127.0.0.1:8080/"));
    assert!(exempts(&["127.0.0.1"], "http://0x7f.1:9/"));
}

#[test]
fn addresses_of_version_six_are_exempt_with_and_without_brackets() {
    assert!(exempts(&["::1"], "http://[::1]:3000/"));
    assert!(exempts(&["[::1]"], "http://[::1]:3000/"));
    assert!(exempts(&["[0:0:0:0:0:0:0:1]:3000"], "http://[::1]:3000/"));
    assert!(!exempts(&["[::1]:3000"], "http://[::1]:3001/"));
}

#[test]
fn nothing_else_is_exempt() {
    assert!(!exempts(&[], "http://wiki.lan/"));
    assert!(!exempts(&["wiki.lan"], "http://evil-wiki.lan/"));
    assert!(!exempts(&["wiki.lan"], "http://wiki.lan.evil.example/"));
    assert!(!exempts(&["wiki.lan:port"], "http://wiki.lan/"));
    assert!(!exempts(&["", ":80"], "http://wiki.lan/"));
}
