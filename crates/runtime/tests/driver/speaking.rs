//! A community in the voice of its room: a hall, ears and a mouth of the test's own, and the real mind, driver and store.

use std::sync::Arc;

use mind::reasons::VoiceEndCause;
use mind::{Input, JournalEntry, JournalEvent, RoomEvent};
use runtime::live::LiveEvent;
use runtime::ports::{HeardSpeech, MessageQuery, RealtimeService, SoundFrame, Store as _};
use runtime::{Handle, Running};
use serde_json::json;
use tokio::sync::mpsc;
use vocabulary::{PersonId, RoomId, Span, UnheardReason};

use crate::given::{Home, ROOM, community};
use crate::hall::{FRAMES_A_SENTENCE, Hall, Words, sound, utterance};
use crate::lanes::{gives_its_journal, stretch};

pub struct Talk {
    pub home: Home,
    pub running: Running,
    pub hall: Hall,
    words: Words,
}

impl Talk {
    async fn begin() -> Self {
        Self::served_by(None).await
    }

    /// With a realtime service that thinks for itself, where there is one.
    pub async fn served_by(service: Option<Arc<dyn RealtimeService>>) -> Self {
        Self::set_up(service, "serialised").await
    }

    /// The same, where people who speak at once are heard by the service in that way.
    pub async fn set_up(service: Option<Arc<dyn RealtimeService>>, overlap: &str) -> Self {
        let home = Home::with(json!({
            "voice.joinGreetingSeconds": 0,
            "voice.realtimeOverlap": overlap,
            "initiative.text.enabled": false,
        }))
        .await;
        let (hall, coming, words) = Hall::open();
        if let Some(service) = service {
            hall.is_served_by(service);
        }
        let (voice, speech) = (Arc::new(hall.clone()), Arc::new(hall.clone()));
        let (running, _) = home.start_with(voice, coming, speech).await;
        Self {
            home,
            running,
            hall,
            words,
        }
    }

    pub fn handle(&self) -> &Handle {
        &self.running.handle
    }

    /// Somebody comes, and Denizen with them.
    pub async fn with_alice(&self) -> mpsc::Sender<SoundFrame> {
        let alice = self.hall.comes("alice").await;
        self.line("voice_session_started").await;
        self.hall.track(&alice.id).await
    }

    pub async fn line(&self, name: &str) -> JournalEntry {
        let what = format!("there is a line {name}");
        self.home.line(&what, |line| line.event.name() == name).await
    }

    /// The ears hear these, one after the other.
    pub async fn hears(&self, frames: &mpsc::Sender<SoundFrame>, heard: Vec<HeardSpeech>) {
        for heard in heard {
            self.words.send(heard).await.expect("the ears are there");
            frames.send(sound()).await.expect("the track is there");
        }
    }

    /// Denizen tells in two sentences, of which the first is heard, and two frames of the second.
    async fn is_telling(&self) -> mpsc::Sender<SoundFrame> {
        self.home.model.says_next("One two three. Four five six.");
        self.hall.hear(FRAMES_A_SENTENCE + 2);
        let alice = self.with_alice().await;
        let said = vec![
            HeardSpeech::Started,
            HeardSpeech::Partial("Denizen, count".to_owned()),
            HeardSpeech::Stopped,
            utterance("Denizen, count for us"),
        ];
        self.hears(&alice, said).await;
        self.hall.is_heard_for(FRAMES_A_SENTENCE + 2).await;
        self.line("voice_answer_heard").await;
        alice
    }

    /// What was said aloud; the sign that it listens stands there too.
    pub async fn messages(&self) -> Vec<(String, String, bool)> {
        let query = MessageQuery {
            room: RoomId::new(ROOM),
            before: None,
            after: None,
            limit: 50,
        };
        let page = self
            .home
            .store
            .messages(&community(), query)
            .await
            .expect("messages");
        let line = |stored: runtime::ports::StoredMessage| {
            let message = stored.message;
            (message.author.name, message.text, message.spoken)
        };
        let lines = page.messages.into_iter().map(line);
        lines.filter(|(_, _, spoken)| *spoken).collect()
    }

    /// Until what was heard of Denizen stands in the room.
    pub async fn is_written_down(&self) -> Vec<(String, String, bool)> {
        for _ in 0..500 {
            let messages = self.messages().await;
            if messages.len() > 1 {
                return messages;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("it was never written down: {:?}", self.messages().await);
    }
}

pub fn spoken(entry: &JournalEntry) -> (usize, bool) {
    match &entry.event {
        JournalEvent::ReplySpoken {
            heard_characters,
            cut,
            ..
        } => (*heard_characters, *cut),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_with_a_barge_in_replays_byte_for_byte() {
    let talk = Talk::begin().await;
    let (_, mut live) = talk.handle().live().subscribe(None);
    let alice = talk.is_telling().await;
    let over = Span(800);
    let said = vec![HeardSpeech::Started, HeardSpeech::Continues { spoken: over }];
    talk.hears(&alice, said).await;
    let barge_in = talk.line("voice_barge_in_decided").await;
    assert!(matches!(
        barge_in.event,
        JournalEvent::BargeInDecided { stop: true, .. }
    ));
    let cut = talk.line("stt_pipeline_reply_spoken").await;
    assert_eq!(spoken(&cut), ("One two three.".len(), true));
    let expected = [("alice", "Denizen, count for us"), ("Denizen", "One two three.")];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned(), true));
    assert_eq!(talk.is_written_down().await, expected);
    // What ears and mouth of somebody else cost is booked with replies.
    talk.line("voice_speech_paid").await;
    let last = talk.line("voice_turn_ended").await.seq.0;
    let mut shown = Vec::new();
    while let Ok(event) = live.try_recv() {
        shown.push(match &event.event {
            LiveEvent::VoicePeople { people, .. } => format!("people {}", people.len()),
            LiveEvent::VoiceSpeaking { person, speaking, .. } => format!("{person} {speaking}"),
            LiveEvent::VoiceTranscript { text, is_final, .. } => format!("{text} {is_final}"),
            LiveEvent::VoiceSaying {
                heard: Some(heard), ..
            } => format!("heard {heard}"),
            _ => continue,
        });
    }
    for told in [
        "people 1",
        "alice true",
        "Denizen, count false",
        "alice false",
        "Denizen, count for us true",
        "heard One two three.",
    ] {
        assert!(
            shown.iter().any(|shown| shown == told),
            "{told} is not in {shown:?}"
        );
    }
    assert!(last > 0);
    let Talk { home, running, .. } = talk;
    running.stop().await;
    gives_its_journal(&stretch(&home, 1).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_heard_before_the_connection_broke_stands_in_the_room() {
    let talk = Talk::begin().await;
    let _alice = talk.is_telling().await;
    talk.hall.breaks().await;
    let ended = talk.line("voice_session_ended").await;
    let JournalEvent::VoiceSessionEnded { because, detail, .. } = ended.event else {
        panic!("it was looked for");
    };
    assert_eq!(because, VoiceEndCause::Lost);
    assert!(detail.contains("the cable was pulled"), "{detail}");
    assert_eq!(
        spoken(&talk.line("stt_pipeline_reply_spoken").await),
        ("One two three.".len(), true)
    );
    assert_eq!(talk.is_written_down().await[1].1, "One two three.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_heard_before_a_crash_is_written_down_at_the_next_start() {
    let talk = Talk::begin().await;
    let _alice = talk.is_telling().await;
    // How far it got is on disk a moment after it was told.
    for _ in 0..500 {
        let recorded = stretch(&talk.home, 1).await;
        let told = recorded.inputs.iter().any(|recorded| {
            matches!(
                &recorded.input,
                Input::Room(_, RoomEvent::PlaybackProgressed { .. })
            )
        });
        if told {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(talk.messages().await.len(), 1);
    let Talk { home, running, .. } = talk;
    // Nothing is told to anybody: as when the power goes.
    std::mem::forget(running);
    let (hall, coming, words) = Hall::open();
    let (voice, speech) = (Arc::new(hall.clone()), Arc::new(hall.clone()));
    let (running, _) = home.start_with(voice, coming, speech).await;
    let talk = Talk {
        home,
        running,
        hall,
        words,
    };
    assert_eq!(talk.is_written_down().await[1].1, "One two three.");
    let ended = talk.line("voice_session_ended").await;
    assert!(matches!(
        ended.event,
        JournalEvent::VoiceSessionEnded {
            because: VoiceEndCause::Restarted,
            ..
        }
    ));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_last_said_when_they_left_is_understood_and_stands_in_the_room() {
    let talk = Talk::begin().await;
    talk.hall.understands(false);
    let alice = talk.with_alice().await;
    talk.hears(&alice, vec![HeardSpeech::Started]).await;
    let words = utterance("the harbour was built by the monks");
    talk.words.send(words).await.expect("the ears are there");
    // With their last frame they are gone, and Denizen with them, before it is understood.
    talk.hall.leaves(&PersonId::new("alice")).await;
    drop(alice);
    talk.line("voice_session_ended").await;
    talk.hall.understands(true);
    let heard = talk.line("voice_utterance_heard").await;
    let ignored = talk.line("voice_utterance_ignored").await;
    assert_eq!(ignored.scope.messages, heard.scope.messages);
    let said = ("alice", "the harbour was built by the monks");
    assert_eq!(
        talk.messages().await,
        [(said.0.to_owned(), said.1.to_owned(), true)]
    );
    let Talk { home, running, .. } = talk;
    running.stop().await;
    gives_its_journal(&stretch(&home, 1).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_says_while_denizen_is_sent_away_has_a_reason() {
    let talk = Talk::begin().await;
    let alice = talk.with_alice().await;
    talk.hears(&alice, vec![HeardSpeech::Started]).await;
    talk.home.line("alice speaks", |_| talk.hall.listened() > 0).await;
    let leave = RoomEvent::VoiceAsked {
        person: None,
        come: false,
    };
    let asked = Input::Room(RoomId::new(ROOM), leave);
    talk.handle().accept(asked).await.expect("it is on disk");
    let missed = talk.line("voice_utterance_missed").await;
    let JournalEvent::UtteranceMissed { reason, spoken, .. } = missed.event else {
        panic!("it was looked for");
    };
    assert_eq!((reason, spoken), (UnheardReason::GivenUp, Span(900)));
    talk.line("voice_session_ended").await;
    talk.running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_does_not_want_to_be_listened_to_reaches_no_ears() {
    let talk = Talk::begin().await;
    let choose = |listen| {
        let person = PersonId::new("alice");
        let chosen = RoomEvent::ListeningChosen { person, listen };
        talk.handle().accept(Input::Room(RoomId::new(ROOM), chosen))
    };
    choose(false).await.expect("it is on disk");
    let alice = talk.with_alice().await;
    for _ in 0..8 {
        alice.send(sound()).await.expect("the track is there");
    }
    // All of it was taken from the track.
    drop(
        alice
            .reserve_many(alice.max_capacity())
            .await
            .expect("the track is there"),
    );
    assert_eq!(talk.hall.listened(), 0);
    choose(true).await.expect("it is on disk");
    while talk.hall.listened() == 0 {
        alice.send(sound()).await.expect("the track is there");
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    talk.running.stop().await;
}
