// The plot's points as the page keeps them: those of the last ten minutes, in order, each once. Pure.
import type { Sample } from '../api/contract';

export const KEPT_MS = 600_000;
/** Ten minutes at the most frames a minute that can be set. */
const KEPT_MAX = 6_000;

/** What is known with what came in; nothing older than ten minutes before the newest. */
export function joined(known: readonly Sample[], fresh: readonly Sample[]): Sample[] {
  const newest = fresh.length === 1 && known.length > 0 && fresh[0]!.at > known.at(-1)!.at;
  const all = newest ? [...known, fresh[0]!] : sorted([...known, ...fresh]);
  const from = (all.at(-1)?.at ?? 0) - KEPT_MS;
  const first = all.findIndex((sample) => sample.at >= from);
  return all.slice(Math.max(0, first, all.length - KEPT_MAX));
}

/** Frames are numbered anew when Denizen starts again, so that a number alone is not enough to tell two apart. */
function sorted(samples: Sample[]): Sample[] {
  const seen = new Set<string>();
  const once = samples.filter(({ at, frame }) => {
    const name = `${at} ${frame}`;
    return !seen.has(name) && seen.add(name);
  });
  return once.sort((left, right) => left.at - right.at || left.frame - right.frame);
}

export const within = (samples: readonly Sample[], from: number, until: number): Sample[] => samples.filter(({ at }) => at >= from && at <= until);

/** What is nearest to a time; null where there is nothing. */
export function nearest<T extends { at: number }>(things: readonly T[], at: number): T | null {
  let best: T | null = null;
  for (const thing of things) if (!best || Math.abs(thing.at - at) < Math.abs(best.at - at)) best = thing;
  return best;
}

/** How far the server's clock is ahead of this one: no event comes before it happened, so the quickest tells most. Follows a clock that is set. */
export function clockOffset(before: number | null, at: number, arrived: number): number {
  const seen = at - arrived;
  return before === null ? seen : Math.max(seen, before - FORGOTTEN_MS);
}

/** What the best evidence so far loses with each event that follows. */
const FORGOTTEN_MS = 5;
