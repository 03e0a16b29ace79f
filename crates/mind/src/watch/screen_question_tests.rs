//! Ways to ask about the screen, and all that only sounds like it.

use super::{LISTS, asks_about_screen};

fn check(texts: &[&str], directly_addressed: bool, expected: bool) {
    let wrong: Vec<&&str> = texts
        .iter()
        .filter(|text| asks_about_screen(text, directly_addressed) != expected)
        .collect();
    assert!(
        wrong.is_empty(),
        "expected {expected}, addressed {directly_addressed}: {wrong:#?}"
    );
}

/// Whoever is asked.
const ASKED: &[&str] = &[
    "what's on my screen?",
    "What’s on the screen",
    "whats on screen",
    "what is on the stream",
    "what is on the share?",
    "what's on Alice's screen right now",
    "hey Denizen, what's on my screen",
    "ok so what exactly is on the screen?",
    "what was that on the screen",
    "what is this on my screen",
    "what's wrong on my screen",
    "what's happening on screen",
    "What is happening on the stream?",
    "what's going on on my screen",
    "what does it say on the screen",
    "what does my screen say",
    "What do you see?",
    "what do you see, Denizen?",
    "Denizen, what do u see",
    "what do you see right now?",
    "what do you see here",
    "what do you see on my screen",
    "what do you see in the picture",
    "what can you see",
    "what can you see on there",
    "what are you seeing",
    "tell me what you see",
    "describe what you can see on the screen",
    "can you see my screen?",
    "can u see my screen",
    "Can't you see the screen?",
    "could you see the stream",
    "can you guys see my screen",
    "can everyone see my screen?",
    "can anybody see my shared screen",
    "do you see my screen",
    "are you seeing my screen",
    "can you read the error on my screen",
    "did you see what happened on the screen",
    "is my screen visible?",
    "look at my screen",
    "LOOK AT MY SCREEN!!!",
    "please look at the screen",
    "Denizen look at my game",
    "look at this code",
    "look at the map",
    "guys, look at this boss",
    "can you look at my code",
    "could you please take a look at this error?",
    "have a quick look at my terminal",
    "now look at that graph",
    "check my screen",
    "read my screen please",
    "what do you think of my screen",
    "how does my screen look",
    "is that a bug on my screen?",
    "see anything on my screen?",
    "what's that on the left of my screen",
    "look at the top left of my screen",
    "which game is on the screen",
    "how many enemies are on the screen",
    "what just happened on screen",
    "you can see my screen, right?",
    "I want you to look at my screen",
    "siehst du das auf dem Bildschirm",
    "Was ist auf meinem Bildschirm?",
    "was läuft gerade auf dem Bildschirm",
    "Was passiert im Stream?",
    "was siehst du?",
    "was siehst du gerade",
    "Was siehst du auf meinem Bildschirm",
    "siehst du meinen Bildschirm",
    "kannst du meinen Bildschirm sehen?",
    "Könnt ihr meinen Screen sehen",
    "schau mal auf meinen Bildschirm",
    "schau dir mal das Spiel an",
    "Beschreib mal, was du siehst. Was siehst du?",
    "Qu'est-ce qu'il y a sur mon écran ?",
    "qu’est-ce qui se passe sur l’écran",
    "qu'est-ce que tu vois ?",
    "Que vois-tu ?",
    "tu vois quoi ?",
    "tu vois mon écran ?",
    "peux-tu voir mon écran",
    "regarde mon écran",
    "regarde l'écran",
    "¿Qué hay en mi pantalla?",
    "que ves",
    "¿qué ves ahí?",
    "¿puedes ver mi pantalla?",
    "ves mi pantalla?",
    "mira mi pantalla",
];

/// Only where Denizen is asked.
const ASKED_OF_DENIZEN: &[&str] = &[
    "do you see this?",
    "Denizen, do you see it",
    "do you see the enemy",
    "do you see what I'm doing",
    "can you see that",
    "can you see the boss?",
    "can you see where i'm going",
    "can you tell what this is",
    "can you tell what I'm playing?",
    "what am I looking at",
    "What am I looking at here?",
    "what are we looking at?",
    "what am i playing",
    "what's going on here?",
    "look at this!",
    "what are you looking at",
    "what is on this slide",
    "can you tell me what this says",
    "do you see anything wrong with this",
    "Denizen look at that",
    "look at my health bar",
    "can you look at my health bar",
    "siehst du das?",
    "siehst du den Fehler",
    "was sehe ich hier?",
    "kannst du erkennen, was das ist, kannst du sehen was das ist",
    "tu vois ça ?",
    "qu'est-ce que je regarde",
    "¿qué estoy viendo?",
];

/// Nothing of the screen.
const NOT_ASKED: &[&str] = &[
    "",
    "hi",
    "what do you see in him",
    "What do you see in that guy?",
    "what do you see as the main problem",
    "what do you see yourself doing in five years",
    "what can you see yourself eating",
    "look at the time",
    "did you look at the docs I sent",
    "did you look at my screenshots folder",
    "did you look at the code",
    "look at the docs",
    "look at the code I pushed",
    "I looked at the screen for hours",
    "I look at my screen all day",
    "we look at the code tomorrow",
    "screen time",
    "how much screen time is ok",
    "what is my screen time",
    "what's on screen time limits",
    "what is the best screen protector",
    "I need a new monitor",
    "my screen is broken",
    "what's on tonight",
    "what's on stream tonight?",
    "what's happening on Friday",
    "what's happening",
    "what is on your mind",
    "what is new in display technology",
    "look at my messages",
    "can you look at my PR",
    "let me look at the code",
    "I'd look at the code first",
    "we should look at the map together",
    "I can't see your screen",
    "he can't see my screen",
    "the screen shows an error",
    "what's on display at the museum",
    "what's the resolution of my screen",
    "can you tell me what the capital of France is",
    "can you tell what time it is",
    "what can you see from the moon",
    "look at the picture I posted",
    "watch the stream with me",
    "have you seen my keys",
    "what is on my home screen",
    "what is on the menu",
    "what's on Netflix",
    "what's the stream schedule",
    "did you watch the stream yesterday",
    "see you on stream tomorrow",
    "you see, that's the point",
    "do you see what I mean",
    "do you see my point?",
    "do you see what I'm saying",
    "do you see the difference",
    "can you see why I'm annoyed",
    "do you see yourself as a robot",
    "can you tell what he meant",
    "look at you go",
    "looks good to me",
    "I can see my house from here",
    "can Bob see my screen",
    "share your thoughts",
    "what is your share of the rent",
    "it was great on the big screen",
    "streams are cool",
    "was ist los",
    "was siehst du in ihm",
    "siehst du, das meine ich",
    "schau auf die Uhr",
    "tu vois ce que je veux dire",
    "que ves en él",
    "mira la hora",
    "qu'est-ce que tu fais demain",
    "a\u{0}\u{301}?????  ,,, 😀",
];

#[test]
fn a_question_about_the_screen_is_one_whoever_is_asked() {
    check(ASKED, false, true);
    check(ASKED, true, true);
}

#[test]
fn some_questions_are_about_the_screen_only_when_denizen_is_asked() {
    check(ASKED_OF_DENIZEN, true, true);
    check(ASKED_OF_DENIZEN, false, false);
}

#[test]
fn what_only_sounds_like_it_is_none() {
    check(NOT_ASKED, false, false);
    check(NOT_ASKED, true, false);
}

#[test]
fn a_question_is_found_amid_other_words_and_not_behind_a_wall_of_text() {
    assert!(asks_about_screen(
        "ok one more try. I think I have it now... what's on my screen? be honest",
        false
    ));
    let wall = "lorem ipsum ".repeat(1_000);
    assert!(!asks_about_screen(&format!("{wall} what's on my screen?"), true));
}

#[test]
fn every_list_that_a_pattern_names_is_there() {
    for patterns in [
        include_str!("screen_question/english.txt"),
        include_str!("screen_question/german.txt"),
        include_str!("screen_question/french.txt"),
        include_str!("screen_question/spanish.txt"),
        include_str!("screen_question/addressed.txt"),
        include_str!("screen_question/elsewhere.txt"),
    ] {
        let words = patterns.split(|letter: char| !letter.is_alphabetic());
        for name in words.filter(|word| word.contains(char::is_uppercase)) {
            assert!(LISTS.contains_key(name), "{name}");
        }
    }
}
