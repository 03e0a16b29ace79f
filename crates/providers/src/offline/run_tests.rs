//! Whole asks of the built-in model about screens, with a reader that is told what stands there.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use runtime::ports::{Language, RawResponse, ReadLine, TextReader, Undecodable};
use serde_json::{Value, json};
use settings::{Document, Settings};
use tokio::sync::mpsc;
use vocabulary::{
    AskFailure, AskFailureKind, AskOutcome, AskPurpose, AttachmentId, CommunityId, FrameId, ModelRequest,
    OutputShape, PictureKind, Span,
};

use super::screen_testing::request;
use crate::{Keys, Models};

const MEASURED: &str =
    "activity=moving score=0.0123 region=\"in the top left\" trigger=interval size=1280x720";

/// A screen with more on it than a note can hold.
const DENSE: [&str; 12] = [
    "alpha line of a dense screen with many words in it, more than a note can hold",
    "bravo line of a dense screen, said otherwise so that it is another line altogether",
    "charlie wrote this on the third row of the page where nobody looks for it",
    "delta describes quite different things such as ships and harbours and gulls",
    "echo repeats nothing, but it talks about mountains, valleys and a river",
    "foxtrot is a dance, and dancing is what people do on a floor made of wood",
    "golf needs a lawn, a hole, a ball, and the patience of somebody retired",
    "hotel rooms have numbers, keys, towels and a small bar with prices on it",
    "india has elephants, spices, trains with many coaches and long timetables",
    "juliet stands on a balcony while somebody below recites verses at night",
    "kilo is a thousand, which is ten times ten times ten of whatever it is",
    "lima lies by the sea, under a grey sky, and its food is praised by all",
];

/// Reads what it was told, one picture after the other.
#[derive(Default)]
struct ToldReader {
    screens: Mutex<VecDeque<Result<Vec<&'static str>, &'static str>>>,
    seen: Mutex<Vec<(PictureKind, Bytes)>>,
    pause: Duration,
}

#[async_trait]
impl TextReader for ToldReader {
    async fn read(&self, kind: PictureKind, bytes: Bytes) -> Result<Vec<ReadLine>, Undecodable> {
        tokio::time::sleep(self.pause).await;
        self.seen.lock().unwrap().push((kind, bytes));
        let screen = self
            .screens
            .lock()
            .unwrap()
            .pop_front()
            .expect("a screen is left");
        let texts = screen.map_err(|why| Undecodable(why.to_owned()))?;
        let line = |(index, text): (usize, &str)| ReadLine {
            text: text.to_owned(),
            left: 0.4,
            top: index as f32 * 0.1,
            width: 0.2,
            height: 0.03,
            confidence: 0.95,
        };
        Ok(texts.into_iter().enumerate().map(line).collect())
    }

    fn name(&self) -> String {
        "the told reader".to_owned()
    }
}

fn reader(screens: Vec<Result<Vec<&'static str>, &'static str>>) -> Arc<ToldReader> {
    Arc::new(ToldReader {
        screens: Mutex::new(screens.into()),
        ..ToldReader::default()
    })
}

/// Models whose screens are read unless `voice.streamWatch.textReader` is off.
async fn models(reader: Arc<ToldReader>) -> Models {
    Models::new(Keys::default()).reading_with(Box::new(move |settings| {
        (settings.stream_watch.text_reader != settings::TextReaderKind::Off)
            .then(|| reader.clone() as Arc<dyn TextReader>)
    }))
}

fn picture() -> BTreeMap<AttachmentId, Bytes> {
    BTreeMap::from([(FrameId(7).attachment(), Bytes::from_static(b"a jpeg"))])
}

fn asking_json(mut request: ModelRequest) -> ModelRequest {
    let schema = json!({"properties": {"note": {}, "why": {}, "nothing_new": {}}});
    request.output = OutputShape::Json {
        name: "screen_note".to_owned(),
        words: None,
        schema,
    };
    request
}

async fn ask(models: &Models, request: &ModelRequest) -> Result<String, AskFailure> {
    ask_under(models, request, &Settings::default()).await
}

async fn ask_under(
    models: &Models,
    request: &ModelRequest,
    settings: &Settings,
) -> Result<String, AskFailure> {
    ask_as(models, request, settings, None).await
}

async fn ask_as(
    models: &Models,
    request: &ModelRequest,
    settings: &Settings,
    community: Option<&str>,
) -> Result<String, AskFailure> {
    let mut prepared = models.prepare(request, &picture(), settings)?;
    prepared.community = community.map(CommunityId::from);
    let (deltas, mut pieces) = mpsc::channel(256);
    let sent = models.send(request, &prepared, deltas, RawResponse::default());
    match sent.await {
        AskOutcome::Answered(answer) => {
            let mut streamed = String::new();
            while let Ok(piece) = pieces.try_recv() {
                streamed.push_str(&piece.0);
            }
            assert_eq!(streamed, answer.text);
            Ok(answer.text)
        }
        AskOutcome::Failed(failure) => Err(failure),
    }
}

#[tokio::test]
async fn a_note_is_what_stands_on_the_screen() {
    let reader = reader(vec![Ok(vec!["Build failed: 3 errors", "main.rs"])]);
    let models = models(reader.clone()).await;
    let note = ask(&models, &request(MEASURED, "")).await.expect("a note");
    assert_eq!(
        note,
        "Text on the screen: “Build failed: 3 errors” (top), “main.rs” (top)."
    );
    let seen = reader.seen.lock().unwrap();
    assert_eq!(*seen, [(PictureKind::Jpeg, Bytes::from_static(b"a jpeg"))]);
}

#[tokio::test]
async fn json_is_given_where_json_is_asked_for() {
    let models = models(reader(vec![Ok(vec!["Welcome to the lobby"])])).await;
    let answer = ask(&models, &asking_json(request(MEASURED, "")))
        .await
        .expect("a note");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!(
        answer,
        json!({"note": "Text on the screen: “Welcome to the lobby” (top).", "why": "", "nothing_new": false})
    );
}

#[tokio::test]
async fn a_line_that_the_note_had_no_room_for_is_not_new_later() {
    let mut changed = DENSE.to_vec();
    changed.push("zulu has just appeared");
    let models = models(reader(vec![Ok(DENSE.to_vec()), Ok(DENSE.to_vec()), Ok(changed)])).await;
    let first = ask(&models, &request(MEASURED, "")).await.expect("a note");
    assert!(!first.contains("lima"), "{first}");
    let previous = format!("(9 s ago, Alice's screen) {first}");
    let second = ask(&models, &request(MEASURED, &previous))
        .await
        .expect("an answer");
    assert_eq!(second, "[SKIP]");
    let third = ask(&models, &request(MEASURED, &previous)).await.expect("a note");
    assert_eq!(
        third,
        "New on the screen: “zulu has just appeared” (bottom); most of the change was in the top left."
    );
}

#[tokio::test]
async fn what_was_read_in_one_community_is_not_known_in_another() {
    let screens = vec![Ok(DENSE.to_vec()), Ok(DENSE.to_vec()), Ok(DENSE.to_vec())];
    let models = models(reader(screens)).await;
    let settings = Settings::default();
    let ask = async |request: &ModelRequest, community| {
        ask_as(&models, request, &settings, Some(community))
            .await
            .expect("an answer")
    };
    let first = ask(&request(MEASURED, ""), "attic").await;
    let again = request(MEASURED, &format!("(9 s ago, Alice's screen) {first}"));
    let elsewhere = ask(&again, "cellar").await;
    assert!(
        elsewhere.starts_with("New on the screen"),
        "it knows the words of the note alone: {elsewhere}"
    );
    assert_eq!(ask(&again, "attic").await, "[SKIP]");
}

#[tokio::test]
async fn a_picture_that_is_gone_and_a_reader_that_fails_are_said() {
    let models = models(reader(vec![Err("the program has crashed")])).await;
    let failure = ask(&models, &request(MEASURED, "")).await.expect_err("it fails");
    assert_eq!(failure.kind, AskFailureKind::Unavailable);
    assert_eq!(
        failure.detail,
        "the told reader could not read the screen: the program has crashed"
    );

    let gone = models.prepare(&request(MEASURED, ""), &BTreeMap::new(), &Settings::default());
    let failure = gone.expect_err("there is nothing to look at");
    assert_eq!(failure.kind, AskFailureKind::Unavailable);
    assert!(failure.detail.contains("not kept any more"), "{}", failure.detail);
}

#[tokio::test]
async fn a_slow_reader_does_not_outlast_the_deadline() {
    let slow = Arc::new(ToldReader {
        pause: Duration::from_secs(30),
        ..ToldReader::default()
    });
    let models = models(slow).await;
    let mut request = request(MEASURED, "");
    request.deadline = Span(30);
    let failure = ask(&models, &request).await.expect_err("it takes too long");
    assert_eq!(failure.kind, AskFailureKind::TimedOut);
    assert!(
        failure.detail.contains("noteTimeoutSeconds"),
        "{}",
        failure.detail
    );
}

#[tokio::test]
async fn who_reads_is_a_matter_of_the_settings_of_each_request() {
    let models = models(reader(vec![Ok(vec!["Welcome to the lobby"])])).await;
    let off = json!({"voice.streamWatch.textReader": "off"});
    let off = Settings::read(&Document::from_value(off).expect("an object")).expect("valid");
    let note = ask_under(&models, &request(MEASURED, ""), &off)
        .await
        .expect("a note");
    assert!(note.contains("install tesseract"), "{note}");
    let note = ask(&models, &request(MEASURED, "")).await.expect("a note");
    assert!(note.contains("Welcome to the lobby"), "{note}");
}

#[tokio::test]
async fn it_never_comments() {
    let models = models(reader(Vec::new())).await;
    let mut commentary = request(MEASURED, "");
    commentary.purpose = AskPurpose::ScreenCommentary;
    assert_eq!(ask(&models, &commentary).await.expect("an answer"), "[SKIP]");
    let answer = ask(&models, &asking_json(commentary)).await.expect("an answer");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert_eq!((&answer["action"], &answer["text"]), (&json!("skip"), &json!("")));
    assert!(
        answer["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("does not see"))
    );
}
