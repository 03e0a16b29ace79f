//! Conversations that are kept at a service, by the double of each, over a real socket: what it hears is kept and not
//! answered, it answers when it is asked, calls tools, is stopped, and comes back after a connection that broke.

use std::sync::Arc;
use std::time::Duration;

use realtime::{Realtime, RealtimeKeys};
use realtime_double::{Mischief, Reply, ServiceDouble, Vendor};
use runtime::ports::{
    NativeClip, NativeConversation, NativeInstructions, NativePiece, RealtimeFault, RealtimeServices as _,
};
use serde_json::json;
use settings::{Document, Settings};
use tokio::sync::mpsc;
use tokio::time::Instant;
use vocabulary::{Span, ToolCall, ToolResult, ToolSpec};

const SERVICES: [(&str, &str, &str); 4] = [
    ("openai", "voice.openaiRealtime.baseUrl", "/v1"),
    ("xai", "voice.xaiRealtime.baseUrl", "/v1"),
    ("gemini", "voice.geminiRealtime.baseUrl", ""),
    ("elevenlabs", "voice.elevenLabsRealtime.baseUrl", ""),
];
const ANSWER: &str = "It is half past three, and the kettle is on.";

/// A double, and a conversation there.
async fn conversation(name: &str) -> (ServiceDouble, Arc<dyn NativeConversation>) {
    conversation_with(name, &[]).await
}

/// The same, where things go wrong from the beginning.
async fn conversation_with(name: &str, faults: &[Mischief]) -> (ServiceDouble, Arc<dyn NativeConversation>) {
    let vendor = if name == "xai" {
        Vendor::Xai
    } else {
        Vendor::OpenAi
    };
    let double = ServiceDouble::start(vendor).await;
    double.replies_always(ANSWER);
    faults.iter().for_each(|fault| double.fault(*fault));
    let (_, knob, path) = SERVICES
        .iter()
        .find(|(other, ..)| *other == name)
        .expect("a service");
    let mut document = Document::default();
    document.set("voice.realtimeProvider", json!(name));
    document.set("voice.elevenLabsRealtime.agentId", json!("agent_1"));
    document.set(*knob, json!(double.url(path)));
    let settings = Settings::read(&document).expect("settings");
    let service = Realtime::new(RealtimeKeys::default())
        .chosen(&settings)
        .expect("it can be used");
    let conversation = service.converse().expect("it thinks");
    conversation.instruct(NativeInstructions {
        text: "You are Denizen, and kind.".to_owned(),
        tools: vec![ToolSpec {
            name: "look_up".to_owned(),
            description: "Looks something up.".to_owned(),
            parameters: json!({"type": "object", "properties": {"what": {"type": "string"}}}),
        }],
    });
    (double, conversation)
}

fn clip(who: &str) -> NativeClip {
    NativeClip {
        speakers: vec![who.to_owned()],
        samples: (0..16_000)
            .map(|at| (at % 100) as i16 * 50)
            .collect::<Vec<_>>()
            .into(),
        wants_words: true,
    }
}

async fn hear(conversation: &Arc<dyn NativeConversation>, who: &str) -> Result<String, RealtimeFault> {
    let deadline = Instant::now() + Duration::from_secs(20);
    conversation
        .hear(clip(who), deadline)
        .await
        .map(|heard| heard.text)
}

#[derive(Debug, Default)]
struct Told {
    seconds: f64,
    words: String,
    calls: Vec<ToolCall>,
    spent: Option<vocabulary::Usage>,
    over: Option<Result<vocabulary::Usage, RealtimeFault>>,
}

impl Told {
    async fn of(mut pieces: mpsc::Receiver<NativePiece>) -> Self {
        let mut told = Self::default();
        while let Some(piece) = pieces.recv().await {
            assert!(told.over.is_none(), "{piece:?} after the end");
            told.take(piece);
        }
        told
    }

    fn take(&mut self, piece: NativePiece) {
        match piece {
            NativePiece::Sound(sound) => self.seconds += sound.samples.len() as f64 / f64::from(sound.rate),
            NativePiece::Words(words) => self.words += &words,
            NativePiece::Call(call) => self.calls.push(call),
            NativePiece::Spent(usage) => self.spent = Some(usage),
            NativePiece::Over(result) => self.over = Some(result),
        }
    }

    fn is_whole(&self, answer: &str) -> bool {
        let expected = answer.chars().count() as f64 * 0.06;
        self.words.trim() == answer
            && (self.seconds - expected).abs() < 0.2
            && matches!(self.over, Some(Ok(_)))
    }
}

/// What the double was told and heard, without what it is to be.
fn known(double: &ServiceDouble, connection: u64) -> Vec<String> {
    let known = double.known().into_iter();
    known
        .filter(|(on, who, _)| *on == connection && who != "system")
        .map(|(_, _, what)| what)
        .collect()
}

/// The connection on which answers are asked for.
fn talking(double: &ServiceDouble) -> u64 {
    let is_it = |received: &&realtime_double::Received| {
        let frame = &received.frame;
        let kinds = ["response.create", "user_message", "client_tool_result"];
        kinds.contains(&frame["type"].as_str().unwrap_or_default())
            || frame["realtimeInput"].get("text").is_some()
            || frame.get("toolResponse").is_some()
            || frame["setup"].get("outputAudioTranscription").is_some()
                && frame["setup"].get("tools").is_some()
    };
    let received = double.received();
    received
        .iter()
        .rev()
        .find(is_it)
        .expect("it was asked")
        .connection
}

#[tokio::test]
async fn what_it_hears_is_kept_and_not_answered_until_it_is_asked() {
    for (name, ..) in SERVICES {
        let (double, conversation) = conversation(name).await;
        double.hears("Good morning.");
        double.hears("What time is it?");
        assert_eq!(
            hear(&conversation, "Ada").await.as_deref(),
            Ok("Good morning."),
            "{name}"
        );
        conversation.tell("Cleo came in.".to_owned());
        assert_eq!(
            hear(&conversation, "Bob").await.as_deref(),
            Ok("What time is it?"),
            "{name}"
        );
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(told.is_whole(ANSWER), "{name}: {told:?}");
        let known = known(&double, talking(&double)).join(" | ");
        let places: Vec<_> = ["Ada", "Good morning.", "Cleo came in.", "Bob", ANSWER]
            .iter()
            .map(|what| known.find(what))
            .collect();
        let is_in_order = places
            .windows(2)
            .all(|pair| pair[0].is_some() && pair[0] < pair[1]);
        assert!(is_in_order, "{name}: {known}");
        // Nobody but Denizen decides when something is over.
        for received in double.received() {
            let session = &received.frame["session"];
            if session["audio"]["input"].is_object() {
                let detection = match name {
                    "xai" => session["turn_detection"]["type"].clone(),
                    _ => session["audio"]["input"]["turn_detection"].clone(),
                };
                assert_eq!(detection, json!(null), "{name}");
            }
            if let Some(setup) = received.frame.get("setup") {
                assert_eq!(
                    setup["realtimeInputConfig"]["automaticActivityDetection"]["disabled"],
                    true
                );
            }
            assert!(
                received.frame.get("user_audio_chunk").is_none(),
                "an agent would answer it"
            );
        }
        let after = conversation.known().borrow().clone();
        assert_eq!((after.begun, after.clips), (1, 2), "{name}: {after:?}");
    }
}

#[tokio::test]
async fn who_speaks_at_once_is_named_before_the_one_clip_of_them() {
    for (name, ..) in SERVICES {
        let (double, conversation) = conversation(name).await;
        let together = NativeClip {
            speakers: vec!["Ada".to_owned(), "Bob".to_owned()],
            ..clip("")
        };
        double.hears("Tea, or a walk?");
        let deadline = Instant::now() + Duration::from_secs(20);
        let heard = conversation.hear(together, deadline).await.expect("words");
        assert_eq!(heard.text, "Tea, or a walk?", "{name}");
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(told.is_whole(ANSWER), "{name}: {told:?}");
        let (connection, received) = (talking(&double), double.received());
        let frames = received
            .iter()
            .filter(|received| received.connection == connection);
        let frames: Vec<String> = frames.map(|received| received.frame.to_string()).collect();
        let place = |what: &str| frames.iter().position(|frame| frame.contains(what));
        // One of them is no ear: it is given words.
        let (line, clip) = match name {
            "elevenlabs" => ("Ada and Bob: Tea, or a walk?", "Tea, or a walk?"),
            "gemini" => ("Ada and Bob say at once:", "audio/pcm"),
            _ => ("Ada and Bob say at once:", "input_audio_buffer.append"),
        };
        let (named, heard) = (place(line), place(clip));
        assert!(named.is_some() && named <= heard, "{name}: {named:?} {heard:?}");
        let named = frames.iter().filter(|frame| frame.contains("Ada and Bob"));
        assert_eq!(named.count(), 1, "{name}");
    }
}

#[tokio::test]
async fn a_conversation_is_taken_up_by_the_next_model_where_the_first_turns_out_not_to_be_there() {
    for (name, next) in [
        ("openai", "gpt-realtime-2.1"),
        ("xai", "grok-voice-think-fast-2.0"),
        ("gemini", "gemini-3.8-live-extended-thinking"),
    ] {
        let (double, conversation) = conversation_with(name, &[Mischief::UnknownModelOnceSetUp]).await;
        double.hears("What time is it?");
        assert_eq!(
            hear(&conversation, "Ada").await.as_deref(),
            Ok("What time is it?"),
            "{name}"
        );
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(told.is_whole(ANSWER), "{name}: {told:?}");
        let engine = conversation.engine();
        assert!(engine.ends_with(next), "{name}: {engine}");
    }
}

#[tokio::test]
async fn a_tool_is_called_and_what_it_gave_goes_back() {
    for (name, ..) in SERVICES {
        let (double, conversation) = conversation(name).await;
        double.replies(Reply::Call {
            name: "look_up".to_owned(),
            arguments: json!({"what": "tea"}),
        });
        hear(&conversation, "Ada").await.expect("words");
        let told = Told::of(conversation.answer(String::new())).await;
        let [call] = &told.calls[..] else {
            panic!("{name}: {told:?}");
        };
        assert_eq!(
            (call.name.as_str(), &call.arguments),
            ("look_up", &json!({"what": "tea"})),
            "{name}"
        );
        assert!(matches!(told.over, Some(Ok(_))), "{name}: {told:?}");
        conversation.give_results(vec![ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text: "Tea is a drink.".to_owned(),
            failed: false,
        }]);
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(told.is_whole(ANSWER), "{name}: {told:?}");
        let known = known(&double, talking(&double));
        assert!(
            known.iter().any(|what| what.contains("Tea is a drink.")),
            "{name}: {known:?}"
        );
    }
}

#[tokio::test]
async fn whoever_speaks_over_it_stops_it_and_the_next_answer_is_clean() {
    for (name, ..) in SERVICES {
        let (double, conversation) = conversation(name).await;
        double.replies(Reply::Words(ANSWER.repeat(8)));
        double.fault(Mischief::GoOnAfterCancel);
        hear(&conversation, "Ada").await.expect("words");
        let mut pieces = conversation.answer(String::new());
        let mut heard = Told::default();
        while heard.seconds < 0.5 {
            heard.take(pieces.recv().await.expect("it goes on"));
        }
        conversation.stop(Span(300));
        let next = Told::of(conversation.answer(String::new())).await;
        assert!(next.is_whole(ANSWER), "{name}: {next:?}");
        let rest = Told::of(pieces).await;
        assert!(matches!(rest.over, Some(Ok(_))), "{name}: it ends once: {rest:?}");
        match name {
            "openai" | "xai" => assert_eq!(
                double.truncated().iter().map(|(_, ms)| *ms).collect::<Vec<_>>(),
                [300]
            ),
            _ => {
                let known = known(&double, talking(&double)).join(" | ");
                assert!(
                    known.contains("Of your last answer only this was heard"),
                    "{name}: {known}"
                );
            }
        }
    }
}

#[tokio::test]
async fn after_a_connection_that_broke_it_knows_what_was_said_and_says_nothing_twice() {
    for (name, ..) in SERVICES {
        let (double, conversation) = conversation(name).await;
        double.hears("My name is Ada.");
        double.hears("What is my name?");
        hear(&conversation, "Ada").await.expect("words");
        double.fault(Mischief::DropInSpeech);
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(matches!(told.over, Some(Err(_))), "{name}: {told:?}");
        assert!(told.seconds < 1.0, "{name}: {told:?}");
        hear(&conversation, "Ada").await.expect("words");
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(told.is_whole(ANSWER), "{name}: {told:?}");
        let (connection, all) = (talking(&double), double.known());
        let known = known(&double, connection).join(" | ");
        // Gemini's session is taken up again by its handle, and is not told again what it knows.
        let is_resumed = double.received().iter().any(|received| {
            received.connection == connection
                && received.frame["setup"]["sessionResumption"]["handle"].is_string()
        });
        assert!(is_resumed == (name == "gemini"), "{name}");
        assert!(known.contains("My name is Ada.") || is_resumed, "{name}: {known}");
        let is_told = |(on, who, what): &(u64, String, String)| {
            *on == connection && who == "system" && what.contains("Denizen, and kind")
        };
        assert!(
            name == "openai" || name == "xai" || all.iter().any(is_told),
            "{name}: {all:?}"
        );
    }
}

#[tokio::test]
async fn transcripts_that_come_in_another_order_are_those_of_their_clips() {
    let (double, conversation) = conversation("openai").await;
    double.hears("I am Ada.");
    double.hears("I am Bob.");
    double.fault(Mischief::SwapTranscripts);
    let (ada, bob) = tokio::join!(hear(&conversation, "Ada"), hear(&conversation, "Bob"));
    assert_eq!(
        (ada.as_deref(), bob.as_deref()),
        (Ok("I am Ada."), Ok("I am Bob."))
    );
}

#[tokio::test]
async fn an_answer_that_is_refused_ends_at_once_and_a_key_is_told() {
    let (double, conversation) = conversation("openai").await;
    double.fault(Mischief::RefuseAnswer);
    let told = Told::of(conversation.answer(String::new())).await;
    let fault = told.over.expect("it ends").expect_err("it is refused");
    assert!(
        fault.fault.detail.contains("That cannot be answered."),
        "{fault:?}"
    );
    double.fault(Mischief::RefuseKey);
    double.cut();
    let told = Told::of(conversation.answer(String::new())).await;
    let fault = told.over.expect("it ends").expect_err("the key is refused");
    assert!(fault.fault.detail.contains("REALTIME_API_KEY"), "{fault:?}");
}

#[tokio::test]
async fn what_an_answer_cost_that_nobody_waited_for_is_on_the_next_bill() {
    let (double, conversation) = conversation("openai").await;
    let plain = Told::of(conversation.answer(String::new())).await;
    let plain = plain.over.expect("it ends").expect("it is whole").output_tokens;
    double.replies(Reply::Words(ANSWER.repeat(8)));
    let mut pieces = conversation.answer(String::new());
    pieces.recv().await.expect("it begins");
    drop(pieces);
    let next = Told::of(conversation.answer(String::new())).await;
    let next = next.over.expect("it ends").expect("it is whole").output_tokens;
    assert_eq!(next, 2 * plain);
}

#[tokio::test]
async fn a_service_that_says_nothing_and_charges_is_paid_for_each_time() {
    let (double, conversation) = conversation("openai").await;
    double.replies(Reply::Words(String::new()));
    double.replies(Reply::Words(String::new()));
    for _ in 0..2 {
        let told = Told::of(conversation.answer(String::new())).await;
        assert!(matches!(told.over, Some(Err(_))), "{told:?}");
        let spent = told.spent.expect("it was not free");
        assert!(spent.input_tokens > 0, "{spent:?}");
    }
    let plain = Told::of(conversation.answer(String::new())).await;
    assert!(plain.is_whole(ANSWER) && plain.spent.is_none(), "{plain:?}");
}

#[tokio::test]
async fn without_an_agent_elevenlabs_has_nothing_that_thinks() {
    let double = ServiceDouble::start(Vendor::OpenAi).await;
    let mut document = Document::default();
    document.set("voice.realtimeProvider", json!("elevenlabs"));
    document.set("voice.elevenLabsRealtime.baseUrl", json!(double.url("")));
    let settings = Settings::read(&document).expect("settings");
    let service = Realtime::new(RealtimeKeys::default())
        .chosen(&settings)
        .expect("it can be used");
    assert!(service.converse().is_none());
}
