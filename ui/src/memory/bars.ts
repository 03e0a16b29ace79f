// The parts of a score as bars: what brought something up, and what age and importance made of it.
import type { Found, Scores } from '../api/contract';

export interface Bar {
  key: keyof Scores;
  label: string;
  /** What it stands for. */
  meaning: string;
  /** 0 to 1, of the longest bar of its kind in this search. */
  share: number;
  shown: string;
  factor: boolean;
}

const SIGNALS = [
  ['lexical', 'words', 'By its own words'],
  ['dense', 'meaning', 'By what it means'],
  ['surroundings', 'surroundings', 'By what was said around it'],
  ['keys', 'keys', 'By gems that lead to it'],
] as const;
const FACTORS = [
  ['recency', 'recency', 'What age takes off'],
  ['importance', 'importance', 'What importance makes of it'],
] as const;

/** Signals are measured against the strongest signal of the whole search; factors against one, or the largest. */
export function bars(scores: Scores, all: Found[]): Bar[] {
  const strongest = Math.max(0, ...all.flatMap((found) => SIGNALS.map(([key]) => finite(found.scores[key]))), ...SIGNALS.map(([key]) => finite(scores[key])));
  const signals = SIGNALS.map(([key, label, meaning]) => ({
    key, label, meaning, share: part(scores[key], strongest), shown: finite(scores[key]).toFixed(2), factor: false,
  }));
  const factors = FACTORS.map(([key, label, meaning]) => ({
    key, label, meaning, share: part(scores[key], Math.max(1, ...all.map((found) => finite(found.scores[key])))), shown: `×${finite(scores[key]).toFixed(2)}`, factor: true,
  }));
  return [...signals, ...factors];
}

/** 0 to 1. */
export const clamped = (value: number): number => Math.min(1, Math.max(0, finite(value)));

/** Sure enough to be brought up in a reply. */
export const sureEnough = (found: Found, threshold: number): boolean => finite(found.scores.confidence) >= threshold;

const part = (value: number, whole: number): number => (whole > 0 ? clamped(value / whole) : 0);
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
