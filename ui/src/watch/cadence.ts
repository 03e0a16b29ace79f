// How often Denizen would have looked at a screen with other settings: the note-taker's rule, run over the samples of the last minutes. Pure.
import type { Activity, NoteTrigger, Sample, ThresholdMode, Thresholds } from '../api/watch_contract';
import { judgeAbsolute, Relative } from './relative';

export interface CadenceKnobs extends Thresholds {
  mode: ThresholdMode;
  noteIntervalSeconds: number;
  noteIdleIntervalSeconds: number;
  changeMinIntervalSeconds: number;
}

export interface Look {
  at: number;
  trigger: NoteTrigger;
  frame: number;
}

/** Urgent reasons, the strongest first. */
const URGENT: NoteTrigger[] = ['first_frame', 'scene_cut', 'change'];

export interface Lines extends Thresholds {
  at: number;
}

/** The lines that scores were held against, sample by sample; they only move in relative mode. */
export function trail(samples: readonly Sample[], knobs: CadenceKnobs, starts: readonly number[] = []): Lines[] {
  if (knobs.mode === 'absolute') return [];
  let relative = new Relative(knobs);
  let before = -Infinity;
  return samples.map((sample) => {
    if (begins(starts, before, sample.at)) relative = new Relative(knobs);
    before = sample.at;
    relative.judge(sample);
    return { at: sample.at, ...relative.lines() };
  });
}

/** Whether a watch began between two frames. */
const begins = (starts: readonly number[], before: number, at: number): boolean => starts.some((start) => start > before && start <= at);

function newJudge(knobs: CadenceKnobs): (sample: Sample) => Activity {
  if (knobs.mode === 'absolute') return (sample) => judgeAbsolute(sample, knobs);
  const relative = new Relative(knobs);
  return (sample) => relative.judge(sample);
}

/** What the run has in mind between two frames. */
interface Run {
  newest: Sample | null;
  activity: Activity;
  urgent: NoteTrigger | null;
  moved: number;
  stillAttempts: number;
  described: number | null;
  lastAttempt: number;
  busyUntil: number;
}

/**
 * Every look of a note-taker over these samples (in order). `starts`: when a watch began, because the first frame of each is looked at.
 * `until`: how long it goes on after the last one; `takesMs`: how long the model takes, since it is asked one thing at a time.
 */
export function looks(samples: readonly Sample[], knobs: CadenceKnobs, { starts = [], until, takesMs = 0 }: { starts?: readonly number[]; until?: number; takesMs?: number } = {}): Look[] {
  const made: Look[] = [];
  let run: Run = { newest: null, activity: 'static', urgent: null, moved: 0, stillAttempts: 0, described: null, lastAttempt: -Infinity, busyUntil: -Infinity };
  const pass = (end: number, now: number) => {
    for (let due = dueAt(run, knobs, now); due !== null && due.at <= end; due = dueAt(run, knobs, due.at)) {
      made.push({ at: due.at, trigger: due.trigger, frame: run.newest!.frame });
      run = attempted(run, due.at, takesMs);
    }
  };
  let judge = newJudge(knobs);
  let before = -Infinity;
  for (const sample of samples) {
    // Whatever time alone made due comes first.
    if (run.newest) pass(sample.at - 1, before);
    if (begins(starts, before, sample.at) && run.newest) {
      run = { ...run, newest: null, urgent: null, moved: 0, stillAttempts: 0, described: null };
      judge = newJudge(knobs);
    }
    run = seen(run, sample, judge(sample));
    before = sample.at;
    pass(sample.at, sample.at);
  }
  if (until !== undefined && run.newest) pass(until, before);
  return made;
}

function seen(run: Run, sample: Sample, activity: Activity): Run {
  const trigger = run.newest === null ? 'first_frame' : sample.sceneCut ? 'scene_cut' : activity === 'significant' ? 'change' : null;
  return { ...run, newest: sample, activity, urgent: stronger(run.urgent, trigger), moved: Math.max(run.moved, sample.score) };
}

function attempted(run: Run, at: number, takesMs: number): Run {
  return { ...run, urgent: null, described: run.newest!.frame, stillAttempts: run.moved === 0 ? run.stillAttempts + 1 : 0, moved: 0, lastAttempt: at, busyUntil: at + takesMs };
}

/** When the next look is due, if no other frame comes; null: never. */
function dueAt(run: Run, knobs: CadenceKnobs, now: number): { at: number; trigger: NoteTrigger } | null {
  if (!run.newest || run.newest.frame === run.described) return null;
  const cooldown = knobs.changeMinIntervalSeconds * 1_000;
  const after = (wait: number) => Math.max(now, run.busyUntil, run.lastAttempt + wait);
  if (run.urgent) return { at: after(cooldown), trigger: run.urgent };
  if (run.moved === 0 && run.stillAttempts > 0) return null;
  const idle = run.activity === 'static';
  const seconds = idle ? knobs.noteIdleIntervalSeconds : knobs.noteIntervalSeconds;
  return { at: after(Math.max(seconds * 1_000, cooldown)), trigger: idle ? 'idle_interval' : 'interval' };
}

function stronger(left: NoteTrigger | null, right: NoteTrigger | null): NoteTrigger | null {
  if (left === null || right === null) return left ?? right;
  return URGENT.indexOf(left) <= URGENT.indexOf(right) ? left : right;
}

/** How many looks of each kind: cuts, changes, and those the clock made. */
export function tally(made: readonly Look[]): { all: number; cuts: number; changes: number; clock: number } {
  const count = (...triggers: NoteTrigger[]) => made.filter(({ trigger }) => triggers.includes(trigger)).length;
  return { all: made.length, cuts: count('scene_cut', 'first_frame'), changes: count('change'), clock: count('interval', 'idle_interval') };
}
