// How often and how large pictures are sent: about two a second, fewer while nothing changes, less where the line or the room asks for it.
// Pure: it is told what happened and when, and says what to do next.
import { ladder, predicted, type Limits, type Size } from './sizes';

export interface Pace {
  readonly limits: Limits;
  readonly steps: readonly Size[];
  /** The step of the ladder that pictures are made at now. */
  readonly step: number;
  /** Whether this screen is the one that is watched: otherwise no picture is wanted. */
  readonly watched: boolean;
  /** When the frame was sent that no answer has come to yet. */
  readonly inFlightSince: number | null;
  readonly inFlightBytes: number;
  /** When a picture, and when any sign of life, was last sent. */
  readonly frameAt: number;
  readonly signAt: number;
  /** When the frames of the last minute were sent, oldest first. */
  readonly sent: readonly number[];
  readonly frames: number;
  /** How long answers take, smoothed. */
  readonly answerMs: number;
  readonly slowAnswers: number;
  readonly easyAnswers: number;
  /** Told to wait until then, and for how long the next time. */
  readonly waitUntil: number;
  readonly backoffMs: number;
  /** The other side's smoothed score is down: frames that show nothing new can be spared. */
  readonly settled: boolean;
  /** The other side has to be shown what is there, whether or not it changed. */
  readonly owed: boolean;
}

export type Plan =
  | { do: 'wait' }
  /** Nothing to show, but still there. */
  | { do: 'still' }
  /** Look at the screen; send it if something changed, or `always`: while it comes to rest, and now and then after. */
  | { do: 'look'; always: boolean; size: Size }
  /** No answer came for so long that the line must be dead. */
  | { do: 'hang_up' };

/** Two a second; a little less, because the clock ticks every quarter of a second and is sometimes early. */
const FRAME_MS = 450;
/** A screen on which nothing happens is sent this often all the same. */
export const QUIET_MS = 5_000;
/** A share without a sign of life for a minute is lost; this leaves room for a few to go astray. */
const STILL_MS = 10_000;
const ANSWER_MS_MAX = 15_000;
/** Of the time, at most this part (its inverse) is spent waiting for answers. */
const ANSWERS_SHARE = 2;
const INTERVAL_MS_MAX = 10_000;
const BUFFERED_BYTES_MAX = 16_384;
const SLOW_ANSWER_MS = 2_000;
const SLOW_ANSWERS = 3;
const EASY_ANSWER_MS = 700;
const EASY_ANSWERS = 20;
const BACKOFF_MS = 2_000;
const BACKOFF_MS_MAX = 30_000;
/** A little more than a minute, because the other side counts by its own clock. */
const WINDOW_MS = 60_500;
const FITS_WELL = 0.8;
const SMOOTHING = 0.3;
/** Below the least `staticFloor` there is, the other side calls the screen static whatever it is set to. */
const SETTLED_EMA = 0.001;

export function newPace(limits: Limits, watched: boolean): Pace {
  return {
    limits, steps: ladder(limits), step: 0, watched, inFlightSince: null, inFlightBytes: 0, frameAt: -Infinity, signAt: -Infinity, sent: [], frames: 0,
    answerMs: 0, slowAnswers: 0, easyAnswers: 0, waitUntil: -Infinity, backoffMs: BACKOFF_MS, settled: false, owed: true,
  };
}

export const size = (pace: Pace): Size => pace.steps[pace.step]!;

/** Shortest time between two frames, as things stand. */
export function interval({ limits, answerMs }: Pace): number {
  return Math.max(FRAME_MS, 60_000 / limits.maxFramesPerMinute, Math.min(INTERVAL_MS_MAX, ANSWERS_SHARE * answerMs));
}

/** `blind`: the screen gives no pictures just now, because its window is minimised for instance. */
export function plan(pace: Pace, now: number, bufferedBytes: number, blind = false): Plan {
  if (pace.inFlightSince !== null) return { do: now - pace.inFlightSince > ANSWER_MS_MAX ? 'hang_up' : 'wait' };
  const sign: Plan = { do: now - pace.signAt >= STILL_MS ? 'still' : 'wait' };
  if (!pace.watched || blind) return sign;
  if (bufferedBytes > BUFFERED_BYTES_MAX) return { do: 'wait' };
  const full = recent(pace.sent, now).length >= pace.limits.maxFramesPerMinute;
  if (full || now < pace.waitUntil || now - pace.frameAt < interval(pace)) return sign;
  const due = pace.settled ? QUIET_MS : pace.limits.keyframeIntervalMs;
  return { do: 'look', always: pace.owed || now - pace.frameAt >= due, size: size(pace) };
}

/** Whether a picture of so many bytes may be sent; if not, the next one is made smaller. */
export function weigh(pace: Pace, bytes: number): { fits: boolean; pace: Pace } {
  if (bytes <= pace.limits.maxFrameBytes) return { fits: true, pace };
  return { fits: false, pace: smaller(pace, bytes) };
}

/** Even the smallest picture is too large: nothing more can be done here. */
export const cornered = (pace: Pace, bytes: number): boolean => bytes > pace.limits.maxFrameBytes && pace.step === pace.steps.length - 1;

/** `lookedAt`: when the screen looked as the picture shows it, which is a little before it is sent. */
export function afterSent(pace: Pace, now: number, bytes: number, lookedAt = now): Pace {
  return { ...pace, inFlightSince: now, inFlightBytes: bytes, frameAt: lookedAt, signAt: now, sent: [...recent(pace.sent, now), now], frames: pace.frames + 1 };
}

export const afterStill = (pace: Pace, now: number): Pace => ({ ...pace, signAt: now });

export function afterTaken(pace: Pace, now: number, ema: number): Pace {
  const answered = withAnswer(pace, now);
  const next = { ...answered, settled: ema < SETTLED_EMA, owed: false, backoffMs: BACKOFF_MS };
  if (next.slowAnswers >= SLOW_ANSWERS) return { ...smaller(next, 0), slowAnswers: 0 };
  const above = next.steps[next.step - 1];
  const growable = above && predicted(pace.inFlightBytes, size(next), above) <= FITS_WELL * next.limits.maxFrameBytes;
  return next.easyAnswers >= EASY_ANSWERS && growable ? { ...next, step: next.step - 1, easyAnswers: 0 } : next;
}

export function afterRefused(pace: Pace, now: number, reason: string): Pace {
  const next = { ...withAnswer(pace, now), settled: false, owed: true };
  switch (reason) {
    case 'frame_too_large':
      return smaller(next, pace.inFlightBytes);
    case 'watch_not_active':
    case 'target_user_mismatch':
    case 'stream_watch_disabled':
      return { ...next, watched: false };
    default:
      // Too many, or something nobody expected: either way it is better to send less.
      return { ...next, waitUntil: now + next.backoffMs, backoffMs: Math.min(BACKOFF_MS_MAX, next.backoffMs * 2) };
  }
}

/** Whoever begins to be watched again shows what is there at once. */
export function afterState(pace: Pace, watched: boolean): Pace {
  return watched === pace.watched ? pace : { ...pace, watched, settled: false, owed: true };
}

/** The room takes other pictures from now on; begins again at the largest. */
export function withLimits(pace: Pace, limits: Limits): Pace {
  return { ...pace, limits, steps: ladder(limits), step: 0, slowAnswers: 0, easyAnswers: 0 };
}

/** The line was broken and is there again: nothing is in flight, and what was seen before may be forgotten. */
export function afterReconnect(pace: Pace, limits: Limits, watched: boolean): Pace {
  const kept = sameLimits(pace.limits, limits) ? pace : withLimits(pace, limits);
  return { ...kept, watched, inFlightSince: null, settled: false, owed: true, answerMs: 0 };
}

/** Frames a second over the last `ms`, for a person to read. */
export function rate({ sent }: Pace, now: number, ms = 10_000): number {
  return sent.filter((at) => now - at < ms).length / (ms / 1_000);
}

function withAnswer(pace: Pace, now: number): Pace {
  if (pace.inFlightSince === null) return pace;
  const took = now - pace.inFlightSince;
  const answerMs = pace.answerMs === 0 ? took : pace.answerMs + SMOOTHING * (took - pace.answerMs);
  return { ...pace, inFlightSince: null, answerMs, slowAnswers: took > SLOW_ANSWER_MS ? pace.slowAnswers + 1 : 0, easyAnswers: took < EASY_ANSWER_MS ? pace.easyAnswers + 1 : 0 };
}

/** At least one step down; as many as the bytes suggest. */
function smaller(pace: Pace, bytes: number): Pace {
  const last = pace.steps.length - 1;
  let step = Math.min(last, pace.step + 1);
  while (step < last && predicted(bytes, size(pace), pace.steps[step]!) > FITS_WELL * pace.limits.maxFrameBytes) step++;
  return { ...pace, step, easyAnswers: 0, settled: false };
}

const recent = (sent: readonly number[], now: number): readonly number[] => sent.filter((at) => now - at < WINDOW_MS);

function sameLimits(left: Limits, right: Limits): boolean {
  return left.maxWidthPx === right.maxWidthPx && left.jpegQuality === right.jpegQuality && left.maxFrameBytes === right.maxFrameBytes && left.maxFramesPerMinute === right.maxFramesPerMinute && left.keyframeIntervalMs === right.keyframeIntervalMs;
}
