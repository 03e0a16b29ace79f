// Jumps of the score that keep coming, as Denizen's mind reckons them: an advertisement that turns its picture, lines that somebody types.
// The same rule as in the mind (`watch/activity/jumps.rs`); `judged.json` keeps the two together.

const MEMORY_MS = 30_000;
const JUMPS_MAX = 16;
const ALIKE_MIN = 4;
const ALIKE = 0.1;
const BACKGROUND_MAX = 0.02;
const BUSY_MIN = 4;
const STANDS_OUT = 1.5;

export class Jumps {
  #jumps: { at: number; score: number; region: string | undefined }[] = [];

  add(at: number, score: number, region: string | undefined): void {
    this.#jumps = [...this.#jumps.slice(-(JUMPS_MAX - 1)), { at, score, region }];
  }

  forgetBefore(now: number): void {
    while (this.#jumps[0] && now - this.#jumps[0].at > MEMORY_MS) this.#jumps.shift();
  }

  /** Whether the same has happened again and again, so that it is part of the background. */
  areOftenLike(score: number, region: string | undefined): boolean {
    return score <= BACKGROUND_MAX && this.#jumps.filter((jump) => jump.region === region && Math.abs(jump.score - score) <= ALIKE * score).length >= ALIKE_MIN;
  }

  /** The size from which a jump is news, where there were many. */
  line(): number | null {
    if (this.#jumps.length < BUSY_MIN) return null;
    const scores = this.#jumps.map(({ score }) => score).sort((left, right) => left - right);
    return STANDS_OUT * scores[Math.floor(scores.length / 4)]!;
  }
}
