import { expect, test } from 'vitest';
import curve from './score_curve.json';
import { at, percent, polyline } from './score_curve';

const points = [
  { least: 10, precision: 0.8, recall: 0.9 },
  { least: 50, precision: 0.9, recall: 0.5 },
];

test('a threshold has the point that is nearest', () => {
  expect(at(points, 12).least).toBe(10);
  expect(at(points, 99).least).toBe(50);
});

test('a line goes to the right, and what is below the drawing lies on its foot', () => {
  expect(polyline(points, (point) => point.recall, { width: 200, height: 100, low: 0.6 })).toBe('20.0,25.0 100.0,100.0');
  expect(percent(0.8768)).toBe('87.7 %');
});

test('what was measured gets stricter with the threshold', () => {
  expect(curve.points.map((point) => point.least)).toContain(curve.default);
  for (const [index, point] of curve.points.entries()) expect(point.recall).toBeLessThanOrEqual(curve.points[index - 1]?.recall ?? 1);
});
