import { describe, expect, it } from 'vitest';
import type { AskSummary } from '../api/contract';
import { emptyFilter, filtered, fits, summed, withAsk } from './listing';

const ask = (number: number, more: Partial<AskSummary> = {}): AskSummary => ({ ask: number, costMicroDollars: null, inputTokens: 0, model: 'm', outputTokens: 0, provider: 'p', purpose: 'text_reply', room: 'lounge', startedAt: 0, state: 'answered', tookMs: 1, turn: 1, ...more });

describe('which calls are listed', () => {
  it.each([
    [{}, true],
    [{ purpose: 'text_reply' }, true],
    [{ purpose: 'gem_extraction' }, false],
    [{ room: 'kitchen' }, false],
    [{ state: 'failed' }, false],
  ])('%j: %s', (part, wanted) => expect(fits(ask(1), { ...emptyFilter(), ...part })).toBe(wanted));
  it('every way to fail is failed', () => {
    for (const state of ['timed_out', 'unreachable', 'refused']) expect(fits(ask(1, { state }), { ...emptyFilter(), state: 'failed' })).toBe(true);
    expect(fits(ask(1, { state: 'under_way' }), { ...emptyFilter(), state: 'failed' })).toBe(false);
  });
  it('knows whether anything is left out', () => {
    expect([filtered(emptyFilter()), filtered({ ...emptyFilter(), room: 'x' })]).toEqual([false, true]);
  });
  it('takes a call in its place, once, and lets go of one that fits no longer', () => {
    const list = [ask(9), ask(5)];
    expect(withAsk(list, ask(7), true).map((one) => one.ask)).toEqual([9, 7, 5]);
    expect(withAsk(list, ask(5, { state: 'timed_out' }), true).map((one) => one.state)).toEqual(['answered', 'timed_out']);
    expect(withAsk(list, ask(5), false).map((one) => one.ask)).toEqual([9]);
    expect(withAsk(list, ask(1), false)).toBe(list);
    expect(withAsk([], ask(1), true)).toHaveLength(1);
  });
});

describe('what they come to', () => {
  it('is added up over the purposes', () => {
    const one = { purpose: 'a', calls: 2, failed: 1, underWay: 0, inputTokens: 10, outputTokens: 3, costMicroDollars: 7, unpriced: 1 };
    expect(summed([one, { ...one, purpose: 'b' }])).toEqual({ calls: 4, failed: 2, underWay: 0, inputTokens: 20, outputTokens: 6, costMicroDollars: 14, unpriced: 2 });
    expect(summed([]).calls).toBe(0);
  });
});
