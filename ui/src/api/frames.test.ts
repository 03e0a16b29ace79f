import { describe, expect, it } from 'vitest';
import { FrameQueue } from './frames';

describe('what comes between two frames', () => {
  const frames: (() => void)[] = [];
  const taken: number[][] = [];
  const queue = new FrameQueue<number>((items) => taken.push(items), (run) => frames.push(run));
  it('is dealt with once, in order, however much it is', () => {
    for (let item = 0; item < 500; item++) queue.push(item);
    expect([frames.length, taken.length]).toEqual([1, 0]);
    frames.shift()!();
    expect(taken).toEqual([Array.from({ length: 500 }, (_, index) => index)]);
  });
  it('is dealt with at once where that is asked for, and the frame then finds nothing', () => {
    queue.push(1);
    queue.flush();
    frames.shift()!();
    expect(taken.slice(1)).toEqual([[1]]);
    queue.push(2);
    frames.shift()!();
    expect(taken.slice(2)).toEqual([[2]]);
  });
});
