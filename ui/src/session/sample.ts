// A session for the tests, as long as they like.
import type { FinishedRun, SessionView } from '../api/contract';

export function run(oldCursor: number, newCursor: number, more: Partial<FinishedRun> = {}): FinishedRun {
  return { at: newCursor, took: 5, oldCursor, newCursor, ask: null, summariser: 'offline', turns: [], notes: [], summary: `up to ${newCursor}`, ...more };
}

export function sample(cursor: number, turns: number, more: Partial<SessionView> = {}): SessionView {
  const verbatim = Array.from({ length: turns - cursor }, (_, index) => ({
    seq: cursor + index, speaker: 'Alice', at: index, modality: 'typed' as const, text: `line ${cursor + index}`,
  }));
  return {
    enabled: true, summary: cursor ? 'They talked.' : '', summarisedAt: cursor ? 1 : null, cursor, turns, verbatim,
    pendingNotes: [], run: null, finished: [], recentWindow: 50, batchSize: 10, summaryCharsMax: 1_200, ...more,
  };
}
