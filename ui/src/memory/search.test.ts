import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/client';
import type { SearchTerms } from '../api/memory';
import type { Found, SearchAnswer } from '../api/contract';
import { found, gem } from './sample';
import { keptFrom, LiveSearch, WAIT_MS } from './search.svelte';

const answer = (...results: Found[]): SearchAnswer => ({ found: results, tookMs: 1, threshold: 0.35 });
const private_ = found({ gem: gem('secret', { place: { community: 'local', room: 'board', private: true } }) });
const open_ = found({ gem: gem('open') });

describe('a search that follows the typing', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks once, a moment after the last key', async () => {
    const ask = vi.fn(async (_terms: SearchTerms) => answer(open_));
    const search = new LiveSearch(ask);
    for (const q of ['t', 'te', ' tea ']) search.want({ q });
    expect([ask.mock.calls.length, search.busy]).toEqual([0, true]);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask.mock.calls[0]?.[0].q).toBe('tea');
    expect([search.answer?.found.length, search.busy, search.asked?.q]).toEqual([1, false, 'tea']);
  });
  it('lets go of a question when there is a newer one', async () => {
    const asked: { q: string; signal: AbortSignal | undefined; resolve: (answer: SearchAnswer) => void }[] = [];
    const search = new LiveSearch(({ q }, signal) => new Promise((resolve) => asked.push({ q, signal, resolve })));
    search.want({ q: 'tea' }, 0);
    await vi.advanceTimersByTimeAsync(0);
    search.want({ q: 'coffee' }, 0);
    expect(asked[0]?.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    asked[1]?.resolve(answer(open_));
    asked[0]?.resolve(answer());
    await vi.advanceTimersByTimeAsync(0);
    expect([search.asked?.q, search.answer?.found.length]).toEqual(['coffee', 1]);
  });
  it('says nothing of a question it let go of, and what is wrong with one it did not', async () => {
    const search = new LiveSearch(({ q }, signal) => new Promise((_, reject) => {
      if (q === 'bad') reject(new ApiError('Memory is broken.', 500, 'broken'));
      signal?.addEventListener('abort', () => reject(new ApiError('not wanted', 0, 'stopped')));
    }));
    search.want({ q: 'tea' }, 0);
    await vi.advanceTimersByTimeAsync(0);
    search.want({ q: '' });
    await vi.advanceTimersByTimeAsync(0);
    expect([search.problem, search.busy, search.answer]).toEqual(['', false, null]);
    search.want({ q: 'bad' }, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect([search.problem, search.busy]).toEqual(['Memory is broken.', false]);
  });
  it('shows, beside what a room sees, what is kept from it', async () => {
    const ask = vi.fn(async ({ room }: SearchTerms) => (room ? answer(open_) : answer(private_, open_)));
    const search = new LiveSearch(ask);
    search.want({ q: 'budget', community: 'local', room: 'lounge' }, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(search.answer?.found).toEqual([open_]);
    expect(search.hidden).toEqual([private_]);
    search.want({ q: 'budget' }, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect([search.answer?.found.length, search.hidden.length]).toEqual([2, 0]);
  });
  it('shows nothing twice', async () => {
    const search = new LiveSearch(async () => answer(open_, private_, open_));
    search.want({ q: 'tea' }, 0);
    await vi.advanceTimersByTimeAsync(0);
    expect(search.answer?.found).toEqual([open_, private_]);
  });
});

it('what a room has itself is not kept from it, however few are shown', () => {
  const own = found({ gem: gem('own') });
  expect(keptFrom({ community: 'local', room: 'lounge' }, [private_, own, open_], [open_])).toEqual([private_]);
});
