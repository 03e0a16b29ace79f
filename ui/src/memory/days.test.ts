import { describe, expect, it } from 'vitest';
import { byDay, chains } from './days';
import { gem, turn } from './sample';

const NOON = new Date(2026, 4, 20, 12).getTime();
const HOUR = 3_600_000;

describe('a timeline', () => {
  it('is grouped by day, in the order it came', () => {
    const items = [0, 1, 25, 26].map((hours) => ({ at: NOON - hours * HOUR, turn: turn(`t${hours}`) }));
    expect(byDay(items, NOON).map((day) => [day.label, day.items.length])).toEqual([['Today', 2], ['Yesterday', 2]]);
  });
});

describe('chains of what replaced what', () => {
  it('reach back as far as they are known, nearest first', () => {
    const [first, second, third] = [gem('1', { superseded_by: '2' }), gem('2', { superseded_by: '3' }), gem('3')];
    expect(chains([third, second, first]).get('3')?.map((older) => older.gem_id)).toEqual(['2', '1']);
    expect(chains([third, second, first]).get('2')?.map((older) => older.gem_id)).toEqual(['1']);
  });
  it('are not caught in a circle', () => {
    const circle = [gem('1', { superseded_by: '2' }), gem('2', { superseded_by: '1' }), gem('3', { superseded_by: '3' })];
    expect(chains(circle).get('1')?.map((older) => older.gem_id)).toEqual(['2']);
    expect(chains(circle).has('3')).toBe(false);
  });
});
