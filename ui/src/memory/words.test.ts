import { describe, expect, it } from 'vitest';
import type { ExtractionTrigger } from '../api/contract';
import { gem, run } from './sample';
import { date, holds, instant, isBatch, keptBackWords, maker, outcome, reason, rejections, removal, runState, runTone, said, titleOf, waitingWords } from './words';

describe('why gems were made just then', () => {
  it.each<[ExtractionTrigger, number, string]>([
    ['turn_end', 5, '5 turns were complete'],
    ['turn_end', 1, '1 turn was complete'],
    ['idle', 2, 'quiet for 15 minutes'],
    ['context', 9, 'the context was half full'],
    ['session_end', 3, 'the session ended'],
    ['new', 3, 'somebody wrote /new'],
    ['reset', 3, 'somebody wrote /reset'],
  ])('%s is told in words', (name, turns, wanted) => expect(reason(run({ reason: name, turns }), { idleMinutes: 15, contextThreshold: 0.5 })).toBe(wanted));
  it('follows the settings where they say otherwise', () => {
    expect(reason(run({ reason: 'idle' }), { idleMinutes: 1 })).toBe('quiet for 1 minute');
    expect(reason(run({ reason: 'context' }), { contextThreshold: 0.8 })).toBe('the context was 80\u00a0% full');
    expect(reason(run({ reason: 'idle' }))).toBe('quiet for a while');
  });
  it('is told by its name when it is not known', () => expect(reason(run({ reason: 'moon_phase' as ExtractionTrigger }))).toBe('moon phase'));
  it('counts turns by itself only for a full batch', () => expect([isBatch(run()), isBatch(run({ reason: 'idle' }))]).toEqual([true, false]));
});

describe('what came of it', () => {
  it('is counted, and nothing is none', () => {
    expect(outcome(run({ added: 2, superseded: 1 }))).toBe('2 added, 1 superseded');
    expect(outcome(run({ strengthened: 1, alreadyThere: 3 }))).toBe('1 strengthened, 3 already there');
    expect(outcome(run())).toBe('none');
  });
  it('names what was turned down, without what was not', () => {
    expect(rejections([{ reason: 'not_grounded', count: 2 }, { reason: 'odd_thing', count: 1 }, { reason: 'too_many', count: 0 }])).toBe('2 × nobody said it, 1 × odd thing');
  });
  it.each([['stored', 'good'], ['under_way', 'busy'], ['storing', 'busy'], ['failed', 'bad'], ['dropped', 'quiet'], ['some_other', 'quiet']])('%s looks %s', (state, tone) => expect(runTone(state)).toBe(tone));
  it('has states in words', () => expect([runState('under_way'), runState('some_other')]).toEqual(['at it', 'some other']));
});

describe('a gem in words', () => {
  it('holds until something says it does not', () => {
    expect([holds(gem('a')), holds(gem('a', { superseded_by: 'b' })), holds(gem('a', { valid_until: '2026-03-01T00:00:00Z' }))]).toEqual([true, false, false]);
  });
  it('says how often it was said only where that says something', () => expect([said(1), said(2), said(3)]).toEqual(['', 'said twice', 'said 3 times']));
  it('is called by what it says where it has no summary', () => expect(titleOf(gem('a', { summary: ' ' }))).toBe('What a says.'));
  it('takes times in either spelling', () => expect(instant('2026-02-23T15:26:00Z')).toBe(instant(Date.UTC(2026, 1, 23, 15, 26))));
  it('names the year only where it is another', () => {
    const now = Date.UTC(2026, 6, 1);
    expect(date('2026-02-23T15:26:00Z', now)).not.toContain('2026');
    expect(date('2024-02-23T15:26:00Z', now)).toContain('2024');
    expect(date('soon', now)).toBe('soon');
  });
  it('names its maker', () => expect([maker('operator').name, maker('openai gpt-5-mini').name, maker('').name]).toEqual(['added by hand', 'gpt-5-mini (openai)', '']));
});

describe('what is removed and what waits', () => {
  it('is told with everything that goes', () => {
    expect(removal({ gems: ['a'], turns: ['x', 'y'] })).toBe('Removed for good: 1 gem and 2 turns, with their vectors, words and messages.');
    expect(removal({ gems: [], turns: [] })).toBe('There was nothing to remove.');
  });
  it('waits in words', () => {
    expect(waitingWords({ waiting: 1, held: 2, keptBack: 0 })).toBe('1 turn waits for gems to be made, 2 are being read');
    expect(waitingWords({ waiting: 0, held: 0, keptBack: 0 })).toBe('');
  });
  it('says of turns kept back why, and that nothing is lost', () => {
    const sentence = keptBackWords(12, 'Redis at redis://127.0.0.1:6379');
    expect(sentence).toContain('12 turns are kept back');
    expect(sentence).toContain('Redis at redis://127.0.0.1:6379 cannot be reached');
    expect(sentence).toContain('Nothing is lost');
  });
});
