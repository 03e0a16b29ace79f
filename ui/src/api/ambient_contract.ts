// Denizen's thoughts of its own as the API gives them. Times are unix milliseconds, spans are milliseconds, costs are millionths of a dollar.

export type FeedFamily = 'reddit' | 'hacker_news' | 'youtube' | 'rss' | 'x';
export type MediaKind = 'image' | 'video' | 'gif';
export type ThoughtAction = 'post_now' | 'hold' | 'drop';

export interface FeedSource {
  family: FeedFamily;
  name: string;
}

export interface MediaWish {
  kind: MediaKind;
  prompt: string;
}

export interface AttentionView {
  state: 'ambient' | 'active';
  endsIn: number | null;
  room: string | null;
}

/** A gate that is shut. */
export interface Stop {
  gate: string;
  words: string;
  opensIn: number | null;
}

export interface ChannelView {
  room: string;
  eligible: boolean;
  why: string;
}

/** One look at a thought. */
export interface Revision {
  at: number;
  ask: number;
  action: ThoughtAction;
  text: string;
  room: string | null;
  media: MediaWish | null;
  reason: string;
}

export interface ThoughtView {
  text: string;
  room: string;
  media: MediaWish | null;
  reason: string;
  createdAt: number;
  expiresAt: number;
  /** Oldest first. */
  history: Revision[];
  roomMovedOn: boolean;
}

export type StepKind = 'gathered' | 'asked' | 'answered' | 'tool' | 'media' | 'decided' | 'failed';

export interface RunStep {
  at: number;
  kind: StepKind;
  words: string;
  ask: number | null;
}

export type Stage = 'gathering' | 'thinking' | 'using_tools' | 'making_media' | 'posting' | 'done' | 'failed';

export interface RunView {
  turn: number;
  startedAt: number;
  endedAt: number | null;
  stage: Stage;
  revisits: boolean;
  /** Oldest first. */
  steps: RunStep[];
  decision: Revision | null;
  /** The message that would be (or was) sent. */
  post: string | null;
  outcome: string;
}

/** One tick, or several equal ones in a row. */
export interface Receipt {
  firstAt: number;
  lastAt: number;
  ticks: number;
  ran: boolean;
  gate: string | null;
  words: string;
  roll: number | null;
  below: number | null;
  action: ThoughtAction | 'failed' | null;
  turn: number | null;
}

export interface Meter {
  used: number;
  limit: number;
  freesIn: number | null;
}

export interface MediaMeter extends Meter {
  kind: MediaKind;
  whyNot: string;
}

export interface Saved {
  gate: string;
  words: string;
  ticks: number;
  tokens: number | null;
  cost: number | null;
}

export interface BudgetView {
  calls: Meter;
  tokens: Meter;
  cost: Meter;
  unpricedCalls: number;
  saved: Saved[];
  costOfAThought: number | null;
  tokensOfAThought: number | null;
}

export interface PostView {
  turn: number;
  room: string;
  messages: string[];
  text: string;
  at: number;
  links: { url: string; source: FeedSource | null }[];
  media: MediaKind | null;
  reactions: number;
  replies: number;
}

export interface SourceReport {
  source: FeedSource;
  items: number;
  fresh: number;
  unchanged: boolean;
  failure?: string;
}

export interface SourceView {
  source: FeedSource;
  own: boolean;
  addedAt: number | null;
  reason: string;
  shown: number;
  shared: number;
  reactions: number;
  replies: number;
  lastReport: SourceReport | null;
  lastReadAt: number | null;
}

export interface FeedItem {
  source: FeedSource;
  url: string;
  title: string;
  summary: string;
  author?: string;
  publishedAt?: number;
  points?: number;
  comments?: number;
  popularity: number;
  nsfw: boolean;
}

/** An item with why it stands where it does; parts are 0 to 1. */
export interface Candidate {
  item: FeedItem;
  score: number;
  source: number;
  topic: number;
  freshness: number;
  popularity: number;
  chance: number;
}

export interface ToolView {
  name: string;
  origin: string;
  offered: boolean;
  whyNot: string;
}

export interface AmbientView {
  enabled: boolean;
  attention: AttentionView;
  nextTickIn: number | null;
  stoppedBy: Stop | null;
  eagerness: number;
  channels: ChannelView[];
  thought: ThoughtView | null;
  run: RunView | null;
  trial: RunView | null;
  /** Newest first. */
  receipts: Receipt[];
  budget: BudgetView;
  postsPerDay: Meter;
  media: MediaMeter[];
  /** Newest first. */
  posts: PostView[];
  sources: SourceView[];
  candidates: Candidate[];
  interests: string[];
  tools: ToolView[];
}

/** How it stands with a search service, the browser, an MCP server, or whoever makes media. */
export interface ToolStatus {
  name: string;
  ready: boolean;
  detail: string;
  tools: string[];
}

export interface OutwardStatus {
  tools: ToolStatus[];
  media: ToolStatus[];
}

export interface FeedPreview {
  candidates: Candidate[];
  reports: SourceReport[];
}
