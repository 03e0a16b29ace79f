import { expect, test } from 'vitest';
import type { SpendingLine } from '../api/contract';
import { cacheWords, calls, callsWords, money, savedWords, usedPercent } from './words';

const line = (more: Partial<SpendingLine> = {}): SpendingLine => ({
  calls: 0, inputTokens: 0, cacheSavedMicroDollars: 0, cachedTokens: 0, outputTokens: 0, costMicroDollars: 0, unpricedCalls: 0, assumedCalls: 0, freeCalls: 0, freeTokens: 0,
  callsLimit: 10, tokensLimit: 1_000, costLimitMicroDollars: 1_000_000, ...more,
});

test('a price that nobody knows is not called nothing', () => {
  expect(money(line({ unpricedCalls: 2 }))).toBe('not known');
  expect(money(line({ unpricedCalls: 2, costMicroDollars: 500_000 }))).toContain('and more');
});

test('what is nearest to its end says how much is used', () => {
  expect(usedPercent(line({ calls: 5, inputTokens: 100 }))).toBe(50);
  expect(usedPercent(line({ calls: 1, inputTokens: 600, outputTokens: 100 }))).toBe(70);
  expect(usedPercent(line({ costMicroDollars: 9_000_000 }))).toBe(100);
  expect(usedPercent(line({ callsLimit: 0 }))).toBe(100);
});

test('what a gate saved is told in words', () => {
  expect(savedWords({ gate: 'not_admitted', times: 41 })).toBe('41 messages that it did not need to answer');
  expect(savedWords({ gate: 'gems_by_patterns', times: 1 })).toBe('1 batch read for memory without a model');
  expect(savedWords({ gate: 'summaries_without_model', times: 1 })).toBe('1 summary written without a model');
  expect(savedWords({ gate: 'frames_not_noted', times: 1 })).toBe('1 frame of a screen that needed no note');
});

test('free calls are calls too, and one is not several', () => {
  expect(callsWords(calls(line({ calls: 1, freeCalls: 3 })))).toBe('4 calls');
  expect(callsWords(calls(line({ freeCalls: 1 })))).toBe('1 call');
});

test('what providers kept has saved money, or cost more than it saved', () => {
  expect(cacheWords(12_300)).toBe('Saved by what providers had read before: $0.0123.');
  expect(cacheWords(-12_300)).toContain('$0.0123 more than it has saved');
});
