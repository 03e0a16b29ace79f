// The journal page's list: newest first, each line once, bounded; and what fits a filter.
import type { JournalEntry } from '../api/contract';

export const LINES_MAX = 2_000;

export interface Filter {
  name: string;
  room: string;
  text: string;
}

/** Both lists in one, newest first. */
export function joined(lines: JournalEntry[], fresh: JournalEntry[]): JournalEntry[] {
  const bySeq = new Map([...lines, ...fresh].map((entry) => [entry.seq, entry]));
  return [...bySeq.values()].sort((left, right) => right.seq - left.seq).slice(0, LINES_MAX);
}

export function fits(entry: JournalEntry, filter: Filter): boolean {
  if (filter.name && entry.name !== filter.name) return false;
  if (filter.room && entry.room !== filter.room) return false;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const whole = JSON.stringify(entry).toLowerCase();
  return words.every((word) => {
    const turn = turnIn(word);
    return turn === null ? whole.includes(word) : entry.turn === turn;
  });
}

/** `turn:12` asks for the lines of that turn and no others. */
export function turnIn(text: string): number | null {
  const found = /(?:^|\s)turn:(\d+)(?:\s|$)/i.exec(text);
  return found ? Number(found[1]) : null;
}

/** The data for one line: what is empty is left out, what is long is cut. */
export function gist(data: Record<string, unknown>): { key: string; value: string }[] {
  return Object.entries(data)
    .filter(([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => ({ key, value: brief(value) }));
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).join(', ') : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Whether a line tells of a failure. What no model is set up for, and is done without one, is none. */
export function isFailure(name: string, data: Record<string, unknown>): boolean {
  if (!/failed|abandoned|refused/.test(name)) return false;
  const unavailable = data['kind'] === 'unavailable' || data['error'] === 'unavailable';
  const owed = String(data['purpose'] ?? '').startsWith('text_reply');
  const undone = data['fallsBack'] === false || data['falls_back'] === false;
  return !unavailable || owed || undone;
}
