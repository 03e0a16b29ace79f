use std::fmt::Write;

use expect_test::expect;
use mind::journal::{JournalEntry, JournalEvent, Scope, event_docs};
use serde_json::{Value, json};
use vocabulary::{CommunityId, JournalSeq, Moment, WallTime};

use crate::ambient_examples::ambient_examples;
use crate::screen_examples::screen_examples;
use crate::sentence;
use crate::voice_examples::voice_examples;

/// A journal line from its name and data, as it stands in storage.
pub(super) fn entry(name: &str, data: Value) -> JournalEntry {
    let event: JournalEvent =
        serde_json::from_value(json!({"name": name, "data": data})).expect("an event of that shape");
    JournalEntry {
        seq: JournalSeq(1),
        moment: Moment(1_000),
        wall: WallTime(1_000),
        community: CommunityId::from("local"),
        scope: Scope::default(),
        event,
    }
}

pub(super) fn decided(gate: &str, allow: bool, reason: &str, address: &str) -> JournalEntry {
    let data = json!({
        "gate": gate, "allow": allow, "reason": reason, "address": address, "rule": "", "confidence": 0.0,
        "forced": false, "botInRecentWindow": false, "eagerness": 25
    });
    entry("text_admission_decided", data)
}

#[test]
fn every_event_has_a_sentence() {
    let ask = json!({"ask": 7, "purpose": "text_reply"});
    let with = |more: Value| {
        let mut data = ask.clone();
        data.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        data
    };
    let mut lines = vec![
        entry(
            "text_message_received",
            json!({"author": "a", "authorName": "Alice", "characters": 1, "images": 2}),
        ),
        entry("text_message_ignored", json!({"reason": "other_bot"})),
        entry("room_ended", json!({"because": "gone"})),
        entry(
            "text_message_edited",
            json!({"whileWaiting": true, "whileAnswering": false}),
        ),
        entry(
            "text_message_deleted",
            json!({"whileWaiting": false, "whileAnswering": true}),
        ),
        decided("before_queueing", false, "not_in_recent_window", "llm_decides"),
        entry("text_reply_requested", json!({"refused": null})),
        entry("reply_skipped", json!({"reason": "llm_skip", "detail": ""})),
        entry(
            "text_message_queued",
            json!({"burstMessages": 2, "queueLength": 3, "closesIn": 6000}),
        ),
        entry(
            "text_turn_opened",
            json!({"author": "a", "triggerMessageIds": ["m1"], "forced": true, "waited": 6050}),
        ),
        entry("text_turn_delayed", json!({"reason": "spacing", "delay": 450})),
        entry(
            "text_reply_held_up",
            json!({"ask": 7, "took": 60_000, "failure": "no_first_byte", "retryIn": 2500}),
        ),
        entry("text_turn_ended", json!({"outcome": "sent", "took": 125_000})),
        entry(
            "dice_rolled",
            json!({"purpose": "threading", "roll": 12, "below": 65, "hit": true}),
        ),
        entry(
            "recall_started",
            json!({"recall": 1, "queryCharacters": 9, "people": 1}),
        ),
        entry(
            "recall_completed",
            json!({"recall": 1, "messages": 1, "userFacts": 1, "relevantFacts": 2, "unsure": 3, "took": 12, "failure": null}),
        ),
        entry("recall_abandoned", json!({"recall": 1, "after": 1000})),
        entry("reply_plain_profile_taken", json!({"because": "few_parameters"})),
        entry(
            "ask_started",
            with(json!({
                "provider": "anthropic", "model": "m", "attempt": 2, "promptCharacters": 4000,
                "sectionsTrimmed": ["history"], "sectionsDropped": []
            })),
        ),
        entry(
            "ask_completed",
            with(json!({
                "provider": "anthropic", "model": "m", "took": 3200, "firstText": 400, "inputTokens": 900,
                "outputTokens": 40, "costMicroDollars": 3300
            })),
        ),
        entry(
            "ask_failed",
            with(json!({"kind": "rate_limited", "detail": "Wait a minute.", "retryIn": 2500})),
        ),
        entry(
            "spending_refused",
            json!({"purpose": "memory", "limit": "tokens", "share": "purpose", "used": 999_000, "allowed": 1_000_000, "wanted": 4000}),
        ),
        entry(
            "model_rest_begun",
            json!({"provider": "openai", "model": "small", "askedFor": 86_400_000, "rest": 3_600_000}),
        ),
        entry("model_rests_lifted", json!({"models": 1})),
        entry("ask_answer_discarded", json!({"ask": 7})),
        entry("ask_cancelled", json!({"ask": 7, "why": "burst_grew"})),
        entry(
            "ask_answer_repaired",
            json!({"ask": 7, "what": "a stray [SKIP] was removed"}),
        ),
        entry(
            "text_address_classified",
            json!({"confidence": 0.7, "threshold": 0.62, "addressed": true}),
        ),
        entry("tool_started", json!({"run": 1, "tool": "search_messages"})),
        entry(
            "tool_completed",
            json!({"run": 1, "tool": "search_messages", "failed": false, "characters": 90, "took": 20}),
        ),
        entry(
            "tool_refused",
            json!({"tool": "search_messages", "why": "the limit is used up"}),
        ),
        entry(
            "text_delivery_started",
            json!({"delivery": "d", "part": 1, "parts": 2, "characters": 1900}),
        ),
        entry(
            "text_delivery_failed",
            json!({"delivery": "d", "detail": "the room is closed", "retryIn": null}),
        ),
        entry(
            "sent_reply",
            json!({
                "message": "r1", "replyTo": "m1", "triggerMessageIds": ["m1"], "characters": 10, "part": 1, "parts": 1
            }),
        ),
        entry(
            "sent_message",
            json!({
                "message": "r1", "triggerMessageIds": ["m1"], "characters": 10, "part": 2, "parts": 2
            }),
        ),
        entry(
            "voice_context_compaction_skipped",
            json!({"reason": "below_threshold", "cursor": 10, "repeated": 3}),
        ),
        entry(
            "voice_context_outgrown",
            json!({"by": "size", "verbatim_turns": 27, "verbatim_chars": 29000, "asks_model": true}),
        ),
        entry(
            "voice_context_compaction_started",
            json!({"cursor": 0, "batch_size": 10, "recent_start": 11, "pending_note_count": 1}),
        ),
        entry(
            "voice_context_compaction_completed",
            json!({
                "old_cursor": 0, "cursor": 10, "covered_through_turn": 9, "summary_chars": 412, "folded_note_count": 1,
                "latency_ms": 3_000, "summariser": "openai small"
            }),
        ),
        entry(
            "voice_context_compaction_failed",
            json!({
                "ask": 7, "model": "", "error": "timed_out", "detail": "no summary within its time", "retryable": true,
                "falls_back": false
            }),
        ),
        entry(
            "voice_context_summary_suspected",
            json!({"ask": 7, "inventions": 2, "sent_back": true}),
        ),
        entry(
            "voice_context_summary_recompacted",
            json!({"ask": 7, "summary_chars": 1_900}),
        ),
        entry(
            "voice_context_summary_trimmed",
            json!({"ask": 7, "old_chars": 1_300, "summary_chars": 1_180}),
        ),
        entry(
            "voice_context_summary_outdone",
            json!({"ask": 7, "model": "compatible qwen2.5-1.5b", "told": 310, "offline_told": 742}),
        ),
        entry(
            "voice_context_turns_dropped",
            json!({"dropped_turn_count": 50, "old_cursor": 0, "cursor": 50}),
        ),
        entry("voice_context_notes_dropped", json!({"dropped_note_count": 1})),
        entry(
            "voice_context_session_ended",
            json!({"turns": 120, "cursor": 60, "offered_chars": 800}),
        ),
        entry("text_command_taken", json!({"command": "/new"})),
        entry(
            "text_command_held",
            json!({"command": "/forget me", "reason": "unconfirmed"}),
        ),
        entry(
            "memory_extraction_started",
            json!({"extraction": 1, "session": "s", "reason": "context", "turns": 5, "waiting": 2, "contextShare": 0.52}),
        ),
        entry(
            "memory_extraction_skipped",
            json!({"session": "s", "reason": "below_batch_size", "pending": 3, "repeated": 2}),
        ),
        entry(
            "memory_extraction_completed",
            json!({
                "extraction": 1, "session": "s", "ask": 4, "by": "models/qwen", "gems": 3,
                "rejected": {"not_grounded": 1, "no_source": 2}, "took": 4200
            }),
        ),
        entry(
            "memory_extraction_failed",
            json!({
                "extraction": 1, "session": "s", "ask": 4, "error": "timed_out", "detail": "no gems within their time",
                "turns": 5, "retryIn": 30000, "fallsBack": false
            }),
        ),
        entry(
            "memory_extraction_dropped",
            json!({"extraction": 1, "session": "s", "because": "turns_gone", "turns": 5}),
        ),
        entry(
            "memory_gems_stored",
            json!({
                "extraction": 1, "session": "s", "added": ["g1", "g2"], "strengthened": [], "superseded": ["g0"],
                "alreadyThere": 0, "turns": 5, "took": 4300
            }),
        ),
        entry(
            "memory_storing_failed",
            json!({"extraction": 1, "session": "s", "detail": "Qdrant cannot be reached", "retryIn": 30000}),
        ),
        entry(
            "memory_forgotten",
            json!({"kind": "person", "gems": 2, "turns": 9, "summaries": 1, "failure": null}),
        ),
        entry(
            "web_request_refused",
            json!({
                "method": "POST", "path": "/api/rooms/attic/messages", "status": 404, "code": "unknown_room", "folded": 2
            }),
        ),
        entry(
            "settings_changed",
            json!({"version": 3, "changed": ["llm.model"]}),
        ),
        entry(
            "model_default_moved",
            json!({"provider": "openai", "role": "small", "from": "gpt-4.1-nano", "to": "gpt-6-luna", "because": "it ended on 2026-10-23"}),
        ),
        entry(
            "model_catalogue_changed",
            json!({"path": "/data/catalogue.toml", "date": null, "problem": "it is not TOML"}),
        ),
        entry(
            "process_restarted",
            json!({"downFor": 7_380_000, "asksLost": 1, "deliveriesRepeated": 1}),
        ),
        entry(
            "state_salvaged",
            json!({"carried": ["ambient.held", "counters"], "lost": ["rooms.lounge.watch"], "messages": 3}),
        ),
        entry("process_shutdown_requested", json!({"at": 0})),
    ];
    let screens = screen_examples()
        .into_iter()
        .chain(voice_examples())
        .chain(ambient_examples())
        .map(|(name, data)| entry(name, data));
    let place = lines
        .iter()
        .position(|line| line.event.name() == "web_request_refused");
    let place = place.expect("the lines about screens stand before those about requests");
    lines.splice(place..place, screens);
    let names: Vec<&str> = lines.iter().map(|line| line.event.name()).collect();
    let documented: Vec<&str> = event_docs().iter().map(|doc| doc.name).collect();
    assert_eq!(
        names, documented,
        "one example of every event, in the order of the manual"
    );
    let mut text = String::new();
    for line in &lines {
        writeln!(text, "{}: {}", line.event.name(), sentence(line)).unwrap();
    }
    expect![[r#"
        text_message_received: Alice wrote 1 character and 2 pictures.
        text_message_ignored: Another program wrote it; such messages are read and never answered.
        room_ended: The room is gone.
        text_message_edited: Its author changed the message while it waited for a reply.
        text_message_deleted: Its author took back the message while Denizen was answering it.
        text_admission_decided: Not addressed to Denizen, and Denizen had said nothing in the last few messages, so no model was asked.
        text_reply_requested: Whoever looks after Denizen asked for a reply to it.
        reply_skipped: No reply: the model was asked and chose to stay silent.
        text_message_queued: It waits up to 6.0 s for more by the same author (2 messages so far, 3 waiting in the room).
        text_turn_opened: After 6.0 s a reply to 1 message is attempted; silence is not an option.
        text_turn_delayed: Denizen wrote here a moment ago, so it waits 450 ms (activity.minSecondsBetweenMessages).
        text_reply_held_up: It waited behind a reply to somebody else, for which the model was waited for 1 min 0 s in vain: the provider took the question and sent nothing. It is asked again for that one in 2.5 s.
        text_turn_ended: The attempt ended with a reply sent after 2 min 5 s.
        dice_rolled: The dice for threading showed 12; below 65 was needed: a hit.
        recall_started: Older messages and memories that might fit are being looked for.
        recall_completed: The look-up found 1 older message, 1 memory about who is answered and 2 that fit (3 more were not sure enough to be brought up) in 12 ms.
        recall_abandoned: The look-up took longer than 1.0 s; the reply goes on without it.
        reply_plain_profile_taken: It asks in the plain profile, as suits a small model: the model has at most 4 billion parameters.
        ask_started: anthropic m is asked for a reply with a prompt of 4000 characters (call 7, attempt 2). Shortened to fit: history.
        ask_completed: anthropic m answered after 3.2 s (call 7: 900 tokens in, 40 out, $0.003300).
        ask_failed: The model did not answer, because the provider asked for fewer requests (call 7); it is tried again in 2.5 s. Wait a minute.
        spending_refused: No model was asked for memory: today's budget for memory is used up: 999000 tokens of 1000000 tokens (spending.percent.memory of spending.perDay.tokens); it begins anew at midnight UTC. At the limit gems are made by patterns, or wait for tomorrow where memory.extractor is model.
        model_rest_begun: openai small asked to be left alone for 24 h 0 min, which is longer than anybody waits in a room; it is left alone for 1 h 0 min, and tried with the next question after that.
        model_rests_lifted: A model was left alone; whoever looks after Denizen wants it tried, so the next question does.
        ask_answer_discarded: An answer came that nobody waited for any more (call 7); it was thrown away.
        ask_cancelled: The model call 7 was given up. More of the burst came.
        ask_answer_repaired: The answer of call 7 was not in the agreed form and was put right. A stray [SKIP] was removed.
        text_address_classified: The classifier was 70 % sure that it was meant for Denizen; 62 % is needed, so it counts as addressed.
        tool_started: The model asked for the tool search_messages.
        tool_completed: The tool search_messages gave 90 characters in 20 ms.
        tool_refused: The tool search_messages was not run, and the model was told so. The limit is used up.
        text_delivery_started: Part 1 of 2 of 1900 characters is on its way into the room.
        text_delivery_failed: It could not be put into the room; it is not tried again. The room is closed.
        sent_reply: The message was sent, in reply to message m1.
        sent_message: Part 2 of 2 was sent to the room.
        voice_context_compaction_skipped: Nothing was folded into the summary 3 times more: too little has left the recent window.
        voice_context_outgrown: 27 turns stand word for word, which is too long with 29000 characters; the oldest are folded now.
        voice_context_compaction_started: 10 turns from turn 0 on and 1 note are being folded into the summary.
        voice_context_compaction_completed: The summary now covers everything before turn 10, in 412 characters by openai small, after 3.0 s.
        voice_context_compaction_failed: No summary was written, because it took too long (no summary within its time); it is tried again at the next look.
        voice_context_summary_suspected: The summary names 2 things that nobody mentioned; it was sent back once.
        voice_context_summary_recompacted: The summary came out too long (1900 characters) and is condensed once more.
        voice_context_summary_trimmed: The summary was cut from 1300 to 1180 characters at the end of a sentence.
        voice_context_summary_outdone: The summary by compatible qwen2.5-1.5b told less of what was said than one without it would (310 against 742), which was taken instead.
        voice_context_turns_dropped: 50 turns left the context without being summarised: too many waited.
        voice_context_notes_dropped: 1 note left the context without being summarised: too many waited.
        voice_context_session_ended: The session ended after 120 turns; a summary of 800 characters was offered to memory.
        text_command_taken: It is the command /new, which is carried out.
        text_command_held: It is the command /forget me: nothing is gone yet, its author was asked for a yes within two minutes.
        memory_extraction_started: Gems are being made of 5 turns: the context is 52 % full; 2 more wait.
        memory_extraction_skipped: No gems are made now of 3 turns: the batch is not complete (found so 2 more times).
        memory_extraction_completed: 3 gems were made by qwen in 4.2 s; rejected: 2 no source, 1 not grounded.
        memory_extraction_failed: No gems could be made of 5 turns, because it took too long; they are kept and tried again in 30 s. No gems within their time.
        memory_extraction_dropped: It was ended: something it was reading is gone. What is left is read anew.
        memory_gems_stored: The gems are stored: 2 new, 1 no longer holding.
        memory_storing_failed: The gems could not be stored; they are kept and tried again in 30 s. Qdrant cannot be reached.
        memory_forgotten: Forgotten for good (person): 2 gems, 9 turns and what 1 summary said of it.
        stream_watch_share_started: Alice shares a screen from the share page. Now 2 people share.
        stream_watch_share_ended: The share is over after 2 min 5 s: whoever shared stopped it. Of it 240 frames were seen.
        stream_watch_started: Alice's screen is watched: nobody else shares one.
        stream_watch_ended: The screen is not watched any more, after 2 min 5 s: the share is over. Its recap (410 characters) was offered to memory; 7 notes were taken.
        stream_watch_target_left_open: 2 people share a screen and nobody has said whose to watch, so none is: choose one on the watch page.
        stream_watch_frame_refused: A frame was refused (3 more before it). The frame has 400000 bytes; voice.streamWatch.maxFrameBytes allows 350000.
        stream_watch_note_started: inherit small was asked for a note, because much changed (score 0.0213, smoothed 0.0101). Frames before it that led to no note: 2 while a note was being taken, 3 within the cooldown.
        stream_watch_note_taken: A note of 84 characters was taken in 1.8 s.
        stream_watch_note_failed: No note was taken, because it took too long. No note within its time. It is tried again in 4.0 s.
        stream_watch_notes_evicted: 1 note made room for newer ones, to be folded into the summary.
        stream_watch_commentary_deferred: A comment would be due because much changed on the screen; it waits, because somebody spoke or typed a moment ago.
        stream_watch_commentary_started: anthropic large was asked whether something is worth saying about the screen, because much changed on the screen. It had waited 3.1 s, 2.2 s of it because somebody spoke or typed a moment ago.
        stream_watch_commentary_skipped: It had nothing to say about the screen. Nothing to add.
        stream_watch_commentary_written: It comments on the screen, in 61 characters written in 1.8 s.
        stream_watch_commentary_spoken: The comment is in the room.
        stream_watch_commentary_unheard: Nobody heard a word of the comment; the moment for it has passed.
        stream_watch_commentary_failed: No comment came of it, because the provider could not be reached. Nobody answers at that address.
        stream_watch_frame_attached: Somebody asks about the screen, so the reply sees its current picture.
        voice_session_requested: It goes into the voice of the room: somebody is there (voice.joinPolicy is with_people).
        voice_session_declined: It does not go into the voice of the room: it may not speak in this room (permissions.replies.allowedChannelIds, …blockedChannelIds).
        voice_session_started: It is in the voice of the room and listens to 2 people.
        voice_session_warned: It leaves the voice of the room in 2 min 0 s (voice.maxSessionMinutes).
        voice_session_ended: It is not in the voice of the room: nobody has spoken for long (voice.inactivitySeconds). In 10 min 0 s it heard 12 utterances and spoke 4 times.
        voice_session_hearing_changed: It does not understand what is said any more: its ears were changed.
        voice_session_ears_changed: Its ears fail again and again, and the room was told. The server is gone.
        voice_session_service_changed: The realtime service openai:gpt-realtime-1.5 does not answer; its own ears and voice go on until it does. The connection to OpenAI was lost.
        voice_session_person_joined: Alice came into the voice of the room; 2 are there.
        voice_session_person_left: Alice left the voice of the room; 1 are there.
        voice_session_listening_chosen: bob does not want to be listened to: what they say is not written down.
        voice_session_sound_played: It played the sound drumroll.
        voice_session_sound_failed: The sound “gong” could not be played. Gong.wav is no WAV file.
        voice_utterance_heard: Alice spoke for 1.9 s; 31 characters were understood in 140 ms.
        voice_utterance_missed: bob was heard for 300 ms, and no words came of it: the ears made words up that were not said. "thank you for watching".
        voice_utterance_ignored: Whoever said it does not want to be listened to, so it is let go of.
        voice_turn_addressing: No answer is attempted, because the classifier said no. The classifier said: NO
        voice_turn_opened: After 120 ms an answer to 2 utterances of 2 speakers is attempted; silence is not an option.
        voice_answer_heard: Its first words are heard 700 ms after the end of what was said: decided after 20 ms, asked after 25 ms, first sentence written after 610 ms.
        voice_turn_ended: The attempt ended after 4.2 s with something said: all of it was heard.
        realtime_reply_requested: The realtime service openai:gpt-realtime-1.5 is asked to say the answer, word for word (response.create).
        realtime_reply_skipped: The realtime service is given nothing to say: the model chose silence.
        realtime_reply_truncated: 21 characters of its answer were heard; the realtime service openai:gpt-realtime-1.5 is told that no more was heard (conversation.item.truncate).
        realtime_reply_marked: 27 characters of what the realtime service openai:gpt-realtime-1.5 said were heard, as it wrote them (response.output_audio_transcript.delta); 20 of them are words and stand in the room.
        realtime_instructions_sent: The realtime service openai:gpt-realtime-1.5 is told in 2140 characters who it is (session.update). New in it: participants, session_summary.
        realtime_conversation_begun: The realtime service gemini:gemini-3.8-live begins to listen: of what was before it knows what it is told. It lets go of what is old by itself.
        realtime_speakers_overlapped: alice and bob spoke at once; the realtime service hears them one after the other (voice.realtimeOverlap).
        stt_pipeline_reply_spoken: Of 120 characters that it wrote, 48 were heard before it fell silent.
        voice_speech_failed: What it wanted to say could not be made heard. The speech server did not answer.
        voice_speech_paid: openai:gpt-4o-mini-tts was paid 0.0015 dollars.
        voice_barge_in_decided: bob spoke for 700 ms while it did, and it falls silent: that is as long as it lets itself be spoken over (voice.bargeInMs).
        voice_session_greeting_started: Its hello came to nothing, so it tries once more.
        voice_thought_started: Everybody has been silent for 21 s: it thinks of something to say.
        voice_thought_ended: It keeps the thought for a better moment.
        voice_thought_stopped: Everybody has been silent for 20 s, and it thinks of nothing to say: chance was against it (voice.thoughts.eagerness). It rolled 71, and needed less than 50.
        voice_thought_invalidated: It had carried a thought for 45 s, and somebody came: the thought is considered anew before it is said.
        voice_thought_let_go: A thought that it had carried for 45 s is gone: the process was started anew.
        ambient_tick_decided: No thought of its own this minute: chance was against it (initiative.text.eagerness). It rolled 43, and needed less than 20.
        ambient_run_started: Denizen begins to think by itself: whether there is something worth saying, in 2 channels.
        ambient_channels_unknown: Of permissions.replies.discoveryChannelIds it leaves out what does not exist: “attic”.
        ambient_run_gathered: It read 5 sources, 1 of them in vain: 40 items came, 6 were chosen. Memory gave 3 facts. That took 900 ms.
        ambient_run_ended: It thought, and keeps the thought after 8.2 s: 2 model calls, 5100 tokens, $0.004200.
        initiative_post: Denizen posted something of its own accord: 120 characters, 1 link, a picture. The thought was held for 10 min 0 s.
        initiative_skip: Nothing was posted: the thought was dropped. The room is busy with something else.
        ambient_media_wanted: A picture is wanted to go with the post, made by gpt-image-1.
        ambient_media_made: The picture is there after 14 s, by openai: 121 kB, $0.042000.
        ambient_media_failed: There is no GIF; the words go out without it. Initiative.discovery.allowReplyGifs is off.
        reply_media_wanted: A picture is being made by gpt-image-1; the reply waits for it.
        reply_media_made: The GIF is there after 2.0 s, by giphy: 121 kB, $0.000000.
        reply_media_failed: There is no picture; the model is told why, so that it can say so. It took too long.
        ambient_outcome_counted: Its own post has 2 reactions and 1 reply now.
        ambient_source_added: Denizen reads reddit:rust from now on. People here talk of little else.
        ambient_source_removed: reddit:rust is not read any more: the operator removed it.
        capabilities_changed: Out there it can use web_search, web_scrape, and have made: GIF.
        reply_model_changed: Replies are written by compatible/qwen2.5:1.5b, asked in the plain profile: the model has at most 4 billion parameters.
        room_quiet_begun: alice wants nothing said in this room until 12:35 UTC.
        room_quiet_ended: Denizen may speak in this room again: the quiet is over.
        reply_reaction_sent: Denizen put 🎉 under the message instead of words. She is glad.
        message_reaction_changed: alice put a reaction under the message.
        web_request_refused: POST /api/rooms/attic/messages was refused with 404 (unknown_room), and 2 more since the last such line.
        settings_changed: The settings were changed to version 3: llm.model.
        model_default_moved: The small default model of openai is gpt-6-luna now and no longer gpt-4.1-nano: it ended on 2026-10-23.
        model_catalogue_changed: The catalogue of models in /data/catalogue.toml was not taken, and the one before counts: it is not TOML.
        process_restarted: The process came up again after 2 h 3 min; 1 model call lost, 1 delivery repeated.
        state_salvaged: The kept state could not be read as a whole. Carried over: ambient.held, counters. Lost: rooms.lounge.watch. 3 messages were read from the store.
        process_shutdown_requested: The process was asked to end.
    "#]].assert_eq(&text);
}
