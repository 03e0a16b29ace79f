// A room's watch of shared screens as the API gives it. Times are unix milliseconds, spans are milliseconds.

export type ShareSource = 'share_page' | 'whip' | 'frame_api' | 'file';

export type ShareEnd = 'stopped' | 'lost' | 'sharer_left' | 'ended_by_operator' | 'restarted';

export type Activity = 'static' | 'moving' | 'significant';

export type NoteTrigger = 'first_frame' | 'scene_cut' | 'change' | 'interval' | 'idle_interval' | 'commentary';

export type ThresholdMode = 'absolute' | 'relative';

/** A link that was given out. The token is shown once, and only here. */
export interface ShareLink {
  share: string;
  token: string;
  expiresAt: number;
  /** `/share#TOKEN`: the token is in the fragment, which no server sees. */
  url: string;
  framesUrl: string;
  whipUrl: string;
}

/** An emitted frame: everything but its picture. */
export interface Sample {
  at: number;
  frame: number;
  kind: 'jpeg' | 'png' | 'webp';
  width: number;
  height: number;
  score: number;
  ema: number;
  sceneCut: boolean;
  region?: string;
}

export interface ShareView {
  share: string;
  person: string;
  name: string;
  source: ShareSource;
  since: number;
  watched: boolean;
  frames: number;
}

export interface ScreenNote {
  seq: number;
  at: number;
  seenAt: number;
  sharedBy: string;
  text: string;
  why: string;
  trigger: NoteTrigger;
}

export interface AskingView {
  ask: number;
  runningFor: number;
}

export interface NoteTakerView {
  asking: AskingView | null;
  /** `in_flight`, `cooldown`, `interval`, `idle_interval`, `frozen`, `no_frame`; none while a note is due at once. */
  heldBy: string | null;
  dueIn: number | null;
  failures: number;
  lastFailure: string | null;
}

export interface GateView {
  gate: string;
  shut: boolean;
  heldFor: number;
  opensIn: number | null;
}

export interface CommentaryView {
  enabled: boolean;
  asking: AskingView | null;
  /** `share_start`, `change_detected` or `interval`. */
  waiting: string | null;
  waitingFor: number | null;
  gates: GateView[];
  dueIn: number | null;
}

export interface CallsView {
  notes: number;
  commentary: number;
  failed: number;
  costMicroDollars: number;
  unpriced: number;
  callsPerHour: number;
  costPerHourMicroDollars: number;
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

export interface Mark {
  at: number;
  kind: MarkKind;
  frame: number | null;
  trigger: NoteTrigger | null;
  text: string;
}

export interface Thresholds {
  change: number;
  staticFloor: number;
}

export interface WatchView {
  enabled: boolean;
  /** Everybody who shares here, oldest first. */
  shares: ShareView[];
  watched: string | null;
  generation: number;
  newest: Sample | null;
  activity: Activity | null;
  thresholdMode: ThresholdMode;
  thresholds: Thresholds;
  /** Oldest first. */
  notes: ScreenNote[];
  noteTaker: NoteTakerView;
  commentary: CommentaryView;
  calls: CallsView;
  /** Oldest first. */
  marks: Mark[];
}

export interface WatchAnswer extends WatchView {
  samples: Sample[];
}
