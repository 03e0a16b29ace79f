// The parts of a candidate's score as one stacked bar. Pure.
import type { Candidate } from '../api/ambient_contract';

/** How much each part counts, as Denizen counts it. */
const WEIGHTS = { source: 0.3, topic: 0.4, freshness: 0.2, popularity: 0.1 } as const;

export type PartName = keyof typeof WEIGHTS | 'chance';

export interface Part {
  name: PartName;
  label: string;
  /** 0 to 1, as it was judged. */
  value: number;
  /** Of the bar's whole width, 0 to 1. */
  share: number;
}

const LABELS: Record<PartName, string> = { source: 'how its source did', topic: 'fits the community', freshness: 'how fresh it is', popularity: 'how noticed it is', chance: 'chance' };

/** Parts of one bar; `highest`: the score that fills it. Chance is drawn only where it added something. */
export function scoreParts(candidate: Candidate, highest: number): Part[] {
  const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
  const weighted = names.map((name) => Math.max(0, finite(candidate[name])) * WEIGHTS[name]);
  const sum = weighted.reduce((total, part) => total + part, 0);
  const chance = Math.max(0, finite(candidate.chance));
  // What chance took away is missing from every part alike, so that the bar is as long as the score is high.
  const solid = Math.max(0, finite(candidate.score) - chance);
  const scale = sum > 0 ? solid / sum : 0;
  const whole = Math.max(highest, finite(candidate.score), Number.EPSILON);
  const parts = names.map((name, index) => part(name, candidate[name], (weighted[index]! * scale) / whole));
  return chance > 0 ? [...parts, part('chance', candidate.chance, chance / whole)] : parts;
}

/** In words, for whoever cannot see the bar. */
export function scoreWords(candidate: Candidate): string {
  const parts = (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]).map((name) => `${LABELS[name]} ${finite(candidate[name]).toFixed(2)}`);
  const chance = finite(candidate.chance);
  return `Score ${finite(candidate.score).toFixed(2)}: ${parts.join(', ')}${chance ? `, chance ${chance > 0 ? '+' : '−'}${Math.abs(chance).toFixed(2)}` : ''}`;
}

export const PART_LABELS = LABELS;

const part = (name: PartName, value: number, share: number): Part => ({ name, label: LABELS[name], value: finite(value), share: Math.min(1, share) });
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
