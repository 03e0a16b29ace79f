//! What counts as a summary, what counts as invented, and what is kept of a summary that invents.

use super::guard::{as_summary, forgets, inventions, without_inventions, without_torn_end};

const SOURCES: &[&str] = &[
    "Alice",
    "let's try the new team comp at 10:30, it costs 1,200 gold",
    "Bob",
    "I keep dying as hulk. Carol's brother won 3 games on the tokyo map, ask dave,erin",
    "James shared: Winter-Soldier on Tokyo",
];

#[test]
fn names_and_numbers_that_nobody_mentioned_are_found() {
    for (summary, expected) in [
        ("Then Zelda asked about it.", &["Zelda"][..]),
        ("Alice met Marcus, and Marcus left.", &["Marcus"]),
        ("Bob won 7 games.", &["7"]),
        ("Bob won 30 of 45 games in Paris.", &["30", "45", "Paris"]),
        ("Alice said that Ölaf is late.", &["Ölaf"]),
    ] {
        assert_eq!(
            inventions(summary, SOURCES.iter().copied()),
            expected,
            "{summary}"
        );
    }
}

#[test]
fn nothing_that_was_said_is_a_false_alarm() {
    for summary in [
        "Alice wants to try the new team comp.",
        "Earlier, Alice and Bob talked; Bob keeps dying as Hulk.",
        "They are Alice's and Bob’s plans.",
        "Several Hulks died on Tokyo's map.",
        "It was Carol who has a brother, and he won 3 games.",
        "At 10:30 they meet. Nobody objected. Whether Bob comes is open.",
        "It costs 1,200 gold (Bob paid) and they asked Dave and Erin.",
        "James showed Winter Soldier; the Winter-Soldier was on Tokyo.",
        "The group: Alice, Bob. Plans: none. \"Great\" was all.",
        "On Monday in May I heard of it.",
    ] {
        let found = inventions(summary, SOURCES.iter().copied());
        assert_eq!(found, Vec::<String>::new(), "{summary}");
    }
}

#[test]
fn an_answer_about_the_task_is_no_summary() {
    for answer in [
        "",
        "  \n ",
        "…",
        "\"\"",
        "Summary unavailable",
        "summary unavailable.",
        "**Summary unavailable**",
        "[Summary not available]",
        "(No summary)",
        "The summary is unavailable right now.",
        "N/A",
        "None.",
        "null",
        "I cannot summarise this conversation.",
        "I’m sorry, but I can't help with that.",
        "I am unable to do that.",
        "Sorry, there is nothing here.",
        "As an AI, I have no memory.",
        "Unable to summarize: no content.",
        "Error: context length exceeded",
        "<think>they talk about a game and",
        "<think>hm</think>",
        "<think>hm</think> Summary unavailable",
    ] {
        assert_eq!(as_summary(answer), None, "{answer:?}");
    }
}

#[test]
fn words_about_the_conversation_are_a_summary_on_one_line() {
    for (answer, expected) in [
        ("Alice counted to ten.", "Alice counted to ten."),
        ("  Alice\n\ncounted  to ten.\n", "Alice counted to ten."),
        ("\"Alice counted to ten.\"", "Alice counted to ten."),
        ("<think>short!</think>\nAlice counted.", "Alice counted."),
        ("None of them liked the map.", "None of them liked the map."),
        (
            "Nothing was decided; Bob waits.",
            "Nothing was decided; Bob waits.",
        ),
        ("Okay was all that Bob said.", "Okay was all that Bob said."),
        ("Élodie a gagné.", "Élodie a gagné."),
    ] {
        assert_eq!(as_summary(answer).as_deref(), Some(expected));
    }
}

#[test]
fn only_the_sentences_that_invent_are_left_out() {
    let summary = "Alice wants a new comp. Bob met Zelda at 9. Bob keeps dying; Erin won.";
    let invented = inventions(summary, SOURCES.iter().copied());
    assert_eq!(invented, ["Zelda", "9"]);
    assert_eq!(
        without_inventions(summary, &invented),
        "Alice wants a new comp. Bob keeps dying; Erin won."
    );
    assert_eq!(without_inventions("Bob met Zelda.", &invented), "");
    let sound = "Alice wants a new comp.  It costs 1,200 gold!";
    assert_eq!(
        without_inventions(sound, &[]),
        "Alice wants a new comp. It costs 1,200 gold!"
    );
}

#[test]
fn a_sentence_that_was_cut_off_is_left_out_unless_it_is_all_there_is() {
    for (text, expected) in [
        ("Alice won. Bob lost. Then they", "Alice won. Bob lost."),
        ("Alice won. Bob lost.", "Alice won. Bob lost."),
        ("Alice and Bob and then", "Alice and Bob and then"),
        ("It costs 3.5 gold. Élodie a", "It costs 3.5 gold."),
    ] {
        assert_eq!(without_torn_end(text), expected);
    }
}

#[test]
fn a_summary_with_room_to_spare_must_not_lose_what_was_told() {
    let previous = "Tomas booked the cabin in Harlan for 3 nights. Priya owes Mara 19 euros. Elke lends a van for 6. \
                    The trail to Orin is 7 kilometres.";
    assert!(forgets("Jonas quit the choir.", previous));
    assert!(!forgets(
        "Tomas booked Harlan, Elke lends the van, and Jonas quit the choir.",
        previous
    ));
    assert!(
        !forgets("Bob laughed.", "Alice came."),
        "too little was told before to tell"
    );
    let long = "Jonas talked about the choir at length. ".repeat(25);
    assert!(
        !forgets(&long, previous),
        "a full summary has to leave something out"
    );
}

#[test]
fn times_that_were_copied_with_their_lines_are_left_out() {
    let summary = as_summary("[05:23] Priya: what now? [05:24] Tomas: the mill [sic]");
    assert_eq!(summary.as_deref(), Some("Priya: what now? Tomas: the mill [sic]"));
}
