import { describe, expect, it } from 'vitest';
import { afterReconnect, afterRefused, afterSent, afterState, afterStill, afterTaken, cornered, interval, newPace, plan, QUIET_MS, rate, size, weigh, withLimits, type Pace } from './pace';
import { ladder, predicted, type Limits } from './sizes';

const LIMITS: Limits = { maxWidthPx: 960, jpegQuality: 0.6, maxFrameBytes: 350_000, maxFramesPerMinute: 180, keyframeIntervalMs: 1_200 };
const QUIET = 0.0001;
const BUSY = 0.05;

/** Runs a share for a while as the page does, four ticks a second; says when frames and signs were sent. */
function run(start: Pace, { ms, answerMs = 60, bytes = 40_000, changes = () => true, ema = () => BUSY }: { ms: number; answerMs?: number; bytes?: number; changes?: (now: number) => boolean; ema?: (now: number) => number }) {
  let pace = start;
  let answerAt: number | null = null;
  const frames: number[] = [];
  const stills: number[] = [];
  for (let now = 0; now < ms; now += 250) {
    if (answerAt !== null && answerAt <= now) {
      pace = afterTaken(pace, answerAt, ema(now));
      answerAt = null;
    }
    const next = plan(pace, now, 0);
    if (next.do === 'still') {
      stills.push(now);
      pace = afterStill(pace, now);
    } else if (next.do === 'look' && (next.always || changes(now))) {
      frames.push(now);
      pace = afterSent(pace, now, bytes);
      answerAt = now + answerMs;
    }
  }
  return { pace, frames, stills };
}

describe('how often', () => {
  it('is about twice a second while things move', () => {
    const { frames } = run(newPace(LIMITS, true), { ms: 30_000 });
    expect(frames.length).toBe(60);
  });
  it('is every five seconds once nothing changes', () => {
    const { frames } = run(newPace(LIMITS, true), { ms: 31_000, changes: () => false, ema: () => QUIET });
    expect(frames).toEqual([0, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000]);
  });
  it('sends a screen that comes to rest at the keyframe interval until the other side’s smoothed score has come down', () => {
    const settledAt = 7_000;
    for (const [keyframeIntervalMs, sent] of [[500, 14], [1_200, 6], [2_000, 4]] as const) {
      const { frames } = run(newPace({ ...LIMITS, keyframeIntervalMs }, true), { ms: 20_000, changes: () => false, ema: (now) => (now < settledAt ? BUSY : QUIET) });
      expect(frames.filter((at) => at < settledAt).length).toBe(sent);
      expect(frames.filter((at) => at > settledAt + 2_100).length).toBeLessThanOrEqual(3);
    }
  });
  it('begins again at once when something changes', () => {
    const { frames } = run(newPace(LIMITS, true), { ms: 9_000, changes: (now) => now >= 6_250 && now < 6_500, ema: () => QUIET });
    expect(frames).toContain(6_250);
  });
  it('never goes beyond what a minute may hold, in any minute', () => {
    for (const maxFramesPerMinute of [6, 20, 100, 180]) {
      const { frames } = run(newPace({ ...LIMITS, maxFramesPerMinute }, true), { ms: 200_000 });
      for (const from of frames) expect(frames.filter((at) => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(maxFramesPerMinute);
      expect(frames.length).toBeGreaterThan(maxFramesPerMinute * 1.5 > 200 ? 200 : maxFramesPerMinute * 1.5);
    }
  });
  it('slows down where answers take long: not more than half of the time is spent waiting', () => {
    const { frames, pace } = run(newPace(LIMITS, true), { ms: 60_000, answerMs: 1_500 });
    expect(interval(pace)).toBeGreaterThan(2_500);
    expect(frames.length).toBeLessThan(25);
    expect(frames.length).toBeGreaterThan(12);
  });
  it('waits while one is in flight, and while the line is crowded', () => {
    const sent = afterSent(newPace(LIMITS, true), 0, 1_000);
    expect(plan(sent, 5_000, 0)).toEqual({ do: 'wait' });
    expect(plan(newPace(LIMITS, true), 0, 200_000)).toEqual({ do: 'wait' });
  });
  it('gives a line up that does not answer at all', () => {
    expect(plan(afterSent(newPace(LIMITS, true), 0, 1_000), 15_001, 0)).toEqual({ do: 'hang_up' });
  });
});

describe('refusals', () => {
  const refused = (reason: string, pace = newPace(LIMITS, true), now = 0) => afterRefused(afterSent(pace, now, 200_000), now, reason);

  it('for the rate make it wait twice as long each time, and half a minute at most', () => {
    let pace = newPace(LIMITS, true);
    const waits: number[] = [];
    for (let time = 0, round = 0; round < 6; round++, time += 100_000) {
      pace = refused('frame_rate_limited', pace, time);
      waits.push(pace.waitUntil - time);
      expect(plan(pace, time + 1_000, 0).do).toBe('wait');
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
  it('are forgotten with the first frame that is taken', () => {
    const again = refused('frame_rate_limited', afterTaken(afterSent(refused('frame_rate_limited'), 9_000, 1), 9_050, QUIET), 10_000);
    expect(again.waitUntil).toBe(12_000);
  });
  it('for the size make the picture smaller, and it is sent again although nothing changed', () => {
    const pace = refused('frame_too_large', afterTaken(afterSent(newPace(LIMITS, true), 0, 1), 10, QUIET), 1_000);
    expect(pace.step).toBeGreaterThan(0);
    expect(plan(pace, 2_000, 0)).toMatchObject({ do: 'look', always: true });
  });
  it('because another screen is watched send nothing but a sign of life every ten seconds', () => {
    for (const reason of ['watch_not_active', 'target_user_mismatch', 'stream_watch_disabled']) {
      const { frames, stills } = run(refused(reason), { ms: 45_000 });
      expect(frames).toEqual([]);
      expect(stills).toEqual([10_000, 20_000, 30_000, 40_000]);
    }
  });
  it('end when the screen is chosen again: a picture follows at once', () => {
    expect(plan(afterState(refused('target_user_mismatch'), true), 1_000, 0)).toMatchObject({ do: 'look', always: true });
  });
});

it('a screen that gives no picture sends signs of life instead', () => {
  expect(plan(newPace(LIMITS, true), 0, 0, true)).toEqual({ do: 'still' });
  expect(plan(afterStill(newPace(LIMITS, true), 0), 5_000, 0, true)).toEqual({ do: 'wait' });
});

describe('how large', () => {
  it('goes down in quality and width by turns, to half quality and 640 pixels, and only then further', () => {
    const steps = ladder(LIMITS);
    expect(steps[0]).toEqual({ width: 960, quality: 0.6 });
    expect(steps.slice(0, 5)).toEqual([{ width: 960, quality: 0.6 }, { width: 960, quality: 0.55 }, { width: 816, quality: 0.55 }, { width: 816, quality: 0.5 }, { width: 694, quality: 0.5 }]);
    expect(steps.slice(-3)).toEqual([{ width: 640, quality: 0.5 }, { width: 480, quality: 0.5 }, { width: 360, quality: 0.5 }]);
  });
  it('has room to go down from any limits, and never up', () => {
    for (const maxWidthPx of [640, 700, 1_920]) {
      for (const jpegQuality of [0.5, 0.52, 0.75]) {
        const steps = ladder({ ...LIMITS, maxWidthPx, jpegQuality });
        for (const [index, step] of steps.entries()) {
          if (index === 0) continue;
          expect(step.width).toBeLessThanOrEqual(steps[index - 1]!.width);
          expect(step.quality).toBeLessThanOrEqual(steps[index - 1]!.quality);
          expect(predicted(1, steps[index - 1]!, step)).toBeLessThan(1);
        }
        expect(steps.at(-1)).toEqual({ width: 360, quality: 0.5 });
      }
    }
  });
  it('follows the bytes: a picture far too large goes down several steps at once', () => {
    const { fits, pace } = weigh(newPace(LIMITS, true), 700_000);
    expect(fits).toBe(false);
    expect(predicted(700_000, { width: 960, quality: 0.6 }, size(pace))).toBeLessThanOrEqual(350_000);
    expect(weigh(newPace(LIMITS, true), 350_000).fits).toBe(true);
  });
  it('knows when nothing smaller is left', () => {
    let pace = newPace({ ...LIMITS, maxFrameBytes: 50_000 }, true);
    for (let times = 0; times < 20; times++) pace = weigh(pace, 60_000).pace;
    expect(cornered(pace, 60_000)).toBe(true);
    expect(size(pace).width).toBe(360);
  });
  it('goes down on a line that is slow again and again, and comes back when it is quick', () => {
    const slow = run(newPace(LIMITS, true), { ms: 60_000, answerMs: 2_500 }).pace;
    expect(slow.step).toBeGreaterThan(0);
    const { pace } = run({ ...slow, inFlightSince: null, answerMs: 0, frameAt: -Infinity, sent: [] }, { ms: 120_000, bytes: 30_000 });
    expect(pace.step).toBe(0);
  });
  it('does not grow back into a picture that would not fit', () => {
    const start = { ...newPace(LIMITS, true), step: 3 };
    expect(run(start, { ms: 60_000, bytes: 340_000 }).pace.step).toBe(3);
  });
  it('begins at the top again when the room changes what it takes', () => {
    const pace = withLimits({ ...newPace(LIMITS, true), step: 4 }, { ...LIMITS, maxWidthPx: 1_280 });
    expect(size(pace)).toEqual({ width: 1_280, quality: 0.6 });
  });
});

it('after the line broke, the screen is shown again at once, at the size that worked', () => {
  const before = afterSent({ ...newPace(LIMITS, true), step: 2, settled: true }, 0, 1);
  const pace = afterReconnect(before, { ...LIMITS }, true);
  expect(pace.step).toBe(2);
  expect(plan(pace, 1_000, 0)).toMatchObject({ do: 'look', always: true });
  expect(afterReconnect(before, { ...LIMITS, maxWidthPx: 640 }, true).step).toBe(0);
});

it('the rate a person reads is that of the last ten seconds', () => {
  const { pace } = run(newPace(LIMITS, true), { ms: 20_000 });
  expect(rate(pace, 20_000)).toBeCloseTo(2, 0);
  expect(rate(pace, 20_000 + QUIET_MS * 3)).toBe(0);
});
