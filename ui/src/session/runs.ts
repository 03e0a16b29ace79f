// Finished folds, each beside the summary it started from.
import type { FinishedRun } from '../api/contract';
import { diffLines, type DiffLine } from '../inspector/diff';

export interface ComparedRun {
  run: FinishedRun;
  /** The summary before it; empty for the first of a session, null where it is no longer known. */
  before: string | null;
}

/** Newest first. `sessionEnds`: when sessions ended, in any order. */
export function comparedRuns(finished: FinishedRun[], sessionEnds: number[], start: number): ComparedRun[] {
  const pairs = finished.map((run, index) => {
    const earlier = finished[index - 1];
    if (!earlier) return { run, before: run.oldCursor === 0 || run.oldCursor === start ? '' : null };
    const anew = sessionEnds.some((end) => end >= earlier.at && end <= run.at);
    return { run, before: anew ? '' : earlier.summary };
  });
  return pairs.reverse();
}

/** How one summary became the next, sentence by sentence: a summary is one paragraph, so lines would say nothing. */
export function summaryDiff(before: string, after: string): DiffLine[] {
  return diffLines(sentences(before), sentences(after));
}

/** One sentence a line. */
export function sentences(text: string): string {
  return text.trim().replace(/([.!?…]+["”’')\]]*)\s+/g, '$1\n');
}
