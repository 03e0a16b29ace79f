import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TYPING_PAUSE_MS, TypingSignal } from './typing_signal';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells at most every three seconds, and once when the typing pauses', () => {
  const told: boolean[] = [];
  const signal = new TypingSignal((on) => told.push(on));
  for (let key = 0; key < 50; key++) {
    signal.typed();
    vi.advanceTimersByTime(100);
  }
  expect(told).toEqual([true, true]);
  vi.advanceTimersByTime(TYPING_PAUSE_MS);
  expect(told).toEqual([true, true, false]);
});
it('says stop once, and nothing when nothing was typed', () => {
  const told: boolean[] = [];
  const signal = new TypingSignal((on) => told.push(on));
  signal.stop();
  signal.typed();
  signal.stop();
  signal.stop();
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([true, false]);
});
