use super::{MOST_REDIRECTS, check_literal, next, parse};
use crate::{FetchFault, FetchPolicy};
use reqwest::header::{HeaderMap, HeaderValue, LOCATION};
use url::Url;

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

fn redirect(from: &str, location: &str) -> Result<Url, FetchFault> {
    let mut headers = HeaderMap::new();
    headers.insert(
        LOCATION,
        HeaderValue::from_bytes(location.as_bytes()).expect("a value"),
    );
    next(&url(from), &headers, &[url(from)])
}

#[test]
fn only_addresses_of_the_web_without_secrets_are_fetched() {
    for (address, why) in [
        ("file:///etc/passwd", "only http and https"),
        ("gopher://x/", "only http and https"),
        ("data:text/html,x", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("https://name:word@example.org/", "name or password"),
        ("https://name@example.org/", "name or password"),
        ("example.org/page", "no address of the web"),
        ("https://", "no address of the web"),
        ("", "no address of the web"),
    ] {
        let fault = parse(address).expect_err(address);
        assert!(
            matches!(&fault, FetchFault::Refused(words) if words.contains(why)),
            "{fault}"
        );
        assert!(!fault.to_string().contains("word@"), "{fault}");
    }
    assert!(parse(&format!("https://example.org/{}", "x".repeat(5000))).is_err());
    assert_eq!(
        parse(" https://Example.ORG/a#b ").expect("fine").as_str(),
        "https://example.org/a"
    );
}

#[test]
fn a_redirect_may_be_absolute_or_relative_and_loses_its_fragment() {
    for (location, to) in [
        ("https://b.example/x#y", "https://b.example/x"),
        ("//b.example/x", "https://b.example/x"),
        ("/x?y=1", "https://a.example/x?y=1"),
        ("x", "https://a.example/d/x"),
        ("../é", "https://a.example/%C3%A9"),
    ] {
        assert_eq!(
            redirect("https://a.example/d/e", location)
                .expect("fine")
                .as_str(),
            to
        );
    }
}

#[test]
fn a_redirect_does_not_lead_off_the_web_nor_out_of_encryption() {
    for (from, location, why) in [
        ("https://a.example/", "http://a.example/x", "from https to http"),
        ("http://a.example/", "file:///etc/passwd", "only http and https"),
        ("http://a.example/", "http://u:p@a.example/", "name or password"),
        ("http://a.example/x", "http://a.example/x#again", "in a circle"),
        ("http://a.example/", "http://[::1/", "no address"),
    ] {
        let fault = redirect(from, location).expect_err(location).to_string();
        assert!(fault.contains(why), "{fault}");
        assert!(!fault.contains('\n'), "{fault}");
    }
    assert_eq!(
        redirect("http://a.example/", "https://a.example/")
            .expect("to https is fine")
            .as_str(),
        "https://a.example/"
    );
}

#[test]
fn redirects_end_somewhere() {
    let mut headers = HeaderMap::new();
    headers.insert(LOCATION, HeaderValue::from_static("/further"));
    let seen: Vec<Url> = (0..=MOST_REDIRECTS)
        .map(|at| url(&format!("http://a.example/{at}")))
        .collect();
    assert!(next(&seen[0], &headers, &seen[..MOST_REDIRECTS]).is_ok());
    let fault = next(&seen[0], &headers, &seen).expect_err("too many").to_string();
    assert_eq!(
        fault,
        "http://a.example/0 could not be fetched: it redirects more than 5 times"
    );
    assert!(next(&seen[0], &HeaderMap::new(), &[]).is_err());
}

#[test]
fn an_address_in_numbers_is_checked_and_named() {
    let fault = check_literal(&url("http://0x7f.1:8080/status?key=abc"), &FetchPolicy::default())
        .expect_err("private");
    assert_eq!(
        fault.to_string(),
        "http://127.0.0.1:8080/status was refused: 127.0.0.1 is this machine's own address; \
         add 127.0.0.1 to tools.allowedPrivateHosts if it may be reached"
    );
    assert!(check_literal(&url("http://[fd00::1]/"), &FetchPolicy::default()).is_err());
    assert!(check_literal(&url("http://1.1.1.1/"), &FetchPolicy::default()).is_ok());
}
