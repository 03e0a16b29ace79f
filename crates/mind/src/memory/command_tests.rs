use super::read_wish;
use super::{Command, read};

#[test]
fn commands_are_the_whole_message() {
    for (text, expected) in [
        ("/new", Some(Command::New)),
        (" /RESET ", Some(Command::Reset)),
        ("/forget  me.", Some(Command::ForgetMe)),
        ("/forget me yes", Some(Command::ForgetMeYes)),
        ("/Help", Some(Command::Help)),
        ("/Forget that", Some(Command::ForgetThat)),
        ("/forget", None),
        ("/newer", None),
        ("forget me", None),
        ("please /new", None),
        ("/new plan: tea", None),
    ] {
        assert_eq!(read(text), expected, "{text:?}");
    }
}

#[test]
fn the_wish_not_to_be_listened_to_is_read_from_words_that_say_nothing_else() {
    let off = Some(Command::Listen(false));
    let on = Some(Command::Listen(true));
    let table = [
        ("Denizen, don't listen to me", false, off.clone()),
        (
            "denizen please stop listening to me any more.",
            false,
            off.clone(),
        ),
        ("Denizen, hör mir bitte nicht mehr zu!", false, off.clone()),
        ("Denizen, ne m'écoute plus", false, off.clone()),
        ("don’t listen to me", true, off.clone()),
        ("Denizen, you can listen to me again", false, on),
        // Said to somebody else, or not meant.
        ("don't listen to me", false, None),
        (
            "Denizen, don't listen to me, I have no idea what I am saying",
            false,
            None,
        ),
        ("Denizen, why don't you listen to me?", false, None),
        ("Denizen", false, None),
    ];
    for (text, is_alone, wished) in table {
        assert_eq!(
            read_wish(text, ["Denizen"].into_iter(), is_alone),
            wished,
            "{text}"
        );
    }
}
