use proptest::prelude::*;

use super::third_person;

#[test]
fn a_speaker_is_named_and_verbs_follow() {
    for (text, expected) in [
        ("I have my keys", "Alice has Alice's keys"),
        (
            "I'm late because I work nights",
            "Alice is late because Alice works nights",
        ),
        ("when I went home, I slept", "when Alice went home, Alice slept"),
        ("I don't know", "Alice does not know"),
        ("I need you", "Alice needs you"),
        ("I really like tea", "Alice really likes tea"),
        ("tell me (my cat is mine)", "tell Alice (Alice's cat is Alice's)"),
        (
            "I'll try, I can fly, I fly",
            "Alice will try, Alice can fly, Alice flies",
        ),
        (
            "I watch films and I’ve seen all",
            "Alice watches films and Alice has seen all",
        ),
        ("we sold our car", "Alice and the others sold their car"),
        ("she is ill, an id card", "she is ill, an id card"),
    ] {
        assert_eq!(third_person(text, "Alice"), expected);
    }
}

proptest! {
    #[test]
    fn any_text_can_be_told(text in any::<String>(), name in any::<String>()) {
        third_person(&text, &name);
    }
}
