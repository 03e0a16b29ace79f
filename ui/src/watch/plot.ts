// Where things stand in the plot: scales, ticks and paths, from times and scores to pixels and back. Pure.
import type { LinesAt, Sample } from '../api/contract';

export type ScaleKind = 'log' | 'linear';

export interface Frame {
  /** The plot's field in pixels, axes not included. */
  width: number;
  height: number;
  from: number;
  until: number;
  scale: ScaleKind;
  /** The largest score that is drawn. */
  top: number;
}

/** Scores below this are the bottom line of the logarithmic scale. */
export const LOG_BOTTOM = 0.0005;
/** Samples further apart than this belong to different stretches: nothing is known of the time between. */
const GAP_MS = 16_000;

/** A round number that all scores and lines fit under. */
export function top(samples: readonly Sample[], lines: readonly number[], scale: ScaleKind): number {
  const most = Math.max(0.02, ...lines, ...samples.map(({ score, ema }) => Math.max(score, ema)));
  if (scale === 'log') return most <= 0.1 ? 0.1 : 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  return Math.min(1, [1, 2, 3, 5, 10].map((times) => times * unit).find((round) => round >= most * 1.05) ?? 1);
}

export const xOf = (at: number, { width, from, until }: Frame): number => ((at - from) / (until - from)) * width;

export function yOf(score: number, { height, scale, top: most }: Frame): number {
  const share = scale === 'log' ? Math.log(Math.max(score, LOG_BOTTOM) / LOG_BOTTOM) / Math.log(most / LOG_BOTTOM) : score / most;
  return height * (1 - Math.min(1, Math.max(0, share)));
}

/** The score at a height; what a dragged line means. */
export function scoreAt(y: number, { height, scale, top: most }: Frame): number {
  const share = Math.min(1, Math.max(0, 1 - y / height));
  return scale === 'log' ? LOG_BOTTOM * (most / LOG_BOTTOM) ** share : share * most;
}

export const timeAt = (x: number, { width, from, until }: Frame): number => from + (x / width) * (until - from);

/** Two figures that mean something, as one would type them: 0.0123 → 0.012. */
export function rounded(score: number): number {
  if (score <= 0) return 0;
  const digits = 1 - Math.floor(Math.log10(score));
  return Number(score.toFixed(Math.min(6, Math.max(0, digits))));
}

export function clamped(score: number, { min, max }: { min: number; max: number }): number {
  return Math.min(max, Math.max(min, score));
}

export function scoreTicks({ scale, top: most }: Frame): number[] {
  if (scale === 'log') return [0.0005, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1].filter((tick) => tick <= most);
  return [0, 0.25, 0.5, 0.75, 1].map((part) => part * most);
}

/** Pixels that the label of a time takes. */
const TICK_WIDTH = 84;

/** Whole half minutes, minutes or more, so that there are at most six and none touches the next. */
export function timeTicks({ from, until, width }: Frame): number[] {
  const most = Math.min(6, Math.max(2, Math.floor(width / TICK_WIDTH)));
  const step = [30_000, 60_000, 120_000, 300_000].find((each) => (until - from) / each <= most) ?? 300_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= until; at += step) ticks.push(at);
  return ticks;
}

/** One sample for each column of pixels: the one with the largest score, so that no spike is lost. */
export function thinned(samples: readonly Sample[], frame: Frame): Sample[] {
  const kept: Sample[] = [];
  let column = NaN;
  for (const sample of samples) {
    const here = Math.floor(xOf(sample.at, frame));
    if (here !== column) kept.push(sample);
    else if (sample.score > kept.at(-1)!.score) kept[kept.length - 1] = sample;
    column = here;
  }
  return kept;
}

/** A line through the samples, broken where nothing came for a while. */
export function path(samples: readonly Sample[], value: (sample: Sample) => number, frame: Frame): string {
  return stretches(samples)
    .map((stretch) => stretch.map((sample, index) => `${index ? 'L' : 'M'}${point(sample, value, frame)}`).join(''))
    .join('');
}

/** The same, down to the ground. */
export function area(samples: readonly Sample[], value: (sample: Sample) => number, frame: Frame): string {
  return stretches(samples)
    .map((stretch) => {
      const [first, last] = [stretch[0]!, stretch.at(-1)!];
      return `M${px(xOf(first.at, frame))} ${px(frame.height)}${stretch.map((sample) => `L${point(sample, value, frame)}`).join('')}L${px(xOf(last.at, frame))} ${px(frame.height)}Z`;
    })
    .join('');
}

/** Lines that moved with the screen, as steps: each holds until the next. */
export function steps(lines: readonly LinesAt[], value: (line: LinesAt) => number, frame: Frame): string {
  return stretches(lines)
    .map((stretch) => stretch.map((line, index) => (index ? `H${px(xOf(line.at, frame))}V${px(yOf(value(line), frame))}` : `M${px(xOf(line.at, frame))} ${px(yOf(value(line), frame))}`)).join(''))
    .join('');
}

function stretches<T extends { at: number }>(things: readonly T[]): T[][] {
  const found: T[][] = [];
  for (const thing of things) {
    const last = found.at(-1);
    if (last && thing.at - last.at(-1)!.at <= GAP_MS) last.push(thing);
    else found.push([thing]);
  }
  return found;
}

const point = (sample: Sample, value: (sample: Sample) => number, frame: Frame) => `${px(xOf(sample.at, frame))} ${px(yOf(value(sample), frame))}`;
const px = (value: number) => Math.round(value * 10) / 10;
