use super::*;

fn told(lines: &[(&str, &str)]) -> WordTrail {
    let mut trail = WordTrail::default();
    for (author, text) in lines {
        trail.observe(&PersonId::from(*author), &PersonId::from("0"), &Words::of(text));
    }
    trail
}

fn picked_up(trail: &WordTrail, author: &str, text: &str) -> Option<String> {
    trail
        .picked_up_from(&PersonId::from(author), &Words::of(text))
        .map(|person| person.as_str().to_owned())
}

#[test]
fn a_rare_word_leads_back_to_whoever_used_it_last() {
    let trail = told(&[
        ("ann", "try firestarter"),
        ("bob", "firestarter is old"),
        ("cid", "hm"),
    ]);
    assert_eq!(
        picked_up(&trail, "dan", "Firestarter? a firewall?"),
        Some("bob".to_owned())
    );
}

#[test]
fn an_own_word_leads_to_nobody() {
    let trail = told(&[("ann", "try firestarter")]);
    assert_eq!(picked_up(&trail, "ann", "firestarter, I mean"), None);
}

#[test]
fn a_short_word_leads_to_nobody() {
    let trail = told(&[("ann", "use vlc")]);
    assert_eq!(picked_up(&trail, "bob", "vlc it is"), None);
}

#[test]
fn a_word_everybody_uses_leads_to_nobody() {
    let mut lines = vec![("ann", "ubuntu"); usize::from(RARE_COUNT_MAX)];
    assert_eq!(
        picked_up(&told(&lines), "bob", "ubuntu indeed"),
        Some("ann".to_owned())
    );
    lines.push(("ann", "ubuntu"));
    assert_eq!(picked_up(&told(&lines), "bob", "ubuntu indeed"), None);
}

#[test]
fn a_common_word_becomes_rare_again_when_nobody_uses_it() {
    let mut trail = told(&[("ann", "ubuntu"); 8]);
    let quiet_lines = 2 * COUNTERS / COUNTERS_HALVED_PER_LINE;
    for _ in 0..quiet_lines {
        trail.observe(&PersonId::from("bob"), &PersonId::from("0"), &Words::of("ok"));
    }
    trail.observe(&PersonId::from("ann"), &PersonId::from("0"), &Words::of("ubuntu"));
    assert_eq!(picked_up(&trail, "cid", "ubuntu"), Some("ann".to_owned()));
}

#[test]
fn a_word_of_long_ago_leads_to_nobody() {
    let mut trail = told(&[("ann", "try firestarter")]);
    for _ in 0..LINES_KEPT {
        trail.observe(&PersonId::from("bob"), &PersonId::from("0"), &Words::of("ok"));
    }
    assert_eq!(picked_up(&trail, "cid", "firestarter"), None);
    assert_eq!(trail.lines.len(), LINES_KEPT);
}

#[test]
fn a_snapshot_brings_the_counters_back() {
    let trail = told(&[("ann", "firestarter ubuntu ubuntu"), ("bob", "ubuntu")]);
    let snapshot = serde_json::to_string(&trail).expect("a trail is plain data");
    let back: WordTrail = serde_json::from_str(&snapshot).expect("it was just written");
    assert_eq!(back, trail);
}

#[test]
fn a_damaged_snapshot_is_refused() {
    let damaged = r#"{"counts":"0z","next_halved":0,"lines":[]}"#;
    let refusal = serde_json::from_str::<WordTrail>(damaged).expect_err("z is no digit");
    assert!(refusal.to_string().contains("hexadecimal"), "{refusal}");
}
