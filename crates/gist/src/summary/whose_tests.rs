//! Under whose name a word stands that several have said.

use super::{FoldedTurn, summarise};

#[test]
fn what_somebody_brought_up_stands_under_their_name_where_another_has_echoed_it() {
    let turns = [
        ("Tim", "I would visit Edinburgh with friends."),
        ("John", "My sister lives near Edinburgh castle since 2019."),
        ("Tim", "My guitar needs strings."),
        ("Tim", "My garden grew tomatoes."),
    ];
    let turns = turns.map(|(speaker, text)| FoldedTurn {
        speaker,
        text,
        at: None,
    });
    for limit_chars in 60..=104 {
        let summary = summarise("", &turns, &[], limit_chars);
        let tim = summary.split("John: ").next().unwrap_or_default();
        assert!(tim.contains("Edinburgh"), "{limit_chars}: {summary}");
    }
}
