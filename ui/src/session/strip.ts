// The strip of all turns of a session: which are in the summary, which are kept word for word, and what comes next.
import type { SessionView } from '../api/contract';

export type SegmentKind =
  /** In the summary. */
  | 'folded'
  /** Left the context without being summarised. */
  | 'lost'
  /** In the fold under way. */
  | 'folding'
  /** Word for word, older than the protected window. */
  | 'waiting'
  /** Word for word, and never folded while this new. */
  | 'recent';

export interface Segment {
  kind: SegmentKind;
  /** Numbers of the first and the last turn. */
  from: number;
  to: number;
  /** How many turns; fewer than the numbers suggest where some were taken back. */
  count: number;
  /** Part of the strip's width, in percent. */
  share: number;
}

export interface Strip {
  segments: Segment[];
  /** Where the cursor stands, in percent of the width. */
  cursorAt: number;
  /** The past is drawn narrower than it was, so that the present can be seen. */
  squeezed: boolean;
}

/** Turns from `from` up to, not including, `until`. */
export interface Stretch {
  from: number;
  until: number;
}

const PAST_SHARE_MAX = 42;
const PAST_SHARE_MIN = 4;

/** `start`: the session's first turn. `lost`: what left the context unsummarised. */
export function strip(view: SessionView, start: number, lost: Stretch[] = []): Strip {
  const past = pastSegments(view, start, lost);
  const present = presentSegments(view);
  const before = sum(past);
  const now = sum(present);
  const even = (100 * before) / Math.max(1, before + now);
  const pastShare = before === 0 ? 0 : now === 0 ? 100 : Math.min(PAST_SHARE_MAX, Math.max(PAST_SHARE_MIN, even));
  const scaled = (segments: Bare[], whole: number, share: number) =>
    segments.map((segment) => ({ ...segment, share: (share * segment.count) / Math.max(1, whole) }));
  return {
    segments: [...scaled(past, before, pastShare), ...scaled(present, now, 100 - pastShare)],
    cursorAt: pastShare,
    squeezed: even > pastShare + 0.01,
  };
}

type Bare = Omit<Segment, 'share'>;

/** One brick for each fold that is still known, so that one sees that they came batch by batch. */
function pastSegments(view: SessionView, start: number, lost: Stretch[]): Bare[] {
  const inside = (edge: number) => edge > start && edge < view.cursor;
  const edges = [...view.finished.flatMap((run) => [run.oldCursor, run.newCursor]), ...lost.flatMap(({ from, until }) => [from, until])];
  const marks = [...new Set([start, ...edges.filter(inside), view.cursor])].sort((left, right) => left - right);
  const bricks: Bare[] = [];
  for (const [index, from] of marks.entries()) {
    const until = marks[index + 1];
    if (until === undefined || until <= from) continue;
    const gone = lost.some((stretch) => stretch.from <= from && until <= stretch.until);
    bricks.push({ kind: gone ? 'lost' : 'folded', from, to: until - 1, count: until - from });
  }
  return bricks;
}

function presentSegments(view: SessionView): Bare[] {
  const turns = view.verbatim;
  const folding = Math.min(view.run?.turns ?? 0, turns.length);
  const recent = Math.max(folding, turns.length - view.recentWindow);
  const parts: [SegmentKind, number, number][] = [['folding', 0, folding], ['waiting', folding, recent], ['recent', recent, turns.length]];
  return parts.flatMap(([kind, first, end]) => (end > first ? [{ kind, from: turns[first]!.seq, to: turns[end - 1]!.seq, count: end - first }] : []));
}

const sum = (segments: Bare[]): number => segments.reduce((total, segment) => total + segment.count, 0);

/** Where the session began, from the line that ended the one before, as far as it is still known. */
export function sessionStart(view: SessionView, endedAtTurns: number | null, lost: Stretch[] = []): number {
  if (endedAtTurns !== null) return Math.min(endedAtTurns, view.cursor);
  // Numbers go on from session to session: a cursor without a summary is where this one began.
  if (view.summarisedAt === null && lost.length === 0) return view.cursor;
  return 0;
}

export type NextFold =
  | { when: 'off' }
  | { when: 'now'; turns: number; notes: number; condensing: boolean }
  /** Enough turns are there; it begins when Denizen is next asked. */
  | { when: 'due' }
  | { when: 'later'; atTurn: number; toGo: number };

/** A fold is due once more was said since the cursor than the protected window and one batch, and a whole batch is left outside it. */
export function nextFold(view: SessionView): NextFold {
  if (!view.enabled) return { when: 'off' };
  if (view.run) return { when: 'now', turns: view.run.turns, notes: view.run.notes, condensing: view.run.condensing };
  const enough = view.recentWindow + view.batchSize;
  // Turns that were taken back count as said, but cannot be folded.
  const toGo = Math.max(enough + 1 - (view.turns - view.cursor), enough - view.verbatim.length);
  return toGo <= 0 ? { when: 'due' } : { when: 'later', atTurn: view.turns + toGo, toGo };
}
