// A screen as 64 by 36 brightnesses, and how much two of them differ: enough to see that something changed. Pure.
export const GRID_WIDTH = 64;
export const GRID_HEIGHT = 36;
/** Differences below this are a blinking cursor or nothing at all. */
export const UNCHANGED_BELOW = 0.0006;

export type Grid = Uint8Array;

/** The brightness of every point of a picture of 64 by 36, from its red, green, blue and alpha. */
export function lumaGrid(rgba: ArrayLike<number>): Grid {
  const grid = new Uint8Array(GRID_WIDTH * GRID_HEIGHT);
  for (let point = 0; point < grid.length; point++) {
    const at = point * 4;
    grid[point] = (77 * rgba[at]! + 150 * rgba[at + 1]! + 29 * rgba[at + 2]! + 128) >> 8;
  }
  return grid;
}

/** Mean difference, from 0 (the same) to 1; 1 where there is nothing to compare with. */
export function difference(before: Grid | null, now: Grid): number {
  if (!before || before.length !== now.length) return 1;
  let sum = 0;
  for (let point = 0; point < now.length; point++) sum += Math.abs(now[point]! - before[point]!);
  return sum / now.length / 255;
}
