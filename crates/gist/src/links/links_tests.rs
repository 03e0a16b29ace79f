//! Addresses and links as they come from people, feeds and models.

use proptest::prelude::*;

use super::{canonical, keep_links, links_of};

fn check(address: &str, wanted: Option<&str>) {
    assert_eq!(canonical(address).as_deref(), wanted, "{address}");
}

#[test]
fn an_address_has_one_canonical_form() {
    for (address, wanted) in [
        ("https://Example.COM", "https://example.com/"),
        ("HTTPS://example.com/A/b", "https://example.com/A/b"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://example.com:80", "http://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com:08443/", "https://example.com:8443/"),
        ("https://example.com:/x", "https://example.com/x"),
        ("https://example.com./x", "https://example.com/x"),
        ("https://example.com/x#part", "https://example.com/x"),
        ("https://example.com#a/b?c", "https://example.com/"),
        ("https://example.com?q=1", "https://example.com/?q=1"),
        ("https://example.com/x?", "https://example.com/x"),
        ("https://example.com/x?#y", "https://example.com/x"),
        (
            "https://example.com/%7euser/%c3%a4",
            "https://example.com/%7Euser/%C3%A4",
        ),
        ("https://example.com/100%/%zz", "https://example.com/100%/%zz"),
        ("https://[2001:DB8:0:0::1]:443/", "https://[2001:db8::1]/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://127.0.0.1:8787/feed", "http://127.0.0.1:8787/feed"),
        ("https://München.example/straße", "https://münchen.example/straße"),
        ("  https://example.com/x\n", "https://example.com/x"),
    ] {
        check(address, Some(wanted));
    }
}

#[test]
fn tracking_parameters_go_wherever_they_stand() {
    for (query, wanted) in [
        ("utm_source=a&id=7&utm_medium=b", "?id=7"),
        ("UTM_Campaign=x", ""),
        (
            "id=7&fbclid=1&gclid=2&igshid=3&mc_cid=4&mc_eid=5&si=6&spm=7",
            "?id=7",
        ),
        ("v=abc&si=xyz&t=10", "?v=abc&t=10"),
        ("a=1&amp;utm_source=rss", "?a=1"),
        ("size=2&sid=3&utmost=4", "?size=2&sid=3&utmost=4"),
        ("&&a=1&", "?a=1"),
        ("q=utm_source=x", "?q=utm_source=x"),
    ] {
        let wanted = format!("https://example.com/p{wanted}");
        check(&format!("https://example.com/p?{query}"), Some(&wanted));
    }
}

#[test]
fn what_is_no_page_has_no_canonical_form() {
    let long = format!("https://example.com/{}", "a".repeat(2_000));
    for address in [
        "",
        "example.com",
        "ftp://example.com/",
        "javascript:alert(1)",
        "https://",
        "https:///path",
        "https://user@example.com/",
        "https://user:word@example.com/",
        "https://good.example\\@evil.example/",
        "https://exa mple.com/",
        "https://example.com/a b",
        "https://example.com/a\u{7}",
        "https://example.com/\u{202e}gpj",
        "https://example..com/",
        "https://.example.com/",
        "https://%65xample.com/",
        "https://example.com:99999/",
        "https://example.com:+80/",
        "https://example.com:0/",
        "https://[::1",
        "https://[fe80::1%25eth0]/",
        "https://[zz]/",
        &long,
    ] {
        check(address, None);
    }
}

#[test]
fn the_links_of_a_text_are_found_as_a_reader_would_click_them() {
    for (text, wanted) in [
        ("see https://a.example/x.", vec!["https://a.example/x"]),
        ("(https://a.example/x)", vec!["https://a.example/x"]),
        (
            "[words](https://a.example/x_(y)), more",
            vec!["https://a.example/x_(y)"],
        ),
        (
            "[words](https://a.example/x \"title\")",
            vec!["https://a.example/x"],
        ),
        ("[words](<https://a.example/x>)", vec!["https://a.example/x"]),
        (
            "[https://a.example](https://b.example)",
            vec!["https://a.example/", "https://b.example/"],
        ),
        ("<https://a.example/x>", vec!["https://a.example/x"]),
        ("**https://a.example/x**!", vec!["https://a.example/x"]),
        ("||https://a.example/x||", vec!["https://a.example/x"]),
        ("`curl https://a.example/x`", vec!["https://a.example/x"]),
        ("```\nhttps://a.example/x\n```", vec!["https://a.example/x"]),
        (
            "https://a.example/x?a[]=1&b={c}",
            vec!["https://a.example/x?a[]=1&b={c}"],
        ),
        (
            "https://web.example/save/https://a.example/",
            vec!["https://web.example/save/https://a.example/"],
        ),
        (
            "https://a.example/ and HTTPS://A.example/#top",
            vec!["https://a.example/"],
        ),
        ("看https://a.example/x。よい", vec!["https://a.example/x"]),
        (
            "https://a.example/x, https://b.example/y; done",
            vec!["https://a.example/x", "https://b.example/y"],
        ),
        ("use https:// rather than http://", vec![]),
        ("https://user:word@a.example/", vec![]),
        ("mailto:a@b.example www.example.com", vec![]),
    ] {
        assert_eq!(links_of(text), wanted, "{text}");
    }
}

#[test]
fn surplus_links_go_without_leaving_holes() {
    for (text, limit, wanted) in [
        ("see https://a.example/x for more", 0, "see for more"),
        ("see https://a.example/x.", 0, "see."),
        ("Read this (https://a.example/x) today", 0, "Read this today"),
        (
            "Read [the story](https://a.example/x) today",
            0,
            "Read the story today",
        ),
        (
            "Read [the story](https://a.example/x \"a title\").",
            0,
            "Read the story.",
        ),
        ("Read [the story](<https://a.example/x>).", 0, "Read the story."),
        ("look: ![a cat](https://a.example/cat.png)", 0, "look: a cat"),
        ("one\nhttps://a.example/x\ntwo", 0, "one\ntwo"),
        (
            "A list:\n- https://a.example/x\n- https://b.example/y",
            1,
            "A list:\n- https://a.example/x",
        ),
        ("Source: https://a.example/x", 0, "Source"),
        ("<https://a.example/x> is good", 0, "is good"),
        ("`https://a.example/x`", 0, ""),
        (
            "https://a.example/ https://b.example/ https://a.example/",
            1,
            "https://a.example/ https://a.example/",
        ),
        (
            "[https://a.example](https://a.example) ok",
            1,
            "[https://a.example](https://a.example) ok",
        ),
        (
            "[https://a.example](https://b.example) ok",
            1,
            "https://a.example ok",
        ),
        ("[[1] note](https://a.example/x) ok", 0, "[1] note ok"),
        ("nothing to do", 0, "nothing to do"),
        (
            "two  spaces stay where no link was",
            0,
            "two  spaces stay where no link was",
        ),
        ("log in at https://me:word@a.example/ now", 5, "log in at now"),
        ("htt<https://a.example/>ps://b.example/", 0, "htt ps://b.example/"),
    ] {
        assert_eq!(keep_links(text, limit), wanted, "{text}");
    }
}

/// Words, marks and addresses in any order: what breaks readers of links.
fn messy_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "https://",
        "http://",
        "HTTPS://",
        "a.example",
        "b.example",
        "/x",
        "?utm_id=1",
        "&a=1",
        "#y",
        "%2f",
        "[",
        "]",
        "(",
        ")",
        "](",
        "<",
        ">",
        "!",
        "**",
        "`",
        "||",
        " ",
        "\n",
        ".",
        ",",
        "\"",
        "@",
        ":80",
        "word",
        "ü",
        "。",
        "[::1]",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_canonical_address_is_its_own_canonical_form(address in messy_text()) {
        if let Some(once) = canonical(&address) {
            prop_assert_eq!(canonical(&once), Some(once.clone()));
        }
    }

    #[test]
    fn any_text_at_all_has_a_canonical_form_that_stays_or_none(address in "(https?://)?\\PC{0,60}") {
        if let Some(once) = canonical(&address) {
            prop_assert_eq!(canonical(&once), Some(once.clone()));
            prop_assert!(once.starts_with("http"));
        }
    }

    #[test]
    fn no_more_links_are_left_than_were_to_be_kept(text in messy_text(), limit in 0_usize..4) {
        let kept = keep_links(&text, limit);
        let before = links_of(&text);
        let left = links_of(&kept);
        prop_assert!(left.len() <= limit, "{kept}");
        prop_assert_eq!(keep_links(&kept, limit), kept.clone());
        // The first ones are those that stay.
        for link in before.iter().take(limit) {
            prop_assert!(left.contains(link) , "{kept}");
        }
    }

    #[test]
    fn a_text_within_its_limit_stays_as_it_is(words in "[a-z .,!]{0,40}") {
        let text = format!("{words} https://a.example/x");
        prop_assert_eq!(keep_links(&text, 1), text.clone());
    }
}
