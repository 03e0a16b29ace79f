import { describe, expect, it } from 'vitest';
import { receipt, revision, run, thought, view } from './sample';
import { cameTo, chance, doing, dollars, failed, fill, frees, headline, nextTick, opens, reckoning, roll, roughly, stepWords, when, whyNoTrial } from './words';

const active = { state: 'active' as const, endsIn: 5_000, room: 'lounge' };

describe('what it is doing', () => {
  it.each([
    ['waiting', view(), 'Iris is waiting.'],
    ['waiting', view({ attention: active }), 'Iris is in a conversation.'],
    ['holding', view({ thought: thought() }), 'Iris is holding a thought.'],
    ['thinking', view({ run: run({ stage: 'thinking', endedAt: null }) }), 'Iris is thinking.'],
    ['thinking', view({ thought: thought(), run: run({ stage: 'gathering', endedAt: null, revisits: true }) }), 'Iris is looking at its held thought again.'],
    ['posting', view({ run: run({ stage: 'posting', endedAt: null }) }), 'Iris is posting.'],
    ['trial', view({ trial: run({ stage: 'using_tools', endedAt: null }) }), 'Iris is thinking on trial: nothing will be posted.'],
    ['waiting', view({ trial: run() }), 'Iris is waiting.'],
    ['off', view({ enabled: false }), 'Thoughts of its own are switched off.'],
    ['no_channels', view({ channels: [] }), 'Iris has nowhere to post by itself.'],
  ] as const)('%s', (wanted, shown, words) => expect([doing(shown), headline(shown, 'Iris')]).toEqual([wanted, words]));
  it('counts down to the next tick, and says so when it is there', () => expect([nextTick(view(), 2_000), nextTick(view(), 60_000), nextTick(view({ nextTickIn: null }), 0)]).toEqual(['40 s', 'looking now', '']));
  it('says what stands against it when no gate does', () => {
    expect(chance(view())).toBe('Nothing stops it; a 20 % chance each minute that it looks for a thought.');
    expect(chance(view({ eagerness: 0 }))).toContain('never');
    expect(chance(view({ eagerness: 100 }))).toContain('at the next tick');
    expect(chance(view({ thought: thought() }))).toContain('looks at the held thought again');
  });
  it('says when a gate opens by itself, where that is known', () => {
    expect(opens(null, 0, 0)).toBe('');
    expect(opens(120_000, 60_000, 0)).toMatch(/^Opens by itself in 1 min, at .+\.$/);
    expect(opens(1_000, 60_000, 0)).toBe('Opens now.');
  });
});

it('nothing can be tried while something runs', () => {
  expect(whyNoTrial(view())).toBe('');
  expect(whyNoTrial(view({ trial: run() }))).toBe('');
  expect(whyNoTrial(view({ trial: run({ endedAt: null, stage: 'thinking' }) }))).toBe('A trial is under way.');
  expect(whyNoTrial(view({ run: run({ endedAt: null, stage: 'thinking' }) }))).toContain('by itself');
});

it('a step names its action in words', () => expect([stepWords({ at: 0, kind: 'decided', words: 'post_now: it fits', ask: 1 }), stepWords({ at: 0, kind: 'tool', words: 'hold on', ask: null })]).toEqual(['post it now: it fits', 'hold on']));
it('a run failed where it ended with a failure and without a decision', () => {
  const broken = { at: 0, kind: 'failed' as const, words: 'no answer', ask: 1 };
  expect([failed(run({ steps: [broken] })), failed(run({ steps: [broken], decision: revision(0, 'a') })), failed(run())]).toEqual([true, false, false]);
});

describe('a receipt', () => {
  it('says what was rolled and what was needed', () => expect([roll(receipt({ roll: 43, below: 20 })), roll(receipt({ roll: 0, below: 20 })), roll(receipt())]).toEqual(['rolled 43, needed below 20', 'rolled 0, needed below 20', '']));
  it('says what came of a run', () => expect([cameTo(receipt({ ran: true, action: 'post_now' })), cameTo(receipt({ ran: true, action: 'failed' })), cameTo(receipt({ ran: true })), cameTo(receipt())]).toEqual(['posted', 'failed', 'thinking', '']));
  it('of several ticks names the first and the last', () => {
    expect(when(receipt({ firstAt: 0, lastAt: 3_600_000, ticks: 60 }))).toContain(' – ');
    expect(when(receipt({ firstAt: 0, lastAt: 20_000, ticks: 2 }))).not.toContain(' – ');
  });
});

describe('an allowance', () => {
  const meter = (used: number, limit: number) => ({ used, limit, freesIn: 60_000 });
  it.each([[0, 10, 'none'], [3, 10, 'low'], [8, 10, 'high'], [10, 10, 'full'], [12, 10, 'full'], [0, 0, 'closed']] as const)('%i of %i is %s', (used, limit, wanted) => expect(fill(meter(used, limit))).toBe(wanted));
  it('says when some of it comes back, if any is used', () => {
    expect(frees(meter(1, 3), 0, 0)).toMatch(/^some comes back in 1 min, at /);
    expect(frees(meter(0, 3), 0, 0)).toBe('');
    expect(frees({ used: 1, limit: 3, freesIn: null }, 0, 0)).toBe('');
  });
  it('counts dollars in cents, and less only where there is less', () => expect([dollars(0), dollars(412_300), dollars(1_000_000), dollars(1_840)]).toEqual(['$0', '$0.41', '$1.00', '$0.0018']));
  it('is rough where it is only reckoned, and says how', () => {
    expect(roughly(2_924_100)).toBe('2.9M');
    expect(reckoning(null, null)).toContain('not known yet');
    expect(reckoning(4_180, 3_420)).toContain('3,420 tokens, $0.0042');
    expect(reckoning(null, 3_420)).toContain('what that costs is not known');
  });
});
