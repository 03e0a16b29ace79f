// Memory as the API gives it. A gem keeps the spelling of its own format; its times are RFC 3339, the others unix milliseconds.
import type { Author } from './contract';

export const TAGS = ['decision', 'fact', 'preference', 'todo', 'code'] as const;
export type GemTag = (typeof TAGS)[number];

/** A time as RFC 3339 or as unix milliseconds. */
export type Instant = string | number;

export interface Place {
  community: string;
  room: string;
  /** What was said here never comes up anywhere else. */
  private?: boolean;
}

export interface Gem {
  gem_id: string;
  content: string;
  summary: string;
  topics: string[];
  /** 0 to 1. */
  importance: number;
  source: { session_id: string; date: string; turn_range: string; turns: string[] };
  tags: GemTag[];
  created_at: Instant;
  place: Place;
  person?: string | null;
  person_name?: string;
  attribute?: string | null;
  /** Somebody tried to give instructions by way of memory. */
  claim: boolean;
  standing: boolean;
  pinned: boolean;
  strength: number;
  last_seen_at: Instant;
  valid_from: Instant;
  valid_until?: Instant | null;
  superseded_by?: string | null;
  made_by: string;
}

export interface CapturedTurn {
  /** A message's own id where it is one. */
  id: string;
  place: Place;
  session: string;
  number: number;
  speaker: Author;
  kind: string;
  text: string;
  at: Instant;
}

export interface Scores {
  total: number;
  /** Comparable between searches; the others only within one. */
  confidence: number;
  lexical: number;
  dense: number;
  surroundings: number;
  keys: number;
  /** Factors. */
  recency: number;
  importance: number;
}

export interface Found {
  record: { gem: Gem } | { turn: CapturedTurn };
  scores: Scores;
  matched?: string[];
  /** Gems that led to this turn. */
  through?: string[];
}

export interface SearchAnswer {
  found: Found[];
  tookMs: number;
  threshold: number;
  /** What was not as usual about it. */
  remark?: string | null;
}

export interface MemoryStatus {
  enabled: boolean;
  store: string;
  buffer: string;
  embedder: { name: string; dimensions: number } | null;
  stats: { gems: number; superseded: number; turns: number; diskBytes?: number | null; memoryBytes?: number | null };
  waiting: { waiting: number; held: number; keptBack: number };
  reembedding: { done: number; total: number; trouble?: string | null } | null;
  /** A sentence for a person. */
  trouble?: string | null;
  extractor: string;
}

export interface Paged<T> {
  items: T[];
  next?: string | null;
}

export interface GemDetail {
  gem: Gem;
  turns: CapturedTurn[];
  supersedes: Gem[];
  supersededBy?: Gem | null;
}

export interface Removed {
  gems: string[];
  turns: string[];
}

export interface RememberedPerson {
  id: string;
  name: string;
  gems: number;
  turns: number;
  firstAt?: Instant | null;
  lastAt?: Instant | null;
}

export interface TimelineItem {
  at: Instant;
  gem?: Gem | null;
  turn?: CapturedTurn | null;
}

export interface ExtractionRun {
  extraction: number | string;
  session: string;
  room?: string | null;
  /** `turn_end`, `idle`, `context`, `session_end`, `new` or `reset`. */
  reason: string;
  startedAt: Instant;
  turns: number;
  /** `under_way`, `storing`, `stored` or `failed`. */
  state: string;
  ask?: number | null;
  /** Provider and model, or `offline`. */
  by?: string | null;
  added: number;
  strengthened: number;
  superseded: number;
  alreadyThere?: number;
  rejected?: { reason: string; count: number }[];
  failure?: string | null;
  took?: number | null;
}

export interface NewGem {
  content: string;
  summary?: string;
  topics?: string[];
  importance?: number;
  tags?: GemTag[];
  person?: string;
  scope?: { community?: string; room?: string; private?: boolean };
}

export type GemChanges = Partial<Pick<Gem, 'content' | 'summary' | 'topics' | 'importance' | 'tags' | 'pinned' | 'standing'>>;
