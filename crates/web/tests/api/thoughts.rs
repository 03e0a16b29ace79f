//! Thoughts of its own: how they stand, a trial, and dropping the one that is held.

use std::sync::Arc;

use async_trait::async_trait;
use mind::ambient::view::{AmbientView, RunStage, RunView, ThoughtView};
use mind::{Input, OperatorWish};
use reqwest::Method;
use runtime::ports::{MadeMedia, MediaFault, MediaMaker, OutboundServices, ToolStatus, Toolbox};
use serde_json::json;
use settings::Settings;
use vocabulary::{MediaKind, MediaOrder, OutsideTool, Span, ToolCall, TurnId, WallTime};

use crate::caller::answer;
use crate::driver::{House, open, open_reaching};

pub fn run(ended: bool) -> RunView {
    RunView {
        turn: TurnId(7),
        started_at: WallTime(1_000),
        ended_at: ended.then_some(WallTime(2_000)),
        stage: if ended { RunStage::Done } else { RunStage::Thinking },
        revisits: false,
        steps: Vec::new(),
        decision: None,
        post: None,
        outcome: String::new(),
    }
}

pub fn thought() -> ThoughtView {
    ThoughtView {
        text: "Has anybody seen the new lighthouse?".to_owned(),
        room: "lounge".into(),
        media: None,
        reason: "nobody is there".to_owned(),
        created_at: WallTime(1_000),
        expires_at: WallTime(9_000),
        history: Vec::new(),
        room_moved_on: false,
    }
}

fn heard(house: &House) -> Vec<Input> {
    house.store.kept().heard.clone()
}

async fn drop_thought(house: &House) -> crate::caller::Answer {
    answer(house.caller.request(Method::DELETE, "/api/ambient/thought")).await
}

#[tokio::test]
async fn the_view_is_shown_as_the_mind_has_it() {
    let house = open().await;
    house.ambient.change(|view| {
        view.eagerness = 77;
        view.interests = vec!["lighthouses".to_owned()];
    });
    let shown = house.caller.get("/api/ambient").await.ok(200);
    assert_eq!(shown["eagerness"], 77);
    assert_eq!(shown["interests"], json!(["lighthouses"]));
    assert_eq!(shown["attention"]["state"], "ambient");
}

#[tokio::test]
async fn a_trial_is_asked_for_once_at_a_time() {
    let house = open().await;
    let nothing = json!({});
    let think = || house.caller.post("/api/ambient/think", &nothing);
    assert_eq!(think().await.ok(202), json!({}));
    assert_eq!(heard(&house), [Input::Operator(OperatorWish::ThinkNow)]);
    let busy: [fn(&mut AmbientView); 2] = [
        |view| view.run = Some(run(false)),
        |view| (view.run, view.trial) = (None, Some(run(false))),
    ];
    for change in busy {
        house.ambient.change(change);
        think().await.refused(409, "thinking_already");
    }
    house.ambient.change(|view| view.trial = Some(run(true)));
    think().await.ok(202);
    assert_eq!(
        heard(&house),
        [
            Input::Operator(OperatorWish::ThinkNow),
            Input::Operator(OperatorWish::ThinkNow)
        ]
    );
}

#[tokio::test]
async fn a_trial_needs_no_body_at_all() {
    let house = open().await;
    let bare = answer(house.caller.request(Method::POST, "/api/ambient/think")).await;
    bare.ok(202);
}

#[tokio::test]
async fn the_thought_that_is_held_can_be_dropped() {
    let house = open().await;
    drop_thought(&house).await.refused(404, "no_thought");
    house.ambient.change(|view| view.thought = Some(thought()));
    let shown = house.caller.get("/api/ambient").await.ok(200);
    assert_eq!(shown["thought"]["createdAt"], 1_000);
    drop_thought(&house).await.ok(204);
    assert_eq!(heard(&house), [Input::Operator(OperatorWish::ThoughtDropped)]);
}

#[tokio::test]
async fn when_it_stops_everything_says_so() {
    let mut house = open().await;
    house.stop_driver().await;
    house.caller.get("/api/ambient").await.refused(503, "stopping");
    house
        .caller
        .post("/api/ambient/think", &json!({}))
        .await
        .refused(503, "stopping");
    drop_thought(&house).await.refused(503, "stopping");
}

struct Shed;

fn status(name: &str, ready: bool) -> ToolStatus {
    ToolStatus {
        name: name.to_owned(),
        ready,
        detail: "as a test has it".to_owned(),
        tools: vec![format!("{name}__find")],
    }
}

#[async_trait]
impl Toolbox for Shed {
    async fn tools(&self, _: &Settings) -> Vec<OutsideTool> {
        Vec::new()
    }

    async fn changed(&self) {
        std::future::pending().await
    }

    async fn run(&self, _: &ToolCall, _: Span, _: &Settings) -> Result<String, String> {
        Err("nothing here".to_owned())
    }

    async fn status(&self, _: &Settings) -> Vec<ToolStatus> {
        vec![status("notes", true)]
    }
}

#[async_trait]
impl MediaMaker for Shed {
    fn can_make(&self, _: &Settings) -> Vec<MediaKind> {
        Vec::new()
    }

    async fn make(&self, _: &MediaOrder, _: &Settings) -> Result<MadeMedia, MediaFault> {
        Err(MediaFault {
            detail: "nothing here".to_owned(),
            refused: false,
        })
    }

    fn status(&self, _: &Settings) -> Vec<ToolStatus> {
        vec![status("image", false)]
    }
}

#[tokio::test]
async fn every_part_that_reaches_out_says_how_it_is() {
    let outbound = OutboundServices {
        toolboxes: vec![Arc::new(Shed), Arc::new(Shed)],
        studio: Arc::new(Shed),
        ..OutboundServices::none()
    };
    let house = open_reaching(|_| {}, 100, false, outbound).await;
    let reach = house.caller.get("/api/ambient/status").await.ok(200);
    assert_eq!(reach["tools"].as_array().unwrap().len(), 2);
    assert_eq!(
        reach["media"],
        json!([{"name": "image", "ready": false, "detail": "as a test has it", "tools": ["image__find"]}])
    );
}
