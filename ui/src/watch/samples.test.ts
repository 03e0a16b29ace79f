import { describe, expect, it } from 'vitest';
import { sample } from './sample';
import { clockOffset, joined, KEPT_MS, nearest } from './samples';

const at = (samples: { at: number }[]) => samples.map((each) => each.at);

describe('the points of the plot', () => {
  it('are in order, each once, however they come', () => {
    const known = [sample(1_000, 0.1), sample(2_000, 0.2)];
    expect(at(joined(known, [sample(3_000, 0.3)]))).toEqual([1_000, 2_000, 3_000]);
    expect(at(joined(known, [sample(2_000, 0.2)]))).toEqual([1_000, 2_000]);
    expect(at(joined(known, [sample(500, 0), sample(1_500, 0), sample(2_000, 0.2)]))).toEqual([500, 1_000, 1_500, 2_000]);
  });
  it('older than ten minutes are let go', () => {
    const known = [sample(0, 0), sample(KEPT_MS - 1, 0), sample(KEPT_MS, 0)];
    expect(at(joined(known, [sample(KEPT_MS + 5, 0)]))).toEqual([KEPT_MS - 1, KEPT_MS, KEPT_MS + 5]);
  });
  it('of a Denizen that started again are not taken for old ones', () => {
    expect(joined([sample(1_000, 0, { frame: 1 })], [sample(9_000, 0.2, { frame: 1 })]).length).toBe(2);
  });
  it('are bounded whatever is sent', () => {
    const many = Array.from({ length: 9_000 }, (_, index) => sample(index, 0));
    expect(joined([], many).length).toBe(6_000);
  });
  it('nothing is nothing', () => expect(joined([], [])).toEqual([]));
});

it('the nearest point is found on either side', () => {
  const known = [sample(1_000, 0), sample(2_000, 0), sample(5_000, 0)];
  expect(nearest(known, 3_000)?.at).toBe(2_000);
  expect(nearest(known, 3_600)?.at).toBe(5_000);
  expect(nearest([], 1)).toBeNull();
});

it('the other clock is told from the quickest event, and followed when it is set', () => {
  let offset = clockOffset(null, 10_000, 5_300);
  expect(offset).toBe(4_700);
  offset = clockOffset(offset, 11_000, 6_020);
  expect(offset).toBe(4_980);
  expect(clockOffset(offset, 12_000, 8_000)).toBe(4_975);
});
