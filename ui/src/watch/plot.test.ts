import { describe, expect, it } from 'vitest';
import { area, clamped, LOG_BOTTOM, path, rounded, scoreAt, scoreTicks, steps, thinned, timeAt, timeTicks, top, xOf, yOf, type Frame } from './plot';
import { sample } from './sample';

const FRAME: Frame = { width: 600, height: 200, from: 0, until: 60_000, scale: 'linear', top: 0.2 };
const LOG: Frame = { ...FRAME, scale: 'log', top: 1 };

describe('places', () => {
  it('go from left to right and from the bottom up', () => {
    expect([xOf(0, FRAME), xOf(30_000, FRAME), xOf(60_000, FRAME)]).toEqual([0, 300, 600]);
    expect([yOf(0, FRAME), yOf(0.1, FRAME), yOf(0.2, FRAME)]).toEqual([200, 100, 0]);
    expect(timeAt(300, FRAME)).toBe(30_000);
  });
  it('beyond the field are at its edge', () => {
    expect(yOf(5, FRAME)).toBe(0);
    expect(yOf(0, LOG)).toBe(200);
    expect(scoreAt(-50, FRAME)).toBe(0.2);
  });
  it('on the fine scale give small scores as much room as large ones', () => {
    const [low, middle, high] = [0.001, 0.01, 0.1].map((value) => yOf(value, LOG));
    expect(low! - middle!).toBeCloseTo(middle! - high!, 5);
    expect(yOf(LOG_BOTTOM / 10, LOG)).toBe(200);
  });
  it('can be turned back into scores', () => {
    for (const frame of [FRAME, LOG]) for (const score of [0.001, 0.0123, 0.15]) expect(scoreAt(yOf(score, frame), frame)).toBeCloseTo(score, 6);
  });
});

it('a dragged line stands at two figures, within its limits', () => {
  expect([0.012345, 0.0056789, 0.4321, 0.99999, 0.00051].map(rounded)).toEqual([0.012, 0.0057, 0.43, 1, 0.00051]);
  expect(rounded(0)).toBe(0);
  expect(clamped(3, { min: 0.005, max: 1 })).toBe(1);
  expect(clamped(0.001, { min: 0.005, max: 1 })).toBe(0.005);
});

describe('the field', () => {
  it('holds everything under a round number', () => {
    expect(top([sample(0, 0.11)], [0.01], 'linear')).toBe(0.2);
    expect(top([], [0.01, 0.005], 'linear')).toBe(0.03);
    expect(top([sample(0, 0.96)], [], 'linear')).toBe(1);
    expect(top([sample(0, 0.011)], [0.01], 'log')).toBe(0.1);
    expect(top([sample(0, 0.3)], [0.01], 'log')).toBe(1);
  });
  it('has a handful of ticks', () => {
    expect(scoreTicks({ ...LOG, top: 0.1 })).toEqual([0.0005, 0.001, 0.003, 0.01, 0.03, 0.1]);
    for (const minutes of [2, 5, 10]) {
      const ticks = timeTicks({ ...FRAME, from: 1_234, until: 1_234 + minutes * 60_000 });
      expect(ticks.length).toBeGreaterThanOrEqual(4);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every((tick) => tick % 30_000 === 0)).toBe(true);
    }
  });
});

describe('lines', () => {
  it('keep every spike when there are more samples than pixels', () => {
    const many = Array.from({ length: 6_000 }, (_, index) => sample(index * 10, index === 2_345 ? 0.19 : 0.001));
    const drawn = thinned(many, FRAME);
    expect(drawn.length).toBeLessThanOrEqual(601);
    expect(Math.max(...drawn.map(({ score }) => score))).toBe(0.19);
  });
  it('are broken where nothing came for a while', () => {
    const samples = [sample(0, 0.1), sample(1_000, 0.1), sample(40_000, 0.2)];
    expect(path(samples, ({ score }) => score, FRAME)).toBe('M0 100L10 100M400 0');
    expect(area(samples, ({ score }) => score, FRAME)).toBe('M0 200L0 100L10 100L10 200ZM400 200L400 0L400 200Z');
  });
  it('that follow the screen are steps', () => {
    const lines = [{ at: 0, change: 0.1, staticFloor: 0 }, { at: 6_000, change: 0.2, staticFloor: 0 }, { at: 40_000, change: 0.05, staticFloor: 0 }];
    expect(steps(lines, ({ change }) => change, FRAME)).toBe('M0 100H60V0M400 150');
  });
  it('through nothing are nothing', () => expect(path([], ({ score }) => score, FRAME)).toBe(''));
});
