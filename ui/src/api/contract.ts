// The HTTP API as the pages see it. Times are unix milliseconds, spans are milliseconds.
import type { Sample } from './watch_contract';

export type AuthorKind = 'person' | 'denizen' | 'other_bot';

export interface Author {
  id: string;
  name: string;
  kind: AuthorKind;
}

export interface Attachment {
  id: string;
  mime: string;
  name: string;
  bytes: number;
}

export interface Reaction {
  emoji: string;
  /** Ids of those who gave it, the first first. */
  people: string[];
}

export interface StoredMessage {
  seq: number;
  id: string;
  room: string;
  author: Author;
  text: string;
  at: number;
  replyTo?: string;
  mentions?: string[];
  attachments?: Attachment[];
  editedAt?: number;
  reactions?: Reaction[];
  turn?: number;
  ask?: number;
}

export interface LanguageStatus {
  provider: string;
  model: string;
  baseUrl: string;
  offline: boolean;
  because: string;
  howToChange: string;
}

export interface Health {
  status: string;
  version: string;
  uptimeMs: number;
  community: string;
  denizen: { id: string; name: string };
  model: LanguageStatus;
  settingsVersion: number;
}

export interface Room {
  id: string;
  name: string;
}

export interface MessagePage {
  messages: StoredMessage[];
  hasMore: boolean;
}

export interface JournalEntry {
  seq: number;
  moment: number;
  wall: number;
  community: string;
  room?: string;
  turn?: number;
  cause?: number;
  messages?: string[];
  name: string;
  data: Record<string, unknown>;
}

export interface EventDoc {
  name: string;
  meaning: string;
  fields: string[];
}

export type Outcome = 'answered' | 'silent' | 'waiting' | 'failed' | 'own';

export interface Why {
  message: StoredMessage;
  verdict: { outcome: Outcome; sentence: string };
  chain: { entry: JournalEntry; sentence: string }[];
  asks: AskSummary[];
  replies: string[];
}

export interface AskSummary {
  ask: number;
  room: string;
  turn: number;
  startedAt: number;
  purpose: string;
  provider: string;
  model: string;
  /** `under_way`, `answered`, or the failure's name. */
  state: string;
  tookMs?: number | null;
  inputTokens: number;
  outputTokens: number;
  costMicroDollars?: number | null;
}

export interface Section {
  name: string;
  fate: 'kept' | 'trimmed' | 'dropped' | 'empty';
  priority: number;
  wantedChars: number;
  keptChars: number;
  capChars: number;
  remark: string;
  text: string;
}

export interface ToolCall {
  id: string;
  name: string;
  arguments: unknown;
}

export type ContentPart =
  | { text: string }
  | { image: { id: string; mime: string } }
  | { tool_call: ToolCall }
  | { tool_result: { callId: string; name: string; text: string; failed: boolean } };

export interface ChatTurn {
  role: 'user' | 'assistant' | 'tool';
  parts: ContentPart[];
}

export interface Answer {
  provider: string;
  model: string;
  text: string;
  toolCalls?: ToolCall[];
  finish: string;
  usage: { inputTokens: number; cachedInputTokens: number; outputTokens: number; costMicroDollars: number | null };
  firstText: number | null;
  took: number;
  tries: number;
}

export type AskOutcome =
  | { answered: Answer }
  | { failed: { kind: string; detail: string; retryAfter?: number | null } };

export interface AskRecord {
  ask: number;
  room: string;
  turn: number;
  startedAt: number;
  provider: string;
  model: string;
  url: string;
  request: {
    purpose: string;
    choice: { provider: string; model: string };
    system: string;
    turns: ChatTurn[];
    tools?: { name: string; description: string }[];
    output: unknown;
    maxOutputTokens: number;
    temperature: number;
    deadline: number;
    sections: Section[];
  };
  rawRequest: string;
  rawResponse: string;
  outcome: AskOutcome | null;
  previous: number | null;
}

export type KnobValue = boolean | number | string | string[];

export type Limits =
  | { type: 'switch' }
  | { type: 'whole' | 'fraction'; min: number; max: number }
  | { type: 'text'; min: number; max: number }
  | { type: 'choice'; options: string[] }
  | { type: 'list'; max: number };

export interface Knob {
  key: string;
  section: string;
  sectionDoc: string;
  doc: string;
  default: KnobValue;
  limits: Limits;
  unit: string;
  former: string[];
  value: KnobValue;
  source: 'default' | 'saved';
}

export interface SettingsDocument {
  version: number;
  knobs: Knob[];
}

export interface SettingProblem {
  key: string;
  problem: string;
  remedy: string;
}

/** What became of an old key; it was dropped where `newKeys` is empty. */
export interface MigrationNote {
  oldKey: string;
  newKeys: string[];
  remark: string;
}

/** What importing an older document did or would do. */
export interface SettingsMigration {
  version: number;
  saved: boolean;
  notes: MigrationNote[];
  changes: { key: string; from: KnobValue; to: KnobValue }[];
  problems: SettingProblem[];
}

export type LiveEvent =
  | { type: 'message'; message: StoredMessage }
  | { type: 'message_edited'; room: string; id: string; text: string }
  | { type: 'message_deleted'; room: string; id: string }
  | { type: 'reactions'; room: string; id: string; reactions: Reaction[] }
  | { type: 'typing'; room: string; person: string; name: string; typing: boolean }
  | { type: 'draft'; room: string; turn: number; text: string }
  | { type: 'draft_dropped'; room: string; turn: number }
  | { type: 'journal'; entry: JournalEntry }
  | { type: 'ask'; ask: number; summary: AskSummary | null }
  | { type: 'settings'; version: number }
  | { type: 'model'; status: LanguageStatus }
  | { type: 'frame'; room: string; share: string; sample: Sample };
