// The parts of a candidate's score as one stacked bar. Pure.
import type { CandidateView, ScoreParts } from '../api/contract';

export type PartName = keyof ScoreParts;

export const PART_LABELS: Record<PartName, string> = { source: 'how its source did', topic: 'fits the community', freshness: 'how fresh it is', popularity: 'how noticed it is', chance: 'chance' };

const NAMES = Object.keys(PART_LABELS) as PartName[];

/** What each part fills of a bar, 0 to 1; `highest`: the score that fills it. What chance took away is not drawn. */
export function scoreParts({ parts, score }: CandidateView, highest: number): { name: PartName; share: number }[] {
  const whole = Math.max(highest, score, Number.EPSILON);
  const drawn = NAMES.filter((name) => parts[name] > 0);
  const sum = drawn.reduce((total, name) => total + parts[name], 0);
  // The bar is as long as the score is high, whatever chance took.
  const scale = sum > 0 ? Math.max(0, score) / sum / whole : 0;
  return drawn.map((name) => ({ name, share: parts[name] * scale }));
}

/** In words, for whoever cannot see the bar. */
export function scoreWords(candidate: CandidateView): string {
  const { chance, ...parts } = candidate.parts;
  const added = (Object.keys(parts) as (keyof typeof parts)[]).map((name) => `${PART_LABELS[name]} ${parts[name].toFixed(2)}`);
  return `Score ${candidate.score.toFixed(2)}: ${added.join(', ')}${chance ? `, chance ${chance > 0 ? '+' : '−'}${Math.abs(chance).toFixed(2)}` : ''}`;
}
