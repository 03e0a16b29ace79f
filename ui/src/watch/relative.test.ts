import { describe, expect, it } from 'vitest';
import type { Sample } from '../api/watch_contract';
import judged from './judged.json';
import { judgeAbsolute, Relative } from './relative';
import { sample } from './sample';

type Row = [at: number, score: number, ema: number, cut: boolean, region: string | null, absolute: string, relative: string, change: number, floor: number];

const LINES = { change: 0.01, staticFloor: 0.005 };
const rows = judged as unknown as Row[];
const seen = ([at, score, ema, sceneCut, region]: Row): Sample => sample(at, score, { ema, sceneCut, ...(region ? { region } : {}) });

describe('judged as the mind judges, frame by frame', () => {
  it('there is something to compare, of every kind', () => {
    expect(rows.length).toBeGreaterThan(500);
    expect(new Set(rows.map((row) => `${row[5]} ${row[6]}`)).size).toBeGreaterThanOrEqual(8);
  });
  it('by fixed lines', () => {
    expect(rows.map((row) => judgeAbsolute(seen(row), LINES))).toEqual(rows.map((row) => row[5]));
  });
  it('by what is usual on the screen, with the lines that hold after each', () => {
    const relative = new Relative(LINES);
    for (const [index, row] of rows.entries()) {
      const judged = relative.judge(seen(row));
      expect(`${index} at ${row[0]}: ${judged}`).toBe(`${index} at ${row[0]}: ${row[6]}`);
      const lines = relative.lines();
      expect(lines.change).toBeCloseTo(row[7], 10);
      expect(lines.staticFloor).toBeCloseTo(row[8], 10);
    }
  });
});
