import { describe, expect, it } from 'vitest';
import { DAY_MS, dayStrip, legend } from './day_strip';
import { Gates } from './gates';
import { gates, receipt } from './sample';

const KNOWN = new Gates(gates);

const MINUTE = 60_000;
const NOW = 100 * DAY_MS + 6 * MINUTE;

describe('the strip of a day', () => {
  it('has a cell for every few minutes of 24 hours, on the clock, up to now', () => {
    const cells = dayStrip([], KNOWN, NOW, 10);
    expect(cells).toHaveLength(144);
    expect(cells.at(-1)).toMatchObject({ from: 100 * DAY_MS, until: 100 * DAY_MS + 10 * MINUTE, ticks: 0, gate: null, run: null });
    expect(cells.every((cell) => cell.from % (10 * MINUTE) === 0)).toBe(true);
  });
  it('does not crawl within a cell', () => expect(dayStrip([], KNOWN, NOW, 10)[0]).toEqual(dayStrip([], KNOWN, NOW + 2 * MINUTE, 10)[0]));
  it('spreads ticks that were counted together over the time they took', () => {
    const cells = dayStrip([receipt({ firstAt: NOW - 35 * MINUTE, lastAt: NOW - 6 * MINUTE, ticks: 30 })], KNOWN, NOW, 10);
    expect(cells.slice(-5).map((cell) => cell.ticks)).toEqual([0, 9, 10, 10, 1]);
    expect(cells.slice(-4).every((cell) => cell.gate === 'gap')).toBe(true);
  });
  it('takes the colour of the gate that was shut most often', () => {
    const at = (minutes: number, gate: string) => receipt({ firstAt: NOW - minutes * MINUTE, lastAt: NOW - minutes * MINUTE, gate });
    const cell = dayStrip([at(1, 'eagerness'), at(2, 'eagerness'), at(3, 'attention_active')], KNOWN, NOW, 10).at(-1)!;
    expect(cell.gate).toBe('chance');
    expect(cell.parts).toEqual([{ label: 'Chance', ticks: 2 }, { label: 'In a conversation', ticks: 1 }]);
  });
  it('shows of several runs the one most worth noticing', () => {
    const at = (minutes: number, action: 'drop' | 'post_now' | 'hold') => receipt({ ran: true, gate: null, firstAt: NOW - minutes * MINUTE, lastAt: NOW - minutes * MINUTE, action });
    expect(dayStrip([at(1, 'drop'), at(2, 'post_now'), at(3, 'hold')], KNOWN, NOW, 10).at(-1)).toMatchObject({ run: 'posted', gate: null, ticks: 3 });
  });
  it('leaves out what is older than a day, and takes what reaches into it', () => {
    const cells = dayStrip([receipt({ firstAt: NOW - DAY_MS - 60 * MINUTE, lastAt: NOW - DAY_MS + 60 * MINUTE, ticks: 121 }), receipt({ firstAt: 0, lastAt: 0 })], KNOWN, NOW, 10);
    const ticks = cells.reduce((sum, cell) => sum + cell.ticks, 0);
    expect(ticks).toBeGreaterThan(50);
    expect(ticks).toBeLessThan(65);
  });
  it('is bounded, however many ticks a receipt claims', () => expect(dayStrip([receipt({ firstAt: NOW - DAY_MS + 1, lastAt: NOW, ticks: 1e9 })], KNOWN, NOW, 10).reduce((sum, cell) => sum + cell.ticks, 0)).toBeLessThanOrEqual(1_440));
});

it('the legend counts what is in the strip: runs first, then gates by their ticks', () => {
  const receipts = [receipt({ ran: true, gate: null, action: 'hold', firstAt: NOW, lastAt: NOW }), receipt({ gate: 'daily_cap', ticks: 2, firstAt: NOW - MINUTE, lastAt: NOW }), receipt({ gate: 'gap', ticks: 5, firstAt: NOW - 4 * MINUTE, lastAt: NOW }), receipt({ gate: 'no_channels', firstAt: 0, lastAt: 0 })];
  expect(legend(receipts, KNOWN, NOW)).toEqual({
    runs: [{ kind: 'held', label: 'held', ticks: 1 }],
    gates: [{ kind: 'gap', label: 'Time between thoughts', ticks: 5 }, { kind: 'posts', label: 'Posts of the day', ticks: 2 }],
  });
});
