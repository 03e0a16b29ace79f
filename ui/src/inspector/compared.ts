// Pairs the sections of two calls by name and diffs their texts.
import type { SectionReport } from '../api/contract';
import { counts, diffLines, type DiffLine } from './diff';

export interface ComparedSection {
  name: string;
  diff: DiffLine[];
  added: number;
  removed: number;
  fateBefore: SectionReport['fate'] | undefined;
  fateNow: SectionReport['fate'] | undefined;
}

/** In the order of the newer call; sections only the older one had come last. */
export function compared(before: SectionReport[], now: SectionReport[]): ComparedSection[] {
  const names = [...new Set([...now, ...before].map((section) => section.name))];
  return names.map((name) => {
    const old = before.find((section) => section.name === name);
    const fresh = now.find((section) => section.name === name);
    const diff = diffLines(old?.text ?? '', fresh?.text ?? '');
    return { name, diff, ...counts(diff), fateBefore: old?.fate, fateNow: fresh?.fate };
  });
}
