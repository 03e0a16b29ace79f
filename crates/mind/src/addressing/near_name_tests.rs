use vocabulary::PersonId;

use super::{NameCue, written_for_name};
use crate::addressing::Identity;

fn cue(name: &str, text: &str) -> NameCue {
    NameCue::of(text, &Identity::new(PersonId::from("denizen"), name, &[]))
}

#[test]
fn ears_that_spell_a_name_wrongly_leave_a_cue() {
    let table = [
        ("Clank", "hey klank what time is it"),
        ("Clank", "clang can you help"),
        ("Clank", "so clunk said that"),
        ("Clank", "Кланк, который час?"),
        ("Denizen", "denison are you there"),
        ("Denizen", "dennis in what do you think"),
        ("Denizen", "hey tenizen"),
        ("Robin Goodfellow", "robin good fellow come here"),
        ("Кланк", "clank, wie spät ist es"),
        ("Marvin", "marwin, spiel was"),
        ("Zéphyr", "zefir tu es là"),
    ];
    for (name, text) in table {
        assert!(cue(name, text).near, "{name}: {text}");
    }
}

#[test]
fn words_that_only_rhyme_are_not_the_name() {
    let table = [
        ("Clank", "send me the link please"),
        ("Clank", "that was a prank"),
        ("Clank", "my socks are stinky"),
        ("Clank", "the cleaner comes on Monday"),
        ("Clank", "a blank page on the plank"),
        ("Clank", "danke, das war lang"),
        ("Clank", "thank you"),
        ("Denizen", "every citizen votes"),
        ("Denizen", "dennis plays tennis"),
        ("Denizen", "wir wissen das schon"),
        ("Marvin", "it is mar with an e"),
        ("Marvin", "the marble is mine"),
        ("Ada", "add a row"),
        ("Zéphyr", "c'est super"),
    ];
    for (name, text) in table {
        assert!(!cue(name, text).near, "{name}: {text}");
    }
}

#[test]
fn a_bare_name_is_one_however_it_is_called_out() {
    for text in ["Denizen", "hey, Denizen!", "Denizen? Denizen!", "ok denizen"] {
        assert!(cue("Denizen", text).bare, "{text}");
    }
    for text in ["Denizen, stop", "hey", "the denizen", ""] {
        assert!(!cue("Denizen", text).bare, "{text}");
    }
}

#[test]
fn what_ears_write_for_the_name_is_one_word_that_sounds_like_it() {
    let written = |heard: &str| written_for_name("Denizen, please tell me a story.", heard, "Denizen");
    assert_eq!(written("Denison, please tell me a story."), ["denison"]);
    assert_eq!(written("Denizan please tell me a story"), ["denizan"]);
    for other in [
        "Denizen, please tell me a story.",
        "Then isn't, please tell me a story.",
        "Dennis, in please tell me a story.",
        "Benjamin, please tell me a story.",
        "",
    ] {
        assert_eq!(written(other), Vec::<String>::new(), "{other}");
    }
}

#[test]
fn what_a_short_name_is_taken_for_is_never_learnt() {
    for heard in ["link", "prank", "stinky", "cleaner", "clink", "blank", "clunk"] {
        let written = written_for_name(
            "Clank, what time is it?",
            &format!("{heard}, what time is it?"),
            "Clank",
        );
        assert_eq!(written, Vec::<String>::new(), "{heard}");
    }
}
