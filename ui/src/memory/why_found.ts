// Why something was found, in a sentence or two that anybody can read.
import type { Found, Scores } from '../api/contract';
import { plural } from '../session/words';
import { sureEnough } from './bars';

/** A signal weaker than this part of its strongest is not worth a word. */
const WORTH_NAMING = 0.1;
const NEAR = 0.75;

export function whyFound(found: Found, threshold: number, all: Found[]): string {
  const because = signals(found, all);
  const reasons = because.length ? `${capital(listed(because))}.` : 'It is merely the nearest there is.';
  const then = [reasons, factors(found), confidence(found, threshold)];
  return then.filter(Boolean).join(' ');
}

/** Strongest first. */
function signals({ scores, matched = [], through = [] }: Found, all: Found[]): string[] {
  const best = (key: keyof Scores) => Math.max(scores[key], ...all.map((other) => other.scores[key]));
  const strongest = Math.max(scores.lexical, scores.dense, scores.surroundings, scores.keys);
  const meaning = best('dense') > 0 && scores.dense >= NEAR * best('dense') ? 'it means much the same' : 'it means something similar';
  const candidates: [number, string][] = [
    [scores.lexical, matched.length ? `it has the ${matched.length === 1 ? 'word' : 'words'} ${listed(matched.map((word) => `“${word}”`))}` : 'it has words like these'],
    [scores.dense, meaning],
    [scores.surroundings, 'it was said near something that fits'],
    [scores.keys, through.length ? `${plural(through.length, 'gem')} that fit${through.length === 1 ? 's' : ''} lead${through.length === 1 ? 's' : ''} to it` : 'what was made of it fits'],
  ];
  return candidates
    .filter(([value]) => value > 0 && value >= WORTH_NAMING * strongest)
    .sort(([left], [right]) => right - left)
    .map(([, words]) => words);
}

function factors({ record, scores }: Found): string {
  const ageless = 'gem' in record && (record.gem.pinned ? 'it is pinned' : record.gem.standing ? 'it is a standing preference' : '');
  const age = ageless ? `it does not age (${ageless})` : percent(scores.recency) < 0 ? `age took ${-percent(scores.recency)}\u00a0% off` : '';
  const weight = percent(scores.importance);
  const importance = weight > 0 ? `its importance added ${weight}\u00a0%` : weight < 0 ? `its small importance took ${-weight}\u00a0% off` : '';
  const said = [age, importance].filter(Boolean);
  return said.length ? `${capital(listed(said))}.` : '';
}

function confidence(found: Found, threshold: number): string {
  const sure = Math.round(found.scores.confidence * 100);
  const wanted = Math.round(threshold * 100);
  return sureEnough(found, threshold)
    ? `${sure}\u00a0% sure, and ${wanted}\u00a0% is enough to bring it up.`
    : `Only ${sure}\u00a0% sure: below ${wanted}\u00a0% it is not brought up by itself.`;
}

const percent = (factor: number): number => (Number.isFinite(factor) && factor > 0 ? Math.round((factor - 1) * 100) : 0);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
