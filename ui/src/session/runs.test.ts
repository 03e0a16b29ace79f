import { describe, expect, it } from 'vitest';
import { comparedRuns, sentences, summaryDiff } from './runs';
import { run } from './sample';

const befores = (...pairs: Parameters<typeof comparedRuns>) => comparedRuns(...pairs).map(({ run, before }) => [run.newCursor, before]);

describe('finished folds', () => {
  it('are shown newest first, each compared with the one before', () => {
    expect(befores([run(0, 10), run(10, 20), run(20, 30)], [], 0)).toEqual([[30, 'up to 20'], [20, 'up to 10'], [10, '']]);
  });
  it('are not compared with what is no longer known', () => expect(befores([run(20, 30)], [], 0)).toEqual([[30, null]]));
  it('begin anew with a session', () => {
    expect(befores([run(0, 10), run(75, 85)], [50], 75)).toEqual([[85, ''], [10, '']]);
    expect(befores([run(65, 75), run(75, 85)], [80], 75)).toEqual([[85, ''], [75, null]]);
  });
  it('of notes alone count too, even before the first turns', () => {
    expect(befores([run(0, 0, { at: 1, summary: 'notes' }), run(0, 10)], [], 0)).toEqual([[10, 'notes'], [0, '']]);
  });
});

describe('the change of a summary', () => {
  it('is told sentence by sentence', () => {
    expect(summaryDiff('Tea is at four. Bob brings milk.', 'Tea is at five. Bob brings milk. Ada comes.').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'removed Tea is at four.', 'added Tea is at five.', 'same Bob brings milk.', 'added Ada comes.',
    ]);
  });
  it('leaves numbers and quotations whole', () => expect(sentences('It costs 1.50 euros. “Too much.” Bob left.')).toBe('It costs 1.50 euros.\n“Too much.”\nBob left.'));
});
