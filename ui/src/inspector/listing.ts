// The list of calls: which of them fit, and what they come to. Pure.
import type { AskSummary, AskTotals } from '../api/contract';

export interface AskFilter {
  purpose: string;
  room: string;
  /** `answered`, `failed`, `under_way`; empty for any. */
  state: string;
}

export const emptyFilter = (): AskFilter => ({ purpose: '', room: '', state: '' });

export const filtered = (filter: AskFilter): boolean => filter.purpose !== '' || filter.room !== '' || filter.state !== '';

export function fits(ask: AskSummary, filter: AskFilter): boolean {
  const ending = ask.state === 'answered' || ask.state === 'under_way' ? ask.state : 'failed';
  return (!filter.purpose || ask.purpose === filter.purpose) && (!filter.room || ask.room === filter.room) && (!filter.state || ending === filter.state);
}

/** The list with a call that began or ended; one that no longer fits is gone. */
export function withAsk(asks: AskSummary[], fresh: AskSummary, fit: boolean): AskSummary[] {
  const at = asks.findIndex((ask) => ask.ask === fresh.ask);
  if (at >= 0) return fit ? asks.with(at, fresh) : asks.toSpliced(at, 1);
  if (!fit) return asks;
  const place = asks.findIndex((ask) => ask.ask < fresh.ask);
  return place === -1 ? [...asks, fresh] : asks.toSpliced(place, 0, fresh);
}

/** All purposes together. */
export function summed(totals: readonly AskTotals[]): Omit<AskTotals, 'purpose'> {
  const add = (key: Exclude<keyof AskTotals, 'purpose'>) => totals.reduce((sum, one) => sum + one[key], 0);
  return { calls: add('calls'), failed: add('failed'), underWay: add('underWay'), inputTokens: add('inputTokens'), outputTokens: add('outputTokens'), costMicroDollars: add('costMicroDollars'), unpriced: add('unpriced') };
}
