use super::*;

fn spellings(name: &str) -> Vec<String> {
    Spelling::all(name)
        .iter()
        .map(|spelling| {
            std::iter::once(&spelling.first)
                .chain(&spelling.rest)
                .cloned()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

#[test]
fn a_long_name_is_said_whole_or_run_together_or_by_its_first_word() {
    assert_eq!(
        spellings("Clanker Conk"),
        ["clanker conk", "clankerconk", "clanker"]
    );
}

#[test]
fn a_short_first_word_does_not_stand_for_the_name() {
    assert_eq!(spellings("Dr_Willis"), ["dr willis", "drwillis"]);
}

#[test]
fn a_first_word_that_says_what_somebody_is_does_not_stand_for_the_name() {
    assert_eq!(spellings("Assistant Nine"), ["assistant nine", "assistantnine"]);
}

#[test]
fn decorations_are_no_part_of_a_name() {
    assert_eq!(spellings("|trey|"), ["trey"]);
    assert_eq!(spellings("^^"), Vec::<String>::new());
}

#[test]
fn a_name_of_two_words_is_not_said_by_half() {
    let whole = &Spelling::all("Dr Willis")[0];
    assert!(whole.is_said(&Words::of("ask dr. willis"), 1));
    assert!(!whole.is_said(&Words::of("ask dr. who"), 1));
    assert!(!whole.is_said(&Words::of("ask dr"), 1));
}
