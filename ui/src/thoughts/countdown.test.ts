import { describe, expect, it } from 'vitest';
import { ago, clockOffset, countdown, left, progress } from './countdown';

describe('a countdown', () => {
  it.each([[-5, 'now'], [0, 'now'], [1, '1 s'], [42_000, '42 s'], [59_001, '1 min'], [65_000, '1 min 05 s'], [3_600_000, '1 h'], [12_000_000, '3 h 20 min'], [12_000_001, '3 h 21 min'], [86_400_000, '1 d'], [187_200_000, '2 d 4 h']])('of %i ms reads %s', (span, wanted) => expect(countdown(span)).toBe(wanted));
  it('counts on from when it was read, stops at zero, and none stays none', () => expect([left(5_000, 2_000), left(5_000, 9_000), left(null, 1)]).toEqual([3_000, 0, null]));
});

it.each([[0, 'just now'], [30_000, '30 s ago'], [2_280_000, '38 min ago'], [3_700_000, '1 h ago'], [90_000_000, '1 d ago'], [-4_000, 'just now']])('%i ms before is %s', (span, wanted) => expect(ago(span)).toBe(wanted));

it('a bar goes from the beginning to the end and no further', () => expect([progress(100, 200, 50), progress(100, 200, 150), progress(100, 200, 900), progress(100, 100, 0)]).toEqual([0, 0.5, 1, 1]));

it('another clock counts only where it is really another', () => {
  expect(clockOffset(null, 10_000)).toBe(0);
  // The date of an answer has no fractions: up to a second is nothing.
  expect(clockOffset(10_000, 10_900)).toBe(0);
  expect(clockOffset(70_000, 10_000)).toBe(60_500);
});
