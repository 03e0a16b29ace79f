use super::is_complete;

#[test]
fn whole_questions_and_sentences_are_told_from_beginnings() {
    for text in [
        "Denizen, what time is it?",
        "what time is it ?",
        "Denizen, why?",
        "(Denizen, can you help?)",
        "Denizen, tell me a joke.",
        "Please water the plants, Denizen!",
        "Denizen、今何時ですか？",
        "デニズンさん、今何時？",
    ] {
        assert!(is_complete(text), "{text}");
    }
    for text in [
        "Denizen",
        "Denizen?",
        "Denizen,",
        "Denizen, hello",
        "Denizen, hello!",
        "Denizen, what time is it",
        "Denizen, I have a question.",
        "Denizen, there is one thing.",
        "Denizen, so I was thinking...",
        "Denizen, so I was thinking…",
        "Denizen, I need this:",
        "",
    ] {
        assert!(!is_complete(text), "{text}");
    }
}
