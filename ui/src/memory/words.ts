// Memory in plain words: why gems were made, what became of it, what was removed.
import type { Gem, MemoryReport, MemoryRun, Removed } from '../api/contract';
import { plural, summariser } from '../session/words';
import { count, words } from '../shell/format';

/** A time as RFC 3339 or as unix milliseconds. */
type Instant = string | number;

const shortDate = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const datedYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** Unix milliseconds of a time in either spelling. */
export const instant = (at: Instant): number => (typeof at === 'number' ? at : Date.parse(at));

/** `3 May`, with the year where it is another than this one. */
export function date(at: Instant, now = Date.now()): string {
  const moment = instant(at);
  if (Number.isNaN(moment)) return String(at);
  return (new Date(moment).getFullYear() === new Date(now).getFullYear() ? shortDate : datedYear).format(moment);
}

/** Whether it still holds. */
export const holds = (gem: Gem): boolean => !gem.superseded_by && !gem.valid_until;

/** What a gem is called in one line. */
export const titleOf = (gem: Gem): string => gem.summary.trim() || gem.content;

/** How often it was said, where that says something. */
export const said = (strength: number): string => (strength <= 1 ? '' : strength === 2 ? 'said twice' : `said ${count(strength)} times`);

/** Who made a gem: `name` short, `full` as it is stored. */
export function maker(madeBy: string): { name: string; full: string } {
  if (madeBy === 'operator') return { name: 'added by hand', full: madeBy };
  if (madeBy === '') return { name: '', full: '' };
  return summariser(madeBy);
}

/** Settings an operator may have changed, for the reasons that depend on them. */
export interface ReasonNumbers {
  idleMinutes?: number;
  contextThreshold?: number;
}

/** Why gems were made just then. */
export function reason(run: Pick<MemoryRun, 'reason' | 'turns'>, { idleMinutes, contextThreshold = 0.5 }: ReasonNumbers = {}): string {
  switch (run.reason) {
    case 'turn_end': return `${plural(run.turns, 'turn')} ${run.turns === 1 ? 'was' : 'were'} complete`;
    case 'idle': return idleMinutes === undefined ? 'quiet for a while' : `quiet for ${plural(idleMinutes, 'minute')}`;
    case 'context': return contextThreshold === 0.5 ? 'the context was half full' : `the context was ${Math.round(contextThreshold * 100)}\u00a0% full`;
    case 'session_end': return 'the session ended';
    case 'new': return 'somebody wrote /new';
    case 'reset': return 'somebody wrote /reset';
    default: return words(run.reason);
  }
}

/** A batch was complete: then the reason itself says how many turns there were. */
export const isBatch = (run: Pick<MemoryRun, 'reason'>): boolean => run.reason === 'turn_end';

const STATES: Record<string, string> = { under_way: 'at it', storing: 'storing', stored: 'stored', failed: 'failed', dropped: 'ended: its turns changed' };

export const runState = (state: string): string => STATES[state] ?? words(state);

export type Tone = 'good' | 'busy' | 'bad' | 'quiet';

export function runTone(state: string): Tone {
  if (state === 'under_way' || state === 'storing') return 'busy';
  return state === 'stored' ? 'good' : state === 'failed' ? 'bad' : 'quiet';
}

const REJECTIONS: Record<string, string> = {
  unreadable: 'no list of gems at all',
  malformed: 'not in the form asked for',
  empty_content: 'empty',
  too_long: 'too long',
  not_self_contained: 'not to be understood alone',
  own_words: 'Denizen’s own words, and no promise',
  hypothetical: 'what would be, not what is',
  small_talk: 'small talk',
  question: 'a question, not a statement',
  no_source: 'named no turn it came from',
  importance_out_of_range: 'no such importance',
  unknown_tag: 'no such kind',
  not_grounded: 'nobody said it',
  unknown_speaker: 'not by whom it names',
  duplicate_in_answer: 'the same twice',
  secret_only: 'nothing but a secret',
  too_many: 'more than a batch may give',
};

/** `2 × nobody said it, 1 × known already`; empty where nothing was rejected. */
export const rejections = (rejected: MemoryRun['rejected']): string =>
  (rejected ?? []).filter(({ count: times }) => times > 0).map((one) => `${count(one.count)} × ${REJECTIONS[one.reason] ?? words(one.reason)}`).join(', ');

/** `2 added, 1 strengthened`; `none` where nothing came of it. */
export function outcome({ added, strengthened, superseded, alreadyThere = 0 }: Pick<MemoryRun, 'added' | 'strengthened' | 'superseded' | 'alreadyThere'>): string {
  const parts = [[added, 'added'], [strengthened, 'strengthened'], [superseded, 'superseded'], [alreadyThere, 'already there']] as const;
  return parts.filter(([times]) => times > 0).map(([times, what]) => `${count(times)} ${what}`).join(', ') || 'none';
}

/** What was removed, as a sentence. */
export function removal({ gems, turns }: Removed, from = ''): string {
  if (gems.length === 0 && turns.length === 0) return `There was nothing to remove${from}.`;
  return `Removed for good${from}: ${plural(gems.length, 'gem')} and ${plural(turns.length, 'turn')}, with their vectors, words and messages.`;
}

/** What waits in the buffer, in words; empty where nothing does. */
export function waitingWords({ waiting, held }: MemoryReport['waiting']): string {
  const parts = [waiting ? `${plural(waiting, 'turn')} wait${waiting === 1 ? 's' : ''} for gems to be made` : '', held ? `${count(held)} ${held === 1 ? 'is' : 'are'} being read` : ''];
  return parts.filter(Boolean).join(', ');
}

/** What is said while turns cannot be handed to the buffer. */
export const keptBackWords = (number: number, buffer: string): string =>
  `${plural(number, 'turn')} ${number === 1 ? 'is' : 'are'} kept back on this machine, because ${buffer || 'the shared buffer'} cannot be reached. Nothing is lost: ${number === 1 ? 'it is' : 'they are'} handed over as soon as it is back.`;
