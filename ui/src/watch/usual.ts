// What a screen's scores were like in the last seconds, as Denizen's mind reckons it: their middle, and how far they stray from it.
// The same rule as in the mind (`watch/activity/usual.rs`); `judged.json` keeps the two together.

const WINDOW_MS = 20_000;
const SHORT_WINDOW_MS = 6_000;
const SPACING_MS = 320;
const SAMPLES_MAX = 64;
const SAMPLES_MIN = 12;
const QUARTER_IN_DEVIATIONS = 0.674;
const DEVIATION_MIN_SHARE = 0.02;
const DEVIATIONS = 4;
const CHANGE_MIN = 0.002;
const STILL = 0.001;
const STEADY = 0.15;

export interface Usual {
  level: number;
  /** How far a score strays from the level by chance. */
  deviation: number;
}

export class Recent {
  #samples: { at: number; score: number }[] = [];

  add(at: number, score: number): void {
    const newest = this.#samples.at(-1);
    if (newest && at - newest.at < SPACING_MS) return;
    this.#samples.push({ at, score });
    while (this.#samples.length > SAMPLES_MAX || (this.#samples.length > SAMPLES_MIN && at - this.#samples[0]!.at > WINDOW_MS)) this.#samples.shift();
  }

  /** Null while there is too little to go by. */
  usual(): Usual | null {
    const newest = this.#samples.at(-1);
    if (!newest || this.#samples.length < SAMPLES_MIN) return null;
    const all = sorted(this.#samples);
    const lately = sorted(this.#since(newest.at - SHORT_WINDOW_MS));
    const scores = quantile(lately, 0.5) < quantile(all, 0.5) ? lately : all;
    const level = quantile(scores, 0.5);
    const deviation = Math.min(level - quantile(scores, 0.25), quantile(scores, 0.75) - level) / QUARTER_IN_DEVIATIONS;
    return { level, deviation: Math.max(deviation, level * DEVIATION_MIN_SHARE) };
  }

  /** The highest score since a moment. */
  highest(since: number): number {
    return Math.max(0, ...this.#since(since).map(({ score }) => score));
  }

  #since(moment: number): { at: number; score: number }[] {
    const before = this.#samples.findLastIndex(({ at }) => at < moment);
    return this.#samples.slice(before + 1);
  }
}

/** From here on it is a change. */
export const changeLine = (usual: Usual): number => Math.max(highestByChance(usual), CHANGE_MIN);

/** Below this it is background. */
export function staticLine(usual: Usual, staticFloor: number): number {
  const background = usual.level < staticFloor || usual.deviation <= STEADY * usual.level;
  return Math.max(background ? highestByChance(usual) : usual.level / 2, STILL);
}

/** Whether what is usual is motion at all. */
export const isMotion = (usual: Usual): boolean => usual.level >= CHANGE_MIN;

const highestByChance = ({ level, deviation }: Usual): number => level + DEVIATIONS * deviation;
const sorted = (samples: { score: number }[]): number[] => samples.map(({ score }) => score).sort((left, right) => left - right);
const quantile = (scores: number[], share: number): number => scores[Math.round(Math.max(0, scores.length - 1) * share)] ?? 0;
