//! Stems of words that exercise each rule, as the reference implementation of the rules gives them.

use super::stem;

#[test]
fn forms_of_a_word_share_a_stem() {
    for (forms, expected) in [
        ("paint paints painted painting", "paint"),
        ("camp camps camping camped", "camp"),
        ("adopt adopted adopting adoption", "adopt"),
        ("relate related relating", "relat"),
        ("hop hops hopping hopped", "hop"),
        ("hope hoped hoping", "hope"),
        ("happy happiness", "happi"),
        ("organization organizations", "organiz"),
        ("biology biologist", "biolog"),
    ] {
        for form in forms.split(' ') {
            assert_eq!(stem(form), expected, "{form}");
        }
    }
}

#[test]
fn each_rule_does_what_the_reference_does() {
    let table = "sky sky|skies sky|news news|early earli|ties tie|cries cri|gas gas|gaps gap|kiwis kiwi|this this\
        |abyss abyss|bus bus|caresses caress|agreed agre|feed feed|proceed proceed|exceeded exceed|lying lie|dying die|evening evening\
        |outing outing|inning inning|luxuriating luxuri|enabled enabl|sized size|adding add|egged egg|filing file|fixing fix|snowed snow\
        |playing play|cry cri|by by|say say|enjoy enjoy|rational ration|national nation|conditional condit|digitizer digit|feudalism feudal\
        |callously callous|sensibility sensibl|analogy analog|quickly quick|badly bad|usefulness use|hopeful hope|goodness good\
        |formative format|replacement replac|adjustment adjust|dependent depend|revival reviv|communism communism|adoption adopt|past past\
        |paste paste|general general|generous generous|universe univers|cease ceas|rate rate|controll control|roll roll|yes yes|youth youth\
        |university universiti|interest interest|internal internal|90s 90s|2023 2023|a a|is is";
    for pair in table.split('|') {
        let (word, expected) = pair.trim().split_once(' ').expect("word and stem");
        assert_eq!(stem(word), expected, "{word}");
    }
}

#[test]
fn other_scripts_and_odd_words_stay_as_they_are() {
    for word in [
        "привет",
        "猫が",
        "straße",
        "",
        "y",
        "yy",
        "x1",
        "eed",
        "ing",
        "edly",
        "ies",
        "sss",
    ] {
        assert!(stem(word).len() <= word.len() + 1, "{word}");
    }
    assert_eq!(stem("привет"), "привет");
}
