// Scores against what is usual on this very screen, as Denizen's mind judges them.
// The same rule as in the mind (`watch/activity/relative.rs`); `judged.json` keeps the two together.
import type { Activity, Sample, Thresholds } from '../api/watch_contract';
import { Jumps } from './jumps';
import { moved, still, type Motion } from './motion';
import { changeLine, isMotion, Recent, staticLine, type Usual } from './usual';

const RISE = 1.5;
const JUST_BEFORE_MS = 1_600;
const SETTLED_SHARE = 0.5;
const SETTLING_MS_MAX = 2_000;
const FLOWING_MS = 1_000;
const STOPPED_SHARE = 0.25;
const STOPPED_AFTER_MS = 3_000;

/** What a sample means by fixed lines. */
export function judgeAbsolute({ score, ema, sceneCut }: Sample, { change, staticFloor }: Thresholds): Activity {
  if (sceneCut || score >= change || ema >= change) return 'significant';
  return score < staticFloor && ema < staticFloor ? 'static' : 'moving';
}

/** What is known of one screen; every frame is judged, then learnt from. */
export class Relative {
  #lastFrame: number | null = null;
  #recent = new Recent();
  #jumps = new Jumps();
  #motion: Motion | null = null;
  #settling: { since: number; score: number } | null = null;
  #background: { last: number; level: number } | null = null;
  #moving = false;

  readonly #absolute: Thresholds;

  constructor({ change, staticFloor }: Thresholds) {
    this.#absolute = { change, staticFloor };
  }

  judge(sample: Sample): Activity {
    const usual = this.#recent.usual();
    const activity = usual ? this.#against(usual, sample) : judgeAbsolute(sample, this.#absolute);
    this.#recent.add(sample.at, sample.score);
    this.#lastFrame = sample.at;
    return activity;
  }

  /** The lines that hold now; the fixed ones until something is usual. */
  lines(): Thresholds {
    const usual = this.#recent.usual();
    return usual ? this.#linesAgainst(usual) : this.#absolute;
  }

  #linesAgainst(usual: Usual): Thresholds {
    const change = changeLine(usual);
    return { change: Math.max(change, this.#jumps.line() ?? change), staticFloor: Math.min(change, staticLine(usual, this.#absolute.staticFloor)) };
  }

  #against(usual: Usual, { at, score, sceneCut, region }: Sample): Activity {
    this.#jumps.forgetBefore(at);
    const lines = this.#linesAgainst(usual);
    const often = this.#jumps.areOftenLike(score, region);
    const jumps = score >= changeLine(usual) && this.#rises(usual, at, score) && !sceneCut;
    const moves = score >= lines.staticFloor && !often;
    const news = jumps && !often && score >= lines.change;
    if (jumps) this.#jumps.add(at, score, region);
    const settled = this.#hasSettled(at, score, news);
    // What happens all the time says nothing about other motion.
    const rested = !often && this.#hasComeToRest(usual, at, score, moves);
    const stopped = this.#hasStopped(usual, at, score);
    if (sceneCut || settled || rested || stopped) {
      this.#settling = null;
      if (this.#motion) this.#motion.untold = 0;
      return 'significant';
    }
    // While a jump settles, the screen is what it was before: an early look would show half of it.
    if (!this.#settling) this.#moving = moves || (this.#motion !== null && !this.#motion.atRest);
    return this.#moving ? 'moving' : 'static';
  }

  #rises({ level }: Usual, at: number, score: number): boolean {
    return score - level >= RISE * (this.#recent.highest(at - JUST_BEFORE_MS) - level);
  }

  #hasSettled(at: number, score: number, news: boolean): boolean {
    const flows = this.#lastFrame !== null && at - this.#lastFrame <= FLOWING_MS;
    if (news && !flows) return true;
    if (this.#settling) return score < SETTLED_SHARE * this.#settling.score || at - this.#settling.since >= SETTLING_MS_MAX;
    this.#settling = news ? { since: at, score } : null;
    return false;
  }

  #hasComeToRest(usual: Usual, at: number, score: number, moves: boolean): boolean {
    if (moves) {
      this.#motion = moved(this.#motion, at, score);
      return false;
    }
    if (!this.#motion) return false;
    const found = still(this.#motion, at, score);
    if (found.says === 'usual') this.#motion = null;
    if (found.says !== 'rest') return false;
    this.#motion!.atRest = true;
    return found.untold >= changeLine(usual);
  }

  #hasStopped(usual: Usual, at: number, score: number): boolean {
    if (isMotion(usual) && score >= STOPPED_SHARE * usual.level) this.#background = { last: at, level: usual.level };
    const background = this.#background;
    const stopped = background !== null && score < STOPPED_SHARE * background.level && at - background.last >= STOPPED_AFTER_MS;
    if (stopped) this.#background = null;
    return stopped;
  }
}
