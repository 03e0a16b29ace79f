// How far somebody has read in each room, kept in the browser.
import { community } from '../api/community';

const KEY = 'denizen.read';

function places(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

const named = (room: string) => `${community}/${room}`;

/** The place of the newest message that was read; 0 where nobody was here before. */
export function lastRead(room: string): number {
  const place = places()[named(room)];
  return typeof place === 'number' ? place : 0;
}

export function keepRead(room: string, seq: number): void {
  const known = places();
  if ((known[named(room)] ?? 0) < seq) localStorage.setItem(KEY, JSON.stringify({ ...known, [named(room)]: seq }));
}
