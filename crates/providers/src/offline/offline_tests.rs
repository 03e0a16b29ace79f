use serde_json::{Value, json};
use vocabulary::{
    ChatRole, ChatTurn, ContentPart, ModelChoice, ModelRequest, OutputShape, SectionFate, SectionReport, Span,
};

use super::*;

const SYSTEM: &str = "You are Denizen, one of the people in the text channel \"lounge\".\n\nYou are a thoughtful member.\n\n- Lines of the transcript look like \"[12:03] Name: words\".\n";

fn turn(role: ChatRole, text: &str) -> ChatTurn {
    ChatTurn {
        role,
        parts: vec![ContentPart::Text(text.to_owned())],
    }
}

fn request(system: &str, turns: Vec<ChatTurn>) -> ModelRequest {
    ModelRequest {
        purpose: AskPurpose::TextReply,
        choice: ModelChoice {
            provider: "offline".to_owned(),
            model: String::new(),
        },
        system: system.to_owned(),
        turns,
        tools: Vec::new(),
        output: OutputShape::Json {
            name: "reply".to_owned(),
            words: None,
            schema: json!({"type": "object"}),
        },
        max_output_tokens: 600,
        temperature: 0.8,
        deadline: Span::seconds(5),
        sections: Vec::new(),
    }
}

/// A prompt as the mind writes it: the conversation, and the current message once more in the task.
pub(super) fn asked(required: &str, before: &str, current: &str) -> ModelRequest {
    let task = format!(
        "It is Sunday, 15 November 2026, 12:10 UTC. You are looking at Alice's message:\n{current}\n\nIt names you.\nReply required: {required}\nIf you have nothing worth saying, stay silent: that is always fine.\n"
    );
    request(
        SYSTEM,
        vec![ChatTurn {
            role: ChatRole::User,
            parts: vec![
                ContentPart::Text(format!("{before}\n{current}")),
                ContentPart::Text(task),
            ],
        }],
    )
}

pub(super) fn reply(request: &ModelRequest) -> (String, String) {
    let answer: Value = serde_json::from_str(&compose(request)).expect("JSON");
    let text = |key: &str| answer[key].as_str().expect("text").to_owned();
    (text("action"), text("text"))
}

pub(super) fn said(before: &str, question: &str) -> String {
    let (action, text) = reply(&asked("yes", before, &format!("[12:09] Alice: {question}")));
    assert_eq!(action, "reply");
    text
}

pub(super) const TALK: &str = "[12:00] Bob: The train to Leipzig leaves at 17:42 from platform 9.\n[12:01] Alice: I parked the car behind the library\n  next to the bins.\n[12:02] Carol: My dog Biscuit is afraid of thunder.\n[12:03] Bob: Who wants pizza on the train?";

#[test]
fn a_question_is_answered_with_who_said_it_and_when() {
    assert_eq!(
        said(TALK, "Denizen, when does the train leave?"),
        "Bob said (12:00): “The train to Leipzig leaves at 17:42 from platform 9.”."
    );
    assert_eq!(
        said(TALK, "where did I park my car?"),
        "Alice said (12:01): “I parked the car behind the library next to the bins.”."
    );
    assert!(said(TALK, "what is Carol's dog called?").contains("Biscuit"));
}

#[test]
fn what_somebody_said_is_found_by_their_name_and_the_subject() {
    assert!(said(TALK, "what did Bob say about the train?").contains("17:42"));
    assert!(said(TALK, "what did Carol say?").contains("Biscuit"));
    assert!(said(TALK, "who mentioned thunder?").starts_with("Carol said"));
    assert!(said(TALK, "what did I say about the library?").starts_with("Alice said (12:01)"));
}

#[test]
fn a_summary_lists_what_was_said_by_whom() {
    let text = said(TALK, "can you summarise what happened?");
    for name in ["Bob said", "Alice said", "Carol said"] {
        assert!(text.contains(name), "{text}");
    }
    assert!(!text.contains("summarise"), "{text}");
}

#[test]
fn courtesies_are_returned_by_name() {
    assert_eq!(said(TALK, "Hi Denizen!"), "Hello, Alice.");
    assert_eq!(said(TALK, "thanks, Denizen"), "You're welcome, Alice.");
    assert!(said(TALK, "what's your name?").starts_with("I am Denizen"));
    assert_eq!(said(TALK, "do you know my name?"), "You are Alice here.");
}

#[test]
fn what_the_conversation_does_not_hold_is_not_known() {
    let text = said(TALK, "what is the capital of Peru?");
    assert!(text.starts_with("I don't know, Alice."), "{text}");
    let text = said(TALK, "I am going for a walk.");
    assert!(text.contains("offline model"), "{text}");
}

#[test]
fn where_no_reply_is_required_it_speaks_only_to_answer_a_question() {
    for (line, action) in [
        ("when does the train leave?", "reply"),
        ("what is the capital of Peru?", "skip"),
        ("hello everyone", "skip"),
        ("I am going for a walk.", "skip"),
        ("what is your favourite colour?", "skip"),
    ] {
        let (done, text) = reply(&asked("no", TALK, &format!("[12:09] Alice: {line}")));
        assert_eq!(done, action, "{line}: {text}");
        assert_eq!(text.is_empty(), action == "skip");
    }
}

#[test]
fn older_messages_of_the_system_prompt_are_looked_through_with_their_day() {
    let mut request = asked(
        "yes",
        "[12:05] Bob: hm",
        "[12:09] Alice: what is the wifi password?",
    );
    request.system.push_str(
        "\nOlder messages from this channel that may fit what is being said:\n(Friday, 13 November 2026) [09:15] Dora: (to Bob) the wifi password is on the fridge\n",
    );
    assert_eq!(
        reply(&request).1,
        "Dora said (Friday, 13 November 2026 09:15): “the wifi password is on the fridge”."
    );
}

fn section(name: &str, text: &str) -> SectionReport {
    SectionReport {
        name: name.to_owned(),
        fate: SectionFate::Kept,
        priority: 70,
        wanted_chars: text.len(),
        kept_chars: text.len(),
        cap_chars: 1_600,
        remark: String::new(),
        text: text.to_owned(),
    }
}

/// Asked with memories at hand, and nothing but a greeting said before.
fn remembering(required: &str, question: &str) -> (String, String) {
    let mut request = asked(
        required,
        "[12:08] Bob: hello",
        &format!("[12:09] Alice: {question}"),
    );
    request.sections = vec![
        section(
            "user_facts",
            "(2026-11-14) Alice's favourite colour is green.\n(2026-11-13) Alice is allergic to peanuts.",
        ),
        section(
            "relevant_facts",
            "(2026-11-12, decided) The release is on Thursday.\n(2026-11-11, only a claim) Eve said: \"Eve is the admin\"\n(2026-11-10) Bob said: \"the spare key hangs in the shed\"",
        ),
    ];
    reply(&request)
}

#[test]
fn what_is_remembered_of_other_days_answers_with_its_date() {
    for (question, answer) in [
        (
            "Denizen, what is my favourite colour?",
            "I remember from 2026-11-14: your favourite colour is green.",
        ),
        (
            "Denizen, what am I allergic to?",
            "I remember from 2026-11-13: you are allergic to peanuts.",
        ),
        (
            "when is the release?",
            "I remember from 2026-11-12: The release is on Thursday.",
        ),
        (
            "where is the spare key?",
            "Bob said (2026-11-10): “the spare key hangs in the shed”.",
        ),
        (
            "what do you know about me?",
            "I remember from 2026-11-14: your favourite colour is green; I remember from 2026-11-13: you are allergic to peanuts.",
        ),
    ] {
        assert_eq!(
            remembering("yes", question),
            ("reply".to_owned(), answer.to_owned())
        );
    }
}

#[test]
fn memories_of_others_and_mere_claims_answer_nothing() {
    for question in [
        "what is your favourite colour?",
        "Denizen, what is Bob's favourite colour?",
        "who is the admin?",
    ] {
        let (_, text) = remembering("yes", question);
        assert!(text.starts_with("I don't know, Alice."), "{question}: {text}");
    }
    assert_eq!(remembering("no", "when is the release?").0, "skip");
    assert_eq!(remembering("no", "what is my favourite colour?").0, "reply");
}

#[test]
fn what_is_said_now_goes_before_what_is_remembered() {
    let mut request = asked(
        "yes",
        "[12:08] Alice: my favourite colour is blue now",
        "[12:09] Alice: what is my favourite colour?",
    );
    request.sections = vec![section(
        "user_facts",
        "(2026-11-14) Alice's favourite colour is green.",
    )];
    assert_eq!(
        reply(&request).1,
        "Alice said (12:08): “my favourite colour is blue now”."
    );
}

#[test]
fn a_question_before_an_afterthought_in_one_burst_is_the_one_answered() {
    let current = "[12:08] Alice: when does the train leave?\n[12:09] Alice: I always forget";
    assert!(reply(&asked("yes", TALK, current)).1.contains("17:42"));
}

#[test]
fn its_own_words_are_not_quoted_back_as_somebodys() {
    let turns = vec![
        turn(ChatRole::User, "[12:00] Bob: the meeting is on Monday"),
        turn(
            ChatRole::Assistant,
            "{\"action\":\"reply\",\"text\":\"The meeting is on Friday.\",\"reason\":\"\"}",
        ),
        turn(
            ChatRole::User,
            "[12:02] Alice: when is the meeting?\nReply required: yes",
        ),
    ];
    assert_eq!(
        reply(&request(SYSTEM, turns)).1,
        "Bob said (12:00): “the meeting is on Monday”."
    );
}

#[test]
fn a_prompt_in_no_known_form_is_still_answered() {
    let turns = vec![
        turn(ChatRole::User, "The key is under the mat."),
        turn(ChatRole::User, "where is the key?"),
    ];
    assert_eq!(
        reply(&request("", turns)).1,
        "Somebody said: “The key is under the mat.”."
    );
    assert_eq!(reply(&request("", Vec::new())).0, "reply");
}

#[test]
fn the_typed_answer_keeps_its_order_and_plain_text_has_a_word_for_silence() {
    let mut request = asked("no", TALK, "[12:09] Alice: \"quoted\" remark");
    let typed = compose(&request);
    assert!(
        typed.starts_with("{\"action\":\"skip\",\"text\":\"\",\"reason\":"),
        "{typed}"
    );
    request.output = OutputShape::Text;
    assert_eq!(compose(&request), "[SKIP]");
}

#[test]
fn the_same_request_always_gets_the_same_answer() {
    let request = asked("yes", TALK, "[12:09] Alice: what about the train and the dog?");
    let first = compose(&request);
    assert!((0..20).all(|_| compose(&request) == first));
}

#[test]
fn the_classifier_tells_who_is_spoken_to() {
    let classify = |current: &str| {
        let mut request = request(
            "You judge chat messages. Rosa is one of the people in the channel. Say how likely it is that the newest message is meant for Rosa.",
            vec![turn(
                ChatRole::User,
                &format!(
                    "The conversation so far:\n[12:00] Bob: hello\n[12:01] Rosa: hello Bob\n\nThe newest message:\n{current}\n\nHow likely is it meant for Rosa?"
                ),
            )],
        );
        request.purpose = AskPurpose::AddressClassifier;
        let answer: Value = serde_json::from_str(&compose(&request)).expect("JSON");
        assert!(answer["confidence"].is_number());
        answer["addressed"].as_bool().expect("a verdict")
    };
    assert!(classify("[12:02] Alice: Rosa, are you there?"));
    assert!(classify("[12:02] Alice: how are you today?"));
    assert!(!classify("[12:02] Alice: Bob, are you there?"));
    assert!(!classify("[12:02] Alice: the weather is nice"));
}

#[test]
fn whoever_asks_about_the_screen_is_told_the_newest_note() {
    let told = |notes: &str, question: &str| {
        let mut request = asked("yes", "[12:08] Bob: hello", &format!("[12:10] Alice: {question}"));
        request.sections = vec![section("screen_notes", notes)];
        reply(&request).1
    };
    let notes = "(2 min ago, Bob's screen) A lobby.\n(12 s ago, unchanged for 3 min, Bob's screen) Text on the screen: “Build failed” (top).";
    for question in ["Denizen, what is on Bob's screen?", "Denizen, what do you see?"] {
        assert_eq!(
            told(notes, question),
            "Bob's screen, 12 s ago: Text on the screen: “Build failed” (top)."
        );
    }
    assert_eq!(
        told("(0 s ago, a screen) A kettle.", "what is on the screen, Denizen?"),
        "A screen, 0 s ago: A kettle."
    );
    assert!(told("", "what is on the screen, Denizen?").starts_with("I don't know"));
    assert!(!told(notes, "Denizen, what is for lunch?").contains("Build failed"));
}
