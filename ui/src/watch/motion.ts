// Motion that comes to rest, as Denizen's mind reckons it: a fade, a scroll, a paragraph being typed.
// The same rule as in the mind (`watch/activity/motion.rs`); `judged.json` keeps the two together.

const PAUSES = 1.5;
const REST_MIN_MS = 2_000;
const REST_MAX_MS = 8_000;
const REST_SHARE = 0.5;

export interface Motion {
  last: number;
  /** The pause between two frames that moved, smoothed. */
  pause: number;
  level: number;
  /** What has moved since something was last told, summed up. */
  untold: number;
  atRest: boolean;
}

/** The motion after a frame that moved. */
export function moved(before: Motion | null, at: number, score: number): Motion {
  // What moved long ago was something else.
  if (!before || at - before.last > REST_MAX_MS) return { last: at, pause: 0, level: score, untold: score, atRest: false };
  return { last: at, pause: Math.floor((before.pause + at - before.last) / 2), level: (before.level + score) / 2, untold: Math.min(1, before.untold + score), atRest: false };
}

/** What a frame that did not move says of the motion before it; `rest` with what was not told of it. */
export function still(motion: Motion, at: number, score: number): { says: 'nothing' | 'usual' } | { says: 'rest'; untold: number } {
  if (motion.atRest) return { says: 'nothing' };
  if (score > motion.level * REST_SHARE) return { says: 'usual' };
  const rest = Math.min(REST_MAX_MS, Math.max(REST_MIN_MS, Math.floor(motion.pause * PAUSES)));
  return at - motion.last < rest ? { says: 'nothing' } : { says: 'rest', untold: motion.untold };
}
