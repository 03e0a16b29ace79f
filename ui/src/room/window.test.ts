import { describe, expect, it } from 'vitest';
import { around, drawn, DRAWN_MAX, hasOlder, held, newer, newest, NEWEST, older, reachesEnd, type Stretch } from './window';

const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => ({ seq: (from + index) * 3 }));
const shape = (messages: { seq: number }[], stretch: Stretch) => {
  const shown = drawn(messages, stretch);
  return [shown.length, shown[0]?.seq, shown.at(-1)?.seq];
};

describe('what is drawn of a room', () => {
  const room = many(1_000);
  it('is the newest, and stays so few however many come', () => {
    expect(shape(room, newest(room))).toEqual([NEWEST, 3 * (1_000 - NEWEST + 1), 3_000]);
    expect(shape(many(3), newest(many(3)))).toEqual([3, 3, 9]);
    expect(shape([], newest([]))).toEqual([0, undefined, undefined]);
  });
  it('does not grow by what comes while one reads further up', () => {
    const reading = held(newest(room), room);
    const later = many(1_500);
    expect(shape(later, reading)).toEqual([NEWEST, 3 * (1_000 - NEWEST + 1), 3_000]);
    expect(reachesEnd(reading, later)).toBe(false);
    // Down again, step by step, to the newest and what follows it.
    let stretch = reading;
    for (let step = 0; step < 40 && !reachesEnd(stretch, later); step++) stretch = newer(later, stretch);
    expect(reachesEnd(stretch, many(1_600))).toBe(true);
  });
  it('never is more than so many, and never leaves a gap, wherever one goes', () => {
    let seed = 3;
    const roll = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let stretch = newest(room);
    for (let step = 0; step < 500; step++) {
      const before = drawn(room, stretch);
      stretch = roll(2) ? older(room, stretch) : newer(room, stretch);
      const shown = drawn(room, stretch);
      expect(shown.length).toBeLessThanOrEqual(DRAWN_MAX);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.some((message) => before.includes(message))).toBe(true);
      expect(shown.every((message, index) => index === 0 || message.seq - shown[index - 1]!.seq === 3)).toBe(true);
    }
  });
  it('reaches the first message, and says so', () => {
    let stretch = newest(room);
    while (hasOlder(room, stretch)) stretch = older(room, stretch);
    expect(shape(room, stretch)).toEqual([DRAWN_MAX, 3, 3 * DRAWN_MAX]);
  });
  it('keeps its place when older ones are loaded', () => {
    const stretch = { ...held(newest(room), room), from: room[0]!.seq };
    expect(hasOlder([...many(50, -60), ...room], stretch)).toBe(true);
  });
  it('has what was looked for in its middle', () => {
    const shown = drawn(room, around(room, 400));
    expect([shown.length, shown.indexOf(room[400]!)]).toEqual([NEWEST, NEWEST / 2]);
    expect(reachesEnd(around(room, 990), room)).toBe(true);
  });
  it('includes one that does not know its place yet', () => {
    const placeless = [...many(3), {} as { seq: number }];
    expect(drawn(placeless, newest(placeless))).toHaveLength(4);
    expect(reachesEnd(newest(placeless), placeless)).toBe(true);
  });
});
