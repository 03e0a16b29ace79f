import { expect, it } from 'vitest';
import { fallen, loudness } from './level';

const tone = (amplitude: number) => Float32Array.from({ length: 480 }, (_, at) => amplitude * Math.sin(at / 5));

it('silence is nothing, and so is nothing', () => {
  expect(loudness(new Float32Array(480))).toBe(0);
  expect(loudness(new Float32Array(0))).toBe(0);
});
it('louder is more, and full is full', () => {
  const steps = [0.001, 0.01, 0.05, 0.2].map((amplitude) => loudness(tone(amplitude)));
  expect(steps).toEqual([...steps].sort((left, right) => left - right));
  expect(new Set(steps).size).toBe(4);
  expect(loudness(tone(1))).toBe(1);
});
it('a meter rises at once and falls gently', () => {
  expect(fallen(0.2, 0.9)).toBe(0.9);
  expect(fallen(0.9, 0.1)).toBeCloseTo(0.78);
  expect(fallen(0.05, 0)).toBe(0);
});
