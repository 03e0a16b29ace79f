//! Denizen in the voice channels of Discord: the whole program in a call of a Discord of our own, with somebody who plays a
//! recording into it and hears what it answers.

use std::time::Duration;

use audio::codec::{VoiceCoding, VoiceDecoder, VoiceEncoder};
use audio::{FRAME, Frame};
use discord_voice::{CallEvent, CallPlace, VoiceConnection};
use reqwest::Method;
use serde_json::{Value, json};
use stand_ins::speech::{SPEECH_KEY, SpeechServices};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::discord::Server;
use crate::support::{Answer, Home, ModelServer, Process, eventually};
use crate::voice::spoken;

const QUESTION: &str = "Denizen, what is the capital of France?";

/// A server with two voice channels, and Denizen on it with ears that understand the question in everything.
struct Stage {
    server: Server,
    home: Home,
    process: Process,
    model: ModelServer,
    _ears: SpeechServices,
}

/// Somebody in a call.
struct Caller {
    connection: VoiceConnection,
    events: mpsc::Receiver<CallEvent>,
}

fn id(value: &Value) -> u64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("an id")
}

impl Stage {
    async fn new() -> Self {
        let model = ModelServer::start().await;
        let ears = SpeechServices::start(QUESTION).await;
        let server = Server::start().await;
        for name in ["lounge", "attic"] {
            server.control("channel", json!({"name": name, "type": 2}));
        }
        let home = server.home(&model).with_env("TRANSCRIPTION_API_KEY", SPEECH_KEY);
        for (key, value) in [
            ("voice.joinGreetingSeconds", "0"),
            ("voice.sttPipeline.transcriptionProvider", "compatible"),
            (
                "voice.sttPipeline.transcriptionUrl",
                &format!("{}/v1", ears.address),
            ),
            ("voice.sttPipeline.ttsProvider", "builtin"),
        ] {
            home.run(&["settings", "set", key, value]).succeeded();
        }
        let process = home.start().await;
        server.is_joined().await;
        server.is_offered().await;
        Self {
            server,
            home,
            process,
            model,
            _ears: ears,
        }
    }

    fn user(&self, name: &str) -> u64 {
        id(&self.server.control("user", json!({"name": name}))["id"])
    }

    fn channel(&self, name: &str) -> u64 {
        let state = self.server.control("state", json!({}));
        let channels = state["guilds"][0]["channels"]
            .as_array()
            .expect("channels")
            .clone();
        let found = channels.iter().find(|channel| channel["name"] == name);
        id(&found.expect("it is there")["id"])
    }

    /// Somebody goes into a voice channel.
    fn calls(&self, name: &str, channel: &str) -> Caller {
        let (server, user) = (&self.server, self.user(name));
        server.control("voice", json!({"user": name, "channel": channel}));
        let endpoint = server.control("calls", json!({}))["endpoint"].clone();
        let (connection, events) = VoiceConnection::connect(CallPlace {
            endpoint: endpoint.as_str().expect("a server").to_owned(),
            token: format!("voice-{}-{user}", server.guild()).into(),
            session: format!("voice-of-{user}").into(),
            guild: server.guild().parse().expect("an id"),
            channel: self.channel(channel),
            user,
        });
        Caller { connection, events }
    }

    /// Waits until exactly these have the keys of a channel's call.
    async fn together(&self, channel: &str, names: &[&str]) {
        let channel = self.channel(channel).to_string();
        eventually("they are in one call", async || {
            let calls = self.server.control("calls", json!({}));
            let groups = calls["groups"].as_array().cloned().unwrap_or_default();
            // While a region changes, there is one at each voice server.
            let [group] = groups
                .iter()
                .filter(|group| group["channel"] == channel.as_str())
                .collect::<Vec<_>>()[..]
            else {
                return None;
            };
            let members = group["members"].as_array().cloned().unwrap_or_default();
            let all = names.iter().all(|name| members.contains(&json!(name)));
            (all && members.len() == names.len()).then_some(())
        })
        .await;
    }

    async fn journal(&self) -> Vec<Value> {
        let path = format!(
            "/api/communities/discord-{}/journal?limit=1000",
            self.server.guild()
        );
        let (_, page) = self.process.call(Method::GET, &path, &Value::Null).await;
        page["entries"].as_array().cloned().unwrap_or_default()
    }

    /// Waits for a line of the journal.
    async fn line(&self, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        eventually(name, async || {
            let journal = self.journal().await;
            let found = journal
                .iter()
                .find(|line| line["name"] == name && is_it(&line["data"]));
            found.cloned()
        })
        .await
    }

    /// Asks it aloud, and hears a sentence of the answer.
    async fn answers(&self, caller: &mut Caller) {
        self.model.next([Answer::says("Paris is the capital of France.")]);
        let question = spoken(&self.home, "question.wav", QUESTION).await;
        let question = std::fs::read(question).expect("it was written");
        caller.plays(&audio::wav::read(&question).expect("a recording"));
        let loud = caller.hears(self.user("denizen"), 25).await;
        assert!(loud, "half a second of it is loud\n{}", self.process.log());
    }
}

impl Caller {
    fn plays(&self, samples: &[i16]) {
        let mut encoder = VoiceEncoder::new(VoiceCoding::default()).expect("an encoder");
        // Silence ends what is said.
        let silence = [0; 40 * FRAME];
        let samples: Vec<i16> = samples.iter().copied().chain(silence).collect();
        for piece in samples.as_chunks::<FRAME>().0 {
            let frame: &Frame = piece;
            let mut packet = Vec::new();
            encoder.encode(frame, &mut packet).expect("encoded");
            if !packet.is_empty() {
                assert!(self.connection.play(packet), "there is room");
            }
        }
    }

    /// Waits until so many frames of somebody were loud.
    async fn hears(&mut self, user: u64, frames: usize) -> bool {
        let mut decoder = VoiceDecoder::new().expect("a decoder");
        let mut loud = 0;
        let hearing = async {
            while let Some(event) = self.events.recv().await {
                let CallEvent::Packet(packet) = event else {
                    continue;
                };
                let mut samples = Vec::new();
                if packet.user == user && decoder.decode(&packet.opus, &mut samples).is_ok() {
                    loud += usize::from(samples.iter().any(|sample| sample.unsigned_abs() > 1_000));
                }
                if loud >= frames {
                    return true;
                }
            }
            false
        };
        timeout(Duration::from_secs(60), hearing).await.unwrap_or(false)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_it_into_a_call_is_heard_and_answered_there_and_it_leaves_with_the_last_one() {
    let stage = Stage::new().await;
    let server = &stage.server;
    eventually("it says where to ask", async || {
        let alone = server.words("alice", "join", json!([])).await;
        alone.contains("Go into a voice channel").then_some(())
    })
    .await;
    let mut alice = stage.calls("alice", "lounge");
    let person = format!("discord:{}", stage.user("alice"));
    let lounge = stage.channel("lounge").to_string();
    stage
        .line("voice_session_person_joined", |data| {
            data["person"] == person.as_str()
        })
        .await;
    // Nobody has asked it, so it stays where it is.
    let journal = stage.journal().await;
    assert!(
        !journal
            .iter()
            .any(|line| line["name"] == "voice_session_requested"),
        "{journal:#?}"
    );
    let comes = server.words("alice", "join", json!([])).await;
    assert!(
        comes.contains(&format!("I am coming into <#{lounge}>")),
        "{comes}"
    );
    stage.together("lounge", &["alice", "denizen"]).await;
    stage.line("voice_session_started", |_| true).await;
    let sign = eventually("the sign that it listens stands there", async || {
        let messages = server.control("messages", json!({"channel": "lounge"}));
        let messages = messages.as_array().cloned().unwrap_or_default();
        let texts = messages.iter().filter_map(|message| message["content"].as_str());
        texts.map(str::to_owned).find(|text| text.contains("listen"))
    })
    .await;
    assert!(sign.contains("/listen off"), "{sign}");
    let refused = server.words("bob", "leave", json!([])).await;
    assert!(refused.contains("Whoever is there"), "{refused}");

    stage.answers(&mut alice).await;
    let heard = stage
        .line("voice_utterance_heard", |data| data["author"] == person.as_str())
        .await;
    assert_eq!(heard["room"], lounge.as_str(), "{heard:#}");
    let asked = &stage.model.asked()[0].body;
    assert!(asked.contains("alice") && asked.contains(QUESTION), "{asked}");

    server.control(
        "post",
        json!({"as": "alice", "channel": "lounge", "content": "/listen off"}),
    );
    stage
        .line("voice_session_listening_chosen", |data| {
            data["person"] == person.as_str()
        })
        .await;

    server.control("voice", json!({"user": "alice", "channel": null}));
    drop(alice);
    let ended = stage.line("voice_session_ended", |_| true).await;
    assert_eq!(ended["data"]["because"], "nobody_left", "{ended:#}");
    eventually("the bot is in no call", async || {
        let calls = server.control("calls", json!({}));
        (calls["talkers"] == json!([])).then_some(())
    })
    .await;
    let log = stage.process.log();
    assert!(!log.contains("voice-of-") && !log.contains("voice-1"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_talks_on_through_a_dropped_line_another_region_and_a_move() {
    let stage = Stage::new().await;
    let server = &stage.server;
    let alice = stage.calls("alice", "lounge");
    let bob = stage.calls("bob", "attic");
    eventually("it comes", async || {
        let comes = server.words("alice", "join", json!([])).await;
        comes.contains("I am coming into").then_some(())
    })
    .await;
    stage.together("lounge", &["alice", "denizen"]).await;
    server.control("fault", json!({"kind": "voice_drop", "user": "denizen"}));
    server.control("fault", json!({"kind": "voice_region"}));
    drop((alice, bob));
    let mut alice = stage.calls("alice", "lounge");
    stage.together("lounge", &["alice", "denizen"]).await;
    stage.answers(&mut alice).await;

    // Somebody drags it to another channel.
    let mut bob = stage.calls("bob", "attic");
    server.control("voice", json!({"user": "denizen", "channel": "attic"}));
    stage.together("attic", &["bob", "denizen"]).await;
    let attic = stage.channel("attic").to_string();
    eventually("it is there", async || {
        let journal = stage.journal().await;
        let is_there =
            |line: &Value| line["name"] == "voice_session_started" && line["room"] == attic.as_str();
        journal.iter().any(is_there).then_some(())
    })
    .await;
    stage.answers(&mut bob).await;

    // Whoever is with it sends it away.
    let leaves = server.words("bob", "leave", json!([])).await;
    assert!(leaves.contains("I leave"), "{leaves}");
    eventually("it has left", async || {
        let calls = server.control("calls", json!({}));
        let talkers = calls["talkers"].to_string();
        (!talkers.contains("denizen")).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_may_have_it_come_along_and_whoever_throws_it_out_is_obeyed() {
    let stage = Stage::new().await;
    let server = &stage.server;
    let set = json!([{"type": 3, "name": "key", "value": "voice.joinPolicy"},
        {"type": 3, "name": "value", "value": "with_people"}]);
    eventually("it is set", async || {
        let done = server.words("owner", "settings", set.clone()).await;
        done.starts_with("Done").then_some(())
    })
    .await;
    let mut alice = stage.calls("alice", "lounge");
    stage.together("lounge", &["alice", "denizen"]).await;
    // The main gateway has lost it, and it begins anew there: the call goes on.
    let sessions = || server.control("sessions", json!({})).to_string();
    let before = sessions();
    server.control(
        "fault",
        json!({"kind": "invalid_session", "resumable": false, "user": "denizen"}),
    );
    eventually("it has a new session", async || {
        let is_connected = sessions().contains("\"connected\":true");
        (is_connected && sessions() != before).then_some(())
    })
    .await;
    eventually("it has gone in anew", async || {
        let asked = server.control("payloads", json!({"op": 4})).to_string();
        (asked.matches("channel_id").count() >= 3).then_some(())
    })
    .await;
    stage.together("lounge", &["alice", "denizen"]).await;
    stage.answers(&mut alice).await;

    server.control("voice", json!({"user": "denizen", "channel": null}));
    let ended = stage.line("voice_session_ended", |_| true).await;
    assert_eq!(ended["data"]["because"], "page", "{ended:#}");
    stage.together("lounge", &["alice"]).await;

    let guild = server.guild();
    let closed = json!([{"id": guild, "type": 0, "allow": "0", "deny": (1_u64 << 20).to_string()}]);
    server.control(
        "channel",
        json!({"channel": "lounge", "permission_overwrites": closed}),
    );
    eventually("it says what it lacks", async || {
        let refused = server.words("alice", "join", json!([])).await;
        refused.contains("my role lacks *Connect*").then_some(())
    })
    .await;
}
