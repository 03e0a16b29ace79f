// A room's session as the API gives it: everything before the cursor is in the summary, the rest is kept word for word.

export interface TimelineTurn {
  seq: number;
  speaker: string;
  at: number;
  modality: 'typed' | 'spoken' | 'note' | 'membership';
  text: string;
  message?: string;
}

export interface PendingNote {
  seq: number;
  at: number;
  sharedBy: string;
  text: string;
}

export interface RunView {
  ask: number;
  cursor: number;
  turns: number;
  notes: number;
  condensing: boolean;
}

export interface FinishedRun {
  at: number;
  took: number;
  oldCursor: number;
  newCursor: number;
  ask: number | null;
  /** Provider and model, or `offline`. */
  summariser: string;
  turns: string[];
  notes: string[];
  summary: string;
}

export interface SessionView {
  enabled: boolean;
  summary: string;
  summarisedAt: number | null;
  cursor: number;
  turns: number;
  verbatim: TimelineTurn[];
  pendingNotes: PendingNote[];
  run: RunView | null;
  /** Oldest first. */
  finished: FinishedRun[];
  recentWindow: number;
  batchSize: number;
  summaryCharsMax: number;
}
