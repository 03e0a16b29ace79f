//! A picture in a reply, through the whole program: asked for, made by a server that paints, sent, seen and known of.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Gate, Home, ModelServer, Painter, Process, eventually, quick};

const WISH: &str = "a cat on a bicycle, in crayon";

struct Given {
    model: ModelServer,
    painter: Painter,
    home: Home,
}

fn given(model: ModelServer, painter: Painter) -> Given {
    let home = Home::new();
    let mut settings = quick(&model);
    settings["media.imageProvider"] = json!("openai");
    settings["media.imageUrl"] = json!(painter.url);
    settings["initiative.discovery.allowReplyImages"] = json!(true);
    settings["initiative.discovery.allowedImageModels"] = json!(["crayons"]);
    home.configure(&settings);
    Given { model, painter, home }
}

/// The model asks for the picture, and then says these words.
fn draws(model: &ModelServer, words: &str) {
    model.next([
        Answer::calls("make_picture", &json!({"prompt": WISH})),
        Answer::says(words),
    ]);
}

/// The shell has told the mind what it can make.
async fn can_paint(process: &Process) {
    eventually("pictures can be made", async || {
        let journal = process.journal().await;
        let told = journal
            .iter()
            .rfind(|line| line["name"] == "capabilities_changed")?;
        (told["data"]["media"] == json!(["image"])).then_some(())
    })
    .await;
}

async fn pictures(process: &Process) -> Vec<Value> {
    let messages = process.messages().await;
    let attached = messages
        .iter()
        .filter_map(|message| message["attachments"].as_array());
    attached.flatten().cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_that_is_asked_for_comes_with_the_reply_and_is_known_of_afterwards() {
    let gate = Gate::closed();
    gate.open();
    let given = given(ModelServer::start().await, Painter::behind(&gate).await);
    let process = given.home.start().await;
    can_paint(&process).await;
    draws(&given.model, "There he goes!");
    let message = process.say("Alice", "Denizen, draw me a cat on a bicycle").await;
    assert_eq!(process.answer_to(&message).await, "There he goes!");
    let painted = given.painter.asked();
    assert_eq!(painted.len(), 1, "{painted:?}");
    assert_eq!(
        (&painted[0]["prompt"], &painted[0]["model"]),
        (&json!(WISH), &json!("crayons"))
    );

    let attached = pictures(&process).await;
    let [picture] = attached.as_slice() else {
        panic!("one picture is in the room: {attached:?}")
    };
    assert_eq!(
        (&picture["mime"], &picture["description"]),
        (&json!("image/png"), &json!(WISH))
    );
    let id = picture["id"].as_str().expect("an id");
    let (status, _) = process
        .call_raw(Method::GET, &format!("/api/attachments/{id}"), String::new())
        .await;
    assert!(status.is_success(), "{status}");

    let why = given
        .home
        .run(&["why", &message, "--url", &process.url])
        .succeeded();
    for words in ["being made by crayons", "The picture is there"] {
        assert!(why.contains(words), "{words}: {why}");
    }

    let later = process.say("Alice", "Denizen, what did you draw?").await;
    process.answer_to(&later).await;
    let asked = given.model.asked();
    assert!(asked[0].body.contains("make_picture"), "it was offered");
    let last = &asked.last().expect("it was asked").body;
    assert!(
        last.contains(&format!("You sent along a picture: {WISH}")),
        "{last}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_painter_fails_the_reply_says_so_in_words() {
    let gate = Gate::closed();
    gate.open();
    let given = given(ModelServer::start().await, Painter::behind(&gate).await);
    given.painter.breaks();
    let process = given.home.start().await;
    can_paint(&process).await;
    draws(&given.model, "My crayons are gone.");
    let message = process.say("Alice", "Denizen, draw me a cat").await;
    assert_eq!(process.answer_to(&message).await, "My crayons are gone.");
    assert_eq!(pictures(&process).await, Vec::<Value>::new());
    let failed = process.lines_about(&message, "reply_media_failed").await;
    assert_eq!(failed.len(), 1, "{failed:?}");
    let asked = given.model.asked();
    let told = &asked.last().expect("it was asked").body;
    assert!(
        told.contains("There is no picture") && told.contains("Say so in your reply"),
        "{told}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_it_paints_it_answers_once_and_replays_byte_for_byte() {
    let gate = Gate::closed();
    let given = given(ModelServer::start().await, Painter::behind(&gate).await);
    let mut process = given.home.start().await;
    can_paint(&process).await;
    draws(&given.model, "I was interrupted, and have no picture.");
    let message = process.say("Alice", "Denizen, draw me a cat").await;
    eventually("it paints", async || {
        (!given.painter.asked().is_empty()).then_some(())
    })
    .await;
    process.kill();
    let process = given.home.start().await;
    assert_eq!(
        process.answer_to(&message).await,
        "I was interrupted, and have no picture."
    );
    let failed = process.lines_about(&message, "reply_media_failed").await;
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(
        failed[0]["data"]["detail"],
        "the process ended before it was there"
    );
    assert_eq!(process.said().await.len(), 1);
    assert_eq!(given.painter.asked().len(), 1, "it is not painted again unasked");
    gate.open();
    for recording in given.home.recordings() {
        let replayed = given
            .home
            .run(&["replay", recording.to_str().expect("a plain name")]);
        assert!(replayed.err.contains("are the recorded ones"), "{replayed:#?}");
        replayed.succeeded();
    }
}
