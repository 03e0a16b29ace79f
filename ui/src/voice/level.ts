// How loud something is, on the scale of a meter.

/** Quieter than this is nothing, louder than that is full, in decibels below the loudest there can be. */
const QUIETEST_DB = -60;
const LOUDEST_DB = -12;

/** From 0 (silence) to 1, even to the ear. */
export function loudness(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / samples.length || Number.MIN_VALUE);
  return Math.min(1, Math.max(0, (decibels - QUIETEST_DB) / (LOUDEST_DB - QUIETEST_DB)));
}

/** The next reading of a meter: up at once, down gently, so that it can be read. */
export const fallen = (shown: number, measured: number): number => Math.max(measured, shown - 0.12);
