//! The closed list of journal events: name, meaning and fields of each in one place.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use vocabulary::{
    AskFailureKind, AskId, AskPurpose, DeliveryId, ExtractionId, FeedSource, FrameId, FrameRefusal, GemId,
    MediaId, MediaKind, MessageId, NoteSeq, PersonId, RecallId, RoomId, SessionId, ShareEnd, ShareId,
    ShareSource, Span, ToolRunId, TurnSeq, UnheardReason, WallTime,
};

use super::listing::{EventDoc, journal_events};
use crate::addressing::{AddressReason, AddressScore};
use crate::admission::{AdmissionReason, Gate, VoiceAdmissionReason};
use crate::reasons::{
    AgainRefusal, AmbientGate, BargeInReason, CancelReason, CommandHold, CommentaryGate, CommentarySkip,
    CommentaryTrigger, CompactionSkip, DelayReason, DropReason, ExtractionDrop, ExtractionSkip,
    ExtractionTrigger, ForgottenKind, FrameAttached, InitiativeSkip, NoteHold, NoteOutcome, NoteTrigger,
    Outgrown, PlainCause, RestCause, RoomChange, RoomEnding, RunOutcome, SourceRemover, SpendingLimit,
    SpendingPurpose, SpendingScope, TurnOutcome, UnwatchCause, UtteranceDrop, VoiceEndCause, VoiceJoinCause,
    VoiceJoinRefusal, VoiceThoughtGate, VoiceThoughtLoss, VoiceThoughtOutcome, VoiceTurnOutcome,
    VoiceTurnReason, WatchCause,
};
use crate::reply::SkipReason;

journal_events! {
    /// A message reached the mind.
    MessageReceived "text_message_received" { author: PersonId, author_name: String, characters: usize, images: usize, }
    /// A message was taken note of, and could not lead to a reply.
    MessageIgnored "text_message_ignored" { reason: DropReason, }
    /// A room is not known any more: its platform says that it is gone, or there are too many.
    RoomEnded "room_ended" { because: RoomEnding, }
    /// A message was changed by its author.
    MessageEdited "text_message_edited" { while_waiting: bool, while_answering: bool, }
    /// A message was taken back by its author.
    MessageDeleted "text_message_deleted" { while_waiting: bool, while_answering: bool, }
    /// The admission gate (stage A) decided whether a reply is attempted at all.
    AdmissionDecided "text_admission_decided" {
        gate: Gate, allow: bool, reason: AdmissionReason, address: AddressReason, rule: String, confidence: f64,
        forced: bool, bot_in_recent_window: bool, eagerness: u64, score: Option<AddressScore>,
    }
    /// An operator wants a message answered, once more or after all.
    ReplyRequested "text_reply_requested" { refused: Option<AgainRefusal>, }
    /// No reply was made, and this is why.
    ReplySkipped "reply_skipped" { reason: SkipReason, detail: String, }
    /// An admitted message waits for the burst it belongs to to finish; also for a reply that is in the making, where `behind_reply` says so.
    MessageQueued "text_message_queued" { burst_messages: usize, queue_length: usize, closes_in: Span, behind_reply: Option<bool>, }
    /// A burst was finished, and a reply to it is being attempted.
    TurnOpened "text_turn_opened" { author: PersonId, trigger_message_ids: Vec<MessageId>, forced: bool, waited: Span, }
    /// The turn waits.
    TurnDelayed "text_turn_delayed" { reason: DelayReason, delay: Span, }
    /// Messages waited behind a question to a model for somebody else's turn, which took long or came to nothing.
    ReplyHeldUp "text_reply_held_up" { ask: AskId, took: Span, failure: Option<AskFailureKind>, retry_in: Option<Span>, }
    /// The turn is over; every admitted turn has exactly one of these.
    TurnEnded "text_turn_ended" { outcome: TurnOutcome, took: Span, llm1_ms: Option<u64>, followup_ms: Option<u64>, }
    /// A chance was rolled.
    DiceRolled "dice_rolled" { purpose: String, roll: u64, below: u64, hit: bool, }
    /// Older messages and memories that might fit are being looked for.
    RecallStarted "recall_started" { recall: RecallId, query_characters: usize, people: usize, }
    /// The look-up came back.
    RecallCompleted "recall_completed" {
        recall: RecallId, messages: usize, user_facts: usize, relevant_facts: usize, unsure: usize, took: Span, failure: Option<String>,
    }
    /// The look-up took too long; the reply goes on without it.
    RecallAbandoned "recall_abandoned" { recall: RecallId, after: Span, }
    /// The reply is asked for as suits a small model.
    PlainProfileTaken "reply_plain_profile_taken" { because: PlainCause, }
    /// A model was asked.
    AskStarted "ask_started" {
        ask: AskId, purpose: AskPurpose, provider: String, model: String, attempt: u64, prompt_characters: usize,
        sections_trimmed: Vec<String>, sections_dropped: Vec<String>,
    }
    /// A model answered; where that was cut, at how many tokens, thoughts included.
    AskCompleted "ask_completed" {
        ask: AskId, purpose: AskPurpose, provider: String, model: String, took: Span, first_text: Option<Span>,
        input_tokens: u64, cached_tokens: Option<u64>, output_tokens: u64, cost_micro_dollars: Option<u64>,
        cut_at: Option<u64>,
    }
    /// A model did not answer.
    AskFailed "ask_failed" {
        ask: AskId, purpose: AskPurpose, kind: AskFailureKind, detail: String, retry_in: Option<Span>,
        input_tokens: Option<u64>, output_tokens: Option<u64>, cost_micro_dollars: Option<u64>,
    }
    /// Nothing is left of the day's budget for this; written for the first question of a purpose that is not asked.
    SpendingRefused "spending_refused" {
        purpose: SpendingPurpose, limit: SpendingLimit, share: SpendingScope, used: u64, allowed: u64, wanted: u64,
    }
    /// A model is left alone and then tried with the next question: its provider asked for it or refuses its key or account, whatever for; or, for what it was asked, it gave no word, took no prompt or has trouble of its own.
    ModelRestBegun "model_rest_begun" { provider: String, model: String, asked_for: Span, rest: Span, why: Option<RestCause>, }
    /// An operator wants models tried that are left alone: each is with its next question.
    ModelRestsLifted "model_rests_lifted" { models: usize, }
    /// An answer came that nobody waited for any more.
    AskDiscarded "ask_answer_discarded" { ask: AskId, }
    /// An ask was given up.
    AskCancelled "ask_cancelled" { ask: AskId, why: CancelReason, }
    /// The model spoke out of turn (a silence token inside text, a broken envelope); this is what was made of it.
    AnswerRepaired "ask_answer_repaired" { ask: AskId, what: String, }
    /// The classifier judged whether a message was meant for Denizen.
    AddressClassified "text_address_classified" { confidence: f64, threshold: f64, addressed: bool, }
    /// The model asked for a tool.
    ToolStarted "tool_started" { run: ToolRunId, tool: String, }
    /// A tool gave a result.
    ToolCompleted "tool_completed" { run: ToolRunId, tool: String, failed: bool, characters: usize, took: Span, }
    /// A tool call was answered without running it.
    ToolRefused "tool_refused" { tool: String, why: String, }
    /// A message is on its way into the room.
    DeliveryStarted "text_delivery_started" { delivery: DeliveryId, part: usize, parts: usize, characters: usize, }
    /// A message could not be put into the room.
    DeliveryFailed "text_delivery_failed" { delivery: DeliveryId, detail: String, retry_in: Option<Span>, }
    /// A reply to a message was sent.
    SentReply "sent_reply" { message: MessageId, reply_to: MessageId, trigger_message_ids: Vec<MessageId>, characters: usize, part: usize, parts: usize, }
    /// A message was sent to the channel.
    SentMessage "sent_message" { message: MessageId, trigger_message_ids: Vec<MessageId>, characters: usize, part: usize, parts: usize, }
    /// Folding old turns into the summary was considered, and not done. `repeated` counts equal answers after the first.
    CompactionSkipped "voice_context_compaction_skipped" as "snake_case" { reason: CompactionSkip, cursor: TurnSeq, repeated: u64, }
    /// More was said than stands word for word while nobody asked Denizen anything; the oldest turns are folded now.
    ContextOutgrown "voice_context_outgrown" as "snake_case" { by: Outgrown, verbatim_turns: usize, verbatim_chars: usize, asks_model: bool, }
    /// Old turns (and notes that wait) are being folded into the summary.
    CompactionStarted "voice_context_compaction_started" as "snake_case" {
        cursor: TurnSeq, batch_size: usize, recent_start: TurnSeq, pending_note_count: usize,
    }
    /// The summary is a new one, and what it covers has left the context.
    CompactionCompleted "voice_context_compaction_completed" as "snake_case" {
        old_cursor: TurnSeq, cursor: TurnSeq, covered_through_turn: Option<TurnSeq>, summary_chars: usize,
        folded_note_count: usize, latency_ms: u64, summariser: String,
    }
    /// No new summary came; nothing has changed, and it is tried again at the next look.
    CompactionFailed "voice_context_compaction_failed" as "snake_case" {
        ask: AskId, model: String, error: AskFailureKind, detail: String, retryable: bool, falls_back: bool,
    }
    /// A summary names people, places or numbers that nobody mentioned.
    SummarySuspected "voice_context_summary_suspected" as "snake_case" { ask: AskId, inventions: usize, sent_back: bool, }
    /// A summary came out too long and is condensed once more.
    SummaryRecompacted "voice_context_summary_recompacted" as "snake_case" { ask: AskId, summary_chars: usize, }
    /// A summary was still too long and was cut at the end of a sentence.
    SummaryTrimmed "voice_context_summary_trimmed" as "snake_case" { ask: AskId, old_chars: usize, summary_chars: usize, }
    /// A small model's summary told less of what was said than one that is written without it, which was taken instead.
    SummaryOutdone "voice_context_summary_outdone" as "snake_case" { ask: AskId, model: String, told: u64, offline_told: u64, }
    /// Turns left the context unsummarised, because too many waited.
    ContextTurnsDropped "voice_context_turns_dropped" as "snake_case" { dropped_turn_count: usize, old_cursor: TurnSeq, cursor: TurnSeq, }
    /// Notes left the context unsummarised, because too many waited.
    ContextNotesDropped "voice_context_notes_dropped" as "snake_case" { dropped_note_count: usize, }
    /// A session ended; its summary was offered to memory.
    ContextSessionEnded "voice_context_session_ended" as "snake_case" { turns: u64, cursor: TurnSeq, offered_chars: usize, }
    /// Somebody typed a command; it is carried out, and not answered by a model.
    CommandTaken "text_command_taken" { command: String, }
    /// Somebody typed a command that is not carried out, or not yet; they are told why.
    CommandHeld "text_command_held" { command: String, reason: CommandHold, }
    /// Gems are being made of the oldest turns that wait; `reason` is what triggered it.
    MemoryExtractionStarted "memory_extraction_started" {
        extraction: ExtractionId, session: SessionId, reason: ExtractionTrigger, turns: usize, waiting: usize, context_share: Option<f64>,
    }
    /// No gems are made now, and this is why. `repeated` counts equal answers that were not written down.
    MemoryExtractionSkipped "memory_extraction_skipped" { session: SessionId, reason: ExtractionSkip, pending: usize, repeated: u64, }
    /// Gems were read out of the turns; invalid ones were rejected one by one.
    MemoryExtractionCompleted "memory_extraction_completed" {
        extraction: ExtractionId, session: SessionId, ask: Option<AskId>, by: String, gems: usize, rejected: BTreeMap<String, usize>, took: Span,
    }
    /// Making gems failed; the turns are kept.
    MemoryExtractionFailed "memory_extraction_failed" {
        extraction: ExtractionId, session: SessionId, ask: Option<AskId>, error: AskFailureKind, detail: String, turns: usize,
        retry_in: Option<Span>, falls_back: bool,
    }
    /// A run ended without gems; those of its turns that are still there wait for another one.
    MemoryExtractionDropped "memory_extraction_dropped" { extraction: ExtractionId, session: SessionId, because: ExtractionDrop, turns: usize, }
    /// The gems of a run are stored, and its turns have left the buffer.
    MemoryGemsStored "memory_gems_stored" {
        extraction: ExtractionId, session: SessionId, added: Vec<GemId>, strengthened: Vec<GemId>, superseded: Vec<GemId>,
        already_there: usize, changed: Option<usize>, turns: usize, took: Span,
    }
    /// The gems of a run could not be stored; they are kept and tried again.
    MemoryStoringFailed "memory_storing_failed" { extraction: ExtractionId, session: SessionId, detail: String, retry_in: Span, }
    /// Something was forgotten for good.
    MemoryForgotten "memory_forgotten" { kind: ForgottenKind, gems: usize, turns: usize, summaries: usize, failure: Option<String>, }
    /// Somebody started to share a screen; `shares` counts everybody who does now.
    ShareStarted "stream_watch_share_started" { share: ShareId, person: PersonId, shared_by: String, source: ShareSource, shares: usize, }
    /// Somebody's share is over.
    ShareEnded "stream_watch_share_ended" { share: ShareId, reason: ShareEnd, lasted: Span, frames: u64, }
    /// A screen is watched from now on.
    WatchStarted "stream_watch_started" { share: ShareId, shared_by: String, generation: u64, because: WatchCause, }
    /// A screen is not watched any more; what was seen of it is offered to memory.
    WatchEnded "stream_watch_ended" {
        share: ShareId, generation: u64, because: UnwatchCause, lasted: Span, notes: u64, recap_characters: usize,
    }
    /// Several people share and nobody has said whose screen to watch; none is guessed.
    WatchTargetUnclear "stream_watch_target_left_open" { shares: usize, }
    /// Frames were refused at the door. `folded` counts more of them since the last such line.
    FrameRefused "stream_watch_frame_refused" { share: ShareId, reason: FrameRefusal, detail: String, folded: u64, }
    /// A model is asked for a note on the newest frame. `score` is the greatest change since the last attempt; `held` counts the frames since then that led to none, by why.
    NoteStarted "stream_watch_note_started" {
        ask: AskId, frame: FrameId, trigger: NoteTrigger, score: f64, ema: f64, scene_cut: bool, change_threshold: f64,
        static_floor: f64, since_last: Option<Span>, held: BTreeMap<NoteHold, u64>, provider: String, model: String,
    }
    /// A note was taken, or the newest one was found to hold still.
    NoteTaken "stream_watch_note_taken" {
        ask: AskId, frame: FrameId, trigger: NoteTrigger, outcome: NoteOutcome, characters: usize, took: Span,
        provider: String, model: String, input_tokens: u64, output_tokens: u64, cost_micro_dollars: Option<u64>,
    }
    /// No note came of an attempt; what was to be noted is attempted again after a cooldown.
    NoteFailed "stream_watch_note_failed" { ask: AskId, frame: FrameId, trigger: NoteTrigger, error: AskFailureKind, detail: String, failures: u64, next_in: Option<Span>, }
    /// The oldest notes made room for newer ones, or their conversation is over; they wait to be folded into the summary, where one is kept.
    NotesEvicted "stream_watch_notes_evicted" { notes: usize, oldest: NoteSeq, to_be_folded: bool, }
    /// A comment would be due, and waits until the gate opens.
    CommentaryDeferred "stream_watch_commentary_deferred" { trigger: CommentaryTrigger, gate: CommentaryGate, }
    /// A model is asked whether something is worth saying. `held` says for how long each gate kept it waiting.
    CommentaryStarted "stream_watch_commentary_started" {
        ask: AskId, trigger: CommentaryTrigger, frame: FrameId, waited: Span, held: BTreeMap<CommentaryGate, Span>,
        provider: String, model: String,
    }
    /// It stayed silent, or the moment had passed.
    CommentarySkipped "stream_watch_commentary_skipped" {
        ask: AskId, reason: CommentarySkip, detail: String, notes: usize, took: Span,
        provider: String, model: String, input_tokens: u64, output_tokens: u64, cost_micro_dollars: Option<u64>,
    }
    /// It has something to say, and it is on its way into the room.
    CommentaryWritten "stream_watch_commentary_written" {
        ask: AskId, characters: usize, notes: usize, took: Span,
        provider: String, model: String, input_tokens: u64, output_tokens: u64, cost_micro_dollars: Option<u64>,
    }
    /// A comment is in the room.
    CommentarySpoken "stream_watch_commentary_spoken" { ask: AskId, message: MessageId, characters: usize, }
    /// Nobody heard a word of a comment that was to be said aloud: somebody spoke, or the voice failed.
    CommentaryUnheard "stream_watch_commentary_unheard" { ask: AskId, }
    /// No comment came of it.
    CommentaryFailed "stream_watch_commentary_failed" { ask: AskId, error: AskFailureKind, detail: String, }
    /// A reply sees the current frame of the screen, and not only the notes on it.
    FrameAttached "stream_watch_frame_attached" { frame: FrameId, because: FrameAttached, }
    /// It goes into the voice of the room.
    VoiceSessionRequested "voice_session_requested" { because: VoiceJoinCause, by: Option<PersonId>, }
    /// It does not go into the voice of the room.
    VoiceSessionDeclined "voice_session_declined" { because: VoiceJoinCause, by: Option<PersonId>, reason: VoiceJoinRefusal, }
    /// It is in the voice of the room, and listens.
    VoiceSessionStarted "voice_session_started" { because: VoiceJoinCause, people: usize, }
    /// It will leave soon, because it has been there for long.
    VoiceSessionWarned "voice_session_warned" { left: Span, }
    /// It is not in the voice of the room any more, or did not get in.
    VoiceSessionEnded "voice_session_ended" { because: VoiceEndCause, lasted: Span, heard: u64, spoken: u64, detail: String, }
    /// It understands what is said from now on, or does not any more: whoever runs it has changed its ears.
    VoiceHearingChanged "voice_session_hearing_changed" { hears: bool, }
    /// Its ears fail again and again, or have understood something again.
    VoiceEarsChanged "voice_session_ears_changed" { failing: bool, detail: String, }
    /// A realtime service hears and speaks, or its own ears and voice do for now. `event` is what the service calls being asked to say something.
    VoiceServiceChanged "voice_session_service_changed" { service: String, event: String, works: bool, mode: String, strategy: Option<String>, detail: String, }
    /// Somebody came into the voice of the room.
    VoicePersonJoined "voice_session_person_joined" { person: PersonId, person_name: String, people: usize, }
    /// Somebody left it.
    VoicePersonLeft "voice_session_person_left" { person: PersonId, person_name: String, people: usize, }
    /// Somebody does not want to be listened to, or does again.
    VoiceListeningChosen "voice_session_listening_chosen" { person: PersonId, listen: bool, }
    /// A sound effect was heard.
    VoiceSoundPlayed "voice_session_sound_played" { person: Option<PersonId>, sound: String, }
    /// A short sound that Denizen wanted to play could not be played.
    VoiceSoundFailed "voice_session_sound_failed" { sound: String, detail: String, }
    /// Somebody said something, and it was written down.
    UtteranceHeard "voice_utterance_heard" { author: PersonId, author_name: String, characters: usize, spoken: Span, silence: Span, took: Span, }
    /// Somebody made a sound, and no words came of it.
    UtteranceMissed "voice_utterance_missed" { person: PersonId, reason: UnheardReason, detail: String, spoken: Span, }
    /// What was heard could not lead to an answer.
    UtteranceIgnored "voice_utterance_ignored" { reason: UtteranceDrop, }
    /// The admission gate of voice (stage A) decided whether an answer is attempted, or that it is decided later.
    VoiceTurnAddressing "voice_turn_addressing" {
        allow: bool, reason: VoiceAdmissionReason, direct_addressed: bool, near_name: bool, names_somebody_else: bool,
        focused_speaker: bool, since_own_words: Option<Span>, silence: Span, participants: usize, eagerness: u64,
        retry_after: Option<Span>, llm_response: Option<String>, provider: Option<String>, model: Option<String>,
        score: Option<AddressScore>,
    }
    /// An answer to what was said is attempted. `speakers` are several where they spoke in quick succession.
    VoiceTurnOpened "voice_turn_opened" { speakers: Vec<PersonId>, trigger_message_ids: Vec<MessageId>, required: bool, waited: Span, }
    /// The first words of an answer are heard. Everything is counted from the end of what was said.
    VoiceAnswerHeard "voice_answer_heard" { delivery: DeliveryId, decided: Span, asked: Span, first_sentence: Span, heard: Span, }
    /// The turn is over; every admitted turn has exactly one of these.
    VoiceTurnEnded "voice_turn_ended" { outcome: VoiceTurnOutcome, reason: VoiceTurnReason, detail: String, took: Span, }
    /// The realtime service is asked to say an answer of Denizen's own, by its event of that name; or, where `knows` says what it goes by, to answer by itself.
    RealtimeReplyRequested "realtime_reply_requested" { delivery: DeliveryId, ask: AskId, service: String, event: String, knows: Option<String>, }
    /// Nothing is said by the realtime service to what was heard by it.
    RealtimeReplySkipped "realtime_reply_skipped" { reason: VoiceTurnReason, detail: String, }
    /// An answer of the realtime service's own was cut short: it is told that no more than this was heard, by its event of that name; none where it has none.
    RealtimeReplyTruncated "realtime_reply_truncated" { delivery: DeliveryId, service: String, event: String, heard_characters: usize, }
    /// Of what a realtime service said by itself and wrote by its event of that name, not all is words: marks of silence, of tools and for eyes are left out of the room.
    RealtimeReplyMarked "realtime_reply_marked" { delivery: DeliveryId, service: String, event: String, heard_characters: usize, kept_characters: usize, }
    /// The realtime service that thinks for itself is told what it is to be. `changed` are the parts that are others than before.
    RealtimeInstructed "realtime_instructions_sent" {
        service: String, event: String, characters: usize, changed: Vec<String>, sections_trimmed: Vec<String>, sections_dropped: Vec<String>, tools: Vec<String>, anew: bool,
    }
    /// The realtime service that thinks for itself begins a conversation: of what was before it knows what it is told.
    RealtimeConversationBegun "realtime_conversation_begun" { service: String, begun: u64, folds: bool, }
    /// People spoke at once: the realtime service heard them one after the other, or mixed.
    RealtimeSpeakersOverlapped "realtime_speakers_overlapped" { people: Vec<PersonId>, mixed: bool, event: String, }
    /// Something was said aloud: how much was written, and how much of it was heard.
    ReplySpoken "stt_pipeline_reply_spoken" {
        delivery: DeliveryId, ask: Option<AskId>, written_characters: usize, heard_characters: usize, cut: bool, sentences: usize, took: Span,
    }
    /// The mouth failed.
    VoiceSpeechFailed "voice_speech_failed" { delivery: DeliveryId, detail: String, }
    /// Ears or a voice of somebody else's were used, for so much where that is known.
    VoiceSpeechPaid "voice_speech_paid" { engine: String, cost_micro_dollars: Option<u64>, }
    /// Somebody spoke while Denizen did: it falls silent, or goes on.
    BargeInDecided "voice_barge_in_decided" { person: PersonId, stop: bool, reason: BargeInReason, spoken: Span, }
    /// It greets whoever is there; a second attempt is made rather than stay silent.
    VoiceGreetingStarted "voice_session_greeting_started" { attempt: u64, }
    /// It thinks of something to say into a silence.
    VoiceThoughtStarted "voice_thought_started" { silence: Span, reconsiders: bool, }
    /// What came of that; every one that was started has exactly one of these.
    VoiceThoughtEnded "voice_thought_ended" { outcome: VoiceThoughtOutcome, detail: String, ask: Option<AskId>, took: Span, }
    /// Everybody has been silent for long, and a gate keeps it from thinking of something: once in a silence for each gate.
    VoiceThoughtStopped "voice_thought_stopped" { gate: VoiceThoughtGate, silence: Span, roll: Option<u64>, below: Option<u64>, }
    /// Something happened while a thought was held or about to be said: it is not said, but considered anew.
    VoiceThoughtInvalidated "voice_thought_invalidated" { change: RoomChange, held_for: Span, }
    /// A thought that was held is gone.
    VoiceThoughtLetGo "voice_thought_let_go" { reason: VoiceThoughtLoss, held_for: Span, looks: u64, }
    /// A tick of its own thoughts: a model is asked, or a gate stops it. `repeated` counts equal ticks that were not written down.
    AmbientTickDecided "ambient_tick_decided" {
        ran: bool, gate: Option<AmbientGate>, revisits: bool, roll: Option<u64>, below: Option<u64>, repeated: u64,
    }
    /// It begins to think by itself: of something fresh, or of the thought it holds.
    AmbientRunStarted "ambient_run_started" { trial: bool, revisits: bool, channels: usize, }
    /// Channels that it might post to do not exist, and are left out.
    AmbientChannelsUnknown "ambient_channels_unknown" { rooms: Vec<RoomId>, }
    /// It has looked around before it thinks.
    AmbientRunGathered "ambient_run_gathered" { items: usize, candidates: usize, sources: usize, sources_failed: usize, facts: usize, abandoned: bool, took: Span, }
    /// It has done thinking, and this came of it.
    AmbientRunEnded "ambient_run_ended" { outcome: RunOutcome, took: Span, calls: u64, tokens: u64, cost_micro_dollars: Option<u64>, }
    /// It posted something of its own accord.
    InitiativePost "initiative_post" {
        ask: AskId, messages: Vec<MessageId>, characters: usize, links: Vec<String>, media: Option<MediaKind>,
        reply_to: Option<MessageId>, revisions: u64, held_for: Span,
    }
    /// It stayed quiet of its own accord, or a held thought came to something else than a post.
    InitiativeSkip "initiative_skip" { reason: InitiativeSkip, detail: String, ask: Option<AskId>, revisions: u64, }
    /// A picture, clip or GIF is wanted for a post.
    AmbientMediaWanted "ambient_media_wanted" { media: MediaId, kind: MediaKind, model: String, }
    /// It is there.
    AmbientMediaMade "ambient_media_made" { media: MediaId, kind: MediaKind, provider: String, bytes: u64, cost_micro_dollars: Option<u64>, took: Span, }
    /// It cannot be had; the words go out without it.
    AmbientMediaFailed "ambient_media_failed" { kind: MediaKind, detail: String, refused: bool, }
    /// A picture or GIF is wanted for a reply, whose words wait for it.
    ReplyMediaWanted "reply_media_wanted" { media: MediaId, kind: MediaKind, model: String, }
    /// It is there, and goes with the reply.
    ReplyMediaMade "reply_media_made" { media: MediaId, kind: MediaKind, provider: String, bytes: u64, cost_micro_dollars: Option<u64>, took: Span, }
    /// It cannot be had; the model is told why, and says so in words.
    ReplyMediaFailed "reply_media_failed" { kind: MediaKind, detail: String, refused: bool, }
    /// Something came back for a post of its own.
    AmbientOutcomeCounted "ambient_outcome_counted" { reactions: usize, replies: usize, }
    /// It added a source to what it reads.
    AmbientSourceAdded "ambient_source_added" { source: FeedSource, reason: String, }
    /// A source it had added is not read any more.
    AmbientSourceRemoved "ambient_source_removed" { source: FeedSource, by: SourceRemover, }
    /// What can be done out there is something else than before.
    CapabilitiesChanged "capabilities_changed" { tools: Vec<String>, media: Vec<MediaKind>, }
    /// Replies are written by another model than before, or more is known of it.
    ReplyModelChanged "reply_model_changed" { provider: String, model: String, plain: Option<PlainCause>, }
    /// Somebody wants nothing said in a room until then, or for good; nobody: whoever runs it does.
    QuietBegun "room_quiet_begun" { person: Option<PersonId>, until: Option<WallTime>, }
    /// A room may be spoken in again: somebody wants it, or the time is over.
    QuietEnded "room_quiet_ended" { person: Option<PersonId>, }
    /// Its answer is an emoji under the message, and this is why it took no words.
    ReactionSent "reply_reaction_sent" { ask: AskId, message: MessageId, emoji: String, why: String, }
    /// Somebody put a reaction under a message, or took it back.
    ReactionChanged "message_reaction_changed" { person: PersonId, added: bool, }
    /// A request was refused at the door: malformed, unknown, out of range, too large or too many. `folded` counts more of them since the last such line.
    RequestRefused "web_request_refused" { method: String, path: String, status: u16, code: String, folded: u64, }
    /// The settings were changed.
    SettingsChanged "settings_changed" { version: u64, changed: Vec<String>, }
    /// A default model was replaced by another: `main` for what people read, `small` for the rest.
    ModelMoved "model_default_moved" { provider: String, role: String, from: String, to: String, because: String, }
    /// The catalogue of models was read anew: it counts from now on, or is refused and the one before stays.
    CatalogueChanged "model_catalogue_changed" { path: String, date: Option<String>, problem: Option<String>, }
    /// The process came up again and goes on with what was under way.
    Restarted "process_restarted" { down_for: Span, asks_lost: usize, deliveries_repeated: usize, }
    /// The state that was kept could not be read as a whole: what was carried over, what was lost, and how many messages were read from the store instead.
    StateSalvaged "state_salvaged" { carried: Vec<String>, lost: Vec<String>, messages: usize, }
    /// The process was asked to end.
    ShutdownRequested "process_shutdown_requested" { at: WallTime, }
}
