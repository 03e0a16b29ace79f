use vocabulary::rfc3339;

use super::{FoldedTurn, summarise};

const LIMIT: usize = 1_200;

/// A turn that was said on a day.
fn on<'a>(day: &str, speaker: &'a str, text: &'a str) -> FoldedTurn<'a> {
    FoldedTurn {
        speaker,
        text,
        at: rfc3339::parse(day),
    }
}

#[test]
fn what_happened_yesterday_is_told_with_its_date_and_the_year_once() {
    let turns = [
        on(
            "2023-06-09",
            "Alice",
            "Yesterday, I adopted a hedgehog. I sold the piano last week.",
        ),
        on("2023-06-09", "Bob", "I visited Rome last year."),
        on("2023-06-12", "Alice", "I bake bread. I fly to Oslo next month!"),
        on("2024-01-02", "Alice", "I married two days ago, on the beach."),
        on("2024-01-02", "Alice", "The party is tomorrow."),
    ];
    let summary = summarise("", &turns[..3], &[], LIMIT);
    assert_eq!(
        summary,
        "Alice: in 2023: 8 June adopted hedgehog; sold piano week before 9 June; bake bread; fly Oslo July 2023. \
         Bob: visited Rome 2022."
    );
    assert_eq!(
        summarise(&summary, &turns[3..], &[], LIMIT),
        "Alice: in 2023: 8 June adopted hedgehog; sold piano week before 9 June; bake bread; fly Oslo July 2023; \
         married 31 December 2023, beach; in 2024: party 3 January. Bob: visited Rome 2022."
    );
}

#[test]
fn without_a_day_a_date_is_no_more_than_was_said() {
    assert_eq!(
        summarise(
            "",
            &[on(
                "some day",
                "Alice",
                "I adopted a hedgehog last week, on 3 May."
            )],
            &[],
            LIMIT
        ),
        "Alice: adopted hedgehog last week 3 May."
    );
}

#[test]
fn german_spanish_and_french_become_telegrams_too() {
    for (text, expected) in [
        (
            "Ich habe gestern einen Igel aus dem Tierheim adoptiert, und er heißt nicht Rex.",
            "Alice: in 2023: 8 Juni Igel Tierheim adoptiert, heißt nicht Rex.",
        ),
        (
            "Ayer adopté un erizo del refugio y nunca se llama Rex.",
            "Alice: in 2023: 8 junio adopté erizo refugio, nunca llama Rex.",
        ),
        (
            "Hier j'ai adopté un hérisson du refuge et je ne mange pas de noix.",
            "Alice: in 2023: 8 juin adopté hérisson refuge, mange pas noix.",
        ),
    ] {
        assert_eq!(
            summarise("", &[on("2023-06-09", "Alice", text)], &[], LIMIT),
            expected
        );
    }
}

#[test]
fn a_good_morning_is_no_tomorrow() {
    let told = |text| summarise("", &[on("2023-06-09", "Alice", text)], &[], LIMIT);
    assert_eq!(
        told("guten morgen, ich habe einen Igel und du bist da"),
        "Alice: Igel."
    );
    assert_eq!(
        told("ich habe morgen einen Igel und du bist da"),
        "Alice: in 2023: 10 Juni Igel."
    );
}

#[test]
fn a_date_that_was_said_without_a_year_is_never_given_one() {
    let turns = [
        on("2023-12-20", "Alice", "Yesterday I adopted a hedgehog."),
        on("2023-12-20", "Alice", "I fly to Oslo on 5 January."),
        on("2023-12-20", "Bob", "I was born on 7 May."),
        on(
            "2023-12-20",
            "Carol",
            "I sold a boat yesterday before the wedding of 5 January.",
        ),
    ];
    let mut summary = summarise("", &turns, &[], LIMIT);
    let expected = "Alice: fly Oslo 5 January; in 2023: 19 December adopted hedgehog. Bob: born 7 May. \
                    Carol: sold boat 19 December 2023 wedding 5 January.";
    assert_eq!(summary, expected);
    for _ in 0..3 {
        summary = summarise(&summary, &[on("2024-02-01", "Bob", "I bake bread.")], &[], LIMIT);
        assert!(
            summary.starts_with(
                "Alice: fly Oslo 5 January; in 2023: 19 December adopted hedgehog. Bob: born 7 May;"
            ),
            "{summary}"
        );
        assert!(
            summary.ends_with("19 December 2023 wedding 5 January."),
            "{summary}"
        );
    }
}

#[test]
fn a_month_keeps_its_year_however_often_it_is_folded() {
    let turns = [
        on(
            "2023-06-09",
            "Alice",
            "Next month 5 violinists arrive at my house and I cook.",
        ),
        on(
            "2023-06-09",
            "Bob",
            "El próximo mes voy a Oslo con mi madre y con mi perro.",
        ),
    ];
    let mut summary = summarise("", &turns, &[], LIMIT);
    for year in 2023..2026 {
        assert!(
            summary.starts_with("Alice: July 2023 5 violinists arrive"),
            "{summary}"
        );
        assert!(summary.contains("Bob: julio 2023 Oslo"), "{summary}");
        let day = format!("{year}-12-01");
        summary = summarise(
            &summary,
            &[on(&day, "Carol", "I sold a trampoline yesterday.")],
            &[],
            LIMIT,
        );
    }
}
