//! Mistakes in a page are named by file and line, and what does not come out as written is shown.

use super::read;

fn wrong(text: &str) -> Vec<String> {
    match read("page.md", text) {
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
        Ok(scenarios) => scenarios
            .iter()
            .filter_map(|scenario| scenario.run().err())
            .flatten()
            .map(|problem| problem.to_string())
            .collect(),
    }
}

fn page(script: &str, block: &str, lines: &str) -> String {
    format!("# Page\n\n## Title\n```script\n{script}\n```\n```{block}\n{lines}\n```\n")
}

#[track_caller]
fn tells(text: &str, expected: &str) {
    let problems = wrong(text);
    let first = problems
        .first()
        .map_or("nothing is wrong with it", String::as_str);
    assert!(first.contains(expected), "expected {expected:?}, found: {first}");
}

#[test]
fn a_scenario_that_comes_out_as_written_is_fine() {
    let text = page(
        "00:00 alice says \"Denizen, hi\"",
        "sent",
        "00:07 Denizen (to Alice): Okay.",
    );
    assert_eq!(wrong(&text), Vec::<String>::new());
}

#[test]
fn a_page_without_scenarios_is_refused() {
    tells("# Only a title\n", "page.md:1: no scenario in this file");
}

#[test]
fn a_scenario_without_expectations_is_refused() {
    tells(
        "## T\n```script\nwait 5s\n```\n",
        "page.md:1: \"T\": expected at least one block",
    );
    tells(
        "## T\n```journal\nask_started\n```\n",
        "expected a ```script block",
    );
}

#[test]
fn mistakes_name_their_line_and_what_was_expected() {
    tells(
        &page("alice shouts \"hi\"", "sent", ""),
        "page.md:5: \"Title\": expected says, said 30m ago, mentions",
    );
    tells(
        &page("alice says hi", "sent", ""),
        "expected a text in quotes, found \"hi\"",
    );
    tells(&page("wait soon", "sent", ""), "expected a time such as 5s");
    tells(
        &page("model fails with boredom", "sent", ""),
        "expected a kind of failure",
    );
    tells(
        &page("settings set llm.modle=x", "sent", ""),
        "Did you mean llm.model?",
    );
    tells(
        &page("00:05 wait 1s\n00:01 wait 1s", "sent", ""),
        "page.md:6: \"Title\": expected a time that is not before",
    );
    tells(
        &page("every 5s: alice says \"x\"", "sent", ""),
        "expected `until turn N`",
    );
    tells(
        &page("wait 1s", "journal", "ask_begun"),
        "page.md:8: \"Title\": expected the name of a journal event",
    );
    tells(
        &page("wait 1s", "journal", "ask_started colour=red"),
        "ask_started has no field \"colour\"",
    );
    tells(
        &page("wait 1s", "poem", "roses"),
        "expected a block called script",
    );
}

#[test]
fn what_does_not_occur_is_shown_beside_what_does() {
    let hello = "00:00 alice says \"Denizen, hi\"";
    tells(
        &page(hello, "journal", "00:05 ask_started"),
        "`00:05 ask_started` does not occur. The journal:\n      00:00 text_message_received",
    );
    tells(
        &page(hello, "journal", "not ask_started"),
        "must not occur, and does: 00:06 ask_started",
    );
    tells(
        &page(hello, "journal", "ask_completed\nask_started purpose=text_reply"),
        "occurs, but earlier than the line above",
    );
    tells(&page(hello, "journal", "ask_started attempt=2"), "does not occur");
    tells(
        &page(hello, "sent", ""),
        "what was sent is not as expected. It really is:\n      00:07 Denizen (to Alice): Okay.",
    );
    tells(&page(hello, "drafts", "Okay"), "(nothing)");
    tells(
        &page(hello, "prompt", "lacks \"Alice\""),
        "`lacks \"Alice\"` does not hold for ask 1",
    );
    tells(
        &page(hello, "prompt 2", "has \"x\""),
        "there is no ask 2; a model was asked 1 times",
    );
}

#[test]
fn what_a_session_is_like_is_shown_where_it_is_not_as_written() {
    let hello = "00:00 alice says \"Denizen, hi\"";
    tells(
        &page(hello, "session", "turns 3"),
        "`turns 3` does not hold. The session:\n      cursor 0\n      turns 2",
    );
    tells(&page(hello, "session", "summary has \"x\""), "does not hold");
    tells(
        &page(hello, "session dev", "turns 1"),
        "nothing was ever said in this room",
    );
    tells(
        &page(hello, "session", "mood good"),
        "expected cursor, turns, verbatim",
    );
    tells(
        &page(hello, "offered", "words"),
        "what was offered to memory is not as expected. It really is:\n      (nothing)",
    );
    tells(
        &page(hello, "prompt 1 of context_compaction", "has \"x\""),
        "there is no ask 1; a model was asked 0 times",
    );
    tells(&page(hello, "prompt 1 for fun", "has \"x\""), "expected `of`");
}

#[test]
fn what_a_watch_is_like_is_shown_where_it_is_not_as_written() {
    let share = "00:00 alice shares a screen\n00:01 alice's screen scores 0";
    let shown = "`watched Bob` does not hold. The watch:\n      watched Alice\n      generation 1";
    tells(&page(share, "watch", "watched Bob"), shown);
    for wrong in [
        "nobody is watched",
        "generation 2",
        "shares 2",
        "notes 0",
        "note \"x\"",
        "no note \"view 1\"",
        "newest \"x\"",
        "oldest \"x\"",
        "failures 1",
        "waits interval",
    ] {
        tells(&page(share, "watch", wrong), "does not hold. The watch:");
    }
    tells(
        &page(share, "watch dev", "notes 1"),
        "nothing ever happened in this room",
    );
    tells(
        &page(share, "watch", "mood good"),
        "expected watched, nobody is watched",
    );
    let held = "stream_watch_note_started held=cooldown:1";
    tells(&page(share, "journal", held), "does not occur");
    tells(
        &page("00:00 alice's screen scores much", "sent", ""),
        "expected a change score such as 0.012",
    );
}

#[test]
fn a_block_that_is_never_closed_is_refused() {
    tells("## T\n```script\nwait 1s\n```\n```sent\n", "found \"unclosed\"");
}
