// Precision and recall of the score at each threshold, as points of a drawing: pure.

export interface CurvePoint {
  least: number;
  precision: number;
  recall: number;
}

/** The point of a threshold, or the nearest there is. */
export function at<Point extends CurvePoint>(points: Point[], least: number): Point {
  return points.reduce((best, point) => (Math.abs(point.least - least) < Math.abs(best.least - least) ? point : best));
}

/** The points of a line: thresholds to the right, shares from `low` to 1 upwards. */
export function polyline(points: CurvePoint[], share: (point: CurvePoint) => number, box: { width: number; height: number; low: number }): string {
  const y = (value: number) => box.height * (1 - (Math.max(box.low, value) - box.low) / (1 - box.low));
  return points.map((point) => `${((point.least / 100) * box.width).toFixed(1)},${y(share(point)).toFixed(1)}`).join(' ');
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
