use super::*;

/// What is said of an answer that comes in these pieces, and whether a mark ended it.
fn said(pieces: &[&str]) -> (String, bool) {
    let mut filter = MarkFilter::of_server();
    let mut text: String = pieces.iter().map(|piece| filter.push(piece)).collect();
    text.push_str(&filter.finish());
    (text, filter.is_over())
}

const TABLE: &[(&str, &str, bool)] = &[
    ("It is Friday.<|im_end|>", "It is Friday.", true),
    (
        "It is Friday.<|im_end|>\n<|im_start|>user\nAnd?",
        "It is Friday.",
        true,
    ),
    (
        "It is Friday.<|eot_id|><|start_header_id|>user<|end_header_id|>",
        "It is Friday.",
        true,
    ),
    ("It is Friday.<|endoftext|>Question: what", "It is Friday.", true),
    ("It is Friday.<|end_of_text|>", "It is Friday.", true),
    ("It is Friday.<|end|>", "It is Friday.", true),
    ("It is Friday.<end_of_turn>\n", "It is Friday.", true),
    ("It is Friday.<｜end▁of▁sentence｜>", "It is Friday.", true),
    ("It is Friday.</s>", "It is Friday.", true),
    ("It is Friday.</s> [INST] And? [/INST]", "It is Friday.", true),
    ("It is Friday.<start_of_turn>user\nAnd?", "It is Friday.", true),
    (
        "<|im_start|>assistant\nIt is Friday.<|im_end|>",
        "\nIt is Friday.",
        true,
    ),
    ("<start_of_turn>model\nIt is Friday.", "\nIt is Friday.", false),
    (
        "<|start_header_id|>assistant<|end_header_id|>\n\nIt is.",
        "\n\nIt is.",
        false,
    ),
    ("<|assistant|>It is Friday.", "It is Friday.", false),
    ("<|begin_of_text|>It is Friday.", "It is Friday.", false),
    ("Look<|vision_pad|> here.", "Look here.", false),
    ("{\"text\": \"Hi\"}<|im_end|>{\"a\"", "{\"text\": \"Hi\"}", true),
    ("{\"text\": \"Hi<|im_end|>\"}", "{\"text\": \"Hi\"}", false),
    ("<|im_end|>", "", true),
    // What only looks like one.
    (
        "a < b, x <| f, p <|> q, [1] and [link](x)",
        "a < b, x <| f, p <|> q, [1] and [link](x)",
        false,
    ),
    ("It was <s>ten</s> eleven.", "It was <s>ten</s> eleven.", false),
    ("It ends in <|im", "It ends in <|im", false),
    ("Vec<T> and <b>bold</b>", "Vec<T> and <b>bold</b>", false),
];

#[test]
fn an_answer_ends_where_its_turn_does_and_no_mark_is_said() {
    for (answer, expected, over) in TABLE {
        assert_eq!(said(&[answer]), ((*expected).to_owned(), *over), "{answer}");
    }
}

#[test]
fn marks_are_found_wherever_the_pieces_of_an_answer_break() {
    for (answer, expected, over) in TABLE {
        let letters: Vec<String> = answer.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(said(&letters), ((*expected).to_owned(), *over), "{answer}");
        for (at, _) in answer.char_indices() {
            let halves = [&answer[..at], &answer[at..]];
            assert_eq!(said(&halves), ((*expected).to_owned(), *over), "{answer} at {at}");
        }
    }
}

#[test]
fn what_is_surely_text_is_not_held_back() {
    let mut filter = MarkFilter::of_server();
    assert_eq!(filter.push("It is < Fri"), "It is < Fri");
    assert_eq!(filter.push("day.<|im"), "day.");
    assert_eq!(filter.push("_end|>"), "");
    assert_eq!(filter.push(" And more."), "");
}

#[test]
fn of_a_provider_that_leaves_none_every_letter_is_said() {
    let mut filter = MarkFilter::default();
    assert_eq!(filter.push("The mark is <|im_end|>."), "The mark is <|im_end|>.");
    assert_eq!(filter.finish(), "");
}
