//! A realtime service that thinks for itself in the voice of a room: a service of the test's own, and the real mind, driver
//! and store.

use std::sync::Arc;

use mind::JournalEvent;
use runtime::live::LiveEvent;
use runtime::ports::{HeardSpeech, NativeClip, NativePiece};
use serde_json::json;
use stand_ins::native::{NativeTold, StandInService, over, word};
use vocabulary::{PersonId, Span, ToolCall, Usage};

use crate::hall::{loudness, utterance};
use crate::lanes::{gives_its_journal, stretch};
use crate::speaking::{Talk, spoken};

/// A frame takes twenty milliseconds, a word five of them.
const FRAMES_A_WORD: usize = 5;

fn says(words: &[&str]) -> Vec<NativePiece> {
    let mut characters = 0;
    let mut pieces = Vec::new();
    for (number, text) in words.iter().enumerate() {
        characters += text.chars().count();
        pieces.extend(word(text, (number + 1) as f64 * 0.1, characters));
    }
    pieces
}

/// Alice asks for something, and the service understands it so.
async fn asks(
    talk: &Talk,
    service: &StandInService,
    words: &str,
) -> tokio::sync::mpsc::Sender<runtime::ports::SoundFrame> {
    service.understands_next(words);
    let alice = talk.with_alice().await;
    let said = vec![
        HeardSpeech::Started,
        HeardSpeech::Stopped,
        utterance("(the clip)"),
    ];
    talk.hears(&alice, said).await;
    alice
}

fn place(told: &[NativeTold], like: impl Fn(&NativeTold) -> bool) -> usize {
    told.iter()
        .position(like)
        .unwrap_or_else(|| panic!("not in {told:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_hears_who_speaks_answers_by_itself_and_a_barge_in_replays_byte_for_byte() {
    let service = StandInService::default();
    let talk = Talk::served_by(Some(Arc::new(service.clone()))).await;
    // Ten words, of which three are heard before somebody speaks.
    let words = [
        "One ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight ", "nine ", "ten.",
    ];
    let mut pieces = says(&words);
    pieces.push(over());
    service.answers_next(pieces);
    talk.hall.hear(3 * FRAMES_A_WORD);
    let alice = asks(&talk, &service, "Denizen, count for us").await;
    talk.hall.is_heard_for(3 * FRAMES_A_WORD).await;
    talk.line("voice_answer_heard").await;
    let over_it = vec![HeardSpeech::Started, HeardSpeech::Continues { spoken: Span(800) }];
    talk.hears(&alice, over_it).await;
    let cut = talk.line("stt_pipeline_reply_spoken").await;
    assert_eq!(spoken(&cut), ("One two three".len(), true), "to the word");
    let written = talk.is_written_down().await;
    let expected = [("alice", "Denizen, count for us"), ("Denizen", "One two three")];
    assert_eq!(
        written,
        expected.map(|(name, text)| (name.to_owned(), text.to_owned(), true))
    );
    // The service knows of no more than was heard.
    let heard = Span(3 * FRAMES_A_WORD as u64 * 20);
    service.is_told(|told| *told == NativeTold::Stopped(heard)).await;
    let told = service.told();
    let instructed = place(&told, |told| matches!(told, NativeTold::Instructed(_)));
    let clip = place(&told, |told| *told == NativeTold::Heard(vec!["alice".to_owned()]));
    let asked = place(&told, |told| matches!(told, NativeTold::Asked(_)));
    assert!(instructed < asked && clip < asked, "{told:?}");
    let NativeTold::Asked(hint) = &told[asked] else {
        panic!("it was looked for")
    };
    assert!(hint.contains("answer alice"), "{hint}");
    let requested = talk.line("realtime_reply_requested").await;
    let JournalEvent::RealtimeReplyRequested { event, knows, .. } = &requested.event else {
        panic!("it was looked for");
    };
    assert_eq!(event, "response.create");
    assert!(
        knows
            .as_deref()
            .is_some_and(|knows| knows.starts_with("known to the service:")),
        "{knows:?}"
    );
    let cut = talk.line("realtime_reply_truncated").await;
    assert!(
        matches!(&cut.event, JournalEvent::RealtimeReplyTruncated { event, .. } if event == "conversation.item.truncate")
    );
    talk.line("voice_turn_ended").await;
    let Talk { home, running, .. } = talk;
    running.stop().await;
    gives_its_journal(&stretch(&home, 1).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_calls_is_run_and_goes_back_to_it() {
    let service = StandInService::default();
    let talk = Talk::served_by(Some(Arc::new(service.clone()))).await;
    let call = |id: &str, name: &str, arguments| {
        NativePiece::Call(ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments,
        })
    };
    service.answers_next(vec![
        call("c1", "search_messages", json!({"words": "pizza"})),
        call("c2", "no_such_tool", json!({})),
        over(),
    ]);
    let mut answer = says(&["He ", "likes ", "it ", "cold."]);
    answer.push(over());
    service.answers_next(answer);
    let _alice = asks(&talk, &service, "Denizen, what did Bob say of pizza?").await;
    let results = service
        .is_told(|told| matches!(told, NativeTold::Results(_)))
        .await;
    let NativeTold::Results(results) = results else {
        panic!("it was looked for")
    };
    let told: Vec<(&str, bool)> = results
        .iter()
        .map(|result| (result.call_id.as_str(), result.failed))
        .collect();
    assert_eq!(told, [("c1", false), ("c2", true)], "each call has one result");
    let ended = talk.line("voice_turn_ended").await;
    assert!(
        matches!(&ended.event, JournalEvent::VoiceTurnEnded { outcome, .. } if *outcome == mind::reasons::VoiceTurnOutcome::Spoken)
    );
    assert_eq!(talk.is_written_down().await[1].1, "He likes it cold.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_it_fails_denizens_own_model_answers_and_says_it() {
    let service = StandInService::default();
    let talk = Talk::served_by(Some(Arc::new(service.clone()))).await;
    talk.home.model.says_next("It is Paris.");
    let fault = runtime::ports::RealtimeFault {
        fault: runtime::ports::SpeechFault {
            detail: "the connection was lost".to_owned(),
            retryable: true,
        },
        is_late: false,
    };
    // It charges all the same.
    let spent = Usage {
        input_tokens: 400,
        cost_micro_dollars: Some(9_000),
        ..Usage::default()
    };
    service.answers_next(vec![NativePiece::Spent(spent), NativePiece::Over(Err(fault))]);
    let _alice = asks(&talk, &service, "Denizen, what is the capital of France?").await;
    talk.line("realtime_reply_skipped").await;
    let failed = talk.line("ask_failed").await;
    assert!(
        matches!(
            &failed.event,
            JournalEvent::AskFailed {
                cost_micro_dollars: Some(9_000),
                ..
            }
        ),
        "{failed:?}"
    );
    assert_eq!(talk.is_written_down().await[1].1, "It is Paris.");
    let asked = service
        .told()
        .iter()
        .filter(|told| matches!(told, NativeTold::Asked(_)))
        .count();
    assert_eq!(asked, 1, "nothing is asked of it twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mark_that_it_says_aloud_stands_nowhere_and_denizens_own_model_answers() {
    let service = StandInService::default();
    let talk = Talk::served_by(Some(Arc::new(service.clone()))).await;
    let (_, mut live) = talk.handle().live().subscribe(None);
    talk.home.model.says_next("It is Paris.");
    // It is heard before anybody knows that nothing follows.
    service.answers_next(says(&["[SKIP]"]));
    let _alice = asks(&talk, &service, "Denizen, what is the capital of France?").await;
    talk.line("voice_answer_heard").await;
    assert!(service.goes_on(over()).await, "it waits for more");
    let marked = talk.line("realtime_reply_marked").await;
    let JournalEvent::RealtimeReplyMarked {
        event,
        heard_characters,
        kept_characters,
        ..
    } = &marked.event
    else {
        panic!("it was looked for");
    };
    assert_eq!((*heard_characters, *kept_characters), (6, 0));
    assert_eq!(event, "response.output_audio_transcript.delta");
    talk.line("realtime_reply_skipped").await;
    assert_eq!(talk.is_written_down().await[1].1, "It is Paris.");
    let mut shown = String::new();
    while let Ok(event) = live.try_recv() {
        if let LiveEvent::VoiceSaying { text, heard, .. } = &event.event {
            shown += &format!("{text} {} ", heard.as_deref().unwrap_or_default());
        }
    }
    assert!(shown.contains("It is Paris."), "{shown}");
    assert!(!shown.contains("SKIP"), "{shown}");
}

/// Alice and Bob speak at once, and each says something; what the service heard of them.
async fn speak_at_once(overlap: &str) -> (Talk, Vec<NativeClip>) {
    let service = StandInService::default();
    let talk = Talk::set_up(Some(Arc::new(service.clone())), overlap).await;
    service.understands_next("We could have tea");
    service.understands_next("Or go for a walk");
    let alice = talk.with_alice().await;
    let bob = talk.hall.comes("bob").await;
    talk.line("voice_session_person_joined").await;
    let bob = talk.hall.track(&bob.id).await;
    let (_, mut live) = talk.handle().live().subscribe(None);
    for (frames, heard) in [
        (&alice, HeardSpeech::Started),
        (&bob, HeardSpeech::Started),
        (&alice, HeardSpeech::Stopped),
        (&bob, HeardSpeech::Stopped),
    ] {
        let speaks = heard == HeardSpeech::Started;
        if frames.same_channel(&bob) && !speaks {
            // What Alice said is there, and Bob speaks on.
            talk.hears(&alice, vec![utterance("(the clip)")]).await;
            service.has_understood(1).await;
        }
        talk.hears(frames, vec![heard]).await;
        loop {
            let event = live.recv().await.expect("the room is there");
            if matches!(&event.event, LiveEvent::VoiceSpeaking { speaking, .. } if *speaking == speaks) {
                break;
            }
        }
    }
    talk.hears(&bob, vec![utterance("(the clip)")]).await;
    talk.is_written_down().await;
    service
        .is_told(|told| matches!(told, NativeTold::Heard(who) if who.iter().any(|who| who == "bob")))
        .await;
    (talk, service.clips())
}

fn overlapped(line: &mind::JournalEntry) -> (Vec<PersonId>, bool) {
    match &line.event {
        JournalEvent::RealtimeSpeakersOverlapped { people, mixed, event } => {
            assert_eq!(event, "input_audio_buffer.commit");
            (people.clone(), *mixed)
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_who_speak_at_once_are_heard_in_one_clip_under_both_names() {
    let (talk, clips) = speak_at_once("mixed").await;
    let [clip] = &clips[..] else {
        panic!("one clip: {clips:?}");
    };
    assert_eq!(clip.speakers, ["alice", "bob"]);
    let (alice, bob) = (PersonId::new("alice"), PersonId::new("bob"));
    let both = loudness(&alice) + loudness(&bob);
    assert_eq!(clip.samples.iter().max(), Some(&both), "both are in it, at once");
    let line = talk.line("realtime_speakers_overlapped").await;
    assert_eq!(overlapped(&line), (vec![alice, bob], true));
    let mut written = talk.messages().await;
    // Both are done at the same moment: whose words stand first is chance.
    written.sort();
    let expected = [("alice", "We could have tea"), ("bob", "Or go for a walk")];
    assert_eq!(
        written,
        expected.map(|(name, text)| (name.to_owned(), text.to_owned(), true)),
        "each is written down by themselves"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_who_speak_at_once_are_heard_one_after_the_other_where_that_is_wanted() {
    let (talk, clips) = speak_at_once("serialised").await;
    let who: Vec<&[String]> = clips.iter().map(|clip| &clip.speakers[..]).collect();
    assert_eq!(who, [["alice"], ["bob"]]);
    let line = talk.line("realtime_speakers_overlapped").await;
    let people = vec![PersonId::new("alice"), PersonId::new("bob")];
    assert_eq!(overlapped(&line), (people, false));
}
