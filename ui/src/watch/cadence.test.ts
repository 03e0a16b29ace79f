import { describe, expect, it } from 'vitest';
import type { Sample } from '../api/watch_contract';
import { looks, tally, trail, type CadenceKnobs } from './cadence';
import { judgeAbsolute as judge } from './relative';
import { sample } from './sample';

const KNOBS: CadenceKnobs = { mode: 'absolute', change: 0.01, staticFloor: 0.005, noteIntervalSeconds: 10, noteIdleIntervalSeconds: 30, changeMinIntervalSeconds: 2 };
const MINUTE = 60_000;

/** Two frames a second for so long, with the score of each moment. */
function watched(ms: number, score: (at: number) => number, ema = score): Sample[] {
  return Array.from({ length: ms / 500 }, (_, index) => index * 500).map((at) => sample(at, score(at), { ema: ema(at) }));
}
const at = (made: { at: number }[]) => made.map((look) => look.at);

describe('what a sample means', () => {
  it('is by the score or the smoothed one, whichever is more', () => {
    expect(judge(sample(0, 0.01, { ema: 0 }), KNOBS)).toBe('significant');
    expect(judge(sample(0, 0, { ema: 0.01 }), KNOBS)).toBe('significant');
    expect(judge(sample(0, 0.004, { ema: 0.006 }), KNOBS)).toBe('moving');
    expect(judge(sample(0, 0.0049, { ema: 0.0049 }), KNOBS)).toBe('static');
  });
  it('is significant for a cut whatever the lines say', () => {
    expect(judge(sample(0, 0.5), { change: 1, staticFloor: 0.05 })).toBe('significant');
  });
});

describe('looks', () => {
  it('a moving screen is looked at every ten seconds, after the first picture', () => {
    const made = looks(watched(MINUTE, () => 0.007), KNOBS);
    expect(at(made)).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
    expect(made[0]!.trigger).toBe('first_frame');
    expect(made[1]!.trigger).toBe('interval');
  });
  it('a static one every thirty', () => {
    const made = looks(watched(MINUTE + 1_000, () => 0.001), KNOBS);
    expect(at(made)).toEqual([0, 30_000, 60_000]);
    expect(made[1]!.trigger).toBe('idle_interval');
  });
  it('one on which nothing at all changes is looked at once, and then left alone until something does', () => {
    expect(at(looks(watched(10 * MINUTE, () => 0), KNOBS))).toEqual([0]);
    const moved = watched(10 * MINUTE, (now) => (now === 5_000 ? 0.002 : 0));
    expect(at(looks(moved, KNOBS))).toEqual([0, 30_000, 60_000]);
  });
  it('a busy one as often as the cooldown allows', () => {
    expect(looks(watched(MINUTE, () => 0.02), KNOBS).length).toBe(30);
    expect(looks(watched(MINUTE, () => 0.02), { ...KNOBS, changeMinIntervalSeconds: 5 }).length).toBe(12);
  });
  it('a change within the cooldown is not lost: it is looked at as soon as that is over', () => {
    const made = looks(watched(20_000, (now) => (now === 1_000 ? 0.03 : 0.001)), KNOBS);
    expect(at(made)).toEqual([0, 2_000]);
    expect(made[1]!.trigger).toBe('change');
  });
  it('of two reasons the stronger is told', () => {
    const frames = [sample(0, 0), sample(500, 0.5), sample(1_000, 0.05), sample(2_500, 0.05)];
    expect(looks(frames, KNOBS)[1]).toEqual({ at: 2_000, trigger: 'scene_cut', frame: 1_000 });
  });
  it('time alone makes one due between two frames that are far apart', () => {
    const frames = [sample(0, 0), sample(5_000, 0.007), sample(25_000, 0.007)];
    expect(looks(frames, KNOBS)).toEqual([{ at: 0, trigger: 'first_frame', frame: 0 }, { at: 10_000, trigger: 'interval', frame: 5_000 }, { at: 25_000, trigger: 'interval', frame: 25_000 }]);
    expect(at(looks(frames, KNOBS, { until: 40_000 }))).toEqual([0, 10_000, 25_000]);
  });
  it('a model that takes its time is asked one thing at a time', () => {
    const made = looks(watched(MINUTE, () => 0.02), KNOBS, { takesMs: 6_000 });
    expect(made.length).toBe(10);
    expect(made[1]!.at).toBe(6_000);
  });
  it('the first picture of another watch is looked at too', () => {
    const frames = watched(20_000, () => 0);
    expect(at(looks(frames, KNOBS, { starts: [0, 9_800] }))).toEqual([0, 10_000]);
  });
  it('a higher threshold means fewer looks, and a lower one more', () => {
    const boss = watched(5 * MINUTE, (now) => 0.008 + 0.008 * Math.abs(Math.sin(now / 7_000)));
    const count = (change: number) => looks(boss, { ...KNOBS, change }).length;
    expect(count(0.005)).toBeGreaterThan(count(0.012));
    expect(count(0.012)).toBeGreaterThan(count(0.02));
    expect(count(0.02)).toBe(count(0.5));
  });
  it('nothing was seen, nothing is looked at', () => expect(looks([], KNOBS, { until: MINUTE })).toEqual([]));
  it('equals what one would expect of the old default: 0.15 never triggers on a boss fight', () => {
    const boss = watched(MINUTE, () => 0.016);
    expect(tally(looks(boss, { ...KNOBS, change: 0.15 })).changes).toBe(0);
    expect(tally(looks(boss, KNOBS)).changes).toBeGreaterThan(20);
  });
});

describe('in relative mode', () => {
  const RELATIVE: CadenceKnobs = { ...KNOBS, mode: 'relative' };
  /** A fight: busy all the time, more or less. */
  const fight = watched(3 * MINUTE, (now) => 0.03 + 0.008 * Math.sin(now / 900));

  it('what is usual is not looked at as often as by fixed lines', () => {
    expect(looks(fight, RELATIVE).length).toBeLessThan(looks(fight, KNOBS).length / 3);
  });
  it('a small change on a quiet screen is seen, which fixed lines pass over', () => {
    const quiet = watched(MINUTE, (now) => (now === 40_000 ? 0.006 : 0.0002));
    const seen = (knobs: CadenceKnobs) => looks(quiet, knobs).some(({ trigger, at }) => trigger === 'change' && at >= 40_000 && at < 45_000);
    expect(seen(RELATIVE)).toBe(true);
    expect(seen(KNOBS)).toBe(false);
  });
  it('the lines begin at the fixed ones, follow the screen, and begin anew with each watch', () => {
    const lines = trail(fight, RELATIVE, [0, 90_000]);
    expect(lines[0]).toMatchObject({ at: 0, change: 0.01, staticFloor: 0.005 });
    expect(lines.find(({ at }) => at === 80_000)!.change).toBeGreaterThan(0.03);
    expect(lines.find(({ at }) => at === 90_000)!.change).toBe(0.01);
  });
  it('fixed lines leave no trail', () => expect(trail(fight, KNOBS)).toEqual([]));
});

it('the tally tells what made it look', () => {
  const made = looks([sample(0, 0), sample(5_000, 0.5), sample(10_000, 0.02), sample(25_000, 0.006)], KNOBS);
  expect(tally(made)).toEqual({ all: 4, cuts: 2, changes: 1, clock: 1 });
});
