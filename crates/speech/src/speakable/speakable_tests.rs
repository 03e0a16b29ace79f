use super::*;

fn said(written: &str) -> String {
    speakable(written, &Tongue::default()).text().to_owned()
}

pub(super) fn check(table: &[(&str, &str)]) {
    for (written, wanted) in table {
        assert_eq!(said(written), *wanted, "of {written:?}");
    }
}

#[test]
fn markdown_is_not_read_out() {
    check(&[
        (
            "**Hello** *there*, _you_ ~~all~~ ||two||.",
            "Hello there, you all two.",
        ),
        ("__bold__ and ***both***", "bold and both"),
        ("# A heading\nand more", "A heading and more"),
        ("## One\n\nTwo", "One. Two"),
        ("- milk\n- eggs\n* bread", "milk. eggs. bread"),
        (
            "1. First do this\n2. Then that",
            "one, First do this. two, Then that",
        ),
        ("- [x] done\n- [ ] open", "done. open"),
        ("> quoted words\n\nMine", "quoted words. Mine"),
        ("-# small print", "small print"),
        ("above\n\n---\n\nBelow", "above. Below"),
        ("| a | b |\n|---|---|\n| one | two |", "a, b. one, two"),
        ("wrapped at\nthe margin", "wrapped at the margin"),
        ("one\nTwo", "one. Two"),
        (r"not \*bold\*", "not bold"),
        ("a &amp; b", "a and b"),
        ("<b>loud</b><br>words", "loud words"),
        ("as said[^1] before", "as said before"),
        ("snake_case_name", "snake case name"),
    ]);
}

#[test]
fn a_link_is_mentioned_by_its_host() {
    check(&[
        (
            "See https://www.example.org/a/b?c=d#e.",
            "See a link to example.org.",
        ),
        ("(http://example.org:8080/x)", "a link to example.org"),
        ("[the docs](https://docs.rs/tokio)", "the docs"),
        ("[**bold** docs](https://docs.rs) here", "bold docs here"),
        ("[https://docs.rs/x](https://docs.rs/x)", "a link to docs.rs"),
        ("<https://docs.rs/x>", "a link to docs.rs"),
        ("![a cat](https://cats.example/1.png)", "a picture of a cat"),
        ("![](https://cats.example/1.png)", "a picture"),
        (
            "https://en.wikipedia.org/wiki/Rust_(language), right?",
            "a link to en.wikipedia.org, right?",
        ),
        (
            "write to bob.smith@example.org.",
            "write to bob.smith at example dot org.",
        ),
        ("<@1234> said hi in <#5678> <:blob:99> @alice", "said hi in alice"),
    ]);
}

#[test]
fn short_code_is_read_and_long_code_is_mentioned() {
    check(&[
        ("run `cargo test`", "run cargo test"),
        ("call `read_file()` first", "call read file first"),
        ("`fooBar` in `main.rs`.", "foo Bar in main dot rs."),
        ("`ls -la /tmp`", "ls dash la slash tmp"),
        (
            "`let answer = everything.iter().map(|x| x + 1).sum::<u64>();` works",
            "some code works",
        ),
        (
            "Try this:\n```rust\nfn main() {}\n```\nIt works.",
            "Try this: some code. It works.",
        ),
        ("~~~\ncode\n~~~", "some code."),
        ("```\nnever closed\nmore", "some code."),
        ("``` one line ```", "one line"),
    ]);
}

#[test]
fn emoji_are_left_out_unless_there_is_nothing_else() {
    check(&[
        ("Nice 👍🏽 work 🎉!", "Nice work!"),
        ("family 👨‍👩‍👧 and flag 🇩🇪", "family and flag"),
        ("ok :) :tada: <3", "ok"),
        ("👍", "thumbs up"),
        ("😂😂😂", "haha"),
        ("🫠", ""),
        ("at 10:30:15 sharp", "at ten thirty and fifteen seconds sharp"),
    ]);
}

#[test]
fn what_is_for_machines_is_never_said() {
    check(&[
        ("[SKIP]", ""),
        ("**[skip]**", ""),
        ("[SKIP: nothing to add]", ""),
        ("Sure. [SKIP]", "Sure."),
        ("<think>hmm, what now</think>Hello!", "Hello!"),
        ("<think>never closed", ""),
        ("Nice one! [[NOTE: Boss down to 43k]]", "Nice one!"),
        ("[[NOTE: list[0]]] ok", "ok"),
        ("<tool_call>{\"name\": \"search\"}</tool_call>", ""),
        (
            "{\"name\": \"web_search\", \"arguments\": {\"q\": \"a } b\"}} Let me see.",
            "Let me see.",
        ),
        ("Done.<|im_end|>", "Done."),
        ("[TOOL: web_search cats] One moment.", "One moment."),
        ("[skip](https://example.org) the line", "skip the line"),
        ("passing [skipper] by", "passing skipper by"),
        ("\u{200b}\u{202e}hi\u{ad}den", "hiden"),
        ("...", ""),
        ("", ""),
    ]);
}

#[test]
fn numbers_become_words() {
    check(&[
        (
            "0 1 12 21 100 115",
            "zero one twelve twenty-one one hundred one hundred fifteen",
        ),
        (
            "1,234,567",
            "one million two hundred thirty-four thousand five hundred sixty-seven",
        ),
        ("3.14 and -5", "three point one four and minus five"),
        ("0.05%", "zero point zero five percent"),
        ("50% of 10k", "fifty percent of ten thousand"),
        ("2.5M views", "two point five million views"),
        (
            "1st, 2nd, 3rd, 12th, 20th, 101st",
            "first, second, third, twelfth, twentieth, one hundred first",
        ),
        ("3-5 days", "three to five days"),
        ("1/2 or 3/4 or 2/3", "one half or three quarters or two thirds"),
        ("9/10", "nine tenths"),
        ("24/7", "twenty-four seven"),
        (
            "v1.2.3 on 127.0.0.1",
            "version one point two point three on one hundred twenty-seven point zero point zero point one",
        ),
        ("#1 of 2", "number one of two"),
        (
            "call 0049123456",
            "call zero zero four nine one two three four five six",
        ),
        (
            "555-123-4567",
            "five five five, one two three, four five six seven",
        ),
        ("3 * 4 = 12", "three times four equals twelve"),
        ("~30 people", "about thirty people"),
        ("GPT-4o and H264", "GPT-4o and H264"),
    ]);
}

#[test]
fn money_units_dates_and_times_are_said_as_people_do() {
    check(&[
        ("$5", "five dollars"),
        ("$1", "one dollar"),
        ("$5.50!", "five dollars and fifty cents!"),
        ("£0.99", "ninety-nine pence"),
        ("$3M", "three million dollars"),
        ("$3 million", "three million dollars"),
        ("20 EUR", "twenty euros"),
        ("5€", "five euros"),
        ("$10-$20", "ten to twenty dollars"),
        ("5 km, 1 km", "five kilometers, one kilometer"),
        (
            "16GB of RAM at 60fps",
            "sixteen gigabytes of RAM at sixty frames per second",
        ),
        ("30°C", "thirty degrees celsius"),
        ("100 km/h", "one hundred kilometers per hour"),
        ("5 m people", "five m people"),
        ("2026-11-16", "November sixteenth, twenty twenty-six"),
        ("16.11.2026", "November sixteenth, twenty twenty-six"),
        ("Nov 16", "November sixteenth"),
        ("November 16, 2026.", "November sixteenth, twenty twenty-six."),
        ("16 November 2026", "the sixteenth of November twenty twenty-six"),
        ("4 may be too many", "four may be too many"),
        ("in 1984", "in nineteen eighty-four"),
        ("since 2005,", "since two thousand five,"),
        ("2048 tiles", "two thousand forty-eight tiles"),
        ("the 1990s", "the nineteen nineties"),
        ("3:30", "three thirty"),
        ("15:05", "fifteen oh five"),
        ("3:00", "three o'clock"),
        ("10am", "ten a m"),
        ("9:00pm", "nine p m"),
    ]);
}

#[test]
fn what_is_written_short_is_said_long() {
    check(&[
        (
            "cats, e.g. tigers, i.e. big ones",
            "cats, for example tigers, that is big ones",
        ),
        ("pens, paper, etc.", "pens, paper, et cetera."),
        ("Dr. Smith vs. Mr. Jones", "Doctor Smith versus Mister Jones"),
        ("No. 5 and no.", "number five and no."),
        ("btw, idk", "by the way, I don't know"),
        ("C++ & C#", "C plus plus and C sharp"),
        ("and/or", "and or"),
        ("soooooo good!!!!", "soo good!"),
        ("what?!?!", "what?"),
        ("this — that", "this, that"),
        ("a -> b", "a to b"),
        ("coffee w/ milk", "coffee with milk"),
        ("#general chat", "general chat"),
    ]);
}

#[test]
fn other_languages_keep_their_numbers_and_lose_the_marks() {
    let german = Tongue::of("de_DE");
    let table = [
        ("**Hallo** am 3. Mai, 5 km", "Hallo am 3. Mai, 5 km"),
        ("Siehe https://example.org/x", "Siehe ein Link zu example.org"),
        ("```\ncode\n```", "etwas Code."),
        ("👍", ""),
    ];
    for (written, wanted) in table {
        assert_eq!(speakable(written, &german).text(), wanted, "of {written:?}");
    }
    assert_eq!(
        speakable("見て https://example.jp", &Tongue::of("ja")).text(),
        "見て example.jp"
    );
}

#[test]
fn what_was_heard_is_known_in_the_writing() {
    let written = "It is **$5** at https://example.org/long/path today";
    let said = speakable(written, &Tongue::default());
    assert_eq!(said.text(), "It is five dollars at a link to example.org today");
    let until = |words: &str| {
        let characters = said.text().find(words).unwrap() + words.len();
        written
            .chars()
            .take(said.written_until(characters))
            .collect::<String>()
    };
    assert_eq!(until("It is"), "It is");
    assert_eq!(until("five"), "It is", "half an amount is not heard");
    assert_eq!(until("dollars"), "It is **$5**");
    assert_eq!(
        until("example.org"),
        "It is **$5** at https://example.org/long/path"
    );
    assert_eq!(until("today"), written);
    assert_eq!(said.written_until(0), 0);
    assert_eq!(said.written_until(usize::MAX), written.chars().count());
}

#[test]
fn strange_writing_does_no_harm() {
    let strange = [
        "[[[[[[",
        "](](](",
        "`````",
        "<<<<<",
        "****",
        "|||||",
        "\\",
        "![",
        "[a](b",
        "{\"name\"",
        "&#",
        ":::",
        "$",
        "%",
        "-",
        "1.",
        "$-",
        "#",
        "1/0",
        "99999999999999999999999",
        "1:99",
        "2026-99-99",
        "13:",
        "$1,2",
        "½",
        "١٢٣",
        "e.g",
        "(((",
        "'s",
        "’90s",
    ];
    for first in strange {
        for second in strange {
            for text in [format!("{first}{second}"), format!("{first} {second}\n{first}")] {
                let said = speakable(&text, &Tongue::default());
                assert!(said.written_until(usize::MAX) == text.chars().count());
            }
        }
    }
}

mod hostile_writing {
    use proptest::prelude::*;

    use super::*;

    const WRITINGS: [&str; 6] = [
        "**Hello** [there](https://example.org/a_(b)) `code` <@12> ![x](y) 1/2 $5.50 3:30pm :tada: 👍🏽",
        "# Head\n- [x] one\n1. two\n> three\n| a | b |\n|---|---|\n```rust\nlet a = 1;\n```\nend",
        "<think>no</think>[[NOTE: a]] {\"name\": \"x\", \"arguments\": {\"a\": \"}\"}} [SKIP] <|im_end|>",
        "In 1984, Nov 16, 2026, 16.11.2026 and 2026-11-16 at 15:05: v1.2.3, #1, 555-123-4567, -5°C, 16GB",
        "e.g. Dr. Smith vs. etc. soooo!!! and/or w/ C++ — ok… ‘90s ½ ２０２６ ١٢٣",
        "Grüße 今日は。 \u{200d}\u{fe0f} a@b.org http:// www. $ % # ~3",
    ];

    proptest! {
        #![proptest_config(hostile::cases(256))]

        #[test]
        fn whatever_a_model_writes_is_made_sayable_within_bounds(written in hostile::wounded_text(&WRITINGS)) {
            for tongue in ["en", "de", "ja"] {
                let said = speakable(&written, &Tongue::of(tongue));
                let length = written.chars().count();
                let mut before = 0;
                for characters in 0..=said.text().chars().count() {
                    let until = said.written_until(characters);
                    prop_assert!(before <= until && until <= length);
                    before = until;
                }
                prop_assert!(!said.text().to_lowercase().contains("[skip]"));
            }
        }
    }
}
