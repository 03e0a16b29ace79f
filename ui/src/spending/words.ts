// What was spent on models today, in words.
import type { PurposeView, RestCause, SavedView, SpendingLine } from '../api/contract';
import { cost, count, words } from '../shell/format';

const PURPOSES: Record<string, string> = {
  replies: 'Replies',
  classifier: 'Classifier',
  memory: 'Memory',
  summaries: 'Summaries',
  screen_notes: 'Notes on screens',
  commentary: 'Comments on screens',
  thoughts: 'Thoughts of its own',
};

const GATES: Record<string, string> = {
  not_admitted: 'messages that it did not need to answer',
  answered_together: 'messages answered together with others',
  classifier_not_asked: 'messages that rules judged, so that the classifier was not asked',
  turns_batched: 'turns read for memory together with others',
  gems_by_patterns: 'batches read for memory without a model',
  summaries_without_model: 'summaries written without a model',
  frames_not_noted: 'frames of a screen that needed no note',
  comments_held: 'comments that waited',
  thoughts_not_looked_for: 'minutes in which no thought was looked for',
};

/** Why a model is left alone, to follow its name. */
export const LEFT_ALONE: Record<RestCause, string> = {
  asked: 'asked to be left alone',
  spent: 'has no credit or quota left',
  mute: 'spends all that it may write on thinking and says nothing',
  empty: 'answers without a word',
  key: 'does not accept the key',
  too_long: 'finds every prompt too long',
  down: 'has trouble of its own',
  limited: 'is asked more than it takes',
  region: 'answers nobody from the country that it is asked from',
  gone: 'is not known to its provider',
  rejected: 'does not take what it is asked',
  garbled: 'sends something else than answers',
  unreachable: 'cannot be reached',
  hanging: 'takes questions and does not answer in time',
};

/** What came of having providers keep what they read. */
export const cacheWords = (microDollars: number): string =>
  microDollars > 0
    ? `Saved by what providers had read before: ${cost(microDollars)}.`
    : `To have providers keep what they read cost ${cost(-microDollars)} more than it has saved so far.`;

export const purposeName = (purpose: string): string => PURPOSES[purpose] ?? words(purpose);
/** What a gate has saved; the first word of its name counts, and is one where it is one. */
export function savedWords(saved: SavedView): string {
  const named = GATES[saved.gate] ?? words(saved.gate);
  return `${count(saved.times)} ${saved.times === 1 ? named.replace(/^(batch)es|^(summar)ies|^(\w+)s\b/, (_, es, ies, s) => es ?? (ies ? `${ies}y` : s)) : named}`;
}

/** So many calls, those of a model of this machine among them. */
export const calls = (line: SpendingLine): number => line.calls + line.freeCalls;
export const callsWords = (many: number): string => `${count(many)} ${many === 1 ? 'call' : 'calls'}`;

/** Dollars, as far as anybody knows them. */
export function money(line: SpendingLine): string {
  if (line.unpricedCalls && !line.costMicroDollars) return 'not known';
  return line.unpricedCalls ? `${cost(line.costMicroDollars)} and more` : cost(line.costMicroDollars);
}

/** How much of its share is used, by whichever of calls, tokens and dollars is nearest to its end; 0 to 100. */
export function usedPercent(line: SpendingLine): number {
  const share = (used: number, limit: number) => (limit ? (100 * used) / limit : 100);
  const tokens = share(line.inputTokens + line.outputTokens, line.tokensLimit);
  return Math.min(100, Math.round(Math.max(share(line.calls, line.callsLimit), tokens, share(line.costMicroDollars, line.costLimitMicroDollars))));
}

/** Purposes that anything happened to today. */
export const spentOn = (purposes: PurposeView[]): PurposeView[] => purposes.filter((one) => one.calls || one.freeCalls || one.refused || one.underWay || one.forGood);
