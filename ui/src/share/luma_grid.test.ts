import { expect, it } from 'vitest';
import { difference, GRID_HEIGHT, GRID_WIDTH, lumaGrid, UNCHANGED_BELOW } from './luma_grid';

const POINTS = GRID_WIDTH * GRID_HEIGHT;
const plain = (red: number, green: number, blue: number) => lumaGrid(Array.from({ length: POINTS }, () => [red, green, blue, 255]).flat());

it('white is full, black is nothing, and green is brighter than blue', () => {
  expect(plain(255, 255, 255)[0]).toBe(255);
  expect(plain(0, 0, 0)[0]).toBe(0);
  expect(plain(0, 255, 0)[7]).toBeGreaterThan(plain(0, 0, 255)[7]!);
});
it('black to white is everything, the same is nothing, and nothing before is everything', () => {
  expect(difference(plain(0, 0, 0), plain(255, 255, 255))).toBe(1);
  expect(difference(plain(9, 9, 9), plain(9, 9, 9))).toBe(0);
  expect(difference(null, plain(9, 9, 9))).toBe(1);
});
it('a blinking cursor is below what counts as a change, a moved window is not', () => {
  const before = plain(255, 255, 255);
  const cursor = before.slice();
  cursor[100] = 180;
  expect(difference(before, cursor)).toBeLessThan(UNCHANGED_BELOW);
  const moved = before.slice();
  moved.fill(60, 0, 200);
  expect(difference(before, moved)).toBeGreaterThan(UNCHANGED_BELOW);
});
