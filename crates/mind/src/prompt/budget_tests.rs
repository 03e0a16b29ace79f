//! Sections are served by priority, and only whole items are kept.

use vocabulary::SectionFate;

use super::budget::{Keep, Section, cut_at_sentence, fit};

fn section(name: &'static str, priority: u8, cap_chars: usize, keep: Keep, items: &[&str]) -> Section {
    let items = items.iter().map(|item| (*item).to_owned()).collect();
    Section {
        name,
        priority,
        cap_chars,
        items,
        keep,
        remark: String::new(),
        cut: Vec::new(),
    }
}

#[test]
fn what_was_left_out_of_an_item_before_is_told_where_the_item_stands() {
    let long = section("a", 1, 100, Keep::Newest, &["one", "two […]"]).cut_by(vec![0, 40]);
    let report = &fit(&[long], 100)[0].report;
    assert_eq!(report.fate, SectionFate::Trimmed);
    assert_eq!((report.wanted_chars, report.kept_chars), (51, 11));
    assert_eq!(
        report.remark.trim(),
        "40 characters of long messages are left out."
    );
    let gone = section("a", 1, 5, Keep::Newest, &["one […]", "two"]).cut_by(vec![40, 0]);
    assert_eq!(
        fit(&[gone], 100)[0].report.wanted_chars,
        11,
        "only what is shown counts"
    );
}

#[test]
fn what_fits_is_kept_whole() {
    let fitted = fit(&[section("a", 1, 100, Keep::Newest, &["one", "two"])], 100);
    assert_eq!(fitted[0].report.fate, SectionFate::Kept);
    assert_eq!(fitted[0].report.text, "one\ntwo");
    assert_eq!(
        (fitted[0].report.wanted_chars, fitted[0].report.kept_chars),
        (7, 7)
    );
}

#[test]
fn a_conversation_keeps_its_newest_lines_and_a_ranked_list_its_first() {
    let lines = ["aaaa", "bbbb", "cccc"];
    let fitted = fit(
        &[
            section("talk", 2, 10, Keep::Newest, &lines),
            section("facts", 1, 10, Keep::First, &lines),
        ],
        100,
    );
    assert_eq!(fitted[0].report.text, "bbbb\ncccc");
    assert_eq!(fitted[0].kept, 1..3);
    assert_eq!(fitted[1].report.text, "aaaa\nbbbb");
    assert_eq!(fitted[1].report.fate, SectionFate::Trimmed);
    assert!(
        fitted[1].report.remark.contains("its own cap"),
        "{}",
        fitted[1].report.remark
    );
}

#[test]
fn the_higher_priority_is_served_first_wherever_it_stands() {
    let fitted = fit(
        &[
            section("low", 10, 100, Keep::First, &["12345678"]),
            section("high", 90, 100, Keep::First, &["12345678"]),
        ],
        12,
    );
    assert_eq!(fitted[0].report.fate, SectionFate::Dropped);
    assert!(
        fitted[0].report.remark.contains("budget"),
        "{}",
        fitted[0].report.remark
    );
    assert_eq!(fitted[1].report.fate, SectionFate::Kept);
}

#[test]
fn instructions_are_cut_at_a_sentence_only_when_they_must_be() {
    let text = "First sentence. Second sentence. Third one";
    let fitted = fit(&[section("persona", 90, 35, Keep::Whole, &[text])], 1_000);
    assert_eq!(fitted[0].report.text, "First sentence. Second sentence.");
    assert_eq!(fitted[0].report.fate, SectionFate::Trimmed);
}

#[test]
fn sentences_are_kept_whole_or_not_at_all() {
    let text = "First sentence. Second sentence. Third one";
    let fitted = |room| {
        let place = fit(&[section("summary", 60, room, Keep::Sentences, &[text])], 1_000).remove(0);
        (place.report.text, place.report.fate)
    };
    assert_eq!(fitted(100), (text.to_owned(), SectionFate::Kept));
    assert_eq!(
        fitted(35),
        (
            "First sentence. Second sentence.".to_owned(),
            SectionFate::Trimmed
        )
    );
    assert_eq!(fitted(15), ("First sentence.".to_owned(), SectionFate::Trimmed));
    assert_eq!(fitted(14), (String::new(), SectionFate::Dropped));
}

#[test]
fn nothing_to_say_is_not_something_dropped() {
    assert_eq!(
        fit(&[section("facts", 1, 100, Keep::First, &[])], 0)[0]
            .report
            .fate,
        SectionFate::Empty
    );
}

#[test]
fn a_cut_never_falls_into_a_character() {
    assert_eq!(cut_at_sentence("éééé éééé", 6), "éééé");
    assert_eq!(cut_at_sentence("ééééééé", 3), "ééé");
    assert_eq!(cut_at_sentence("short", 10), "short");
}

#[test]
fn a_point_inside_a_number_or_an_address_ends_no_sentence() {
    let text = "Bob paid. Rent is 3.50 at example.org today";
    assert_eq!(cut_at_sentence(text, 20), "Bob paid.");
    assert_eq!(cut_at_sentence(text, 34), "Bob paid.");
    assert_eq!(cut_at_sentence("Wait?! No", 7), "Wait?!");
}

#[test]
fn caps_and_budget_hold_for_any_sizes() {
    for budget in [0, 1, 7, 50, 333] {
        for size in [0, 1, 6, 40, 200] {
            let item = "x".repeat(size);
            let items = [item.as_str(), item.as_str(), item.as_str()];
            let sections = [
                section("a", 3, 60, Keep::Newest, &items),
                section("b", 9, 45, Keep::First, &items),
                section("c", 5, 30, Keep::Whole, &items),
            ];
            let fitted = fit(&sections, budget);
            let total: usize = fitted.iter().map(|place| place.report.kept_chars).sum();
            assert!(total <= budget, "{total} > {budget}");
            for place in &fitted {
                assert!(place.report.kept_chars <= place.report.cap_chars);
            }
        }
    }
}

#[test]
fn older_lines_of_a_conversation_rank_below_what_stands_between_them() {
    let lines: Vec<String> = (0..10).map(|number| format!("line {number}")).collect();
    let conversation = Section {
        name: "conversation",
        priority: 80,
        cap_chars: usize::MAX,
        items: lines,
        keep: Keep::NewestFirst {
            newest: 3,
            older_priority: 40,
        },
        remark: String::new(),
        cut: Vec::new(),
    };
    let summary = Section {
        name: "summary",
        priority: 60,
        cap_chars: 100,
        items: vec!["What was said before it.".to_owned()],
        keep: Keep::Sentences,
        remark: String::new(),
        cut: Vec::new(),
    };
    // A line takes seven characters, the summary twenty-four.
    for (budget, lines, summary_kept) in [
        (21, 3, false),
        (44, 6, false),
        (45, 3, true),
        (52, 4, true),
        (94, 10, true),
    ] {
        let fitted = fit(&[conversation.clone(), summary.clone()], budget);
        assert_eq!(fitted[0].kept, 10 - lines..10, "{budget} characters");
        let kept = fitted[1].report.kept_chars > 0;
        assert_eq!(kept, summary_kept, "{budget} characters");
    }
}
