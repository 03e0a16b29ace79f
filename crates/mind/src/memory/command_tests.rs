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
