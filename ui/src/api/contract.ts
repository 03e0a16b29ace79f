// The types of the HTTP API. Written by `make docs` from the description that is served at /api/openapi.json; not to be edited.
// Times are unix milliseconds, spans are milliseconds, costs are millionths of a dollar.

/** How busy a screen is. */
export type Activity = 'static' | 'moving' | 'significant';

/** Why a message counts as addressed to Denizen, or does not. */
export type AddressReason =
  | 'direct'
  | 'name_exact'
  | 'name_alias'
  | 'followup_partner'
  | 'llm_direct_address'
  | 'llm_decides';

/** Why the gate let a message pass, or did not. */
export type AdmissionReason =
  | 'channel_blocked'
  | 'user_not_allowed'
  | 'user_blocked'
  | 'forced'
  | 'addressed'
  | 'recent_window'
  | 'joins_burst'
  | 'operator_wish'
  | 'ask_classifier'
  | 'may_not_write'
  | 'quiet'
  | 'channel_not_allowed'
  | 'initiative_replies_off'
  | 'meant_for_somebody_else'
  | 'not_in_recent_window';

/** What somebody may do here. */
export interface Admitted {
  /** What was shown would have let them do less, or the same: this browser keeps the session that it has, and a link is not used up. With `instead` it is taken all the same. */
  offered?: Role;
  role: Role;
}

/** Where turns and gems go. */
export interface AgentScope {
  /** One that is here; `agents` without it. */
  community?: string;
  /** It comes up in this room alone. */
  private?: boolean;
  /** The part of the session before its first slash without it. */
  room?: string;
}

/** From where somebody looks. */
export interface AgentView {
  /** One that is here; `agents` without it. */
  community?: string;
  /** Who is present; with the reach `everywhere`, what is known of them follows them. */
  people?: string[];
  /** `room`, `community` or `everywhere`; `memory.reach` without it. */
  reach?: string;
  /** What is private to this room is seen too. */
  room?: string;
}

/** A thought that is held in the voice of a room. */
export interface AloudView {
  createdAt: WallTime;
  /** How often it was looked at. */
  looks: number;
  /** Why it was held the last time. */
  reason: string;
  room: RoomId;
  /** Something happened in the room since it was last looked at. */
  roomMovedOn: boolean;
  text: string;
}

/** Everything at once. */
export interface AmbientView {
  /** What it holds in the voice of rooms, one thought in each. */
  aloud: AloudView[];
  attention: AttentionView;
  budget: BudgetView;
  /** The items the last thought was shown. */
  candidates: CandidateView[];
  /** The configured channels, and whether each could be posted to. */
  channels: ChannelView[];
  /** The chance of a fresh thought once nothing stops it, in percent. */
  eagerness: number;
  enabled: boolean;
  /** Every gate there is. */
  gates: GateDoc[];
  interests: string[];
  media: MediaMeter[];
  /** Until the next tick; none: no tick is wanted. */
  nextTickIn: Span | null;
  /** Newest first. */
  posts: PostView[];
  postsPerDay: Meter;
  /** Newest first; equal ones in a row are one. */
  receipts: Receipt[];
  /** What is under way. */
  run: ThoughtRun | null;
  sources: SourceView[];
  /** What would stop the next tick, as things stand; none: nothing but chance. */
  stoppedBy: Stop | null;
  thought: ThoughtView | null;
  tools: ToolView[];
  /** What the operator's last "think now" came to, or how far it is. */
  trial: ThoughtRun | null;
}

/** How a system text says what the answer must look like. Where tools go with a request and the schema cannot, an adapter puts the plain words in place of the typed ones: a model that is told to write JSON never calls a tool. */
export interface AnswerWords {
  /** The same for an answer in plain words. */
  plain: string;
  /** As it stands in the system text. */
  typed: string;
}

/** One of them. */
export interface AnsweredModel {
  /** Where it was asked. */
  baseUrl: string;
  /** A mark of the key that it was asked with, out of which no key can be had; empty where there was none. */
  keyMark: string;
  model: string;
  provider: string;
  /** What it was asked for, as the journal names it. */
  purpose: string;
}

/** Models that were seen to answer. */
export interface AnsweredModels {
  answered: AnsweredModel[];
}

/** Which of them this process asks, too. */
export interface AnswersTaken {
  /** Those that are asked otherwise here, so that nothing follows. */
  otherwise: AskedOtherwise[];
  /** Purposes whose model is left alone no more. */
  taken: AskPurpose[];
}

export interface AskAnswer {
  /** What its prompt is made of, in tokens, and of how much. */
  account: PromptAccount;
  ask: AskRecord;
  /** The call before it for the same room and purpose. */
  previous: AskRecord | null;
}

/** Why no answer came. */
export interface AskFailure {
  /** For a person: what happened and what to do about it. Never holds a key or message text. */
  detail: string;
  kind: AskFailureKind;
  /** What the provider asked us to wait. */
  retryAfter?: Span;
  /** Requests that went out for it; every one counts. */
  tries?: number;
  /** What it took all the same, where the provider had counted before it failed. */
  usage?: Usage;
}

export type AskFailureKind =
  | 'timed_out'
  | 'rate_limited'
  | 'context_too_long'
  | 'refused'
  | 'unreachable'
  | 'server_error'
  | 'no_first_byte'
  | 'stream_stalled'
  | 'malformed'
  | 'rejected'
  | 'key_refused'
  | 'region_refused'
  | 'unknown_model'
  | 'interrupted'
  | 'budget_spent'
  | 'unavailable'
  | 'quota_spent'
  | 'out_of_room'
  | 'empty_answer';

/** One question to a model. */
export type AskId = number;

/** How an ask ended. */
export type AskOutcome = { answered: ModelAnswer } | { failed: AskFailure };

/** What a model is asked for; each has its own choice of provider and model. */
export type AskPurpose =
  | 'text_reply'
  | 'text_reply_followup'
  | 'address_classifier'
  | 'context_compaction'
  | 'gem_extraction'
  | 'screen_note'
  | 'screen_commentary'
  | 'ambient_thought'
  | 'voice_reply'
  | 'voice_reply_followup'
  | 'voice_reply_decision'
  | 'voice_thought';

/** What a model call was given and what it gave. */
export interface AskRecord {
  ask: AskId;
  community: CommunityId;
  model: string;
  /** None while it is under way, or when the process ended before it did. */
  outcome: AskOutcome | null;
  /** The ask for the same room and purpose before this one. */
  previous: AskId | null;
  provider: string;
  /** The body exactly as it was sent; of several tries, the last one's. */
  rawRequest: string;
  /** The response as it came, cut at a bound. */
  rawResponse: string;
  request: ModelRequest;
  room: RoomId;
  startedAt: WallTime;
  turn: TurnId;
  url: string;
}

/** An ask in a list. */
export interface AskSummary {
  ask: AskId;
  costMicroDollars: number | null;
  inputTokens: number;
  model: string;
  outputTokens: number;
  provider: string;
  purpose: string;
  room: RoomId;
  startedAt: WallTime;
  /** `under_way`, `answered`, or the failure's name. */
  state: string;
  tookMs: number | null;
  turn: TurnId;
}

/** What the asks of one purpose come to. */
export interface AskTotals {
  calls: number;
  /** Of those whose price is known. */
  costMicroDollars: number;
  failed: number;
  inputTokens: number;
  outputTokens: number;
  purpose: string;
  underWay: number;
  /** Answered, and nobody knows the price. */
  unpriced: number;
}

/** In what it differs. */
export interface AskedOtherwise {
  /** `model`, `address`, `key`. */
  differs: string[];
  purpose: AskPurpose;
}

export interface AskingView {
  ask: AskId;
  runningFor: Span;
}

export interface Asks {
  asks: AskSummary[];
  /** What all that fit come to, by purpose, and not those of this list alone. */
  totals: AskTotals[];
}

/** A picture or file that came with a message; its bytes are kept outside the mind. */
export interface Attachment {
  bytes: number;
  /** What is to be seen, where that is known: what was wished for, of something that was made or found. */
  description?: string;
  id: AttachmentId;
  /** For example `image/png`. */
  mime: string;
  name: string;
}

/** A picture or file that came with a message. */
export type AttachmentId = string;

export interface AttentionView {
  /** While active: for how long still, and where. */
  endsIn: Span | null;
  room: RoomId | null;
  /** `ambient` or `active`. */
  state: string;
}

/** Who wrote a message. */
export interface Author {
  id: PersonId;
  kind: AuthorKind;
  /** The name the room shows. */
  name: string;
}

/** What kind of participant an author is. */
export type AuthorKind = 'person' | 'denizen' | 'other_bot';

export interface BudgetView {
  calls: Meter;
  /** In millionths of a dollar. */
  cost: Meter;
  /** What one thought cost on average, all its calls together. */
  costOfAThought: number | null;
  /** What the gates kept from being asked in the last 24 hours. */
  saved: Saved[];
  tokens: Meter;
  tokensOfAThought: number | null;
  /** Calls whose price nobody knows. */
  unpricedCalls: number;
}

export interface BufferCount {
  /** Held by this process. */
  held: number;
  /** Captured here and not yet handed to a shared buffer, because it cannot be reached. */
  keptBack: number;
  /** Nobody holds them. */
  waiting: number;
}

/** A call that Denizen is in. */
export interface CallStanding {
  /** What people call the room. */
  channel: string;
  community: CommunityId;
  /** People in it, Denizen aside. */
  people: number;
  room: RoomId;
  /** What people call the community. */
  server: string;
}

/** Model calls of the last hour. */
export interface CallsView {
  /** At this rate, in an hour of watching: from the calls since the watch began, or of the last hour. */
  callsPerHour: number;
  commentary: number;
  /** Millionths of a dollar, of the calls whose price is known. */
  costMicroDollars: number;
  costPerHourMicroDollars: number;
  failed: number;
  notes: number;
  /** Calls whose price is not known. */
  unpriced: number;
}

/** An item with why it stands where it does, and what each part adds to its score. */
export interface CandidateView {
  chance: number;
  freshness: number;
  item: FeedItem;
  parts: ScoreParts;
  popularity: number;
  score: number;
  /** The parts of the score, each 0 to 1, and what chance added or took. */
  source: number;
  topic: number;
}

/** One accepted turn, of whatever kind. */
export interface CapturedTurn {
  at: WallTime;
  /** The same however often it is captured; a message's own id where it is one. */
  id: TurnKey;
  kind: TurnKind;
  /** Its place in that conversation, growing; neighbours in time are neighbours here. 0: not given yet. */
  number: number;
  place: Place;
  /** The conversation it is part of. */
  session: SessionId;
  speaker: Author;
  text: string;
}

/** An answer as its provider wrote it, with what only the provider can read: thoughts it signed or locked. It wants them back unchanged when the results of the calls are sent. Nobody is shown it, and nobody else is sent it. */
export interface Carried {
  /** Who wrote it, as the adapter names it: wire format, provider and model. */
  from: string;
  /** The pieces of the answer, in order. */
  pieces: unknown[];
}

/** A journal line, and what it means. */
export interface ChainLink {
  entry: JournalEntry;
  /** The line in plain words. */
  sentence: string;
}

export interface ChannelView {
  eligible: boolean;
  room: RoomId;
  /** Why not. */
  why: string;
}

export type ChatRole = 'user' | 'assistant' | 'tool';

/** One turn of the conversation as the model sees it; neighbours never share a role except around tools. */
export interface ChatTurn {
  parts: ContentPart[];
  role: ChatRole;
}

/** What a tried source has, or why it will not do. */
export interface Checked {
  ok: boolean;
  words: string;
}

/** What commentary does now. */
export interface CommentaryView {
  asking: AskingView | null;
  /** How long until it is considered again, where nothing waits. */
  dueIn: Span | null;
  enabled: boolean;
  /** Every gate, and whether it is shut now. */
  gates: GateView[];
  /** A comment is on its way into the room: being sent, or said aloud. */
  saying: boolean;
  /** The trigger that waits for the gates: `share_start`, `change_detected` or `interval`. */
  waiting: string | null;
  /** For how long it has waited. */
  waitingFor: Span | null;
}

/** The communities of this process: the home one first, the others by id. */
export interface Communities {
  communities: Community[];
}

/** A community that runs here. */
export interface Community {
  /** The addresses without a community's name are this one's. */
  home: boolean;
  id: CommunityId;
  /** What people call it. */
  name: string;
  /** Where its people are, if that is not here; such a community is for administrators. */
  platform?: string;
  /** The rooms people can sit in by way of this process. */
  rooms: RoomId[];
}

/** A community: a Discord server, or the local one. The unit of state: one mind each. */
export type CommunityId = string;

/** One community in a line. */
export interface CommunityOverview {
  /** What is wrong with it, each with what to do. */
  ailments?: string[];
  /** Questions to models today. */
  callsToday: number;
  costTodayMicroDollars: number;
  /** What Denizen is called there. */
  denizen: string;
  /** It is held up: what follows is not known. */
  heldUp?: boolean;
  home: boolean;
  id: CommunityId;
  /** What people call it. */
  name: string;
  /** Where its people are, if that is not here. */
  platform?: string;
  /** Of these, those that not everybody in the community may read. */
  privateRooms: number;
  /** Models that are left alone for a while. */
  restingModels: number;
  rooms: number;
}

/** A piece of a turn. */
export type ContentPart =
  | { text: string }
  | { image: { id: AttachmentId; mime: string } }
  | { history: { before: number; max_chars: number; session: SessionId } }
  | { tool_call: ToolCall }
  | { tool_result: ToolResult }
  | { carried: Carried };

/** How full the agent's own context is: tokens and window, or a per cent. */
export interface ContextUsage {
  contextWindow?: number;
  percent?: number;
  tokens?: number;
}

/** Whether somebody's browser has it, or a program, or whoever was given a link. */
export type CredentialKind = 'session' | 'token' | 'link';

/** A credential, without its secret. */
export interface CredentialView {
  expiresAt?: WallTime;
  id: string;
  kind: CredentialKind;
  label: string;
  /** To the hour; none if it was never used. */
  lastUsedAt?: WallTime;
  madeAt: WallTime;
  role: Role;
  /** How often a link still lets somebody in. */
  usesLeft?: number;
}

export interface Credentials {
  credentials: CredentialView[];
}

/** One thing to be sent, the same across retries and restarts, so that it is sent once. */
export type DeliveryId = string;

/** Who Denizen is here. */
export interface Denizen {
  id: PersonId;
  name: string;
}

/** What it would do with a message. */
export interface DryRun {
  /** What the gate says; none where it is not asked. */
  admission: GateSays | null;
  /** From the message to the question, in milliseconds; what look-ups take is not in it. */
  after: Span;
  /** The journal lines it would leave. */
  chain: ChainLink[];
  outcome: WouldDo;
  /** What the model would be given; none where no model would be asked. */
  prompt: ImaginedPrompt | null;
  /** The same in words, and why. */
  sentence: string;
}

/** Which model made vectors, and how long they are. */
export interface EmbedderIdentity {
  dimensions: number;
  /** Provider and model, `builtin:table-1`, `openai:text-embedding-3-small`. */
  name: string;
}

/** Every refusal looks like this. */
export interface ErrorBody {
  error: Problem;
}

/** What one kind of journal line means, for the manual. */
export interface EventDoc {
  fields: string[];
  meaning: string;
  name: string;
}

/** Every kind of journal line. */
export interface EventDocs {
  events: EventDoc[];
}

/** One run of making gems out of turns. */
export type ExtractionId = number;

/** Why gems are made now. */
export type ExtractionTrigger = 'turn_end' | 'idle' | 'context' | 'session_end' | 'new' | 'reset';

/** What became of some messages. */
export interface Fates {
  fates: MessageFate[];
}

/** A family of sources. */
export type FeedFamily = 'reddit' | 'hacker_news' | 'youtube' | 'rss' | 'x';

/** Something a source brought. */
export interface FeedItem {
  author?: string;
  comments?: number;
  nsfw: boolean;
  /** Points or upvotes, where the source counts them. */
  points?: number;
  /** How much noticed it is among its source's items, 0 to 1. */
  popularity: number;
  publishedAt?: WallTime;
  source: FeedSource;
  /** A little of what it says, as plain text; may be empty. */
  summary: string;
  title: string;
  /** The canonical address: what makes two items the same. */
  url: string;
}

/** One source. */
export interface FeedSource {
  family: FeedFamily;
  /** A subreddit, a feed's address, a YouTube channel's id, a handle on X; for Hacker News the list, `top`. */
  name: string;
}

/** Why a model stopped. */
export type Finish = 'complete' | 'tool_calls' | 'length' | 'refused';

/** A run that has ended well. */
export interface FinishedRun {
  /** The model's ask, where one was asked. */
  ask: AskId | null;
  at: WallTime;
  newCursor: TurnSeq;
  notes: string[];
  oldCursor: TurnSeq;
  summariser: string;
  summary: string;
  took: Span;
  turns: string[];
}

/** What was found, with why. */
export interface Found {
  /** Words of the search that it has. */
  matched?: string[];
  record: Record;
  scores: Scores;
  /** Gems that led to this turn. */
  through?: GemId[];
}

/** Messages that fit, the best first. */
export interface FoundMessages {
  messages: Message[];
}

/** An emitted frame of a shared screen. The picture is in the shell; the mind has the number. */
export type FrameId = number;

/** A frame that was taken in. */
export interface FrameReceipt {
  /** The smoothed score. */
  ema: number;
  frame: FrameId;
  height: number;
  sceneCut: boolean;
  /** How much it differs from the frame before, 0 to 1. */
  score: number;
  width: number;
}

/** A gate, in a few words. */
export interface GateDoc {
  /** Its name in the journal. */
  gate: string;
  kind: GateKind;
  /** The settings it goes by. */
  settings: string[];
  title: string;
}

/** Gates that are shown alike. */
export type GateKind = 'off' | 'channels' | 'attention' | 'posts' | 'budget' | 'gap' | 'held' | 'chance' | 'busy';

/** The gate's answer. */
export interface GateSays {
  /** How the message is addressed. */
  address: AddressReason;
  allow: boolean;
  confidence: number;
  /** Whether a reply would be owed. */
  forced: boolean;
  reason: AdmissionReason;
  /** Which rule of addressing spoke. */
  rule: string;
}

export interface GateView {
  /** `commentary_off`, `quiet_window`, `queued_work`, `playback`, `spacing`, `hourly_cap`, `call_cap`, `channel_not_allowed`, `nothing_new`. */
  gate: string;
  /** For how long this gate has held the trigger that waits. */
  heldFor: Span;
  /** When it opens by itself, where that is known. */
  opensIn: Span | null;
  shut: boolean;
}

/** One thing worth remembering. The first keys are the gem format of the NeuralStream design; the rest is its life. */
export interface Gem {
  /** What it states a value of, folded to a short phrase ("favourite colour"); a newer value supersedes an older one. */
  attribute?: string;
  /** Somebody tried to give instructions by way of memory: it is shown as a quoted claim, never as guidance. */
  claim: boolean;
  /** The fact, decision, preference, task or piece of code, as a sentence that stands alone. */
  content: string;
  created_at: string;
  /** Derived from the source, so that storing it again stores nothing twice. */
  gem_id: GemId;
  /** 0 to 1, by the rubric of the extraction prompt. */
  importance: number;
  last_seen_at: string;
  /** The extracting model, `offline`, `operator`, or the agent that put it in. */
  made_by: string;
  /** Whom it is about; mostly whoever said it. */
  person?: PersonId;
  person_name?: string;
  /** An operator wants it kept in view: it does not age and ranks higher. */
  pinned: boolean;
  place: Place;
  source: GemSource;
  /** A standing preference or instruction to do with the person: it does not age. */
  standing: boolean;
  /** How often it was said; 1 at first. */
  strength: number;
  /** One line for quick scanning. */
  summary: string;
  superseded_by?: GemId;
  tags: GemTag[];
  topics: string[];
  /** From when it holds. */
  valid_from: string;
  /** Until when it held; none while it holds. */
  valid_until?: string;
}

/** Changes to a gem; what is not given stays. */
export interface GemEdit {
  content?: string;
  importance?: number;
  pinned?: boolean;
  standing?: boolean;
  summary?: string;
  tags?: GemTag[];
  topics?: string[];
}

/** A gem of memory, derived from what it came from. */
export type GemId = string;

/** A gem as it is kept now. */
export interface GemOnly {
  gem: Gem;
}

/** A page of a listing; `next` is given where there is more. */
export interface GemPage {
  items: Gem[];
  next?: string;
}

/** Where a gem came from. */
export interface GemSource {
  /** The day it was said, `2026-02-23`. */
  date: string;
  session_id: SessionId;
  /** First and last turn number, `15-20`. */
  turn_range: string;
  /** The very turns. */
  turns: TurnKey[];
}

/** A gem with all that led to it and from it. */
export interface GemStory {
  gem: Gem;
  supersededBy?: Gem;
  /** What it replaced. */
  supersedes: Gem[];
  /** The very turns it came from, those that are still there. */
  turns: CapturedTurn[];
}

export type GemTag = 'decision' | 'fact' | 'preference' | 'todo' | 'code';

/** How Denizen is. */
export interface Health {
  community: CommunityId;
  denizen: Denizen;
  /** Which process answers: another one after each start. */
  instance: string;
  /** The number of the newest journal line, if there is one. */
  journalSeq?: JournalSeq;
  model: LanguageStatus;
  /** What is wrong at the moment, and what to do: a disk that takes nothing, a clock not believed, a model that fails or rests, a budget used up. */
  reasons?: string[];
  /** What became of a kept state that could not be read as a whole when this process started. */
  salvaged?: Salvaged;
  /** The version of the settings in force. */
  settingsVersion: number;
  /** `ok`, or `degraded` while something is wrong that `reasons` names. Whoever is worse does not answer. */
  status: string;
  /** Milliseconds since the process started. */
  uptimeMs: number;
  version: string;
}

/** A message that nobody writes. */
export interface ImaginedMessage {
  /** Who would write it: 1 to 40 characters, and not Denizen's own name. */
  author: string;
  text: string;
}

/** A prompt that is not sent. */
export interface ImaginedPrompt {
  account: PromptAccount;
  choice: ModelChoice;
  purpose: AskPurpose;
  sections: SectionReport[];
}

/** Something that has to be switched on. */
export interface IntentStanding {
  /** Known once it was asked for. */
  granted?: boolean;
  /** As it is called there. */
  name: string;
}

/** One line of the journal. */
export interface JournalEntry {
  cause?: JournalSeq;
  community: CommunityId;
  data: { [key: string]: unknown };
  /** The messages it concerns. */
  messages?: MessageId[];
  moment: Moment;
  name: JournalName;
  room?: RoomId;
  seq: JournalSeq;
  turn?: TurnId;
  wall: WallTime;
}

/** What a journal line is called. Stable; GET /api/journal/events says what each means. */
export type JournalName =
  | 'text_message_received'
  | 'text_message_ignored'
  | 'room_ended'
  | 'text_message_edited'
  | 'text_message_deleted'
  | 'text_admission_decided'
  | 'text_reply_requested'
  | 'reply_skipped'
  | 'text_message_queued'
  | 'text_turn_opened'
  | 'text_turn_delayed'
  | 'text_reply_held_up'
  | 'text_turn_ended'
  | 'dice_rolled'
  | 'recall_started'
  | 'recall_completed'
  | 'recall_abandoned'
  | 'reply_plain_profile_taken'
  | 'ask_started'
  | 'ask_completed'
  | 'ask_failed'
  | 'spending_refused'
  | 'model_rest_begun'
  | 'model_rests_lifted'
  | 'ask_answer_discarded'
  | 'ask_cancelled'
  | 'ask_answer_repaired'
  | 'text_address_classified'
  | 'tool_started'
  | 'tool_completed'
  | 'tool_refused'
  | 'text_delivery_started'
  | 'text_delivery_failed'
  | 'sent_reply'
  | 'sent_message'
  | 'voice_context_compaction_skipped'
  | 'voice_context_outgrown'
  | 'voice_context_compaction_started'
  | 'voice_context_compaction_completed'
  | 'voice_context_compaction_failed'
  | 'voice_context_summary_suspected'
  | 'voice_context_summary_recompacted'
  | 'voice_context_summary_trimmed'
  | 'voice_context_summary_outdone'
  | 'voice_context_turns_dropped'
  | 'voice_context_notes_dropped'
  | 'voice_context_session_ended'
  | 'text_command_taken'
  | 'text_command_held'
  | 'memory_extraction_started'
  | 'memory_extraction_skipped'
  | 'memory_extraction_completed'
  | 'memory_extraction_failed'
  | 'memory_extraction_dropped'
  | 'memory_gems_stored'
  | 'memory_storing_failed'
  | 'memory_forgotten'
  | 'stream_watch_share_started'
  | 'stream_watch_share_ended'
  | 'stream_watch_started'
  | 'stream_watch_ended'
  | 'stream_watch_target_left_open'
  | 'stream_watch_frame_refused'
  | 'stream_watch_note_started'
  | 'stream_watch_note_taken'
  | 'stream_watch_note_failed'
  | 'stream_watch_notes_evicted'
  | 'stream_watch_commentary_deferred'
  | 'stream_watch_commentary_started'
  | 'stream_watch_commentary_skipped'
  | 'stream_watch_commentary_written'
  | 'stream_watch_commentary_spoken'
  | 'stream_watch_commentary_unheard'
  | 'stream_watch_commentary_failed'
  | 'stream_watch_frame_attached'
  | 'voice_session_requested'
  | 'voice_session_declined'
  | 'voice_session_started'
  | 'voice_session_warned'
  | 'voice_session_ended'
  | 'voice_session_hearing_changed'
  | 'voice_session_ears_changed'
  | 'voice_session_service_changed'
  | 'voice_session_person_joined'
  | 'voice_session_person_left'
  | 'voice_session_listening_chosen'
  | 'voice_session_sound_played'
  | 'voice_session_sound_failed'
  | 'voice_utterance_heard'
  | 'voice_utterance_missed'
  | 'voice_utterance_ignored'
  | 'voice_turn_addressing'
  | 'voice_turn_opened'
  | 'voice_answer_heard'
  | 'voice_turn_ended'
  | 'realtime_reply_requested'
  | 'realtime_reply_skipped'
  | 'realtime_reply_truncated'
  | 'realtime_reply_marked'
  | 'realtime_instructions_sent'
  | 'realtime_conversation_begun'
  | 'realtime_speakers_overlapped'
  | 'stt_pipeline_reply_spoken'
  | 'voice_speech_failed'
  | 'voice_speech_paid'
  | 'voice_barge_in_decided'
  | 'voice_session_greeting_started'
  | 'voice_thought_started'
  | 'voice_thought_ended'
  | 'voice_thought_stopped'
  | 'voice_thought_invalidated'
  | 'voice_thought_let_go'
  | 'ambient_tick_decided'
  | 'ambient_run_started'
  | 'ambient_channels_unknown'
  | 'ambient_run_gathered'
  | 'ambient_run_ended'
  | 'initiative_post'
  | 'initiative_skip'
  | 'ambient_media_wanted'
  | 'ambient_media_made'
  | 'ambient_media_failed'
  | 'reply_media_wanted'
  | 'reply_media_made'
  | 'reply_media_failed'
  | 'ambient_outcome_counted'
  | 'ambient_source_added'
  | 'ambient_source_removed'
  | 'capabilities_changed'
  | 'reply_model_changed'
  | 'room_quiet_begun'
  | 'room_quiet_ended'
  | 'reply_reaction_sent'
  | 'message_reaction_changed'
  | 'web_request_refused'
  | 'settings_changed'
  | 'model_default_moved'
  | 'model_catalogue_changed'
  | 'process_restarted'
  | 'state_salvaged'
  | 'process_shutdown_requested';

export interface JournalPage {
  entries: JournalEntry[];
  /** What to give as `after` for the lines that follow. */
  next: JournalSeq;
}

/** The number of a journal line within its community. */
export type JournalSeq = number;

/** What a value of a knob looks like as JSON. */
export type KnobValue = boolean | number | string | string[];

/** One setting with its value. */
export interface KnobView {
  default: KnobValue;
  doc: string;
  /** Keys it used to have. */
  former: string[];
  /** What it is taken back to: in a community the value of the base, in the base the default. */
  inherited: KnobValue;
  /** The full public key, such as `activity.replyCoalesceWindowSeconds`. */
  key: string;
  limits: Limits;
  /** It holds for the whole process, so only the base has it. */
  ofTheProcess: boolean;
  /** Why it is changed only where Denizen runs, by command line or file; none if it can be changed here. */
  onlyOnTheMachine?: string;
  /** The key of its section, such as `activity`. */
  section: string;
  /** What the section is for. */
  sectionDoc: string;
  /** It has a value in the layer that changes go to. */
  setHere: boolean;
  /** Where the value comes from. */
  source: Layer;
  unit: Unit;
  value: KnobValue;
}

/** Somebody who spoke, or whom something is known about. */
export interface KnownPerson {
  firstAt: WallTime;
  gems: number;
  id: PersonId;
  lastAt: WallTime;
  /** The newest name they go by. */
  name: string;
  turns: number;
}

/** Which model is in use, for people. */
export interface LanguageStatus {
  baseUrl: string;
  /** How it was chosen: "ANTHROPIC_API_KEY is in the environment", "a server answers on port 11434"… */
  because: string;
  /** What to do to use another one. */
  howToChange: string;
  /** Every model that is in use, what for, and what it can do as far as that is known; the one of replies first. */
  inUse?: ModelInUse[];
  /** What it was found not to take, so that it is left out, and what it was found to do. */
  lacks?: ModelLack[];
  model: string;
  /** The built-in model without a network: good for seeing the pipeline, not for wisdom. */
  offline: boolean;
  provider: string;
  /** Who does what nobody reads: notes, summaries, gems. Empty where that is not known. */
  smallModel?: string;
  /** What is wrong with the models in use or soon will be, and what to do; the worst first. */
  warnings?: ModelWarning[];
}

/** Where a value comes from, or goes to. */
export type Layer = 'default' | 'base' | 'community';

/** What values a knob takes. */
export type Limits =
  | { type: 'switch' }
  | { max: number; min: number; type: 'whole' }
  | { max: number; min: number; type: 'fraction' }
  | { max: number; min: number; type: 'text' }
  | { options: string[]; type: 'choice' }
  | { max: number; type: 'list' };

/** The lines that scores were held against at a moment. */
export interface LinesAt {
  at: Moment;
  /** From here on something happened. */
  change: number;
  /** Below this the screen is static. */
  staticFloor: number;
}

/** A link that was made. */
export interface LinkAnswer {
  expiresAt: WallTime;
  /** What follows the address of this Denizen. */
  path: string;
  role: Role;
  uses: number;
}

/** A link to be made. */
export interface LinkWish {
  /** Whom it is for, to know their session again. */
  label?: string;
  role: Role;
  /** The room that opens with it, of the default community; the first one without it. Whoever comes in may go to the others. */
  room?: string;
  /** How often it lets somebody in: 1 without it, 100 at most. */
  uses?: number;
  /** 900 without it, 2,592,000 (thirty days) at most. */
  validSeconds?: number;
}

/** Something a page may want to know at once. */
export type LiveEvent =
  | { message: StoredMessage; type: 'message' }
  | { id: MessageId; room: RoomId; text: string; type: 'message_edited' }
  | { id: MessageId; room: RoomId; type: 'message_deleted' }
  | { id: MessageId; reactions: Reaction[]; room: RoomId; type: 'reactions' }
  | { name: string; person: PersonId; room: RoomId; type: 'typing'; typing: boolean }
  | { room: RoomId; text: string; turn: TurnId; type: 'draft' }
  | { room: RoomId; turn: TurnId; type: 'draft_dropped' }
  | { entry: JournalEntry; type: 'journal' }
  | { ask: AskId; summary: AskSummary | null; type: 'ask' }
  | { type: 'settings'; version: number }
  | { status: LanguageStatus; type: 'model' }
  | { room: RoomId; sample: Sample; share: ShareId; type: 'frame' }
  | { people: VoicePerson[]; presence: VoicePresence; room: RoomId; type: 'voice_people' }
  | { person: PersonId; room: RoomId; speaking: boolean; type: 'voice_speaking' }
  | { final: boolean; id: MessageId; name: string; person: PersonId; room: RoomId; text: string; type: 'voice_transcript' }
  | { delivery: DeliveryId; heard?: string; room: RoomId; text: string; type: 'voice_saying' }
  | { type: 'reset' };

/** A note that would have been taken. */
export interface Look {
  at: Moment;
  frame: FrameId;
  trigger: NoteTrigger;
}

/** Something on the time line. */
export interface Mark {
  at: WallTime;
  frame: FrameId | null;
  kind: MarkKind;
  /** The note, the comment, or what went wrong. */
  text: string;
  /** What made Denizen look, for notes. */
  trigger: NoteTrigger | null;
}

export type MarkKind =
  | 'note_added'
  | 'note_refreshed'
  | 'note_failed'
  | 'commentary_held'
  | 'commentary_spoken'
  | 'commentary_silent'
  | 'commentary_failed'
  | 'watch_started'
  | 'watch_ended';

export type MediaKind = 'image' | 'video' | 'gif';

/** How much of an allowance of 24 hours is used. */
export interface MediaMeter {
  /** When some of it comes back. */
  freesIn: Span | null;
  kind: MediaKind;
  limit: number;
  used: number;
  /** Why it cannot be had; empty: it can. */
  whyNot: string;
}

/** What a model wants to go with its words. */
export interface MediaWish {
  kind: MediaKind;
  /** What is to be seen; for a GIF, what to look for. */
  prompt: string;
}

/** How memory is, and how it is set up. */
export interface MemoryReport {
  buffer: string;
  embedder: EmbedderIdentity | null;
  /** Whether it takes in and brings up anything. */
  enabled: boolean;
  /** `auto`, `model` or `offline`. */
  extractor: string;
  reembedding: Reembedding | null;
  stats: StoreStats;
  store: string;
  /** What does not work right now, for a person. */
  trouble: string | null;
  waiting: BufferCount;
}

/** One run in which gems were made of turns. */
export interface MemoryRun {
  added: number;
  alreadyThere: number;
  /** The model call. */
  ask?: AskId;
  /** Who read the turns. */
  by?: string;
  extraction: ExtractionId;
  failure?: string;
  gems: number;
  /** `turn_end`, `idle`, `context`, `session_end`, `new` or `reset`. */
  reason: ExtractionTrigger;
  rejected: RejectedGems[];
  room?: RoomId;
  session: SessionId;
  /** Unix milliseconds. */
  startedAt: WallTime;
  /** `under_way`, `storing`, `stored`, `failed`, or `dropped`: it ended without gems, and what is left of its turns is read by another one. */
  state: string;
  strengthened: number;
  superseded: number;
  /** Milliseconds from the start to the newest line. */
  took?: number;
  turns: number;
}

export interface MemoryRuns {
  runs: MemoryRun[];
}

/** One message of a text channel, from any platform. */
export interface Message {
  at: WallTime;
  attachments?: Attachment[];
  author: Author;
  id: MessageId;
  /** Who was mentioned by the platform's own mention, Denizen included. `@everyone` is nobody. */
  mentions?: PersonId[];
  /** The message this one answers, where the platform has reply threads. */
  replyTo?: MessageId;
  /** Whose message that is, where the room can tell: it may have been said long ago. */
  replyToAuthor?: PersonId;
  room: RoomId;
  /** A sign of Denizen's about itself, such as that it listens: no part of the conversation, and not remembered. */
  sign?: boolean;
  /** It was spoken in a voice channel, and written down here. */
  spoken?: boolean;
  text: string;
}

/** A message that was written or changed. */
export interface MessageAnswer {
  message: WrittenMessage;
}

export interface MessageEdit {
  /** Who wrote it. */
  author: string;
  text: string;
}

/** What became of one message. */
export interface MessageFate {
  message: MessageId;
  outcome: Outcome;
}

/** A message, by the id its platform gave it. */
export type MessageId = string;

/** How much of an allowance of 24 hours is used. */
export interface Meter {
  /** When some of it comes back. */
  freesIn: Span | null;
  limit: number;
  used: number;
}

/** Settings of an older version. */
export interface Migration {
  /** A settings document, nested or flat. */
  document: unknown;
  /** Keys, as they are after the migration, to do without. */
  leaveOut?: string[];
}

/** One thing a migration did. */
export interface MigrationNote {
  /** Where the value went; empty when it was dropped. */
  newKeys: string[];
  oldKey: string;
  remark: string;
}

/** What a migration did or, in a dry run, would do. */
export interface MigrationView {
  /** Values that are other than before. */
  changes: SettingChange[];
  notes: MigrationNote[];
  /** What was not understood or cannot be used, and is left out; the rest is taken. */
  problems: SettingError[];
  saved: boolean;
  /** The version of the settings in force. */
  version: number;
}

/** How a turn came about. */
export type Modality = 'typed' | 'spoken' | 'note' | 'membership';

/** What a model answered. */
export interface ModelAnswer {
  /** Tokens that it was allowed in all, thoughts included; none where nobody said. */
  cap?: number;
  /** What goes back to the provider with the results of the calls. */
  carried?: Carried;
  finish: Finish;
  /** From sending to the first piece of text. */
  firstText: Span | null;
  model: string;
  /** The provider and model that really answered. */
  provider: string;
  /** The whole text, without reasoning. */
  text: string;
  took: Span;
  toolCalls?: ToolCall[];
  /** Tries that were needed, the successful one included. */
  tries: number;
  usage: Usage;
}

/** Which provider and model an operator wants for a purpose. */
export interface ModelChoice {
  /** Empty: the provider's default. */
  model: string;
  /** `auto`, `anthropic`, `openai`, `gemini`, `compatible` or `offline`. */
  provider: string;
}

/** One model, and what is known of it now. */
export interface ModelInUse {
  /** What it takes: "tools", "pictures"…; what it was found to refuse is not among it. */
  abilities: string[];
  /** What it was found not to take, and what it was found to do. */
  lacks?: ModelLack[];
  model: string;
  provider: string;
  /** Nobody says so: it is what such a server usually gives a model, or what is tried since a longer prompt was refused. */
  readsGuessed?: boolean;
  /** Tokens that it reads at once, where somebody says. */
  readsTokens?: number;
  /** What it is asked for: "replies", "summaries"… */
  usedFor: string[];
}

/** Something that a model was found not to take, or to do whatever it is told. */
export interface ModelLack {
  /** It does that, rather than not take it. */
  habit?: boolean;
  /** When it was found; after a week, or when the settings are saved, it is tried again. */
  since: string;
  /** In words: "tools", "pictures"; of a habit "it thinks before it answers". */
  what: string;
}

/** One request to a model, complete: an adapter only translates it to a provider's wire format. */
export interface ModelRequest {
  choice: ModelChoice;
  /** How long the whole ask may take, retries included. */
  deadline: Span;
  maxOutputTokens: number;
  output: OutputShape;
  purpose: AskPurpose;
  /** What went into the prompt, section by section, for the context inspector. */
  sections: SectionReport[];
  system: string;
  temperature: number;
  tools?: ToolSpec[];
  turns: ChatTurn[];
}

/** Something about a model in use that an operator should know. */
export interface ModelWarning {
  /** It does not work now; otherwise it soon will not. */
  broken: boolean;
  /** Which setting, which model, and what to do. */
  text: string;
}

/** Milliseconds on a community's own time line, which never goes back and counts on across restarts. */
export type Moment = number;

/** A source that somebody names. */
export interface NamedSource {
  /** `reddit`, `hacker_news`, `youtube`, `rss` or `x`. */
  family: FeedFamily;
  /** A subreddit, a feed's address, a YouTube channel's id or a handle. */
  name: string;
}

export interface Names {
  names: OwnedName[];
}

/** A community to be added. */
export interface NewCommunity {
  /** Stands in addresses: lower-case letters, digits, dashes and underscores. */
  id: string;
  /** What people call it; the id without it. */
  name?: string;
  /** What it lays over the settings of all, by full key. */
  settings?: { [key: string]: unknown };
}

/** One thing to remember. */
export interface NewGem {
  /** A sentence that stands alone. */
  content: string;
  /** 0.5 without it. */
  importance?: number;
  /** Whom it is about: an id, or a name of the community. */
  person?: string;
  scope?: AgentScope;
  /** The conversation it comes from. */
  session?: string;
  summary?: string;
  /** Some of `decision`, `fact`, `preference`, `todo` and `code`; `fact` without it. */
  tags?: string[];
  topics?: string[];
}

/** A message to be written. */
export interface NewMessage {
  /** Pictures. */
  attachments?: NewPicture[];
  /** 1 to 40 characters, and not Denizen's own name. */
  author: string;
  /** An id of one's own makes the request repeatable. */
  id?: string;
  /** The message this one answers; it must be in the same room. */
  replyTo?: string;
  /** `@Name` mentions somebody who wrote here lately, or Denizen. */
  text?: string;
}

export interface NewNote {
  /** Who shared what was seen; left out where nobody did. */
  sharedBy?: string;
  text: string;
}

/** To whom a name is given. */
export interface NewOwner {
  /** The id of a token or a session that may write. */
  owner: string;
}

/** A picture as it is sent. */
export interface NewPicture {
  /** At most 5 MB once decoded; the picture at most 16,384 pixels on a side and 50 million in all. */
  dataBase64: string;
  /** `image/png`, `image/jpeg`, `image/webp` or `image/gif`. */
  mime: string;
  name: string;
}

/** A reaction to be put under a message, or to be taken back. */
export interface NewReaction {
  /** Who reacts. */
  author: string;
  /** No spaces and no control characters. */
  emoji: string;
}

/** Somebody wants to share a screen. */
export interface NewShare {
  /** Who shares, as they are called in the room. */
  name: string;
  /** By which way the screen comes in: `share_page` (usual), `frame_api`, `whip` or `file`. */
  source?: ShareSource;
}

/** A token to be made. */
export interface NewToken {
  /** Whose it is, to know it again. */
  label: string;
  role: Role;
  /** It is over after so many seconds; never without it. */
  validSeconds?: number;
}

export interface NewTurn {
  /** A time like `2026-02-23T15:26:00Z`, or Unix milliseconds; now without it. */
  at?: unknown;
  /** An id of the agent's own, unique within the session: the turn is taken once, however often it is sent. */
  id?: string;
  /** `typed` (without it), `spoken`, `ambient` or `screen_note`. */
  kind?: string;
  speaker: Speaker;
  text: string;
}

/** Turns of one conversation. */
export interface NewTurns {
  contextUsage?: ContextUsage;
  /** The conversation is over: gems are made of what waits. */
  ended?: boolean;
  scope?: AgentScope;
  /** The conversation, by a name of the agent's own: `my-agent/42`. */
  session: string;
  /** May be empty where `ended` or `contextUsage` is said. */
  turns?: NewTurn[];
}

/** Somebody comes into the voice of a room. */
export interface NewVoiceSession {
  /** 1 to 40 characters, and not Denizen's own name. */
  author: string;
  /** Whether the microphone is off at first. */
  muted?: boolean;
  /** The offer, as `RTCPeerConnection.createOffer` makes it: one audio, both ways. */
  sdp: string;
}

/** A note's place among the notes of a conversation. */
export type NoteSeq = number;

/** What the note-taker does now. */
export interface NoteTakerView {
  /** The ask under way, and for how long. */
  asking: AskingView | null;
  /** How long until the next note, as things stand. */
  dueIn: Span | null;
  /** Failures in a row, and what the newest one says. */
  failures: number;
  /** What it waits for: `in_flight`, `cooldown`, `interval`, `idle_interval`, `frozen`, `no_frame`, `hourly_cap`; none while a note is due at once. */
  heldBy: string | null;
  lastFailure: string | null;
}

/** What made Denizen look. */
export type NoteTrigger = 'first_frame' | 'scene_cut' | 'change' | 'interval' | 'idle_interval' | 'commentary';

/** An empty object. */
export interface Nothing {
}

/** What became of a message. */
export type Outcome = 'answered' | 'silent' | 'waiting' | 'failed' | 'own' | 'own_accord';

/** What the answer must look like. */
export type OutputShape = 'text' | { json: { name: string; schema: unknown; words?: AnswerWords } };

/** What it can reach out with. */
export interface OutwardStatus {
  media: ToolStatus[];
  tools: ToolStatus[];
}

/** What this process hosts. */
export interface Overview {
  /** The home one first, the others by name. */
  communities: CommunityOverview[];
  platforms: PlatformStanding[];
}

/** Whose a name is. */
export interface OwnedName {
  /** As it was written when it was taken. */
  name: string;
  /** The credential that took it; `administrator` stands for every administrator's. */
  owner: string;
  since: WallTime;
}

/** What kind of thing a part of a prompt is. */
export type PartKind = 'pictures' | 'section' | 'rules' | 'tools' | 'tool_results' | 'schema' | 'history';

/** Something that was seen: by whom it was shared, and what it was. */
export interface PendingNote {
  at: WallTime;
  seq: NoteSeq;
  /** Who shared what was seen; empty where nobody did. */
  sharedBy: string;
  text: string;
}

/** Everybody who is known. */
export interface People {
  /** Whether older records were left out of the counts. */
  partial: boolean;
  /** Whoever was heard last comes first. */
  people: KnownPerson[];
}

/** Somebody who can write: a person, another bot, or Denizen itself. */
export type PersonId = string;

/** The kinds of picture that are taken. */
export type PictureKind = 'jpeg' | 'png' | 'webp';

/** Where something was said, and so where it may come up again. */
export interface Place {
  community: CommunityId;
  /** What was said here never comes up anywhere else. */
  private: boolean;
  room: RoomId;
}

/** A platform, and how Denizen is connected to it. */
export interface PlatformStanding {
  /** What Denizen's account is called there. */
  account?: string;
  /** Calls that Denizen is in. */
  calls: CallStanding[];
  /** What has to be switched on there for Denizen to hear what is said. */
  intents: IntentStanding[];
  /** Brings Denizen into another community there. */
  invite?: string;
  /** What people call it. */
  platform: string;
  requests: RequestCounts;
  /** Communities that it is in. */
  servers: number;
  shards: ShardStanding[];
  sound: SoundCounts;
  /** Sessions that may still be begun today. */
  startsLeft: number;
  state: PlatformState;
  /** What went wrong last, with what to do. */
  trouble?: PlatformTrouble;
}

/** How the connection is at the moment. */
export type PlatformState = 'off' | 'connecting' | 'connected' | 'partly' | 'refused';

/** What went wrong last. */
export interface PlatformTrouble {
  at: WallTime;
  /** For a person, with the remedy. */
  what: string;
}

export interface PostLink {
  /** The source it came from; none: it was found otherwise. */
  source: FeedSource | null;
  url: string;
}

/** A post and what came of it. */
export interface PostView {
  at: WallTime;
  links: PostLink[];
  media: MediaKind | null;
  messages: MessageId[];
  reactions: number;
  replies: number;
  room: RoomId;
  /** It was said in the voice of its room. */
  spoken: boolean;
  text: string;
  turn: TurnId;
}

/** The best items of all sources, and what became of each source. */
export interface Preview {
  /** Best first. */
  candidates: CandidateView[];
  reports: SourceReport[];
}

/** What went wrong and what to do about it. */
export interface Problem {
  /** A stable word for programs. */
  code: string;
  /** One item for each thing that is wrong, where there may be several. */
  details?: unknown[];
  /** For a person, with the remedy. */
  message: string;
  /** With `stale_settings`: the newest version. */
  newestVersion?: number;
}

/** A prompt and what it takes of a model's window. */
export interface PromptAccount {
  /** The most the answer may take. */
  answerTokens: number;
  parts: PromptPart[];
  /** All parts together, as their characters tell; what a provider counted stands in `usage` of its answer. */
  tokens: number;
  /** Of how much: the model's window, by `llm.contextTokens` as it is now. */
  windowTokens: number;
}

/** One part of a prompt. */
export interface PromptPart {
  /** The most it may take; none where only the window bounds it. */
  capTokens: number | null;
  /** What became of a section. */
  fate: SectionFate | null;
  kind: PartKind;
  /** The name of a section or of a kind; tools by their names. */
  name: string;
  /** Why it was trimmed or dropped, or what it holds. */
  remark: string;
  /** What it takes, as its characters tell. */
  tokens: number;
  /** What it would take whole. */
  wantedTokens: number;
}

/** One purpose. */
export interface PurposeView {
  /** Calls of models without a known price: they are charged at what the maker asks, like the dearest of their family, or by a guess. */
  assumedCalls: number;
  /** What happens when nothing is left. */
  atTheLimit: string;
  /** What was saved because providers had read part of the input before; fewer than none where keeping it cost more. */
  cacheSavedMicroDollars: number;
  /** Of the input, what providers had read before and ask less for. */
  cachedTokens: number;
  /** Requests, every try counted. */
  calls: number;
  callsLimit: number;
  costLimitMicroDollars: number;
  /** As far as prices are known. */
  costMicroDollars: number;
  /** Nothing is asked tomorrow either: one question may take more than a whole day has, or a day has nothing. */
  forGood?: boolean;
  /** Its model costs no money. */
  free?: boolean;
  /** Calls that are known to be free; they bind nothing. */
  freeCalls: number;
  freeTokens: number;
  inputTokens: number;
  outputTokens: number;
  purpose: SpendingPurpose;
  /** Questions that were not asked because nothing was left. */
  refused: number;
  /** What to do about that. */
  remedy?: string;
  tokensLimit: number;
  /** Questions under way, whose price is reserved. */
  underWay: number;
  /** Calls whose price nobody knows. */
  unpricedCalls: number;
  /** That nothing is left today, so that nothing is asked: what was used, and of how much. */
  usedUp?: string;
}

/** Whether nothing is to be said in a room. */
export interface QuietAnswer {
  quiet: boolean;
  /** When it may speak again; none where somebody has to end it. */
  until?: WallTime;
}

/** A reaction under a message, and whose it is. */
export interface Reaction {
  emoji: string;
  /** Everybody once, in the order in which they reacted. */
  people: PersonId[];
}

export interface RecallAnswer {
  /** How many more there were that are too unsure. */
  belowThreshold: number;
  found: Found[];
  remark?: string;
  tookMs: number;
}

export interface RecallQuestion {
  /** `gems`, `turns` or `both` (without it). */
  kinds?: string;
  /** 10 without it. */
  limit?: number;
  /** How sure a match must be; `memory.minConfidence` without it. */
  minConfidence?: number;
  /** Only what is about or by this person: an id, or a name of the community. */
  person?: string;
  /** A question or plain words. */
  query: string;
  scope?: AgentView;
  /** Also what does not hold any more. */
  superseded?: boolean;
}

/** One tick, or several equal ones in a row. */
export interface Receipt {
  /** What came of it: `post_now`, `hold`, `drop`, `failed`; none while it runs, or where it did not. */
  action: string | null;
  below: number | null;
  firstAt: WallTime;
  /** The gate that stopped it; none: it ran. */
  gate: string | null;
  lastAt: WallTime;
  /** Whether a model was asked. */
  ran: boolean;
  /** The newest roll, where chance decided, and what it had to be below. */
  roll: number | null;
  /** The room in whose voice it was to be said; none: it was to be written. */
  room?: RoomId;
  ticks: number;
  turn: TurnId | null;
  words: string;
}

/** Something that can be found. */
export type Record = { gem: Gem } | { turn: CapturedTurn };

/** How far the vectors have been made anew. */
export interface Reembedding {
  done: number;
  total: number;
  /** Why it stands still, when it does. */
  trouble?: string;
}

export interface RejectedGems {
  count: number;
  reason: string;
}

/** What was removed. */
export interface Removed {
  gems: GemId[];
  turns: TurnKey[];
}

/** What went. */
export interface RemovedAnswer {
  /** `kept`: some of it was said in rooms, and still stands there. */
  messages?: string;
  /** What to do to have it gone from there too. */
  remedy?: string;
  removed: Removed;
}

/** What was asked of the platform, since the process started. */
export interface RequestCounts {
  /** Of these, those that were refused or failed otherwise. */
  failed: number;
  /** Of these, those that were answered by a limit (429). */
  limited: number;
  /** Requests that went out, every try counted. */
  sent: number;
  /** Requests that are under way. */
  underWay: number;
  /** Requests that had to wait for a limit before they went. */
  waited: number;
  /** How long they waited, together. */
  waitedMs: number;
  /** Requests that wait at the moment. */
  waiting: number;
}

/** Why a model is left alone for a while. */
export type RestCause =
  | 'asked'
  | 'spent'
  | 'mute'
  | 'empty'
  | 'key'
  | 'too_long'
  | 'down'
  | 'limited'
  | 'region'
  | 'gone'
  | 'rejected'
  | 'garbled'
  | 'unreachable'
  | 'hanging';

/** A model that is not asked for a while. */
export interface RestingModel {
  /** Which one that is, where it is known. */
  asked?: ModelChoice;
  /** When whoever calls Denizen by name has it tried. Zero: with the next question. */
  askedAgainIn: Span;
  /** As the settings choose it; where they name none, the provider's default for what it serves. */
  choice: ModelChoice;
  /** The settings that name another for that. */
  keys: string[];
  /** What it serves under the settings in force. */
  serves: AskPurpose[];
  /** Why it is left alone. */
  why: RestCause;
}

/** One look at a thought. */
export interface Revision {
  action: ThoughtAction;
  ask: AskId;
  at: WallTime;
  media: MediaWish | null;
  reason: string;
  room: RoomId | null;
  text: string;
}

/** What a credential allows. In this order each may do what the one before may, but for agents and monitors, which have a part of the API for themselves. */
export type Role = 'agent' | 'monitor' | 'reader' | 'participant' | 'administrator';

export interface Room {
  id: RoomId;
  kind: RoomKind;
  /** What people call it. */
  name: string;
  /** Where its people are, if that is not here: it is read here, and written in there. */
  platform?: string;
  /** Not everybody in the community may read it. */
  private?: boolean;
  /** Denizen can read here and not write. */
  readOnly?: boolean;
  /** The channel that a thread belongs to, as people call it. */
  within?: string;
}

/** A text channel. */
export type RoomId = string;

/** What kind of room it is. */
export type RoomKind = 'text' | 'voice' | 'direct';

/** Messages in order, oldest first, and what became of each. */
export interface RoomPage {
  fates: MessageFate[];
  /** Whether there is more in the direction that was asked for. */
  hasMore: boolean;
  messages: StoredMessage[];
}

/** The voice of a room. */
export interface RoomVoiceAnswer {
  ears: SpeechEngineAnswer;
  enabled: boolean;
  /** When it leaves again (`voice.maxSessionMinutes`). */
  endsAt?: WallTime;
  /** Denizen is in. */
  inRoom: boolean;
  mouth: SpeechEngineAnswer;
  people: VoiceParticipant[];
  /** The realtime service that hears and speaks, and who thinks. */
  service?: VoiceServiceView;
  /** When Denizen came in. */
  startedAt?: WallTime;
  /** Why there is none, and what to do. */
  why?: string;
}

export interface Rooms {
  rooms: Room[];
}

/** How far a run is. */
export type RunStage = 'gathering' | 'thinking' | 'using_tools' | 'making_media' | 'posting' | 'done' | 'failed';

export interface RunStep {
  /** The model call, for the context inspector. */
  ask: AskId | null;
  at: WallTime;
  kind: RunStepKind;
  words: string;
}

/** What happened in a step of a run. */
export type RunStepKind = 'gathered' | 'asked' | 'answered' | 'tool' | 'media' | 'decided' | 'failed';

/** A run under way, for the session page. */
export interface RunView {
  ask: AskId;
  condensing: boolean;
  cursor: TurnSeq;
  notes: number;
  turns: number;
}

/** What an upgrade made of the state before it, part by part. */
export interface Salvaged {
  /** Parts that were carried over. */
  carried: string[];
  /** Parts that could not be, and were begun anew. */
  lost: string[];
}

/** One point of the plot. */
export interface Sample {
  at: WallTime;
  /** The smoothed score. */
  ema: number;
  frame: FrameId;
  height: number;
  kind: PictureKind;
  /** Where most of the change was; none where there was none. */
  region?: ScreenRegion;
  sceneCut: boolean;
  /** Mean absolute luma difference on the grid, 0 to 1; 0 for the first frame. */
  score: number;
  width: number;
}

export interface Saved {
  cost: number | null;
  gate: string;
  /** Ticks it stopped. */
  ticks: number;
  /** What they would have cost at the average; none where that is not known. */
  tokens: number | null;
  words: string;
}

/** What one gate kept from being asked. */
export interface SavedView {
  gate: SpendingGate;
  times: number;
}

/** What each part adds to a score. */
export interface ScoreParts {
  /** What chance added or took. */
  chance: number;
  freshness: number;
  popularity: number;
  source: number;
  topic: number;
}

/** How a score came about. All parts are comparable only within one search, but for `confidence`. */
export interface Scores {
  /** 0 to 1, comparable between searches: below a threshold nothing is brought up. */
  confidence: number;
  /** By meaning. */
  dense: number;
  /** What importance adds, as a factor. */
  importance: number;
  /** By gems that lead to it. */
  keys: number;
  /** By its own words. */
  lexical: number;
  /** What age takes off, as a factor. */
  recency: number;
  /** By what was said around it, or by its conversation as a whole. */
  surroundings: number;
  /** What the order follows. */
  total: number;
}

/** One thing that was seen. */
export interface ScreenNote {
  /** When it was first seen. */
  at: WallTime;
  /** When it was last seen to be so. */
  seenAt: WallTime;
  seq: NoteSeq;
  /** Whose screen it was, by name. */
  sharedBy: string;
  text: string;
  trigger: NoteTrigger;
  /** Why it mattered; empty where nobody said. */
  why: string;
}

/** Where on the screen most of a change was: a field of three by three. */
export type ScreenRegion =
  | 'top_left'
  | 'top'
  | 'top_right'
  | 'left'
  | 'centre'
  | 'right'
  | 'bottom_left'
  | 'bottom'
  | 'bottom_right'
  | 'everywhere';

export interface SearchAnswer {
  found: Found[];
  remark?: string;
  /** What is less sure is not brought up in a room. */
  threshold: number;
  tookMs: number;
}

export type SectionFate = 'kept' | 'trimmed' | 'dropped' | 'empty';

/** What became of one section of a prompt. */
export interface SectionReport {
  /** The most this section may take. */
  capChars: number;
  fate: SectionFate;
  /** Characters that were said. */
  keptChars: number;
  name: string;
  /** Lower goes first when room is short. */
  priority: number;
  /** Why it was trimmed or dropped, or what it holds, in a few words. */
  remark: string;
  /** The text as it stands in the request. */
  text: string;
  /** Characters there were to say. */
  wantedChars: number;
}

/** An emitted frame as the mind knows it: everything but the picture. */
export interface SeenFrame {
  at: WallTime;
  /** The smoothed score. */
  ema: number;
  frame: FrameId;
  height: number;
  kind: PictureKind;
  /** Where most of the change was; none where there was none. */
  region?: ScreenRegion;
  sceneCut: boolean;
  /** Mean absolute luma difference on the grid, 0 to 1; 0 for the first frame. */
  score: number;
  width: number;
}

/** One conversation of a room, or one of another agent's. */
export type SessionId = string;

/** A session as its page shows it. */
export interface SessionView {
  batchSize: number;
  /** The first turn that is not in the summary. */
  cursor: number;
  enabled: boolean;
  /** Finished runs, oldest first. */
  finished: FinishedRun[];
  pendingNotes: PendingNote[];
  recentWindow: number;
  run: RunView | null;
  summarisedAt: WallTime | null;
  summary: string;
  summaryCharsMax: number;
  /** How many turns there were in all. */
  turns: number;
  /** What the model sees word for word. */
  verbatim: TimelineTurn[];
}

export interface SettingChange {
  from: KnobValue;
  key: string;
  to: KnobValue;
}

/** A value that was refused: which key, what was wrong, and what to do. */
export interface SettingError {
  key: string;
  problem: string;
  remedy: string;
}

/** Changes by full key; `null` takes a key back to what it has below: the base's value, or its default. */
export interface SettingsChange {
  changes: { [key: string]: unknown };
}

/** Every setting of a community. */
export interface SettingsView {
  knobs: KnobView[];
  /** Where changes go: into the base, which holds for every community, or into this community alone. */
  layer: Layer;
  version: number;
}

/** One of the lines over which it is told what happens. */
export interface ShardStanding {
  connected: boolean;
  events: number;
  lastClose?: number;
  /** How long the last heartbeat's answer took. */
  latencyMs?: number;
  /** Events that could not be read, by name; they were left out. */
  malformed: { [key: string]: number };
  /** Connections that were lost or given up. */
  reconnects: number;
  /** Sessions that went on after a lost connection. */
  resumes: number;
  /** Sessions that were begun, the first among them. */
  sessions: number;
  /** Connections that were open and dead. */
  zombies: number;
}

/** One screen that somebody shares, from its start to its end. No secret: the token is. */
export type ShareId = string;

/** A link to share a screen. Whoever knows the token may share; it is shown only here. */
export interface ShareLink {
  /** Unix milliseconds; a share that is under way then goes on. */
  expiresAt: WallTime;
  framesUrl: string;
  share: ShareId;
  token: string;
  /** The page to share on. The token is in the fragment, which browsers keep to themselves. */
  url: string;
  whipUrl: string;
}

/** By which way a screen comes in. What happens to a frame does not depend on it. */
export type ShareSource = 'share_page' | 'whip' | 'frame_api' | 'file';

export interface ShareView {
  /** Frames of it that were seen. */
  frames: number;
  name: string;
  person: PersonId;
  share: ShareId;
  since: WallTime;
  source: ShareSource;
  watched: boolean;
}

/** What somebody shows to come in: the code of a link, or a token. */
export type Shown = { code: string } | { token: string };

/** Sound of all calls, since the process started. */
export interface SoundCounts {
  /** Calls that were entered. */
  calls: number;
  /** Packets that were heard. */
  heard: number;
  reconnects: number;
  /** Times the keys of a call changed. */
  rekeys: number;
  resumes: number;
  /** Packets that were sent. */
  sent: number;
  /** Frames that should have been readable and were not, of everybody together. */
  undecryptable: number;
  /** People of whom some frames were not readable, call by call. */
  undecryptablePeople: number;
}

/** What became of one source. */
export interface SourceReport {
  /** For a person: why it could not be read. */
  failure?: string;
  fresh: number;
  /** Items it has, and those of them that are fresh and allowed. */
  items: number;
  source: FeedSource;
  /** It was not fetched again: it is as it was, or was fetched a moment ago. */
  unchanged: boolean;
}

/** What became of each source. */
export interface SourceReports {
  reports: SourceReport[];
}

/** How a source has done so far. */
export interface SourceView {
  addedAt: WallTime | null;
  lastReadAt: WallTime | null;
  /** What became of it when it was read last. */
  lastReport: SourceReport | null;
  /** Denizen added it itself: when and why. */
  own: boolean;
  /** What came back for posts with items of it. */
  reactions: number;
  reason: string;
  replies: number;
  shared: number;
  /** Items of it that a model was shown, and those that were posted. */
  shown: number;
  source: FeedSource;
}

/** A length of time in milliseconds. */
export type Span = number;

export interface Speaker {
  /** Whoever has the same id is the same person; the name is taken without it. One with a colon is taken as it is, any other belongs to the community. */
  id?: string;
  /** `person` (without it) or `agent`. */
  kind?: string;
  name: string;
}

/** What hears or speaks, and whether it works. */
export interface SpeechEngineAnswer {
  /** Empty where there is none. */
  engine: string;
  /** What it was last given came to nothing: for ears, what was said last is not understood. */
  failing?: boolean;
  /** It is being made ready, and works in a moment. */
  loading?: boolean;
  /** What to do where it does not, or where better can be had. */
  remedy?: string;
  works: boolean;
}

/** What kept a model from being asked without anything being lost, in the order in which it is told. */
export type SpendingGate =
  | 'not_admitted'
  | 'answered_together'
  | 'classifier_not_asked'
  | 'turns_batched'
  | 'gems_by_patterns'
  | 'summaries_without_model'
  | 'frames_not_noted'
  | 'comments_held'
  | 'thoughts_not_looked_for';

/** What was used, and of how much. */
export interface SpendingLine {
  /** Calls of models without a known price: they are charged at what the maker asks, like the dearest of their family, or by a guess. */
  assumedCalls: number;
  /** What was saved because providers had read part of the input before; fewer than none where keeping it cost more. */
  cacheSavedMicroDollars: number;
  /** Of the input, what providers had read before and ask less for. */
  cachedTokens: number;
  /** Requests, every try counted. */
  calls: number;
  callsLimit: number;
  costLimitMicroDollars: number;
  /** As far as prices are known. */
  costMicroDollars: number;
  /** Calls that are known to be free; they bind nothing. */
  freeCalls: number;
  freeTokens: number;
  inputTokens: number;
  outputTokens: number;
  tokensLimit: number;
  /** Calls whose price nobody knows. */
  unpricedCalls: number;
}

/** What is paid for when a model is asked, in the order in which it is told. */
export type SpendingPurpose =
  | 'replies'
  | 'classifier'
  | 'memory'
  | 'summaries'
  | 'screen_notes'
  | 'commentary'
  | 'thoughts';

/** What was spent today (UTC) in one community, by purpose, and what was saved. */
export interface SpendingView {
  /** Everything together. */
  all: SpendingLine;
  /** Everything but replies. */
  background: SpendingLine;
  /** When the next day begins. */
  beginsAnewIn: Span;
  purposes: PurposeView[];
  /** Models that are left alone for a while. */
  resting: RestingModel[];
  /** What each gate kept from being asked. */
  saved: SavedView[];
}

/** A gate that is shut. */
export interface Stop {
  /** Its name in the journal. */
  gate: string;
  /** When it opens by itself, where that is known. */
  opensIn: Span | null;
  /** In words, with what would open it. */
  words: string;
}

/** What a store holds of some communities; the sizes are those of all together. */
export interface StoreStats {
  /** On disk, where that is known. */
  diskBytes: number | null;
  gems: number;
  /** Of this process, for the index. */
  memoryBytes: number | null;
  superseded: number;
  turns: number;
}

/** A message as it is kept. */
export interface StoredMessage {
  ask?: AskId;
  at: WallTime;
  attachments?: Attachment[];
  author: Author;
  editedAt?: WallTime;
  id: MessageId;
  /** Who was mentioned by the platform's own mention, Denizen included. `@everyone` is nobody. */
  mentions?: PersonId[];
  /** What people put under it, in the order in which each was first used. */
  reactions?: Reaction[];
  /** The message this one answers, where the platform has reply threads. */
  replyTo?: MessageId;
  /** Whose message that is, where the room can tell: it may have been said long ago. */
  replyToAuthor?: PersonId;
  room: RoomId;
  /** Its place among all messages; grows. */
  seq: number;
  /** A sign of Denizen's about itself, such as that it listens: no part of the conversation, and not remembered. */
  sign?: boolean;
  /** It was spoken in a voice channel, and written down here. */
  spoken?: boolean;
  text: string;
  /** The turn and ask a message of Denizen's came from. */
  turn?: TurnId;
}

/** Exactly one of the two. */
export interface Supersede {
  /** The gem that holds now. */
  by?: string;
  /** What holds now, in words. */
  content?: string;
}

/** One gem in the place of another. */
export interface Superseded {
  /** What holds now. */
  gem: Gem;
  /** What held. */
  superseded: Gem;
}

/** What is to become of a thought. */
export type ThoughtAction = 'post_now' | 'hold' | 'drop';

/** A run from its gates to its end. */
export interface ThoughtRun {
  decision: Revision | null;
  endedAt: WallTime | null;
  /** What would have become of it, or did, in words. */
  outcome: string;
  /** The message that would be (or was) sent, after links and mentions were seen to. */
  post: string | null;
  /** A held thought is looked at again. */
  revisits: boolean;
  stage: RunStage;
  startedAt: WallTime;
  /** What happened so far, oldest first. */
  steps: RunStep[];
  turn: TurnId;
}

/** The thought that is held. */
export interface ThoughtView {
  createdAt: WallTime;
  expiresAt: WallTime;
  /** How it came to be what it is, oldest first. */
  history: Revision[];
  media: MediaWish | null;
  reason: string;
  room: RoomId;
  /** People wrote in its channels since it was last looked at. */
  roomMovedOn: boolean;
  text: string;
}

/** The lines a score is held against, as a page draws them. */
export interface Thresholds {
  /** From here on something happened. */
  change: number;
  /** Below this the screen is static. */
  staticFloor: number;
}

export interface Timeline {
  items: TimelineItem[];
  /** What to give as `after` for what is older. */
  next?: string;
}

/** A gem or a turn. */
export interface TimelineItem {
  /** Unix milliseconds. */
  at: WallTime;
  gem?: Gem;
  turn?: CapturedTurn;
}

/** A turn as the session page shows it. */
export interface TimelineTurn {
  at: WallTime;
  /** The message it was, in a text channel. */
  message?: MessageId;
  modality: Modality;
  seq: TurnSeq;
  speaker: string;
  text: string;
}

/** A token that was made. */
export interface TokenAnswer {
  credential: CredentialView;
  /** Told this once, and kept nowhere. */
  token: string;
}

/** A model's wish to run a tool. */
export interface ToolCall {
  arguments: unknown;
  /** The provider's id of the call; the result must carry it back. */
  id: string;
  name: string;
}

/** What a tool call gave; every call gets exactly one. */
export interface ToolResult {
  callId: string;
  /** The call did not do what was wanted; the text says why. */
  failed: boolean;
  name: string;
  text: string;
}

/** A tool as it is offered to a model. */
export interface ToolSpec {
  description: string;
  name: string;
  /** JSON schema of the arguments. */
  parameters: unknown;
}

/** How it stands with a search service, the browser, or an MCP server. */
export interface ToolStatus {
  /** For a person: what it is, or why not and what to do. */
  detail: string;
  /** `web_search`, `browser_browse`, or a server's name. */
  name: string;
  ready: boolean;
  tools: string[];
}

export interface ToolView {
  name: string;
  /** Whether it is offered while thinking; else why not. */
  offered: boolean;
  /** `denizen`, `web`, or the name of an MCP server. */
  origin: string;
  whyNot: string;
}

/** An event, and where it happened. */
export type TownEvent =
  | { community: CommunityId } & { message: StoredMessage; type: 'message' }
  | { community: CommunityId } & { id: MessageId; room: RoomId; text: string; type: 'message_edited' }
  | { community: CommunityId } & { id: MessageId; room: RoomId; type: 'message_deleted' }
  | { community: CommunityId } & { id: MessageId; reactions: Reaction[]; room: RoomId; type: 'reactions' }
  | { community: CommunityId } & { name: string; person: PersonId; room: RoomId; type: 'typing'; typing: boolean }
  | { community: CommunityId } & { room: RoomId; text: string; turn: TurnId; type: 'draft' }
  | { community: CommunityId } & { room: RoomId; turn: TurnId; type: 'draft_dropped' }
  | { community: CommunityId } & { entry: JournalEntry; type: 'journal' }
  | { community: CommunityId } & { ask: AskId; summary: AskSummary | null; type: 'ask' }
  | { community: CommunityId } & { type: 'settings'; version: number }
  | { community: CommunityId } & { status: LanguageStatus; type: 'model' }
  | { community: CommunityId } & { room: RoomId; sample: Sample; share: ShareId; type: 'frame' }
  | { community: CommunityId } & { people: VoicePerson[]; presence: VoicePresence; room: RoomId; type: 'voice_people' }
  | { community: CommunityId } & { person: PersonId; room: RoomId; speaking: boolean; type: 'voice_speaking' }
  | { community: CommunityId } & { final: boolean; id: MessageId; name: string; person: PersonId; room: RoomId; text: string; type: 'voice_transcript' }
  | { community: CommunityId } & { delivery: DeliveryId; heard?: string; room: RoomId; text: string; type: 'voice_saying' }
  | { community: CommunityId } & { type: 'reset' };

/** Settings to try out, by full key, over those in force; `null` takes a key back to its default. */
export interface TriedSettings {
  changes?: { [key: string]: unknown };
}

/** One attempt to answer one burst of messages. */
export type TurnId = number;

/** A captured turn: a message's own id where it is one. */
export type TurnKey = string;

/** What kind of turn it was. */
export type TurnKind = 'typed' | 'spoken' | 'ambient' | 'screen_note' | 'summary';

/** A turn's place on the time line of a conversation, counted from 0; never an index into anything. */
export type TurnSeq = number;

export interface TurnsAnswer {
  /** Turns that are new. */
  accepted: number;
  /** The turns as memory calls them, in order. */
  ids: TurnKey[];
  /** Turns that were taken in before. */
  repeated: number;
  /** The conversation as memory calls it. */
  session: SessionId;
}

export interface Typing {
  author: string;
  typing: boolean;
}

/** What a number counts. */
export type Unit =
  | 'none'
  | 'seconds'
  | 'minutes'
  | 'hours'
  | 'days'
  | 'messages'
  | 'characters'
  | 'tokens'
  | 'percent'
  | 'megabytes';

/** What an answer used; zero where a provider does not say. */
export interface Usage {
  /** Millionths of a dollar that it would have cost more if nothing had been kept from earlier questions; fewer than none where more was paid for keeping than was saved by it. */
  cacheSavedMicroDollars?: number;
  /** Of the input, what the provider keeps for the next question, where it asks more for that. */
  cacheWrittenTokens?: number;
  /** Of the input, what the provider had read before and asks less for. */
  cachedInputTokens: number;
  /** The price is not known: what its maker asks was taken, that of its dearest relative, or a guess. */
  costAssumed?: boolean;
  /** Millionths of a dollar; none where the price is not known. */
  costMicroDollars: number | null;
  inputTokens: number;
  outputTokens: number;
}

/** The outcome and why, for a person. */
export interface Verdict {
  outcome: Outcome;
  sentence: string;
}

/** Somebody in the voice of a room. */
export interface VoiceParticipant {
  id: PersonId;
  /** The name is the caller's. */
  isYou?: boolean;
  /** False: they do not want to be listened to, and what they say is not written down. */
  listened: boolean;
  muted: boolean;
  name: string;
  speaking: boolean;
}

/** Somebody in the voice of a room. */
export interface VoicePerson {
  id: PersonId;
  /** What they say is written down; false: they do not want to be listened to. */
  listenedTo: boolean;
  name: string;
  speaking: boolean;
}

/** Whether Denizen is there. */
export type VoicePresence = 'out' | 'joining' | 'in' | 'leaving';

/** A realtime service in the voice of a room. */
export interface VoiceServiceView {
  /** Where it thinks for itself, what it goes by. */
  knows?: string;
  /** Whose: `openai:gpt-realtime-1.5`. */
  service: string;
  /** Who thinks: `brain` is Denizen, `native` the service. */
  strategy: string;
}

/** Somebody is in. */
export interface VoiceSessionAnswer {
  /** The answer to the offer. All candidates are in it. */
  sdp: string;
  /** What names their stay; keep it to oneself. */
  session: string;
}

/** What is different from now on. */
export interface VoiceSessionChange {
  /** False: what they say is not listened to, nor written down. The people in the room hear it all the same. */
  listen?: boolean;
  /** The microphone is off, or on again. */
  muted?: boolean;
}

/** Milliseconds since 1970, as the machine's clock told them. */
export type WallTime = number;

/** What is watched in a room, what was noted, and what holds a comment back. */
export interface WatchAnswer {
  activity: Activity | null;
  calls: CallsView;
  commentary: CommentaryView;
  enabled: boolean;
  /** Counts the watches of this room. */
  generation: number;
  /** What happened on the time line of the last ten minutes, oldest first. */
  marks: Mark[];
  /** The newest frame, and when it came. */
  newest: SeenFrame | null;
  noteTaker: NoteTakerView;
  /** Rolling notes, oldest first. */
  notes: ScreenNote[];
  /** The frames of the last ten minutes, or those after the one that was asked about; oldest first. */
  samples: Sample[];
  /** Everybody who shares here, oldest first. */
  shares: ShareView[];
  /** `absolute` or `relative`. */
  thresholdMode: string;
  thresholds: Thresholds;
  /** Whose screen is watched. None while several share and nobody has chosen. */
  watched: ShareId | null;
}

/** Whose screen is watched. */
export interface WatchChoice {
  /** The share to watch; null: nobody's. */
  share?: string;
}

/** What would have been done, in order. */
export interface WhatIf {
  /** The lines each frame was held against, where they follow the screen. */
  lines: LinesAt[];
  /** Every note that would have been taken. */
  looks: Look[];
}

export interface Why {
  /** The model calls of its turns; none for whoever is no administrator. */
  asks: AskSummary[];
  /** Every line about the message and its turns, in order; without those of model calls and memory for whoever is no administrator. */
  chain: ChainLink[];
  message: StoredMessage;
  /** The ids of the messages that answered it. */
  replies: MessageId[];
  verdict: Verdict;
}

/** The wish was taken in. */
export interface Wished {
  /** The message that is going to be answered. */
  message: MessageId;
}

/** What a message would come to. */
export type WouldDo = 'ask_for_reply' | 'ask_whether_meant' | 'stay_silent' | 'wait' | 'obey';

/** A message as it is kept now. */
export type WrittenMessage = StoredMessage | Message;
