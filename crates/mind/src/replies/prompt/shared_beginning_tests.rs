//! How much of what a model reads for a reply it has read for the one before: providers charge less for that.

use settings::Settings;
use vocabulary::{ContentPart, Message, ModelRequest, WallTime};

use super::prompt_tests::{brief, message};
use super::{ReplyBrief, reply_request};

#[test]
fn what_two_replies_in_a_row_share_is_all_that_was_said_before_the_second() {
    let settings = Settings::default();
    let mut said: Vec<Message> = (0..20)
        .map(|number| {
            let name = ["Alice", "Bob", "Denizen", "Cara"][number % 4];
            message(
                &format!("m{number}"),
                name,
                &format!("sentence number {number}"),
                number as i64,
            )
        })
        .collect();
    said.push(message("q1", "Alice", "Denizen, what is next?", 20));
    let (facts, others) = (
        ["(2025-01-04) Alice plays chess.".to_owned()],
        ["(2025-01-05) It rains.".to_owned()],
    );
    let first = reply_request(&ReplyBrief {
        user_facts: &facts,
        screen_notes: &others,
        ..brief(&said, &said[..2], &settings)
    });
    let before = rendered_plainly(&first);
    said.push(message("a1", "Denizen", "The second part.", 21));
    said.push(message("q2", "Bob", "Denizen, and then?", 22));
    let second = rendered_plainly(&reply_request(&ReplyBrief {
        now: WallTime(1_762_000_900_000),
        relevant_facts: &others,
        look_ups: &facts,
        required: false,
        ..brief(&said, &said[3..6], &settings)
    }));
    let shared = before
        .chars()
        .zip(second.chars())
        .take_while(|(a, b)| a == b)
        .count();
    let until_question = before
        .find("Denizen, what is next?")
        .expect("it is in the window");
    let until_question = before[..until_question].chars().count() + "Denizen, what is next?".len();
    assert!(
        shared >= until_question,
        "{shared} of {} characters are shared; {until_question} of them do not change",
        before.chars().count()
    );
}

/// All that a model is given to read, one after the other.
fn rendered_plainly(request: &ModelRequest) -> String {
    let parts = request.turns.iter().flat_map(|turn| &turn.parts);
    let said = parts.filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    std::iter::once(request.system.as_str())
        .chain(said)
        .collect::<Vec<_>>()
        .join("\n")
}
