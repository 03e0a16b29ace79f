use super::*;

#[test]
fn case_marks_width_and_what_nobody_sees_make_no_other_name() {
    let ways = [
        "denizen",
        "DENIZEN",
        "Dénizen",
        "De\u{301}nizen",
        "Ｄenizen",
        "𝗗𝗲𝗻𝗶𝘇𝗲𝗻",
        "ⓓⓔⓝⓘⓩⓔⓝ",
        "Denizen\u{fe0f}",
        "Den\u{200b}izen",
        "\u{202e}Denizen",
        "Den\u{200d}izen",
    ];
    for way in ways {
        assert_eq!(folded(way), "denizen", "{way:?}");
        assert!(is_same(way, "Denizen"), "{way:?}");
    }
    assert!(is_same("Straße  9", "STRASSE 9"));
    assert!(!is_same("Dennis", "Denis"));
    assert_eq!(folded("ΝΊΚΟΣ"), folded("νίκος"));
}

#[test]
fn letters_of_other_alphabets_digits_and_gaps_pass_for_the_name() {
    let ways = [
        "Dеnizen",
        "Dеnіzеn",
        "Den1zen",
        "D3nizen",
        "D e n i z e n",
        "Denizen.",
        "_Denizen_",
        "DΕΝΙΖΕΝ",
        "ᴅᴇɴɪᴢᴇɴ",
        "🇩🇪🇳🇮🇿🇪🇳",
        "Deпizen",
    ];
    for way in ways {
        assert!(looks_like(way, "Denizen"), "{way}");
    }
    assert!(looks_like("Rnargo", "margo"));
    assert!(passes_for("Denlzen", "Denizen", Care::Administrator));
}

#[test]
fn other_names_do_not_pass_for_it() {
    for other in [
        "Dennis",
        "Denise",
        "Citizen",
        "Deniz",
        "Denizens",
        "Дима",
        "田中",
        "👩‍🚀 Ana",
    ] {
        assert!(!looks_like(other, "Denizen"), "{other}");
    }
    assert!(!looks_like("🤖", "👾"));
    assert!(looks_like("🤖\u{fe0f}", "🤖"));
}

#[test]
fn vowel_signs_make_another_name_and_accents_do_not() {
    let different = ["राम", "रमा", "रीमा", "ดี", "ดู", "かな", "がな"];
    for (at, one) in different.iter().enumerate() {
        for other in &different[at + 1..] {
            assert!(!is_same(one, other) && !looks_like(one, other), "{one} {other}");
        }
    }
    assert!(is_same("أحمد", "احمد") && is_same("Zoë", "Zoe"));
    assert!(
        is_same("Al\u{e34}ice", "Alice"),
        "a vowel of another script is no letter here"
    );
}

#[test]
fn joiners_stand_in_emoji_and_in_scripts_that_need_them_and_nowhere_else() {
    for good in [
        "Alice",
        "👩‍🚀 Ana",
        "❤️ Ana",
        "🏳️‍🌈",
        "👩🏽‍🚀",
        "1️⃣ Ana",
        "ශ්‍රී",
        "نیم‌فاصله",
        "Émile",
        "田中",
    ] {
        assert_eq!(stray(good), None, "{good}");
    }
    let bad = [
        ("a\u{200b}b", '\u{200b}'),
        ("\u{202e}bob", '\u{202e}'),
        ("Alice\u{fe0f}", '\u{fe0f}'),
        ("Al\u{200d}ice", '\u{200d}'),
        ("👩\u{200d}Ana", '\u{200d}'),
        ("👩\u{200d}", '\u{200d}'),
        ("1\u{fe0f}", '\u{fe0f}'),
        ("🏴\u{e0067}", '\u{e0067}'),
        ("a\u{7}b", '\u{7}'),
    ];
    for (name, letter) in bad {
        assert_eq!(stray(name), Some(letter), "{name:?}");
    }
}

#[test]
fn a_name_ends_where_no_longer_word_goes_on() {
    for rest in [
        "", " hi", ", hi", ": hi", ".", "...", "-- hi", "'s", "? hi", "_", "_, hi", ")",
    ] {
        assert!(ends_before(rest), "{rest:?}");
    }
    for rest in ["s", "2", "_bot", "-bot", ".rs", "@work.example", "()", "=1"] {
        assert!(!ends_before(rest), "{rest:?}");
    }
}
